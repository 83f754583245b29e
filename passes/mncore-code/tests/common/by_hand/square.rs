//! The square of a 16×16 matrix in half precision, from LM0 to LM1.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Op, Place};

fn place(bank: Bank, width: Width, address: u32) -> Place {
    Place::consecutive(bank, width, Address::fixed(address))
}

fn rows(side: Side, first: u8) -> MatrixRows {
    MatrixRows {
        side,
        first,
        wide: true,
    }
}

/// Returns its body, which has one iteration.
pub fn body() -> Body {
    let mut body = Body::new(&[], &[]);
    let bfn = AluOp {
        kind: AluKind::Bfn,
        precision: Some(Precision::Half),
        unsigned: false,
        mantissa: 9,
    };
    let bfn = || Op::Alu(bfn, 0);
    for half in 0..2 {
        let from = place(Bank::Lm0, Width::Double, 16 * half);
        let write = Op::Mwrite(Precision::Half, rows(Side::Y, 8 * half as u8));
        body.push(write, vec![from.clone().into()], vec![]);
        let to = place(Bank::Grf0, Width::Double, 16 * half);
        body.push(bfn(), vec![from.into()], vec![to.into()]);
    }
    for half in 0..2 {
        let columns = body.value(Width::Double, Home::Any);
        let read = Op::Mread(Precision::Half, rows(Side::Y, 8 * half));
        body.push(read, vec![], vec![columns.into()]);
        let block = body.value(Width::Double, Home::Any);
        body.push(bfn(), vec![columns.into()], vec![block.into()]);
        let write = Op::Mwrite(Precision::Half, rows(Side::X, 8 * half));
        body.push(write, vec![block.into()], vec![]);
    }
    for step in 0..4 {
        let op = MauOp {
            kind: MauKind::Mmul,
            precision: Precision::Half,
            half: None,
            narrow: true,
        };
        let row = place(Bank::Grf0, Width::Long, 8 * step);
        let to = place(Bank::Lm1, Width::Long, 8 * step);
        body.push(
            Op::Mau(op, Some(Side::X)),
            vec![row.into()],
            vec![to.into()],
        );
    }
    body
}
