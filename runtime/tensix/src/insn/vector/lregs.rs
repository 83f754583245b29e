//! Reads and writes of LRegs.
//!
//! Checked: a lane of an LReg is written before it is read.

use crate::arith::{Lanes, LANES};
use crate::state::vector::{Content, Vector, Write};
use crate::trap::Fault;

/// Number of LRegs that an instruction can name.
pub(super) const NAMED: usize = 16;
/// The staging register: written only by instructions that SFPLOADMACRO schedules, and read only by
/// scheduled stores.
pub(super) const STAGING: u32 = 16;
/// LRegs 0 to 7 are writable.
const WRITABLE: u32 = 8;

/// Returns the indices of the lanes in a mask.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 != 0)
}

/// Returns whether an LReg can be written. Writes to others are silently ignored.
#[inline(always)]
pub(super) fn is_writable(index: u32) -> bool {
    index < WRITABLE || index == STAGING
}

impl Vector {
    /// Returns whether an LReg is writable and can be written at once, not at the end of a cycle.
    #[inline(always)]
    pub(super) fn writes_at_once(&self, index: u32) -> bool {
        is_writable(index) && !self.schedule.collects()
    }

    /// Records that lanes of an LReg were written in place.
    #[inline(always)]
    pub(super) fn note_written(&mut self, index: u32, lanes: u32) {
        self.access.written |= 1 << index;
        self.known[index as usize] |= lanes;
    }
}

/// Reads an LReg, of which the lanes in `lanes` must be written. Records the read.
pub(super) fn read(unit: &mut Vector, index: u32, lanes: u32) -> Result<Lanes, Fault> {
    check_known(unit, index, lanes)?;
    Ok(unit.lregs[index as usize])
}

/// Does the check and the recording of [`read`]. Only scheduled stores access LReg 16.
#[inline(always)]
pub(super) fn check_known(unit: &mut Vector, index: u32, lanes: u32) -> Result<(), Fault> {
    unit.access.read |= 1 << index;
    match lanes & !unit.known[index as usize] {
        0 => Ok(()),
        missing => Err(unwritten(index, missing)),
    }
}

#[cold]
fn unwritten(index: u32, missing: u32) -> Fault {
    Fault::undefined(format!(
        "reads lane {} of LReg {index}, which nothing has written; load it first",
        missing.trailing_zeros()
    ))
}

/// Writes the lanes in `lanes` of an LReg, if it can be written. Records the write.
#[inline(always)]
pub(super) fn write(unit: &mut Vector, index: u32, lanes: u32, values: Lanes) {
    let known = lanes;
    // The common case: all lanes are enabled and nothing is scheduled.
    if lanes == u32::MAX && is_writable(index) && !unit.schedule.collects() {
        unit.access.written |= 1 << index;
        unit.lregs[index as usize] = values;
        unit.known[index as usize] = known;
    } else {
        write_content(unit, index, lanes, Content { values, known });
    }
}

/// Like [`write()`], for values some of which may be unwritten.
pub(super) fn write_content(unit: &mut Vector, index: u32, lanes: u32, content: Content) {
    if !is_writable(index) {
        return;
    }
    unit.access.written |= 1 << index;
    let write = Write {
        index,
        lanes,
        content,
    };
    unit.write_lreg(write);
}

/// Computes `VD = operation(VC)` in the enabled lanes.
pub(super) fn map(
    unit: &mut Vector,
    source: u32,
    dest: u32,
    operation: impl Fn(u32) -> u32,
) -> Result<(), Fault> {
    let lanes = unit.enabled();
    check_known(unit, source, lanes)?;
    let values = unit.lregs[source as usize].map(operation);
    write(unit, dest, lanes, values);
    Ok(())
}

/// Computes `VD = operation(VC, VB)` in the enabled lanes.
pub(super) fn map_both(
    unit: &mut Vector,
    [c, b]: [u32; 2],
    dest: u32,
    operation: impl Fn(u32, u32) -> u32,
) -> Result<(), Fault> {
    let lanes = unit.enabled();
    check_known(unit, c, lanes)?;
    check_known(unit, b, lanes)?;
    let lregs = &unit.lregs;
    let (c, b) = (&lregs[c as usize], &lregs[b as usize]);
    let values = std::array::from_fn(|l| operation(c[l], b[l]));
    write(unit, dest, lanes, values);
    Ok(())
}
