//! Moves of tiles between DRAM and L1: whole tiles, half tiles, or the first row of a tile.
//!
//! A kernel whose pieces are halves of rows of tiles ([`super::row_halves`]) moves only its half of
//! each tile: two faces, which are consecutive in memory. In the slot of an operand, and in a local
//! tensor, a half has the place that it has in the tile. In a result slot it comes first.
//!
//! In a kernel with stages, of an operand whose first row or element is broadcast only the first
//! row of both upper faces is read, with whatever follows it in the same unit of a DRAM access. The
//! other rows of its slot are those of an earlier step. The matrix unit and the vector unit do not
//! use them, but the unpackers bring them. So that nothing unwritten is unpacked, the first step of
//! each slot reads all rows ([`FilledSlots`]), and all steps of the stage that NC serves must be
//! alike ([`reads_only_first_rows`]).

use std::cell::Cell;

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::{noc, Arch};

use super::code_builder::{CodeBuilder, Compare};
use super::expr::{Arith, Expr};
use super::operand_rings::{operands, SLOTS};
use super::plan::{Block, Broadcast, Element, Math, Step, Tensor, TileBroadcast, TileRect};
use super::walk::{PieceStart, Work};

/// The rows of operand tiles that a step uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedRows {
    /// All rows that the piece computes.
    All,
    /// The first row only, which is broadcast.
    First,
}

impl UsedRows {
    /// Returns the rows of an unpacker's operand that a step of a block uses.
    pub fn new(block: &Block, step: &Step, unpacker: usize) -> Self {
        let is_first = match (step.math, unpacker) {
            (Math::Elementwise { broadcast, .. }, 1) => {
                matches!(broadcast, Broadcast::Row | Broadcast::Scalar)
            }
            // The vector unit broadcasts tiles of 32-bit elements.
            (Math::Unpack, 0) => block.broadcasts.iter().any(|(dst, broadcast)| {
                *dst == step.dst && matches!(broadcast, TileBroadcast::Row | TileBroadcast::Scalar)
            }),
            _ => false,
        };
        match is_first {
            true => UsedRows::First,
            false => UsedRows::All,
        }
    }
}

/// Returns whether each step of a stage that NC serves uses first rows only, with one unpacker and
/// equally many tiles. Then every slot is filled by the first steps.
pub fn reads_only_first_rows(blocks: &[&Block]) -> bool {
    let steps = blocks.iter().flat_map(|block| {
        let steps = block.steps().into_iter();
        steps.map(move |step| (*block, step))
    });
    let mut kinds = Vec::new();
    for (block, step) in steps {
        for (unpacker, tiles) in operands(step).into_iter().enumerate() {
            let Some(tiles) = tiles else { continue };
            if UsedRows::new(block, step, unpacker) != UsedRows::First {
                return false;
            }
            kinds.push((unpacker, tiles.count()));
        }
    }
    kinds.windows(2).all(|pair| pair[0] == pair[1])
}

/// Counts the steps of a stage, to find those whose slots no step of the worker has filled: the
/// first [`SLOTS`] steps of the stage in the worker's first piece.
pub struct FilledSlots<'a> {
    /// Index in the state of the step number from which on the steps of the stage are counted. It
    /// is lower by [`SLOTS`] for each earlier piece.
    index: usize,
    /// Pieces of the worker before the current one.
    pieces: Cell<Option<Value<'a>>>,
}

impl<'a> FilledSlots<'a> {
    /// Creates the count, for which a core has a value of its state at `index`.
    pub fn new(index: usize) -> Self {
        FilledSlots {
            index,
            pieces: Cell::new(None),
        }
    }

    /// Begins a piece.
    pub fn start_piece(&self, code: &CodeBuilder<'_, 'a>, start: &PieceStart<'a>) {
        let pieces = code.arith(Arith::Sub, start.piece, start.first);
        self.pieces.set(Some(pieces));
    }

    /// Begins a stage with step `number`.
    pub fn start_stage(&self, code: &mut CodeBuilder<'_, 'a>, number: Value<'a>) {
        let pieces = self.pieces.get().expect("stages are in pieces");
        let filled = code.arith_const(Arith::Mul, pieces, SLOTS.into());
        code.state[self.index] = code.arith(Arith::Sub, number, filled);
    }

    /// Builds whether the slots of step `number` were filled before.
    pub fn are_filled(&self, code: &CodeBuilder<'_, 'a>, number: Value<'a>) -> Value<'a> {
        let steps = code.arith(Arith::Sub, number, code.state[self.index]);
        let slots = code.constant(SLOTS.into());
        code.not(code.compare(Compare::Less, steps, slots))
    }
}

/// Builds the offset in bytes of the half of a tile that the piece computes.
fn half_offset<'a>(code: &CodeBuilder<'_, 'a>, half: Value<'a>, element: Element) -> Value<'a> {
    code.arith_const(Arith::Mul, half, (element.tile_bytes() / 2).into())
}

/// Builds the reads of what a step uses of the tiles of a rectangle, to consecutive tiles from the
/// address `l1` on. If a first row suffices where the slot `is_filled`, only that is read there.
pub fn read<'a>(
    code: &mut CodeBuilder<'_, 'a>,
    work: &Work,
    (tiles, used): (&TileRect, UsedRows),
    (l1, transaction): (Value<'a>, Value<'a>),
    is_filled: Option<Value<'a>>,
) {
    let element = tiles.tensor.element;
    for tile in 0..tiles.count() {
        let page = tiles.tile_at(tile, true).page;
        let source = (&page, tiles.tensor);
        let to = code.arith_const(Arith::Add, l1, (tile * element.tile_bytes()).into());
        if used == UsedRows::All {
            read_all_rows(code, source, work.row_half(code), (to, transaction));
            continue;
        }
        // The first row is in the upper half.
        let upper = work.row_half(code).map(|_| code.constant(0));
        let Some(is_filled) = is_filled else {
            read_all_rows(code, source, upper, (to, transaction));
            continue;
        };
        code.if_then(is_filled, |code| {
            let length = first_row_bytes(code.arch, element);
            for face in [0, element.tile_bytes() / 4] {
                let to = code.arith_const(Arith::Add, to, face.into());
                let part = (code.constant(face.into()), length);
                code.noc_read_part(source, part, to, transaction);
            }
        });
        let is_new = code.not(is_filled);
        code.if_then(is_new, |code| {
            read_all_rows(code, source, upper, (to, transaction))
        });
    }
}

/// Builds the read of a tile, or of a half of it, to its place in a tile at `l1`.
fn read_all_rows<'a>(
    code: &CodeBuilder<'_, 'a>,
    (page, tensor): (&Expr, Tensor),
    half: Option<Value<'a>>,
    (l1, transaction): (Value<'a>, Value<'a>),
) {
    let Some(half) = half else {
        return code.noc_read(0, page, tensor, l1, transaction);
    };
    let offset = half_offset(code, half, tensor.element);
    let to = code.arith(Arith::Add, l1, offset);
    let part = (offset, tensor.element.tile_bytes() / 2);
    code.noc_read_part((page, tensor), part, to, transaction);
}

/// Builds the write of what the piece computes of a tile, tile `number` of a rectangle.
pub fn write<'a>(
    code: &CodeBuilder<'_, 'a>,
    work: &Work,
    (tiles, number): (&TileRect, u32),
    l1: Value<'a>,
    transaction: Value<'a>,
) {
    let page = tiles.tile_at(number, false).page;
    let element = tiles.tensor.element;
    match work.row_half(code) {
        None => code.noc_write(&page, tiles.tensor, l1, transaction),
        Some(half) => {
            let part = (half_offset(code, half, element), element.tile_bytes() / 2);
            code.noc_write_part((&page, tiles.tensor), part, l1, transaction);
        }
    }
}

/// Returns the bytes that are read for the first row of a face: those of the row, in units of DRAM
/// accesses.
fn first_row_bytes(arch: Arch, element: Element) -> u32 {
    const ROW_ELEMENTS: u32 = 16;
    let unit = noc::layout(arch).dram_read_alignment;
    (ROW_ELEMENTS * element.bytes()).next_multiple_of(unit)
}
