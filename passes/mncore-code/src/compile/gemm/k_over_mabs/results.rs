//! Results of a product with the depth over the MABs of an L1B: reduced, and packed if they are
//! bf16.

use tessera_isa_mncore::layout::Place::{Address as Word, Group, Part};
use tessera_isa_mncore::memory::Width;
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L1bmOp, L2bmOp, MvMode};

use super::place::place;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::geometry::{CYCLES, L1BM_VECTOR, L1BS, TRANSFER};
use crate::compile::data::mixed_radix::{distribute_over_l1bs, DigitSpec, MatrixDigits};
use crate::compile::data::reduced_sums::ADD;
use crate::compile::error::CompileError;
use crate::compile::gemm::problem::Blocking;
use crate::compile::gemm::streamed_rows::{place_side, Side};
use crate::compile::scratchpad::{
    K_OVER_MABS_PACKED_L1BM as PACKED, K_OVER_MABS_SUMS_L1BM as SUMS, RESULTS, RESULT_TAGS,
};
use crate::functions::to_bf16;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Guard, Move, MoveMemory, Op, Operand, Test, Value};

/// Maximum number of sums per block, of eight rows and four columns each.
pub(crate) const MAX_SUMS: u32 = 16;
/// Long words of such a sum after `l1bmr`.
const SUM: u32 = 4 * CYCLES;
/// Long words of a block of sums in L1BM, with space that is read beyond them.
const SUMS_SLOT: u32 = 512;
/// Long words of a block of results in L2BM, and slots.
const RESULTS_SLOT: u32 = 2048;
const RESULTS_SLOTS: u32 = RESULTS.slots(RESULTS_SLOT);

// Two sides of a group.
const _: () = assert!(2 * RESULTS_SLOTS <= RESULT_TAGS.words);

/// Returns whether both halves of the results begin at a cycle of a vector.
pub(crate) fn halves_are_aligned(blocking: &Blocking) -> bool {
    let cycle = L1BM_VECTOR / CYCLES;
    !blocking.bf16.result || stored_words(blocking) % cycle == 0
}

/// Returns the long words of a block's results, as stored, in an L1BM.
pub(crate) fn stored_words(blocking: &Blocking) -> u32 {
    let words = blocking.distribution.vectors() * SUM;
    if blocking.bf16.result {
        words / 2
    } else {
        words
    }
}

/// The results.
pub(super) struct Results {
    base: u32,
    side: u32,
    /// Long words of a block in an L1BM.
    words: u32,
    halves: bool,
}

impl Results {
    /// Places the tensor, block by block as in L2BM.
    pub fn place(
        arguments: &mut Arguments,
        blocking: &Blocking,
        of: &Side,
    ) -> Result<Self, CompileError> {
        let distribution = &blocking.distribution;
        let (halves, span) = (blocking.bf16.result, distribution.span);
        let parts = if halves { 2 } else { 1 };
        let words = stored_words(blocking);
        let block = u64::from(words * 8);
        let side = block * u64::from(distribution.j_blocks.next_power_of_two());
        let sum = u64::from(SUM * span);
        let tiles = distribution.tiles / span;
        let cycle = u64::from(SUM * span / CYCLES);
        let word = [(Part, 2, parts.into())];
        let of_tile: &[DigitSpec] = if span == 2 {
            &[(Word, 2, 4), (Word, 4, 1)]
        } else {
            &[(Word, 4, 1)]
        };
        let tiles =
            distribute_over_l1bs(&[(Word, tiles / parts, u64::from(distribution.steps) * sum)]);
        let both = [(Part, parts, 1)];
        let l2bs = [(Word, 2, side), (Group, 4, 1)];
        let rows = [&word[..], of_tile, &tiles, &both, &l2bs].concat();
        let columns = [
            distribute_over_l1bs(&[(Word, CYCLES, cycle)]),
            vec![(Word, L1BS, u64::from(L1BS))],
            distribute_over_l1bs(&[(Word, distribution.steps, sum)]),
            vec![(Word, distribution.j_blocks, block)],
        ]
        .concat();
        let matrices = MatrixDigits::of(2 * side);
        let (base, _) = place_side(arguments, of, [&rows, &columns], (&matrices, parts))?;
        Ok(Results {
            base,
            side: side as u32,
            words,
            halves,
        })
    }

    /// Returns the tag of the MV instruction for a side of a block.
    pub fn tag(side: u32, block: Address) -> Address {
        block.with_ring(RESULT_TAGS.start + RESULTS_SLOTS * side, RESULTS_SLOTS)
    }

    /// Emits the reduction of a sum over all MABs. `number` is its index, `span` its number of
    /// eight rows.
    pub fn reduce_sum(body: &mut Body, sum: Value, (number, span): (u32, u32)) {
        let op = L1bmOp {
            rrn: Some(ADD),
            ..L1bmOp::new(L1bmKind::Reduce, body.kind(sum).width == Width::Double)
        };
        let to = Results::sums(body).offset_by(number * SUM * span);
        body.push(Op::L1bm(op, to), vec![sum.into()], Vec::new());
    }

    /// Returns the address of sums in L1BM.
    pub fn sums(body: &Body) -> Address {
        Address::affine(0, &body.innermost_steps(SUMS_SLOT)).with_ring(SUMS.start, SUMS.words)
    }

    /// Emits the items that store the reduced sums of a block.
    pub fn store(&self, body: &mut Body) {
        let from = if self.halves {
            self.pack(body)
        } else {
            Results::sums(body)
        };
        let time = body.dimensions() - 1;
        let walk = body.innermost_steps(1);
        for side in 0..2 {
            let wait = Op::Wait(Results::tag(side, Address::affine(0, &walk)));
            body.push(wait, Vec::new(), Vec::new()).when.push(Guard {
                dimension: time,
                test: Test::From(RESULTS_SLOTS),
            });
        }
        let slot = body.innermost_steps(RESULTS_SLOT);
        let l2 = Address::affine(0, &slot).with_ring(RESULTS.start, RESULTS_SLOTS * RESULTS_SLOT);
        for part in 0..self.words / TRANSFER.1 {
            let op = Op::L2bm {
                op: L2bmOp::new(L2bmKind::Collect),
                l2: l2.clone().offset_by(part * TRANSFER.0),
                l1: from.clone().offset_by(part * TRANSFER.1),
            };
            body.push(op, Vec::new(), Vec::new());
        }
        let words = 8 * self.words;
        for side in 0..2 {
            let dram = Address::affine(self.base + side * self.side, &body.innermost_steps(words));
            let op = Op::Mv(Move {
                mode: MvMode::L2bmToDramEach,
                rrn: None,
                words,
                tag: Results::tag(side, Address::affine(0, &walk)),
                source: place(MoveMemory::L2bm, l2.clone(), Some(side)),
                target: place(MoveMemory::Dram, dram, None),
            });
            body.push(op, Vec::new(), Vec::new());
        }
    }

    /// Emits the items that pack two results into one. Data after the results is packed as well,
    /// but not stored.
    pub fn pack(&self, body: &mut Body) -> Address {
        let both = [0, self.words].map(|first| {
            let value = body.value(Width::Long, Home::Any);
            let down = L1bmOp::new(L1bmKind::Distribute, false);
            let from = Results::sums(body).offset_by(first);
            body.push(Op::L1bm(down, from), Vec::new(), vec![value.into()]);
            Operand::from(value)
        });
        let packed = to_bf16(body, &both[0], &both[1]);
        let slot = body.innermost_steps(L1BM_VECTOR);
        let to = Address::affine(0, &slot).with_ring(PACKED.start, PACKED.words);
        let up = L1bmOp::new(L1bmKind::Collect, false);
        let packed = packed.into_iter().map(Operand::from).collect();
        body.push(Op::L1bm(up, to.clone()), packed, Vec::new());
        to
    }

    /// Returns the `wait`s for the last blocks.
    pub fn wait(blocks: u32) -> Body {
        let mut body = Body::new(&[], &[]);
        for block in blocks.saturating_sub(RESULTS_SLOTS)..blocks {
            for side in 0..2 {
                let wait = Op::Wait(Results::tag(side, Address::fixed(block)));
                body.push(wait, Vec::new(), Vec::new());
            }
        }
        body
    }
}
