//! The loops of a kernel with reductions.
//!
//! The reduced axis is mapped to words, PEs and time, the kept axis to MABs, L1Bs and L2Bs; cycles
//! hold the one or the other. Each PE reduces its part alone. The partial results are then combined
//! within a MAB, and every PE has the result of its columns, where following operations need it.
//!
//! | loop | does |
//! |---|---|
//! | `valid` | computes which elements of the last vectors are padding |
//! | `begin` | stores the neutral elements to GRF0 |
//! | `reduce` | computes the operand, vector by vector, and accumulates it |
//! | `combine` | combines words, PEs and cycles of the reduced axis; results go to LM1 |
//! | `following_columns`, `across`, `network` | reduce these results across the chip: see `chip_reduction.rs` |
//! | `elements` | computes what follows and stores the result |
//!
//! Reductions that depend on others form later *sweeps* over the data. A tensor is reloaded for
//! each sweep unless LM0 can hold all of its vectors.
//!
//! Sums are rounded after each addition. In each word of a PE an eighth of the elements is summed
//! sequentially, or a quarter of that in each of four cycles, which are combined next. The two
//! words follow, then the PEs.

use tessera_isa_mncore::ast::{Fixed, Mask};
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_pto::kernel::Axis;

use super::form::Form;
use super::reduction::Reduction;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::{Distribution, Extents};
use crate::compile::data::geometry::{ROW, VECTOR_WORDS, WIDE_STEP};
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::tensor_use::{Role, TensorUse};
use crate::compile::elementwise::apply::{as_value, copy};
use crate::compile::elementwise::elements::Elements;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::kernel::Kernel;
use crate::compile::scratchpad::{ACCUMULATORS, KEPT_TENSORS, PADDING_FLAGS, REDUCTION_RESULTS};
use crate::compile::stages::{line, repeat};
use crate::raise::{BroadcastView, Expr, ExprKind, Store};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Guard, Masking, Op, Operand, Place, Source, Test};
use tessera_mncore_ir::kernel::Stage;

/// Words of GRF0 for accumulators.
const ACCUMULATOR_WORDS: u32 = ACCUMULATORS.words;
/// Words of LM1 for results.
const RESULT_WORDS: u32 = REDUCTION_RESULTS.words;
/// The sign bit of a word.
pub(crate) const SIGN_BIT: u32 = 1 << 31;

/// Maximum number of vectors per block if one block must hold all columns.
const MAX_STEPS: u32 = 32;
/// A kernel with reductions under construction.
pub(crate) struct ReductionBuilder<'a> {
    store: &'a Store,
    pub reductions: &'a [Reduction<'a>],
    roles: [Role; 2],
    /// The distribution of results: one row tile.
    pub kept: Distribution,
    /// The distribution of the stored tensor.
    pub end: Distribution,
    /// Whether some tensors have bf16 elements.
    has_bf16: bool,
    pub around: OuterLoops,
    pub arguments: Arguments<'a>,
    /// Tensors whose vectors LM0 holds completely.
    residents: Vec<ResidentTensor>,
}

/// The loops of reductions.
pub(crate) struct ReductionStages {
    /// Those before all blocks.
    pub first: Vec<Stage>,
    /// Those of each block.
    pub block: Vec<Stage>,
}

/// A tensor resident in LM0.
#[derive(Clone, Copy, Debug)]
struct ResidentTensor {
    tensor: usize,
    broadcast: BroadcastView,
    /// The distribution over whose vectors loops must run.
    distribution: Distribution,
    /// Its first word.
    first: u32,
}

impl ResidentTensor {
    /// Returns its places for the vectors of an iteration.
    fn places(&self, body: &Body, width: u32) -> Vec<Place> {
        let place = |part| {
            let steps = body.innermost_steps(width * VECTOR_WORDS);
            let address = Address::affine(self.first + part * VECTOR_WORDS, &steps);
            Place::consecutive(Bank::Lm0, Width::Long, address)
        };
        (0..width).map(place).collect()
    }
}

impl<'a> ReductionBuilder<'a> {
    pub fn new(
        mut arguments: Arguments<'a>,
        store: &'a Store,
        (axis, form): (Axis, Form),
        reductions: &'a [Reduction<'a>],
    ) -> Result<Self, CompileError> {
        let result = arguments.tensor(store.tensor);
        let (roles, i, j) = match axis {
            Axis::Columns => ([Role::J, Role::I], result.columns, result.rows),
            Axis::Rows => ([Role::I, Role::J], result.rows, result.columns),
        };
        let of = |i, j, form: Form| {
            form.distribution(&Extents {
                matrices: result.matrices,
                i,
                j,
                k: 0,
            })
        };
        let mut across = reductions.iter().filter(|one| one.is_across);
        let (distribution, kept) = match across.next() {
            None => {
                let distribution = of(i, j, form);
                (
                    distribution,
                    Distribution {
                        tiles: 1,
                        ..distribution
                    },
                )
            }
            Some(first) => {
                if let Some(other) = across.find(|other| other.extent != first.extent) {
                    return Err(unsupported(other.expr.location, format!("reductions along {} and along {} elements of the second axis in one group have no code for MN-Core 2; compile with fusion=none", first.extent, other.extent)));
                }
                let whole = Form::OverL2bs {
                    steps: MAX_STEPS,
                    tall: false,
                };
                let of = |i, j| of(i, j, whole);
                let (end, kept) = (of(i, j), of(1, first.extent));
                if end.j_blocks > 1 || kept.j_blocks > 1 {
                    let (location, most) = (first.expr.location, MAX_STEPS * WIDE_STEP);
                    return Err(unsupported(location, format!("a reduction along both axes has no code for MN-Core 2 if there are more than {most} elements along the second one, {}; make a group of each axis", first.extent.max(j))));
                }
                (end, kept)
            }
        };
        let words = kept.steps * VECTOR_WORDS * reductions.len() as u32;
        if words > RESULT_WORDS {
            return Err(unsupported(
                reductions[0].expr.location,
                format!(
                    "{} reductions in one group have results of {words} words in each PE, of \
                     which there are {RESULT_WORDS}; compile with fusion=none",
                    reductions.len()
                ),
            ));
        }
        arguments.set_distribution(distribution);
        let mut builder = ReductionBuilder {
            store,
            reductions,
            roles,
            kept,
            end: distribution,
            has_bf16: false,
            around: OuterLoops::new(&distribution, true, false),
            arguments,
            residents: Vec::new(),
        };
        builder.has_bf16 = builder.arguments.has_bf16(store);
        builder.end = builder.with_extent(&distribution, i);
        Ok(builder)
    }

    /// Returns the distribution of this many elements of the reduced axis. With one column vector,
    /// packed vectors need an even number.
    fn with_extent(&self, distribution: &Distribution, extent: u32) -> Distribution {
        let distribution = distribution.for_reduced_rows(extent);
        let packs = self.has_bf16 && distribution.packs_vectors;
        let in_twos = packs && distribution.steps == 1 && distribution.tiles > 1;
        Distribution {
            tiles: distribution
                .tiles
                .next_multiple_of(if in_twos { 2 } else { 1 }),
            ..distribution
        }
    }

    pub fn build(mut self) -> Result<Kernel, CompileError> {
        let end = self.end;
        let ReductionStages { first, block } = self.stages()?;
        let blocks = repeat(end.matrices, repeat(end.j_blocks, block));
        let stages = first.into_iter().chain(blocks).collect();
        self.arguments.kernel(self.store.tensor, stages, None)
    }

    /// Creates the builder of a stage with reductions along columns, which are `i`, in a
    /// distribution of the stored tensor.
    pub fn for_stage(
        arguments: Arguments<'a>,
        store: &'a Store,
        reductions: &'a [Reduction<'a>],
        end: Distribution,
    ) -> Self {
        let mut builder = ReductionBuilder {
            store,
            reductions,
            roles: [Role::J, Role::I],
            kept: Distribution { tiles: 1, ..end },
            end,
            has_bf16: false,
            around: OuterLoops::new(&end, true, false),
            arguments,
            residents: Vec::new(),
        };
        builder.has_bf16 = builder.arguments.has_bf16(store);
        builder
    }

    /// Builds the loops.
    pub fn stages(&mut self) -> Result<ReductionStages, CompileError> {
        let end = self.end;
        let sweeps = self.reductions.iter().map(Reduction::sweep);
        let mut sweeps: Vec<(usize, bool, u32)> = sweeps.collect();
        sweeps.sort_unstable();
        sweeps.dedup();
        let (mut first, mut padded) = (Vec::new(), Vec::new());
        let mut stages = Vec::new();
        for sweep in sweeps {
            let own: Vec<usize> = (0..self.reductions.len())
                .filter(|&number| self.reductions[number].sweep() == sweep)
                .collect();
            let (_, is_across, extent) = sweep;
            if is_across {
                stages.extend(self.reduce_across_chip(&own, extent)?);
                continue;
            }
            self.arguments
                .set_distribution(self.with_extent(&self.kept, extent));
            if extent % self.kept.row() > 0 && !padded.contains(&extent) {
                first.push(self.build_padding_flags(extent));
                padded.push(extent);
            }
            stages.extend(self.sweep(&own, extent)?);
        }
        self.arguments.set_distribution(end);
        stages.extend(self.build_end()?);
        Ok(ReductionStages {
            first,
            block: stages,
        })
    }

    /// Builds the loop that computes the padding flags of the last vectors: words of LM1 after the
    /// results, with the sign set for padding.
    fn build_padding_flags(&self, extent: u32) -> Stage {
        let mut body = Body::new(&[], &[]);
        let int = |kind| Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
        let long = |kind| Op::Alu(AluOp::new(kind, Some(Precision::Long)), 0);
        let constant = |word: u32| Operand::from(Source::Constant(word));
        let value = |body: &mut Body, op, inputs| {
            let value = body.value(Width::Long, Home::Any);
            body.push(op, inputs, vec![value.into()]);
            value
        };
        // Element 2 · PE + word of eight, in each cycle: compared with the remainder of the extent.
        let pe = Source::Fixed(Fixed::SubPeId).into();
        let twice = value(&mut body, int(AluKind::Lsl), vec![pe, constant(1)]);
        let inputs = vec![constant(1), constant(32)];
        let word = value(&mut body, long(AluKind::Lsr), inputs);
        let inputs = vec![twice.into(), word.into()];
        let element = value(&mut body, int(AluKind::Add), inputs);
        let row = self.kept.row();
        let last = extent % row - 1;
        let inputs = |last| vec![constant(last), element.into()];
        let left = value(&mut body, int(AluKind::Sub), inputs(last));
        for cycle in 1..row / ROW {
            let dest = Dest {
                mask: Some(cycle_mask(cycle)),
                ..Dest::from(left)
            };
            let inputs = inputs(last.wrapping_sub(cycle * ROW));
            body.push(int(AluKind::Sub), inputs, vec![dest]);
        }
        let place = Place::consecutive(Bank::Lm1, Width::Long, self.padding_flags_address(extent));
        body.push(copy(), vec![left.into()], vec![place.into()]);
        Stage::Loop("valid", body)
    }

    /// Returns the address of the flags; each remainder of an extent has its own.
    fn padding_flags_address(&self, extent: u32) -> u32 {
        PADDING_FLAGS.start + (extent % self.kept.row()) * VECTOR_WORDS
    }

    /// Returns the places of accumulators or results for the vectors of an iteration.
    fn places(&self, body: &Body, bank: Bank, number: usize, width: u32) -> Vec<Place> {
        let size = self.kept.steps * VECTOR_WORDS;
        let region = match bank {
            Bank::Lm1 => REDUCTION_RESULTS,
            _ => ACCUMULATORS,
        };
        let first = region.start + number as u32 * size;
        // A result of a chip reduction is the same for all columns.
        let is_one = bank == Bank::Lm1 && self.reductions[number].is_across;
        let place = |part| {
            let steps = body.innermost_steps(width * VECTOR_WORDS);
            let address = if is_one {
                Address::fixed(first)
            } else {
                Address::affine(part * VECTOR_WORDS, &steps).with_ring(first, size)
            };
            Place::consecutive(bank, Width::Long, address)
        };
        (0..width).map(place).collect()
    }

    /// Returns the place of a single vector.
    pub fn place(&self, body: &Body, bank: Bank, number: usize) -> Place {
        self.places(body, bank, number, 1).remove(0)
    }

    /// Returns the stages of a sweep with the given reductions.
    fn sweep(&mut self, own: &[usize], extent: u32) -> Result<Vec<Stage>, CompileError> {
        let words = own.len() as u32 * self.kept.steps * VECTOR_WORDS;
        if words > ACCUMULATOR_WORDS {
            let location = self.reductions[own[0]].expr.location;
            return Err(unsupported(
                location,
                format!(
                    "{} reductions at once need {words} words of GRF0, which has \
                     {ACCUMULATOR_WORDS}; compile with fusion=none",
                    own.len()
                ),
            ));
        }
        let mut stages = vec![self.init_accumulators(own, self.kept.steps)];
        stages.extend(self.reduce(own, extent)?);
        stages.push(self.combine(own)?);
        Ok(stages)
    }

    /// Returns the stage that initialises the accumulators.
    pub fn init_accumulators(&self, own: &[usize], steps: u32) -> Stage {
        let mut body = Body::new(&self.around.counts(&self.kept), &[steps]);
        for (slot, number) in own.iter().enumerate() {
            let reduction = &self.reductions[*number];
            let neutral = Source::Constant(reduction.neutral());
            let size = steps * VECTOR_WORDS;
            let address = Address::affine(0, &body.innermost_steps(VECTOR_WORDS));
            let address = address.with_ring(ACCUMULATORS.start + slot as u32 * size, size);
            let place = Place::consecutive(Bank::Grf0, Width::Long, address);
            body.push(copy(), vec![neutral.into()], vec![place.into()])
                .line = line(reduction.expr.location);
        }
        Stage::Loop("begin", body)
    }

    /// Returns a loop over the vectors of the distribution, with results of reductions bound, and
    /// the vectors per iteration.
    pub fn elements(&mut self) -> (Elements<'_, 'a>, Body, u32) {
        let distribution = self.arguments.distribution();
        let width = distribution.vectors_per_iteration(self.has_bf16);
        self.elements_of_width(width)
    }

    /// Returns the same with this many vectors per iteration.
    fn elements_of_width(&mut self, width: u32) -> (Elements<'_, 'a>, Body, u32) {
        let distribution = self.arguments.distribution();
        let vectors = distribution.vectors();
        let outer = self.around.counts(&self.kept);
        let body = Body::new(&outer, &[vectors / width]);
        let known = self.reductions.iter().enumerate();
        let known: Vec<(&Expr, Vec<Place>)> = known
            .map(|(number, one)| (one.expr, self.places(&body, Bank::Lm1, number, width)))
            .collect();
        let (around, roles) = (self.around, self.roles);
        let vector_layout = distribution.results_layout();
        let elements = Elements::new(&mut self.arguments, around, vector_layout, roles, width);
        let mut elements = elements.alone();
        for (expr, places) in known {
            elements.bind_expr(expr, places.into_iter().map(Operand::from).collect());
        }
        for resident in self
            .residents
            .iter()
            .filter(|resident| resident.distribution == distribution)
        {
            let places = resident.places(&body, width).into_iter();
            elements.bind_tensor(
                resident.tensor,
                resident.broadcast,
                places.map(Operand::from).collect(),
            );
        }
        elements.reserve_lm1(PADDING_FLAGS.start + distribution.row() * VECTOR_WORDS);
        (elements, body, width)
    }

    /// Returns the vectors per iteration of a sweep. Reductions of what is in local memory take
    /// several, without which each would wait for the accumulator to be written.
    fn vectors_at_once(&self, own: &[usize], extent: u32) -> u32 {
        let distribution = self.arguments.distribution();
        let is_local = |number: &usize| match self.reductions[*number].of.kind {
            ExprKind::Tensor(tensor, view) => {
                view == BroadcastView::default() && self.arguments.is_local(tensor)
            }
            _ => false,
        };
        let vectors = distribution.vectors();
        let is_whole = extent == vectors * self.kept.row();
        let at_once = [8, 4].into_iter().find(|count| vectors % count == 0);
        match at_once {
            Some(count) if self.kept.steps == 1 && is_whole && own.iter().all(is_local) => count,
            _ => distribution.vectors_per_iteration(self.has_bf16),
        }
    }

    /// Returns the stages that accumulate all vectors of a sweep.
    fn reduce(&mut self, own: &[usize], extent: u32) -> Result<Vec<Stage>, CompileError> {
        let reductions = self.reductions;
        let valid = self.padding_flags_address(extent);
        let steps = self.kept.steps;
        let width = self.vectors_at_once(own, extent);
        let joined = own.iter().enumerate().map(|(slot, number)| {
            let body = Body::new(&self.around.counts(&self.kept), &[1]);
            (*number, self.places(&body, Bank::Grf0, slot, width))
        });
        let joined: Vec<(usize, Vec<Place>)> = joined.collect();
        let mut residents = self.tensors_to_keep(own);
        let row = self.kept.row();
        let (mut elements, mut body, width) = self.elements_of_width(width);
        let bounds = [extent / row, extent.div_ceil(row)].map(|tiles| tiles * steps);
        let parts: Vec<Ranges> = (0..width)
            .map(|part| Ranges::new(&body, bounds, part, width))
            .collect();
        let begin = parts
            .iter()
            .filter_map(|ranges| Some(ranges.padded.as_ref()?.0));
        let flags = begin.min().map(|begin| {
            let flags = body.value(Width::Single, Home::Flags);
            let place = Place::consecutive(Bank::Lm1, Width::Long, valid);
            let and = Op::Alu(AluOp::new(AluKind::And, Some(Precision::Int)), 0);
            let inputs = vec![place.into(), Source::Constant(SIGN_BIT).into()];
            let time = body.dimensions() - 1;
            body.push(and, inputs, vec![flags.into()]).when.push(Guard {
                dimension: time,
                test: Test::From(begin),
            });
            flags
        });
        for (number, places) in joined {
            let reduction = &reductions[number];
            let values = elements.values(&mut body, reduction.of, None)?;
            let first = body.items.len();
            if steps == 1 && flags.is_none() && values.len() > 1 {
                let place = places[0].clone();
                reduction.accumulate(&mut body, values, place);
                continue;
            }
            for ((value, place), ranges) in values.into_iter().zip(places).zip(&parts) {
                let inputs = vec![value, place.clone().into()];
                let item = body.push(reduction.op(), inputs.clone(), vec![place.clone().into()]);
                item.when.extend(&ranges.whole);
                if let (Some((_, guards)), Some(flags)) = (&ranges.padded, flags) {
                    let masked = Dest {
                        mask: Some(Masking::Flags(flags)),
                        ..Dest::from(place)
                    };
                    let item = body.push(reduction.op(), inputs, vec![masked]);
                    item.when.extend(guards);
                }
            }
            for item in &mut body.items[first..] {
                item.line = line(reduction.expr.location);
            }
        }
        // What the loop does not stream is in LM1 already; later loops load it there again.
        residents.retain(|resident| {
            let streamed = elements.streamed(resident.tensor, resident.broadcast);
            let places = resident.places(&body, width);
            for (value, place) in streamed.unwrap_or_default().iter().zip(places) {
                body.push(copy(), vec![value.clone()], vec![place.into()]);
            }
            streamed.is_some()
        });
        let stages = elements.stages("reduce", body);
        self.residents.extend(residents);
        Ok(stages)
    }

    /// Returns the tensors that a later loop over the same vectors reads again, as far as LM0 can
    /// hold them.
    fn tensors_to_keep(&self, own: &[usize]) -> Vec<ResidentTensor> {
        let distribution = self.arguments.distribution();
        let sweep = self.reductions[own[0]].sweep();
        let is_alike = |one: &&Reduction| self.with_extent(&self.kept, one.extent) == distribution;
        let later = self.reductions.iter().filter(|one| one.sweep() > sweep);
        let later = later.filter(|one| !one.is_across).filter(is_alike);
        let mut reads: Vec<(usize, BroadcastView)> = Vec::new();
        later.for_each(|one| add_tensors(one.of, &mut reads));
        if self.end == distribution {
            add_tensors(&self.store.value, &mut reads);
        }
        let mut streams = Vec::new();
        for number in own {
            add_tensors(self.reductions[*number].of, &mut streams);
        }
        let size = distribution.vectors() * VECTOR_WORDS;
        let taken = self
            .residents
            .iter()
            .map(|resident| resident.distribution.vectors());
        let mut first = KEPT_TENSORS.start + taken.sum::<u32>() * VECTOR_WORDS;
        let mut residents = Vec::new();
        for (tensor, broadcast) in streams {
            let there = |resident: &ResidentTensor| {
                (resident.tensor, resident.broadcast, resident.distribution)
                    == (tensor, broadcast, distribution)
            };
            let r#use = TensorUse::new(self.arguments.tensor(tensor), self.roles, broadcast);
            let fits = first + size <= self.arguments.words(Bank::Lm0);
            let is_local = self.arguments.local(tensor).is_some() || self.arguments.is_kept(tensor);
            if fits
                && !is_local
                && !r#use.is_broadcast(Role::I)
                && reads.contains(&(tensor, broadcast))
                && !self.residents.iter().any(there)
            {
                residents.push(ResidentTensor {
                    tensor,
                    broadcast,
                    distribution,
                    first,
                });
                first += size;
            }
        }
        residents
    }

    /// Returns the stage that combines cycles, if they hold the reduced axis, then words and PEs.
    fn combine(&self, own: &[usize]) -> Result<Stage, CompileError> {
        let outer = self.around.counts(&self.kept);
        let mut body = Body::new(&outer, &[self.kept.steps]);
        for (slot, number) in own.iter().enumerate() {
            let reduction = &self.reductions[*number];
            let location = reduction.expr.location;
            let first = body.items.len();
            let address = Address::affine(
                ACCUMULATORS.start + slot as u32 * self.kept.steps * VECTOR_WORDS,
                &body.innermost_steps(VECTOR_WORDS),
            );
            let mut all = Place::consecutive(Bank::Grf0, Width::Long, address).into();
            let cycles = self
                .kept
                .rows_over_cycles
                .then(|| reduction.cycle_function());
            if cycles.is_none() {
                all = as_value(&mut body, all);
            }
            for function in cycles.into_iter().chain(reduction.word_and_pe_functions()) {
                let values = function.append(&mut body, &[all]);
                let values = values.map_err(|error| unsupported(location, error.to_string()))?;
                all = values[0].into();
            }
            let place = self.place(&body, Bank::Lm1, *number);
            body.push(copy(), vec![all], vec![place.into()]);
            for item in &mut body.items[first..] {
                item.line = line(location);
            }
        }
        Ok(Stage::Loop("combine", body))
    }

    /// Returns the stages after the reductions.
    fn build_end(&mut self) -> Result<Vec<Stage>, CompileError> {
        let store = self.store;
        let (mut elements, mut body, _) = self.elements();
        elements.store(&mut body, store, None)?;
        Ok(elements.stages("elements", body))
    }
}

/// Returns a mask of one cycle.
pub(crate) fn cycle_mask(cycle: u32) -> Masking {
    Masking::Fixed(Mask {
        entry: 16 + (8 >> cycle),
        wide: false,
    })
}

/// Returns the tensors that an expression reads, without those of reductions and products in it.
pub(crate) fn collect_tensors(expr: &Expr) -> Vec<(usize, BroadcastView)> {
    let mut tensors = Vec::new();
    add_tensors(expr, &mut tensors);
    tensors
}

fn add_tensors(expr: &Expr, tensors: &mut Vec<(usize, BroadcastView)>) {
    match &expr.kind {
        ExprKind::Tensor(tensor, broadcast) if !tensors.contains(&(*tensor, *broadcast)) => {
            tensors.push((*tensor, *broadcast));
        }
        ExprKind::Reduce { .. } | ExprKind::Product(_) => {}
        _ => expr
            .parts()
            .iter()
            .for_each(|part| add_tensors(part, tensors)),
    }
}

/// The iterations in which a vector has no padding, and those in which some of it is padding.
struct Ranges {
    whole: Option<Guard>,
    padded: Option<(u32, Vec<Guard>)>,
}

impl Ranges {
    /// Returns the ranges for one of `width` vectors per iteration. Vectors before the first bound
    /// are complete, those before the second partly filled.
    fn new(body: &Body, bounds: [u32; 2], part: u32, width: u32) -> Ranges {
        let dimension = body.dimensions() - 1;
        let guard = |test| Guard { dimension, test };
        let [whole, some] = bounds.map(|bound| bound.saturating_sub(part).div_ceil(width));
        let all = body.trip.last().copied().unwrap_or(1);
        let below = |bound: u32| (bound < all).then(|| guard(Test::Below(bound)));
        let padded = || {
            let begins = guard(Test::From(whole));
            std::iter::once(begins).chain(below(some)).collect()
        };
        Ranges {
            whole: below(whole),
            padded: (whole < some).then(|| (whole, padded())),
        }
    }
}
