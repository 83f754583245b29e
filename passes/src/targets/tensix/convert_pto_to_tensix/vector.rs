//! Code of T2 that runs the vector unit over a block: its broadcasts, its vector program and its
//! fold.
//!
//! [`tessera_tensix_code::vector`] compiles the program for 32 elements. Its loads and stores name
//! the first tile of each value; the row counter, which is added, steps through the tiles of one
//! value, two rows of addresses for each vector.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Setrwc, Sfpencc};
use tessera_tensix_code::emit::LoopCode;
use tessera_tensix_code::reduce::Reduction;
use tessera_tensix_code::vector::{self, VectorCode, TILE_ROWS, VECTOR_ROWS};

use super::address_mode::AddressMode;
use super::code_builder::CodeBuilder;
use super::plan::{Block, Fold, VectorProgram, REDUCTION_TILE};
use super::resources::{wait, StallCondition};
use super::walk::Work;

/// Address modes that advance by one and by two vectors.
const NEXT: [u32; 2] = [1, 2];

/// Configures what vector programs rely on: the address modes, and enabled lane flags.
pub fn prologue(code: &CodeBuilder, work: &Work) {
    let mut blocks = work.piece_blocks().into_iter();
    if !blocks.any(Block::uses_vector_unit) {
        return;
    }
    AddressMode::default().write(code, 0);
    let next = AddressMode {
        dst: VECTOR_ROWS as i32,
        ..AddressMode::default()
    };
    next.write(code, NEXT[0]);
    let next = AddressMode {
        dst: 2 * VECTOR_ROWS as i32,
        ..AddressMode::default()
    };
    next.write(code, NEXT[1]);
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

/// Executes the loop of a vector program over values of `tiles` tiles each.
fn for_each_vector(code: &mut CodeBuilder<'_, '_>, tiles: u32, vector: &VectorCode) {
    let LoopCode { setup, body } = &vector.code;
    if body.is_empty() {
        return;
    }
    for &instruction in setup {
        code.push(instruction);
    }
    let vectors = tiles * TILE_ROWS / VECTOR_ROWS;
    code.repeat(vectors / vector.vectors, |code| {
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

/// Compiles a vector program to a loop, or `None` if it needs too many LRegs.
pub fn compile(vector: &VectorProgram) -> Option<VectorCode> {
    vector::compile(vector, NEXT)
}
