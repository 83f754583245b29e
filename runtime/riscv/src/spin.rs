//! Noticing that a core goes round a loop in which nothing changes.
//!
//! If a core jumps back to a place where it has been with the same registers, and has stored
//! nothing since, it will go on like that until one of the values that it has loaded in between
//! differs: it can wait for that instead. Where it has been is noted after 1, 2, 4 ... jumps back
//! (R. P. Brent, "An improved Monte Carlo factorization algorithm"), so that a cycle of any number
//! of jumps is found. A loop that stores, or loads what is other each time, is never looked at. The
//! rounds that it took to notice are as idle as those that it does not go any more, and count as
//! little.

use crate::bus::Width;

/// A load: where, how much, and what came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) addr: u32,
    pub(crate) width: Width,
    pub(crate) raw: u32,
}

/// Loads that one turn can have.
const LOADS: usize = 16;
/// Jumps back without a store after which a core is looked at.
const PATIENCE: u32 = 1;
/// Jumps back of the longest cycle that is found.
const LONGEST: u32 = 1 << 10;

/// What is known of the loop that a core is in.
#[derive(Clone, Debug)]
pub(crate) struct Spin {
    /// Jumps back since the last store, up to [`PATIENCE`].
    quiet: u32,
    /// The last of those: where to, and how many instructions had been executed.
    patient: (u32, u64),
    /// Whether `pc` and `registers` have been noted.
    noted: bool,
    pc: u32,
    registers: [u32; 32],
    /// Instructions executed by then.
    retired: u64,
    loads: Vec<Seen>,
    /// Whether the loads since then are too many, or not what they were.
    unclear: bool,
    jumps: u32,
    power: u32,
}

impl Spin {
    pub(crate) fn new() -> Self {
        Spin {
            quiet: 0,
            patient: (0, 0),
            noted: false,
            pc: 0,
            registers: [0; 32],
            retired: 0,
            loads: Vec::new(),
            unclear: false,
            jumps: 0,
            power: 1,
        }
    }

    /// The core has stored, or does for another reason not repeat itself.
    #[inline(always)]
    pub(crate) fn disturb(&mut self) {
        self.quiet = 0;
        self.noted = false;
    }

    /// The core goes round without loading anything.
    pub(crate) fn halt(&mut self) {
        self.disturb();
        self.loads.clear();
    }

    /// The core has loaded.
    #[inline(always)]
    pub(crate) fn load(&mut self, seen: Seen) {
        if self.noted {
            self.note_load(seen);
        }
    }

    fn note_load(&mut self, seen: Seen) {
        let same = |l: &&Seen| (l.addr, l.width) == (seen.addr, seen.width);
        match self.loads.iter().find(same) {
            Some(before) => self.unclear |= *before != seen,
            None if self.loads.len() == LOADS => self.unclear = true,
            None => self.loads.push(seen),
        }
    }

    /// Returns the core jumps back to `pc`, after so many instructions; if it would go round from
    /// here, how many of them were in rounds that changed nothing.
    #[inline(always)]
    pub(crate) fn jump_back(
        &mut self,
        pc: u32,
        registers: &[u32; 128],
        retired: u64,
    ) -> Option<u64> {
        if self.quiet < PATIENCE {
            self.quiet += 1;
            self.patient = (pc, retired);
            return None;
        }
        self.look(pc, registers, retired)
    }

    fn look(&mut self, pc: u32, registers: &[u32; 128], retired: u64) -> Option<u64> {
        if !self.noted {
            self.power = 1;
            self.note(pc, registers, retired);
            return None;
        }
        if pc == self.pc && !self.unclear && registers[..32] == self.registers {
            let round = retired - self.retired;
            let before = self.patient == (pc, self.retired.wrapping_sub(round));
            return Some(if before { 2 * round } else { round });
        }
        self.jumps += 1;
        if self.jumps == self.power {
            self.power = (2 * self.power).min(LONGEST);
            self.note(pc, registers, retired);
        }
        None
    }

    fn note(&mut self, pc: u32, registers: &[u32; 128], retired: u64) {
        self.noted = true;
        self.pc = pc;
        self.registers.copy_from_slice(&registers[..32]);
        self.retired = retired;
        self.loads.clear();
        self.unclear = false;
        self.jumps = 0;
    }

    /// What the loop loads.
    pub(crate) fn loads(&self) -> &[Seen] {
        &self.loads
    }
}
