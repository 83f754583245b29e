//! The reduction of a split-K product's partial sums on their way out.
//!
//! The sums of a block are stored contiguously in L2BM. If nothing follows the product, they are
//! stored to DRAM as they are. Otherwise they are loaded into the PEs again, as a vector in a
//! layout of its own.
//!
//! Reduction networks round at each stage: twice in `l1bmr`, once in `l2bmr`, twice in `mvr`.

use tessera_isa_mncore::memory::Width;
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};

use crate::compile::data::geometry::{TRANSFER, VECTOR_WORDS};
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::reduced_sums::{ADD, REDUCED_PER_STEP, SUM};
use crate::compile::data::streams::{Direction, StreamBuffer};
use crate::compile::data::vector_layout::SplitK;
use crate::compile::data::vectors::TensorVectors;
use crate::compile::scratchpad::{
    REDUCTION_IN_TAG, REDUCTION_OUT_TAG, SPLIT_K_JOINED_L1BM, SPLIT_K_PDM, SPLIT_K_SUMS,
    SPLIT_K_SUMS_L1BM,
};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Move, MoveMemory, MovePlace, Op, Operand, Place};

/// Emits the items that reduce sums and store them contiguously in L2BM, repeated up to `words`
/// long words.
fn reduce_sums(body: &mut Body, sums: &[Place], target: u32, words: u32) {
    let own = (sums.len() as u32 * SUM).next_multiple_of(REDUCED_PER_STEP);
    let sums: Vec<&Place> = sums.iter().cycle().take((own / SUM) as usize).collect();
    let mut l1 = SPLIT_K_SUMS_L1BM.start;
    for from in reduction_operands(&sums) {
        let wide = from.width == Width::Double;
        let op = L1bmOp {
            rrn: Some(ADD),
            ..L1bmOp::new(L1bmKind::Reduce, wide)
        };
        body.push(
            Op::L1bm(op, Address::fixed(l1)),
            vec![from.into()],
            Vec::new(),
        );
        l1 += if wide { 2 * SUM } else { SUM };
    }
    for first in (0..words).step_by(REDUCED_PER_STEP as usize) {
        let op = L2bmOp {
            rrn: Some(ADD),
            ..L2bmOp::new(L2bmKind::Reduce)
        };
        let l1 = Address::fixed(SPLIT_K_SUMS_L1BM.start + first % own);
        let l2 = Address::fixed(target + first);
        body.push(Op::L2bm { op, l2, l1 }, Vec::new(), Vec::new());
    }
}

/// Groups sums into operands of `l1bmr`: two long words per cycle where two vectors are adjacent.
fn reduction_operands(sums: &[&Place]) -> Vec<Place> {
    let mut found = Vec::new();
    let mut left = sums;
    while let [first, rest @ ..] = left {
        let next = first.address.clone().advanced_by(VECTOR_WORDS);
        let follows = |second: &&Place| second.address == next;
        if first.stride == Width::Long.words() && rest.first().is_some_and(follows) {
            let address = first.address.clone();
            found.push(Place::consecutive(first.bank, Width::Double, address));
            left = &rest[1..];
        } else {
            found.push((*first).clone());
            left = rest;
        }
    }
    found
}

/// Emits the items that reduce sums and store them to DRAM as they are.
pub(crate) fn store_reduced(
    body: &mut Body,
    results: &TensorVectors,
    (buffer, around): (StreamBuffer, &OuterLoops),
    sums: &[Place],
) {
    reduce_sums(body, sums, buffer.first(), results.words);
    let walk = vec![0; body.dimensions()];
    for &side in results.sides() {
        let mut away = results.transfer(buffer, around, &walk, side, Direction::Out, 0);
        if let Op::Mv(transfer) = &mut away {
            transfer.rrn = transfer.rrn.map(|_| ADD);
        }
        body.push(away, Vec::new(), Vec::new());
    }
}

/// Emits the items that reduce sums and load them back into the PEs, as `words` long words of L2BM.
pub(crate) fn reload_reduced(
    body: &mut Body,
    split: SplitK,
    sums: &[Place],
    words: u32,
) -> Operand {
    reduce_sums(body, sums, SPLIT_K_SUMS.start, words);
    if split.has_l2bs() {
        reduce_over_l2bs(body, words);
    }
    for part in 0..words / TRANSFER.0 {
        let op = Op::L2bm {
            op: L2bmOp::new(L2bmKind::Distribute),
            l2: Address::fixed(SPLIT_K_SUMS.start + part * TRANSFER.0),
            l1: Address::fixed(SPLIT_K_JOINED_L1BM.start + part * TRANSFER.1),
        };
        body.push(op, Vec::new(), Vec::new());
    }
    let value = body.value(Width::Long, Home::Any);
    let down = L1bmOp::new(L1bmKind::Distribute, false);
    let from = Address::fixed(SPLIT_K_JOINED_L1BM.start);
    body.push(Op::L1bm(down, from), Vec::new(), vec![value.into()]);
    value.into()
}

/// Emits the items that reduce over L2Bs, through PDM.
fn reduce_over_l2bs(body: &mut Body, words: u32) {
    let place = |memory, address, group| MovePlace {
        memory,
        address: Address::fixed(address),
        group,
        l2b: None,
    };
    let pdm = || place(MoveMemory::Pdm, SPLIT_K_PDM.start, Some(0));
    let l2bm = || place(MoveMemory::L2bm, SPLIT_K_SUMS.start, None);
    for (mode, rrn, tag, source, target) in [
        (
            MvMode::PdmReduce,
            Some(ADD),
            REDUCTION_OUT_TAG.start,
            l2bm(),
            pdm(),
        ),
        (
            MvMode::PdmBroadcast,
            None,
            REDUCTION_IN_TAG.start,
            pdm(),
            l2bm(),
        ),
    ] {
        let transfer = Move {
            mode,
            rrn,
            words,
            tag: Address::fixed(tag),
            source,
            target,
        };
        body.push(Op::Mv(transfer), Vec::new(), Vec::new());
        body.push(Op::Wait(Address::fixed(tag)), Vec::new(), Vec::new());
    }
}
