//! The square of a 16×16 matrix in half precision, which every MAB computes from its own data: the
//! best hand-written code takes ten steps.
//!
//! The matrix lies in LM0 row by row, block by block as two long words in each PE; the result comes
//! to LM1, the rows of the product in a row of the matrix unit. A column of the matrix register is
//! a row of what is multiplied, so the matrix is transposed: written to one side as it is, read
//! transposed, converted and written to the other side.

mod common;

use common::by_hand::square::body;
use common::{run, text};
use tessera_isa_mncore::memory::Bank;
use tessera_mncore::geometry::{Geometry, PES};
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::numerics::convert::narrow_singles;
use tessera_mncore::undetermined::UndeterminedSet;
use tessera_mncore_code::check::verify;
use tessera_mncore_code::program::IssueOrder;
use tessera_mncore_code::sched::{self, schedule};

const SIZE: usize = 16;

/// Returns a long word of four halves with integral values.
fn halves(numbers: &[i32]) -> u64 {
    let bits = |at: usize| u64::from((numbers[at] as f32).to_bits());
    let pair = |at| bits(at) << 32 | bits(at + 1);
    narrow_singles([pair(0), pair(2)], &mut UndeterminedSet::default())
}

#[test]
fn a_half_square_takes_ten_steps() {
    let body = body();
    let (schedule, report) =
        schedule(&body, &sched::Options::default()).expect("it has a schedule");
    verify(&schedule, &body).expect("it is right");
    let shown = text(&body, &schedule, IssueOrder::Scheduled);
    assert_eq!(report.length, 10, "{shown}");
    assert!(report.mii <= report.length, "{report:?}");
    let geometry = Geometry::SMALL;
    let a: Vec<i32> = (0..SIZE * SIZE).map(|i| (i * i % 7) as i32 - 3).collect();
    let square = |row: usize, column: usize| -> i32 {
        (0..SIZE)
            .map(|k| a[row * SIZE + k] * a[k * SIZE + column])
            .sum()
    };
    for (form, model) in [
        (IssueOrder::Scheduled, Model::Timed),
        (IssueOrder::Sequential, Model::Fast),
    ] {
        let mut machine = Machine::new(Options {
            geometry,
            model,
            ..Options::default()
        });
        for block in &mut machine.blocks {
            for row in 0..SIZE {
                let plane = block.memory[Bank::Lm0 as usize].plane_mut(row);
                for (lane, word) in plane.iter_mut().enumerate() {
                    *word = halves(&a[row * SIZE + lane % PES * 4..][..4]);
                }
            }
        }
        run(&mut machine, &text(&body, &schedule, form));
        for row in 0..SIZE {
            let expect: Vec<i32> = (0..SIZE).map(|column| square(row, column)).collect();
            let plane = machine.blocks[1].memory[Bank::Lm1 as usize].plane(row);
            for (lane, word) in plane.iter().enumerate() {
                assert_eq!(
                    *word,
                    halves(&expect[lane % PES * 4..][..4]),
                    "row {row}, lane {lane}"
                );
            }
        }
    }
}
