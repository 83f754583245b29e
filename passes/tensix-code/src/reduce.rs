//! Reductions of a tile: of each row, into the first column, or of each column, into the first row.
//! Other elements of the tile are undefined afterwards.
//!
//! A vector is eight columns, every other one of a face, by four rows. Along a row, the vectors are
//! combined first; then rotations by one, two and four columns are combined. Along columns, the
//! vectors of each of the four column groups are combined first. Then SFPTRANSP exchanges rows and
//! registers, one more combination reduces the rows, and a second SFPTRANSP restores the layout.
//!
//! Sums and rotations can be used by the second next instruction only. Therefore two vectors of
//! rows, or all four groups of columns, are combined in turn.
//!
//! Invalid elements are replaced by the neutral element. Integers are compared in sign-magnitude
//! order, so the bits of negative ones, except the sign, are inverted before and afterwards.

use tessera_isa_tensix::table::{
    Instruction, Sfpadd, Sfpand, Sfpiadd, Sfploadi, Sfpnop, Sfpsetcc, Sfpshft, Sfpshft2, Sfpswap,
    Sfptransp, Sfpxor,
};
use tessera_ops::Reduce;

use crate::faces::{
    all_lanes, copy, load, store, TilePart, FACE, ODD, ROTATE, TWICE_THE_LANE, VECTOR,
};

/// The LReg with the constant 1.0.
const ONE: u32 = 10;
/// LRegs: the incoming vector, the mask, the lane's column or row number, all bits except the sign.
const INCOMING: u32 = 4;
const MASK: u32 = 5;
const NUMBER: u32 = 6;
const MAGNITUDE: u32 = 7;

/// The LRegs of each of the two vectors that are reduced at the same time along a row: the result
/// and two others. The mask is not needed any more when its LReg is written.
const CHAINS: [[u32; 3]; 2] = [[0, 1, 2], [3, 4, MASK]];

/// The vectors of a row group, for each group of columns.
const GROUPS: [u32; 4] = [0, ODD, FACE, FACE + ODD];

/// A reduction of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The combining function.
    pub reduce: Reduce,
    /// Whether elements are integers.
    pub integer: bool,
    /// The reduced axis: 0 combines rows, 1 combines columns.
    pub axis: usize,
    /// How many rows or columns are valid.
    pub valid: u32,
}

impl Reduction {
    /// Returns the instructions for the tile that begins at row `first` of Dst. Lane flags must be
    /// enabled. All LRegs are clobbered.
    pub fn instructions(self, first: u32) -> Vec<Instruction> {
        self.instructions_for(first, TilePart::Whole)
    }

    /// Returns the instructions for a part of the tile that begins at row `first` of Dst. Columns
    /// are reduced in whole tiles only.
    pub fn instructions_for(self, first: u32, part: TilePart) -> Vec<Instruction> {
        let mut writer = Writer {
            reduction: self,
            part,
            first,
            out: Vec::new(),
        };
        writer.prepare();
        match self.axis {
            0 => writer.combine_rows(),
            _ => writer.combine_columns(),
        }
        writer.out
    }

    /// Returns the instructions that combine reduced tiles: that at row `from` of Dst with the
    /// running value at row `into`, which it starts if `is_first`. `reductions` reduced the tile,
    /// one axis after the other. Only vectors of the part with results are read and written.
    pub fn combine_tiles(
        reductions: &[Reduction],
        [from, into]: [u32; 2],
        part: TilePart,
        is_first: bool,
    ) -> Vec<Instruction> {
        let [reduction, others @ ..] = reductions else {
            return Vec::new();
        };
        let mut writer = Writer {
            reduction: *reduction,
            part,
            first: from,
            out: Vec::new(),
        };
        writer.prepare();
        let mut rows = reduction.result_vectors(part);
        rows.retain(|row| {
            others
                .iter()
                .all(|other| other.result_vectors(part).contains(row))
        });
        for row in rows {
            writer.first = from;
            writer.load_result(0, row);
            writer.first = into;
            if !is_first {
                writer.load_result(INCOMING, row);
                writer.combine(0, INCOMING);
                writer.wait_for_combined();
            }
            writer.store(0, row);
        }
        writer.out
    }

    /// Returns the vectors of a part of a tile that hold results.
    fn result_vectors(self, part: TilePart) -> Vec<u32> {
        match self.axis {
            0 => GROUPS.to_vec(),
            _ => part.first_vectors(),
        }
    }

    /// Returns whether values are compared as sign-magnitude numbers but are two's complement.
    fn inverts_negatives(self) -> bool {
        self.integer && self.reduce != Reduce::Sum
    }

    /// Returns the neutral element in the representation that is compared.
    fn neutral(self) -> u32 {
        match (self.reduce, self.integer) {
            (Reduce::Sum, _) => 0,
            (Reduce::Max, false) => f32::NEG_INFINITY.to_bits(),
            (Reduce::Min, false) => f32::INFINITY.to_bits(),
            (Reduce::Max, true) => u32::MAX,
            (Reduce::Min, true) => i32::MAX as u32,
        }
    }
}

struct Writer {
    reduction: Reduction,
    part: TilePart,
    first: u32,
    out: Vec<Instruction>,
}

impl Writer {
    fn push(&mut self, instruction: impl Into<Instruction>) {
        self.out.push(instruction.into());
    }

    /// Loads a constant in two halves.
    fn load_constant(&mut self, lreg_ind: u32, number: u32) {
        const UNSIGNED: u32 = 2;
        const UPPER: u32 = 8;
        for (instr_mod0, imm16) in [(UNSIGNED, number & 0xffff), (UPPER, number >> 16)] {
            self.push(Sfploadi {
                lreg_ind,
                instr_mod0,
                imm16,
            });
        }
    }

    /// Loads the constants for masks and for the order of integers.
    fn prepare(&mut self) {
        match self.reduction.axis {
            // A lane's row.
            0 => {
                self.push(copy(TWICE_THE_LANE, NUMBER));
                self.push(Sfpshft {
                    imm12_math: -4i32 as u32 & 0xfff,
                    lreg_c: 0,
                    lreg_dest: NUMBER,
                    instr_mod1: 1,
                });
            }
            // Its column in a face, if that is even.
            _ => {
                self.load_constant(NUMBER, 15);
                self.push(Sfpand {
                    imm12_math: 0,
                    lreg_c: TWICE_THE_LANE,
                    lreg_dest: NUMBER,
                    instr_mod1: 0,
                });
            }
        }
        if self.reduction.inverts_negatives() {
            self.load_constant(MAGNITUDE, i32::MAX as u32);
        }
    }

    /// Inverts the bits of negative integers, except their signs.
    fn invert_negatives(&mut self, lreg: u32) {
        if !self.reduction.inverts_negatives() {
            return;
        }
        const IF_NEGATIVE: u32 = 0;
        self.push(Sfpsetcc {
            imm12_math: 0,
            lreg_c: lreg,
            lreg_dest: 0,
            instr_mod1: IF_NEGATIVE,
        });
        self.push(Sfpxor {
            lreg_c: MAGNITUDE,
            lreg_dest: lreg,
        });
        self.push(all_lanes());
    }

    /// Loads a vector, with the neutral element in lanes whose number is not below `valid`.
    fn load(&mut self, lreg_ind: u32, row: u32, valid: u32, lanes: u32) {
        self.push(load(lreg_ind, self.first + row));
        self.invert_negatives(lreg_ind);
        if valid < lanes {
            // Continue in lanes where number - valid is not negative.
            const IF_NOT_NEGATIVE: u32 = 1 | 8;
            self.push(Sfpiadd {
                imm12_math: valid.wrapping_neg() & 0xfff,
                lreg_c: NUMBER,
                lreg_dest: MASK,
                instr_mod1: IF_NOT_NEGATIVE,
            });
            self.load_constant(lreg_ind, self.reduction.neutral());
            self.push(all_lanes());
        }
    }

    /// Loads a vector of results.
    fn load_result(&mut self, lreg_ind: u32, row: u32) {
        self.load(lreg_ind, row, FACE, FACE);
    }

    fn store(&mut self, lreg: u32, row: u32) {
        self.invert_negatives(lreg);
        self.push(store(lreg, self.first + row));
    }

    /// Returns whether vectors are combined by a multiply-add, whose result is late.
    fn is_late(&self) -> bool {
        self.reduction.reduce == Reduce::Sum && !self.reduction.integer
    }

    /// Waits until a register that was just combined can be read.
    fn wait_for_combined(&mut self) {
        if self.is_late() {
            self.push(Sfpnop {});
        }
    }

    /// Combines another register into `into`. The other one is clobbered.
    fn combine(&mut self, into: u32, other: u32) {
        match (self.reduction.reduce, self.reduction.integer) {
            (Reduce::Sum, false) => self.push(Sfpadd {
                lreg_src_a: ONE,
                lreg_src_b: into,
                lreg_src_c: other,
                lreg_dest: into,
                instr_mod1: 0,
            }),
            (Reduce::Sum, true) => self.push(Sfpiadd {
                imm12_math: 0,
                lreg_c: other,
                lreg_dest: into,
                instr_mod1: 4,
            }),
            // The destination gets the lesser one.
            (reduce, _) => {
                let (lreg_dest, lreg_src_c) = match reduce {
                    Reduce::Min => (into, other),
                    _ => (other, into),
                };
                self.push(Sfpswap {
                    lreg_src_c,
                    lreg_dest,
                    instr_mod1: 1,
                });
            }
        }
    }

    /// Reduces each row.
    fn combine_columns(&mut self) {
        let rows = self.part.first_vectors();
        for &rows in rows.as_chunks::<2>().0 {
            self.combine_vectors(rows);
            for columns in [1, 2, 4] {
                self.combine_rotated(columns);
            }
            for ([result, ..], row) in CHAINS.into_iter().zip(rows) {
                self.store(result, row);
            }
        }
    }

    /// Combines the four vectors of columns of each of two groups of rows.
    fn combine_vectors(&mut self, rows: [u32; 2]) {
        for (number, [face, odd]) in (0..).zip([[0, 0], [0, 1], [1, 0], [1, 1]]) {
            // The lanes' numbers count even columns.
            let valid = self.reduction.valid.saturating_sub(FACE * face + odd);
            if valid == 0 {
                continue;
            }
            for ([result, incoming, _], row) in CHAINS.into_iter().zip(rows) {
                let lreg = if number == 0 { result } else { incoming };
                self.load(lreg, row + FACE * face + ODD * odd, valid, FACE - 1);
            }
            if number > 0 {
                for [result, incoming, _] in CHAINS {
                    self.combine(result, incoming);
                }
            }
        }
    }

    /// Combines two vectors with themselves, rotated by a number of columns.
    fn combine_rotated(&mut self, columns: usize) {
        for [result, rotated, _] in CHAINS {
            self.push(copy(result, rotated));
        }
        for step in 0..columns {
            for [_, even, odd] in CHAINS {
                let (lreg_src_c, lreg_dest) = if step % 2 == 0 {
                    (even, odd)
                } else {
                    (odd, even)
                };
                self.push(Sfpshft2 {
                    imm12_math: 0,
                    lreg_src_c,
                    lreg_dest,
                    instr_mod1: ROTATE,
                });
            }
        }
        // The write of a rotation collides with a sum of integers right after it.
        if self.reduction.reduce == Reduce::Sum && self.reduction.integer {
            self.push(Sfpnop {});
        }
        let rotated = if columns == 1 { 2 } else { 1 };
        for chain in CHAINS {
            self.combine(chain[0], chain[rotated]);
        }
    }

    /// Reduces each column.
    fn combine_rows(&mut self) {
        for number in 0..2 * FACE / VECTOR {
            let row = VECTOR * number;
            let valid = self.reduction.valid.saturating_sub(row);
            if valid == 0 {
                continue;
            }
            // The lower faces are two faces after the upper ones.
            let place = row % FACE + row / FACE * 2 * FACE;
            for (lreg, group) in (0..).zip(GROUPS) {
                let to = if number == 0 { lreg } else { INCOMING };
                self.load(to, place + group, valid, VECTOR);
                if number > 0 {
                    self.combine(lreg, INCOMING);
                }
            }
        }
        self.wait_for_combined();
        self.push(Sfptransp { lreg_dest: 0 });
        for lreg in 1..4 {
            self.combine(0, lreg);
            self.wait_for_combined();
        }
        self.push(Sfptransp { lreg_dest: 0 });
        for (lreg, group) in (0..).zip(GROUPS) {
            self.store(lreg, group);
        }
    }
}
