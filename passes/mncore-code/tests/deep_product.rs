//! The product of a 256×1024 matrix and a transposed 16×1024 one in pseudo-single precision, from
//! LM0 to DRAM. The public hand-written code takes 123 steps, including two MV instructions for
//! neither of which it waits.
//!
//! Operands and result have the layout of that code. An L2B has 32 of the 256 rows, and each of its
//! MABs has eight indices of the depth: a long word in each PE. Every L2B has the whole second
//! matrix. `l1bmr` and `l2bmr` reduce the partial sums of MABs and L1Bs.

mod common;

use common::by_hand::deep_product::{body, COLUMNS, RESULT, ROWS};
use common::{run, text};
use tessera_isa_mncore::memory::Bank;
use tessera_mncore::geometry::{Geometry, PES};
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore_code::check::verify;
use tessera_mncore_code::program::IssueOrder;
use tessera_mncore_code::sched::{self, schedule};

/// The depth.
const DEPTH: usize = 1024;

/// Returns a long word of two singles with integral values.
fn singles(numbers: [i32; 2]) -> u64 {
    let [high, low] = numbers.map(|number| u64::from((number as f32).to_bits()));
    high << 32 | low
}

/// Returns an element of the first matrix and one of the second.
fn left(row: usize, k: usize) -> i32 {
    (row * 7 + k * k % 11) as i32 % 9 - 4
}

fn right(column: usize, k: usize) -> i32 {
    (column * column + 3 * k) as i32 % 7 - 3
}

/// Returns a machine with the operands in place.
fn machine(model: Model) -> Machine {
    let mut machine = Machine::new(Options {
        geometry: Geometry::BOARD,
        model,
        ..Options::default()
    });
    let l1bs = Geometry::BOARD.l1bs;
    for (number, block) in machine.blocks.all_mut().iter_mut().enumerate() {
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
        schedule(&body, &sched::Options::default()).expect("it has a schedule");
    verify(&schedule, &body).expect("it is right");
    let shown = text(&body, &schedule, IssueOrder::Scheduled);
    assert_eq!(report.length, 30, "{shown}");
    for (form, model) in [
        (IssueOrder::Scheduled, Model::Timed),
        (IssueOrder::Sequential, Model::Fast),
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
