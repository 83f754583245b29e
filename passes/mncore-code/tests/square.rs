//! The square of a 16×16 matrix in half precision, which every MAB makes of its own: the best hand-written code takes ten steps.
//!
//! The matrix lies in LM0 row by row, block by block as two long words in each PE; the result comes to LM1, the rows of the product in a
//! row of the matrix unit. A column of the matrix register is a row of what is multiplied, so the matrix is transposed: written to one side
//! as it is, read transposed, converted and written to the other side.

mod common;

use common::{run, text};
use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp};
use tessera_mncore::geometry::{Geometry, PES};
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::numerics::convert::narrow_singles;
use tessera_mncore::undetermined::Doubts;
use tessera_mncore_code::address::Address;
use tessera_mncore_code::body::{Body, Home};
use tessera_mncore_code::item::{Op, Place};
use tessera_mncore_code::program::Form;
use tessera_mncore_code::schedule::{self, schedule};

const SIZE: usize = 16;

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

fn body() -> Body {
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

/// A long word of four halves that are whole numbers.
fn halves(numbers: &[i32]) -> u64 {
    let bits = |at: usize| u64::from((numbers[at] as f32).to_bits());
    let pair = |at| bits(at) << 32 | bits(at + 1);
    narrow_singles([pair(0), pair(2)], &mut Doubts::default())
}

#[test]
fn a_half_square_takes_ten_steps() {
    let body = body();
    let (schedule, report) =
        schedule(&body, &schedule::Options::default()).expect("it has a schedule");
    schedule.verify(&body).expect("it is right");
    let shown = text(&body, &schedule, Form::Scheduled);
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
        (Form::Scheduled, Model::Timed),
        (Form::Sequential, Model::Fast),
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
