//! The code of NC in kernels that multicast product operands ([`super::multicast`]).
//!
//! Each operand of a product goes to a group of tiles through the NoC with the group's number. For
//! every multicast,
//!
//! 1. each tile waits until its slot is free, and then tells the leader: it increments the leader's
//!    counter of free slots;
//! 2. the leader reads the tiles from DRAM to its own slot, waits until the slots of all others are
//!    free, sends them the tiles and waits for the acknowledgements, because the NoC does not order
//!    a write before a later increment; then it increments the group's counters of arrivals;
//! 3. each tile waits for the arrival.
//!
//! As without multicast ([`super::read`]), NC requests the tiles of a step before it completes the
//! step before and announces that. All tiles of a group execute the same steps in the same order,
//! and a leader waits only for what the others do before they wait for it, so there is no deadlock.
//!
//! Operands of other steps are read by every tile for itself. There is one such step for many of a
//! product, so NC waits for its tiles at once.

use std::cell::Cell;

use tessera_dialects::mlir::Value;
use tessera_dialects::tensix::program::Argument;
use tessera_isa_tensix::noc;
use tessera_isa_tensix::worker_grid::GROUPS;

use super::code_builder::{CodeBuilder, Compare};
use super::expr::Arith;
use super::multicast::{is_product, Multicast};
use super::operand_rings::{operands, reads_dram, PositionUnit, Retention, SLOTS};
use super::plan::{Step, TileRect};
use super::resources::{counter, L1Layout};
use super::walk::{walk_steps, WalkEvent, Work};

/// The transaction of sends to a group, and the one of increments. Reads have the others.
const SEND: i64 = 2;
const POST: i64 = 3;

/// Builds the code of NC.
pub fn lower(code: &mut CodeBuilder, work: &Work, multicast: &Multicast) {
    let stage = &work.stages[0];
    let rings = &stage.l1.rings;
    let blocks = work.piece_blocks();
    let mut steps = blocks.iter().flat_map(|block| block.steps());
    let are_products = steps.all(|step| is_product(step) || !reads_dram(step));
    let is_cyclic = |unpacker: usize| rings.by_unpacker[unpacker].retention == Retention::Step;
    let mut reader = Reader {
        l1: &stage.l1,
        multicast,
        groups: POSITIONS + work.position_count(),
        is_every_step: multicast
            .unpackers
            .map(|unpacker| are_products && is_cyclic(unpacker)),
        needs_reload: [None; 2],
    };
    code.state = vec![code.constant(0); reader.groups + GROUP_STATE * GROUPS];
    let needs_reload = Cell::new([None; 2]);
    work.walk(
        code,
        |code, start| {
            rings.start_piece(code, start, POSITIONS, PositionUnit::Bytes);
            needs_reload.set([0, 1].map(|unpacker| rings.needs_reload(code, start, unpacker)));
        },
        |code, event| {
            reader.needs_reload = needs_reload.get();
            if let WalkEvent::Block(block) = event {
                walk_steps(code, &block.items, &mut |code, step| {
                    if reads_dram(step) {
                        reader.step(code, step);
                    }
                });
            }
        },
    );
    reader.complete_previous(code);
    reader.end(code);
}

/// Indices in the state: the step number, the offsets of its slots.
const NUMBER: usize = 0;
const POSITIONS: usize = 1;

/// The state for each group: the number of multicasts before the current step and before the
/// previous one, and the L1 address of the latest one.
const GROUP_STATE: usize = 3;
const COUNT: usize = 0;
const COUNT_BEFORE: usize = 1;
const SLOT: usize = 2;

struct Reader<'w, 'a> {
    l1: &'w L1Layout,
    multicast: &'w Multicast,
    /// Index in the state of the groups' state.
    groups: usize,
    /// For each group, whether every step has a multicast, so that the step number counts them.
    is_every_step: [bool; GROUPS],
    /// For each unpacker, the condition under which retained tiles must be read in this piece.
    needs_reload: [Option<Value<'a>>; 2],
}

impl<'a> Reader<'_, 'a> {
    fn at(&self, group: usize, of: usize) -> usize {
        self.groups + GROUP_STATE * group + of
    }

    fn step(&self, code: &mut CodeBuilder<'_, 'a>, step: &Step) {
        code.set_location(step.location);
        let rings = &self.l1.rings;
        let number = code.state[NUMBER];
        let transaction = code.low_bits(number, 1);
        // As in `read`: FREED lags by one step.
        let free = i64::from(SLOTS) - 2;
        code.wait_for_counter(counter::FREED, code.arith_const(Arith::Sub, number, free));
        let is_product = is_product(step);
        let mut requested = [None; GROUPS];
        for (unpacker, tiles) in operands(step).into_iter().enumerate() {
            let Some(tiles) = tiles else { continue };
            let offset = code.state[POSITIONS + rings.position(unpacker)];
            let ring = self.l1.operand_ring(unpacker as u32);
            let slot = code.arith_const(Arith::Add, offset, ring.into());
            let group = self
                .multicast
                .unpackers
                .iter()
                .position(|of| *of == unpacker);
            match group.filter(|_| is_product) {
                Some(group) => {
                    let request = |code: &mut CodeBuilder<'_, 'a>| {
                        let number = group as u32;
                        let leads = self.leads(code, number);
                        code.if_then(leads, |code| read(code, number, tiles, slot, transaction));
                        let follows = code.not(leads);
                        code.if_then(follows, |code| {
                            code.noc_post_leader(number, counter::free(number), POST);
                        });
                    };
                    let condition =
                        self.needs_reload[unpacker].filter(|_| rings.is_retained(unpacker, tiles));
                    match condition {
                        Some(needs_reload) => code.if_then(needs_reload, request),
                        None => request(code),
                    }
                    requested[group] = Some((condition, slot));
                }
                None => read(code, 0, tiles, slot, transaction),
            }
        }
        self.complete_previous(code);
        if !is_product {
            code.wait_for_transaction(transaction);
        }
        for (group, requested) in requested.into_iter().enumerate() {
            self.count(code, group, requested);
        }
        code.state[NUMBER] = code.arith_const(Arith::Add, number, 1);
        rings.advance(code, POSITIONS, PositionUnit::Bytes);
    }

    /// Counts the multicast that a step has requested: with its condition and L1 address.
    fn count(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        group: usize,
        requested: Option<(Option<Value<'a>>, Value<'a>)>,
    ) {
        if let Some((_, slot)) = requested {
            code.state[self.at(group, SLOT)] = slot;
        }
        if self.is_every_step[group] {
            return;
        }
        let count = code.state[self.at(group, COUNT)];
        code.state[self.at(group, COUNT_BEFORE)] = count;
        let next = code.arith_const(Arith::Add, count, 1);
        code.state[self.at(group, COUNT)] = match requested {
            None => count,
            Some((None, _)) => next,
            Some((Some(condition), _)) => code.select(condition, next, count),
        };
    }

    /// Builds the number of multicasts before the current step.
    fn counted(&self, code: &CodeBuilder<'_, 'a>, group: usize) -> Value<'a> {
        match self.is_every_step[group] {
            true => code.state[NUMBER],
            false => code.state[self.at(group, COUNT)],
        }
    }

    /// Completes the multicasts of the step before, and announces that its tiles are in L1.
    fn complete_previous(&self, code: &mut CodeBuilder<'_, 'a>) {
        for group in 0..GROUPS {
            let before = match self.is_every_step[group] {
                true => code.constant(0),
                false => code.state[self.at(group, COUNT_BEFORE)],
            };
            let is_pending = code.compare(Compare::Less, before, self.counted(code, group));
            let leads = self.leads(code, group as u32);
            let sends = code.and(leads, is_pending);
            code.if_then(sends, |code| self.send(code, group));
        }
        for group in 0..GROUPS {
            let count = self.counted(code, group);
            code.wait_for_counter(counter::arrived(group as u32), count);
        }
        code.post(counter::READY);
    }

    /// Sends the tiles of a leader's step before to its group.
    fn send(&self, code: &mut CodeBuilder<'_, 'a>, group: usize) {
        let number = group as u32;
        let transaction = code.low_bits(code.state[NUMBER], 1);
        let previous = code.arith(Arith::Sub, code.constant(1), transaction);
        code.wait_for_transaction_on(number, previous);
        let others = code.arith_const(Arith::Sub, extent(code, number), 1);
        let count = self.counted(code, group);
        let free = code.arith(Arith::Mul, count, others);
        code.wait_for_counter(counter::free(number), free);
        let has_others = code.compare(Compare::Less, code.constant(0), others);
        let slot = code.state[self.at(group, SLOT)];
        code.if_then(has_others, |code| {
            let all = self.multicast.bytes[group];
            let requests = all.div_ceil(noc::LONGEST);
            for first in (0..all).step_by(noc::LONGEST as usize) {
                let bytes = noc::LONGEST.min(all - first);
                let from = code.arith_const(Arith::Add, slot, first.into());
                code.noc_send_group(number, bytes, from, SEND);
            }
            let sent = code.arith_const(Arith::Mul, count, requests.into());
            code.wait_for_broadcasts(number, SEND, sent, others);
        });
        code.noc_post_group(number, counter::arrived(number), POST);
    }

    /// Waits until all increments have been acknowledged.
    fn end(&self, code: &mut CodeBuilder<'_, 'a>) {
        for group in 0..GROUPS {
            let number = group as u32;
            let leads = self.leads(code, number);
            let count = self.counted(code, group);
            code.if_then(leads, |code| {
                code.wait_for_broadcasts(number, POST, count, extent(code, number));
            });
            let follows = code.not(leads);
            code.if_then(follows, |code| {
                code.wait_for_transaction_on(number, code.constant(POST));
            });
        }
    }

    /// Builds the condition that this tile leads its group.
    fn leads(&self, code: &CodeBuilder<'_, 'a>, group: u32) -> Value<'a> {
        let leads = code.argument(Argument::Leads(group));
        code.compare(Compare::Equal, leads, code.constant(1))
    }
}

/// Builds the number of tiles of a group: the extent of the grid along the axis on which they
/// differ.
fn extent<'a>(code: &CodeBuilder<'_, 'a>, group: u32) -> Value<'a> {
    code.argument(Argument::Extent(1 - group))
}

/// Starts to read the tiles of an operand to L1 through a NoC.
fn read<'a>(
    code: &CodeBuilder<'_, 'a>,
    noc: u32,
    tiles: &TileRect,
    l1: Value<'a>,
    transaction: Value<'a>,
) {
    let bytes = tiles.tensor.element.tile_bytes();
    for tile in 0..tiles.count() {
        let at = tiles.tile_at(tile, true);
        let to = code.arith_const(Arith::Add, l1, (tile * bytes).into());
        code.noc_read(noc, &at.page, tiles.tensor, to, transaction);
    }
}
