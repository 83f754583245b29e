//! The product of a 256×16 matrix and the transpose of a 16×16 one in pseudo-single precision, from
//! operands in LM0 to a result in LM1: the public hand-written code takes 24 steps.
//!
//! An L1B has four of the 256 rows, in each of its MABs; every MAB has all of the second matrix. A
//! row is two long words in each PE, eight singles each. Rows of the second matrix are rows of the
//! matrix registers as they are, so nothing is transposed: it goes there in four tiles of 8×8, and
//! the rows of the first are what is multiplied.

mod common;

use common::by_hand::small_product::{body, ROWS, TILE};
use common::{run, text};
use tessera_isa_mncore::memory::Bank;
use tessera_mncore::geometry::{Geometry, PES};
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore_code::check::verify;
use tessera_mncore_code::program::IssueOrder;
use tessera_mncore_code::sched::{self, schedule};

/// Rows of the second matrix, and the depth.
const SIZE: usize = 16;

/// Returns a long word of two singles with integral values.
fn singles(numbers: &[i32]) -> u64 {
    let bits = |at: usize| u64::from((numbers[at] as f32).to_bits());
    bits(0) << 32 | bits(1)
}

#[test]
fn a_product_with_a_transpose_takes_twelve_steps() {
    let body = body();
    let (schedule, report) =
        schedule(&body, &sched::Options::default()).expect("it has a schedule");
    verify(&schedule, &body).expect("it is right");
    let shown = text(&body, &schedule, IssueOrder::Scheduled);
    assert_eq!(report.length, 12, "{shown}");
    let a: Vec<i32> = (0..ROWS * SIZE).map(|i| (i * i % 11) as i32 - 5).collect();
    let b: Vec<i32> = (0..SIZE * SIZE).map(|i| (i * i % 7) as i32 - 3).collect();
    let product = |row: usize, column: usize| -> i32 {
        (0..SIZE)
            .map(|k| a[row * SIZE + k] * b[column * SIZE + k])
            .sum()
    };
    let expect: Vec<i32> = (0..ROWS * SIZE)
        .map(|at| product(at / SIZE, at % SIZE))
        .collect();
    let both = [&a[..], &b].concat();
    for (form, model) in [
        (IssueOrder::Scheduled, Model::Timed),
        (IssueOrder::Sequential, Model::Fast),
    ] {
        let mut machine = Machine::new(Options {
            geometry: Geometry::SMALL,
            model,
            ..Options::default()
        });
        for block in &mut machine.blocks {
            for (number, words) in both.chunks(TILE).enumerate() {
                let plane = block.memory[Bank::Lm0 as usize].plane_mut(number);
                for (lane, word) in plane.iter_mut().enumerate() {
                    *word = singles(&words[lane % PES * 2..]);
                }
            }
        }
        run(&mut machine, &text(&body, &schedule, form));
        for (number, words) in expect.chunks(TILE).enumerate() {
            let plane = machine.blocks[1].memory[Bank::Lm1 as usize].plane(number);
            for (lane, word) in plane.iter().enumerate() {
                let expect = singles(&words[lane % PES * 2..]);
                assert_eq!(*word, expect, "{form:?}: word {number}, lane {lane}");
            }
        }
    }
}
