//! Translation of one kernel, operation by operation.

use std::collections::HashMap;

use tessera_dialects::mlir::{Block, Op, OpView, Type as MlirType, Value};
use tessera_dialects::pto::{self, Broadcast};
use tessera_dialects::scf;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    self as group, Axis, Binary, Compute, Kernel, OpKind, Reduce, Region, TileType, Type, Unary,
};
use tessera_pto::rearrange::Rearrangement;
use tessera_pto::target::{Accumulators, Numerics, Precision, Unit};

use super::pipes::Pipes;
use super::refused::{expect_verified, Refused, Why};
use super::{arithmetic, element, tensor_type, Member};

/// The counterpart of an MLIR value in the group.
#[derive(Clone, Copy)]
enum MappedValue {
    /// A scalar or a tile.
    Value(group::Value),
    /// A tensor of the group or of the kernel, by its number.
    Tensor(usize),
    /// One end of a pipe.
    Pipe(usize),
}

/// Translation of one kernel.
pub struct Translation<'t, 'a> {
    /// The number of the kernel in the group.
    number: usize,
    member: &'t Member<'a>,
    /// The number of tensors of the group.
    tensors: usize,
    pipes: &'t mut Pipes,
    /// The operation of each location so far.
    ops: &'t mut Vec<Op<'a>>,
    pub(super) builder: Builder,
    mapped: HashMap<Value<'a>, MappedValue>,
}

impl<'t, 'a> Translation<'t, 'a> {
    /// Creates the translation of a kernel of a group with `tensors` tensors. `given` has the
    /// tensor of each argument, or `None` for a slot buffer.
    pub fn new(
        (number, member): (usize, &'t Member<'a>),
        (tensors, given): (usize, &[Option<usize>]),
        pipes: &'t mut Pipes,
        ops: &'t mut Vec<Op<'a>>,
    ) -> Self {
        let body = member.kernel.body();
        let arguments = body.map(Block::arguments).unwrap_or_default();
        let mapped = arguments.into_iter().zip(given);
        let mapped =
            mapped.filter_map(|(value, tensor)| Some((value, MappedValue::Tensor((*tensor)?))));
        Translation {
            number,
            member,
            tensors,
            pipes,
            ops,
            builder: Builder::default(),
            mapped: mapped.collect(),
        }
    }

    /// Translates the kernel.
    pub fn kernel(mut self) -> Result<Kernel, Refused<'a>> {
        self.builder.begin_region(&[]);
        for op in self.member.kernel.children() {
            self.op(op)?;
        }
        Ok(Kernel {
            numerics: numerics(self.member.kernel)?,
            ..self.builder.finish(&self.member.name)
        })
    }

    fn op(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        self.builder.set_location(self.ops.len());
        self.ops.push(op);
        let name = op.name();
        if let Some(compute) = compute(op) {
            return self.compute(op, compute?);
        }
        match name {
            pto::ReturnOp::NAME | pto::ReserveBufferOp::NAME | pto::ImportPeerBufferOp::NAME => {
                Ok(())
            }
            pto::AicInitializePipeOp::NAME | pto::AivInitializePipeOp::NAME => self.initialize(op),
            pto::RearrangeOp::NAME => self.rearrange(pto::RearrangeOp::view(op)),
            pto::AllocTensorOp::NAME => self.alloc(op),
            pto::TLoadOp::NAME => self.load(op),
            pto::TStoreOp::NAME => self.store(op),
            pto::TPushOp::NAME => self.push(op),
            pto::TPopOp::NAME => self.pop(op),
            pto::TFreeOp::NAME => self.free(op),
            pto::SubblockIndexOp::NAME => {
                let lane = self.builder.constant(self.member.lane as i64);
                self.define(op, lane)
            }
            scf::ForOp::NAME => self.r#for(op),
            scf::IfOp::NAME => self.r#if(op),
            _ if name.starts_with("arith.") => arithmetic::translate(self, op),
            _ => Err(Refused::new(op, Why::Operation)),
        }
    }

    /// Maps the result of an operation to a value.
    pub(super) fn define(&mut self, op: Op<'a>, value: group::Value) -> Result<(), Refused<'a>> {
        let result = expect_verified(op, op.result(0))?;
        self.mapped.insert(result, MappedValue::Value(value));
        Ok(())
    }

    fn mapped(&self, op: Op<'a>, value: Option<Value<'a>>) -> Result<MappedValue, Refused<'a>> {
        let mapped = value.and_then(|value| self.mapped.get(&value).copied());
        expect_verified(op, mapped)
    }

    /// Returns the scalar or tile of an operand.
    pub(super) fn value(&self, op: Op<'a>, operand: usize) -> Result<group::Value, Refused<'a>> {
        self.value_of(op, op.operand(operand))
    }

    fn value_of(&self, op: Op<'a>, value: Option<Value<'a>>) -> Result<group::Value, Refused<'a>> {
        match self.mapped(op, value)? {
            MappedValue::Value(value) => Ok(value),
            MappedValue::Tensor(_) | MappedValue::Pipe(_) => Err(Refused::new(op, Why::NoTile)),
        }
    }

    fn values(&self, op: Op<'a>, values: &[Value<'a>]) -> Result<Vec<group::Value>, Refused<'a>> {
        let values = values.iter().map(|value| self.value_of(op, Some(*value)));
        values.collect()
    }

    fn tensor(&self, op: Op<'a>, operand: usize) -> Result<usize, Refused<'a>> {
        match self.mapped(op, op.operand(operand))? {
            MappedValue::Tensor(tensor) => Ok(tensor),
            _ => expect_verified(op, None),
        }
    }

    fn pipe(&self, op: Op<'a>, operand: usize) -> Result<usize, Refused<'a>> {
        match self.mapped(op, op.operand(operand))? {
            MappedValue::Pipe(pipe) => Ok(pipe),
            _ => expect_verified(op, None),
        }
    }

    /// Returns the tile type of an operation's result.
    fn result_tile(&self, op: Op<'a>) -> Result<TileType, Refused<'a>> {
        match value_type(op, op.result(0).map(Value::r#type))? {
            Type::Tile(tile) => Ok(tile),
            Type::Scalar => expect_verified(op, None),
        }
    }

    fn initialize(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let kernel = (self.number, self.member.kernel);
        for (number, end) in op.results().into_iter().enumerate() {
            let pipe = self.pipes.initialize(kernel, number, self.ops);
            self.mapped
                .insert(end, MappedValue::Pipe(expect_verified(op, pipe)?));
        }
        Ok(())
    }

    fn alloc(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let result = expect_verified(op, op.result(0))?;
        let r#type = expect_verified(op, tensor_type(result.r#type()))?;
        let number = self.tensors + self.builder.local(r#type);
        self.mapped.insert(result, MappedValue::Tensor(number));
        Ok(())
    }

    fn load(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let (tensor, tile) = (self.tensor(op, 0)?, self.result_tile(op)?);
        let (row, column) = (self.value(op, 1)?, self.value(op, 2)?);
        let loaded = self.builder.load(tensor, row, column, tile);
        self.define(op, loaded)
    }

    fn store(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let (tile, tensor) = (self.value(op, 0)?, self.tensor(op, 1)?);
        let (row, column) = (self.value(op, 2)?, self.value(op, 3)?);
        self.builder.store(tensor, tile, row, column);
        Ok(())
    }

    fn rearrange(&mut self, moves: pto::RearrangeOp<'a>) -> Result<(), Refused<'a>> {
        let tensors = (0..moves.operand_count()).map(|operand| self.tensor(*moves, operand));
        let mut sources: Vec<usize> = tensors.collect::<Result<_, _>>()?;
        let target = expect_verified(*moves, sources.pop())?;
        let rearrangement = Rearrangement {
            sources,
            target,
            map: expect_verified(*moves, pto::rearrange::index_map(moves).ok())?,
        };
        let kind = OpKind::Rearrange(Box::new(rearrangement));
        self.builder.op(kind, &[], &[]);
        Ok(())
    }

    fn push(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let (tile, pipe) = (self.value(op, 0)?, self.pipe(op, 1)?);
        self.builder.push(pipe, tile);
        Ok(())
    }

    fn pop(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let (pipe, tile) = (self.pipe(op, 0)?, self.result_tile(op)?);
        let popped = self.builder.pop(pipe, tile);
        self.define(op, popped)
    }

    fn free(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let (tile, pipe) = (self.value(op, 0)?, self.pipe(op, 1)?);
        self.builder.free(pipe, tile);
        Ok(())
    }

    fn compute(&mut self, op: Op<'a>, compute: Compute) -> Result<(), Refused<'a>> {
        let (operands, tile) = (self.values(op, &op.operands())?, self.result_tile(op)?);
        let builder = self.builder.set_unit(unit(op)).set_precision(precision(op));
        let computed = builder.compute(compute, &operands, tile);
        self.define(op, computed)
    }

    /// Translates the operations of a block and its yields.
    fn region(
        &mut self,
        op: Op<'a>,
        block: Option<Block<'a>>,
        arguments: &[Type],
    ) -> Result<Region, Refused<'a>> {
        let values = self.builder.begin_region(arguments);
        let own = block.map(Block::arguments).unwrap_or_default();
        let own = own.into_iter().zip(values);
        self.mapped
            .extend(own.map(|(own, value)| (own, MappedValue::Value(value))));
        let mut yields = Vec::new();
        for inner in block.map(Block::ops).unwrap_or_default() {
            if inner.isa::<scf::YieldOp>() {
                yields = self.values(inner, &inner.operands())?;
            } else {
                self.op(inner)?;
            }
        }
        let at = self.ops.iter().rposition(|other| *other == op);
        self.builder.set_location(at.unwrap_or_default());
        Ok(self.builder.end_region(yields))
    }

    /// Appends an operation with regions and maps its results.
    fn finish(
        &mut self,
        op: Op<'a>,
        kind: OpKind,
        operands: &[group::Value],
    ) -> Result<(), Refused<'a>> {
        let types = self.types(op, &op.results())?;
        let results = self.builder.op(kind, operands, &types);
        let results = op.results().into_iter().zip(results);
        self.mapped
            .extend(results.map(|(result, value)| (result, MappedValue::Value(value))));
        Ok(())
    }

    fn types(&self, op: Op<'a>, values: &[Value<'a>]) -> Result<Vec<Type>, Refused<'a>> {
        let types = values
            .iter()
            .map(|value| value_type(op, Some(value.r#type())));
        types.collect()
    }

    fn r#for(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let operands = self.values(op, &op.operands())?;
        let body = op.body();
        let arguments = body.map(Block::arguments).unwrap_or_default();
        let arguments = self.types(op, &arguments)?;
        let region = self.region(op, body, &arguments)?;
        self.finish(op, OpKind::For(region), &operands)
    }

    fn r#if(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let condition = self.value(op, 0)?;
        let branches = op.regions();
        let block = |number: usize| {
            branches
                .get(number)
                .and_then(|one| one.blocks().first().copied())
        };
        let then = self.region(op, block(0), &[])?;
        let otherwise = self.region(op, block(1), &[])?;
        self.finish(op, OpKind::If(Box::new([then, otherwise])), &[condition])
    }

    /// Translates `arith.select` to a branch.
    pub(super) fn select(&mut self, op: Op<'a>) -> Result<(), Refused<'a>> {
        let [condition, yes, no] = [0, 1, 2].map(|operand| self.value(op, operand));
        let (condition, yes, no) = (condition?, yes?, no?);
        let [yes, no] = [yes, no].map(|value| {
            self.builder.begin_region(&[]);
            self.builder.end_region(vec![value])
        });
        self.finish(op, OpKind::If(Box::new([yes, no])), &[condition])
    }
}

/// Converts the type of a value.
pub fn value_type<'a>(op: Op<'a>, r#type: Option<MlirType<'a>>) -> Result<Type, Refused<'a>> {
    let r#type = expect_verified(op, r#type)?;
    if matches!(r#type.to_string().as_str(), "index" | "i1") {
        return Ok(Type::Scalar);
    }
    let Some(tile) = pto::tile(r#type) else {
        return Err(Refused::new(op, Why::Value(r#type)));
    };
    let narrow = |extents: &[u64]| match *extents {
        [rows, columns] => Some([u32::try_from(rows).ok()?, u32::try_from(columns).ok()?]),
        _ => None,
    };
    let mapped = narrow(&tile.shape).zip(narrow(&tile.valid));
    let Some((([rows, columns], valid), element)) = mapped.zip(element(tile.element)) else {
        return Err(Refused::new(op, Why::Value(r#type)));
    };
    Ok(Type::Tile(TileType {
        rows,
        columns,
        valid,
        element,
    }))
}

/// Returns the computation of an operation on tiles, or `None` for other operations.
fn compute(op: Op<'_>) -> Option<Result<Compute, Refused<'_>>> {
    let name = pto::function_name(op.name())?;
    if let Some(unary) = Unary::from_mnemonic(name) {
        return Some(Ok(Compute::Unary(unary)));
    }
    if let Some(function) = Binary::from_mnemonic(name) {
        return Some(Ok(binary(op, function)));
    }
    let reduction = |name: &str, axis| Some((Reduce::from_mnemonic(name)?, axis));
    let row = name
        .strip_prefix("row")
        .and_then(|name| reduction(name, Axis::Columns));
    let column = name
        .strip_prefix("col")
        .and_then(|name| reduction(name, Axis::Rows));
    if let Some((reduce, axis)) = row.or(column) {
        return Some(Ok(Compute::Reduce(reduce, axis)));
    }
    Some(Ok(match op.name() {
        pto::TMatmulOp::NAME => Compute::Matmul,
        pto::TMatmulAccOp::NAME => Compute::MatmulAcc,
        pto::TCvtOp::NAME => Compute::Convert,
        pto::TMoveOp::NAME => Compute::Move,
        pto::TSelOp::NAME => Compute::Select,
        pto::TTransOp::NAME => Compute::Transpose,
        pto::TFillOp::NAME => {
            let value = pto::TFillOp::view(op).value();
            return Some(expect_verified(op, value).map(Compute::Fill));
        }
        _ => return None,
    }))
}

fn binary(op: Op, binary: Binary) -> Compute {
    let broadcast = match pto::BinaryOp::view(op).broadcast() {
        Some(Broadcast::Row) => group::Broadcast::Row,
        Some(Broadcast::Column) => group::Broadcast::Column,
        Some(Broadcast::Scalar) => group::Broadcast::Scalar,
        Some(Broadcast::None) | None => group::Broadcast::None,
    };
    Compute::Binary(binary, broadcast)
}

/// Returns the unit that an operation names.
fn unit(op: Op) -> Option<Unit> {
    let unit = op.dyn_cast().and_then(pto::UnitOp::unit)?;
    Some(match unit {
        pto::Unit::Fpu => Unit::Fpu,
        pto::Unit::Sfpu => Unit::Sfpu,
        pto::Unit::Pack => Unit::Pack,
    })
}

/// Returns the precision of an element-wise function; the default for other operations.
fn precision(op: Op) -> Precision {
    match op.dyn_cast().and_then(pto::ElementwiseOp::precision) {
        Some(pto::Precision::Bf16) => Precision::Bf16,
        Some(pto::Precision::F32) | None => Precision::F32,
    }
}

/// Returns the precision of a kernel's products; the default for movement kernels.
fn numerics(kernel: pto::FuncOp<'_>) -> Result<Numerics, Refused<'_>> {
    if kernel.kind() == Some(pto::Kind::Movement) {
        return Ok(Numerics::default());
    }
    let phases = kernel.fidelity().map(pto::Fidelity::phases);
    Ok(Numerics {
        phases: expect_verified(*kernel, phases)?,
        accumulators: match expect_verified(*kernel, kernel.dst())? {
            pto::Dst::F32 => Accumulators::F32,
            pto::Dst::B16 => Accumulators::B16,
        },
    })
}
