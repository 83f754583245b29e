//! Control statements (manual, section 3.4) and those between host and board.

use crate::memory::{
    Bank, Precision, Side, Width, CYCLES, DRAM_WORDS, L1BM_WORDS, L2BM_WORDS, MASK_ENTRIES,
    PDM_WORDS,
};
use crate::table::mau::matrix_rows;

/// `d get`.
#[derive(Clone, Debug)]
pub struct Get {
    /// How to read the bits.
    pub format: GetFormat,
    /// What to print.
    pub place: DebugOperand,
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
pub struct DebugOperand {
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

/// A memory as `d get` and `d set` count it.
struct Extent {
    name: &'static str,
    /// How many addresses it has.
    size: u32,
    /// The address of the first access.
    first: u32,
    /// How many addresses an access takes.
    step: u32,
}

impl DebugMemory {
    /// Describes why `count` accesses from the address on do not fit the memory; `None` if they do.
    pub fn range_error(self, format: GetFormat, count: u32) -> Option<String> {
        let Extent {
            name,
            size,
            first,
            step,
        } = self.extent(format);
        let most = size.saturating_sub(first) / step;
        (count > most).then(|| {
            format!(
                "{count} accesses from address {first} on go beyond the end of {name}, \
                 which is at {size}; at most {most} fit"
            )
        })
    }

    fn extent(self, format: GetFormat) -> Extent {
        let in_long_words = |width| if width == Width::Double { 2 } else { 1 };
        let (name, size, first, step) = match self {
            DebugMemory::Pdm(at) => ("PDM", PDM_WORDS, at, 1),
            DebugMemory::Dram(at) => ("DRAM", DRAM_WORDS, at, 1),
            DebugMemory::L2bm(at) => ("L2BM", L2BM_WORDS, at, 1),
            DebugMemory::L1bm(width, at) => ("L1BM", L1BM_WORDS, at, in_long_words(width)),
            DebugMemory::Pe(bank, width, at) => {
                let (size, step) = (bank.words().into(), width.words().into());
                (bank.name(), size, at, step)
            }
            DebugMemory::T(_) => ("the T register", CYCLES as u32, 0, 1),
            DebugMemory::Matrix(_, row) => {
                let precision = match format {
                    GetFormat::Plain => Precision::Half,
                    GetFormat::Number(precision) | GetFormat::BlockFloat(precision) => precision,
                };
                let rows = matrix_rows(precision).into();
                ("the matrix register", rows, row, 1)
            }
            DebugMemory::Mask(entry) => ("the mask registers", MASK_ENTRIES, entry, 1),
        };
        Extent {
            name,
            size,
            first,
            step,
        }
    }
}

/// `d set`.
#[derive(Clone, Debug)]
pub struct Set {
    /// What to write.
    pub place: DebugOperand,
    /// How many accesses.
    pub count: u32,
    /// The long words, as many as section 3.4.4 wants: one an access (of a single word, the upper
    /// half counts), two for two long words.
    pub payload: Vec<u64>,
}

/// Statements that only the host side of an emulator carries out; the manual does not describe
/// them, public programs use them.
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
