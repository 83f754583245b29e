//! Construction of kernels, operation by operation, for compilers and tests.
//!
//! Result types are parameters where the operands do not determine them. Nothing is checked here;
//! see [`crate::validate`].

use crate::kernel::{
    Binary, Broadcast, Compute, Kernel, Op, OpKind, Region, ScalarOp, TensorType, TileType, Type,
    Unary, Value,
};
use crate::target::{Numerics, Precision, Unit};

/// A kernel under construction.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    local: Vec<TensorType>,
    values: Vec<Type>,
    /// Open regions, the innermost last.
    open: Vec<Region>,
    location: usize,
    /// The unit of the next operation.
    unit: Option<Unit>,
    /// The precision of the next operation.
    precision: Precision,
}

impl Builder {
    /// Builds a kernel.
    pub fn kernel(name: &str, body: impl FnOnce(&mut Builder)) -> Kernel {
        let mut builder = Builder::default();
        builder.begin_region(&[]);
        body(&mut builder);
        builder.finish(name)
    }

    /// Ends the outermost region, which becomes the body of a kernel.
    pub fn finish(mut self, name: &str) -> Kernel {
        let body = self.end_region(vec![]);
        Kernel {
            name: name.to_owned(),
            local: self.local,
            values: self.values,
            body,
            numerics: Numerics::default(),
        }
    }

    /// Begins a region of the kernel or of an operation that is built later. Operations are added
    /// to it until it ends.
    pub fn begin_region(&mut self, arguments: &[Type]) -> Vec<Value> {
        let arguments: Vec<Value> = arguments.iter().map(|one| self.value(*one)).collect();
        self.open.push(Region {
            arguments: arguments.clone(),
            ..Region::default()
        });
        arguments
    }

    /// Ends the innermost region.
    pub fn end_region(&mut self, yields: Vec<Value>) -> Region {
        let region = self.open.pop().unwrap_or_default();
        Region { yields, ..region }
    }

    /// Returns the type of a value.
    pub fn type_of(&self, value: Value) -> Type {
        self.values[value]
    }

    /// Sets the source location of the following operations.
    pub fn set_location(&mut self, location: usize) -> &mut Self {
        self.location = location;
        self
    }

    /// Sets the unit that executes the next operation.
    pub fn set_unit(&mut self, unit: Option<Unit>) -> &mut Self {
        self.unit = unit;
        self
    }

    /// Sets the precision of the next operation, if it is an element-wise function.
    pub fn set_precision(&mut self, precision: Precision) -> &mut Self {
        self.precision = precision;
        self
    }

    fn value(&mut self, r#type: Type) -> Value {
        self.values.push(r#type);
        self.values.len() - 1
    }

    fn region(
        &mut self,
        arguments: &[Type],
        build: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
    ) -> Region {
        let arguments = self.begin_region(arguments);
        let yields = build(self, &arguments);
        self.end_region(yields)
    }

    /// Adds an operation and returns its results.
    pub fn op(&mut self, kind: OpKind, operands: &[Value], results: &[Type]) -> Vec<Value> {
        let results: Vec<Value> = results.iter().map(|one| self.value(*one)).collect();
        let op = Op {
            kind,
            operands: operands.to_vec(),
            results: results.clone(),
            location: self.location,
            unit: self.unit.take(),
            precision: std::mem::take(&mut self.precision),
        };
        if let Some(region) = self.open.last_mut() {
            region.ops.push(op);
        }
        results
    }

    fn one(&mut self, kind: OpKind, operands: &[Value], result: Type) -> Value {
        self.op(kind, operands, &[result])[0]
    }

    /// Adds a scalar constant.
    pub fn constant(&mut self, number: i64) -> Value {
        self.one(OpKind::Constant(number), &[], Type::Scalar)
    }

    /// Adds an operation on two scalars.
    pub fn scalar(&mut self, op: ScalarOp, left: Value, right: Value) -> Value {
        self.one(OpKind::Scalar(op), &[left, right], Type::Scalar)
    }

    /// Adds a loop of `times` iterations without carried values. The body receives the counter.
    pub fn repeat(&mut self, times: i64, body: impl FnOnce(&mut Builder, Value)) {
        self.repeat_carrying(times, &[], |builder, counter, _| {
            body(builder, counter);
            vec![]
        });
    }

    /// Adds a loop of `times` iterations. The body receives the counter and the carried values, and
    /// returns the next carried values.
    pub fn repeat_carrying(
        &mut self,
        times: i64,
        initial: &[Value],
        body: impl FnOnce(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let bounds = [0, times, 1].map(|number| self.constant(number));
        self.for_loop(bounds, initial, body)
    }

    /// Adds a loop with lower bound, upper bound (exclusive) and step. The body receives the
    /// counter and the carried values, and returns the next carried values.
    pub fn for_loop(
        &mut self,
        bounds: [Value; 3],
        initial: &[Value],
        body: impl FnOnce(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let carried: Vec<Type> = initial.iter().map(|value| self.values[*value]).collect();
        let arguments = [&[Type::Scalar], &carried[..]].concat();
        let region = self.region(&arguments, |builder, values| {
            body(builder, values[0], &values[1..])
        });
        let operands = [&bounds[..], initial].concat();
        self.op(OpKind::For(region), &operands, &carried)
    }

    /// Adds a branch. Both regions return values of the types `results`.
    pub fn branch(
        &mut self,
        condition: Value,
        results: &[Type],
        then: impl FnOnce(&mut Builder) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Builder) -> Vec<Value>,
    ) -> Vec<Value> {
        let then = self.region(&[], |builder, _| then(builder));
        let otherwise = self.region(&[], |builder, _| otherwise(builder));
        self.op(
            OpKind::If(Box::new([then, otherwise])),
            &[condition],
            results,
        )
    }

    /// Adds a tensor in the core's memory. Returns its index in [`Kernel::local`]; its number in
    /// loads and stores is larger by the number of the group's tensors.
    pub fn local(&mut self, tensor: TensorType) -> usize {
        self.local.push(tensor);
        self.local.len() - 1
    }

    /// Adds a load of a tile from a tensor.
    pub fn load(&mut self, tensor: usize, row: Value, column: Value, tile: TileType) -> Value {
        self.one(OpKind::Load { tensor }, &[row, column], Type::Tile(tile))
    }

    /// Adds a store of a tile to a tensor.
    pub fn store(&mut self, tensor: usize, tile: Value, row: Value, column: Value) {
        self.op(OpKind::Store { tensor }, &[tile, row, column], &[]);
    }

    /// Adds an operation on tiles.
    pub fn compute(&mut self, compute: Compute, operands: &[Value], result: TileType) -> Value {
        self.one(OpKind::Compute(compute), operands, Type::Tile(result))
    }

    /// Adds a unary function, with the type of the operand.
    pub fn unary(&mut self, unary: Unary, tile: Value) -> Value {
        self.one(
            OpKind::Compute(Compute::Unary(unary)),
            &[tile],
            self.values[tile],
        )
    }

    /// Adds a binary function, with the type of the left operand.
    pub fn binary(&mut self, binary: Binary, left: Value, right: Value) -> Value {
        let compute = Compute::Binary(binary, Broadcast::None);
        self.one(OpKind::Compute(compute), &[left, right], self.values[left])
    }

    /// Adds a push of a tile to a pipe.
    pub fn push(&mut self, pipe: usize, tile: Value) {
        self.op(OpKind::Push { pipe }, &[tile], &[]);
    }

    /// Adds a pop of the next tile of a pipe.
    pub fn pop(&mut self, pipe: usize, tile: TileType) -> Value {
        self.one(OpKind::Pop { pipe }, &[], Type::Tile(tile))
    }

    /// Adds a free of the slot of a popped tile.
    pub fn free(&mut self, pipe: usize, tile: Value) {
        self.op(OpKind::Free { pipe }, &[tile], &[]);
    }
}
