//! The row side of a product with the depth over the MABs of an L1B: each MAB keeps its own depth
//! in LM1 as block floats.

use tessera_isa_mncore::layout::Place::{Address as Word, Group, Part};
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};

use super::place::place;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::geometry::{CYCLES, DOWN, L1BM_VECTOR, VECTOR_WORDS};
use crate::compile::data::mixed_radix::MatrixDigits;
use crate::compile::error::CompileError;
use crate::compile::gemm::arithmetic::Arithmetic;
use crate::compile::gemm::problem::Blocking;
use crate::compile::gemm::streamed_rows::{place_side, Side};
use crate::compile::scratchpad::{
    K_OVER_MABS_ROWS, RESIDENT_ROWS, RESIDENT_ROWS_L1BM, RESIDENT_ROW_TAGS,
};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Move, MoveMemory, Op, Operand, Place};

/// Maximum number of vectors, each with a slot of its own in L2BM.
pub(crate) const MAX_ROW_VECTORS: u32 = RESIDENT_ROWS.slots(L1BM_VECTOR);

// Two sides of a group.
const _: () = assert!(2 * MAX_ROW_VECTORS <= RESIDENT_ROW_TAGS.words);

/// Returns the vectors of the row side.
pub(crate) fn row_vectors(blocking: &Blocking) -> u32 {
    let distribution = &blocking.distribution;
    // An 8x8 tile is two vectors, with four of its rows each.
    2 * distribution.tiles * distribution.k_blocks / blocking.row_parts()
}

/// A row side of which each MAB has its own depth.
pub(super) struct ResidentRows {
    base: u32,
    /// Long words between the two L2Bs of a group.
    side: u32,
    /// The number of vectors, and those converted per iteration.
    count: u32,
    each: u32,
}

impl ResidentRows {
    /// Places the tensor. A vector has four rows of a tile in its cycles; in half precision, every
    /// other one of eight.
    pub fn place(
        arguments: &mut Arguments,
        blocking: &Blocking,
        of: &Side,
        arithmetic: Arithmetic,
    ) -> Result<Self, CompileError> {
        let distribution = &blocking.distribution;
        let (parts, span) = (blocking.row_parts(), distribution.span);
        let count = row_vectors(blocking);
        let side = (u64::from(count) * u64::from(L1BM_VECTOR)).next_power_of_two();
        let mut left = (parts, u64::from(L1BM_VECTOR));
        // In order of time: the innermost digit with more than one value selects the half of a
        // word.
        let mut next = |extent: u32| {
            let (parts, stride) = left;
            let own = parts.min(extent);
            left = (parts / own, stride * u64::from(extent / own));
            [(Part, own, 1), (Word, extent / own, stride)]
        };
        let neighbours = next(span);
        let (every_other, of_tile) = (next(span), next(2));
        let (tiles, depth) = (
            next(distribution.tiles / span),
            next(distribution.k_blocks / span),
        );
        let cycles = [(Word, CYCLES, 64)];
        let l2bs = [(Word, 2, side), (Group, 4, 1)];
        let rows = [&every_other[..], &cycles, &of_tile, &tiles, &l2bs].concat();
        let inner = [(Part, 2, parts.into()), (Word, 4, 1)];
        let mabs = [(Word, 16, 4)];
        let depth = [&inner[..], &neighbours, &mabs, &depth].concat();
        let matrices = MatrixDigits::of(2 * side);
        let (base, _) = place_side(arguments, of, [&rows, &depth], (&matrices, parts))?;
        let (vectors, blocks) = arithmetic.unit(blocking.bf16.rows);
        Ok(ResidentRows {
            base,
            side: side as u32,
            count,
            each: 2 * vectors / blocks,
        })
    }

    /// Returns the tag of the MV instruction for a side of the vector `ahead`.
    pub fn tag(walk: &[u32], side: u32, ahead: u32) -> Address {
        Address::affine(ahead, walk).with_ring(
            RESIDENT_ROW_TAGS.start + MAX_ROW_VECTORS * side,
            MAX_ROW_VECTORS,
        )
    }

    /// Returns the address of a vector in L2BM.
    pub fn l2bm(walk: &[u32], ahead: u32) -> Address {
        let steps: Vec<u32> = walk.iter().map(|step| step * L1BM_VECTOR).collect();
        Address::affine(ahead * L1BM_VECTOR, &steps)
            .with_ring(RESIDENT_ROWS.start, RESIDENT_ROWS.words)
    }

    /// Emits the MV instructions for the whole row side.
    pub fn fetch(&self, body: &mut Body) {
        for vector in 0..self.count {
            for side in 0..2 {
                let dram = Address::fixed(self.base + side * self.side + vector * L1BM_VECTOR);
                let op = Op::Mv(Move {
                    mode: MvMode::DramToL2bmEach,
                    rrn: None,
                    words: L1BM_VECTOR,
                    tag: ResidentRows::tag(&[], side, vector),
                    source: place(MoveMemory::Dram, dram, None),
                    target: place(
                        MoveMemory::L2bm,
                        ResidentRows::l2bm(&[], vector),
                        Some(side),
                    ),
                });
                body.push(op, Vec::new(), Vec::new());
            }
        }
    }

    /// Builds the loop that converts it to block floats, two vectors per iteration: in half
    /// precision every other row, in pseudo-single precision the rows of two `mwrite`s.
    pub fn make(&self, arithmetic: Arithmetic, halves: bool) -> Body {
        let mut body = Body::new(&[], &[self.count / self.each]);
        let walk = body.innermost_steps(self.each);
        let mut values: Vec<Operand> = Vec::new();
        for vector in 0..self.each {
            for side in 0..2 {
                let wait = Op::Wait(ResidentRows::tag(&walk, side, vector));
                body.push(wait, Vec::new(), Vec::new());
            }
            let slot = body.innermost_steps(self.each * L1BM_VECTOR);
            let l1 = Address::affine(vector * L1BM_VECTOR, &slot);
            let l1 = l1.with_ring(RESIDENT_ROWS_L1BM.start, RESIDENT_ROWS_L1BM.words);
            for part in 0..L1BM_VECTOR / DOWN {
                let op = Op::L2bm {
                    op: L2bmOp::new(L2bmKind::Broadcast),
                    l2: ResidentRows::l2bm(&walk, vector).offset_by(part * DOWN),
                    l1: l1.clone().offset_by(part * DOWN),
                };
                body.push(op, Vec::new(), Vec::new());
            }
            let down = Op::L1bm(L1bmOp::new(L1bmKind::Distribute, false), l1);
            if halves {
                let first = vector * 2 / self.each;
                let mut put = |body: &mut Body, own: u32, op: Op, input: Operand| {
                    let to = ResidentRows::made(body, arithmetic, first + own);
                    body.push(op, vec![input], vec![to.into()]);
                };
                arithmetic.convert_packed_vector_in_registers(&mut body, &down, vector, &mut put);
                continue;
            }
            let value = body.value(Width::Long, Home::Any);
            body.push(down, Vec::new(), vec![value.into()]);
            values.push(value.into());
        }
        let mut put = |body: &mut Body, number: u32, op: Op, input: Operand| {
            let to = ResidentRows::made(body, arithmetic, number);
            body.push(op, vec![input], vec![to.into()]);
        };
        arithmetic.convert_to_blocks(&mut body, values, &mut put);
        body
    }

    /// Returns the place of the block floats of one of an iteration's vectors.
    pub fn made(body: &Body, arithmetic: Arithmetic, number: u32) -> Place {
        let steps = body.innermost_steps(2 * VECTOR_WORDS);
        if arithmetic.precision() != Precision::Half {
            let address = Address::affine(K_OVER_MABS_ROWS.start + number * VECTOR_WORDS, &steps);
            return Place::consecutive(Bank::Lm1, Width::Long, address);
        }
        // The first or the second of two long words in each cycle.
        Place {
            bank: Bank::Lm1,
            width: Width::Long,
            address: Address::affine(
                K_OVER_MABS_ROWS.start + number * u32::from(Width::Long.words()),
                &steps,
            ),
            stride: Width::Double.words(),
        }
    }

    /// Returns the first matrix row of an `mwrite`, and its operand; `number` selects one of two.
    pub fn part(arithmetic: Arithmetic, tile: u32, number: u32) -> (u8, Place) {
        let vector = 2 * VECTOR_WORDS;
        if arithmetic.precision() != Precision::Half {
            let address = K_OVER_MABS_ROWS.start + tile * vector + number * VECTOR_WORDS;
            let place = Place::consecutive(Bank::Lm1, Width::Long, Address::fixed(address));
            return (4 * number as u8, place);
        }
        let address = Address::fixed(K_OVER_MABS_ROWS.start + (2 * tile + number) * vector);
        let place = Place::consecutive(Bank::Lm1, Width::Double, address);
        (8 * number as u8, place)
    }
}
