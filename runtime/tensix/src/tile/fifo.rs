//! The queues between the RISC-V cores of a tile: mailboxes and PCBufs.
//!
//! A mailbox leads from each of B, T0, T1, T2 to each of them; the mailboxes that a core writes
//! hold four values in total. A PCBuf leads from B to each T core and holds 16 values. Pushes to a
//! full queue and pops from an empty one wait. B's read of a PCBuf waits until its T core waits for
//! a value and nothing of its thread is in the coprocessor.
//!
//! Source: ISA documentation, `BabyRISCV/Mailboxes.md`, `BabyRISCV/PCBufs.md`, `SoftReset.md`.

use std::collections::VecDeque;

/// Cores that have mailboxes: B, T0, T1, T2, by their numbers.
const SIDES: usize = 4;
/// Capacity of all mailboxes that one core writes.
const MAILBOX_VALUES: usize = 4;
/// Capacity of a PCBuf.
const PC_BUF_VALUES: usize = 16;

/// The mailboxes and PCBufs of a tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fifos {
    /// Indexed by sender and receiver.
    mailboxes: [[VecDeque<u32>; SIDES]; SIDES],
    pc_bufs: [VecDeque<u32>; 3],
    /// Whether each T core waits for a value of its PCBuf.
    waits: [bool; 3],
    /// RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE: ten bits per PCBuf.
    pub(crate) overrides: u32,
}

/// The override of a PCBuf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Override {
    /// Whether reads do not wait for the coprocessor.
    pub(crate) busy: bool,
    /// The value that the T core reads from an empty PCBuf.
    pub(crate) value: u32,
}

impl Fifos {
    /// Sends a value to a mailbox; returns false if it is full.
    pub(crate) fn send(&mut self, from: usize, to: usize, value: u32) -> bool {
        let held: usize = self.mailboxes[from].iter().map(VecDeque::len).sum();
        let room = held < MAILBOX_VALUES;
        if room {
            self.mailboxes[from][to].push_back(value);
        }
        room
    }

    /// Receives a value from a mailbox.
    pub(crate) fn receive(&mut self, from: usize, to: usize) -> Option<u32> {
        self.mailboxes[from][to].pop_front()
    }

    /// Returns whether the mailbox from one core to another has a value.
    pub(crate) fn has_mail(&self, from: usize, to: usize) -> bool {
        !self.mailboxes[from][to].is_empty()
    }

    /// Pushes a value to the PCBuf of a thread; returns false if it is full.
    pub(crate) fn push_pc(&mut self, thread: usize, value: u32) -> bool {
        let room = self.pc_bufs[thread].len() < PC_BUF_VALUES;
        if room {
            self.pc_bufs[thread].push_back(value);
        }
        room
    }

    /// Pops a value from the PCBuf of a thread, for its T core.
    pub(crate) fn pop_pc(&mut self, thread: usize) -> Option<u32> {
        let value = self.pc_bufs[thread].pop_front();
        self.waits[thread] = value.is_none();
        value
    }

    /// Returns whether the T core of a thread waits for a value of its PCBuf.
    pub(crate) fn waits_for_pc(&self, thread: usize) -> bool {
        self.waits[thread] && self.pc_bufs[thread].is_empty()
    }

    /// Returns the override of the PCBuf of a thread, if enabled.
    pub(crate) fn pc_override(&self, thread: usize) -> Option<Override> {
        let bits = self.overrides >> (10 * thread);
        (bits & 1 != 0).then_some(Override {
            busy: bits >> 1 & 1 != 0,
            value: bits >> 2 & 0xff,
        })
    }

    /// Discards what a core has sent when it enters soft reset.
    pub(crate) fn enter_reset(&mut self, core: usize) {
        if let Some(from) = self.mailboxes.get_mut(core) {
            from.iter_mut().for_each(VecDeque::clear);
        }
    }

    /// Discards the contents of the PCBuf to a core when it leaves soft reset.
    pub(crate) fn leave_reset(&mut self, core: usize) {
        if let Some(thread) = core.checked_sub(1).filter(|&thread| thread < 3) {
            self.pc_bufs[thread].clear();
            self.waits[thread] = false;
        }
    }
}

#[cfg(test)]
mod tests;
