//! The product of a 256×16 matrix and the transpose of a 16×16 one in pseudo-single precision, from
//! LM0 to LM1.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Op, Operand, Place};

/// Rows of the first matrix in a MAB.
pub const ROWS: usize = 4;
/// Singles of a row in one long word of each PE.
pub const TILE: usize = 8;

/// Returns a place with one long word per cycle, for rows that are two long words apart.
fn rows(bank: Bank, first_row: usize, half: usize) -> Place {
    Place {
        bank,
        width: Width::Long,
        address: Address::fixed((4 * first_row + 2 * half) as u32),
        stride: 4,
    }
}

fn mau(kind: MauKind, side: Side) -> Op {
    let op = MauOp {
        kind,
        precision: Precision::Pseudo,
        half: None,
        narrow: false,
    };
    Op::Mau(op, Some(side))
}

/// Returns its body, which has one iteration.
pub fn body() -> Body {
    let mut body = Body::new(&[], &[]);
    let bfn = || Op::Alu(AluOp::new(AluKind::Bfn, Some(Precision::Pseudo)), 0);
    let vectors: Vec<Operand> = (0..2)
        .map(|half| {
            let vector = body.value(Width::Long, Home::Any);
            let from = rows(Bank::Lm0, 0, half);
            body.push(bfn(), vec![from.into()], vec![vector.into()]);
            vector.into()
        })
        .collect();
    for of_result in 0..2 {
        let mut sum = None;
        for (half, side) in [Side::X, Side::Y].into_iter().enumerate() {
            for quarter in 0..2 {
                let block = body.value(Width::Long, Home::Forward);
                let first = ROWS + TILE * of_result + 4 * quarter;
                let from = rows(Bank::Lm0, first, half);
                body.push(bfn(), vec![from.into()], vec![block.into()]);
                let to = MatrixRows {
                    side,
                    first: 4 * quarter as u8,
                    wide: false,
                };
                let write = Op::Mwrite(Precision::Pseudo, to);
                body.push(write, vec![block.into()], vec![]);
            }
            let vector = vectors[half].clone();
            match sum {
                None => {
                    let first = body.value(Width::Long, Home::Any);
                    body.push(mau(MauKind::Mmul, side), vec![vector], vec![first.into()]);
                    sum = Some(first);
                }
                Some(first) => {
                    let to = rows(Bank::Lm1, 0, of_result);
                    let inputs = vec![vector, first.into()];
                    body.push(mau(MauKind::Mfma, side), inputs, vec![to.into()]);
                }
            }
        }
    }
    body
}
