//! Broadcasts within a tile: its first row to all rows, its first column to all columns, or its
//! first element to all.
//!
//! The matrix unit broadcasts operands too, but truncates them to 19 bits; these sequences keep all
//! 32. A vector is eight columns, every other one of a face, by four rows. SFPTRANSP of four copies
//! brings the first row of a vector to all its rows. Rotations bring its first column to all
//! columns, after the others have been zeroed. A rotation takes two cycles (`SFPSHFT2.md`), so
//! another rotation or an SFPNOP follows; two vectors are rotated in turn.

use tessera_isa_tensix::table::{
    Instruction, Sfpand, Sfploadi, Sfpnop, Sfpor, Sfpsetcc, Sfpshft2, Sfptransp,
};

use crate::faces::{
    all_lanes, copy, load, store, vectors, TilePart, FACE, ODD, ROTATE, TWICE_THE_LANE,
};

/// Mask of the column in twice a lane's number.
const COLUMN: u32 = 15;

/// The LRegs of two vectors that are broadcast at the same time: the vector and two for rotations.
const CHAINS: [[u32; 3]; 2] = [[0, 1, 2], [3, 4, 5]];

/// Which part of the tile is broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileBroadcast {
    /// The first row.
    Row,
    /// The first column.
    Column,
    /// The first element.
    Scalar,
}

impl TileBroadcast {
    /// Returns the instructions for the tile that begins at row `first` of Dst. Lane flags must be
    /// enabled. All LRegs are clobbered.
    pub fn instructions(self, first: u32) -> Vec<Instruction> {
        self.instructions_for(first, TilePart::Whole)
    }

    /// Returns the instructions for a part of the tile that begins at row `first` of Dst.
    pub fn instructions_for(self, first: u32, part: TilePart) -> Vec<Instruction> {
        let mut out = Vec::new();
        match self {
            TileBroadcast::Row => {
                for [face, odd] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                    let column = FACE * face + ODD * odd;
                    out.push(load(0, first + column).into());
                    first_row(&mut out);
                    let rows = part.first_vectors().into_iter();
                    rows.for_each(|row| out.push(store(0, first + row + column).into()));
                }
            }
            TileBroadcast::Column => {
                mask(&mut out);
                let rows = part.first_vectors();
                for &rows in rows.as_chunks::<2>().0 {
                    first_columns_of(&mut out, rows.map(|row| first + row));
                }
            }
            TileBroadcast::Scalar => {
                mask(&mut out);
                out.push(load(0, first).into());
                first_columns(&mut out, &CHAINS[..1]);
                first_row(&mut out);
                let faces = match part {
                    TilePart::Whole => 4,
                    TilePart::UpperHalf => 2,
                };
                for face in 0..faces {
                    for row in vectors(FACE * face) {
                        out.push(store(0, first + row).into());
                        out.push(store(0, first + row + ODD).into());
                    }
                }
            }
        }
        out
    }
}

/// Copies the first row of LReg 0 to all its rows.
fn first_row(out: &mut Vec<Instruction>) {
    for lreg in 1..4 {
        out.push(copy(0, lreg).into());
    }
    out.push(Sfptransp { lreg_dest: 0 }.into());
}

/// Sets LReg 7 to all ones in the first column and zeros in the others.
fn mask(out: &mut Vec<Instruction>) {
    const ALL_ONES: (u32, u32) = (4, 0xffff);
    const ZEROS: (u32, u32) = (2, 0);
    const IF_NOT_ZERO: u32 = 2;
    let number = |lreg_ind, (instr_mod0, imm16)| Sfploadi {
        lreg_ind,
        instr_mod0,
        imm16,
    };
    out.push(number(6, (2, COLUMN)).into());
    out.push(
        Sfpand {
            imm12_math: 0,
            lreg_c: TWICE_THE_LANE,
            lreg_dest: 6,
            instr_mod1: 0,
        }
        .into(),
    );
    out.push(number(7, ALL_ONES).into());
    out.push(
        Sfpsetcc {
            imm12_math: 0,
            lreg_c: 6,
            lreg_dest: 0,
            instr_mod1: IF_NOT_ZERO,
        }
        .into(),
    );
    out.push(number(7, ZEROS).into());
    out.push(all_lanes().into());
}

/// Copies the first column of two groups of rows to all their columns.
fn first_columns_of(out: &mut Vec<Instruction>, rows: [u32; 2]) {
    for ([vector, ..], row) in CHAINS.into_iter().zip(rows) {
        out.push(load(vector, row).into());
    }
    first_columns(out, &CHAINS);
    for ([vector, ..], row) in CHAINS.into_iter().zip(rows) {
        for column in [0, ODD, FACE, FACE + ODD] {
            out.push(store(vector, row + column).into());
        }
    }
}

/// Copies the first column of the first LReg of each chain to all its columns: masks the others,
/// then doubles the copies three times.
fn first_columns(out: &mut Vec<Instruction>, chains: &[[u32; 3]]) {
    for &[vector, ..] in chains {
        out.push(
            Sfpand {
                imm12_math: 0,
                lreg_c: 7,
                lreg_dest: vector,
                instr_mod1: 0,
            }
            .into(),
        );
    }
    for columns in [1, 2, 4] {
        for step in 0..columns {
            rotate(out, chains, step);
            // A rotation of another chain may follow at once, but not an SFPOR.
            if chains.len() == 1 || step + 1 == columns {
                out.push(Sfpnop {}.into());
            }
        }
        for &[vector, even, odd] in chains {
            out.push(
                Sfpor {
                    imm12_math: 0,
                    lreg_c: if columns == 1 { even } else { odd },
                    lreg_dest: vector,
                    instr_mod1: 0,
                }
                .into(),
            );
        }
    }
}

/// Rotates each chain by a lane. Steps alternate between two registers, as a rotation still reads
/// its source when it writes.
fn rotate(out: &mut Vec<Instruction>, chains: &[[u32; 3]], step: u32) {
    for &[vector, even, odd] in chains {
        let (lreg_src_c, lreg_dest) = match step % 2 {
            _ if step == 0 => (vector, even),
            0 => (odd, even),
            _ => (even, odd),
        };
        out.push(
            Sfpshft2 {
                imm12_math: 0,
                lreg_src_c,
                lreg_dest,
                instr_mod1: ROTATE,
            }
            .into(),
        );
    }
}
