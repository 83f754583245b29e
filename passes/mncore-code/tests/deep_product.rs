//! The product of a 256×1024 matrix and the transpose of a 16×1024 one in pseudo-single precision, from operands in LM0 to a result in DRAM: the public
//! hand-written code takes 123 steps with its two MV instructions, and waits for neither.
//!
//! The operands lie as that code has them, and the result as it leaves it. An L2B has 32 of the 256 rows, and each of its MABs eight of the depth: a long
//! word in each PE. Every L2B has all of the second matrix. What MABs and L1Bs have are partial sums, which `l1bmr` and `l2bmr` add.

mod common;

use common::{run, text};
use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{
    AluKind, AluOp, L1bmOp, L2bmOp, MauKind, MauOp, MvMode, Rrn, RrnKind,
};
use tessera_mncore::geometry::{Geometry, PES};
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore_code::address::Address;
use tessera_mncore_code::body::{Body, Home};
use tessera_mncore_code::item::{Move, MoveMemory, MovePlace, Op, Operand, Place};
use tessera_mncore_code::program::Form;
use tessera_mncore_code::schedule::{self, schedule};

/// Rows of the first matrix in an L2B, rows of the second, and the depth.
const ROWS: usize = 32;
const COLUMNS: usize = 16;
const DEPTH: usize = 1024;
/// Single words in a PE of four rows of a matrix.
const FOUR_ROWS: u32 = 8;
/// Long words that `l1bmr` and `l2bmr` give in a step, and those of an L2B's result.
const OF_L1BM: u32 = 32;
const OF_L2BM: u32 = 64;
const RESULT: u32 = (ROWS * COLUMNS / 2) as u32;
const ADD: Rrn = Rrn {
    precision: Precision::Single,
    kind: RrnKind::FloatAdd,
};

/// Four rows in LM0, of a matrix that begins at a word.
fn four_rows(first: u32, number: u32) -> Place {
    let address = Address::fixed(first + FOUR_ROWS * number);
    Place::consecutive(Bank::Lm0, Width::Long, address)
}

fn bfn(body: &mut Body, from: Place, home: Home) -> Operand {
    let block = body.value(Width::Long, home);
    let op = AluOp::plain(AluKind::Bfn, Some(Precision::Pseudo));
    body.push(Op::Alu(op, 0), vec![from.into()], vec![block.into()]);
    block.into()
}

/// Eight rows of the second matrix on each side of the matrix registers.
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

/// The sums of four rows, in GRF1: of each row the first half of the columns, then the second.
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

/// Adds what MABs have of them, and then what L1Bs have of eight rows.
fn join(body: &mut Body, number: u32) {
    let from = Address::fixed(2 * FOUR_ROWS * number);
    let from = Place::consecutive(Bank::Grf1, Width::Double, from);
    let op = L1bmOp {
        rrn: Some(ADD),
        ..L1bmOp::plain(L1bmKind::Reduce, true)
    };
    let to = Address::fixed(OF_L1BM * number);
    body.push(Op::L1bm(op, to), vec![from.into()], vec![]);
    if number % 2 == 1 {
        let op = L2bmOp {
            rrn: Some(ADD),
            ..L2bmOp::plain(L2bmKind::Reduce)
        };
        let address = Address::fixed(number / 2 * OF_L2BM);
        let [l2, l1] = [address.clone(), address];
        body.push(Op::L2bm { op, l2, l1 }, vec![], vec![]);
    }
}

fn body() -> Body {
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

/// Two singles that are whole numbers.
fn singles(numbers: [i32; 2]) -> u64 {
    let [high, low] = numbers.map(|number| u64::from((number as f32).to_bits()));
    high << 32 | low
}

/// An element of the first matrix, and of the second.
fn left(row: usize, k: usize) -> i32 {
    (row * 7 + k * k % 11) as i32 % 9 - 4
}

fn right(column: usize, k: usize) -> i32 {
    (column * column + 3 * k) as i32 % 7 - 3
}

/// A machine with the operands where they lie.
fn machine(model: Model) -> Machine {
    let mut machine = Machine::new(Options {
        geometry: Geometry::BOARD,
        model,
        ..Options::default()
    });
    let l1bs = Geometry::BOARD.l1bs;
    for (number, block) in machine.blocks.iter_mut().enumerate() {
        let (l2b, l1b) = (number / l1bs, number % l1bs);
        for word in 0..ROWS + COLUMNS {
            let plane = block.memory[Bank::Lm0 as usize].plane_mut(word);
            for (lane, long) in plane.iter_mut().enumerate() {
                let (mab, pe) = (lane / PES, lane % PES);
                let k = ((mab / 2 * l1bs + l1b) * 2 + mab % 2) * 2 * PES + 2 * pe;
                *long = singles([0, 1].map(|part| match word.checked_sub(ROWS) {
                    Some(column) => right(column, k + part),
                    None => left(l2b * ROWS + word, k + part),
                }));
            }
        }
    }
    machine
}

#[test]
fn a_deep_product_takes_thirty_steps() {
    let body = body();
    let (schedule, report) =
        schedule(&body, &schedule::Options::default()).expect("it has a schedule");
    schedule.verify(&body).expect("it is right");
    let shown = text(&body, &schedule, Form::Scheduled);
    assert_eq!(report.length, 30, "{shown}");
    for (form, model) in [
        (Form::Scheduled, Model::Timed),
        (Form::Sequential, Model::Fast),
    ] {
        let mut machine = machine(model);
        run(&mut machine, &text(&body, &schedule, form));
        for (number, group) in machine.board.groups.iter_mut().enumerate() {
            let mut words = vec![0; 2 * RESULT as usize];
            group.dram.read(0, &mut words).expect("it was written");
            for (at, word) in words.into_iter().enumerate() {
                let (row, column) = (at / (COLUMNS / 2), at % (COLUMNS / 2) * 2);
                let row = (2 * number + row / ROWS) * ROWS + row % ROWS;
                let sum =
                    |column| -> i32 { (0..DEPTH).map(|k| left(row, k) * right(column, k)).sum() };
                let expect = singles([sum(column), sum(column + 1)]);
                assert_eq!(word, expect, "{form:?}: row {row}, column {column}");
            }
        }
    }
}
