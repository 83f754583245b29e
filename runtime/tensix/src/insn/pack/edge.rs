//! Edge masks: datums outside the tile's valid part become zero or −∞, depending on their position.
//!
//! A mask has a bit for each of 16 columns. The row number selects one of four masks through one of
//! four mappings. The packer, or the number of the face, selects the mapping.
//!
//! The documentation does not say when the position returns to zero; as in ttsim, it does when a
//! new output begins. Nor does it say whether datums that do not come from Dst have a position.
//! With masks that are not all ones such datums are refused.

use std::sync::Arc;

use tessera_isa_tensix::cfg;

use crate::arith::COLUMNS;
use crate::state::config::View;
use crate::state::packer::{EdgeMasks, Position};
use crate::trap::Fault;

impl EdgeMasks {
    /// Reads the masks of `packer`.
    ///
    /// # Errors
    /// Unmodelled if masks depend on a position that never wraps.
    pub(super) fn read(view: View<'_>, packer: u32) -> Result<EdgeMasks, Fault> {
        let get = |field| view.get(field);
        let masks: [u16; 4] =
            std::array::from_fn(|k| get(cfg::PCK_EDGE_OFFSET_mask.nth(k as u32)) as u16);
        let faces = (masks != [0xFFFF; 4]).then(|| faces(view, packer, masks));
        let faces = faces.filter(|faces| faces.as_flattened().iter().any(|&mask| mask != 0xFFFF));
        let masks = EdgeMasks {
            faces: faces.map(Arc::new),
            first_face: get(cfg::DEST_TARGET_REG_CFG_PACK_ZOffset.nth(packer)),
            reads_per_plane: get(cfg::PACK_COUNTERS_pack_reads_per_xy_plane.nth(packer)),
            transposed: get(cfg::PACK_COUNTERS_pack_yz_transposed.nth(packer)) != 0,
            to_infinity: get(cfg::PCK_EDGE_MODE_mode) != 0,
        };
        if masks.reads_per_plane == 0 && !masks.keep_all() {
            return Err(Fault::unmodelled(
                "edge masks with pack_reads_per_xy_plane = 0; set it to the rows of a face, 16",
            ));
        }
        Ok(masks)
    }

    /// Returns whether no datum is replaced.
    pub(super) fn keep_all(&self) -> bool {
        self.faces.is_none()
    }

    /// Returns whether removed datums become −∞ instead of zero.
    pub(super) fn to_infinity(&self) -> bool {
        self.to_infinity
    }

    /// Returns the columns that are kept at a position.
    pub(super) fn columns_at(&self, position: Position) -> u16 {
        let face = self.first_face.wrapping_add(position.z) & 15;
        match &self.faces {
            None => 0xFFFF,
            Some(faces) => faces[face as usize][position.y as usize & 15],
        }
    }

    /// Refuses several rows of one instruction of Blackhole if the row number wraps between them.
    /// It wraps only after a whole instruction by the page, and after each row in ttsim.
    pub(super) fn check_reach(&self, position: Position, rows: u32) -> Result<(), Fault> {
        if self.keep_all() || position.y + rows <= self.reads_per_plane {
            return Ok(());
        }
        Err(Fault::unmodelled(format!(
            "edge masks for rows {} to {} of a face with pack_reads_per_xy_plane = {}; set it to a \
             multiple of the rows of a PACR",
            position.y,
            position.y + rows - 1,
            self.reads_per_plane
        )))
    }

    /// Advances over the rest of a row that has begun.
    pub(super) fn end_row(&self, position: &mut Position) {
        if position.x != 0 {
            self.advance(position, COLUMNS as u32 - position.x);
        }
    }

    /// Returns the columns that are kept of each of some rows, and advances over these.
    pub(super) fn columns_of(&self, position: &mut Position, rows: &mut [u16]) {
        let Some(faces) = &self.faces else {
            rows.fill(0xFFFF);
            return self.advance(position, (rows.len() * COLUMNS) as u32);
        };
        let face = &faces[(self.first_face.wrapping_add(position.z) & 15) as usize];
        let count = rows.len() as u32;
        if self.is_in_face(*position, count) {
            for (columns, row) in rows.iter_mut().zip(position.y..) {
                *columns = face[row as usize & 15];
            }
            return self.advance(position, count * COLUMNS as u32);
        }
        for columns in rows {
            *columns = self.columns_at(*position);
            self.advance(position, COLUMNS as u32);
        }
    }

    /// Returns whether the next rows are of one face.
    fn is_in_face(&self, position: Position, rows: u32) -> bool {
        let last = self.reads_per_plane;
        !self.transposed && position.y < last && rows <= last - position.y
    }

    /// Advances by some datums of a row.
    pub(super) fn advance(&self, position: &mut Position, datums: u32) {
        position.x += datums;
        let rows = position.x / COLUMNS as u32;
        if self.is_in_face(*position, rows) {
            let wraps = position.y + rows == self.reads_per_plane;
            *position = Position {
                x: position.x % COLUMNS as u32,
                y: if wraps { 0 } else { position.y + rows },
                z: position.z.wrapping_add(wraps.into()),
            };
            return;
        }
        while position.x >= COLUMNS as u32 {
            position.x -= COLUMNS as u32;
            let (fast, slow) = match self.transposed {
                false => (&mut position.y, &mut position.z),
                true => (&mut position.z, &mut position.y),
            };
            *fast = fast.wrapping_add(1);
            if *fast == self.reads_per_plane {
                *fast = 0;
                *slow = slow.wrapping_add(1);
            }
        }
    }
}

/// Returns the mask of each row of each face.
fn faces(view: View<'_>, packer: u32, masks: [u16; 4]) -> [[u16; 16]; 16] {
    let get = |field| view.get(field);
    let member = |family, indices: [u32; 2]| view.get_member(family, indices);
    let rows = |mapping: u32| -> [u16; 16] {
        let mask = |row: usize| member(&cfg::TILE_ROW_SET_MAPPING, [mapping, row as u32]);
        std::array::from_fn(|row| masks[mask(row) as usize])
    };
    let select = |field| get(field) >> (2 * packer) & 3;
    if get(cfg::PCK_EDGE_TILE_FACE_SET_SELECT_enable) == 0 {
        return [rows(select(cfg::PCK_EDGE_TILE_ROW_SET_SELECT_select)); 16];
    }
    let set = select(cfg::PCK_EDGE_TILE_FACE_SET_SELECT_select);
    // There are sixteen faces, but only four mappings.
    let mut known = [None; 4];
    std::array::from_fn(|face| {
        let mapping = member(&cfg::TILE_FACE_SET_MAPPING, [set, face as u32]);
        *known[mapping as usize].get_or_insert_with(|| rows(mapping))
    })
}

#[cfg(test)]
mod tests;
