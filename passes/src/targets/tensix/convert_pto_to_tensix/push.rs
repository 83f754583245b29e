//! Code of T2 that pushes packed tiles to other tiles of the cluster.
//!
//! The tiles are moved over the NoC from the packers' result slot to the next slot of the ring,
//! once that is free. T2 announces the slot only after the write has been acknowledged, since the
//! NoC does not order a write before a later atomic increment. The acknowledgement also frees the
//! result slot.

use tessera_dialects::mlir::Value;
use tessera_dialects::tensix::program::Argument;

use super::code_builder::CodeBuilder;
use super::expr::Arith;
use super::plan::{Block, Element, Pipe};
use super::resources::counter;
use super::walk::Work;

/// Index of the first pipe's state in the core's state. Each outgoing pipe has two values: the
/// number of pushes and the next slot.
pub const PIPE_STATE: usize = 3;

/// Returns the state index of a pipe's number of pushes. The next slot follows it.
fn pipe_state(work: &Work, pipe: usize) -> usize {
    let before = work.pushed_pipes().position(|(number, _)| number == pipe);
    PIPE_STATE + 2 * before.expect("pushes are to pipes that are pushed to")
}

/// Pushes the tiles of a result, packed at L1 address `l1`, to the pipe at index `number` of
/// [`Work::pipes`].
pub fn push<'a>(
    code: &mut CodeBuilder<'_, 'a>,
    work: &Work,
    number: usize,
    block: &Block,
    element: Element,
    l1: Value<'a>,
) {
    let pipe = &work.pipes[number];
    let state = pipe_state(work, number);
    let (sent, slot) = (code.state[state], code.state[state + 1]);
    let freed = code.arith_const(Arith::Sub, sent, i64::from(pipe.slots) - 1);
    for lane in 0..pipe.peers.len() as u32 {
        code.wait_for_counter(counter::freed(pipe.number, lane), freed);
    }
    let slot_at = code.arith_const(Arith::Mul, slot, pipe.slot_bytes.into());
    let peers: Vec<_> = pipe
        .peers
        .iter()
        .map(|peer| code.argument(Argument::Peer(*peer)))
        .collect();
    let transaction = code.constant(0);
    for tile in 0..block.tiles() {
        let (lane, index) = destination(pipe, block.shape, tile);
        let bytes = element.tile_bytes();
        let from = code.arith_const(Arith::Add, l1, (tile * bytes).into());
        let to = code.arith_const(Arith::Add, slot_at, (pipe.address + index * bytes).into());
        code.noc_send(bytes, from, to, peers[lane as usize], transaction);
    }
    code.wait_for_transaction(transaction);
    for peer in &pipe.peers {
        code.noc_post(counter::ready(pipe.number, pipe.part.unwrap_or(0)), *peer);
    }
    code.state[state] = code.arith_const(Arith::Add, sent, 1);
    code.state[state + 1] = code.advance_cyclic(slot, 1, pipe.slots);
}

/// Waits until the consumers have freed everything that was pushed, so that all rings are empty at
/// the end.
pub fn end(code: &CodeBuilder, work: &Work) {
    for (number, pipe) in work.pushed_pipes() {
        let sent = code.state[pipe_state(work, number)];
        for lane in 0..pipe.peers.len() as u32 {
            code.wait_for_counter(counter::freed(pipe.number, lane), sent);
        }
    }
    if work.pushed_pipes().count() > 0 {
        code.wait_for_transaction(code.constant(0));
    }
}

/// Returns which peer, as an index into [`Pipe::peers`], receives a tile of a value of the given
/// shape, and the tile's index in the slot.
fn destination(pipe: &Pipe, [rows, columns]: [u32; 2], tile: u32) -> (u32, u32) {
    let (row, column) = (tile / columns, tile % columns);
    match (pipe.axis, pipe.part) {
        (None, _) => (0, tile),
        // Each peer receives one part.
        (Some(0), None) => {
            let part = rows / 2;
            (row / part, row % part * columns + column)
        }
        (Some(_), None) => {
            let part = columns / 2;
            (column / part, row * part + column % part)
        }
        // The peer receives one part from each producer.
        (Some(0), Some(part)) => (0, (row + part * rows) * columns + column),
        (Some(_), Some(part)) => (0, row * 2 * columns + part * columns + column),
    }
}

#[cfg(test)]
mod tests;
