//! Reductions across the chip: along the axis that lies along cycles, MABs, L1Bs and L2Bs.
//!
//! Each PE joins its vectors, then its cycles; on the way out `l1bmr` joins MABs, `l2bmr` L1Bs and
//! `mvr` all L2Bs, to PDM. From there `mvb`, `l2bmb` and `l1bmm` bring the one result to all PEs.
//! Sums are rounded after each of these, inside the networks once for each of their stages.
//!
//! The networks compare numbers only: extremes of integers go through them in two halves.
//!
//! Padding is told by the number of each column: a place in GRF0 holds, for each cycle, how many
//! columns come behind this one.

use tessera_isa_mncore::ast::Fixed;
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, L2bmOp, MvMode};

use super::apply::copy;
use super::product::line;
use super::reduce::{only, Builder, PARTIAL, SIGN};
use super::reduction::Reduction;
use super::shape::{CYCLES, L2BS, MABS, WIDE_STEP};
use super::{unsupported, CompileError};
use crate::functions::Function;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{
    Dest, Masking, Move, MoveMemory, MovePlace, Op, Operand, Place, Source,
};
use tessera_mncore_ir::kernel::Stage;

/// MABs of an L1B.
const MABS_OF_L1B: u32 = 16;
/// The tags of the MV instructions, which no stream has.
const OUT_TAG: u32 = 250;
const IN_TAG: u32 = 251;
/// Long words of a block that MV instructions move, and of what `l1bmr` gives in a step.
const BLOCK: u32 = 64;
const COLLECTED: u32 = 16;

impl Builder<'_> {
    /// The reductions of these numbers, across the results of others.
    pub(super) fn across(
        &mut self,
        own: &[usize],
        extent: u32,
    ) -> Result<Vec<Stage>, CompileError> {
        let mut stages = vec![self.begin(own, 1), self.behind(extent)];
        stages.extend(self.accumulate(own)?);
        for (slot, number) in own.iter().enumerate() {
            stages.push(self.network(slot, *number)?);
        }
        Ok(stages)
    }

    /// Counts the columns behind each one of the first vector.
    fn behind(&self, extent: u32) -> Stage {
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
        let place = behind();
        body.push(copy(), vec![left], vec![place.clone().into()]);
        for cycle in 1..CYCLES {
            let dest = Dest {
                mask: Some(only(cycle)),
                ..Dest::from(place.clone())
            };
            let inputs = vec![place.clone().into(), constant(cycle * L2BS * MABS)];
            body.push(int(AluKind::Sub), inputs, vec![dest]);
        }
        Stage::Loop("behind", body)
    }

    /// Joins the vectors of each PE.
    fn accumulate(&mut self, own: &[usize]) -> Result<Vec<Stage>, CompileError> {
        let reductions = self.reductions;
        self.arguments.set_shape(self.kept);
        let (mut elements, mut body, _) = self.elements();
        let mut values = Vec::new();
        for number in own {
            values.push(elements.values(&mut body, reductions[*number].of, None)?);
        }
        let int = |kind| Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
        let with = |word: u32| vec![behind().into(), Source::Constant(word).into()];
        // The vectors of an iteration, one after the other.
        for part in 0..values[0].len() {
            let flags = body.value(Width::Single, Home::Flags);
            body.push(int(AluKind::And), with(SIGN), vec![flags.into()]);
            body.push(int(AluKind::Sub), with(WIDE_STEP), vec![behind().into()]);
            for (slot, (number, values)) in own.iter().zip(&values).enumerate() {
                let reduction = &reductions[*number];
                let place = partial(slot);
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

    /// Joins cycles and everything above PEs, and brings the result back.
    fn network(&self, slot: usize, number: usize) -> Result<Stage, CompileError> {
        let reduction = &self.reductions[number];
        let location = reduction.expr.location;
        let body = Body::new(&self.around.counts(&self.kept), &[]);
        let mut chain = Chain { body, location };
        let joined = chain.of(reduction.cycles(), &[partial(slot).into()])?;
        let result = if reduction.is_extreme_of_integers() {
            extreme(&mut chain, reduction, joined)?
        } else {
            through(&mut chain.body, reduction, joined)
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

/// Functions of one location, one after the other.
struct Chain {
    body: Body,
    location: usize,
}

impl Chain {
    fn of(&mut self, function: Function, operands: &[Operand]) -> Result<Operand, CompileError> {
        let values = function.append(&mut self.body, operands);
        let values = values.map_err(|error| unsupported(self.location, error.to_string()))?;
        Ok(values[0].into())
    }
}

/// The extreme of integers, which the networks cannot compare: that of their upper halves as
/// numbers, then that of the lower halves of those that have this upper half.
fn extreme(
    chain: &mut Chain,
    reduction: &Reduction,
    integer: Operand,
) -> Result<Operand, CompileError> {
    const HALF: u32 = 16;
    let word = |word: u32| Operand::from(Source::Constant(word));
    let upper = chain.of(Function::IntShiftRight, &[integer.clone(), word(HALF)])?;
    let upper = chain.of(Function::FromInt, &[upper])?;
    let extreme = through(&mut chain.body, reduction, upper.clone());
    let has_it = chain.of(Function::Eq, &[upper, extreme.clone()])?;
    let lower = chain.of(Function::IntAnd, &[integer, word((1 << HALF) - 1)])?;
    let lower = chain.of(Function::FromInt, &[lower])?;
    let neutral = word(reduction.neutral_number().to_bits());
    let lower = chain.of(Function::Where, &[has_it, lower, neutral])?;
    let lower = through(&mut chain.body, reduction, lower);
    let halves = [extreme, lower].map(|half| chain.of(Function::ToInt, &[half]));
    let [upper, lower] = halves;
    let upper = chain.of(Function::IntShiftLeft, &[upper?, word(HALF)])?;
    chain.of(Function::IntOr, &[upper, lower?])
}

/// What the networks make of a value that is the same in all cycles, and bring back to all PEs.
fn through(body: &mut Body, reduction: &Reduction, value: Operand) -> Operand {
    // A block of the same long words: that is the least MV instructions move.
    for part in 0..BLOCK / COLLECTED {
        let op = L1bmOp {
            rrn: Some(reduction.network()),
            ..L1bmOp::new(L1bmKind::Reduce, false)
        };
        let to = Address::fixed(part * COLLECTED);
        body.push(Op::L1bm(op, to), vec![value.clone()], Vec::new());
    }
    for op in above(reduction) {
        body.push(op, Vec::new(), Vec::new());
    }
    let back = body.value(Width::Long, Home::Any);
    let down = L1bmOp::new(L1bmKind::Broadcast, false);
    body.push(
        Op::L1bm(down, Address::fixed(0)),
        Vec::new(),
        vec![back.into()],
    );
    back.into()
}

/// From L1BM to PDM and back.
fn above(reduction: &Reduction) -> [Op; 6] {
    let place = |memory, group| MovePlace {
        memory,
        address: Address::fixed(0),
        group,
        l2b: None,
    };
    let (pdm, l2bm) = (
        place(MoveMemory::Pdm, Some(0)),
        place(MoveMemory::L2bm, None),
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
        l2: Address::fixed(0),
        l1: Address::fixed(0),
    };
    let rrn = Some(reduction.network());
    [
        l2(L2bmKind::Reduce, rrn),
        transfer(MvMode::PdmReduce, rrn, OUT_TAG, l2bm.clone(), pdm.clone()),
        Op::Wait(Address::fixed(OUT_TAG)),
        transfer(MvMode::PdmBroadcast, None, IN_TAG, pdm, l2bm),
        Op::Wait(Address::fixed(IN_TAG)),
        l2(L2bmKind::Broadcast, None),
    ]
}

/// What vectors are joined to.
fn partial(slot: usize) -> Place {
    let address = slot as u32 * super::shape::VECTOR_WORDS;
    Place::consecutive(Bank::Grf0, Width::Long, address)
}

/// How many columns come behind each one: less than 0 for those that are padding.
fn behind() -> Place {
    Place::consecutive(Bank::Grf0, Width::Long, PARTIAL)
}
