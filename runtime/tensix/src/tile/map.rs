//! Where things are for the RISC-V cores of a tile (Wormhole).
//!
//! Sources: ISA documentation, `BabyRISCV/README.md` (memory map), `SoftReset.md` (bits, reset addresses),
//! `BackendConfiguration.md`. The use of L1 below [`FREE`] is this project's own calling convention.

use std::ops::Range;

/// The five cores, in the order in which arguments and results stand in L1.
pub const CORES: [&str; 5] = ["B", "T0", "T1", "T2", "NC"];
pub(crate) const B: usize = 0;
pub(crate) const NC: usize = 4;

/// Where each core's image lies: its reset address, and the room it has.
pub const IMAGES: [Range<u32>; 5] = [
    0..0x6000,
    0x6000..0xa000,
    0xa000..0xe000,
    0xe000..0x12000,
    0x12000..0x16000,
];
/// Arguments: [`ARG_WORDS`] words for each core.
pub const ARGS: u32 = 0x16000;
/// Words of arguments of each core.
pub const ARG_WORDS: usize = 64;
/// For each DRAM bank a word with the upper half of its NoC address and a word with the offset of its first byte; then the
/// upper half of the tile's own address.
pub const BANKS: u32 = 0x16600;
/// Control lines, 16 bytes each; the launch zeroes them.
pub const LINES: Range<u32> = 0x16800..0x17f00;
/// Bytes of a control line.
pub const LINE: u32 = 16;
/// A word for each core, which it makes 1 when it has done everything.
pub const DONE: u32 = 0x17f00;
/// A word for each core, which it makes the number of an error.
pub const ERR: u32 = DONE + 4 * 5;
/// What lies from here on is the kernel's.
pub const FREE: u32 = 0x18000;

/// Past the last address of L1's window.
pub(crate) const L1_END: u32 = 0x17_0000;
pub(crate) const NOC: u32 = 0xffb2_0000;
pub(crate) const LOCAL: u32 = 0xffb0_0000;
/// Bytes of local memory of each core.
pub(crate) const LOCAL_BYTES: [usize; 5] = [4096, 2048, 2048, 2048, 4096];
pub(crate) const SOFT_RESET: u32 = 0xffb1_21b0;
/// The bit of [`SOFT_RESET`] that holds each core in reset.
pub(crate) const RESET_BIT: [u32; 5] = [11, 12, 13, 14, 18];
pub(crate) const MOP_CFG: u32 = 0xffb8_0000;
pub(crate) const GPRS: u32 = 0xffe0_0000;
pub(crate) const PUSH: u32 = 0xffe4_0000;
pub(crate) const PC_BUF: u32 = 0xffe8_0000;
/// Offsets from [`PC_BUF`].
pub(crate) const COPROCESSOR_DONE: u32 = 4;
pub(crate) const MOP_DONE: u32 = 8;
pub(crate) const SEMAPHORES: Range<u32> = 0x20..0x40;
pub(crate) const MAILBOXES: u32 = 0xffec_0000;
pub(crate) const CONFIG: u32 = 0xffef_0000;

/// Where this tile is on NoC 0.
pub(crate) const OWN_TILE: (u32, u32) = (1, 1);
/// The tiles on NoC 0 that reach each pair of DRAM channels.
pub(crate) const DRAM_TILES: [[(u32, u32); 3]; 6] = [
    [(0, 0), (0, 1), (0, 11)],
    [(0, 5), (0, 6), (0, 7)],
    [(5, 0), (5, 1), (5, 11)],
    [(5, 2), (5, 9), (5, 10)],
    [(5, 3), (5, 4), (5, 8)],
    [(5, 5), (5, 6), (5, 7)],
];

/// The core whose image has some of the `length` bytes from `addr` on; `words` of each image.
pub(crate) fn image_at(words: &[usize; 5], addr: u32, length: u32) -> Option<usize> {
    (0..5).find(|&k| {
        let start = IMAGES[k].start;
        u64::from(addr) < u64::from(start) + 4 * words[k] as u64
            && u64::from(start) < u64::from(addr) + u64::from(length)
    })
}

/// What an address belongs to; each is a region of its own, within which order is kept. That stores to `MopCfg` and pushes
/// keep theirs is not written down; kernels could not configure the expander if they did not, for `MopCfg` cannot be
/// read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    L1,
    Local,
    SoftReset,
    /// MopCfg and pushes.
    FrontEnd,
    Gprs,
    PcBuf,
    Mailboxes,
    Config,
    Noc,
    Other,
}

/// The region of an address.
pub(crate) fn region(addr: u32) -> Region {
    match addr {
        0..L1_END => Region::L1,
        LOCAL..0xffb0_1000 => Region::Local,
        0xffb1_2000..0xffb1_3000 => Region::SoftReset,
        NOC..0xffb8_0000 => Region::Noc,
        MOP_CFG..0xffb8_0024 | PUSH..0xffe7_0000 => Region::FrontEnd,
        GPRS..0xffe0_1000 => Region::Gprs,
        PC_BUF..0xffeb_0000 => Region::PcBuf,
        MAILBOXES..0xffec_4000 => Region::Mailboxes,
        CONFIG..=0xffef_ffff => Region::Config,
        _ => Region::Other,
    }
}
