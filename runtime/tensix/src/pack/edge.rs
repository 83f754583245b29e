//! Edge masks: datums outside the tile's valid part become zero, by their position in the tile.
//!
//! A mask has a bit for each of 16 columns. The row's number selects one of four masks through one of four mappings, the
//! packer selects the mapping. Not modelled: selection by face, replacement by −∞.
//!
//! The page does not say when the position returns to zero; as in ttsim it does when a new output begins.

use tessera_isa_tensix::cfg;

use crate::core_state::CoreState;
use crate::formats::must_be_zero;
use crate::regs::COLUMNS;
use crate::trap::Fault;

/// The tile position generator of a packer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    x: usize,
    y: usize,
}

impl Position {
    fn advance(&mut self, rows_per_plane: usize) {
        self.x += 1;
        if self.x == COLUMNS {
            self.x = 0;
            self.y += 1;
            if self.y == rows_per_plane {
                self.y = 0;
            }
        }
    }
}

/// The masks that one packer applies.
pub(super) struct EdgeMasks {
    /// For each row modulo 16, which columns are kept.
    rows: [u32; 16],
    rows_per_plane: usize,
}

impl EdgeMasks {
    pub fn read(core: &CoreState, thread: usize, packer: u32) -> Result<EdgeMasks, Fault> {
        must_be_zero(
            core,
            thread,
            &[
                (
                    cfg::PCK_EDGE_TILE_FACE_SET_SELECT_enable,
                    "edge masks by face",
                ),
                (cfg::PCK_EDGE_MODE_mode, "edge masks to negative infinity"),
                (
                    cfg::PACK_COUNTERS_pack_yz_transposed.at(packer),
                    "transposed tile positions",
                ),
            ],
        )?;
        let get = |field| core.config.get(thread, field);
        let rows_per_plane = get(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.at(packer)) as usize;
        if rows_per_plane == 0 {
            return Err(Fault::unmodelled(
                "pack_reads_per_xy_plane = 0; set it to the rows of a face, 16",
            ));
        }
        let mapping = get(cfg::PCK_EDGE_TILE_ROW_SET_SELECT_select) >> (2 * packer) & 3;
        let rows = std::array::from_fn(|row| {
            let mask = get(cfg::TILE_ROW_SET_MAPPING.at(mapping).at(row as u32));
            get(cfg::PCK_EDGE_OFFSET_mask.at(mask))
        });
        Ok(EdgeMasks {
            rows,
            rows_per_plane,
        })
    }

    /// Whether the datum at `column` of Dst is kept; steps to the next position.
    pub fn keeps(&self, position: &mut Position, column: usize) -> bool {
        let mask = self.rows[position.y & 15];
        position.advance(self.rows_per_plane);
        mask >> column & 1 != 0
    }
}
