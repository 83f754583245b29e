//! The registers through which RISC-V cores access a NoC.
//!
//! Constants for registers are word offsets in an initiator on Wormhole; [`Layout`] maps them to
//! each chip. Counters are word offsets from [`COUNTERS`] on.
//!
//! Sources: ISA documentation of both chips, `NoC/MemoryMap.md`, `NoC/Counters.md`,
//! `NoC/Atomics.md`, `NoC/Coordinates.md`.

use crate::arch::Arch;

/// Number of NoCs of a chip.
pub const NOCS: u32 = 2;
/// Bytes between the registers of consecutive initiators.
pub const STRIDE: u32 = 0x400;
/// NOC_TARG_ADDR_LO, followed by NOC_TARG_ADDR_MID: the source of a read or a write.
pub const TARGET: usize = 0;
/// NOC_RET_ADDR_LO, followed by NOC_RET_ADDR_MID: the destination of a read or a write.
pub const RETURN: usize = 3;
/// NOC_PACKET_TAG.
pub const TAG: usize = 6;
/// NOC_CTRL.
pub const CONTROL: usize = 7;
/// NOC_AT_LEN_BE.
pub const LENGTH: usize = 8;
/// NOC_AT_DATA.
pub const DATA: usize = 9;
/// NOC_CMD_CTRL: a store of 1 makes a request; it reads 1 until that has started.
pub const COMMAND: usize = 10;
/// Distance of NOC_TARG_ADDR_HI and NOC_RET_ADDR_HI from [`TARGET`] and [`RETURN`]: X and Y of the
/// tile (Blackhole).
pub const HIGH: usize = 2;
/// NOC_AT_LEN_BE_1: the upper half of NOC_AT_LEN_BE (Blackhole).
pub const LENGTH_HIGH: usize = 11;
/// NOC_BRCST_EXCLUDE (Blackhole).
pub const EXCLUDE: usize = 12;
/// Number of registers of an initiator.
pub const REGISTERS: usize = 13;
/// NOC_CTRL of a read.
pub const READ: u32 = 0;
/// NOC_CTRL of a write with acknowledgement.
pub const WRITE: u32 = 2 | 1 << 4;
/// The lowest bit of the transaction in NOC_PACKET_TAG.
pub const TRANSACTION_BIT: u32 = 10;
/// Number of transactions that are counted.
pub const TRANSACTIONS: u32 = 16;
/// Maximum number of bytes of a request.
pub const LONGEST: u32 = 8192;
/// The modulus by which both addresses of a request must agree.
pub const ALIGNMENT: u32 = 32;
/// Offset of the counters from the first register of initiator 0, in bytes.
pub const COUNTERS: u32 = 0x200;
/// The first of the counters of outstanding requests, one per transaction.
pub const OUTSTANDING: u32 = 16;
/// NOC_CTRL of an atomic operation with a response: the old word is written to NOC_RET_ADDR, which
/// must be a location of its own.
pub const ATOMIC: u32 = 1 | 1 << 4;
/// The code of an atomic increment in NOC_AT_LEN_BE; the lower bits hold the width and the index of
/// the word within 16 bytes.
pub const INCREMENT: u32 = 1 << 12;
/// The lowest bit of the field for the highest bit that an increment changes.
pub const INCREMENT_WIDTH_BIT: u32 = 2;

/// NOC_CTRL: the request is an atomic operation (1) or a write (2); neither is a read.
pub const KIND: u32 = 3;
/// NOC_CTRL of a write: NOC_AT_LEN_BE has a bit for each byte.
pub const BYTE_ENABLES: u32 = 1 << 2;
/// NOC_CTRL of a write: NOC_AT_DATA is what is written.
pub const INLINE: u32 = 1 << 3;
/// NOC_CTRL: the request is answered; reads always are.
pub const MARKED: u32 = 1 << 4;
/// NOC_CTRL: the request goes to all tiles of a rectangle.
pub const BROADCAST: u32 = 1 << 5;
/// NOC_CTRL: the next request belongs to the same transaction.
pub const LINKED: u32 = 1 << 6;
/// NOC_CTRL: [`CHANNEL_BIT`] selects the virtual channel.
pub const STATIC_CHANNEL: u32 = 1 << 7;
/// NOC_CTRL of a broadcast: the paths are reserved first.
pub const RESERVE: u32 = 1 << 8;
/// NOC_CTRL of a write: the overlay need not know when the data has left.
pub const NO_NOTICE: u32 = 1 << 9;
/// The lowest of three bits in NOC_CTRL that name a virtual channel.
pub const CHANNEL_BIT: u32 = 13;
/// NOC_CTRL of a broadcast: Y is the major axis.
pub const Y_MAJOR: u32 = 1 << 16;
/// NOC_CTRL of a broadcast: it goes to its sender, too, if that is in the rectangle.
pub const SENDER_INCLUDED: u32 = 1 << 17;
/// The lowest of four bits in NOC_CTRL that give a priority.
pub const PRIORITY_BIT: u32 = 27;

/// Bytes from the first register of each initiator to NOC_NODE_ID, and NOC_ENDPOINT_ID after it.
pub const NODE_ID: u32 = 0x2c;
/// Bytes from the first register of initiator 0 to the register that clears counters.
pub const CLEAR: u32 = 0x50;
/// Bytes from the first register of initiator 0 to the status of all initiators.
pub const STATUS: u32 = 0x54;
/// Bytes from the first register of initiator 0 to NIU_CFG_0, the first of [`CONFIG_WORDS`] words.
pub const CONFIG: u32 = 0x100;
/// Words from NIU_CFG_0 to NOC_ID_LOGICAL.
pub const CONFIG_WORDS: usize = 15;
/// The bit of NIU_CFG_0 that turns the translation of coordinates on.
pub const TRANSLATE_BIT: u32 = 14;
/// Words from NIU_CFG_0 to ROUTER_CFG_1, which has a bit for each column of the NoC that receives
/// no broadcasts.
pub const DEAF_COLUMNS: usize = 2;
/// Words from NIU_CFG_0 to ROUTER_CFG_3, which has a bit for each row of the NoC that receives no
/// broadcasts.
pub const DEAF_ROWS: usize = 4;
/// Words from NIU_CFG_0 to the four of NOC_X_ID_TRANSLATE_TABLE, and those of Y after them; 4 bits
/// for each coordinate.
pub const TRANSLATE_TABLE: usize = 6;
/// Words from NIU_CFG_0 to NOC_ID_LOGICAL.
pub const ID_LOGICAL: usize = 14;
/// NIUs in a row of a NoC.
pub const WIDTH: u32 = 10;
/// NIUs in a column of a NoC.
pub const HEIGHT: u32 = 12;

/// The registers of an NIU on a chip, and the limits of its transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes from one initiator to the next.
    pub stride: u32,
    /// The register at each word of an initiator, if there is one.
    pub registers: [Option<usize>; 17],
    /// Registers from [`TARGET`] or [`RETURN`] to the one that selects the tile of an address
    /// ([`upper_half`]).
    pub upper: usize,
    /// Bytes from the first register of each initiator to NOC_NODE_ID, and NOC_ENDPOINT_ID after
    /// it.
    pub node_id: u32,
    /// Bytes from the first register of initiator 0 to the register that clears counters.
    pub clear: u32,
    /// Bytes from the first register of initiator 0 to the status of all initiators, if there is
    /// one.
    pub status: Option<u32>,
    /// Words from NIU_CFG_0 on.
    pub config_words: usize,
    /// Words from NIU_CFG_0 to NOC_X_ID_TRANSLATE_TABLE, and to that of Y.
    pub translate_tables: [usize; 2],
    /// Bits of an entry of these tables.
    pub translate_bits: u32,
    /// Words from NIU_CFG_0 to NOC_ID_LOGICAL.
    pub id_logical: usize,
    /// The most bytes of a request.
    pub longest: u32,
    /// Bytes of the words that counters count.
    pub flit: u32,
    /// The modulus by which DRAM source addresses must agree with L1 addresses.
    pub dram_read_alignment: u32,
    /// The modulus by which DRAM destination addresses must agree with L1 addresses.
    pub dram_write_alignment: u32,
    /// NIUs in a row of a NoC.
    pub width: u32,
    /// NIUs in a column of a NoC.
    pub height: u32,
}

const WORMHOLE: Layout = Layout {
    stride: STRIDE,
    registers: registers(&[0, 1, 3, 4, 6, 7, 8, 9, 10], &[0, 1, 3, 4, 6, 7, 8, 9, 10]),
    upper: 1,
    node_id: NODE_ID,
    clear: CLEAR,
    status: Some(STATUS),
    config_words: CONFIG_WORDS,
    translate_tables: [TRANSLATE_TABLE, TRANSLATE_TABLE + 4],
    translate_bits: 4,
    id_logical: ID_LOGICAL,
    longest: LONGEST,
    flit: 32,
    dram_read_alignment: 32,
    dram_write_alignment: 32,
    width: WIDTH,
    height: HEIGHT,
};

/// The registers and alignments of Blackhole. No page like `Alignment.md` is published for it; the
/// alignments are those that ttsim requires.
const BLACKHOLE: Layout = Layout {
    stride: 0x800,
    registers: registers(
        &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16],
        &[
            0,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            LENGTH_HIGH,
            DATA,
            EXCLUDE,
            COMMAND,
        ],
    ),
    upper: HIGH,
    node_id: 0x44,
    clear: 0x60,
    status: None,
    config_words: 32,
    translate_tables: [6, 12],
    translate_bits: 5,
    id_logical: 18,
    longest: 16384,
    flit: 64,
    dram_read_alignment: 64,
    dram_write_alignment: 16,
    width: 17,
    height: 12,
};

impl Layout {
    /// Returns the index of a register's word in an initiator, if the chip has it.
    #[must_use]
    pub fn word(&self, register: usize) -> Option<usize> {
        let mut words = self.registers.iter();
        words.position(|&number| number == Some(register))
    }
}

/// Returns the table of registers by word. `words` and `numbers` hold the word and the number of
/// each register.
const fn registers(words: &[usize], numbers: &[usize]) -> [Option<usize>; 17] {
    let mut registers = [None; 17];
    let mut k = 0;
    while k < words.len() {
        registers[words[k]] = Some(numbers[k]);
        k += 1;
    }
    registers
}

/// Returns the register layout of a chip's NIUs.
#[must_use]
pub const fn layout(arch: Arch) -> &'static Layout {
    match arch {
        Arch::WormholeB0 => &WORMHOLE,
        Arch::Blackhole => &BLACKHOLE,
    }
}

/// Returns the upper half of NoC addresses in the tile at (x, y): NOC_*_ADDR_MID of Wormhole,
/// NOC_*_ADDR_HI of Blackhole, whose NOC_*_ADDR_MID is the upper half of an address in the tile.
#[must_use]
pub const fn upper_half(arch: Arch, (x, y): (u32, u32)) -> u32 {
    match arch {
        Arch::WormholeB0 => x << 4 | y << 10,
        Arch::Blackhole => x | y << 6,
    }
}

/// Returns the upper half of the NoC address of a broadcast to a rectangle, given by its corners
/// with the least and the greatest coordinates on its NoC.
#[must_use]
pub const fn rectangle(arch: Arch, least: (u32, u32), greatest: (u32, u32)) -> u32 {
    upper_half(arch, greatest) | upper_half(arch, least) << 12
}

/// Converts coordinates on NoC 0 to those on a NoC, or back.
#[must_use]
pub const fn on_noc(arch: Arch, noc: usize, (x, y): (u32, u32)) -> (u32, u32) {
    let Layout { width, height, .. } = layout(arch);
    match noc {
        0 => (x, y),
        _ => (*width - 1 - x, *height - 1 - y),
    }
}

/// Returns NOC_AT_LEN_BE of an atomic increment by NOC_AT_DATA of the whole word at `addr`.
#[must_use]
pub const fn increment(addr: u32) -> u32 {
    INCREMENT | 31 << INCREMENT_WIDTH_BIT | addr >> 2 & 3
}
