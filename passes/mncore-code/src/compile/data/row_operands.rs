//! Row operands: tensors with one row for all rows of the result, such as the scale of a
//! normalisation, in kernels of several stages.
//!
//! Columns of the result are in words, PEs and time. So all MABs need the same long word in each
//! PE, and it serves all cycles of a vector. A vector in DRAM would repeat it 512 times. Instead
//! the row is loaded once, before all other loops, and stays in LM1: `mvb` brings it to all L2Bs,
//! `l2bmb` to all L1Bs, and a step of `l1bmm` brings the words of four vectors to all MABs.

use tessera_isa_mncore::layout::{LayoutError, Place as Digits};
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};

use super::distribution::Distribution;
use super::geometry::{CYCLES, DOWN, ROW};
use super::mixed_radix::{digits, distribute_over_groups, dram, MatrixDigits};
use super::outer_loops::{add_loops, OuterLoops};
use super::tensor_use::{Role, TensorUse};
use crate::compile::scratchpad::{ROW_OPERANDS, STREAMS, STREAMS_L1BM, STREAM_TAGS};
use tessera_isa_mncore::layout::Layout;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Move, MoveMemory, MovePlace, Op, Place, Test};
use tessera_mncore_ir::kernel::Stage;

/// Single words of a vector in each PE, which serve all its cycles.
const WORDS: u32 = 2;
/// Long words of a vector in L2BM and L1BM.
const LONG_WORDS: u32 = ROW / 2;
/// Vectors that `l2bmb` loads in a step, and `l1bmm`.
const VECTORS_DOWN: u32 = DOWN / LONG_WORDS;
const VECTORS_TO_PES: u32 = CYCLES;

// The rows pass through L2BM and L1BM side by side.
const _: () = {
    let long_words = ROW_OPERANDS.words / WORDS * LONG_WORDS;
    assert!(long_words <= STREAMS_L1BM.words && STREAMS_L1BM.words <= STREAMS.words);
};

/// A row operand in LM1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowOperand {
    /// Its number among those of the kernel.
    number: u32,
    /// The first of its vectors among those of all row operands, and their number.
    first: u32,
    vectors: u32,
    /// Its first long word in each group's DRAM.
    base: u32,
}

impl RowOperand {
    /// Returns whether a loop with this distribution can read a tensor as a row operand.
    pub fn is_one(r#use: &TensorUse, distribution: &Distribution) -> bool {
        let has_columns = r#use.rows == Role::I || r#use.columns == Role::I;
        has_columns
            && r#use.is_broadcast(Role::J)
            && !r#use.is_broadcast(Role::I)
            && !r#use.has_own_matrices()
            && distribution.steps == 1
            && !distribution.rows_over_cycles
    }

    /// Creates the next row operand after others, if LM1 and the tags suffice.
    pub fn next(others: &[RowOperand], r#use: &TensorUse, base: u64) -> Option<Self> {
        // The vectors of products are a multiple of 32, or fewer.
        let vectors = r#use.extent(Role::I).div_ceil(ROW).next_multiple_of(32);
        let number = others.len() as u32;
        let first = others.last().map_or(0, |last| last.first + last.vectors);
        let fits = (first + vectors) * WORDS <= ROW_OPERANDS.words && number < STREAM_TAGS.words;
        fits.then_some(RowOperand {
            number,
            first,
            vectors,
            base: u32::try_from(base).ok()?,
        })
    }

    /// Returns its layout in DRAM.
    pub fn layout(&self, r#use: &TensorUse) -> Result<Layout, LayoutError> {
        let own = distribute_over_groups(&[
            (Digits::Part, 2, 1),
            (Digits::Address, LONG_WORDS, 1),
            (Digits::Address, self.vectors, LONG_WORDS.into()),
        ]);
        let lists = [r#use.rows, r#use.columns].map(|role| match role {
            Role::I => &own[..],
            Role::J | Role::K => &[],
        });
        let matrices = MatrixDigits::of(u64::from(self.long_words()) / 4);
        let spec = dram(self.base.into(), matrices.stride, 1, lists)?;
        let mut spec = matrices.add_to(spec, r#use.tensor.matrices, false);
        let extents = [("r", r#use.tensor.rows), ("c", r#use.tensor.columns)];
        for ((name, extent), list) in extents.into_iter().zip(lists) {
            spec = spec.with_dim(name, extent.into(), &digits(list));
        }
        spec.build()
    }

    /// Returns its places for the `width` vectors of an iteration of a loop over all vectors.
    pub fn places(
        &self,
        body: &Body,
        (around, distribution): (&OuterLoops, &Distribution),
        width: u32,
    ) -> Vec<Place> {
        let mut steps = body.innermost_steps(width * WORDS);
        add_loops(&mut steps, &[(around.i, distribution.vectors() * WORDS)]);
        let first = ROW_OPERANDS.start + self.first * WORDS;
        let place = |part| Place {
            bank: Bank::Lm1,
            width: Width::Long,
            address: Address::affine(first + part * WORDS, &steps),
            stride: 0,
        };
        (0..width).map(place).collect()
    }

    fn long_words(&self) -> u32 {
        self.vectors * LONG_WORDS
    }

    fn tag(&self) -> Address {
        Address::fixed(STREAM_TAGS.start + self.number)
    }

    /// Returns its first long word in a buffer of all row operands.
    fn offset(&self) -> u32 {
        self.first * LONG_WORDS
    }

    /// Returns the MV instruction that brings it to all L2Bs.
    fn fetch(&self) -> Op {
        let place = |memory, address| MovePlace {
            memory,
            address: Address::fixed(address),
            group: None,
            l2b: None,
        };
        Op::Mv(Move {
            mode: MvMode::DramBroadcast,
            rrn: None,
            words: self.long_words(),
            tag: self.tag(),
            source: place(MoveMemory::Dram, self.base),
            target: place(MoveMemory::L2bm, STREAMS.start + self.offset()),
        })
    }

    /// Returns the loop that brings it from L2BM to LM1.
    fn load(&self) -> Stage {
        let mut body = Body::new(&[], &[self.vectors / VECTORS_DOWN]);
        let at = |offset: u32, step: u32| Address::affine(offset, &[step]);
        let guard = Guard {
            dimension: 0,
            test: Test::Is(0),
        };
        let wait = body.push(Op::Wait(self.tag()), Vec::new(), Vec::new());
        wait.when.push(guard);
        let l1 = at(STREAMS_L1BM.start + self.offset(), DOWN);
        let down = Op::L2bm {
            op: L2bmOp::new(L2bmKind::Broadcast),
            l2: at(STREAMS.start + self.offset(), DOWN),
            l1: l1.clone(),
        };
        body.push(down, Vec::new(), Vec::new());
        for vector in (0..VECTORS_DOWN).step_by(VECTORS_TO_PES as usize) {
            let from = l1.clone().advanced_by(vector * LONG_WORDS);
            let to_pes = Op::L1bm(L1bmOp::new(L1bmKind::Broadcast, false), from);
            let first = ROW_OPERANDS.start + (self.first + vector) * WORDS;
            let to = Place::consecutive(Bank::Lm1, Width::Long, at(first, VECTORS_DOWN * WORDS));
            body.push(to_pes, Vec::new(), vec![to.into()]);
        }
        Stage::Loop("row_operand", body)
    }
}

/// Returns the stages that load row operands.
pub(crate) fn load_stages(all: &[RowOperand]) -> Vec<Stage> {
    if all.is_empty() {
        return Vec::new();
    }
    let mut fetch = Body::new(&[], &[]);
    for one in all {
        fetch.push(one.fetch(), Vec::new(), Vec::new());
    }
    let fetch = Stage::Loop("fetch", fetch);
    std::iter::once(fetch)
        .chain(all.iter().map(RowOperand::load))
        .collect()
}
