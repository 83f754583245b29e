//! The register files of the units.
//!
//! SrcA, SrcB and Dst are initially *unknown*, as at power-on: reading an unwritten row is a fault.

mod dst;
mod src;

pub use dst::{Dst, Four};
pub use src::SrcFile;
pub(crate) use src::ROWS as SRC_ROWS;

use tessera_isa_tensix::Arch;

use crate::state::banks::Src;
use crate::state::packer::{Packer, SetRegister};
use crate::state::rwc::Rwc;
use crate::state::vector::Vector;

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
    /// State of each packer's output.
    pub packers: [Packer; 4],
    /// State that TDMA-RISC has set for PACR_SETREG.
    pub set_register: SetRegister,
    /// The first row of SrcA in the Matrix Unit's last instruction, as SHIFTXA uses it; `None` if
    /// no document defines it.
    pub last_src_a_row: Option<usize>,
}

impl Registers {
    /// Creates the registers of a core after reset.
    pub fn new(arch: Arch) -> Self {
        Registers {
            src: [SrcFile::new(Src::A), SrcFile::new(Src::B)],
            dst: Dst::default(),
            vector: Vector::new(arch),
            rwcs: Default::default(),
            packers: Default::default(),
            set_register: SetRegister::default(),
            last_src_a_row: None,
        }
    }

    /// Returns the data of SrcA or SrcB.
    pub fn src(&self, which: Src) -> &SrcFile {
        &self.src[which as usize]
    }

    /// Returns the data of SrcA or SrcB for writing.
    pub fn src_mut(&mut self, which: Src) -> &mut SrcFile {
        &mut self.src[which as usize]
    }
}
