//! What T2 has the vector unit do with a block before it is packed: the vector program, over every
//! 32 elements.
//!
//! [`tessera_tensix_code::vector`] compiles the program. The row counter goes over all tiles of the
//! block's values at once, two rows of addresses at a time.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Instruction, Setrwc, Sfpencc};
use tessera_tensix_code::functions::{Function, Row};
use tessera_tensix_code::vector::{instructions, TILE_ROWS};

use super::address_mode::AddressMode;
use super::code::Code;
use super::plan::{Block, Fold, Lanes, Vector, KEPT};
use super::thread::{wait, Until};
use super::walk::Work;

/// Rows of addresses of 32 elements.
const ROWS: u32 = 2;
/// The address mode that goes on to the next elements.
const NEXT: u32 = 1;

/// Prepares what programs rely on: two address modes, the second one on to the next elements; lane
/// flags that count.
pub fn prologue(code: &Code, work: &Work) {
    if !work
        .blocks_of()
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

/// The vector program of a block, over half of Dst from row `half` on.
pub fn lower<'a>(code: &mut Code<'_, 'a>, block: &Block, half: Value<'a>) {
    if !block.uses_vector_unit() {
        return;
    }
    code.configure_thread_with(cfg::DEST_TARGET_REG_CFG_MATH_Offset, half);
    for &(tile, spread) in &block.spreads {
        for instruction in spread.instructions(tile * TILE_ROWS) {
            code.push(instruction);
        }
    }
    let body = program(&block.vector).expect("programs that do not fit are refused before");
    over_tiles(code, block.tiles(), &body);
    if let Some(fold) = &block.fold {
        keep(code, fold);
    }
    code.stall(wait::BLOCK_PACK, &[Until::Sfpu]);
}

/// Executes instructions for every 32 elements of some tiles.
fn over_tiles(code: &mut Code<'_, '_>, tiles: u32, body: &[Instruction]) {
    if body.is_empty() {
        return;
    }
    code.times(tiles * TILE_ROWS / ROWS, |code| {
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

/// Reduces a tile, and combines it with what is kept.
fn keep(code: &mut Code<'_, '_>, fold: &Fold) {
    for reduction in &fold.reductions {
        for instruction in reduction.instructions(fold.tile * TILE_ROWS) {
            code.push(instruction);
        }
    }
    let tile = Lanes::Dst(fold.tile);
    let combined = fold.reductions.first().filter(|_| !fold.is_first);
    let combined = combined.and_then(|reduction| {
        let function = Function::Binary(reduction.reduce.step());
        Row::of(function, reduction.integer)
    });
    let vector = match combined {
        None => Vector {
            nodes: vec![tile],
            results: vec![(0, KEPT)],
        },
        Some(row) => Vector {
            nodes: vec![
                Lanes::Dst(KEPT),
                tile,
                Lanes::Computed {
                    row,
                    of: vec![0, 1],
                },
            ],
            results: vec![(2, KEPT)],
        },
    };
    let body = program(&vector).expect("one function fits into the LRegs");
    over_tiles(code, 1, &body);
}

/// Returns the instructions for 32 elements, or nothing if they do not fit into the LRegs.
pub fn program(vector: &Vector) -> Option<Vec<Instruction>> {
    instructions(vector, NEXT)
}
