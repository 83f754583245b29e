//! The state of the packers between PACRs. Their instructions are in [`crate::insn::pack`].

use std::sync::Arc;

use tessera_isa_tensix::cfg::FieldPlace;

use super::histogram::Histogram;
use crate::arith::fast::packer::Stages;
use crate::arith::spec::format::Format;
use crate::arith::spec::packer::block::DATUMS;
use crate::arith::spec::packer::early::{EarlyConversion, Reading, Type};
use crate::arith::spec::packer::late::LateConversion;
use crate::arith::spec::packer::relu::Relu;
use crate::arith::spec::packer::threshold::Threshold;
use crate::arith::spec::packer::DatumKind;

/// The state of one packer between PACRs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packer {
    /// The current output; `None` after a PACR with `last` or `flush`, so that the next one begins
    /// at the configured address.
    pub(crate) output: Option<Output>,
    /// Position in the tile, for edge masks.
    pub(crate) position: Position,
    /// The histogram of exponents of datums from Dst.
    pub histogram: Histogram,
    /// TDMA-RISC's addend to output addresses, in units of 16 bytes, if `Add_l1_dest_addr_offset`
    /// is set.
    pub address_offset: u16,
}

/// The settings of one packer, as configured.
#[derive(Clone, Debug)]
pub(crate) struct Configured {
    pub(crate) input: InputAddress,
    pub(crate) path: Datapath,
    /// The stages of `path`.
    pub(crate) stages: Stages,
    pub(crate) masks: EdgeMasks,
}

/// The settings of one packer that determine where it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputAddress {
    /// Datums of Dst.
    Dst {
        counted: Counted,
        /// Bytes per datum.
        width: u32,
        /// The first datum, relative to the counters.
        offset: u32,
    },
    /// Datums of L1.
    L1 {
        counted: Counted,
        /// Bytes per datum.
        width: u32,
        /// The address of which the counters determine the low 18 bits.
        high: u32,
    },
    /// Zeros.
    Null,
}

/// The settings of one packer that determine where its output begins, except for the address
/// itself, which kernels change for each tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputAddress {
    pub(crate) counted: Counted,
    /// Whether the counters count bytes instead of units of 16 bytes.
    pub(crate) in_bytes: bool,
    /// The place of the packer's address.
    pub(crate) address: Option<FieldPlace>,
    /// The sizes of the headers of tiles of packer 0 and of this one.
    pub(crate) headers: [u32; 2],
    /// Whether TDMA-RISC adds to the address.
    pub(crate) adds_offset: bool,
    /// The size of the FIFO, if there is one, and its last unit of 16 bytes.
    pub(crate) fifo: Option<[u32; 2]>,
    /// The units of 16 bytes before the datums, for exponents.
    pub(crate) room: u32,
}

/// An address that depends on counters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) base: u32,
    /// What the counters X, Y, Z and W add.
    pub(crate) strides: [u32; 4],
}

/// The configured stages of one packer, except for edge masks.
#[derive(Clone, Debug)]
pub(crate) struct Datapath {
    pub(crate) reading: Reading,
    pub(crate) early: EarlyConversion,
    pub(crate) typ: Type,
    /// The interpretation of datums before the late conversion.
    pub(crate) kind: DatumKind,
    pub(crate) relu: Relu,
    pub(crate) threshold: Option<Threshold>,
    /// Mask of the datums kept among each sixteen, from bit 0.
    pub(crate) downsample: u16,
    pub(crate) late: LateConversion,
    pub(crate) out: Format,
    pub(crate) accumulate: bool,
}

/// The edge masks of one packer.
#[derive(Clone, Debug)]
pub(crate) struct EdgeMasks {
    /// The columns to be kept, per face modulo 16 and row modulo 16; `None` if all are.
    pub(crate) faces: Option<Arc<[[u16; 16]; 16]>>,
    pub(crate) first_face: u32,
    pub(crate) reads_per_plane: u32,
    pub(crate) transposed: bool,
    /// Whether removed datums become −∞.
    pub(crate) to_infinity: bool,
}

/// Size of a buffer, and of every write to L1, in bytes.
pub(crate) const LINE: usize = 16;

/// A buffered stream of bytes to consecutive addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) address: u32,
    /// The number of bytes in the buffer.
    pub(crate) filled: u32,
    pub(crate) buffer: [u8; LINE],
}

/// An output that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) format: Format,
    /// The format in which it is added to L1, if it accumulates.
    pub(crate) add: Option<Format>,
    pub(crate) data: Stream,
    pub(crate) exponents: Stream,
    /// The datums of an incomplete block.
    pub(crate) block: [u16; DATUMS],
    pub(crate) in_block: u32,
}

/// The tile position generator of a packer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) z: u32,
}

/// TDMA-RISC's part of the address and value of a store, as far as it has been set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetRegister {
    pub(crate) bases: Option<[u32; 2]>,
    pub(crate) scalers: [Option<u32>; 4],
}

impl SetRegister {
    /// Executes a store to TDMA-RISC's `0xFFB1_1038`.
    pub fn set_bases(&mut self, value: u32) {
        let base = |k: u32| (value >> (20 + 2 * k) & 3) << 18 | (value >> (10 * k) & 0x3FF) << 2;
        self.bases = Some([base(0), base(1)]);
    }

    /// Executes a store to TDMA-RISC's `0xFFB1_103C` (`first` is 0), or of the high half of one to
    /// `0xFFB1_1028` (3).
    pub fn set_scalers(&mut self, first: usize, mut value: u32) {
        for scaler in self.scalers[first..].iter_mut().take(3) {
            *scaler = Some(value & 0x1FF);
            value >>= 9;
        }
    }
}
