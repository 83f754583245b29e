//! Reductions across the chip: along the axis that cycles, MABs, L1Bs and L2Bs hold.
//!
//! Each PE combines its vectors, then its cycles. On the way out `l1bmr` combines MABs, `l2bmr`
//! L1Bs and `mvr` all L2Bs, into PDM. From there `mvb`, `l2bmb` and `l1bmm` broadcast the single
//! result to all PEs. Sums are rounded after each of these stages, within a network once per level.
//!
//! The networks compare floats only. Maxima and minima of integers pass through them in two halves.
//!
//! Padding is recognised by column number: a place in GRF0 holds, for each cycle, the number of
//! columns that follow.

use tessera_isa_mncore::ast::Fixed;
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, L2bmOp, MvMode};

use super::loops::{cycle_mask, ReductionBuilder, SIGN_BIT};
use super::reduction::Reduction;
use crate::compile::data::geometry::{CYCLES, L2BS, MABS, VECTOR_WORDS, WIDE_STEP};
use crate::compile::elementwise::apply::copy;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::scratchpad::{
    ACCUMULATORS, FOLLOWING_COLUMNS, NETWORK, NETWORK_L1BM, NETWORK_PDM, REDUCTION_IN_TAG,
    REDUCTION_OUT_TAG,
};
use crate::compile::stages::line;
use crate::functions::Function;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{
    Dest, Masking, Move, MoveMemory, MovePlace, Op, Operand, Place, Source,
};
use tessera_mncore_ir::kernel::Stage;

/// MABs of an L1B.
const MABS_OF_L1B: u32 = 16;
/// Long words of a block, the unit of MV instructions, and long words that `l1bmr` yields in a
/// step.
const BLOCK: u32 = 64;
const COLLECTED: u32 = 16;

impl ReductionBuilder<'_> {
    /// Returns the stages of the given reductions across the results of others.
    pub(crate) fn reduce_across_chip(
        &mut self,
        own: &[usize],
        extent: u32,
    ) -> Result<Vec<Stage>, CompileError> {
        let mut stages = vec![
            self.init_accumulators(own, 1),
            self.count_following_columns(extent),
        ];
        stages.extend(self.accumulate(own)?);
        for (slot, number) in own.iter().enumerate() {
            stages.push(self.network(slot, *number)?);
        }
        Ok(stages)
    }

    /// Returns the stage that counts, for each column of the first vector, the columns that follow.
    fn count_following_columns(&self, extent: u32) -> Stage {
        let mut body = Body::new(&self.around.counts(&self.kept), &[]);
        let int = |kind| Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
        let constant = |word: u32| Operand::from(Source::Constant(word));
        let value = |body: &mut Body, kind, inputs| {
            let value = body.value(Width::Long, Home::Any);
            body.push(int(kind), inputs, vec![value.into()]);
            Operand::from(value)
        };
        let mut left = constant(extent - 1);
        let l1b = MABS_OF_L1B.trailing_zeros();
        let l2b = MABS.trailing_zeros();
        for (place, shift) in [(Fixed::MabId, 0), (Fixed::L1bId, l1b), (Fixed::L2bId, l2b)] {
            let inputs = vec![Source::Fixed(place).into(), constant(shift)];
            let number = value(&mut body, AluKind::Lsl, inputs);
            left = value(&mut body, AluKind::Sub, vec![left, number]);
        }
        let place = following_columns();
        body.push(copy(), vec![left], vec![place.clone().into()]);
        for cycle in 1..CYCLES {
            let dest = Dest {
                mask: Some(cycle_mask(cycle)),
                ..Dest::from(place.clone())
            };
            let inputs = vec![place.clone().into(), constant(cycle * L2BS * MABS)];
            body.push(int(AluKind::Sub), inputs, vec![dest]);
        }
        Stage::Loop("following_columns", body)
    }

    /// Returns the stages that combine the vectors of each PE.
    fn accumulate(&mut self, own: &[usize]) -> Result<Vec<Stage>, CompileError> {
        let reductions = self.reductions;
        self.arguments.set_distribution(self.kept);
        let (mut elements, mut body, _) = self.elements();
        let mut values = Vec::new();
        for number in own {
            values.push(elements.values(&mut body, reductions[*number].of, None)?);
        }
        let int = |kind| Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
        let with = |word: u32| vec![following_columns().into(), Source::Constant(word).into()];
        // The vectors of an iteration, one after the other.
        for part in 0..values[0].len() {
            let flags = body.value(Width::Single, Home::Flags);
            body.push(int(AluKind::And), with(SIGN_BIT), vec![flags.into()]);
            body.push(
                int(AluKind::Sub),
                with(WIDE_STEP),
                vec![following_columns().into()],
            );
            for (slot, (number, values)) in own.iter().zip(&values).enumerate() {
                let reduction = &reductions[*number];
                let place = accumulator(slot);
                let masked = Dest {
                    mask: Some(Masking::Flags(flags)),
                    ..Dest::from(place.clone())
                };
                let inputs = vec![values[part].clone(), place.into()];
                body.push(reduction.op(), inputs, vec![masked]).line =
                    line(reduction.expr.location);
            }
        }
        Ok(elements.stages("across", body))
    }

    /// Returns the stage that combines cycles and everything above PEs, and broadcasts the result.
    fn network(&self, slot: usize, number: usize) -> Result<Stage, CompileError> {
        let reduction = &self.reductions[number];
        let location = reduction.expr.location;
        let body = Body::new(&self.around.counts(&self.kept), &[]);
        let mut chain = Chain { body, location };
        let joined = chain.apply(reduction.cycle_function(), &[accumulator(slot).into()])?;
        let result = if reduction.is_extreme_of_integers() {
            integer_extreme(&mut chain, reduction, joined)?
        } else {
            reduce_through_networks(&mut chain.body, reduction, joined)
        };
        let mut body = chain.body;
        let place = self.place(&body, Bank::Lm1, number);
        body.push(copy(), vec![result], vec![place.into()]);
        body.items
            .iter_mut()
            .for_each(|item| item.line = line(location));
        Ok(Stage::Loop("network", body))
    }
}

/// Applies functions that share a source location.
struct Chain {
    body: Body,
    location: usize,
}

impl Chain {
    fn apply(&mut self, function: Function, operands: &[Operand]) -> Result<Operand, CompileError> {
        let values = function.append(&mut self.body, operands);
        let values = values.map_err(|error| unsupported(self.location, error.to_string()))?;
        Ok(values[0].into())
    }
}

/// Emits the maximum or minimum of integers: first of their upper halves as floats, then of the
/// lower halves of those with the extreme upper half.
fn integer_extreme(
    chain: &mut Chain,
    reduction: &Reduction,
    integer: Operand,
) -> Result<Operand, CompileError> {
    const HALF: u32 = 16;
    let word = |word: u32| Operand::from(Source::Constant(word));
    let upper = chain.apply(Function::IntShiftRight, &[integer.clone(), word(HALF)])?;
    let upper = chain.apply(Function::FromInt, &[upper])?;
    let extreme = reduce_through_networks(&mut chain.body, reduction, upper.clone());
    let has_it = chain.apply(Function::Eq, &[upper, extreme.clone()])?;
    let lower = chain.apply(Function::IntAnd, &[integer, word((1 << HALF) - 1)])?;
    let lower = chain.apply(Function::FromInt, &[lower])?;
    let neutral = word(reduction.neutral_number().to_bits());
    let lower = chain.apply(Function::Where, &[has_it, lower, neutral])?;
    let lower = reduce_through_networks(&mut chain.body, reduction, lower);
    let halves = [extreme, lower].map(|half| chain.apply(Function::ToInt, &[half]));
    let [upper, lower] = halves;
    let upper = chain.apply(Function::IntShiftLeft, &[upper?, word(HALF)])?;
    chain.apply(Function::IntOr, &[upper, lower?])
}

/// Emits the reduction of a value that is the same in all cycles through the networks, and its
/// broadcast to all PEs.
fn reduce_through_networks(body: &mut Body, reduction: &Reduction, value: Operand) -> Operand {
    // MV instructions move at least a block: it holds copies of the same long words.
    for part in 0..BLOCK / COLLECTED {
        let op = L1bmOp {
            rrn: Some(reduction.network()),
            ..L1bmOp::new(L1bmKind::Reduce, false)
        };
        let to = Address::fixed(NETWORK_L1BM.start + part * COLLECTED);
        body.push(Op::L1bm(op, to), vec![value.clone()], Vec::new());
    }
    for op in network_ops(reduction) {
        body.push(op, Vec::new(), Vec::new());
    }
    let back = body.value(Width::Long, Home::Any);
    let down = L1bmOp::new(L1bmKind::Broadcast, false);
    body.push(
        Op::L1bm(down, Address::fixed(NETWORK_L1BM.start)),
        Vec::new(),
        vec![back.into()],
    );
    back.into()
}

/// Returns the operations from L1BM to PDM and back.
fn network_ops(reduction: &Reduction) -> [Op; 6] {
    let place = |memory, address, group| MovePlace {
        memory,
        address: Address::fixed(address),
        group,
        l2b: None,
    };
    let (pdm, l2bm) = (
        place(MoveMemory::Pdm, NETWORK_PDM.start, Some(0)),
        place(MoveMemory::L2bm, NETWORK.start, None),
    );
    let transfer = |mode, rrn, tag, source, target| {
        Op::Mv(Move {
            mode,
            rrn,
            words: BLOCK,
            tag: Address::fixed(tag),
            source,
            target,
        })
    };
    let l2 = |kind, rrn| Op::L2bm {
        op: L2bmOp {
            rrn,
            ..L2bmOp::new(kind)
        },
        l2: Address::fixed(NETWORK.start),
        l1: Address::fixed(NETWORK_L1BM.start),
    };
    let rrn = Some(reduction.network());
    let (out, back) = (REDUCTION_OUT_TAG.start, REDUCTION_IN_TAG.start);
    [
        l2(L2bmKind::Reduce, rrn),
        transfer(MvMode::PdmReduce, rrn, out, l2bm.clone(), pdm.clone()),
        Op::Wait(Address::fixed(out)),
        transfer(MvMode::PdmBroadcast, None, back, pdm, l2bm),
        Op::Wait(Address::fixed(back)),
        l2(L2bmKind::Broadcast, None),
    ]
}

/// Returns the accumulator of a reduction.
fn accumulator(slot: usize) -> Place {
    let address = ACCUMULATORS.start + slot as u32 * VECTOR_WORDS;
    Place::consecutive(Bank::Grf0, Width::Long, address)
}

/// Returns the place with the number of following columns; negative for padding.
fn following_columns() -> Place {
    Place::consecutive(Bank::Grf0, Width::Long, FOLLOWING_COLUMNS.start)
}
