//! Detection of loops that change nothing, such as polling loops.
//!
//! If a core jumps back to an address at which it has been with the same registers, and has not
//! stored since, it repeats itself until one of the values loaded in between changes. It can wait
//! for that instead. The state is recorded after 1, 2, 4, ... backward jumps (R. P. Brent, "An
//! improved Monte Carlo factorization algorithm", 1980), which finds cycles of any number of jumps.
//! Loops that store, or that load different values each time, are never examined. The iterations
//! needed for the detection count as idle, like those that are skipped.

use crate::bus::Width;
use crate::decoded::REGISTERS;

/// A load with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CompletedLoad {
    pub(crate) addr: u32,
    pub(crate) width: Width,
    pub(crate) raw: u32,
}

/// Maximum number of loads per iteration.
const LOADS: usize = 16;
/// Number of backward jumps without a store before the detection starts.
const PATIENCE: u32 = 1;
/// Maximum length of a detected cycle in backward jumps.
const MAX_CYCLE: u32 = 1 << 10;

/// The state of the detection.
#[derive(Clone, Debug)]
pub(crate) struct SpinDetector {
    /// Backward jumps since the last store, up to [`PATIENCE`].
    quiet: u32,
    /// The last of them: its target, and the number of instructions executed.
    patient: (u32, u64),
    /// Whether `pc` and `registers` are recorded.
    noted: bool,
    pc: u32,
    registers: [u32; 32],
    /// A register that differed when they were last compared, which is likely to differ again.
    witness: usize,
    /// Number of instructions executed at that time.
    retired: u64,
    loads: Vec<CompletedLoad>,
    /// Whether there were too many loads since then, or their values differ.
    unclear: bool,
    jumps: u32,
    power: u32,
}

impl SpinDetector {
    pub(crate) fn new() -> Self {
        SpinDetector {
            quiet: 0,
            patient: (0, 0),
            noted: false,
            pc: 0,
            registers: [0; 32],
            witness: 0,
            retired: 0,
            loads: Vec::new(),
            unclear: false,
            jumps: 0,
            power: 1,
        }
    }

    /// Records a store, or another reason for which the core does not repeat itself.
    #[inline(always)]
    pub(crate) fn disturb(&mut self) {
        self.quiet = 0;
        self.noted = false;
    }

    /// Records that the core loops without loads.
    pub(crate) fn halt(&mut self) {
        self.disturb();
        self.loads.clear();
    }

    /// Returns whether loads are recorded.
    #[inline(always)]
    pub(crate) fn is_recording(&self) -> bool {
        self.noted
    }

    /// Records a load.
    #[inline(always)]
    pub(crate) fn load(&mut self, seen: CompletedLoad) {
        if self.noted {
            self.note_load(seen);
        }
    }

    fn note_load(&mut self, seen: CompletedLoad) {
        let same = |l: &&CompletedLoad| (l.addr, l.width) == (seen.addr, seen.width);
        match self.loads.iter().find(same) {
            Some(before) => self.unclear |= *before != seen,
            None if self.loads.len() == LOADS => self.unclear = true,
            None => self.loads.push(seen),
        }
    }

    /// Records a jump back to `pc` after `retired` instructions. If the core repeats itself from
    /// here, returns the number of instructions in iterations without changes.
    #[inline(always)]
    pub(crate) fn jump_back(
        &mut self,
        pc: u32,
        registers: &[u32; REGISTERS],
        retired: u64,
    ) -> Option<u64> {
        if self.quiet < PATIENCE {
            self.quiet += 1;
            self.patient = (pc, retired);
            return None;
        }
        self.look(pc, registers, retired)
    }

    fn look(&mut self, pc: u32, registers: &[u32; REGISTERS], retired: u64) -> Option<u64> {
        if !self.noted {
            self.power = 1;
            self.note(pc, registers, retired);
            return None;
        }
        if pc == self.pc && !self.unclear && self.has_registers(registers) {
            let round = retired - self.retired;
            let before = self.patient == (pc, self.retired.wrapping_sub(round));
            return Some(if before { 2 * round } else { round });
        }
        self.jumps += 1;
        if self.jumps == self.power {
            self.power = (2 * self.power).min(MAX_CYCLE);
            self.note(pc, registers, retired);
        }
        None
    }

    /// Returns whether the x registers are those recorded.
    fn has_registers(&mut self, registers: &[u32; REGISTERS]) -> bool {
        let differs = |k: &usize| registers[*k] != self.registers[*k];
        if differs(&self.witness) {
            return false;
        }
        match (0..self.registers.len()).find(differs) {
            Some(k) => {
                self.witness = k;
                false
            }
            None => true,
        }
    }

    fn note(&mut self, pc: u32, registers: &[u32; REGISTERS], retired: u64) {
        self.noted = true;
        self.pc = pc;
        self.registers.copy_from_slice(&registers[..32]);
        self.retired = retired;
        self.loads.clear();
        self.unclear = false;
        self.jumps = 0;
    }

    /// Returns the loads of the loop.
    pub(crate) fn loads(&self) -> &[CompletedLoad] {
        &self.loads
    }
}
