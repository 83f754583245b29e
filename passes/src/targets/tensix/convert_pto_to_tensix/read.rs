//! The code of NC: moves the operand tiles of every step from DRAM to the next slots of the operand
//! rings.
//!
//! Reads are double buffered with two transactions. NC requests the tiles of step `n` before it
//! waits for those of step `n - 1` and announces them. Announcements therefore lag by one step, and
//! the first one is for no step: step `n` is in L1 when [`counter::READY`] is at least `n + 2`.
//! The start of a stage counts as a step without operands: it announces the last step before.
//!
//! Kernels whose tiles form a grid exchange operands instead ([`super::read_multicast`]).

use std::cell::RefCell;

use tessera_dialects::mlir::Value;

use super::code_builder::CodeBuilder;
use super::expr::Arith;
use super::fetched_rows;
use super::operand_rings::{operands, reads_dram, PositionUnit, SLOTS};
use super::plan::{Block, Step};
use super::read_multicast;
use super::resources::{counter, L1Layout};
use super::tile_moves::{self, FilledSlots, UsedRows};
use super::walk::{wait_for_stage, walk_steps, Stage, WalkEvent, Work};

/// Builds the code of NC.
pub fn lower(code: &mut CodeBuilder, work: &Work) {
    if let Some(multicast) = &work.multicast {
        return read_multicast::lower(code, work, multicast);
    }
    let mut number = 0;
    let rings = &work.stages[0].l1.rings;
    let starts = POSITIONS + work.position_count();
    let mut first_rows = false;
    let filled = FilledSlots::new(starts + work.start_counts());
    // State: the step number, its transaction, the offsets of its slots, the starts of stages, and
    // which slots are filled.
    code.state = vec![code.constant(0); starts + 2 * work.start_counts()];
    // For each stage and unpacker, the condition under which retained tiles must be read in this
    // piece.
    let needs_reload = RefCell::new(Vec::new());
    work.walk(
        code,
        |code, start| {
            rings.start_piece(code, start, POSITIONS, PositionUnit::Bytes);
            let of_stage = |stage: &Stage| {
                [0, 1].map(|unpacker| stage.l1.rings.needs_reload(code, start, unpacker))
            };
            needs_reload.replace(work.stages.iter().map(of_stage).collect());
            if work.start_counts() > 0 {
                filled.start_piece(code, start);
            }
        },
        |code, event| match event {
            WalkEvent::Block(block) => {
                let needs_reload = needs_reload.borrow()[number];
                walk_steps(code, &block.items, &mut |code, step| {
                    if reads_dram(step) {
                        let retention = (needs_reload, first_rows.then_some(&filled));
                        lower_step(
                            code,
                            work,
                            &work.stages[number].l1,
                            (block, step),
                            retention,
                        );
                    }
                })
            }
            WalkEvent::SlotEvent(_) => {}
            WalkEvent::StageStart(next) => {
                start_stage(code, starts);
                number = next;
                filled.start_stage(code, code.state[NUMBER]);
                first_rows = tile_moves::reads_only_first_rows(&work.stages[number].blocks());
            }
        },
    );
    // The last step used the other transaction than the next one would.
    let last = code.arith(Arith::Sub, code.constant(1), code.state[TRANSACTION]);
    announce(code, last);
}

/// Indices in the state: the step number, its transaction, the offsets of its slots.
const NUMBER: usize = 0;
const TRANSACTION: usize = 1;
const POSITIONS: usize = 2;

fn lower_step<'a>(
    code: &mut CodeBuilder<'_, 'a>,
    work: &Work,
    l1: &L1Layout,
    (block, step): (&Block, &Step),
    (needs_reload, filled): ([Option<Value<'a>>; 2], Option<&FilledSlots<'a>>),
) {
    code.set_location(step.location);
    let rings = &l1.rings;
    let (number, transaction) = (code.state[NUMBER], code.state[TRANSACTION]);
    // Step `number - SLOTS` must be done. FREED lags by one step, so it is then one more than the
    // number of steps that are done.
    let free = i64::from(SLOTS) - 2;
    code.wait_for_counter(counter::FREED, code.arith_const(Arith::Sub, number, free));
    for (unpacker, tiles) in operands(step).into_iter().enumerate() {
        let Some(tiles) = tiles else { continue };
        let offset = code.state[POSITIONS + rings.position(unpacker)];
        let local = fetched_rows::local_tiles(step, unpacker);
        let is_retained = local.is_none() && rings.is_retained(unpacker, tiles);
        let reload = needs_reload[unpacker].filter(|_| is_retained);
        let read = |code: &mut CodeBuilder<'_, 'a>| {
            let to = match local {
                Some(to) => fetched_rows::address(code, to),
                None => {
                    let ring = l1.operand_ring(unpacker as u32);
                    code.arith_const(Arith::Add, offset, ring.into())
                }
            };
            let used = UsedRows::new(block, step, unpacker);
            // The slots of retained tiles are not those of an earlier step.
            let filled = filled.filter(|_| reload.is_none());
            let is_filled = filled.map(|filled| filled.are_filled(code, number));
            tile_moves::read(code, work, (tiles, used), (to, transaction), is_filled);
        };
        match reload {
            Some(needs_reload) => code.if_then(needs_reload, read),
            None => read(code),
        }
    }
    let next = code.arith(Arith::Sub, code.constant(1), transaction);
    code.state[NUMBER] = code.arith_const(Arith::Add, number, 1);
    code.state[TRANSACTION] = next;
    rings.advance(code, POSITIONS, PositionUnit::Bytes);
    // The next step reuses the transaction of the previous step, which must be complete.
    announce(code, next);
}

/// Announces the last step before a stage, waits for the start, and until the unpackers have left
/// the stages before, whose slots are reused. The state with index `starts` counts the starts.
fn start_stage(code: &mut CodeBuilder<'_, '_>, starts: usize) {
    let last = code.arith(Arith::Sub, code.constant(1), code.state[TRANSACTION]);
    announce(code, last);
    code.state[NUMBER] = code.arith_const(Arith::Add, code.state[NUMBER], 1);
    let zero = code.constant(0);
    code.state[POSITIONS..starts].fill(zero);
    wait_for_stage(code, starts);
    // B starts a stage when results are in memory. A unit that has used a tile may have let the
    // unpackers go on before they noticed that they were done with it.
    code.wait_for_counter(counter::FREED, code.state[NUMBER]);
}

/// Waits for a transaction, then announces that the tiles of its step are in L1.
fn announce<'a>(code: &CodeBuilder<'_, 'a>, transaction: Value<'a>) {
    code.wait_for_transaction(transaction);
    code.post(counter::READY);
}
