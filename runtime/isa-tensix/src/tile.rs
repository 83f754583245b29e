//! The address map of a tile's RISC-V cores, for both chips unless noted, shared by the makers of
//! images and the model.
//!
//! Sources: ISA documentation, `BabyRISCV/README.md` (memory map), `SoftReset.md` (bits, reset
//! addresses), `BackendConfiguration.md`. The use of L1 below [`FREE`] is this project's own
//! calling convention.

use std::fmt;
use std::ops::Range;

use crate::arch::Arch;

/// The five cores, in the order of arguments and results in L1.
pub const CORES: [&str; 5] = ["B", "T0", "T1", "T2", "NC"];
/// The number of core B, which starts the others.
pub const B: usize = 0;
/// The number of core NC.
pub const NC: usize = 4;

/// The space for each core's image, from its reset address on.
pub const IMAGES: [Range<u32>; 5] = [
    0..0x6000,
    0x6000..0xa000,
    0xa000..0xe000,
    0xe000..0x12000,
    0x12000..0x16000,
];
/// Coordinates of a tile on NoC 0: X and Y.
pub type Coordinate = (u32, u32);

/// The tiles of a chip that run kernels.
struct Grid {
    /// X on NoC 0 of each column.
    columns: &'static [u32],
    /// Y on NoC 0 of each row.
    rows: &'static [u32],
    /// The columns in which clusters of one cube and two vector tiles begin.
    clusters: &'static [u32],
}

/// ISA documentation, `NoC/Coordinates.md`, with the two rows fused off that it takes for its
/// example, 7 and 10.
const WORMHOLE: Grid = Grid {
    columns: &[1, 2, 3, 4, 6, 7, 8, 9],
    rows: &[1, 2, 3, 4, 5, 8, 9, 11],
    clusters: &[0, 3],
};
/// The same page for Blackhole; of its fourteen columns a p150 card keeps the last for itself
/// (tt-mlir's description of it has a grid of 10x13).
const BLACKHOLE: Grid = Grid {
    columns: &[1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15],
    rows: &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    clusters: &[0, 3, 6, 9],
};

const fn grid(arch: Arch) -> &'static Grid {
    match arch {
        Arch::WormholeB0 => &WORMHOLE,
        Arch::Blackhole => &BLACKHOLE,
    }
}

/// Returns the number of tiles that run kernels: 8 x 8 on Wormhole, 10 x 13 on Blackhole.
#[must_use]
pub const fn workers(arch: Arch) -> u32 {
    (grid(arch).columns.len() * grid(arch).rows.len()) as u32
}

/// Returns the coordinates of worker `k` of [`workers`]; workers are counted row by row.
#[must_use]
pub fn worker(arch: Arch, k: u32) -> Coordinate {
    let workers = workers(arch);
    assert!(k < workers, "there are {workers} workers, no {k}");
    let Grid { columns, rows, .. } = grid(arch);
    (
        columns[k as usize % columns.len()],
        rows[k as usize / columns.len()],
    )
}

/// Returns the number of columns of [`workers`].
#[must_use]
pub const fn worker_columns(arch: Arch) -> u32 {
    grid(arch).columns.len() as u32
}

/// Returns the number of clusters of one cube and two vector tiles there are.
#[must_use]
pub const fn clusters(arch: Arch) -> u32 {
    (grid(arch).clusters.len() * grid(arch).rows.len()) as u32
}

/// Returns the workers of cluster `k` of [`clusters`]: its cube, and its vectors, in the two
/// columns to the right. Some columns belong to no cluster.
#[must_use]
pub fn cluster(arch: Arch, k: u32) -> (u32, [u32; 2]) {
    let all = clusters(arch);
    assert!(k < all, "there are {all} clusters, no {k}");
    let Grid {
        columns, clusters, ..
    } = grid(arch);
    let in_row = clusters.len();
    let cube = (k as usize / in_row * columns.len()) as u32 + clusters[k as usize % in_row];
    (cube, [cube + 1, cube + 2])
}

/// Arguments: [`ARG_WORDS`] words for each core.
pub const ARGS: u32 = 0x16000;
/// Words of arguments of each core.
pub const ARG_WORDS: usize = 64;
/// The tables of both NoCs ([`banks`]).
pub const BANKS: u32 = 0x16600;
/// Returns the address of the table of a NoC: for each DRAM bank, the upper half of its address on
/// this NoC and the offset of its first byte, a word each; then the upper half of the tile's own
/// address ([`own_address`]), and a word that is not used.
#[must_use]
pub const fn banks(arch: Arch, noc: u32) -> u32 {
    BANKS + noc * 8 * (arch.dram_banks() + 1)
}
/// Returns the address of the upper half of the tile's own address on a NoC.
#[must_use]
pub const fn own_address(arch: Arch, noc: u32) -> u32 {
    banks(arch, noc) + 8 * arch.dram_banks()
}
/// Control lines of 16 bytes; zeroed by the launch.
pub const LINES: Range<u32> = 0x16800..0x17f00;
/// Bytes of a control line.
pub const LINE: u32 = 16;
/// A word per core, which the core sets to 1 when it is done.
pub const DONE: u32 = 0x17f00;
/// A word per core, which the core sets to the number of an error.
pub const ERR: u32 = DONE + 4 * 5;
/// A word per core, to which the NoC returns the old values of its atomic operations; never read.
pub const ANSWERS: u32 = 0x17f40;
/// The first address that the kernel may use freely.
pub const FREE: u32 = 0x18000;

/// Returns the end of L1's window.
#[must_use]
pub const fn l1_end(arch: Arch) -> u32 {
    match arch {
        Arch::WormholeB0 => 0x17_0000,
        Arch::Blackhole => 0x18_0000,
    }
}
/// The registers of NoC 0, see [`crate::noc`].
pub const NOC: u32 = 0xffb2_0000;
/// Local memory of each core.
pub const LOCAL: u32 = 0xffb0_0000;
/// The registers of NoC 1.
pub const NOC_1: u32 = 0xffb3_0000;
/// The registers of the NoC overlay's streams.
pub const OVERLAY: u32 = 0xffb4_0000;
/// Ethernet tiles: the registers of transmission and reception.
pub const ETHERNET: u32 = 0xffb9_0000;
/// Ethernet tiles: the core's reset address.
pub const ETHERNET_PC: u32 = 0xffb9_409c;
/// TDMA-RISC: commands for the mover, and more.
pub const TDMA: u32 = 0xffb1_1000;
/// Tile control, debug and status registers.
pub const CONTROL: u32 = 0xffb1_2000;
/// The interrupt controller.
pub const INTERRUPTS: u32 = 0xffb1_3000;
/// The instruction memory of core NC: written by the mover, and readable as instructions only.
pub const NC_CODE: u32 = 0xffc0_0000;
/// Bytes of the instruction memory of core NC.
pub const NC_CODE_BYTES: usize = 16 << 10;
/// Bytes of local memory of each core (Wormhole).
pub const LOCAL_BYTES: [usize; 5] = [4096, 2048, 2048, 2048, 4096];
/// Returns the bytes of local memory of each core.
#[must_use]
pub const fn local_bytes(arch: Arch) -> [usize; 5] {
    match arch {
        Arch::WormholeB0 => LOCAL_BYTES,
        Arch::Blackhole => [8192, 4096, 4096, 4096, 8192],
    }
}
/// The local memories as seen by other cores (Blackhole); those of T cores have two addresses.
pub const LOCAL_FOR_OTHERS: [Range<u32>; 5] = [
    0xffb1_4000..0xffb1_6000,
    0xffb1_8000..0xffb1_a000,
    0xffb1_a000..0xffb1_c000,
    0xffb1_c000..0xffb1_e000,
    0xffb1_6000..0xffb1_8000,
];
/// Copies of the program counters of B, NC, T0, T1 and T2 (Blackhole).
pub const SNAPSHOTS: Range<u32> = 0xffb1_3138..0xffb1_314c;
/// Dst, for T cores (Blackhole).
pub const DST: Range<u32> = 0xffbd_8000..0xffbe_0000;
/// The soft reset register.
pub const SOFT_RESET: u32 = 0xffb1_21b0;
/// The bits of [`SOFT_RESET`] of each core.
pub const RESET_BIT: [u32; 5] = [11, 12, 13, 14, 18];
/// `MopCfg` of the core's thread, one word each.
pub const MOP_CFG: u32 = 0xffb8_0000;
/// The coprocessor's general-purpose registers: those of the core's thread; for B, 64 per thread.
pub const GPRS: u32 = 0xffe0_0000;
/// Stores to this address push an instruction: for the core's thread; for B, for thread 0.
pub const PUSH: u32 = 0xffe4_0000;
/// Waits and semaphores of the core's thread.
pub const PC_BUF: u32 = 0xffe8_0000;
/// Offset from [`PC_BUF`]: loads wait until all pushed instructions have completed.
pub const COPROCESSOR_DONE: u32 = 4;
/// Offset from [`PC_BUF`]: loads wait until no MOP is pending.
pub const MOP_DONE: u32 = 8;
/// Offsets from [`PC_BUF`] of the semaphores, a word each: a store of 0 posts, a store of 1 gets.
pub const SEMAPHORES: Range<u32> = 0x20..0x40;
/// Mailboxes between the cores.
pub const MAILBOXES: u32 = 0xffec_0000;
/// The backend configuration, one word each.
pub const CONFIG: u32 = 0xffef_0000;

/// A word of a core's argument block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// The offset of the tensor with this number in each DRAM bank.
    Base(u32),
    /// A constant.
    Imm(u32),
    /// The first work item of the tile.
    First,
    /// The end of the tile's work items.
    Last,
    /// The upper half of NoC addresses in the cluster's tile with this number.
    Peer(u32),
    /// How often the worker grid is laid over the grid of pieces to cover it, along an axis: 0 is
    /// down, 1 is across ([`crate::worker_grid`]).
    Passes(u32),
    /// The extent of the worker grid along an axis.
    Extent(u32),
    /// The place of the tile in the worker grid along an axis.
    Place(u32),
    /// 1 if the tile leads its group: the tiles in its row (0) or in its column (1) of the worker
    /// grid, which communicate through the NoC with this number.
    Leads(u32),
    /// The upper half of NoC addresses in the leader of the tile's group.
    Leader(u32),
    /// The upper half of the NoC address of a broadcast to the tile's group.
    Group(u32),
}

impl Argument {
    /// Returns the name of its kind, and its number if it has one.
    pub fn parts(self) -> (&'static str, Option<u32>) {
        match self {
            Argument::Base(tensor) => ("base", Some(tensor)),
            Argument::Imm(value) => ("imm", Some(value)),
            Argument::First => ("first", None),
            Argument::Last => ("last", None),
            Argument::Peer(tile) => ("peer", Some(tile)),
            Argument::Passes(axis) => ("passes", Some(axis)),
            Argument::Extent(axis) => ("extent", Some(axis)),
            Argument::Place(axis) => ("place", Some(axis)),
            Argument::Leads(group) => ("leads", Some(group)),
            Argument::Leader(group) => ("leader", Some(group)),
            Argument::Group(group) => ("group", Some(group)),
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts() {
            (kind, Some(number)) => write!(f, "{kind} {number}"),
            (kind, None) => f.write_str(kind),
        }
    }
}
