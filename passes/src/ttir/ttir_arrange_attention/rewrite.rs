//! Writes the operations of an attention with the chosen order of dimensions.

use std::collections::HashMap;

use tessera_dialects::mlir::{Op, Reported, Rewriter, TensorType, Value};
use tessera_dialects::verify::call;
use tessera_ops::{AttributeValue, Attributes};

use super::axes::{Axes, Dim, Tensor};
use super::labels::Labels;
use super::order::{can_broadcast, Order};
use super::region::{Region, Role};
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::{ints, with, Emitter};
use crate::verified::{expect_result, expect_verified};

/// Replaces the operations of a region.
pub fn rewrite<'a>(
    region: &Region<'a>,
    labels: &Labels<'a>,
    order: &Order,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let writer = Writer {
        region,
        labels,
        order,
        rewriter,
    };
    let mut made = HashMap::new();
    made.insert(expect_result(region.scores.op)?, writer.scores()?);
    for (op, role) in &region.between {
        let value = writer.between(*op, role, &made)?;
        made.insert(expect_result(*op)?, value);
    }
    let last = region.last.op;
    let weights = made.get(&region.last.factors[region.weights]).copied();
    made.insert(
        expect_result(last)?,
        writer.last(expect_verified(last, weights)?)?,
    );
    for (op, role) in &region.after {
        let value = writer.between(*op, role, &made)?;
        made.insert(expect_result(*op)?, value);
    }
    rewriter.replace(region.end(), &[writer.result(&made)?]);
    let after = region.after.iter().rev().map(|(op, _)| *op).skip(1);
    let between = region.between.iter().rev().map(|(op, _)| *op);
    let last = (!region.after.is_empty()).then_some(last);
    let unused = after.chain(last).chain(between).chain([region.scores.op]);
    unused.for_each(|op| rewriter.erase(op));
    Ok(())
}

struct Writer<'a, 'r> {
    region: &'r Region<'a>,
    labels: &'r Labels<'a>,
    order: &'r Order,
    rewriter: &'r Rewriter<'a>,
}

impl<'a> Writer<'a, '_> {
    /// Writes the product of queries and keys.
    fn scores(&self) -> Result<Value<'a>, Reported> {
        let order = self.order;
        let emitter = Emitter::new(self.region.scores.op, self.rewriter);
        let factor = |number: usize, rows: &[usize], is_left| {
            let summed = self.labels.summed();
            self.factor(
                &emitter,
                self.labels.factors[number],
                [rows, summed],
                is_left,
            )
        };
        let queries = self.labels.queries;
        let left = factor(queries, &order.rows, true)?;
        let right = factor(1 - queries, &order.columns, false)?;
        multiply(&emitter, left, right)
    }

    /// Writes the product of the weights and the values.
    fn last(&self, weights: Value<'a>) -> Result<Value<'a>, Reported> {
        let order = self.order;
        let emitter = Emitter::new(self.region.last.op, self.rewriter);
        let sides = [&self.labels.features()[..], &order.columns];
        let right = self.factor(&emitter, self.labels.weighted, sides, false)?;
        multiply(&emitter, (weights, false), right)
    }

    /// Gives the result of the region the dimensions that it had.
    fn result(&self, made: &HashMap<Value<'a>, Value<'a>>) -> Result<Value<'a>, Reported> {
        let end = self.region.end();
        let value = expect_result(end)?;
        let made = expect_verified(end, made.get(&value).copied())?;
        let dims = expect_verified(end, self.labels.values.get(&value).copied())?;
        let found = self.order.dims(&self.order.rows, self.labels.features());
        let emitter = Emitter::new(end, self.rewriter);
        let axes = &self.labels.axes;
        arrange(&emitter, axes, made, &found, axes.dims(dims))
    }

    /// Writes a factor as matrices with these rows or columns and these summed axes. Returns it,
    /// and whether it is transposed.
    fn factor(
        &self,
        emitter: &Emitter<'a, '_>,
        (value, tensor): (Value<'a>, Tensor),
        [other, summed]: [&[usize]; 2],
        is_left: bool,
    ) -> Result<(Value<'a>, bool), Reported> {
        let dims = self.labels.axes.dims(tensor);
        let upright = self.order.dims(other, summed);
        let flat = self.order.dims(summed, other);
        let own = dims.concat();
        let moved = |to: &[Dim]| {
            let mut order = to.concat();
            order.retain(|axis| own.contains(axis));
            order
        };
        // Prefer to move nothing, then to move rows as a whole.
        let [as_upright, as_flat] = [moved(&upright), moved(&flat)];
        let is_upright = as_upright == own || as_flat != own && as_flat.last() != own.last();
        let to = if is_upright { upright } else { flat };
        let value = arrange(emitter, &self.labels.axes, value, dims, &to)?;
        Ok((value, is_upright != is_left))
    }

    /// Writes an operation between the products. Movements are left out.
    fn between(
        &self,
        op: Op<'a>,
        role: &Role,
        made: &HashMap<Value<'a>, Value<'a>>,
    ) -> Result<Value<'a>, Reported> {
        let emitter = Emitter::new(op, self.rewriter);
        let mut operands = Vec::new();
        for (number, operand) in op.operands().into_iter().enumerate() {
            operands.push(match made.get(&operand) {
                Some(made) => *made,
                None => self.outside(&emitter, number, operand)?,
            });
        }
        if role.is_movement() {
            return Ok(operands[0]);
        }
        let info = expect_verified(op, call::info(op))?;
        let mut attributes = call::attributes(op, info);
        if matches!(role, Role::Reduction(_)) {
            let columns = self.order.dims(&[], &[]).len() - 1;
            attributes.set("dim_arg", ints(&[columns]));
            attributes.set("keep_dim", AttributeValue::Bool(true));
        }
        let element = expect_result(op)?.r#type().element_type();
        let name = expect_verified(op, info.ttir)?;
        emitter.emit_as(name, &operands, attributes, expect_verified(op, element)?)
    }

    /// Arranges an operand that does not depend on the scores.
    fn outside(
        &self,
        emitter: &Emitter<'a, '_>,
        number: usize,
        value: Value<'a>,
    ) -> Result<Value<'a>, Reported> {
        let axes = &self.labels.axes;
        let to = self.order.dims(&self.order.rows, &self.order.columns);
        if let Some(number) = splat_number(value) {
            let element = expect_verified(emitter.op(), value.r#type().element_type())?;
            let shape = vec![1; to.len()];
            let r#type = emitter.context().tensor(&shape, element, None);
            return emitter.full(number, r#type);
        }
        let label = self.labels.outside.get(&(emitter.op(), number));
        let dims = axes.dims(*expect_verified(emitter.op(), label)?);
        match can_broadcast(dims, &to) {
            true => Ok(value),
            false => arrange(emitter, axes, value, dims, &to),
        }
    }
}

/// Emits a product, given its factors and whether they are transposed.
fn multiply<'a>(
    emitter: &Emitter<'a, '_>,
    (left, transpose_a): (Value<'a>, bool),
    (right, transpose_b): (Value<'a>, bool),
) -> Result<Value<'a>, Reported> {
    let flags = [("transpose_a", transpose_a), ("transpose_b", transpose_b)];
    let flags = flags.into_iter().filter(|(_, flag)| *flag);
    let attributes = flags.fold(Attributes::none(), |attributes, (name, flag)| {
        attributes.with(name, AttributeValue::Bool(flag))
    });
    emitter.emit("matmul", &[left, right], attributes)
}

/// Moves a tensor to other dimensions. A dimension whose axes it does not have gets the extent 1;
/// one of which it has a part is repeated.
fn arrange<'a>(
    emitter: &Emitter<'a, '_>,
    axes: &Axes,
    value: Value<'a>,
    from: &[Dim],
    to: &[Dim],
) -> Result<Value<'a>, Reported> {
    let own = from.concat();
    let mut order = to.concat();
    order.retain(|axis| own.contains(axis));
    let split = match order == own {
        true => value,
        false => permute(emitter, axes, value, [from, to], &order)?,
    };
    // The axes of each dimension, those that are missing with extent 1.
    let (mut parts, mut repeats, mut shape) = (Vec::new(), Vec::new(), Vec::new());
    for dim in to {
        let has_some = dim.iter().any(|axis| own.contains(axis));
        for axis in dim {
            let extent = axes.extent(&[*axis]);
            let is_own = own.contains(axis);
            parts.push(if is_own { extent } else { 1 });
            repeats.push(if is_own || !has_some { 1 } else { extent });
        }
        shape.push(if has_some { axes.extent(dim) } else { 1 });
    }
    if repeats.iter().all(|factor| *factor == 1) {
        return emitter.reshape(split, &shape);
    }
    let split = emitter.reshape(split, &parts)?;
    let repeated = with("repeat_dimensions", ints(&repeats));
    emitter.reshape(emitter.emit("repeat", &[split], repeated)?, &shape)
}

/// Permutes the axes of a tensor. Axes that stay neighbours are one dimension if they are one
/// before, or after if the tensor is reshaped anyway.
fn permute<'a>(
    emitter: &Emitter<'a, '_>,
    axes: &Axes,
    value: Value<'a>,
    [from, to]: [&[Dim]; 2],
    order: &[usize],
) -> Result<Value<'a>, Reported> {
    let are_in_one = |dims: &[Dim], pair: [usize; 2]| {
        let mut dims = dims.iter();
        dims.any(|dim| pair.iter().all(|axis| dim.contains(axis)))
    };
    let stay = |pair: [usize; 2]| order.windows(2).any(|neighbours| neighbours == pair);
    let own = from.concat();
    let join = |joins: &dyn Fn([usize; 2]) -> bool| -> Vec<Dim> {
        let joined = own.chunk_by(|a, b| stay([*a, *b]) && joins([*a, *b]));
        joined.map(<[usize]>::to_vec).collect()
    };
    let mut units = join(&|pair| are_in_one(from, pair));
    if units != from {
        units = join(&|pair| are_in_one(from, pair) || are_in_one(to, pair));
    }
    let extents: Vec<u64> = units.iter().map(|unit| axes.extent(unit)).collect();
    let mut places: Vec<usize> = (0..units.len()).collect();
    places.sort_by_key(|unit| order.iter().position(|axis| *axis == units[*unit][0]));
    emitter.permute(emitter.reshape(value, &extents)?, &places)
}
