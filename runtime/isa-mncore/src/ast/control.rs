//! Control statements (manual, section 3.4) and statements that transfer data between host and
//! board.

use crate::memory::{
    Bank, Precision, Side, Width, CYCLES, DRAM_WORDS, L1BM_WORDS, L2BM_WORDS, MASK_ENTRIES,
    PDM_WORDS,
};
use crate::table::mau::matrix_rows;

/// `d get`.
#[derive(Clone, Debug)]
pub struct Get {
    /// The output format.
    pub format: GetFormat,
    /// The first location to print.
    pub place: DebugOperand,
    /// The number of accesses, rows or entries.
    pub count: u32,
    /// The statement as written, without its comment and outer blanks. The dump repeats it.
    pub text: String,
}

/// The format specifier `<dtype>` of `d get` (table 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GetFormat {
    /// No specifier: prints a double, four half words and a long word.
    Plain,
    /// `d f h`: floating-point numbers of this precision.
    Number(Precision),
    /// `bd bf bg bh`: block float numbers of this precision.
    BlockFloat(Precision),
}

/// The location operand of `d get` and `d set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DebugOperand {
    /// The memory, with the address in the memory's own unit.
    pub memory: DebugMemory,
    /// The selected group; `None` selects all groups.
    pub group: Option<u8>,
    /// The selected L2B; `None` selects all.
    pub l2b: Option<u8>,
    /// The selected L1B; `None` selects all.
    pub l1b: Option<u8>,
    /// The selected MAB; `None` selects all.
    pub mab: Option<u8>,
    /// The selected PE; `None` selects all.
    pub pe: Option<u8>,
}

/// The memory and address of a `d get` or `d set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DebugMemory {
    /// PDM: long word address.
    Pdm(u32),
    /// DRAM: long word address.
    Dram(u32),
    /// L2BM: long word address.
    L2bm(u32),
    /// L1BM: access width, long word address.
    L1bm(Width, u32),
    /// A PE memory: access width, single word address.
    Pe(Bank, Width, u32),
    /// The T register, starting at cycle 0; the width is one or two long words.
    T(Width),
    /// A matrix register: first row.
    Matrix(Side, u32),
    /// The mask registers: first entry.
    Mask(u32),
}

/// The addressable range of a memory, in the unit that `d get` and `d set` count.
struct Extent {
    name: &'static str,
    /// The number of addresses.
    size: u32,
    /// The address of the first access.
    first: u32,
    /// The number of addresses per access.
    step: u32,
}

impl DebugMemory {
    /// Returns an error message if `count` accesses from this address on exceed the memory.
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
    /// The first location to write.
    pub place: DebugOperand,
    /// The number of accesses.
    pub count: u32,
    /// The long words to write (section 3.4.4): one per access of up to a long word, two per access
    /// of two long words. A single-word access uses the upper half.
    pub payload: Vec<u64>,
}

/// A statement for the host side of an emulator. The manual does not describe these; they follow
/// public programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// `r`: writes to the DRAM of a group.
    WriteDram {
        /// The group.
        group: u8,
        /// Long word address.
        address: u32,
        /// The data.
        payload: Vec<u64>,
    },
    /// `c`: DMA transfer from the host to the PDM of group 0.
    ToPdm {
        /// The tag that this transfer completes.
        tag: u8,
        /// Long word address.
        address: u32,
        /// The data.
        payload: Vec<u64>,
    },
    /// `e`: DMA transfer from the PDM of group 0 to the host, which prints the data.
    FromPdm {
        /// The tag that this transfer completes.
        tag: u8,
        /// Long word address.
        address: u32,
        /// The number of long words.
        words: u32,
    },
    /// `f`: waits for all earlier host transfers.
    Fence,
}
