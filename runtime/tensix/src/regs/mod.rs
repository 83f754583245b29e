//! The register files that the units work on.
//!
//! SrcA, SrcB and Dst begin *unknown*, as at power-on: reading a row that nothing has written is a
//! fault, not a zero.

mod dst;
mod src;

pub use dst::{Dst, Four, Layout, Row32};
pub use src::SrcFile;
pub(crate) use src::ROWS as SRC_ROWS;

use crate::banks::Src;
use crate::pack::{Packer, SetRegister};
use crate::rwc::Rwc;
use crate::sfpu::Vector;

/// Datums in a row of SrcA, SrcB and Dst.
pub const COLUMNS: usize = 16;

/// A row of 32-bit values.
pub type Row = [u32; COLUMNS];

/// SrcA, SrcB, Dst, the Vector Unit's state, row counters, packer progress.
#[derive(Clone, Debug)]
pub struct Registers {
    pub(crate) src: [SrcFile; 2],
    /// The accumulators.
    pub dst: Dst,
    /// LRegs, lane flags and lane configuration.
    pub vector: Vector,
    /// Row counters, per thread.
    pub rwcs: [Rwc; 3],
    /// Where each packer is in its output.
    pub packers: [Packer; 4],
    /// What TDMA-RISC has set for PACR_SETREG.
    pub set_register: SetRegister,
    /// The row of SrcA that the Matrix Unit's last instruction started from, as SHIFTXA sees it;
    /// none if no document says which.
    pub last_src_a_row: Option<usize>,
}

impl Default for Registers {
    fn default() -> Self {
        Registers {
            src: [SrcFile::new(Src::A), SrcFile::new(Src::B)],
            dst: Dst::default(),
            vector: Vector::default(),
            rwcs: Default::default(),
            packers: Default::default(),
            set_register: SetRegister::default(),
            last_src_a_row: None,
        }
    }
}

impl Registers {
    /// Returns the data of SrcA or SrcB.
    pub fn src(&self, which: Src) -> &SrcFile {
        &self.src[which as usize]
    }

    /// Returns the data of SrcA or SrcB, to be written.
    pub fn src_mut(&mut self, which: Src) -> &mut SrcFile {
        &mut self.src[which as usize]
    }
}
