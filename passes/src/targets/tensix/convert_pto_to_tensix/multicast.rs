//! Multicast of operand tiles: tiles that several workers need are read from DRAM once.
//!
//! The workers of a product form a grid, and each computes a rectangle of pieces. All workers of a
//! row of the grid need the same tiles of the left operand, all workers of a column those of the
//! right one. One worker of a column, the *sender*, reads the tiles of unpacker 0 to its own
//! operand ring and multicasts them on NoC 0 to the other workers of the column, the *receivers*.
//! They have the same ring at the same address. Likewise one worker of a row does so on NoC 1, for
//! unpacker 1. The host chooses senders so that no worker is a sender of both.
//!
//! The protocol of a step and an operand:
//!
//! 1. When a receiver's slot is free, it increments the sender's counter [`counter::granted`].
//! 2. The sender waits until its reads have arrived and all receivers have granted the step. It
//!    multicasts the tiles and waits until all receivers have acknowledged them: the NoC does not
//!    order a write before a later atomic increment (`NoC/Ordering.md`).
//! 3. The sender multicasts an increment of the receivers' counter [`counter::arrived`].
//!
//! Receivers grant a step after the previous one has arrived. So no receiver is ahead of another by
//! more than one grant, and the sum of all grants tells that none is missing.
//!
//! Invariants:
//!
//! - All workers execute the same steps in the same order, and transfer the operands of a step in
//!   the same order. So a worker waits only for transfers that precede its own, and there is no
//!   deadlock. Multicasts reserve their paths before they send (`NoC/MemoryMap.md`,
//!   `NOC_CMD_PATH_RESERVE`), which excludes deadlocks of routers.
//! - Transfers lag by one step, like announcements ([`super::read`]): while the tiles of step `n`
//!   are read, those of step `n - 1` are sent.

use tessera_dialects::mlir::Value;
use tessera_dialects::tensix::program::Argument;
use tessera_isa_tensix::tile;

use super::code_builder::{CodeBuilder, Compare};
use super::expr::{Arith, Var};
use super::operand_rings::{depends_on, memory_steps, operands};
use super::plan::{Loop, Node, Plan, TileRect};
use super::resources::counter;

/// Minimum number of workers. Fewer ones gain little, and every step costs a handshake.
const MIN_WORKERS: u32 = 16;

/// Transactions of multicasts, and of grants. Reads use 0 and 1.
const SENT: i64 = 2;
const GRANTED: i64 = 3;

/// How the workers of a plan share operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Multicast {
    /// Rows of pieces.
    pub rows: u32,
    /// The axes along which a worker traverses its rectangle, the outer one first; 0 for rows.
    pub order: [usize; 2],
    /// Pieces of each worker along these axes, if all workers of the chip take part.
    pub passes: [u64; 2],
    /// Variables of the distributed loops: of rows and of columns.
    vars: [Var; 2],
    /// Bytes of a step's tiles, by unpacker.
    bytes: [u32; 2],
}

impl Multicast {
    /// Decides whether operands are multicast. They are if
    ///
    /// - the plan is a product of two matrices in DRAM, whose blocks are distributed in rows and
    ///   columns, and has neither pipes nor local tensors;
    /// - the numbers of rows and columns are divisible so that a grid of enough workers is as fast
    ///   as all workers would be without a grid.
    pub fn new(plan: &Plan, distributed: &[&Loop<Node>], nodes: &[Node]) -> Option<Self> {
        let &[row, column] = distributed else {
            return None;
        };
        if !plan.pipes.is_empty() || plan.local_bytes > 0 {
            return None;
        }
        let pieces = [row.trip_count()?, column.trip_count()?];
        let pieces = pieces.map(|count| u32::try_from(count).ok());
        let pieces = [pieces[0]?, pieces[1]?];
        let all = tile::workers(plan.arch);
        let grid = tile::even_grid(plan.arch, pieces, all);
        let passes = [0, 1].map(|axis| u64::from(pieces[axis] / grid[axis]));
        let work = pieces.iter().copied().map(u64::from).product::<u64>();
        let is_slower = passes.iter().product::<u64>() > work.div_ceil(all.into());
        if is_slower || grid.iter().product::<u32>() < MIN_WORKERS {
            return None;
        }
        // Tiles are retained along the inner axis.
        let order = match passes[0] > passes[1] {
            true => [1, 0],
            false => [0, 1],
        };
        let mut multicast = Multicast {
            rows: pieces[0],
            order,
            passes: order.map(|axis| passes[axis]),
            vars: [row.var, column.var],
            bytes: [0; 2],
        };
        multicast.bytes = multicast.step_bytes(nodes)?;
        Some(multicast)
    }

    /// Returns the bytes that each unpacker's operand has in every step that shares it, or `None`
    /// if they differ, an operand is never shared, or trip counts differ between workers.
    fn step_bytes(&self, nodes: &[Node]) -> Option<[u32; 2]> {
        let (steps, is_exact) = memory_steps(nodes);
        let of = |unpacker: usize| {
            let tiles = steps.iter().filter_map(|step| operands(step)[unpacker]);
            let shared = tiles.filter(|tiles| self.is_shared(unpacker, tiles));
            let mut bytes = shared.map(|tiles| tiles.count() * tiles.tensor.element.tile_bytes());
            let first = bytes.next()?;
            bytes.all(|other| other == first).then_some(first)
        };
        is_exact.then_some([of(0)?, of(1)?])
    }

    /// Returns whether all workers of a column (unpacker 0) or of a row (unpacker 1) need the same
    /// tiles.
    pub fn is_shared(&self, unpacker: usize, tiles: &TileRect) -> bool {
        depends_on(tiles, self.vars[1 - unpacker]) && !depends_on(tiles, self.vars[unpacker])
    }
}

/// The multicasts of a core's code.
pub struct Exchange<'w, 'a> {
    multicast: &'w Multicast,
    /// Index of the first value of the state: three for each unpacker ([`Transfer`]).
    at: usize,
    /// Address of the worker from which each unpacker's operand is received, -1 if there is none.
    senders: [Value<'a>; 2],
    /// Whether there is one.
    receives: [Value<'a>; 2],
    /// Number of receivers of a sender, 0 in others.
    receivers: [Value<'a>; 2],
}

/// The last transfer of an operand that has begun.
#[derive(Clone, Copy)]
struct Transfer<'a> {
    /// Number of transfers until then.
    count: Value<'a>,
    /// 1 if it belongs to the last step, otherwise 0.
    is_new: Value<'a>,
    /// Address of its slot.
    slot: Value<'a>,
}

impl<'w, 'a> Exchange<'w, 'a> {
    /// Values of the state.
    pub const STATE: usize = 6;

    /// Creates the exchange, whose state begins at index `at`.
    pub fn new(code: &CodeBuilder<'_, 'a>, multicast: &'w Multicast, at: usize) -> Self {
        let none = code.constant(-1);
        let senders = [0, 1].map(|noc| code.argument(Argument::Sender(noc)));
        Exchange {
            multicast,
            at,
            senders,
            receives: senders.map(|sender| code.compare(Compare::Less, none, sender)),
            receivers: [0, 1].map(|noc| code.argument(Argument::ReceiverCount(noc))),
        }
    }

    /// Returns whether an operand is transferred.
    pub fn is_shared(&self, unpacker: usize, tiles: &TileRect) -> bool {
        self.multicast.is_shared(unpacker, tiles)
    }

    /// Builds the condition under which the worker reads an unpacker's shared operand.
    pub fn reads(&self, code: &CodeBuilder<'_, 'a>, unpacker: usize) -> Value<'a> {
        code.not(self.receives[unpacker])
    }

    fn transfer(&self, code: &CodeBuilder<'_, 'a>, unpacker: usize) -> Transfer<'a> {
        let [count, is_new, slot] = [0, 1, 2].map(|k| code.state[self.at + 3 * unpacker + k]);
        Transfer {
            count,
            is_new,
            slot,
        }
    }

    /// Notes that the transfer of an operand to a slot begins, under a condition. `None` is for a
    /// step that does not share the operand.
    pub fn begin(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        unpacker: usize,
        transfer: Option<(Option<Value<'a>>, Value<'a>)>,
    ) {
        let Transfer { count, slot, .. } = self.transfer(code, unpacker);
        let (is_new, slot) = match transfer {
            None => (code.constant(0), slot),
            Some((None, slot)) => (code.constant(1), slot),
            Some((Some(condition), slot)) => (code.number(condition), slot),
        };
        let count = code.arith(Arith::Add, count, is_new);
        let at = self.at + 3 * unpacker;
        code.state[at..at + 3].copy_from_slice(&[count, is_new, slot]);
    }

    /// Completes the transfers of the previous step, whose reads have arrived. `state` is the state
    /// after it.
    pub fn complete(&self, code: &mut CodeBuilder<'_, 'a>, state: &[Value<'a>]) {
        let current = std::mem::replace(&mut code.state, state.to_vec());
        let transfers = [0, 1].map(|unpacker| self.transfer(code, unpacker));
        code.state = current;
        for (unpacker, transfer) in transfers.into_iter().enumerate() {
            let receivers = self.receivers[unpacker];
            let awaited = code.arith(Arith::Mul, receivers, transfer.is_new);
            let sends = code.compare(Compare::Less, code.constant(0), awaited);
            code.if_then(sends, |code| self.send(code, unpacker, transfer));
            code.if_then(self.receives[unpacker], |code| {
                code.wait_for_counter(counter::arrived(unpacker), transfer.count);
                code.wait_for_noc(unpacker, code.constant(GRANTED));
            });
        }
    }

    fn send(&self, code: &CodeBuilder<'_, 'a>, unpacker: usize, transfer: Transfer<'a>) {
        let receivers = self.receivers[unpacker];
        let granted = code.arith(Arith::Mul, transfer.count, receivers);
        code.wait_for_counter(counter::granted(unpacker), granted);
        let bytes = self.multicast.bytes[unpacker];
        let transaction = code.constant(SENT);
        let requests = code.noc_multicast(unpacker, bytes, transfer.slot, transaction);
        code.wait_for_receivers(unpacker, requests, receivers, transaction);
        code.noc_post_all(unpacker, counter::arrived(unpacker), transaction);
        code.wait_for_receivers(unpacker, 1, receivers, transaction);
    }

    /// Grants the transfers of the current step, after those of the previous one are complete.
    pub fn grant(&self, code: &mut CodeBuilder<'_, 'a>) {
        for unpacker in 0..2 {
            let sender = self.senders[unpacker];
            let is_new = self.transfer(code, unpacker).is_new;
            let is_new = code.compare(Compare::Less, code.constant(0), is_new);
            let grants = code.and(self.receives[unpacker], is_new);
            code.if_then(grants, |code| {
                let counter = counter::granted(unpacker);
                code.noc_grant(unpacker, counter, sender, code.constant(GRANTED));
            });
        }
    }
}
