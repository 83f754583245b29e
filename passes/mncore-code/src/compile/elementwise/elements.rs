//! Element-wise expressions, evaluated vector by vector within a loop.

use std::collections::HashMap;

use tessera_isa_mncore::memory::{Bank, Width};
use tessera_pto::kernel::Element;

use super::apply::{apply, as_value, binary, constant, convert, copy, unary, Precise};
use crate::compile::data::arguments::{Arguments, DeferredTensor};
use crate::compile::data::geometry::VECTOR_WORDS;
use crate::compile::data::outer_loops::OuterLoops;
use crate::compile::data::streams::{
    StreamBuffer, VectorIndex, STREAM_BUFFERS, STREAM_BUFFERS_OF_PRODUCT,
};
use crate::compile::data::tensor_use::{Role, TensorUse};
use crate::compile::data::vector_layout::VectorLayout;
use crate::compile::data::vectors::TensorVectors;
use crate::compile::error::{unsupported, CompileError};
use crate::compile::stages::line;
use crate::functions::Function;
use crate::raise::{BroadcastView, Expr, ExprKind, Store};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Operand, Place, Source};
use tessera_mncore_ir::kernel::Stage;

/// The stream buffer of results, if no other stream runs beside the loop.
const RESULT: StreamBuffer = StreamBuffer::numbered(0);

/// A loop over vectors under construction.
pub(crate) struct Elements<'a, 'b> {
    arguments: &'a mut Arguments<'b>,
    around: OuterLoops,
    vector_layout: VectorLayout,
    /// The roles of the tensors' rows and columns.
    roles: [Role; 2],
    /// Vectors per iteration.
    width: u32,
    /// The vector of the iteration for which values are being computed.
    part: usize,
    streams: Vec<(TensorVectors, StreamBuffer)>,
    /// Tensors resident in LM1, with their first words.
    residents: Vec<(TensorVectors, u32)>,
    result: Option<TensorVectors>,
    /// Operands of tensors, for each vector of an iteration.
    bound_tensors: HashMap<(usize, BroadcastView), Vec<Operand>>,
    /// Operands of expressions that are computed elsewhere.
    bound_exprs: Vec<(Expr, Vec<Operand>)>,
    /// The first free word of LM1.
    free: u32,
    /// Number of stream buffers available.
    buffers: u32,
    /// The stream buffer in which other loops fetch all vectors of the only stream, if they do.
    fetched: Option<StreamBuffer>,
    /// The stream buffer of results, and whether stores of a block may overlap the next block.
    out: (StreamBuffer, bool),
}

impl<'a, 'b> Elements<'a, 'b> {
    pub fn new(
        arguments: &'a mut Arguments<'b>,
        around: OuterLoops,
        vector_layout: VectorLayout,
        roles: [Role; 2],
        width: u32,
    ) -> Self {
        Elements {
            arguments,
            around,
            vector_layout,
            roles,
            width,
            part: 0,
            streams: Vec::new(),
            residents: Vec::new(),
            result: None,
            bound_tensors: HashMap::new(),
            bound_exprs: Vec::new(),
            free: 0,
            buffers: STREAM_BUFFERS_OF_PRODUCT,
            fetched: None,
            out: (RESULT, false),
        }
    }

    /// Lets stores of a block overlap the next block, through this stream buffer. The caller waits
    /// for the last ones.
    pub fn defer_stores(&mut self, buffer: StreamBuffer) {
        self.out = (buffer, true);
    }

    /// Reads the only stream from a buffer in which other loops fetch all of its vectors.
    pub fn set_fetched(&mut self, buffer: StreamBuffer) {
        self.fetched = Some(buffer);
    }

    /// Uses all stream buffers, as there is no product.
    pub fn alone(mut self) -> Self {
        if !self.arguments.has_stages() {
            self.buffers = STREAM_BUFFERS;
        }
        self
    }

    /// Binds an expression to operands that are computed elsewhere.
    pub fn bind_expr(&mut self, expr: &Expr, operands: Vec<Operand>) {
        self.bound_exprs.push((expr.clone(), operands));
    }

    /// Reserves LM1 below this word.
    pub fn reserve_lm1(&mut self, words: u32) {
        self.free = words;
    }

    /// Returns a loop over this many vectors.
    pub fn body(&self, count: u32) -> Body {
        let counts = self.around.counts(&self.arguments.distribution());
        Body::new(&counts, &[count / self.width])
    }

    /// Returns consecutive places in a memory for the vectors of an iteration.
    pub fn places(&self, body: &Body, bank: Bank) -> Vec<Place> {
        let steps = body.innermost_steps(self.width * VECTOR_WORDS);
        let place = |part| {
            let address = Address::affine(part * VECTOR_WORDS, &steps);
            Place::consecutive(bank, Width::Long, address)
        };
        (0..self.width).map(place).collect()
    }

    /// Evaluates an expression for each vector of an iteration. `sums` are the operands of the
    /// product in it, if there is one.
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

    /// Evaluates an expression for one of the vectors.
    fn value(
        &mut self,
        body: &mut Body,
        expr: &Expr,
        sums: Option<&Operand>,
    ) -> Result<Operand, CompileError> {
        if let Some((_, value)) = self.bound_exprs.iter().find(|(have, _)| have == expr) {
            return Ok(value[self.part].clone());
        }
        let first = body.items.len();
        let value = match &expr.kind {
            ExprKind::Tensor(tensor, broadcast) => self.tensor_operand(body, expr, *tensor, *broadcast)?,
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
                let function = Precise::for_expr(expr, *function);
                unary(body, function, one, types, expr.location)?
            }
            ExprKind::Binary(function, both) => {
                let left = self.value(body, &both[0], sums)?;
                let right = self.value(body, &both[1], sums)?;
                let types = [both[0].element, expr.element];
                let function = Precise::for_expr(expr, *function);
                binary(body, function, [left, right], types, expr.location)?
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

    /// Returns the operand of a tensor: loads it as a stream or makes it resident, unless it is
    /// bound.
    fn tensor_operand(
        &mut self,
        body: &mut Body,
        expr: &Expr,
        tensor: usize,
        broadcast: BroadcastView,
    ) -> Result<Operand, CompileError> {
        if let Some(known) = self.bound_tensors.get(&(tensor, broadcast)) {
            return Ok(known[self.part].clone());
        }
        if let Some(deferred) = self.arguments.take_deferred(tensor) {
            let part = self.part;
            let values = self.deferred_values(body, deferred)?;
            self.part = part;
            let own = values[part].clone();
            self.bound_tensors.insert((tensor, broadcast), values);
            return Ok(own);
        }
        if let Some(places) = self.local_places(body, tensor) {
            let operands: Vec<Operand> = places.into_iter().map(Operand::from).collect();
            let own = operands[self.part].clone();
            self.bound_tensors.insert((tensor, broadcast), operands);
            return Ok(own);
        }
        let r#use = TensorUse::new(self.arguments.tensor(tensor), self.roles, broadcast);
        if let Some(operand) = self.arguments.row_operand(tensor, &r#use)? {
            let loops = (&self.around, &self.arguments.distribution());
            let places = operand.places(body, loops, self.width);
            let operands: Vec<Operand> = places.into_iter().map(Operand::from).collect();
            let own = operands[self.part].clone();
            self.bound_tensors.insert((tensor, broadcast), operands);
            return Ok(own);
        }
        let halves = self.width == 2;
        let vector_layout = match self.vector_layout {
            VectorLayout::ColumnsOverGroups if r#use.is_broadcast(Role::I) => {
                VectorLayout::SharedColumnsOverGroups
            }
            own if !r#use.has_own_matrices() => own.shared_by_matrices(),
            own => own,
        };
        let vectors = self
            .arguments
            .place(tensor, &r#use, vector_layout, halves)?;
        let operands = if vectors.is_resident {
            let size = vectors.count * vectors.parts * VECTOR_WORDS;
            let first = self.free;
            if first + size > self.arguments.words(Bank::Lm1) {
                return Err(unsupported(expr.location, "more operands that are the same for all rows than LM1 holds; compile with fusion=none"));
            }
            self.free += size;
            self.residents.push((vectors, first));
            let places = self.places(body, Bank::Lm1).into_iter();
            let around = |place: Place| Place {
                address: place.address.with_ring(first, size),
                ..place
            };
            places.map(|place| around(place).into()).collect()
        } else {
            let number = 1 + self.streams.len() as u32;
            if number >= self.buffers {
                return Err(unsupported(
                    expr.location,
                    format!(
                        "more than {} tensors stream through one group; compile with fusion=none",
                        self.buffers - 1
                    ),
                ));
            }
            let buffer = self.fetched.unwrap_or(StreamBuffer::numbered(number));
            let values = match self.fetched {
                Some(_) => vectors.load_fetched(body, buffer, self.width),
                None => vectors.load(body, buffer, &self.around, self.width),
            };
            if broadcast == BroadcastView::default() {
                self.keep(body, tensor, &vectors, &values);
            }
            self.streams.push((vectors, buffer));
            values
        };
        let own = operands[self.part].clone();
        self.bound_tensors.insert((tensor, broadcast), operands);
        Ok(own)
    }

    /// Computes a deferred tensor, and stores it in local memory if later loops read it there.
    fn deferred_values(
        &mut self,
        body: &mut Body,
        DeferredTensor { store, is_stored }: DeferredTensor,
    ) -> Result<Vec<Operand>, CompileError> {
        let values = self.stored_values(body, store, None)?;
        let values = values.into_iter().map(|value| match value.source {
            Source::Memory(_) => as_value(body, value),
            _ => value,
        });
        let values: Vec<Operand> = values.collect();
        if is_stored {
            let places = self.local_places(body, store.tensor).unwrap_or_default();
            for (value, place) in values.iter().zip(places) {
                let copied = body.push(copy(), vec![value.clone()], vec![place.into()]);
                copied.line = line(store.location);
            }
        }
        Ok(values)
    }

    /// Stores the vectors of a streamed argument in local memory, if later loops read it there.
    fn keep(
        &mut self,
        body: &mut Body,
        tensor: usize,
        vectors: &TensorVectors,
        values: &[Operand],
    ) {
        let distribution = self.arguments.distribution();
        let Some(place) = self.arguments.keep(tensor, vectors) else {
            return;
        };
        let places = place.places(body, (&self.around, &distribution), self.width);
        for (value, place) in values.iter().zip(places) {
            body.push(copy(), vec![value.clone()], vec![place.into()]);
        }
    }

    /// Returns the places of a tensor for the vectors of an iteration, if it is local.
    fn local_places(&self, body: &Body, tensor: usize) -> Option<Vec<Place>> {
        let local = self.arguments.local(tensor)?;
        let distribution = self.arguments.distribution();
        Some(local.places(body, (&self.around, &distribution), self.width))
    }

    /// Binds a tensor to operands.
    pub fn bind_tensor(&mut self, tensor: usize, broadcast: BroadcastView, operands: Vec<Operand>) {
        self.bound_tensors.insert((tensor, broadcast), operands);
    }

    /// Returns the values of a tensor that this loop streams.
    pub fn streamed(&self, tensor: usize, broadcast: BroadcastView) -> Option<&[Operand]> {
        let operands = self.bound_tensors.get(&(tensor, broadcast))?;
        let are_values = operands
            .iter()
            .all(|one| matches!(one.source, Source::Value(_)));
        are_values.then_some(operands)
    }

    /// Copies a tensor with the same elements without unpacking it.
    pub fn copy(
        &mut self,
        body: &mut Body,
        store: &Store,
        tensor: usize,
    ) -> Result<(), CompileError> {
        let halves = self.width == 2;
        let mut place = |tensor: usize| {
            let kind = self.arguments.tensor(tensor);
            let r#use = TensorUse::new(kind, self.roles, BroadcastView::default());
            self.arguments
                .place(tensor, &r#use, self.vector_layout, halves)
        };
        let (from, to) = (place(tensor)?, place(store.tensor)?);
        let (buffer, out) = (StreamBuffer::numbered(1), self.out.0);
        let first = body.items.len();
        for turn in VectorIndex::all(self.width / from.parts) {
            let value = body.value(Width::Long, Home::Any);
            from.load_to(body, buffer, &self.around, turn, value);
            to.store_vector(body, out, &self.around, turn, value.into());
        }
        for item in &mut body.items[first..] {
            item.line = line(store.location);
        }
        self.streams.push((from, buffer));
        self.result = Some(to);
        Ok(())
    }

    /// Stores the result, or a local tensor. `sums` are the operands of the product in it, if there
    /// is one.
    pub fn store(
        &mut self,
        body: &mut Body,
        store: &Store,
        sums: Option<&[Operand]>,
    ) -> Result<(), CompileError> {
        let values = self.stored_values(body, store, sums)?;
        if let Some(places) = self.local_places(body, store.tensor) {
            for (mut value, place) in values.into_iter().zip(places) {
                // An item either reads or writes a memory.
                if value.is_in(place.bank) {
                    value = as_value(body, value);
                }
                body.push(copy(), vec![value], vec![place.into()]).line = line(store.location);
            }
            return Ok(());
        }
        let kind = self.arguments.tensor(store.tensor);
        let r#use = TensorUse::new(kind, self.roles, BroadcastView::default());
        let halves = self.width == 2;
        let (arguments, vector_layout) = (&mut *self.arguments, self.vector_layout);
        let result = arguments.place(store.tensor, &r#use, vector_layout, halves)?;
        let first = body.items.len();
        if let (buffer, true) = self.out {
            if body.iterations() > 1 {
                let loops = (&self.around, &self.arguments.distribution());
                result.wait_before_reuse(body, buffer, loops, self.width);
            }
        }
        result.store(body, self.out.0, &self.around, values);
        for item in &mut body.items[first..] {
            item.line = line(store.location);
        }
        self.result = Some(result);
        Ok(())
    }

    /// Stores part of a product's result, which has this place, through a stream buffer.
    pub fn store_part(
        &mut self,
        body: &mut Body,
        store: &Store,
        sums: &[Operand],
        (part, buffer): (&TensorVectors, StreamBuffer),
    ) -> Result<(), CompileError> {
        let around = self.around;
        self.store_through(body, store, sums, &|body, values| {
            part.store(body, buffer, &around, values);
        })
    }

    /// Hands the values of a product's result to `store`, which emits the items that store them.
    pub fn store_through(
        &mut self,
        body: &mut Body,
        of: &Store,
        sums: &[Operand],
        store: &dyn Fn(&mut Body, Vec<Operand>),
    ) -> Result<(), CompileError> {
        let values = self.stored_values(body, of, Some(sums))?;
        let first = body.items.len();
        store(body, values);
        for item in &mut body.items[first..] {
            item.line = line(of.location);
        }
        Ok(())
    }

    /// Evaluates the stored expression for the vectors of an iteration.
    fn stored_values(
        &mut self,
        body: &mut Body,
        store: &Store,
        sums: Option<&[Operand]>,
    ) -> Result<Vec<Operand>, CompileError> {
        // Packing rounds to bf16, so no separate rounding is needed.
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

    /// Returns the stages that load a resident tensor to LM1.
    fn load_resident(&self, vectors: &TensorVectors, first: u32) -> [Stage; 2] {
        let outer = self.around.counts(&self.arguments.distribution());
        let buffer = StreamBuffer::numbered(1);
        let mut fetch = Body::new(&outer, &[]);
        vectors.prefetch(&mut fetch, buffer, &self.around, 0);
        let mut load = Body::new(&outer, &[vectors.count]);
        let values = vectors.load(&mut load, buffer, &self.around, vectors.parts);
        for (value, part) in values.into_iter().zip(0..) {
            let steps = load.innermost_steps(vectors.parts * VECTOR_WORDS);
            let address = Address::affine(first + part * VECTOR_WORDS, &steps);
            let place = Place::consecutive(Bank::Lm1, Width::Long, address);
            load.push(copy(), vec![value], vec![place.into()]);
        }
        [Stage::Loop("fetch", fetch), Stage::Loop("resident", load)]
    }

    /// Returns the stage that zeroes the stream buffers of vectors with untransferred cycles.
    fn clear_buffers(&self, outer: &[u32]) -> Option<Stage> {
        let residents = self.residents.iter();
        let residents = residents.map(|(vectors, _)| (vectors, StreamBuffer::numbered(1)));
        let streams = self
            .streams
            .iter()
            .map(|(vectors, buffer)| (vectors, *buffer));
        let all = residents.chain(streams);
        let mut buffers: Vec<StreamBuffer> = Vec::new();
        for (_, buffer) in all.filter(|(vectors, _)| vectors.has_empty_cycles()) {
            if !buffers.contains(&buffer) {
                buffers.push(buffer);
            }
        }
        let mut body = Body::new(outer, &[]);
        buffers.iter().for_each(|buffer| buffer.clear(&mut body));
        (!buffers.is_empty()).then_some(Stage::Loop("clear", body))
    }

    /// Returns the loop with the stages that must precede and follow it.
    pub fn stages(self, name: &'static str, body: Body) -> Vec<Stage> {
        let mut stages = Vec::new();
        let outer = self.around.counts(&self.arguments.distribution());
        for (vectors, first) in &self.residents {
            stages.extend(self.load_resident(vectors, *first));
        }
        let mut fetch = Body::new(&outer, &[]);
        let streams = self.streams.iter().filter(|_| self.fetched.is_none());
        for (vectors, buffer) in streams {
            vectors.prefetch(&mut fetch, *buffer, &self.around, 0);
        }
        if !fetch.items.is_empty() {
            stages.push(Stage::Loop("fetch", fetch));
        }
        if let Some(clear) = self.clear_buffers(&outer) {
            // Overlaps the transfers of the first vectors.
            stages.insert(stages.len().min(1), clear);
        }
        let is_block = body.iterations() == 1;
        stages.push(Stage::Loop(name, body));
        if let Some(result) = &self.result {
            let (buffer, late) = self.out;
            let mut wait = Body::new(&outer, &[]);
            if !late {
                result.wait_for_last(&mut wait, buffer);
                stages.push(Stage::Loop("wait", wait));
            } else if is_block {
                let distribution = self.arguments.distribution();
                result.wait_for_previous_block(&mut wait, buffer, &self.around, &distribution);
                if !wait.items.is_empty() {
                    stages.insert(0, Stage::Loop("wait", wait));
                }
            }
        }
        stages
    }
}
