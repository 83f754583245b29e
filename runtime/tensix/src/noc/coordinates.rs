//! The registers that identify a tile.

use tessera_isa_tensix::noc::{layout, on_noc, Layout};
use tessera_isa_tensix::Arch;

use super::grid::{node_kind, NodeKind};
use crate::map::Coordinate;

/// Returns NOC_NODE_ID of the tile at these coordinates of NoC 0. The dateline bits are
/// undocumented and 0.
pub(crate) fn node_id(arch: Arch, noc: usize, at: Coordinate) -> u32 {
    let (x, y) = on_noc(arch, noc, at);
    let Layout { width, height, .. } = layout(arch);
    x | y << 6 | width << 12 | height << 19 | u32::from(noc == 0) << 28
}

/// Returns NOC_ENDPOINT_ID of a tile, if its kind has a documented numbering.
pub(crate) fn endpoint_id(arch: Arch, noc: usize, (x, y): Coordinate) -> Option<u32> {
    let index = match node_kind(arch, (x, y)) {
        NodeKind::Tensix if arch == Arch::Blackhole => {
            let column = if x > 9 { x - 3 } else { x - 1 };
            column + 14 * (y - 2)
        }
        _ => return None,
    };
    Some(index | 0x0100 << 8 | (noc as u32) << 24)
}
