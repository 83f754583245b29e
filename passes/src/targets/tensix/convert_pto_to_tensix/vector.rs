//! Code of T2 that runs the vector unit over a block: its broadcasts, its vector program and its
//! fold.
//!
//! [`tessera_tensix_code::vector`] compiles the program for 32 elements. Its loads and stores name
//! the first tile of each value; the row counter, which is added, steps through the tiles of one
//! value, two rows of addresses at a time.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Instruction, Setrwc, Sfpencc};
use tessera_tensix_code::reduce::Reduction;
use tessera_tensix_code::vector::{instructions, TILE_ROWS};

use super::address_mode::AddressMode;
use super::code_builder::CodeBuilder;
use super::plan::{Block, Fold, VectorProgram, REDUCTION_TILE};
use super::resources::{wait, StallCondition};
use super::walk::Work;

/// Dst addresses per 32 elements.
const ROWS: u32 = 2;
/// Address mode that advances to the next elements.
const NEXT: u32 = 1;

/// Configures what vector programs rely on: the two address modes, and enabled lane flags.
pub fn prologue(code: &CodeBuilder, work: &Work) {
    if !work
        .piece_blocks()
        .iter()
        .any(|block| block.uses_vector_unit())
    {
        return;
    }
    AddressMode::default().write(code, 0);
    let next = AddressMode {
        dst: ROWS as i32,
        ..AddressMode::default()
    };
    next.write(code, NEXT);
    code.push(Sfpencc {
        imm12_math: 3,
        lreg_dest: 0,
        instr_mod1: 10,
    });
}

/// Runs the vector unit over the part of Dst that begins at row `half`.
pub fn lower<'a>(code: &mut CodeBuilder<'_, 'a>, block: &Block, half: Value<'a>) {
    if !block.uses_vector_unit() {
        return;
    }
    code.configure_thread_with(cfg::DEST_TARGET_REG_CFG_MATH_Offset, half);
    for &(tile, broadcast) in &block.broadcasts {
        for instruction in broadcast.instructions(tile * TILE_ROWS) {
            code.push(instruction);
        }
    }
    let body = compile(&block.vector).expect("programs that do not fit are refused before");
    for_each_vector(code, block.tiles(), &body);
    if let Some(fold) = &block.fold {
        reduce_and_accumulate(code, fold);
    }
    code.stall(wait::BLOCK_PACK, &[StallCondition::Sfpu]);
}

/// Executes `body` for every 32 elements of values of `tiles` tiles each.
fn for_each_vector(code: &mut CodeBuilder<'_, '_>, tiles: u32, body: &[Instruction]) {
    if body.is_empty() {
        return;
    }
    code.repeat(tiles * TILE_ROWS / ROWS, |code| {
        for &instruction in body {
            code.push(instruction);
        }
    });
    const DST: u32 = 1 << 2;
    code.push(Setrwc {
        bit_mask: DST,
        ..Setrwc::default()
    });
}

/// Reduces a tile in place, then copies its results to the reduction tile or combines them there.
fn reduce_and_accumulate(code: &mut CodeBuilder<'_, '_>, fold: &Fold) {
    for reduction in &fold.reductions {
        for instruction in reduction.instructions(fold.tile * TILE_ROWS) {
            code.push(instruction);
        }
    }
    let rows = [fold.tile, REDUCTION_TILE].map(|tile| tile * TILE_ROWS);
    for instruction in Reduction::combine_tiles(&fold.reductions, rows, fold.is_first) {
        code.push(instruction);
    }
}

/// Compiles a vector program to the instructions for 32 elements, or `None` if it needs too many
/// LRegs.
pub fn compile(vector: &VectorProgram) -> Option<Vec<Instruction>> {
    instructions(vector, NEXT)
}
