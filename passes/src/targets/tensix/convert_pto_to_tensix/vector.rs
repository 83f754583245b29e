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
use tessera_tensix_code::TilePart;

use super::address_mode::AddressMode;
use super::code_builder::CodeBuilder;
use super::expr::Arith;
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

/// Runs the vector unit over a part of each tile of the values of a block, whose part of Dst begins
/// at row `half`.
pub fn lower<'a>(code: &mut CodeBuilder<'_, 'a>, block: &Block, half: Value<'a>, part: TilePart) {
    if !block.uses_vector_unit() {
        return;
    }
    code.configure_thread_with(cfg::DEST_TARGET_REG_CFG_MATH_Offset, half);
    for &(tile, broadcast) in &block.broadcasts {
        for instruction in broadcast.instructions_for(tile * TILE_ROWS, part) {
            code.push(instruction);
        }
    }
    let body = compile(&block.vector).expect("programs that do not fit are refused before");
    match part {
        TilePart::Whole => for_each_vector(code, block.tiles() * TILE_VECTORS, &body),
        TilePart::UpperHalf => for_each_upper_half(code, block.tiles(), &body, half),
    }
    if let Some(fold) = &block.fold {
        reduce_and_accumulate(code, fold, part);
    }
    code.stall(wait::BLOCK_PACK, &[StallCondition::Sfpu]);
}

/// Vectors of a tile.
const TILE_VECTORS: u32 = TILE_ROWS / VECTOR_ROWS;

/// Executes the loop of a vector program over the upper half of each of `tiles` tiles. The halves
/// do not follow one another, so each has a first row of its own, from row `half` on.
fn for_each_upper_half<'a>(
    code: &mut CodeBuilder<'_, 'a>,
    tiles: u32,
    body: &VectorCode,
    half: Value<'a>,
) {
    if tiles == 1 {
        return for_each_vector(code, TILE_VECTORS / 2, body);
    }
    let bounds = [0, tiles, 1].map(|bound| code.constant(bound.into()));
    code.for_loop(bounds, |code, tile| {
        let before = code.arith_const(Arith::Mul, tile, TILE_ROWS.into());
        let first = code.arith(Arith::Add, half, before);
        code.configure_thread_with(cfg::DEST_TARGET_REG_CFG_MATH_Offset, first);
        for_each_vector(code, TILE_VECTORS / 2, body);
    });
}

/// Executes the loop of a vector program over so many consecutive vectors of each value.
fn for_each_vector(code: &mut CodeBuilder<'_, '_>, vectors: u32, vector: &VectorCode) {
    let LoopCode { setup, body } = &vector.code;
    if body.is_empty() {
        return;
    }
    for &instruction in setup {
        code.push(instruction);
    }
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
fn reduce_and_accumulate(code: &mut CodeBuilder<'_, '_>, fold: &Fold, part: TilePart) {
    for reduction in &fold.reductions {
        for instruction in reduction.instructions_for(fold.tile * TILE_ROWS, part) {
            code.push(instruction);
        }
    }
    let rows = [fold.tile, REDUCTION_TILE].map(|tile| tile * TILE_ROWS);
    for instruction in Reduction::combine_tiles(&fold.reductions, rows, part, fold.is_first) {
        code.push(instruction);
    }
}

/// Compiles a vector program to a loop, or `None` if it needs too many LRegs.
pub fn compile(vector: &VectorProgram) -> Option<VectorCode> {
    vector::compile(vector, NEXT)
}
