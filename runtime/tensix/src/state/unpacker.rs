//! The state of the unpackers: settings derived from the configuration, and the row starts that
//! they may hold. Their instructions are in [`crate::insn::unpack`].

use std::collections::BTreeMap;

use crate::arith::spec::format::Format;
use crate::arith::Row;
use crate::state::banks::Src;

/// Selects the unpackers' configuration within the thread's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) unpacker: u32,
    /// Configuration context, 0 to 7; of unpacker 1, 0 or 1.
    pub(crate) context: u32,
    /// Whether fields are per context.
    pub(crate) multi: bool,
    /// Whether zeros replace all datums.
    pub(crate) zeros: bool,
}

/// The configuration-dependent part of an UNPACR.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Configured {
    /// The conversion of each datum.
    pub(crate) conversion: Conversion,
    /// The destination of datums.
    pub(crate) target: Target,
    /// Whether the tile in L1 is compressed.
    pub(crate) compressed: bool,
    /// Whether rows of datums are apart in L1 (tilizing).
    pub(crate) tilizes: bool,
    /// The distance from the tile's address to the end of its header, in units of 16 bytes.
    pub(crate) header: u64,
    /// The sizes X, Y and Z of a tile.
    pub(crate) dims: [u32; 3],
    /// The sections of a tile at address 0.
    pub(crate) sections: Sections,
    /// Number of contiguous datums: a power of two.
    pub(crate) row: u32,
    /// Bytes between such rows.
    pub(crate) stride: u32,
    /// The maximum number of datums of a row.
    pub(crate) most_datums: u32,
    pub(crate) output_address: OutputAddress,
    /// Whether the context determines the start of the output.
    pub(crate) by_context: bool,
    /// Whether the counters determine it, alone or in addition to the context.
    pub(crate) by_counters: bool,
    /// Whether 16x16 faces are transposed.
    pub(crate) transpose: bool,
    /// Columns by which datums move to the left; datums that leave the row are dropped.
    pub(crate) shift: u32,
    /// Number of places after each datum (upsampling).
    pub(crate) gap: u32,
    /// Whether these places are left unchanged, instead of becoming zero.
    pub(crate) skip: bool,
    /// Number of rows that reach the register together: a power of two.
    pub(crate) burst: u32,
    /// Whether the unpacker's own row counter advances by a face.
    pub(crate) counts_rows: bool,
}

/// The destination of datums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The unpacker's bank.
    Src(Src),
    /// The accumulators; unpacker 0 only.
    Dst,
}

/// The conversion from datums in L1 to datums in the register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    /// The format in L1.
    pub(crate) input: Format,
    /// The output format.
    pub(crate) output: Format,
    /// Bits of a datum in L1.
    pub(crate) bits: u32,
    /// Bytes per datum in output addresses: a power of two.
    pub(crate) width: u32,
    /// Whether Dst gets 32 bits.
    pub(crate) wide: bool,
    pub(crate) kernel: Kernel,
}

/// The row loops of one format for one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    pub(crate) datum: fn(u32, u8) -> Option<u32>,
    pub(crate) rows: fn(&[u8], &[u8], &mut [Row]) -> bool,
}

/// The source of the exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exponents {
    /// One exponent for all datums; 0 for formats without blocks.
    All(u8),
    /// The address of the first exponent, in 16ths of a byte; one step per datum.
    At(u64),
}

/// A circular buffer in L1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fifo {
    /// The last address that does not wrap.
    pub(crate) limit: u64,
    /// Number of bytes to subtract on wrapping; 0 if nothing wraps.
    pub(crate) size: u64,
}

/// Addresses within a tile after its row starts, if it has any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    /// The address of datum 0's exponent.
    pub(crate) exponents: Exponents,
    /// The address of datum 0, in bytes.
    pub(crate) datums: u64,
    pub(crate) fifo: Fifo,
}

/// The contributions of the counters Y, Z and W of channel 1 to an output address, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputAddress {
    pub(crate) base: u32,
    pub(crate) strides: [u32; 3],
}

/// The row starts that each unpacker may have cached, by cache and L1 address.
#[derive(Clone, Debug, Default)]
pub struct RowStarts(pub(crate) BTreeMap<(usize, u32), u16>);
