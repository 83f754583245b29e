//! The three matrix loops of the rulings (section 2.2), written as bodies: a matrix operation in every step, as many steps before the first as
//! the hand-written loops have, and the product they make.

mod common;
#[path = "../../../runtime/mncore/tests/loops/mod.rs"]
mod kernels;

use common::{alu, run, text};
use kernels::source::{Kernel, Loop};
use kernels::{load, result, size};
use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, Group, MauKind, MauOp};
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore_code::address::Address;
use tessera_mncore_code::body::{first, Body, Home};
use tessera_mncore_code::item::{Guard, Op, Place, Test};
use tessera_mncore_code::program::Form;
use tessera_mncore_code::schedule::{self, schedule};

const GEOMETRY: Geometry = Geometry {
    groups: 2,
    l2bs: 1,
    l1bs: 2,
    mabs: 16,
};

/// Two tiles an iteration, one on each side of the matrix registers.
fn body(of: &Loop) -> Body {
    let pairs = of.row_tiles as u32 / 2;
    let mut body = Body::new(&[], &[of.k_blocks as u32, pairs]);
    for (half, side) in [Side::X, Side::Y].into_iter().enumerate() {
        loads(of, &mut body, half as u32, side);
        products(of, &mut body, half as u32, side);
    }
    body
}

/// Brings a tile to a side, half after half.
fn loads(of: &Loop, body: &mut Body, tile: u32, side: Side) {
    let pairs = of.row_tiles as u32 / 2;
    let (capacity, size) = of.kernel.streamed();
    let (capacity, size) = (capacity as u32, size as u32);
    let streamed = |from: u32| {
        Address::moving(tile * size + from, &[2 * size * pairs, 2 * size]).around(0, capacity)
    };
    let rows = |half: u32, count: u32| MatrixRows {
        side,
        first: (half * count) as u8,
        wide: count == 8,
    };
    match of.kernel {
        Kernel::Resident => {
            for half in 0..2 {
                let at = Address::moving(tile * 32 + half * 16, &[64 * pairs, 64]);
                let from = Place::consecutive(Bank::Lm1, Width::Double, at.around(0, 4096));
                let op = Op::Mwrite(Precision::Half, rows(half, 8));
                body.push(op, vec![from.into()], vec![]);
            }
        }
        Kernel::StreamedHalf => {
            for half in 0..2 {
                let loaded = body.value(Width::Double, Home::Any);
                let load = common::l1bm(L1bmKind::Broadcast, true, streamed(half * 32));
                body.push(load, vec![], vec![loaded.into()]);
                let block = body.value(Width::Double, Home::Any);
                let bfn = AluOp {
                    kind: AluKind::Bfn,
                    precision: Some(Precision::Half),
                    unsigned: false,
                    mantissa: 9,
                };
                body.push(Op::Alu(bfn, 0), vec![loaded.into()], vec![block.into()]);
                let op = Op::Mwrite(Precision::Half, rows(half, 8));
                body.push(op, vec![block.into()], vec![]);
            }
        }
        Kernel::StreamedPseudo => {
            // A ring of four tiles in GRF1, which is read long word by long word.
            let slot = Address::moving(tile * 16, &[32 * pairs, 32]).around(0, 64);
            let load = common::l1bm(L1bmKind::Broadcast, true, streamed(0));
            let to = Place::consecutive(Bank::Grf1, Width::Double, slot.clone());
            body.push(load, vec![], vec![to.into()]);
            for half in 0..2 {
                let from = Place {
                    bank: Bank::Grf1,
                    width: Width::Long,
                    address: slot.clone().plus(2 * half),
                    stride: 4,
                };
                let block = body.value(Width::Double, Home::Any);
                let bfn = alu(AluKind::Bfn, Some(Precision::Pseudo));
                body.push(bfn, vec![from.into()], vec![block.into()]);
                let op = Op::Mwrite(Precision::Pseudo, rows(half, 4));
                body.push(op, vec![block.into()], vec![]);
            }
            let next = Address::moving(tile * 256, &[512 * pairs, 512]).around(4096, 4096);
            let to = Address::moving(tile * 8, &[16 * pairs, 16]).around(0, 4096);
            let to = Place::consecutive(Bank::Lm1, Width::Long, to);
            let load = common::l1bm(L1bmKind::Distribute, false, next);
            body.push(load, vec![], vec![to.into()]);
        }
    }
}

/// Multiplies by a tile.
fn products(of: &Loop, body: &mut Body, tile: u32, side: Side) {
    let (precision, words) = match of.kernel {
        Kernel::StreamedPseudo => (Precision::Pseudo, 2),
        _ => (Precision::Half, 4),
    };
    let width = if words == 2 {
        Width::Long
    } else {
        Width::Double
    };
    let columns = of.kernel.columns() as u32;
    for step in 0..of.kernel.steps() as u32 {
        let vector = Address::moving(8 * step, &[2 * columns]).around(0, 4096);
        let vector = Place::consecutive(Bank::Lm0, Width::Long, vector);
        let sum = words * (tile * columns + 4 * step);
        let sum = Place::consecutive(
            Bank::Grf0,
            width,
            Address::moving(sum, &[0, 2 * words * columns]),
        );
        for (kind, guard) in [
            (MauKind::Mmul, first(0)),
            (
                MauKind::Mfma,
                Guard {
                    dimension: 0,
                    test: Test::IsNot(0),
                },
            ),
        ] {
            let op = MauOp {
                kind,
                precision,
                half: None,
                narrow: false,
            };
            let mut inputs = vec![vector.clone().into()];
            if kind == MauKind::Mfma {
                inputs.push(sum.clone().into());
            }
            let item = body.push(Op::Mau(op, Some(side)), inputs, vec![sum.clone().into()]);
            item.when.push(guard);
        }
    }
}

#[test]
fn matrix_loops_reach_their_bounds() {
    for (kernel, row_tiles, k_blocks) in [
        (Kernel::Resident, 2, 4),
        (Kernel::StreamedHalf, 8, 3),
        (Kernel::StreamedPseudo, 4, 5),
        (Kernel::StreamedPseudo, 16, 2),
    ] {
        let of = Loop {
            kernel,
            row_tiles,
            k_blocks,
        };
        let body = body(&of);
        let (schedule, report) = schedule(&body, &schedule::Options::default())
            .unwrap_or_else(|error| panic!("{of:?}: {error}"));
        println!("{of:?}: {report:?}");
        let steps = 2 * kernel.steps() as u32;
        assert_eq!((report.ii, report.mii), (steps, steps), "{of:?}");
        let first_product = body.items.iter().zip(&schedule.at);
        let first_product = first_product
            .filter(|(item, _)| item.group() == Some(Group::MauCalc))
            .map(|(_, &at)| at)
            .min();
        println!(
            "prologue {first_product:?}, steps {} of {}",
            schedule.steps(&body),
            of.steps()
        );
        let scheduled = text(&body, &schedule, Form::Scheduled);
        let sequential = text(&body, &schedule, Form::Sequential);
        let [m, k, n] = size(&of, &GEOMETRY);
        let numbers = |count: usize| -> Vec<f32> {
            (0..count).map(|i| ((i * 7919) % 17) as f32 - 8.0).collect()
        };
        let (a, b) = (numbers(m * k), numbers(k * n));
        let product = |text: &str, model| {
            let mut machine = Machine::new(Options {
                geometry: GEOMETRY,
                model,
                ..Options::default()
            });
            load(&of, &GEOMETRY, &mut machine, &a, &b);
            run(&mut machine, text);
            result(&of, &GEOMETRY, &machine)
        };
        let expect = product(&of.pipelined(), Model::Fast);
        assert!(product(&sequential, Model::Fast) == expect, "{of:?}");
        assert!(product(&scheduled, Model::Timed) == expect, "{of:?}");
    }
}
