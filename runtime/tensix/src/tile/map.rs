//! What addresses belong to, for the RISC-V cores of a tile (Wormhole). Where things are is
//! [`tessera_isa_tensix::tile`], shared with whoever makes images.

pub use tessera_isa_tensix::tile::*;

use tessera_isa_tensix::Arch;
use tessera_riscv::Isa;

/// What core `k` executes.
pub(crate) fn isa(arch: Arch, k: usize) -> Isa {
    match (arch, k) {
        (Arch::WormholeB0, _) => Isa::WORMHOLE,
        (Arch::Blackhole, B | NC) => Isa::BLACKHOLE_INTERRUPTIBLE,
        (Arch::Blackhole, 3) => Isa::BLACKHOLE_VECTOR,
        (Arch::Blackhole, _) => Isa::BLACKHOLE,
    }
}

/// The tiles on NoC 0 that reach each pair of DRAM channels (ISA documentation, the diagram of `NoC/Coordinates.md`).
pub(crate) const DRAM_TILES: [[(u32, u32); 3]; 6] = [
    [(0, 0), (0, 1), (0, 11)],
    [(0, 5), (0, 6), (0, 7)],
    [(5, 0), (5, 1), (5, 11)],
    [(5, 2), (5, 9), (5, 10)],
    [(5, 3), (5, 4), (5, 8)],
    [(5, 5), (5, 6), (5, 7)],
];

/// Whether a Tensix tile is there, fused off or not (the same diagram).
pub(crate) fn is_tensix((x, y): Coordinate) -> bool {
    (1..10).contains(&x) && x != 5 && (1..12).contains(&y) && y != 6
}

/// Whether an Ethernet tile is there (the same diagram).
pub(crate) fn is_ethernet((x, y): Coordinate) -> bool {
    (1..10).contains(&x) && x != 5 && (y == 0 || y == 6)
}

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
    Tdma,
    Control,
    /// MopCfg and pushes.
    FrontEnd,
    Gprs,
    PcBuf,
    Mailboxes,
    Config,
    Noc0,
    Noc1,
    Overlay,
    Ethernet,
    Other,
}

/// The region of an address.
pub(crate) fn region(addr: u32) -> Region {
    match addr {
        0..L1_END => Region::L1,
        LOCAL..0xffb0_1000 => Region::Local,
        TDMA..CONTROL => Region::Tdma,
        CONTROL..INTERRUPTS => Region::Control,
        NOC..NOC_1 => Region::Noc0,
        NOC_1..OVERLAY => Region::Noc1,
        OVERLAY..MOP_CFG => Region::Overlay,
        ETHERNET..0xffbc_0000 => Region::Ethernet,
        MOP_CFG..0xffb8_0024 | PUSH..0xffe7_0000 => Region::FrontEnd,
        GPRS..0xffe0_1000 => Region::Gprs,
        PC_BUF..0xffeb_0000 => Region::PcBuf,
        MAILBOXES..0xffec_4000 => Region::Mailboxes,
        CONFIG..=0xffef_ffff => Region::Config,
        _ => Region::Other,
    }
}

/// Whether the NoC has nothing at an address past L1 that a core may have something at.
pub(crate) fn is_unmapped_for_noc(addr: u32) -> bool {
    !matches!(
        region(addr),
        Region::Tdma
            | Region::Control
            | Region::Noc0
            | Region::Noc1
            | Region::Overlay
            | Region::Ethernet
    )
}
