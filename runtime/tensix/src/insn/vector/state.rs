//! The state of the vector unit: registers, lane flags, configuration, random generators, scheduled
//! instructions.
//!
//! Checked: a lane of an LReg is written before it is read.

use super::config::Configuration;
use super::random::Generators;
use super::schedule::Schedule;
pub use crate::arith::{Lanes, LANES};
use crate::state::core_state::CoreState;
use crate::trap::Fault;

/// Number of LRegs, including the staging register.
const LREGS: usize = 17;
/// Number of LRegs that an instruction can name.
pub(super) const NAMED: usize = 16;
/// The staging register: written only by instructions that SFPLOADMACRO schedules, and read only by
/// scheduled stores.
pub(super) const STAGING: u32 = 16;
/// LRegs 0 to 7 are writable.
const WRITABLE: u32 = 8;
/// Depth of the flag stack.
pub(super) const STACK: usize = 8;
/// Values of LRegs 11 to 14 after reset and as SFPCONFIG's defaults: −1, 2^-16, −0.67487759,
/// −0.34484843.
pub(super) const DEFAULTS: [u32; 4] = [0xBF80_0000, 0x3780_0000, 0xBF2C_C4C7, 0xBEB0_8FF9];

/// Lane flags and their use, one bit per lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Predication {
    pub(super) flags: u32,
    /// Lanes whose flag decides; the other lanes are enabled.
    pub(super) in_use: u32,
}

/// The lanes of a register, and which of them are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub(super) values: Lanes,
    pub(super) known: u32,
}

/// A write to an LReg.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) index: u32,
    pub(super) lanes: u32,
    pub(super) content: Content,
}

/// The state of the Vector Unit, shared by the threads.
#[derive(Clone, Debug)]
pub struct Vector {
    pub(super) lregs: Box<[Lanes; LREGS]>,
    /// The written lanes of each LReg.
    pub(super) known: [u32; LREGS],
    /// `None` until SFPENCC: all lanes are enabled, and flags are undefined.
    pub(super) predication: Option<Predication>,
    pub(super) stack: [Predication; STACK],
    pub(super) depth: usize,
    pub(super) config: Box<Configuration>,
    /// `None` until seeded: the state after reset is undocumented.
    pub(super) generators: Option<Box<Generators>>,
    /// The source of the last rotation by SFPSHFT2.
    pub(super) rotated: Option<Box<Content>>,
    pub(super) schedule: Schedule,
    /// The lanes of the scheduled instruction being executed; all lanes for issued instructions.
    pub(super) scheduled: u32,
}

impl Vector {
    /// Creates the state after reset (ISA documentation, `SoftReset.md`).
    pub(crate) fn after_reset() -> Self {
        let mut vector = Vector {
            known: [u32::MAX; LREGS],
            predication: Some(Predication::default()),
            ..Vector::default()
        };
        for (index, word) in (11..).zip(DEFAULTS) {
            vector.lregs[index] = [word; LANES];
        }
        vector
    }
}

impl Default for Vector {
    fn default() -> Self {
        let mut lregs = Box::new([[0; LANES]; LREGS]);
        let mut known = [0; LREGS];
        // The constants: 0.8373 (rounded to FP32), 0, 1, twice the lane's number.
        for (index, lanes) in [
            (8, [0x3F56_594B; LANES]),
            (9, [0; LANES]),
            (10, [0x3F80_0000; LANES]),
            (15, std::array::from_fn(|lane| 2 * lane as u32)),
        ] {
            lregs[index] = lanes;
            known[index] = u32::MAX;
        }
        Vector {
            lregs,
            known,
            predication: None,
            stack: Default::default(),
            depth: 0,
            config: Box::default(),
            generators: None,
            rotated: None,
            schedule: Schedule::default(),
            scheduled: u32::MAX,
        }
    }
}

impl Vector {
    /// Returns the enabled lanes, one bit each.
    pub fn enabled(&self) -> u32 {
        let by_flags = self.predication.map_or(u32::MAX, |p| p.flags | !p.in_use);
        by_flags & !self.config.masked & self.scheduled
    }

    /// Returns an LReg for inspection, if all its lanes are written.
    pub fn lreg(&self, index: usize) -> Option<&Lanes> {
        (self.known[index] == u32::MAX).then(|| &self.lregs[index])
    }

    pub(super) fn content(&self, index: u32) -> Content {
        Content {
            values: self.lregs[index as usize],
            known: self.known[index as usize],
        }
    }

    pub(super) fn apply(&mut self, write: &Write) {
        let (index, lanes) = (write.index as usize, write.lanes);
        let lreg = &mut self.lregs[index];
        for (lane, (own, new)) in lreg.iter_mut().zip(write.content.values).enumerate() {
            *own = if lanes >> lane & 1 != 0 { new } else { *own };
        }
        self.known[index] = self.known[index] & !lanes | write.content.known & lanes;
    }
}

/// Returns the indices of the lanes in a mask.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 != 0)
}

/// Returns whether an LReg can be written. Writes to others are silently ignored.
pub(super) fn is_writable(index: u32) -> bool {
    index < WRITABLE || index == STAGING
}

/// Reads an LReg, of which the lanes in `lanes` must be written. Records the read.
pub(super) fn read(core: &mut CoreState, index: u32, lanes: u32) -> Result<Lanes, Fault> {
    check_known(core, index, lanes)?;
    Ok(core.regs.vector.lregs[index as usize])
}

/// Does the check and the recording of [`read`]. Only scheduled stores access LReg 16.
pub(super) fn check_known(core: &mut CoreState, index: u32, lanes: u32) -> Result<(), Fault> {
    core.access.lreg_read |= 1 << index;
    let vector = &core.regs.vector;
    let missing = lanes & !vector.known[index as usize];
    if missing != 0 {
        return Err(Fault::undefined(format!(
            "reads lane {} of LReg {index}, which nothing has written; load it first",
            missing.trailing_zeros()
        )));
    }
    Ok(())
}

/// Writes the lanes in `lanes` of an LReg, if it can be written. Records the write.
#[inline(always)]
pub(super) fn write(core: &mut CoreState, index: u32, lanes: u32, values: Lanes) {
    let known = lanes;
    // The common case: all lanes are enabled and nothing is scheduled.
    if lanes == u32::MAX && is_writable(index) && !core.regs.vector.schedule.collects() {
        core.access.lreg_write |= 1 << index;
        let vector = &mut core.regs.vector;
        vector.lregs[index as usize] = values;
        vector.known[index as usize] = known;
    } else {
        write_content(core, index, lanes, Content { values, known });
    }
}

/// Like [`write()`], for values some of which may be unwritten.
pub(super) fn write_content(core: &mut CoreState, index: u32, lanes: u32, content: Content) {
    if !is_writable(index) {
        return;
    }
    core.access.lreg_write |= 1 << index;
    let write = Write {
        index,
        lanes,
        content,
    };
    core.regs.vector.write_lreg(write);
}

/// Computes `VD = operation(VC)` in the enabled lanes.
pub(super) fn map(
    core: &mut CoreState,
    source: u32,
    dest: u32,
    operation: impl Fn(u32) -> u32,
) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    check_known(core, source, lanes)?;
    let values = core.regs.vector.lregs[source as usize].map(operation);
    write(core, dest, lanes, values);
    Ok(())
}

/// Computes `VD = operation(VC, VB)` in the enabled lanes.
pub(super) fn map_both(
    core: &mut CoreState,
    [c, b]: [u32; 2],
    dest: u32,
    operation: impl Fn(u32, u32) -> u32,
) -> Result<(), Fault> {
    let lanes = core.regs.vector.enabled();
    check_known(core, c, lanes)?;
    check_known(core, b, lanes)?;
    let lregs = &core.regs.vector.lregs;
    let (c, b) = (&lregs[c as usize], &lregs[b as usize]);
    let values = std::array::from_fn(|l| operation(c[l], b[l]));
    write(core, dest, lanes, values);
    Ok(())
}
