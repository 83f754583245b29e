//! The long words of L1BM and L2BM that a transfer accesses in each cycle, transcribed from the
//! "effect" pseudo-code of sections 3.6.7 and 3.6.8.
//!
//! Like [`super::latency`], this is an independent second reading that does not use the rates of
//! the instruction table.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::{L1bmKind, L1bmOp, L2bmKind, L2bmOp};

/// The long words of an L1BM accessed in a cycle: two ranges, each of a first address and a length.
/// The second may be empty.
pub type Runs = [(u32, u32); 2];

/// Returns the words that a transfer between PEs and L1BM accesses in `cycle`.
pub fn l1bm_runs(op: &L1bmOp, address: u32, cycle: u32) -> Runs {
    // Rounding to half precision turns two long words into one (3.6.8.5).
    let half_sum = |precision| precision == Precision::Half;
    let halved = op.narrow || op.rrn.is_some_and(|rrn| half_sum(rrn.precision));
    let longs = if op.wide && !halved { 2 } else { 1 };
    let length = match op.kind {
        // 3.6.8.6 and 3.6.8.7: the second long word lies four addresses further.
        L1bmKind::PeBroadcast => return [(address + cycle, 1), (address + cycle + 4, longs - 1)],
        // 3.6.8.8 to 3.6.8.13
        L1bmKind::Broadcast | L1bmKind::Pick | L1bmKind::Reduce => 4 * longs,
        // 3.6.8.14 to 3.6.8.19
        L1bmKind::Broadcast4 | L1bmKind::Pick4 | L1bmKind::Reduce4 => 16 * longs,
        // 3.6.8.20 and 3.6.8.21
        L1bmKind::Distribute | L1bmKind::Collect => 64,
    };
    [(address + cycle * length, length), (0, 0)]
}

/// Returns the words of an L1BM that a transfer between L1BM and L2BM, or a multicast, accesses in
/// `cycle`.
pub fn l2bm_run_in_l1bm(op: &L2bmOp, address: u32, cycle: u32) -> (u32, u32) {
    let length = match op.kind {
        // 3.6.7.2, 3.6.7.3, 3.6.7.5, 3.6.7.6, 3.6.7.7, 3.6.7.9
        L2bmKind::Broadcast
        | L2bmKind::PairScatter
        | L2bmKind::Pick
        | L2bmKind::Reduce
        | L2bmKind::PairReduce
        | L2bmKind::Multicast => 16,
        // 3.6.7.4, 3.6.7.8
        L2bmKind::Distribute | L2bmKind::Collect => 8,
    };
    (address + cycle * length, length)
}

/// Returns the number of long words of each L2BM that a transfer from L1BM writes in its step.
pub fn written_to_l2bm(op: &L2bmOp) -> u64 {
    let a_cycle = match op.kind {
        // 3.6.7.5, 3.6.7.6
        L2bmKind::Pick | L2bmKind::Reduce => 16,
        // 3.6.7.7, 3.6.7.8
        L2bmKind::PairReduce | L2bmKind::Collect => 64,
        // These write no L2BM.
        L2bmKind::Broadcast
        | L2bmKind::PairScatter
        | L2bmKind::Distribute
        | L2bmKind::Multicast => 0,
    };
    a_cycle * 4
}

/// The direction of a transfer between L2BM and L1BM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// L2BM to L1BM.
    Down,
    /// L1BM to L2BM.
    Up,
    /// L1BM to L1BM.
    Across,
}

/// Returns the direction of a transfer.
pub fn direction(kind: L2bmKind) -> Direction {
    match kind {
        L2bmKind::Broadcast | L2bmKind::PairScatter | L2bmKind::Distribute => Direction::Down,
        L2bmKind::Pick | L2bmKind::Reduce | L2bmKind::PairReduce | L2bmKind::Collect => {
            Direction::Up
        }
        L2bmKind::Multicast => Direction::Across,
    }
}

/// Returns the L1B that a transfer to L2BM or a multicast reads, bit i for L1B i.
pub fn readers(op: &L2bmOp) -> u8 {
    match op.kind {
        L2bmKind::PairReduce | L2bmKind::Collect => 0xff,
        _ => members(op),
    }
}

/// Returns the L1B that a transfer from L2BM or a multicast writes.
pub fn receivers(op: &L2bmOp) -> u8 {
    if op.kind != L2bmKind::Multicast {
        return members(op);
    }
    let senders = members(op);
    let immode = op.set.hidden();
    // 3.6.7.9: those that agree with a sender in the bits of immode, except the sender itself.
    let receives = |to: u8| {
        (0..8).any(|from| senders >> from & 1 == 1 && from != to && from & immode == to & immode)
    };
    (0..8)
        .filter(|to| receives(*to))
        .fold(0, |set, to| set | 1 << to)
}

/// Returns the L1B of an opcode's set (3.6.7.1).
fn members(op: &L2bmOp) -> u8 {
    let compared = 7 ^ op.set.hidden();
    (0..8u8)
        .filter(|number| number & compared == op.set.base() & compared)
        .fold(0, |set, number| set | 1 << number)
}
