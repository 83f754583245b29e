//! What is done with each element on the way: the expressions of a group, vector by vector.

use std::collections::HashMap;

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_pto::kernel::{Element, TensorType};

use super::apply::{apply, as_value, binary, constant, convert, copy, unary};
use super::arguments::{width, Arguments};
use super::behind::Behind;
use super::padding::Fill;
use super::product::{line, repeat};
use super::shape::{Extents, Shape, VECTOR_WORDS};
use super::streams::{Lane, Turn, LANES, LANES_OF_PRODUCT};
use super::vectors::{Form, Outer, Role, Use, Vectors, OWN_STEPS};
use super::ways::Ways;
use super::{unsupported, CompileError, Kernel};
use crate::functions::Function;
use crate::whole::{Expr, ExprKind, Spread, Store, Whole};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Operand, Place, Source};
use tessera_mncore_ir::kernel::Stage;

/// The lane of results, where nothing goes on beside the loop.
const RESULT: Lane = Lane::of(0);

/// The ways of a kernel without a product or reductions: spread in each shape, with columns and
/// rows turned over or not; the cheapest first.
pub(super) struct Choices<'a> {
    whole: &'a Whole,
    store: &'a Store,
    fill: Fill,
    choices: Vec<([Role; 2], Shape)>,
}

impl<'a> Choices<'a> {
    /// Those of a kernel that stores this.
    pub fn of(whole: &'a Whole, store: &'a Store, fill: Fill) -> Self {
        let result = whole.tensors[store.tensor];
        let of = |i, j| Extents {
            matrices: result.matrices,
            i,
            j,
            k: 0,
        };
        let turned = [
            ([Role::I, Role::J], of(result.rows, result.columns)),
            ([Role::J, Role::I], of(result.columns, result.rows)),
        ];
        let mut choices = Vec::new();
        for (roles, extents) in turned {
            let shapes = Shape::of_elements(&extents).into_iter();
            choices.extend(shapes.map(|shape| (roles, shape)));
        }
        choices.sort_by_key(|(_, shape)| of_stream(shape));
        Choices {
            whole,
            store,
            fill,
            choices,
        }
    }
}

/// The fewest steps in which a tensor is brought or taken away.
pub(super) fn least_steps(tensor: TensorType) -> u64 {
    let [rows, columns] = [tensor.rows, tensor.columns];
    let of = |i, j| Extents {
        matrices: tensor.matrices,
        i,
        j,
        k: 0,
    };
    let both = [of(rows, columns), of(columns, rows)].into_iter();
    let shapes = both.flat_map(|extents| Shape::of_elements(&extents));
    let steps = shapes.map(|shape| of_stream(&shape));
    steps.min().unwrap_or(u64::MAX)
}

/// Steps that a tensor takes to be brought or taken away in this shape, block by block.
pub(super) fn of_stream(shape: &Shape) -> u64 {
    /// Steps in which the vectors of a block come to be in full course, and end.
    const BEGIN: u64 = 48;
    let vectors = u64::from(shape.vectors() * shape.cycles) * OWN_STEPS;
    u64::from(shape.blocks()) * (vectors + BEGIN)
}

impl Ways for Choices<'_> {
    fn costs(&self) -> Vec<u64> {
        let mut tensors = Vec::new();
        self.store.value.visit(&mut |part| match part.kind {
            ExprKind::Tensor(tensor, spread) if !tensors.contains(&(tensor, spread)) => {
                tensors.push((tensor, spread));
            }
            _ => {}
        });
        let streams = tensors.len() as u64 + 1;
        let costs = self.choices.iter();
        costs.map(|(_, shape)| streams * of_stream(shape)).collect()
    }

    fn build(&self, way: usize, bases: &[u32]) -> Result<Kernel, CompileError> {
        let (roles, shape) = self.choices[way];
        let arguments = Arguments::new(self.whole, self.fill, shape, bases);
        kernel(arguments, self.store, roles)
    }
}

/// A kernel without a product or reductions, whose rows and columns are these.
fn kernel(
    mut arguments: Arguments,
    store: &Store,
    roles: [Role; 2],
) -> Result<Kernel, CompileError> {
    let shape = arguments.shape();
    let tensors = arguments.tensors();
    let around = Outer::new(&shape, true, false);
    let halves = arguments.is_bf16(store.tensor) || arguments.bf16_reads(&store.value) > 0;
    let count = shape.vectors();
    let mut elements = Elements::new(
        &mut arguments,
        around,
        shape.results_form(),
        roles,
        width(halves, count),
    )
    .alone();
    let mut body = elements.body(count);
    match copied(tensors, store) {
        Some(tensor) => elements.copy(&mut body, store, tensor)?,
        None => elements.store(&mut body, store, None)?,
    }
    let stages = elements.stages("elements", body);
    let blocks = repeat(shape.j_blocks, repeat(shape.i_blocks, stages));
    arguments.kernel(store.tensor, repeat(shape.matrices, blocks), None)
}

/// The tensor that a store copies as it is, if it does nothing else.
fn copied(tensors: &[TensorType], store: &Store) -> Option<usize> {
    match store.value.kind {
        ExprKind::Tensor(tensor, spread) => {
            let is_plain = spread == Spread::default();
            (is_plain && tensors[tensor] == tensors[store.tensor]).then_some(tensor)
        }
        _ => None,
    }
}

/// A loop over vectors, under construction.
pub(super) struct Elements<'a, 'b> {
    arguments: &'a mut Arguments<'b>,
    around: Outer,
    form: Form,
    /// What rows and columns of tensors are.
    roles: [Role; 2],
    /// How many vectors an iteration takes.
    width: u32,
    /// Which of them values are made of.
    part: usize,
    streams: Vec<(Vectors, Lane)>,
    /// Tensors in LM1.
    residents: Vec<(Vectors, u32)>,
    result: Option<Vectors>,
    /// Where the vectors of an iteration are.
    known: HashMap<(usize, Spread), Vec<Operand>>,
    have: Vec<(Expr, Vec<Operand>)>,
    /// The first word of LM1 that is free.
    free: u32,
    /// How many lanes there are.
    lanes: u32,
    /// The lane of results, and whether those of a block go on leaving while the next one is worked
    /// on.
    out: (Lane, bool),
}

impl<'a, 'b> Elements<'a, 'b> {
    pub fn new(
        arguments: &'a mut Arguments<'b>,
        around: Outer,
        form: Form,
        roles: [Role; 2],
        width: u32,
    ) -> Self {
        Elements {
            arguments,
            around,
            form,
            roles,
            width,
            part: 0,
            streams: Vec::new(),
            residents: Vec::new(),
            result: None,
            known: HashMap::new(),
            have: Vec::new(),
            free: 0,
            lanes: LANES_OF_PRODUCT,
            out: (RESULT, false),
        }
    }

    /// Lets results of a block leave while the next one is worked on, in this lane; the caller
    /// waits for those of the last.
    pub fn leave_late(&mut self, lane: Lane) {
        self.out = (lane, true);
    }

    /// Takes all lanes: there is no product.
    pub fn alone(mut self) -> Self {
        self.lanes = LANES;
        self
    }

    /// Says where the values of an expression are already.
    pub fn have(&mut self, expr: &Expr, operands: Vec<Operand>) {
        self.have.push((expr.clone(), operands));
    }

    /// Keeps out of LM1 below this word.
    pub fn keep(&mut self, words: u32) {
        self.free = words;
    }

    /// A loop over so many vectors.
    pub fn body(&self, count: u32) -> Body {
        let counts = self.around.counts(&self.arguments.shape());
        Body::new(&counts, &[count / self.width])
    }

    /// A place for each of the vectors of an iteration, one after the other.
    pub fn places(&self, body: &Body, bank: Bank) -> Vec<Place> {
        let steps = body.along(self.width * VECTOR_WORDS);
        let place = |part| {
            let address = Address::moving(part * VECTOR_WORDS, &steps);
            Place::consecutive(bank, Width::Long, address)
        };
        (0..self.width).map(place).collect()
    }

    /// The values of an expression, one of each vector of an iteration; of the product, if there is
    /// one, its sums.
    pub fn values(
        &mut self,
        body: &mut Body,
        expr: &Expr,
        sums: Option<&[Operand]>,
    ) -> Result<Vec<Operand>, CompileError> {
        let mut values = Vec::new();
        for part in 0..self.width as usize {
            self.part = part;
            values.push(self.value(body, expr, sums.map(|sums| &sums[part]))?);
        }
        Ok(values)
    }

    /// The value of an expression, of one of the vectors.
    fn value(
        &mut self,
        body: &mut Body,
        expr: &Expr,
        sums: Option<&Operand>,
    ) -> Result<Operand, CompileError> {
        if let Some((_, value)) = self.have.iter().find(|(have, _)| have == expr) {
            return Ok(value[self.part].clone());
        }
        let first = body.items.len();
        let value = match &expr.kind {
            ExprKind::Tensor(tensor, spread) => self.tensor(body, expr, *tensor, *spread)?,
            ExprKind::Fill(value) => constant(*value, expr.element),
            ExprKind::Product(_) => match sums {
                Some(sums) => sums.clone(),
                None => return Err(unsupported(expr.location, "a product in a product's factor has no code for MN-Core 2; compile with fusion=epilogue")),
            },
            ExprKind::Reduce { .. } => return Err(unsupported(expr.location, "a reduction beside a product in one group has no code for MN-Core 2; compile with fusion=none")),
            ExprKind::Convert(element, one) => {
                let from = one.element;
                let one = self.value(body, one, sums)?;
                convert(body, one, [from, *element], expr.location)?
            }
            ExprKind::Unary(function, one) => {
                let types = [one.element, expr.element];
                let one = self.value(body, one, sums)?;
                unary(body, *function, one, types, expr.location)?
            }
            ExprKind::Binary(function, both) => {
                let left = self.value(body, &both[0], sums)?;
                let right = self.value(body, &both[1], sums)?;
                let types = [both[0].element, expr.element];
                binary(body, *function, [left, right], types, expr.location)?
            }
            ExprKind::Select(all) => {
                let mut operands = Vec::new();
                for one in &**all {
                    operands.push(self.value(body, one, sums)?);
                }
                let function = if all[0].element.is_integer() {
                    Function::IntWhere
                } else {
                    Function::Where
                };
                apply(body, function, operands, expr.location)?
            }
        };
        for item in &mut body.items[first..] {
            if item.line == 0 {
                item.line = line(expr.location);
            }
        }
        Ok(value)
    }

    fn tensor(
        &mut self,
        body: &mut Body,
        expr: &Expr,
        tensor: usize,
        spread: Spread,
    ) -> Result<Operand, CompileError> {
        if let Some(known) = self.known.get(&(tensor, spread)) {
            return Ok(known[self.part].clone());
        }
        let r#use = Use::of(self.arguments.tensor(tensor), self.roles, spread);
        let halves = self.width == 2;
        let vectors = self.arguments.place(tensor, &r#use, self.form, halves)?;
        let operands = if vectors.is_resident {
            let size = vectors.count * vectors.parts * VECTOR_WORDS;
            let first = self.free;
            if first + size > u32::from(Bank::Lm1.words()) {
                return Err(unsupported(expr.location, "more operands that are the same for all rows than LM1 holds; compile with fusion=none"));
            }
            self.free += size;
            self.residents.push((vectors, first));
            let places = self.places(body, Bank::Lm1).into_iter();
            let around = |place: Place| Place {
                address: place.address.around(first, size),
                ..place
            };
            places.map(|place| around(place).into()).collect()
        } else {
            let number = 1 + self.streams.len() as u32;
            if number >= self.lanes {
                return Err(unsupported(
                    expr.location,
                    format!(
                        "more than {} tensors stream through one group; compile with fusion=none",
                        self.lanes - 1
                    ),
                ));
            }
            let lane = Lane::of(number);
            let values = vectors.bring(body, lane, &self.around, self.width);
            self.streams.push((vectors, lane));
            values
        };
        let own = operands[self.part].clone();
        self.known.insert((tensor, spread), operands);
        Ok(own)
    }

    /// Says where the vectors of a tensor are already.
    pub fn know(&mut self, tensor: usize, spread: Spread, operands: Vec<Operand>) {
        self.known.insert((tensor, spread), operands);
    }

    /// The values of a tensor that is a stream of this loop.
    pub fn streamed(&self, tensor: usize, spread: Spread) -> Option<&[Operand]> {
        let operands = self.known.get(&(tensor, spread))?;
        let are_values = operands
            .iter()
            .all(|one| matches!(one.source, Source::Value(_)));
        are_values.then_some(operands)
    }

    /// Takes a tensor of the same elements away as it comes, the vectors of bf16 with two elements
    /// in each word.
    fn copy(&mut self, body: &mut Body, store: &Store, tensor: usize) -> Result<(), CompileError> {
        let halves = self.width == 2;
        let mut place = |tensor: usize| {
            let kind = self.arguments.tensor(tensor);
            let r#use = Use::of(kind, self.roles, Spread::default());
            self.arguments.place(tensor, &r#use, self.form, halves)
        };
        let (from, to) = (place(tensor)?, place(store.tensor)?);
        let (lane, out) = (Lane::of(1), self.out.0);
        let first = body.items.len();
        for turn in Turn::all(self.width / from.parts) {
            let value = body.value(Width::Long, Home::Any);
            from.bring_to(body, lane, &self.around, turn, value);
            to.take_one(body, out, &self.around, turn, value.into());
        }
        for item in &mut body.items[first..] {
            item.line = line(store.location);
        }
        self.streams.push((from, lane));
        self.result = Some(to);
        Ok(())
    }

    /// Takes the result away; of the product, if there is one, these are the sums.
    pub fn store(
        &mut self,
        body: &mut Body,
        store: &Store,
        sums: Option<&[Operand]>,
    ) -> Result<(), CompileError> {
        let values = self.stored(body, store, sums)?;
        let kind = self.arguments.tensor(store.tensor);
        let r#use = Use::of(kind, self.roles, Spread::default());
        let halves = self.width == 2;
        let (arguments, form) = (&mut *self.arguments, self.form);
        let result = arguments.place(store.tensor, &r#use, form, halves)?;
        let first = body.items.len();
        result.take(body, self.out.0, &self.around, values);
        for item in &mut body.items[first..] {
            item.line = line(store.location);
        }
        self.result = Some(result);
        Ok(())
    }

    /// Takes the result of a product away, the vectors of an iteration in this lane: of a part of
    /// it, which lies there.
    pub fn take(
        &mut self,
        body: &mut Body,
        store: &Store,
        sums: &[Operand],
        (part, lane): (&Vectors, Lane),
    ) -> Result<(), CompileError> {
        let values = self.stored(body, store, Some(sums))?;
        let first = body.items.len();
        part.take(body, lane, &self.around, values);
        for item in &mut body.items[first..] {
            item.line = line(store.location);
        }
        Ok(())
    }

    /// Puts the result of a product where it waits.
    pub fn put(
        &mut self,
        body: &mut Body,
        store: &Store,
        sums: &[Operand],
        behind: &Behind,
    ) -> Result<(), CompileError> {
        let values = self.stored(body, store, Some(sums))?;
        let first = body.items.len();
        behind.put(body, values);
        for item in &mut body.items[first..] {
            item.line = line(store.location);
        }
        Ok(())
    }

    /// The values of an iteration that are stored.
    fn stored(
        &mut self,
        body: &mut Body,
        store: &Store,
        sums: Option<&[Operand]>,
    ) -> Result<Vec<Operand>, CompileError> {
        // Two vectors of results of bf16 are rounded where they are made one.
        let packed = self.width == 2 && self.arguments.is_bf16(store.tensor);
        let value = match &store.value.kind {
            ExprKind::Convert(Element::Bf16, one) if packed && !one.element.is_integer() => one,
            _ => &store.value,
        };
        let values = self.values(body, value, sums)?;
        let fixed =
            |value: &Operand| matches!(value.source, Source::Constant(_) | Source::Fixed(_));
        let values = values.into_iter().map(|value| {
            if fixed(&value) {
                as_value(body, value)
            } else {
                value
            }
        });
        Ok(values.collect())
    }

    /// Brings a tensor that is the same for all rows to a place in LM1.
    fn load(&self, vectors: &Vectors, first: u32) -> [Stage; 2] {
        let outer = self.around.counts(&self.arguments.shape());
        let lane = Lane::of(1);
        let mut fetch = Body::new(&outer, &[]);
        vectors.fetch(&mut fetch, lane, &self.around, 0);
        let mut load = Body::new(&outer, &[vectors.count]);
        let values = vectors.bring(&mut load, lane, &self.around, vectors.parts);
        for (value, part) in values.into_iter().zip(0..) {
            let steps = load.along(vectors.parts * VECTOR_WORDS);
            let address = Address::moving(first + part * VECTOR_WORDS, &steps);
            let place = Place::consecutive(Bank::Lm1, Width::Long, address);
            load.push(copy(), vec![value], vec![place.into()]);
        }
        [Stage::Loop("fetch", fetch), Stage::Loop("resident", load)]
    }

    /// Zeroes the lanes of vectors that leave cycles as they are.
    fn clear(&self, outer: &[u32]) -> Option<Stage> {
        let residents = self.residents.iter();
        let residents = residents.map(|(vectors, _)| (vectors, Lane::of(1)));
        let streams = self.streams.iter().map(|(vectors, lane)| (vectors, *lane));
        let all = residents.chain(streams);
        let mut lanes: Vec<Lane> = Vec::new();
        for (_, lane) in all.filter(|(vectors, _)| vectors.leaves_cycles()) {
            if !lanes.contains(&lane) {
                lanes.push(lane);
            }
        }
        let mut body = Body::new(outer, &[]);
        lanes.iter().for_each(|lane| lane.clear(&mut body));
        (!lanes.is_empty()).then_some(Stage::Loop("clear", body))
    }

    /// The loop, with what must be before and behind it.
    pub fn stages(self, name: &'static str, body: Body) -> Vec<Stage> {
        let mut stages = Vec::new();
        let outer = self.around.counts(&self.arguments.shape());
        for (vectors, first) in &self.residents {
            stages.extend(self.load(vectors, *first));
        }
        let mut fetch = Body::new(&outer, &[]);
        for (vectors, lane) in &self.streams {
            vectors.fetch(&mut fetch, *lane, &self.around, 0);
        }
        if !fetch.items.is_empty() {
            stages.push(Stage::Loop("fetch", fetch));
        }
        if let Some(clear) = self.clear(&outer) {
            // While the first vector of all comes.
            stages.insert(1, clear);
        }
        stages.push(Stage::Loop(name, body));
        if let Some(result) = &self.result {
            let (lane, late) = self.out;
            let mut wait = Body::new(&outer, &[]);
            if late {
                let shape = self.arguments.shape();
                result.wait_before(&mut wait, lane, &self.around, &shape);
                if !wait.items.is_empty() {
                    stages.insert(0, Stage::Loop("wait", wait));
                }
            } else {
                result.wait_last(&mut wait, lane);
                stages.push(Stage::Loop("wait", wait));
            }
        }
        stages
    }
}
