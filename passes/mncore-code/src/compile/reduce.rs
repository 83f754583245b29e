//! The loops of a kernel with reductions.
//!
//! What is reduced lies along words, PEs and time; what is kept, along MABs, L1Bs and L2Bs. Cycles
//! hold the one or the other. So each PE goes through its part alone, and what is left is joined
//! inside a MAB; every PE then has the result of its columns, as further work wants it.
//!
//! | loop | does |
//! |---|---|
//! | `valid` | where padding is, in the last vectors of what is reduced |
//! | `begin` | the neutral elements, to GRF0 |
//! | `reduce` | what precedes the reduction, vector by vector; joins it to what is there |
//! | `join` | joins words, PEs and cycles that hold what is reduced; the results to LM1 |
//! | `behind`, `across`, `network` | what goes across these results: see `across.rs` |
//! | `elements` | what follows; takes the result away |
//!
//! Reductions that need the results of others have sweeps of their own, later ones. Tensors are
//! brought again for each sweep but where LM0 holds all of their vectors.
//!
//! Sums are rounded after each addition: an eighth of the elements one after the other in each word
//! of a PE, or a part of that in each of four cycles, which come next; then the two words, then the
//! PEs.

use tessera_isa_mncore::ast::{Fixed, Mask};
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_pto::kernel::Axis;

use super::apply::{as_value, copy};
use super::arguments::{width, Arguments};
use super::elements::Elements;
use super::padding::Fill;
use super::product::{line, repeat};
use super::reduction::{reductions, Reduction};
use super::shape::{Extents, Shape, ROW, VECTOR_WORDS, WIDE_STEP};
use super::vectors::{Outer, Role, Use};
use super::ways::Ways;
use super::{unsupported, CompileError, Kernel};
use crate::whole::{Expr, ExprKind, Spread, Store, Whole};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Guard, Masking, Op, Operand, Place, Source, Test};
use tessera_mncore_ir::kernel::Stage;

/// Words of GRF0 for what sweeps join to.
pub(super) const PARTIAL: u32 = 384;
/// Words of LM1 for results.
const RESULTS: u32 = 2048;
/// The top bit of a word.
pub(super) const SIGN: u32 = 1 << 31;

/// The most vectors of a block, where all columns must be in one.
const MOST_STEPS: u32 = 32;
/// Else.
const STEPS: u32 = 8;

/// The ways of a kernel with reductions, and without a product, the cheapest first.
pub(super) struct Choices<'a> {
    whole: &'a Whole,
    store: &'a Store,
    fill: Fill,
    axis: Axis,
    reductions: Vec<Reduction<'a>>,
    choices: Vec<(Choice, u64)>,
}

/// A way, which costs so many steps.
#[derive(Clone, Copy)]
struct Choice {
    /// The most vectors of columns in a block.
    steps: u32,
    /// Whether cycles hold what is reduced.
    tall: bool,
}

impl<'a> Choices<'a> {
    /// Those of a kernel that stores this.
    pub fn of(whole: &'a Whole, store: &'a Store, fill: Fill) -> Result<Self, CompileError> {
        let (axis, reductions) = reductions(store, &whole.tensors)?;
        let mut choices = Choices {
            whole,
            store,
            fill,
            axis,
            reductions,
            choices: Vec::new(),
        };
        let mut shapes = Vec::new();
        let mut refused = None;
        for tall in [false, true] {
            for steps in [STEPS, 4, 2, 1] {
                let choice = Choice { steps, tall };
                match choices.kernel(choice, &mut shapes) {
                    Ok(kernel) => {
                        let cost = kernel.map(|kernel| (choice, kernel.least()));
                        choices.choices.extend(cost);
                    }
                    Err(error) => refused = Some(error),
                }
            }
        }
        choices.choices.sort_by_key(|(_, cost)| *cost);
        match refused {
            Some(error) if choices.choices.is_empty() => Err(error),
            _ => Ok(choices),
        }
    }

    /// The kernel of a way, if its shape is none of these.
    fn kernel(
        &self,
        choice: Choice,
        shapes: &mut Vec<Shape>,
    ) -> Result<Option<Kernel>, CompileError> {
        let builder = self.builder(choice, &[])?;
        if shapes.contains(&builder.end) {
            return Ok(None);
        }
        shapes.push(builder.end);
        builder.build().map(Some)
    }

    fn builder<'b>(
        &'b self,
        choice: Choice,
        bases: &'b [u32],
    ) -> Result<Builder<'b>, CompileError> {
        let arguments = Arguments::new(self.whole, self.fill, Shape::ONE, bases);
        let spread = (self.axis, choice);
        Builder::new(arguments, self.store, spread, &self.reductions)
    }
}

impl Ways for Choices<'_> {
    fn costs(&self) -> Vec<u64> {
        self.choices.iter().map(|(_, cost)| *cost).collect()
    }

    fn build(&self, way: usize, bases: &[u32]) -> Result<Kernel, CompileError> {
        self.builder(self.choices[way].0, bases)?.build()
    }
}

/// A kernel with reductions, under construction.
pub(super) struct Builder<'a> {
    store: &'a Store,
    pub reductions: &'a [Reduction<'a>],
    roles: [Role; 2],
    /// How results are spread: a tile of rows.
    pub kept: Shape,
    /// How what is stored is.
    end: Shape,
    /// Whether some of the tensors lie in 16 bits.
    halves: bool,
    pub around: Outer,
    pub arguments: Arguments<'a>,
    /// Tensors all of whose vectors LM0 has.
    stays: Vec<Stay>,
}

/// A tensor in LM0.
#[derive(Clone, Copy, Debug)]
struct Stay {
    tensor: usize,
    spread: Spread,
    /// In loops over the vectors of this shape.
    shape: Shape,
    /// Its first word.
    first: u32,
}

impl Stay {
    /// Its places, of the vectors of an iteration, so many.
    fn places(&self, body: &Body, width: u32) -> Vec<Place> {
        let place = |part| {
            let steps = body.along(width * VECTOR_WORDS);
            let address = Address::moving(self.first + part * VECTOR_WORDS, &steps);
            Place::consecutive(Bank::Lm0, Width::Long, address)
        };
        (0..width).map(place).collect()
    }
}

impl<'a> Builder<'a> {
    fn new(
        mut arguments: Arguments<'a>,
        store: &'a Store,
        (axis, choice): (Axis, Choice),
        reductions: &'a [Reduction<'a>],
    ) -> Result<Self, CompileError> {
        let result = arguments.tensor(store.tensor);
        let (roles, i, j) = match axis {
            Axis::Columns => ([Role::J, Role::I], result.columns, result.rows),
            Axis::Rows => ([Role::I, Role::J], result.rows, result.columns),
        };
        let of = |i, j, steps, tall| {
            let extents = Extents {
                matrices: result.matrices,
                i,
                j,
                k: 0,
            };
            Shape::of_reduction(&extents, steps, tall)
        };
        let mut across = reductions.iter().filter(|one| one.is_across);
        let (shape, kept) = match across.next() {
            None => {
                let shape = of(i, j, choice.steps, choice.tall);
                (shape, Shape { tiles: 1, ..shape })
            }
            Some(first) => {
                if let Some(other) = across.find(|other| other.extent != first.extent) {
                    return Err(unsupported(other.expr.location, format!("reductions along {} and along {} elements of the second axis in one group have no code for MN-Core 2; compile with fusion=none", first.extent, other.extent)));
                }
                let of = |i, j| of(i, j, MOST_STEPS, false);
                let (end, kept) = (of(i, j), of(1, first.extent));
                if end.j_blocks > 1 || kept.j_blocks > 1 {
                    let (location, most) = (first.expr.location, MOST_STEPS * WIDE_STEP);
                    return Err(unsupported(location, format!("a reduction along both axes has no code for MN-Core 2 if there are more than {most} elements along the second one, {}; make a group of each axis", first.extent.max(j))));
                }
                (end, kept)
            }
        };
        let words = kept.steps * VECTOR_WORDS * reductions.len() as u32;
        if words > RESULTS {
            return Err(unsupported(reductions[0].expr.location, format!("{} reductions in one group have results of {words} words in each PE, of which there are {RESULTS}; compile with fusion=none", reductions.len())));
        }
        arguments.set_shape(shape);
        let mut builder = Builder {
            store,
            reductions,
            roles,
            kept,
            end: shape,
            halves: false,
            around: Outer::new(&shape, true, false),
            arguments,
            stays: Vec::new(),
        };
        let arguments = &builder.arguments;
        builder.halves = arguments.is_bf16(store.tensor) || arguments.bf16_reads(&store.value) > 0;
        builder.end = builder.along(&shape, i);
        Ok(builder)
    }

    /// The vectors of so many elements of what is reduced; with one vector of columns, those that
    /// lie in 16 bits come in twos.
    fn along(&self, shape: &Shape, extent: u32) -> Shape {
        let shape = shape.along(extent);
        let in_twos = self.halves && shape.steps == 1 && shape.tiles > 1;
        Shape {
            tiles: shape.tiles.next_multiple_of(if in_twos { 2 } else { 1 }),
            ..shape
        }
    }

    fn build(mut self) -> Result<Kernel, CompileError> {
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
                stages.extend(self.across(&own, extent)?);
                continue;
            }
            self.arguments.set_shape(self.along(&self.kept, extent));
            if extent % self.kept.row() > 0 && !padded.contains(&extent) {
                first.push(self.valid(extent));
                padded.push(extent);
            }
            stages.extend(self.sweep(&own, extent)?);
        }
        self.arguments.set_shape(end);
        stages.extend(self.end()?);
        first.extend(repeat(end.matrices, repeat(end.j_blocks, stages)));
        self.arguments.kernel(self.store.tensor, first, None)
    }

    /// Where padding is in the last vectors of an extent: the sign is set in words of LM1, behind
    /// the results.
    fn valid(&self, extent: u32) -> Stage {
        let mut body = Body::new(&[], &[]);
        let int = |kind| Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
        let long = |kind| Op::Alu(AluOp::new(kind, Some(Precision::Long)), 0);
        let constant = |word: u32| Operand::from(Source::Constant(word));
        let value = |body: &mut Body, op, inputs| {
            let value = body.value(Width::Long, Home::Any);
            body.push(op, inputs, vec![value.into()]);
            value
        };
        // Element 2 · PE + word of eight, and of those of each cycle: less than what is left of the
        // extent.
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
                mask: Some(only(cycle)),
                ..Dest::from(left)
            };
            let inputs = inputs(last.wrapping_sub(cycle * ROW));
            body.push(int(AluKind::Sub), inputs, vec![dest]);
        }
        let place = Place::consecutive(Bank::Lm1, Width::Long, self.valid_words(extent));
        body.push(copy(), vec![left.into()], vec![place.into()]);
        Stage::Loop("valid", body)
    }

    /// Where [`Self::valid`] puts that: each rest of an extent has its place.
    fn valid_words(&self, extent: u32) -> u32 {
        RESULTS + (extent % self.kept.row()) * VECTOR_WORDS
    }

    /// The places of what a sweep joins to, or of results, of the vectors of an iteration, so many.
    fn places(&self, body: &Body, bank: Bank, number: usize, width: u32) -> Vec<Place> {
        let size = self.kept.steps * VECTOR_WORDS;
        let first = number as u32 * size;
        // What goes across is the same for all columns.
        let is_one = bank == Bank::Lm1 && self.reductions[number].is_across;
        let place = |part| {
            let steps = body.along(width * VECTOR_WORDS);
            let address = if is_one {
                Address::fixed(first)
            } else {
                Address::moving(part * VECTOR_WORDS, &steps).around(first, size)
            };
            Place::consecutive(bank, Width::Long, address)
        };
        (0..width).map(place).collect()
    }

    /// The same of one vector.
    pub fn place(&self, body: &Body, bank: Bank, number: usize) -> Place {
        self.places(body, bank, number, 1).remove(0)
    }

    /// The reductions of a sweep: those of these numbers.
    fn sweep(&mut self, own: &[usize], extent: u32) -> Result<Vec<Stage>, CompileError> {
        let words = own.len() as u32 * self.kept.steps * VECTOR_WORDS;
        if words > PARTIAL {
            let location = self.reductions[own[0]].expr.location;
            return Err(unsupported(location, format!("{} reductions at once need {words} words of GRF0, of which there are {PARTIAL}; compile with fusion=none", own.len())));
        }
        let mut stages = vec![self.begin(own, self.kept.steps)];
        stages.extend(self.reduce(own, extent)?);
        stages.push(self.join(own)?);
        Ok(stages)
    }

    /// The neutral elements, of so many vectors for each reduction.
    pub fn begin(&self, own: &[usize], steps: u32) -> Stage {
        let mut body = Body::new(&self.around.counts(&self.kept), &[steps]);
        for (slot, number) in own.iter().enumerate() {
            let reduction = &self.reductions[*number];
            let neutral = Source::Constant(reduction.neutral());
            let size = steps * VECTOR_WORDS;
            let address = Address::moving(0, &body.along(VECTOR_WORDS));
            let address = address.around(slot as u32 * size, size);
            let place = Place::consecutive(Bank::Grf0, Width::Long, address);
            body.push(copy(), vec![neutral.into()], vec![place.into()])
                .line = line(reduction.expr.location);
        }
        Stage::Loop("begin", body)
    }

    /// A loop over the vectors of a shape, in which results of reductions are known; and how many
    /// an iteration takes.
    pub fn elements(&mut self) -> (Elements<'_, 'a>, Body, u32) {
        let shape = self.arguments.shape();
        let vectors = shape.vectors();
        let width = width(self.halves, vectors);
        let outer = self.around.counts(&self.kept);
        let body = Body::new(&outer, &[vectors / width]);
        let known = self.reductions.iter().enumerate();
        let known: Vec<(&Expr, Vec<Place>)> = known
            .map(|(number, one)| (one.expr, self.places(&body, Bank::Lm1, number, width)))
            .collect();
        let (around, roles) = (self.around, self.roles);
        let form = shape.results_form();
        let elements = Elements::new(&mut self.arguments, around, form, roles, width);
        let mut elements = elements.alone();
        for (expr, places) in known {
            elements.have(expr, places.into_iter().map(Operand::from).collect());
        }
        for stay in self.stays.iter().filter(|stay| stay.shape == shape) {
            let places = stay.places(&body, width).into_iter();
            elements.know(
                stay.tensor,
                stay.spread,
                places.map(Operand::from).collect(),
            );
        }
        elements.keep(RESULTS + shape.row() * VECTOR_WORDS);
        (elements, body, width)
    }

    /// Joins all vectors of a sweep.
    fn reduce(&mut self, own: &[usize], extent: u32) -> Result<Vec<Stage>, CompileError> {
        let reductions = self.reductions;
        let valid = self.valid_words(extent);
        let steps = self.kept.steps;
        let vectors = self.arguments.shape().vectors();
        let joined = own.iter().enumerate().map(|(slot, number)| {
            let body = Body::new(&self.around.counts(&self.kept), &[1]);
            let width = width(self.halves, vectors);
            (*number, self.places(&body, Bank::Grf0, slot, width))
        });
        let joined: Vec<(usize, Vec<Place>)> = joined.collect();
        let stays = self.wanted(own);
        let row = self.kept.row();
        let (mut elements, mut body, width) = self.elements();
        let bounds = [extent / row, extent.div_ceil(row)].map(|tiles| tiles * steps);
        let parts: Vec<Ranges> = (0..width)
            .map(|part| Ranges::of(&body, bounds, part, width))
            .collect();
        let begin = parts
            .iter()
            .filter_map(|ranges| Some(ranges.padded.as_ref()?.0));
        let flags = begin.min().map(|begin| {
            let flags = body.value(Width::Single, Home::Flags);
            let place = Place::consecutive(Bank::Lm1, Width::Long, valid);
            let and = Op::Alu(AluOp::new(AluKind::And, Some(Precision::Int)), 0);
            let inputs = vec![place.into(), Source::Constant(SIGN).into()];
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
        for stay in &stays {
            let values = elements.streamed(stay.tensor, stay.spread);
            let values = values.unwrap_or_default();
            for (value, place) in values.iter().zip(stay.places(&body, width)) {
                body.push(copy(), vec![value.clone()], vec![place.into()]);
            }
        }
        let stages = elements.stages("reduce", body);
        self.stays.extend(stays);
        Ok(stages)
    }

    /// Tensors that a sweep reads and a later loop over the same vectors, too, as far as LM0 has
    /// room for them.
    fn wanted(&self, own: &[usize]) -> Vec<Stay> {
        let shape = self.arguments.shape();
        let sweep = self.reductions[own[0]].sweep();
        let is_alike = |one: &&Reduction| self.along(&self.kept, one.extent) == shape;
        let later = self.reductions.iter().filter(|one| one.sweep() > sweep);
        let later = later.filter(|one| !one.is_across).filter(is_alike);
        let mut reads: Vec<(usize, Spread)> = Vec::new();
        later.for_each(|one| read(one.of, &mut reads));
        if self.end == shape {
            read(&self.store.value, &mut reads);
        }
        let mut streams = Vec::new();
        for number in own {
            read(self.reductions[*number].of, &mut streams);
        }
        let size = shape.vectors() * VECTOR_WORDS;
        let taken = self.stays.iter().map(|stay| stay.shape.vectors());
        let mut first = taken.sum::<u32>() * VECTOR_WORDS;
        let mut stays = Vec::new();
        for (tensor, spread) in streams {
            let there =
                |stay: &Stay| (stay.tensor, stay.spread, stay.shape) == (tensor, spread, shape);
            let r#use = Use::of(self.arguments.tensor(tensor), self.roles, spread);
            let fits = first + size <= u32::from(Bank::Lm0.words());
            if fits
                && !r#use.is_spread(Role::I)
                && reads.contains(&(tensor, spread))
                && !self.stays.iter().any(there)
            {
                stays.push(Stay {
                    tensor,
                    spread,
                    shape,
                    first,
                });
                first += size;
            }
        }
        stays
    }

    /// Joins cycles if they hold what is reduced, then words and PEs.
    fn join(&self, own: &[usize]) -> Result<Stage, CompileError> {
        let outer = self.around.counts(&self.kept);
        let mut body = Body::new(&outer, &[self.kept.steps]);
        for (slot, number) in own.iter().enumerate() {
            let reduction = &self.reductions[*number];
            let location = reduction.expr.location;
            let first = body.items.len();
            let address = Address::moving(
                slot as u32 * self.kept.steps * VECTOR_WORDS,
                &body.along(VECTOR_WORDS),
            );
            let mut all = Place::consecutive(Bank::Grf0, Width::Long, address).into();
            let cycles = self.kept.tall.then(|| reduction.cycles());
            if cycles.is_none() {
                all = as_value(&mut body, all);
            }
            for function in cycles.into_iter().chain(reduction.joins()) {
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
        Ok(Stage::Loop("join", body))
    }

    /// What follows the reductions.
    fn end(&mut self) -> Result<Vec<Stage>, CompileError> {
        let store = self.store;
        let (mut elements, mut body, _) = self.elements();
        elements.store(&mut body, store, None)?;
        Ok(elements.stages("elements", body))
    }
}

/// A mask of one cycle.
pub(super) fn only(cycle: u32) -> Masking {
    Masking::Fixed(Mask {
        entry: 16 + (8 >> cycle),
        wide: false,
    })
}

/// Adds the tensors that an expression reads, each once, but for those of reductions in it.
fn read(expr: &Expr, tensors: &mut Vec<(usize, Spread)>) {
    match &expr.kind {
        ExprKind::Tensor(tensor, spread) if !tensors.contains(&(*tensor, *spread)) => {
            tensors.push((*tensor, *spread));
        }
        ExprKind::Reduce { .. } => {}
        _ => expr.parts().iter().for_each(|part| read(part, tensors)),
    }
}

/// In which iterations one of their vectors is no padding, and in which some of it is.
struct Ranges {
    whole: Option<Guard>,
    padded: Option<(u32, Vec<Guard>)>,
}

impl Ranges {
    /// Those of the vectors of this number in iterations that take so many. Up to the first bound
    /// vectors are whole, up to the second there is something.
    fn of(body: &Body, bounds: [u32; 2], part: u32, width: u32) -> Ranges {
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
