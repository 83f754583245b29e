//! The vectors of a tile's faces in Dst, and instructions that move them.
//!
//! A vector is eight columns, every other one of a face, by four rows. Datums are moved unchanged,
//! with all 32 bits.

use tessera_isa_tensix::table::{Sfpencc, Sfpload, Sfpmov, Sfpstore};

/// Access mode for 32 bits of Dst unchanged.
const INT32: u32 = 4;
/// LReg with twice each lane's number: 0, 2, … 14 within a row, plus 16 per row.
pub(crate) const TWICE_THE_LANE: u32 = 15;
/// Rows and columns of a face, and rows of Dst of one.
pub(crate) const FACE: u32 = 16;
/// Rows of a vector.
pub(crate) const VECTOR: u32 = 4;
/// The address bit of odd columns.
pub(crate) const ODD: u32 = 2;
/// SFPSHFT2's rotation of each row by a lane.
pub(crate) const ROTATE: u32 = 3;

/// The part of a tile that instructions work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TilePart {
    /// All rows.
    Whole,
    /// The upper two faces: the first 16 rows.
    UpperHalf,
}

impl TilePart {
    /// Returns the rows of Dst at which the vectors of the first columns begin.
    pub(crate) fn first_vectors(self) -> Vec<u32> {
        let faces = match self {
            TilePart::Whole => &[0, 2 * FACE][..],
            TilePart::UpperHalf => &[0],
        };
        faces.iter().copied().flat_map(vectors).collect()
    }
}

/// Returns the rows at which the vectors of a face begin.
pub(crate) fn vectors(face: u32) -> impl Iterator<Item = u32> {
    (0..FACE / VECTOR).map(move |number| face + VECTOR * number)
}

pub(crate) fn load(lreg_ind: u32, dest_reg_addr: u32) -> Sfpload {
    Sfpload {
        lreg_ind,
        instr_mod0: INT32,
        sfpu_addr_mode: 0,
        dest_reg_addr,
    }
}

pub(crate) fn store(lreg_ind: u32, dest_reg_addr: u32) -> Sfpstore {
    Sfpstore {
        lreg_ind,
        instr_mod0: INT32,
        sfpu_addr_mode: 0,
        dest_reg_addr,
    }
}

pub(crate) fn copy(lreg_c: u32, lreg_dest: u32) -> Sfpmov {
    Sfpmov {
        lreg_c,
        lreg_dest,
        instr_mod1: 0,
    }
}

/// Sets the flags of all lanes.
pub(crate) fn all_lanes() -> Sfpencc {
    Sfpencc {
        imm12_math: 0,
        lreg_dest: 0,
        instr_mod1: 0,
    }
}
