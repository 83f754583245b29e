//! The row side of a split-K product: vectors, of which each MAB has its own part.
//!
//! An 8x8 tile is two vectors with four of its rows each. Where a PE needs two long words per
//! cycle, they come from two vectors. bf16 elements of two vectors are packed into words and
//! unpacked in the PEs. Vectors are numbered through a block, tile by tile. The first vectors of a
//! block are fetched before the results of the previous block are stored; those of the first block
//! follow the column side.

use tessera_isa_mncore::layout::Place::{Address as Word, Group, Part};
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L2bmOp, MvMode};

use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::Distribution;
use crate::compile::data::geometry::{L1BM_VECTOR, L2BM_CYCLE, L2BM_VECTOR, TRANSFER};
use crate::compile::data::guards::Guards;
use crate::compile::data::mixed_radix::{DigitSpec, MatrixDigits};
use crate::compile::data::outer_loops::{add_loops, scaled, OuterLoops};
use crate::compile::data::vector_layout::SplitK;
use crate::compile::error::CompileError;
use crate::compile::gemm::arithmetic::{Arithmetic, TILE};
use crate::compile::gemm::loop_levels::{LoopLevels, PAIR};
use crate::compile::gemm::problem::Blocking;
use crate::compile::gemm::row_side::RowSide;
use crate::compile::gemm::streamed_rows::{fetch_next, place_side, Side};
use crate::compile::gemm::tile::TileForm;
use crate::compile::scratchpad::{SPLIT_K_ROWS, SPLIT_K_ROWS_L1BM, SPLIT_K_ROW_TAGS};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Move, MoveMemory, MovePlace, Op, Test};
use tessera_mncore_ir::kernel::Stage;

/// Slots of L2BM for these vectors.
const SLOTS: u32 = SPLIT_K_ROWS.slots(L2BM_VECTOR);

// Two sides of a group.
const _: () = assert!(2 * SLOTS <= SPLIT_K_ROW_TAGS.words);

/// The row side of a split-K product.
pub(crate) struct SplitKRows {
    base: u32,
    /// Offsets in long words: between the two L2Bs of a group, between blocks of rows, between
    /// matrices.
    side: u32,
    block: u32,
    matrix: u32,
    /// Vectors of a pair of tiles (or of the only tile), and vectors of a block.
    of_pair: u32,
    count: u32,
    /// How many of them are packed into one in DRAM.
    parts: u32,
}

impl SplitKRows {
    /// Places the tensor.
    pub fn place(
        arguments: &mut Arguments,
        blocking: &Blocking,
        of: &Side,
        (arithmetic, split): (Arithmetic, SplitK),
    ) -> Result<Self, CompileError> {
        let distribution = &blocking.distribution;
        let tile = arithmetic.tile_words(false);
        let parts = blocking.row_parts();
        let of_tile = 2 * tile / TILE / parts;
        let tiles = distribution.tiles / distribution.span;
        let count = of_tile * tiles * (distribution.k_blocks / distribution.span);
        let side = (u64::from(count) * u64::from(L2BM_VECTOR)).next_power_of_two();
        let block = 2 * side;
        let matrix = block * u64::from(distribution.i_blocks.next_power_of_two());
        let mut i = to_vector_digits(&arithmetic.row_digits(distribution.tiles, false), parts);
        let turn = u64::from(tiles * tile);
        let depth = to_vector_digits(&arithmetic.depth_digits(distribution.k_blocks, turn), parts);
        let (time, inner) = depth.split_last().expect("depth has digits");
        let k = [inner, &split.row_digits(side), &[*time]].concat();
        if !split.has_l2bs() {
            i.extend([(Word, 2, side), (Group, 4, 1)]);
        }
        i.push((Word, distribution.i_blocks, block));
        let matrices = MatrixDigits::of(matrix);
        let (base, matrix) = place_side(arguments, of, [&i, &k], (&matrices, parts))?;
        Ok(SplitKRows {
            base,
            side: side as u32,
            block: block as u32,
            matrix,
            of_pair: distribution.tiles_at_once() * of_tile,
            count,
            parts,
        })
    }

    /// Returns the MV instruction that fetches a side of a vector, given the address of its block.
    /// `walk` is the increment of the vector's number per dimension.
    fn fetch(&self, block: Address, walk: &[u32], side: u32, vector: u32) -> Op {
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        let dram = block.advanced_by(self.base + side * self.side + vector * L2BM_VECTOR);
        let l2bm = Address::affine(vector * L2BM_VECTOR, &scaled(walk, L2BM_VECTOR));
        let l2bm = l2bm.with_ring(SPLIT_K_ROWS.start, SLOTS * L2BM_VECTOR);
        Op::Mv(Move {
            mode: MvMode::DramToL2bmEach,
            rrn: None,
            words: L2BM_VECTOR,
            tag: tag(walk, side, vector),
            source: place(MoveMemory::Dram, dram, None),
            target: place(MoveMemory::L2bm, l2bm, Some(side as u8)),
        })
    }

    /// Returns the increments of the DRAM address in the loops over blocks.
    fn loops(&self, outer: &OuterLoops) -> [(Option<usize>, u32); 2] {
        [(outer.matrices, self.matrix), (outer.i, self.block)]
    }

    /// Emits the items that fetch the first vectors of the first block, in the last iteration of
    /// the loop that loads the column side.
    pub fn first(&self, body: &mut Body) {
        let own = body.trip.iter().map(|count| count - 1);
        let last = body.outer.iter().map(|_| 0).chain(own);
        let guard = |(dimension, index)| Guard {
            dimension,
            test: Test::Is(index),
        };
        let when: Guards = last.enumerate().map(guard).collect();
        self.fetch_first(body, &Address::fixed(0), &when);
    }

    /// Returns the stage that fetches the first vectors of the next block, if there is one.
    pub fn next(&self, around: &OuterLoops, distribution: &Distribution) -> Option<Stage> {
        let fetch = |body: &mut Body, block: &Address, when: &[Guard]| {
            self.fetch_first(body, block, when);
        };
        fetch_next(around, distribution, &self.loops(around), &fetch)
    }

    fn fetch_first(&self, body: &mut Body, block: &Address, when: &[Guard]) {
        for vector in 0..self.count.min(SLOTS) {
            for side in 0..2 {
                let op = self.fetch(block.clone(), &[], side, vector);
                body.push(op, Vec::new(), Vec::new()).when = when.to_vec();
            }
        }
    }

    /// Emits the transfers of a vector to L1BM.
    fn down(&self, body: &mut Body, walk: &[u32], l1: &Address, vector: u32) {
        let l2 = Address::affine(vector * L2BM_VECTOR, &scaled(walk, L2BM_VECTOR));
        let l2 = l2.with_ring(SPLIT_K_ROWS.start, SLOTS * L2BM_VECTOR);
        for part in 0..L2BM_VECTOR / TRANSFER.0 {
            let op = Op::L2bm {
                op: L2bmOp::new(L2bmKind::Distribute),
                l2: l2.clone().offset_by(part * TRANSFER.0),
                l1: l1
                    .clone()
                    .advanced_by(vector * L1BM_VECTOR)
                    .offset_by(part * TRANSFER.1),
            };
            body.push(op, Vec::new(), Vec::new());
        }
    }
}

impl RowSide for SplitKRows {
    fn form(&self) -> TileForm {
        TileForm::OwnVectors { parts: self.parts }
    }

    /// Emits the items that load the vectors of a pair of tiles to L1BM; returns their address
    /// there.
    fn load_pair(&self, body: &mut Body, levels: &LoopLevels) -> Address {
        let walk = scaled(&levels.index_in_all_chunks(PAIR), self.of_pair);
        let l1 = Address::affine(0, &scaled(&walk, L1BM_VECTOR));
        let l1 = l1.with_ring(SPLIT_K_ROWS_L1BM.start, SPLIT_K_ROWS_L1BM.words);
        let mut dram = scaled(&walk, L2BM_VECTOR);
        add_loops(&mut dram, &self.loops(&levels.outer));
        for vector in 0..self.of_pair {
            for side in 0..2 {
                let wait = Op::Wait(tag(&walk, side, vector));
                body.push(wait, Vec::new(), Vec::new());
            }
            self.down(body, &walk, &l1, vector);
            // The next vector for this slot.
            let later = vector + SLOTS;
            let bound = levels.count(PAIR).saturating_sub(later / self.of_pair);
            let ranges: Vec<Guards> = match bound {
                0 => Vec::new(),
                _ => levels.below(PAIR, bound),
            };
            for guards in ranges {
                for side in 0..2 {
                    let block = Address::affine(0, &dram);
                    let op = self.fetch(block, &walk, side, later);
                    body.push(op, Vec::new(), Vec::new())
                        .when
                        .clone_from(&guards);
                }
            }
        }
        l1
    }
}

/// Converts digits of a tile's long words to digits of vectors, `parts` of which are packed in
/// DRAM: bit 2 selects the second of two vectors, bits 3 and 4 are cycles.
fn to_vector_digits(digits: &[DigitSpec], parts: u32) -> Vec<DigitSpec> {
    let (vector, parts) = (u64::from(L2BM_VECTOR), u64::from(parts));
    let digit = |&(place, extent, stride): &DigitSpec| match (place, stride) {
        (Part, _) => (place, extent, parts * stride),
        (_, ..4) => (place, extent, stride),
        (_, 4) if parts == 2 => (Part, extent, 1),
        (_, 4) => (place, extent, vector),
        (_, 8 | 16) => (place, extent, stride / 8 * u64::from(L2BM_CYCLE)),
        _ => (place, extent, stride / u64::from(TILE) * 2 / parts * vector),
    };
    digits.iter().map(digit).collect()
}

/// Returns the tag of the MV instruction for a side of a vector.
fn tag(walk: &[u32], side: u32, vector: u32) -> Address {
    Address::affine(vector, walk).with_ring(SPLIT_K_ROW_TAGS.start + SLOTS * side, SLOTS)
}
