//! The grid of the NoC: what is at each place, in coordinates of NoC 0.

use tessera_isa_tensix::Arch;

use crate::map::Coordinate;

/// For each pair of DRAM channels of Wormhole, its tiles on NoC 0 (ISA documentation, the diagram
/// of `NoC/Coordinates.md`).
pub(crate) const DRAM_TILES: [[(u32, u32); 3]; 6] = [
    [(0, 0), (0, 1), (0, 11)],
    [(0, 5), (0, 6), (0, 7)],
    [(5, 0), (5, 1), (5, 11)],
    [(5, 2), (5, 9), (5, 10)],
    [(5, 3), (5, 4), (5, 8)],
    [(5, 5), (5, 6), (5, 7)],
];

/// The DRAM of Blackhole for each row of column 0; column 9 has four others (same diagram).
const DRAM_ROWS: [u32; 12] = [0, 0, 1, 1, 2, 3, 3, 3, 2, 2, 1, 0];

/// Returns a tile on NoC 0 of a DRAM of Blackhole.
pub(crate) fn dram_tile_of_blackhole(k: u32) -> Coordinate {
    let row = DRAM_ROWS.iter().position(|&dram| dram == k % 4);
    (k / 4 * 9, row.unwrap_or_default() as u32)
}

/// The kind of a location on NoC 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A Tensix tile, harvested or not.
    Tensix,
    Ethernet,
    /// A tile of the DRAM with this number.
    Dram(u32),
    /// A tile that only routes, the PCI Express tile, a tile of processors that are not modelled;
    /// or no tile.
    Other,
}

/// Returns the kind of a location on NoC 0 (same diagrams).
pub(crate) fn node_kind(arch: Arch, at: Coordinate) -> NodeKind {
    match arch {
        Arch::WormholeB0 => node_kind_on_wormhole(at),
        Arch::Blackhole => node_kind_on_blackhole(at),
    }
}

fn node_kind_on_wormhole(at: Coordinate) -> NodeKind {
    let dram = DRAM_TILES.iter().position(|tiles| tiles.contains(&at));
    match at {
        _ if dram.is_some() => dram.map_or(NodeKind::Other, |k| NodeKind::Dram(k as u32)),
        (5, _) => NodeKind::Other,
        (1..10, 0 | 6) => NodeKind::Ethernet,
        (1..10, 1..12) => NodeKind::Tensix,
        _ => NodeKind::Other,
    }
}

fn node_kind_on_blackhole((x, y): Coordinate) -> NodeKind {
    match (x, y) {
        (0 | 9, 0..12) => NodeKind::Dram(DRAM_ROWS[y as usize] + x / 9 * 4),
        (8, _) => NodeKind::Other,
        (1..17, 1) => NodeKind::Ethernet,
        (1..17, 2..12) => NodeKind::Tensix,
        _ => NodeKind::Other,
    }
}
