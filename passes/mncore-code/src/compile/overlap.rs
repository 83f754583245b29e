//! Loops that do nothing but issue transfers, overlapped with later ones.
//!
//! An MV instruction precedes a step. In a loop of their own, transfers therefore take a step each.
//! Items of another loop have steps enough: the transfers are spread over its iterations. They may
//! pass loops on their way, as long as these neither wait for them nor access their part of L2BM.
//!
//! Not checked: accesses to the DRAM that they read. Stages read arguments only.

use std::ops::Range;

use super::data::geometry::{DOWN, TRANSFER};
use tessera_mncore_ir::address::{gcd, Address};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Item, MoveMemory, Op, Test};
use tessera_mncore_ir::kernel::Stage;

/// Moves the transfers of loops without other items into the next loop that can take them.
pub(crate) fn overlap_transfers(stages: Vec<Stage>) -> Vec<Stage> {
    let mut pending: Vec<(&'static str, Body)> = Vec::new();
    let mut done = Vec::new();
    for stage in stages {
        match stage {
            Stage::Loop(name, body) if issues_only_transfers(&body) => pending.push((name, body)),
            Stage::Loop(name, mut body) => {
                if pending.iter().any(|(_, one)| conflicts(one, &body)) {
                    done.extend(pending.drain(..).map(|(name, one)| Stage::Loop(name, one)));
                } else if can_take(&pending, &body) {
                    let transfers = pending.drain(..).flat_map(|(_, one)| one.items);
                    spread(transfers.collect(), &mut body);
                }
                done.push(Stage::Loop(name, body));
            }
            Stage::Repeat(count, stages) => {
                done.extend(pending.drain(..).map(|(name, one)| Stage::Loop(name, one)));
                done.push(Stage::Repeat(count, overlap_transfers(stages)));
            }
        }
    }
    done.extend(
        pending
            .into_iter()
            .map(|(name, one)| Stage::Loop(name, one)),
    );
    done
}

/// Returns whether all items are transfers from DRAM to L2BM, of a body with one iteration.
fn issues_only_transfers(body: &Body) -> bool {
    body.iterations() == 1 && body.items.iter().all(|item| target(item).is_some())
}

/// Returns the tags and the L2BM addresses of a transfer from DRAM to L2BM.
fn target(item: &Item) -> Option<[Range<u32>; 2]> {
    let Op::Mv(transfer) = &item.op else {
        return None;
    };
    let loads =
        transfer.source.memory == MoveMemory::Dram && transfer.target.memory == MoveMemory::L2bm;
    let words = transfer.words;
    loads.then(|| {
        [
            range(&transfer.tag, 1),
            range(&transfer.target.address, words),
        ]
    })
}

/// Returns the addresses that an access of `words` may have, in any iteration.
fn range(address: &Address, words: u32) -> Range<u32> {
    let Some(ring) = address.ring else {
        return match address.is_fixed() {
            true => address.offset + address.base..address.offset + address.base + words,
            false => 0..u32::MAX,
        };
    };
    // All addresses differ by multiples of this.
    let unit = address
        .steps
        .iter()
        .fold(ring, |unit, step| gcd(unit, *step));
    let first = address.offset + address.base % unit;
    first..first + ring - unit + words
}

/// Returns whether a loop waits for transfers of another, or accesses L2BM where they write it.
fn conflicts(transfers: &Body, body: &Body) -> bool {
    let overlap =
        |one: &Range<u32>, other: &Range<u32>| one.start < other.end && other.start < one.end;
    let targets: Vec<_> = transfers.items.iter().filter_map(target).collect();
    let meets =
        |kind: usize, own: Range<u32>| targets.iter().any(|target| overlap(&target[kind], &own));
    body.items.iter().any(|item| match &item.op {
        Op::Wait(tag) => meets(0, range(tag, 1)),
        Op::L2bm { l2, .. } => meets(1, range(l2, TRANSFER.0.max(DOWN))),
        Op::Mv(transfer) => [&transfer.source, &transfer.target]
            .into_iter()
            .any(|place| {
                place.memory == MoveMemory::L2bm && meets(1, range(&place.address, transfer.words))
            }),
        _ => false,
    })
}

/// Returns whether a loop has the same loops around it, and iterations for all transfers.
fn can_take(transfers: &[(&'static str, Body)], body: &Body) -> bool {
    /// Transfers for each iteration.
    const AT_ONCE: u64 = 8;
    let count: usize = transfers.iter().map(|(_, one)| one.items.len()).sum();
    count > 0
        && body.trip.len() == 1
        && count as u64 <= AT_ONCE * body.iterations()
        && transfers.iter().all(|(_, one)| one.outer == body.outer)
}

/// Issues transfers in iterations of a loop, in order.
fn spread(transfers: Vec<Item>, body: &mut Body) {
    let (count, dimension) = (transfers.len() as u64, body.dimensions() - 1);
    for (item, number) in transfers.into_iter().zip(0..) {
        let iteration = number * body.iterations() / count;
        let test = Test::Is(iteration as u32);
        let mut item = item;
        item.when.push(Guard { dimension, test });
        body.items.push(item);
    }
}
