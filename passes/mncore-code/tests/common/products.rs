//! The matrix loops of `runtime/mncore/tests/loops` as bodies.
//!
//! Includers must provide a module `source` of them in `super::kernels`.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, MauKind, MauOp};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{first, Body, Home};
use tessera_mncore_ir::item::{Guard, Op, Place, Test};

use super::source::{Kernel, Loop};

/// Returns the body of a loop with two tiles per iteration, one on each side of the matrix
/// registers.
pub fn body(of: &Loop) -> Body {
    let pairs = of.row_tiles as u32 / 2;
    let mut body = Body::new(&[], &[of.k_blocks as u32, pairs]);
    for (half, side) in [Side::X, Side::Y].into_iter().enumerate() {
        loads(of, &mut body, half as u32, side);
        products(of, &mut body, half as u32, side);
    }
    body
}

/// Loads a tile to a side, one half after the other.
fn loads(of: &Loop, body: &mut Body, tile: u32, side: Side) {
    let pairs = of.row_tiles as u32 / 2;
    let (capacity, size) = of.kernel.streamed();
    let (capacity, size) = (capacity as u32, size as u32);
    let streamed = |from: u32| {
        Address::affine(tile * size + from, &[2 * size * pairs, 2 * size]).with_ring(0, capacity)
    };
    let rows = |half: u32, count: u32| MatrixRows {
        side,
        first: (half * count) as u8,
        wide: count == 8,
    };
    match of.kernel {
        Kernel::Resident => {
            for half in 0..2 {
                let at = Address::affine(tile * 32 + half * 16, &[64 * pairs, 64]);
                let from = Place::consecutive(Bank::Lm1, Width::Double, at.with_ring(0, 4096));
                let op = Op::Mwrite(Precision::Half, rows(half, 8));
                body.push(op, vec![from.into()], vec![]);
            }
        }
        Kernel::StreamedHalf => {
            for half in 0..2 {
                let loaded = body.value(Width::Double, Home::Any);
                let load = l1bm(L1bmKind::Broadcast, true, streamed(half * 32));
                body.push(load, vec![], vec![loaded.into()]);
                let block = body.value(Width::Double, Home::Any);
                body.push(
                    bfn(Precision::Half, 9),
                    vec![loaded.into()],
                    vec![block.into()],
                );
                let op = Op::Mwrite(Precision::Half, rows(half, 8));
                body.push(op, vec![block.into()], vec![]);
            }
        }
        Kernel::StreamedPseudo => {
            // A ring of four tiles in GRF1, which is read long word by long word.
            let slot = Address::affine(tile * 16, &[32 * pairs, 32]).with_ring(0, 64);
            let load = l1bm(L1bmKind::Broadcast, true, streamed(0));
            let to = Place::consecutive(Bank::Grf1, Width::Double, slot.clone());
            body.push(load, vec![], vec![to.into()]);
            for half in 0..2 {
                let from = Place {
                    bank: Bank::Grf1,
                    width: Width::Long,
                    address: slot.clone().advanced_by(2 * half),
                    stride: 4,
                };
                let block = body.value(Width::Double, Home::Any);
                body.push(
                    bfn(Precision::Pseudo, 0),
                    vec![from.into()],
                    vec![block.into()],
                );
                let op = Op::Mwrite(Precision::Pseudo, rows(half, 4));
                body.push(op, vec![block.into()], vec![]);
            }
            let next = Address::affine(tile * 256, &[512 * pairs, 512]).with_ring(4096, 4096);
            let to = Address::affine(tile * 8, &[16 * pairs, 16]).with_ring(0, 4096);
            let to = Place::consecutive(Bank::Lm1, Width::Long, to);
            let load = l1bm(L1bmKind::Distribute, false, next);
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
        let vector = Address::affine(8 * step, &[2 * columns]).with_ring(0, 4096);
        let vector = Place::consecutive(Bank::Lm0, Width::Long, vector);
        let sum = words * (tile * columns + 4 * step);
        let sum = Place::consecutive(
            Bank::Grf0,
            width,
            Address::affine(sum, &[0, 2 * words * columns]),
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

fn l1bm(kind: L1bmKind, wide: bool, address: Address) -> Op {
    Op::L1bm(L1bmOp::new(kind, wide), address)
}

fn bfn(precision: Precision, mantissa: u8) -> Op {
    let op = AluOp {
        kind: AluKind::Bfn,
        precision: Some(precision),
        unsigned: false,
        mantissa,
    };
    Op::Alu(op, 0)
}
