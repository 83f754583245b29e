//! One tile of Dst transposed where it lies: by its faces of 16x16 elements, through SrcB, which
//! alone can transpose (`TRNSPSRCB.md`).
//!
//! Src has 19 bits for an element. So the upper 19 bits of each go through it, and if it has more,
//! before that the lower 16 ([`ElementWidth::Bits32`]). A move to Dst writes all 32 bits, or the lower 16
//! alone (`MOVB2D.md`): the lower ones of all faces wait in SrcA until the upper ones are there.
//! The formats of SrcA and SrcB say which, so they change on the way; they share a word with what
//! packers take out of Dst.
//!
//! Lower bits may look like floats whose exponent is zero, which moves replace by zero, unless they
//! are told not to.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Instruction, Mova2d, Movb2a, Movb2d, Movd2b, Trnspsrcb};

use super::code_builder::CodeBuilder;
use super::resources::{format, wait, StallCondition};

/// What the elements of a tile of Dst are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementWidth {
    /// Of 19 bits at most, the others are zero.
    Bits19,
    /// Of 32 bits, whatever they mean.
    Bits32,
}

/// Transposes the tile that Dst's rows count from. The matrix unit gets a bank of SrcA and one of
/// SrcB for it, and keeps them.
pub fn transpose(code: &CodeBuilder, elements: ElementWidth) {
    code.stall(
        wait::BLOCK_MATH,
        &[
            StallCondition::SrcAOwnedByMath,
            StallCondition::SrcBOwnedByMath,
        ],
    );
    // The packers' relu is in the same word.
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

/// Lets the next write of the configuration wait for the matrix unit, whose last moves need it as
/// it is.
fn wait_for_moves(code: &CodeBuilder) {
    code.stall(wait::BLOCK_CONFIG, &[StallCondition::Math]);
}

/// The bits of elements that moves take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The upper 19.
    Upper,
    /// The lower 16.
    Lower,
}

/// Rows of a face.
const FACE: u32 = 16;

/// What is executed for each part in turn.
fn passes(elements: ElementWidth) -> Vec<(Part, Vec<Instruction>)> {
    // Faces on the diagonal stay where they are, the two others change places.
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

/// A face of Dst to SrcB, where it is transposed.
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
/// MOVD2B's and MOVB2A's, and MOVA2D's eight.
const FOUR_ROWS: u32 = 2;

/// From there to rows of SrcA.
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

/// From there to a face of Dst.
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

/// From rows of SrcA to a face of Dst.
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
