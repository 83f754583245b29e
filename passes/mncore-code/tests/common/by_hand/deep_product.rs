//! The product of a 256×1024 matrix and the transpose of a 16×1024 one in pseudo-single precision,
//! from LM0 to DRAM.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{
    AluKind, AluOp, L1bmOp, L2bmOp, MauKind, MauOp, MvMode, Rrn, RrnKind,
};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Move, MoveMemory, MovePlace, Op, Operand, Place};

/// Rows of the first matrix in an L2B, and of the second.
pub const ROWS: usize = 32;
pub const COLUMNS: usize = 16;
/// Single words in a PE of four rows of a matrix.
const FOUR_ROWS: u32 = 8;
/// Long words that `l1bmr` and `l2bmr` yield in a step, and those of an L2B's result.
const OF_L1BM: u32 = 32;
const OF_L2BM: u32 = 64;
pub const RESULT: u32 = (ROWS * COLUMNS / 2) as u32;
const ADD: Rrn = Rrn {
    precision: Precision::Single,
    kind: RrnKind::FloatAdd,
};

/// Returns the place of four rows in LM0, of a matrix that begins at a word.
fn four_rows(first: u32, number: u32) -> Place {
    let address = Address::fixed(first + FOUR_ROWS * number);
    Place::consecutive(Bank::Lm0, Width::Long, address)
}

fn bfn(body: &mut Body, from: Place, home: Home) -> Operand {
    let block = body.value(Width::Long, home);
    let op = AluOp::new(AluKind::Bfn, Some(Precision::Pseudo));
    body.push(Op::Alu(op, 0), vec![from.into()], vec![block.into()]);
    block.into()
}

/// Loads eight rows of the second matrix to each side of the matrix registers.
fn columns(body: &mut Body) {
    for number in 0..4 {
        let side = if number < 2 { Side::X } else { Side::Y };
        let block = bfn(body, four_rows(FOUR_ROWS * 8, number as u32), Home::Forward);
        let to = MatrixRows {
            side,
            first: 4 * (number % 2),
            wide: false,
        };
        body.push(Op::Mwrite(Precision::Pseudo, to), vec![block], vec![]);
    }
}

/// Computes the sums of four rows in GRF1: for each row the first half of the columns, then the
/// second.
fn products(body: &mut Body, number: u32) {
    let vector = bfn(body, four_rows(0, number), Home::Any);
    for (half, side) in (0..).zip([Side::X, Side::Y]) {
        let op = MauOp {
            kind: MauKind::Mmul,
            precision: Precision::Pseudo,
            half: None,
            narrow: false,
        };
        let to = Place {
            bank: Bank::Grf1,
            width: Width::Long,
            address: Address::fixed(2 * FOUR_ROWS * number + 2 * half),
            stride: 4,
        };
        body.push(
            Op::Mau(op, Some(side)),
            vec![vector.clone()],
            vec![to.into()],
        );
    }
}

/// Reduces the partial sums of MABs, then those of L1Bs for eight rows.
fn join(body: &mut Body, number: u32) {
    let from = Address::fixed(2 * FOUR_ROWS * number);
    let from = Place::consecutive(Bank::Grf1, Width::Double, from);
    let op = L1bmOp {
        rrn: Some(ADD),
        ..L1bmOp::new(L1bmKind::Reduce, true)
    };
    let to = Address::fixed(OF_L1BM * number);
    body.push(Op::L1bm(op, to), vec![from.into()], vec![]);
    if number % 2 == 1 {
        let op = L2bmOp {
            rrn: Some(ADD),
            ..L2bmOp::new(L2bmKind::Reduce)
        };
        let address = Address::fixed(number / 2 * OF_L2BM);
        let [l2, l1] = [address.clone(), address];
        body.push(Op::L2bm { op, l2, l1 }, vec![], vec![]);
    }
}

/// Returns its body, which has one iteration.
pub fn body() -> Body {
    let mut body = Body::new(&[], &[]);
    columns(&mut body);
    for number in 0..ROWS as u32 / 4 {
        products(&mut body, number);
        join(&mut body, number);
    }
    for side in 0..2 {
        let place = |memory, address, l2b| MovePlace {
            memory,
            address: Address::fixed(address),
            group: None,
            l2b,
        };
        let away = Move {
            mode: MvMode::L2bmToDramEach,
            rrn: None,
            words: RESULT,
            tag: Address::fixed(1 + side),
            source: place(MoveMemory::L2bm, 0, Some(side as u8)),
            target: place(MoveMemory::Dram, side * RESULT, None),
        };
        body.push(Op::Mv(away), vec![], vec![]);
    }
    for side in 0..2 {
        body.push(Op::Wait(Address::fixed(1 + side)), vec![], vec![]);
    }
    body
}
