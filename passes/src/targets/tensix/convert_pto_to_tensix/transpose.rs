//! In-place transposition of one tile of Dst: face by face (16x16 elements), through SrcB, the only
//! register file that can transpose (`TRNSPSRCB.md`).
//!
//! Src holds 19 bits per element. The upper 19 bits of each element pass through it; for 32-bit
//! elements ([`ElementWidth::Bits32`]) the lower 16 bits pass first. A move to Dst writes all 32
//! bits, or only the lower 16 (`MOVB2D.md`). The lower halves of all faces therefore wait in SrcA
//! until the upper halves have been written. The configured formats of SrcA and SrcB select the
//! part, so they change between passes. They share a configuration word with the packers' input
//! format.
//!
//! Lower halves may look like floats with a zero exponent. Moves flush those to zero unless
//! configured otherwise.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Instruction, Mova2d, Movb2a, Movb2d, Movd2b, Trnspsrcb};

use super::code_builder::CodeBuilder;
use super::resources::{format, wait, StallCondition};

/// Significant bits of the elements of a tile of Dst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementWidth {
    /// At most the upper 19 bits; the others are zero.
    Bits19,
    /// All 32 bits.
    Bits32,
}

/// Transposes the tile at Dst's current base row. Waits for a bank of SrcA and of SrcB, which it
/// uses as scratch and does not release.
pub fn transpose(code: &CodeBuilder, elements: ElementWidth) {
    code.stall(
        wait::BLOCK_MATH,
        &[
            StallCondition::SrcAOwnedByMath,
            StallCondition::SrcBOwnedByMath,
        ],
    );
    // The word also holds the packers' relu setting.
    let keep_zero_exponents = |keep: bool| {
        wait_for_moves(code);
        code.configure_field(cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src, keep.into());
        code.settle_config();
    };
    let set_formats = |format| {
        let [a, b] = [
            cfg::ALU_FORMAT_SPEC_REG0_SrcA,
            cfg::ALU_FORMAT_SPEC_REG1_SrcB,
        ];
        wait_for_moves(code);
        let both = |value| code.field_bits(a, value) | code.field_bits(b, value);
        code.configure_bits(a, both(format::MASK), both(format));
        code.settle_config();
    };
    if elements == ElementWidth::Bits32 {
        keep_zero_exponents(true);
    }
    for (part, instructions) in passes(elements) {
        set_formats(match part {
            Part::Upper => format::TF32,
            Part::Lower => format::BF16,
        });
        for instruction in instructions {
            code.push(instruction);
        }
    }
    set_formats(format::BF16);
    if elements == ElementWidth::Bits32 {
        keep_zero_exponents(false);
    }
}

/// Delays the next configuration write until the matrix unit's moves, which depend on the old
/// value, are done.
fn wait_for_moves(code: &CodeBuilder) {
    code.stall(wait::BLOCK_CONFIG, &[StallCondition::Math]);
}

/// Part of each element that moves transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The upper 19.
    Upper,
    /// The lower 16.
    Lower,
}

/// Rows of a face.
const FACE: u32 = 16;

/// Returns the passes: the part that each transfers, and its instructions.
fn passes(elements: ElementWidth) -> Vec<(Part, Vec<Instruction>)> {
    // Diagonal faces stay in place, the two others are exchanged.
    let (diagonal, others) = ([0, 3 * FACE], [FACE, 2 * FACE]);
    let upper_of_diagonal = || diagonal.map(|face| [transpose_face(0, face), from_srcb(face)]);
    let upper_of_others = [
        transpose_face(0, others[0]),
        to_srca(0),
        transpose_face(0, others[1]),
        from_srcb(others[0]),
        from_srca(0, 0, others[1]),
    ];
    if elements == ElementWidth::Bits19 {
        let upper = [
            upper_of_diagonal().concat().concat(),
            upper_of_others.concat(),
        ];
        return vec![(Part::Upper, upper.concat())];
    }
    let all = [diagonal, others].concat();
    let lower = all
        .iter()
        .map(|&face| [transpose_face(1, face), to_srca(face)].concat());
    let lower_of_diagonal = diagonal.map(|face| from_srca(1, face, face));
    let lower_of_others = [
        from_srca(1, others[0], others[1]),
        from_srca(1, others[1], others[0]),
    ];
    vec![
        (Part::Lower, lower.collect::<Vec<_>>().concat()),
        (Part::Upper, upper_of_diagonal().concat().concat()),
        (Part::Lower, lower_of_diagonal.concat()),
        // The first rows of SrcA are free now.
        (Part::Upper, upper_of_others.concat()),
        (Part::Lower, lower_of_others.concat()),
    ]
}

/// Moves a face of Dst to SrcB and transposes it there.
fn transpose_face(dest_32b_lo: u32, face: u32) -> Vec<Instruction> {
    let rows = (0..FACE).step_by(4);
    let moves = rows.map(|row| {
        Movd2b {
            dest_32b_lo,
            src: TRANSPOSED_ROWS + row,
            addr_mode: 0,
            instr_mod: FOUR_ROWS,
            dst: face + row,
        }
        .into()
    });
    moves.chain([Trnspsrcb {}.into()]).collect()
}

/// The rows of SrcB that are transposed.
const TRANSPOSED_ROWS: u32 = 16;
/// Mode of MOVD2B and MOVB2A for four rows, and of MOVA2D for eight.
const FOUR_ROWS: u32 = 2;

/// Moves the transposed face from SrcB to rows of SrcA.
fn to_srca(srca: u32) -> Vec<Instruction> {
    let rows = (0..FACE).step_by(4);
    let moves = rows.map(|row| {
        Movb2a {
            srca: srca + row,
            addr_mode: 0,
            instr_mod: FOUR_ROWS,
            srcb: TRANSPOSED_ROWS + row,
        }
        .into()
    });
    moves.collect()
}

/// Moves the transposed face from SrcB to a face of Dst.
fn from_srcb(face: u32) -> Vec<Instruction> {
    const FOUR_ROWS: u32 = 4;
    let rows = (0..FACE).step_by(4);
    let moves = rows.map(|row| {
        Movb2d {
            dest_32b_lo: 0,
            src: TRANSPOSED_ROWS + row,
            addr_mode: 0,
            instr_mod: FOUR_ROWS,
            dst: face + row,
        }
        .into()
    });
    moves.collect()
}

/// Moves a face from rows of SrcA to Dst.
fn from_srca(dest_32b_lo: u32, srca: u32, face: u32) -> Vec<Instruction> {
    let rows = (0..FACE).step_by(8);
    let moves = rows.map(|row| {
        Mova2d {
            dest_32b_lo,
            src: srca + row,
            addr_mode: 0,
            instr_mod: FOUR_ROWS,
            dst: face + row,
        }
        .into()
    });
    moves.collect()
}
