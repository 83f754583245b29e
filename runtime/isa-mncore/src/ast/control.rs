//! Control statements (manual, section 3.4) and those between host and board.

use crate::memory::{Bank, Precision, Side, Width};

/// `d get`.
#[derive(Clone, Debug)]
pub struct Get {
    /// How to read the bits.
    pub format: GetFormat,
    /// What to print.
    pub place: DebugPlace,
    /// How many accesses, rows or entries.
    pub count: u32,
    /// The statement as it was written, without comment and outer blanks: the dump repeats it.
    pub text: String,
}

/// `<dtype>` of `d get` (table 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GetFormat {
    /// None: double precision, half words and long word.
    Plain,
    /// `d f h`: numbers of this precision.
    Number(Precision),
    /// `bd bf bg bh`: block floats of this precision.
    BlockFloat(Precision),
}

/// What `d get` and `d set` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DebugPlace {
    /// The memory and the address, in its own unit.
    pub memory: DebugMemory,
    /// The only group concerned.
    pub group: Option<u8>,
    /// The only L2B concerned.
    pub l2b: Option<u8>,
    /// The only L1B concerned.
    pub l1b: Option<u8>,
    /// The only MAB concerned.
    pub mab: Option<u8>,
    /// The only PE concerned.
    pub pe: Option<u8>,
}

/// A memory of `d get` and `d set`, with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DebugMemory {
    /// PDM, long word address.
    Pdm(u32),
    /// DRAM, long word address.
    Dram(u32),
    /// L2BM, long word address.
    L2bm(u32),
    /// L1BM, width of an access, long word address.
    L1bm(Width, u32),
    /// A PE memory, width of an access, single word address.
    Pe(Bank, Width, u32),
    /// The T register, from cycle 0 on; one long word or two.
    T(Width),
    /// A matrix register, row.
    Matrix(Side, u32),
    /// The mask registers, entry.
    Mask(u32),
}

/// `d set`.
#[derive(Clone, Debug)]
pub struct Set {
    /// What to write.
    pub place: DebugPlace,
    /// How many accesses.
    pub count: u32,
    /// The long words, as many as section 3.4.4 wants: one an access (of a single word, the upper half counts), two for two long words.
    pub payload: Vec<u64>,
}

/// Statements that only the host side of an emulator carries out; the manual does not describe them, public programs use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// `r`: writes DRAM of a group.
    WriteDram {
        /// The group.
        group: u8,
        /// Long word address.
        address: u32,
        /// What is written.
        payload: Vec<u64>,
    },
    /// `c`: a DMA transfer from the host to PDM of group 0.
    ToPdm {
        /// The tag that is done afterwards.
        tag: u8,
        /// Long word address.
        address: u32,
        /// What is written.
        payload: Vec<u64>,
    },
    /// `e`: a DMA transfer from PDM of group 0 to the host, which prints it.
    FromPdm {
        /// The tag that is done afterwards.
        tag: u8,
        /// Long word address.
        address: u32,
        /// How many long words.
        words: u32,
    },
    /// `f`: host transfers before it are complete.
    Fence,
}
