//! The queues between the RISC-V cores of a tile: mailboxes and PCBufs.
//!
//! Source: ISA documentation, `BabyRISCV/Mailboxes.md`, `BabyRISCV/PCBufs.md`, `SoftReset.md`. A
//! mailbox leads from each of B, T0, T1, T2 to each of them; all those that a core writes hold four
//! values together. A PCBuf leads from B to each T core and holds 16. Whoever pushes into a full
//! queue, or pops from an empty one, is kept waiting. B's read of a PCBuf waits until its T core
//! waits for more, and nothing of its thread is in the coprocessor.

use std::collections::VecDeque;

/// Cores that have mailboxes: B, T0, T1, T2, by their numbers.
const SIDES: usize = 4;
/// Values in all mailboxes that one core writes.
const MAILBOX_VALUES: usize = 4;
/// Values in a PCBuf.
const PC_BUF_VALUES: usize = 16;

/// The mailboxes and PCBufs of a tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fifos {
    /// From the first index to the second.
    mailboxes: [[VecDeque<u32>; SIDES]; SIDES],
    pc_bufs: [VecDeque<u32>; 3],
    /// Whether each T core waits for a value of its PCBuf.
    waits: [bool; 3],
    /// RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE: ten bits for each PCBuf.
    pub(crate) overrides: u32,
}

/// What stands in for a PCBuf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Override {
    /// Nobody waits for the coprocessor.
    pub(crate) busy: bool,
    /// What the T core reads from an empty PCBuf.
    pub(crate) value: u32,
}

impl Fifos {
    /// Puts a value into the mailbox from one core to another; returns whether there was room.
    pub(crate) fn send(&mut self, from: usize, to: usize, value: u32) -> bool {
        let held: usize = self.mailboxes[from].iter().map(VecDeque::len).sum();
        let room = held < MAILBOX_VALUES;
        if room {
            self.mailboxes[from][to].push_back(value);
        }
        room
    }

    /// Takes a value out of the mailbox from one core to another.
    pub(crate) fn receive(&mut self, from: usize, to: usize) -> Option<u32> {
        self.mailboxes[from][to].pop_front()
    }

    /// Returns whether the mailbox from one core to another has a value.
    pub(crate) fn has_mail(&self, from: usize, to: usize) -> bool {
        !self.mailboxes[from][to].is_empty()
    }

    /// Puts a value into the PCBuf of a thread; returns whether there was room.
    pub(crate) fn push_pc(&mut self, thread: usize, value: u32) -> bool {
        let room = self.pc_bufs[thread].len() < PC_BUF_VALUES;
        if room {
            self.pc_bufs[thread].push_back(value);
        }
        room
    }

    /// Takes a value out of the PCBuf of a thread, for its T core.
    pub(crate) fn pop_pc(&mut self, thread: usize) -> Option<u32> {
        let value = self.pc_bufs[thread].pop_front();
        self.waits[thread] = value.is_none();
        value
    }

    /// Returns whether the T core of a thread waits for B to push.
    pub(crate) fn waits_for_pc(&self, thread: usize) -> bool {
        self.waits[thread] && self.pc_bufs[thread].is_empty()
    }

    /// What stands in for the PCBuf of a thread, if something does.
    pub(crate) fn pc_override(&self, thread: usize) -> Option<Override> {
        let bits = self.overrides >> (10 * thread);
        (bits & 1 != 0).then_some(Override {
            busy: bits >> 1 & 1 != 0,
            value: bits >> 2 & 0xff,
        })
    }

    /// A core enters soft reset: what it has sent is discarded.
    pub(crate) fn enter_reset(&mut self, core: usize) {
        if let Some(from) = self.mailboxes.get_mut(core) {
            from.iter_mut().for_each(VecDeque::clear);
        }
    }

    /// A core leaves soft reset: what is in the PCBuf to it is discarded.
    pub(crate) fn leave_reset(&mut self, core: usize) {
        if let Some(thread) = core.checked_sub(1).filter(|&thread| thread < 3) {
            self.pc_bufs[thread].clear();
            self.waits[thread] = false;
        }
    }
}

#[cfg(test)]
mod tests;
