//! The code of NC: moves the operand tiles of every step from DRAM to the next slots of the operand
//! rings.
//!
//! If workers share operands, [`super::multicast`] completes what the reads begin.
//!
//! The operands of unpacker 0 arrive through NoC 0, those of unpacker 1 through NoC 1, so that both
//! arrive at the full rate.
//!
//! Reads are double buffered with two transactions. NC requests the tiles of step `n` before it
//! waits for those of step `n - 1` and announces them. Announcements therefore lag by one step, and
//! the first one is for no step: step `n` is in L1 when [`counter::READY`] is at least `n + 2`.
//! The start of a stage counts as a step without operands: it announces the last step before.

use std::cell::Cell;

use tessera_dialects::mlir::Value;

use super::code_builder::CodeBuilder;
use super::expr::Arith;
use super::multicast::Exchange;
use super::operand_rings::{operands, reads_dram, PositionUnit, SLOTS};
use super::plan::{Step, TileRect};
use super::resources::{counter, L1Layout};
use super::walk::{wait_for_stage, walk_steps, WalkEvent, Work};

/// Builds the code of NC.
pub fn lower(code: &mut CodeBuilder, work: &Work) {
    let mut stage = &work.stages[0];
    let rings = &stage.l1.rings;
    let starts = POSITIONS + work.position_count();
    // State: the step number, its transaction, the offsets of its slots, the starts of stages, and
    // the transfers of shared operands.
    let shared = starts + work.start_counts();
    let exchange = work.multicast.as_ref();
    let exchange = exchange.map(|multicast| Exchange::new(code, multicast, shared));
    let shared_values = exchange.as_ref().map_or(0, |_| Exchange::STATE);
    code.state = vec![code.constant(0); shared + shared_values];
    let reader = Reader {
        nocs: nocs_in_use(work),
        exchange,
    };
    // For each unpacker, the condition under which retained tiles must be read in this piece.
    let needs_reload = Cell::new([None; 2]);
    work.walk(
        code,
        |code, start| {
            rings.start_piece(code, start, POSITIONS, PositionUnit::Bytes);
            needs_reload.set([0, 1].map(|unpacker| rings.needs_reload(code, start, unpacker)));
        },
        |code, event| match event {
            WalkEvent::Block(block) => walk_steps(code, &block.items, &mut |code, step| {
                if reads_dram(step) {
                    reader.lower_step(code, &stage.l1, step, needs_reload.get());
                }
            }),
            WalkEvent::SlotEvent(_) => {}
            WalkEvent::StageStart(number) => {
                reader.start_stage(code, starts);
                stage = &work.stages[number];
            }
        },
    );
    // The last step used the other transaction than the next one would.
    let last = code.arith(Arith::Sub, code.constant(1), code.state[TRANSACTION]);
    let state = code.state.clone();
    reader.announce(code, last, &state);
}

/// Returns the NoCs through which operands arrive. Each unpacker's operands have one.
fn nocs_in_use(work: &Work) -> Vec<usize> {
    let blocks = work.piece_blocks();
    let uses = |noc: &usize| {
        let mut steps = blocks.iter().flat_map(|block| block.steps());
        steps.any(|step| operands(step)[*noc].is_some())
    };
    [0, 1].into_iter().filter(uses).collect()
}

/// Indices in the state: the step number, its transaction, the offsets of its slots.
const NUMBER: usize = 0;
const TRANSACTION: usize = 1;
const POSITIONS: usize = 2;

/// How operands arrive.
struct Reader<'w, 'a> {
    /// The NoCs in use.
    nocs: Vec<usize>,
    /// The multicasts, if workers share operands.
    exchange: Option<Exchange<'w, 'a>>,
}

impl<'a> Reader<'_, 'a> {
    fn lower_step(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        l1: &L1Layout,
        step: &Step,
        needs_reload: [Option<Value<'a>>; 2],
    ) {
        code.set_location(step.location);
        let rings = &l1.rings;
        let before = code.state.clone();
        let (number, transaction) = (code.state[NUMBER], code.state[TRANSACTION]);
        // Step `number - SLOTS` must be done. FREED lags by one step, so it is then one more than
        // the number of steps that are done.
        let free = i64::from(SLOTS) - 2;
        code.wait_for_counter(counter::FREED, code.arith_const(Arith::Sub, number, free));
        for (unpacker, tiles) in operands(step).into_iter().enumerate() {
            let Some(tiles) = tiles else {
                self.begin_transfer(code, unpacker, None);
                continue;
            };
            let offset = code.state[POSITIONS + rings.position(unpacker)];
            let ring = l1.operand_ring(unpacker as u32);
            let slot = code.arith_const(Arith::Add, offset, ring.into());
            let condition = needs_reload[unpacker].filter(|_| rings.is_retained(unpacker, tiles));
            let read = |code: &mut CodeBuilder<'_, 'a>| {
                self.read(code, (unpacker, tiles), slot, transaction);
            };
            match condition {
                Some(needs_reload) => code.if_then(needs_reload, read),
                None => read(code),
            }
            let is_shared = self.shares(unpacker, tiles);
            self.begin_transfer(code, unpacker, is_shared.then_some((condition, slot)));
        }
        let next = code.arith(Arith::Sub, code.constant(1), transaction);
        code.state[NUMBER] = code.arith_const(Arith::Add, number, 1);
        code.state[TRANSACTION] = next;
        rings.advance(code, POSITIONS, PositionUnit::Bytes);
        // The next step reuses the transaction of the previous step, which must be complete.
        self.announce(code, next, &before);
        if let Some(exchange) = &self.exchange {
            exchange.grant(code);
        }
    }

    /// Announces the last step before a stage and waits for the start. The state with index
    /// `starts` counts these.
    fn start_stage(&self, code: &mut CodeBuilder<'_, 'a>, starts: usize) {
        let last = code.arith(Arith::Sub, code.constant(1), code.state[TRANSACTION]);
        let before = code.state.clone();
        self.announce(code, last, &before);
        code.state[NUMBER] = code.arith_const(Arith::Add, code.state[NUMBER], 1);
        let zero = code.constant(0);
        code.state[POSITIONS..starts].fill(zero);
        wait_for_stage(code, starts);
    }

    /// Waits for a transaction, completes the transfers of its step, and announces that the tiles
    /// are in L1. `state` is the state after that step.
    fn announce(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        transaction: Value<'a>,
        state: &[Value<'a>],
    ) {
        for noc in &self.nocs {
            code.wait_for_noc(*noc, transaction);
        }
        if let Some(exchange) = &self.exchange {
            exchange.complete(code, state);
        }
        code.post(counter::READY);
    }

    fn shares(&self, unpacker: usize, tiles: &TileRect) -> bool {
        let exchange = self.exchange.as_ref();
        exchange.is_some_and(|exchange| exchange.is_shared(unpacker, tiles))
    }

    fn begin_transfer(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        unpacker: usize,
        transfer: Option<(Option<Value<'a>>, Value<'a>)>,
    ) {
        if let Some(exchange) = &self.exchange {
            exchange.begin(code, unpacker, transfer);
        }
    }

    /// Reads tiles of an unpacker's operand, unless another worker sends them.
    fn read(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        (unpacker, tiles): (usize, &TileRect),
        l1: Value<'a>,
        transaction: Value<'a>,
    ) {
        match &self.exchange {
            Some(exchange) if exchange.is_shared(unpacker, tiles) => {
                let reads = exchange.reads(code, unpacker);
                code.if_then(reads, |code| read(code, (unpacker, tiles), l1, transaction));
            }
            _ => read(code, (unpacker, tiles), l1, transaction),
        }
    }
}

/// Starts to read tiles of an unpacker's operand.
fn read<'a>(
    code: &CodeBuilder<'_, 'a>,
    (unpacker, tiles): (usize, &TileRect),
    l1: Value<'a>,
    transaction: Value<'a>,
) {
    let bytes = tiles.tensor.element.tile_bytes();
    for tile in 0..tiles.count() {
        let at = tiles.tile_at(tile, true);
        let to = code.arith_const(Arith::Add, l1, (tile * bytes).into());
        code.noc_read(unpacker, &at.page, tiles.tensor, to, transaction);
    }
}
