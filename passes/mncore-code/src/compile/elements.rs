//! What is done with each element on the way: the expressions of a group, vector by vector.

use std::collections::HashMap;

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_pto::kernel::Element;

use super::apply::{apply, as_value, copy, no_code, of_one, of_two};
use super::arguments::Arguments;
use super::product::{line, repeat};
use super::shape::{Extents, Shape, VECTOR_WORDS};
use super::streams::{Lane, LANES};
use super::vectors::{Form, Outer, Role, Use, Vectors};
use super::{unsupported, CompileError, Kernel, Stage};
use crate::address::Address;
use crate::body::Body;
use crate::functions::Function;
use crate::item::{Operand, Place, Source};
use crate::whole::{Expr, ExprKind, Spread, Store, Whole};

/// The lane of results.
const RESULT: Lane = Lane::of(0);

/// A kernel without a product.
pub(super) fn kernel(whole: &Whole, store: &Store) -> Result<Kernel, CompileError> {
    let result = whole.tensors[store.tensor];
    let of = |i, j| Extents {
        matrices: result.matrices,
        i,
        j,
        k: 0,
    };
    let choices = [
        ([Role::I, Role::J], of(result.rows, result.columns)),
        ([Role::J, Role::I], of(result.columns, result.rows)),
    ];
    let (roles, shape) = choices
        .map(|(roles, extents)| (roles, Shape::of_elements(&extents)))
        .into_iter()
        .min_by_key(|(_, shape)| shape.i_blocks * shape.j_blocks * shape.vectors())
        .expect("there are two");
    let around = Outer::new(&shape, true, false);
    let mut arguments = Arguments::new(whole, shape);
    let mut elements = Elements::new(&mut arguments, around, Form::Own, roles);
    let mut body = elements.body(shape.vectors());
    let value = elements.value(&mut body, &store.value, None)?;
    elements.store(&mut body, store, value)?;
    let stages = elements.stages("elements", body);
    let blocks = repeat(shape.j_blocks, repeat(shape.i_blocks, stages));
    arguments.kernel(store.tensor, repeat(shape.matrices, blocks), None)
}

/// A loop over vectors, under construction.
pub(super) struct Elements<'a, 'b> {
    arguments: &'a mut Arguments<'b>,
    around: Outer,
    form: Form,
    /// What rows and columns of tensors are.
    roles: [Role; 2],
    streams: Vec<(Vectors, Lane)>,
    /// Tensors in LM1.
    residents: Vec<(Vectors, u32)>,
    result: Option<Vectors>,
    known: HashMap<(usize, Spread), Operand>,
    have: Vec<(Expr, Operand)>,
    /// The first word of LM1 that is free.
    free: u32,
}

impl<'a, 'b> Elements<'a, 'b> {
    pub fn new(
        arguments: &'a mut Arguments<'b>,
        around: Outer,
        form: Form,
        roles: [Role; 2],
    ) -> Self {
        Elements {
            arguments,
            around,
            form,
            roles,
            streams: Vec::new(),
            residents: Vec::new(),
            result: None,
            known: HashMap::new(),
            have: Vec::new(),
            free: 0,
        }
    }

    /// Says where the value of an expression is already.
    pub fn have(&mut self, expr: &Expr, operand: Operand) {
        self.have.push((expr.clone(), operand));
    }

    /// Keeps out of LM1 below this word.
    pub fn keep(&mut self, words: u32) {
        self.free = words;
    }

    /// A loop over so many vectors.
    pub fn body(&self, count: u32) -> Body {
        Body::new(&self.around.counts(&self.arguments.shape()), &[count])
    }

    /// The value of an expression; of the product, if there is one, where its sums are.
    pub fn value(
        &mut self,
        body: &mut Body,
        expr: &Expr,
        product: Option<(&Expr, &Operand)>,
    ) -> Result<Operand, CompileError> {
        if let Some((_, value)) = self.have.iter().find(|(have, _)| have == expr) {
            return Ok(value.clone());
        }
        let first = body.items.len();
        let value = match &expr.kind {
            ExprKind::Tensor(tensor, spread) => self.tensor(body, expr, *tensor, *spread)?,
            ExprKind::Fill(value) => Source::Constant((*value as f32).to_bits()).into(),
            ExprKind::Product(_) => match product {
                Some((_, sums)) => sums.clone(),
                None => return Err(unsupported(expr.location, "a product in a product's factor has no code for MN-Core 2; compile with fusion=epilogue")),
            },
            ExprKind::Reduce { .. } => return Err(unsupported(expr.location, "a reduction beside a product in one group has no code for MN-Core 2; compile with fusion=none")),
            ExprKind::Convert(element, one) => {
                let one = self.value(body, one, product)?;
                match element {
                    Element::F32 => one,
                    Element::Bf16 => {
                        apply(body, Function::RoundBf16, vec![one], expr.location)?
                    }
                    Element::I32 => return Err(no_code(expr.location, "a cast to i32")),
                }
            }
            ExprKind::Unary(unary, one) => {
                let one = self.value(body, one, product)?;
                let function = of_one(*unary)
                    .ok_or_else(|| no_code(expr.location, unary.name()))?;
                apply(body, function, vec![one], expr.location)?
            }
            ExprKind::Binary(binary, both) => {
                let left = self.value(body, &both[0], product)?;
                let right = self.value(body, &both[1], product)?;
                let function = of_two(*binary)
                    .ok_or_else(|| no_code(expr.location, binary.name()))?;
                apply(body, function, vec![left, right], expr.location)?
            }
            ExprKind::Select(all) => {
                let mut operands = Vec::new();
                for one in &**all {
                    operands.push(self.value(body, one, product)?);
                }
                apply(body, Function::Where, operands, expr.location)?
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
            return Ok(known.clone());
        }
        let r#use = Use::of(self.arguments.tensor(tensor), self.roles, spread);
        let vectors = self.arguments.place(tensor, &r#use, self.form)?;
        let operand: Operand = if vectors.is_resident {
            let size = vectors.count * VECTOR_WORDS;
            let first = self.free;
            if first + size > u32::from(Bank::Lm1.words()) {
                return Err(unsupported(expr.location, "more operands that are the same for all rows than LM1 holds; compile with fusion=none"));
            }
            self.free += size;
            self.residents.push((vectors, first));
            let address = Address::moving(0, &body.along(VECTOR_WORDS)).around(first, size);
            Place::consecutive(Bank::Lm1, Width::Long, address).into()
        } else {
            let number = 1 + self.streams.len() as u32;
            if number >= LANES {
                return Err(unsupported(
                    expr.location,
                    format!(
                        "more than {} tensors stream through one group; compile with fusion=none",
                        LANES - 1
                    ),
                ));
            }
            let lane = Lane::of(number);
            let value = vectors.bring(body, lane, &self.around);
            self.streams.push((vectors, lane));
            value.into()
        };
        self.known.insert((tensor, spread), operand.clone());
        Ok(operand)
    }

    /// Says where a tensor is already.
    pub fn know(&mut self, tensor: usize, spread: Spread, operand: Operand) {
        self.known.insert((tensor, spread), operand);
    }

    /// Takes the result away.
    pub fn store(
        &mut self,
        body: &mut Body,
        store: &Store,
        value: Operand,
    ) -> Result<(), CompileError> {
        let kind = self.arguments.tensor(store.tensor);
        let r#use = Use::of(kind, self.roles, Spread::default());
        let result = self.arguments.place(store.tensor, &r#use, self.form)?;
        let value = match value.source {
            Source::Constant(_) | Source::Fixed(_) => as_value(body, value),
            _ => value,
        };
        let first = body.items.len();
        result.take(body, RESULT, &self.around, value);
        for item in &mut body.items[first..] {
            item.line = line(store.location);
        }
        self.result = Some(result);
        Ok(())
    }

    /// The loop, with what must be before and behind it.
    pub fn stages(self, name: &'static str, body: Body) -> Vec<Stage> {
        let mut stages = Vec::new();
        let shape = self.arguments.shape();
        let outer = self.around.counts(&shape);
        for (vectors, first) in &self.residents {
            let mut fetch = Body::new(&outer, &[]);
            vectors.fetch(&mut fetch, Lane::of(1), &self.around, 0);
            let mut load = Body::new(&outer, &[vectors.count]);
            let value = vectors.bring(&mut load, Lane::of(1), &self.around);
            let address = Address::moving(*first, &load.along(VECTOR_WORDS));
            let place = Place::consecutive(Bank::Lm1, Width::Long, address);
            load.push(copy(), vec![value.into()], vec![place.into()]);
            stages.extend([Stage::Loop("fetch", fetch), Stage::Loop("resident", load)]);
        }
        let mut fetch = Body::new(&outer, &[]);
        for (vectors, lane) in &self.streams {
            vectors.fetch(&mut fetch, *lane, &self.around, 0);
        }
        if !fetch.items.is_empty() {
            stages.push(Stage::Loop("fetch", fetch));
        }
        stages.push(Stage::Loop(name, body));
        if let Some(result) = &self.result {
            let mut wait = Body::new(&outer, &[]);
            result.wait_last(&mut wait, RESULT);
            stages.push(Stage::Loop("wait", wait));
        }
        stages
    }
}
