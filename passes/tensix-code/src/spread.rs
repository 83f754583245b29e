//! Spreading a tile over itself: its first row over all rows, its first column over all columns, or its first element over all.
//!
//! The matrix unit spreads what it reads, but that is cut to 19 bits; this keeps all 32. A vector is eight columns, every other one of a face, of
//! four rows. SFPTRANSP of four copies brings the first row of a vector to all its rows; rotations bring its first column to all columns, when
//! the others are zeros. Rotations take two cycles (`SFPSHFT2.md`), so an SFPNOP follows each.

use tessera_isa_tensix::table::{
    Instruction, Sfpand, Sfpencc, Sfpload, Sfploadi, Sfpmov, Sfpnop, Sfpor, Sfpsetcc, Sfpshft2,
    Sfpstore, Sfptransp,
};

/// 32 bits of Dst as they are.
const INT32: u32 = 4;
/// The LReg with twice each lane's number, which in a row counts 0, 2, … 14, and 16 more from row to row.
const TWICE_THE_LANE: u32 = 15;
/// What all rows of a lane's number have in common.
const COLUMN: u32 = 15;
/// Rows of Dst of a face, and of a vector.
const FACE: u32 = 16;
const VECTOR: u32 = 4;
/// The address bit of odd columns.
const ODD: u32 = 2;

/// What is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The first row.
    Row,
    /// The first column.
    Column,
    /// The first element.
    Scalar,
}

impl Spread {
    /// The instructions for the tile of Dst from a row on; lane flags must count. They change all LRegs.
    pub fn instructions(self, first: u32) -> Vec<Instruction> {
        let mut out = Vec::new();
        match self {
            Spread::Row => {
                for [face, odd] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                    let column = FACE * face + ODD * odd;
                    load(&mut out, first + column);
                    first_row(&mut out);
                    let rows = [0, 2 * FACE].into_iter().flat_map(vectors);
                    rows.for_each(|row| store(&mut out, first + row + column));
                }
            }
            Spread::Column => {
                mask(&mut out);
                for row in [0, 2 * FACE].into_iter().flat_map(vectors) {
                    load(&mut out, first + row);
                    first_column(&mut out);
                    let columns = [0, ODD, FACE, FACE + ODD];
                    for column in columns {
                        store(&mut out, first + row + column);
                    }
                }
            }
            Spread::Scalar => {
                mask(&mut out);
                load(&mut out, first);
                first_column(&mut out);
                first_row(&mut out);
                for face in 0..4 {
                    for row in vectors(FACE * face) {
                        store(&mut out, first + row);
                        store(&mut out, first + row + ODD);
                    }
                }
            }
        }
        out
    }
}

/// The rows at which the vectors of a face begin.
fn vectors(face: u32) -> impl Iterator<Item = u32> {
    (0..FACE / VECTOR).map(move |number| face + VECTOR * number)
}

fn load(out: &mut Vec<Instruction>, dest_reg_addr: u32) {
    out.push(
        Sfpload {
            lreg_ind: 0,
            instr_mod0: INT32,
            sfpu_addr_mode: 0,
            dest_reg_addr,
        }
        .into(),
    );
}

fn store(out: &mut Vec<Instruction>, dest_reg_addr: u32) {
    out.push(
        Sfpstore {
            lreg_ind: 0,
            instr_mod0: INT32,
            sfpu_addr_mode: 0,
            dest_reg_addr,
        }
        .into(),
    );
}

fn copy(out: &mut Vec<Instruction>, lreg_c: u32, lreg_dest: u32) {
    out.push(
        Sfpmov {
            lreg_c,
            lreg_dest,
            instr_mod1: 0,
        }
        .into(),
    );
}

/// The first row of LReg 0 in all its rows.
fn first_row(out: &mut Vec<Instruction>) {
    for lreg in 1..4 {
        copy(out, 0, lreg);
    }
    out.push(Sfptransp { lreg_dest: 0 }.into());
}

/// LReg 7: all ones in the first column, zeros in the others.
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
    out.push(
        Sfpencc {
            imm12_math: 0,
            lreg_dest: 0,
            instr_mod1: 0,
        }
        .into(),
    );
}

/// The first column of LReg 0 in all its columns: it alone is left, and what there is is doubled three times.
fn first_column(out: &mut Vec<Instruction>) {
    const ROTATE: u32 = 3;
    out.push(
        Sfpand {
            imm12_math: 0,
            lreg_c: 7,
            lreg_dest: 0,
            instr_mod1: 0,
        }
        .into(),
    );
    for columns in [1, 2, 4] {
        for step in 0..columns {
            // From one of two to the other, as it still reads the first when it writes.
            let (from, to) = match step % 2 {
                _ if step == 0 => (0, 1),
                0 => (2, 1),
                _ => (1, 2),
            };
            out.push(
                Sfpshft2 {
                    imm12_math: 0,
                    lreg_src_c: from,
                    lreg_dest: to,
                    instr_mod1: ROTATE,
                }
                .into(),
            );
            out.push(Sfpnop {}.into());
        }
        out.push(
            Sfpor {
                imm12_math: 0,
                lreg_c: if columns == 1 { 1 } else { 2 },
                lreg_dest: 0,
                instr_mod1: 0,
            }
            .into(),
        );
    }
}
