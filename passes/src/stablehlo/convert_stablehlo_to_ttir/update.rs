//! Writes at positions that the program computes: `dynamic_update_slice` and `scatter`.
//!
//! A value is selected for every position of the result, so that no position is written twice:
//!
//! * An updated slice is read at the position relative to its start, and selected where that is
//!   inside of the slice. At a constant position it is concatenated with what is around it. A
//!   scatter of a single window is such a slice, which is dropped where it is not inside.
//! * A scattered row is a row of the updates, multiplied by a matrix of zeros and ones if updates
//!   are added, or found by the number of the last update otherwise.

use tessera_dialects::mlir::{Reported, Value};
use tessera_ops::{row_major_strides, AttributeValue, Attributes};

use super::constant_position;
use super::indexing::{
    as_i32, index_vector_dim, limit, number, positions, start_indices, Index, IndexSet, Slices,
};
use super::reduction::combiner;
use super::source::Source;
use super::Converter;
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::{ints, with, Emitter};
use crate::ttir::tensor::Tensor;
use crate::verified::expect_verified;

/// Returns the converter of an operation that writes at computed positions.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "stablehlo.dynamic_update_slice" => dynamic_update_slice,
        "stablehlo.scatter" => scatter,
        _ => return None,
    })
}

fn dynamic_update_slice<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let operands = source.all_operands()?;
    let [operand, update, starts @ ..] = &operands[..] else {
        return Err(source.op.error("needs an operand and an update"));
    };
    let sizes = &update.shape;
    let fits = sizes.len() == operand.rank()
        && sizes
            .iter()
            .zip(&operand.shape)
            .all(|(size, extent)| size <= extent);
    if !fits || update.element != operand.element {
        return Err(source.op.error(format!(
            "has an update of type '{}' for an operand of type '{}'",
            update.value.r#type(),
            operand.value.r#type()
        )));
    }
    let indices = start_indices(source, emitter, starts, operand, sizes)?;
    if let Some(value) = constant_position::write(emitter, operand.value, &indices, update.value)? {
        return Ok(vec![value]);
    }
    let value = select_window(
        emitter,
        operand,
        update.value,
        indices,
        None,
        Outside::Limited,
    )?;
    Ok(vec![value])
}

/// What becomes of a window that is not inside of the operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// Its start is limited.
    Limited,
    /// It is not written.
    Dropped,
}

/// Emits the operand with a window at computed positions replaced by an update, or by the value of
/// an operation on the operand and the update.
fn select_window<'a>(
    emitter: &Emitter<'a, '_>,
    operand: &Tensor<'a>,
    update: Value<'a>,
    indices: Vec<Index<'a>>,
    combine: Option<&str>,
    outside: Outside,
) -> Result<Value<'a>, Reported> {
    let none = Attributes::none;
    let sizes = emitter.shape(update)?;
    let mut value = update;
    let mut mask: Option<Value> = None;
    for Index { dim, start } in indices {
        let start = emitter.reshape(start, &vec![1; operand.rank()])?;
        let limited = limit(emitter, start, operand.shape[dim] - sizes[dim])?;
        if outside == Outside::Dropped {
            let i1 = emitter.context().integer(1);
            let fits = emitter.emit_as("eq", &[start, limited], none(), i1)?;
            mask = Some(conjunction(emitter, mask, fits)?);
        }
        let relative = relative_positions(emitter, operand, dim, limited)?;
        let is_inside = is_in_range(emitter, relative, sizes[dim])?;
        mask = Some(conjunction(emitter, mask, is_inside)?);
        if sizes[dim] > 1 {
            value = read_at(emitter, value, dim, relative)?;
        }
    }
    if let Some(combine) = combine {
        value = emitter.emit(combine, &[operand.value, value], none())?;
    }
    match mask {
        None => Ok(value),
        Some(mask) => emitter.emit("where", &[mask, value, operand.value], none()),
    }
}

/// Emits the positions along a dimension less a start; the other dimensions have extent 1.
fn relative_positions<'a>(
    emitter: &Emitter<'a, '_>,
    operand: &Tensor<'a>,
    dim: usize,
    start: Value<'a>,
) -> Result<Value<'a>, Reported> {
    let all = positions(emitter, &operand.shape, dim, 1)?;
    let start = emitter.reshape(start, &vec![1; operand.rank()])?;
    emitter.emit("subtract", &[all, start], Attributes::none())
}

/// Emits whether integers are from 0 to below a number.
fn is_in_range<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    end: u64,
) -> Result<Value<'a>, Reported> {
    let (low, high) = (number(emitter, value, 0)?, number(emitter, value, end)?);
    let i1 = emitter.context().integer(1);
    let low = emitter.emit_as("ge", &[value, low], Attributes::none(), i1)?;
    let high = emitter.emit_as("lt", &[value, high], Attributes::none(), i1)?;
    emitter.emit("logical_and", &[low, high], Attributes::none())
}

/// Emits whether a condition holds besides those before it.
fn conjunction<'a>(
    emitter: &Emitter<'a, '_>,
    before: Option<Value<'a>>,
    condition: Value<'a>,
) -> Result<Value<'a>, Reported> {
    match before {
        None => Ok(condition),
        Some(before) => emitter.emit("logical_and", &[before, condition], Attributes::none()),
    }
}

/// Emits a tensor that has, along a dimension, the elements at these positions; those that are
/// outside are limited.
fn read_at<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    dim: usize,
    at: Value<'a>,
) -> Result<Value<'a>, Reported> {
    let shape = emitter.shape(value)?;
    let count = emitter.shape(at)?[dim];
    let mut sizes = shape.clone();
    sizes[dim] = 1;
    let slices = Slices {
        set: vec![count],
        indices: vec![Index {
            dim,
            start: emitter.reshape(at, &[count])?,
        }],
        batch: Vec::new(),
        sizes,
    };
    let operand = emitter.tensor(value)?;
    let rows = slices.read(emitter, &operand)?;
    let others: Vec<usize> = (0..shape.len()).filter(|one| *one != dim).collect();
    let rows = slices.keep(emitter, rows, &others)?;
    // The set is the first dimension.
    emitter.permute_back(rows, &[&[dim][..], &others].concat())
}

/// The fields of `#stablehlo.scatter`.
const FIELDS: [&str; 6] = [
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
    "index_vector_dim",
];

/// Scattered rows: the indexed dimensions have windows of one element.
struct Scatter<'a> {
    operand: Tensor<'a>,
    /// The batch dimensions, then the indexed ones, of the operand.
    lookups: Vec<usize>,
    /// The other dimensions.
    others: Vec<usize>,
    /// The row of each update; a number that no row has where the update is outside.
    rows: Value<'a>,
    /// The updates: a matrix with a row for each.
    updates: Value<'a>,
}

/// The dimension numbers of a scatter.
struct Numbers<'a> {
    windows: Vec<usize>,
    inserted: Vec<usize>,
    batching: Vec<usize>,
    indices_batching: Vec<usize>,
    map: Vec<usize>,
    set: IndexSet<'a>,
}

impl<'a> Numbers<'a> {
    fn read(
        source: &Source<'a>,
        emitter: &Emitter<'a, '_>,
        [operand, indices, updates]: [&Tensor<'a>; 3],
    ) -> Result<Self, Reported> {
        let name = "scatter_dimension_numbers";
        let record = source.record(name, "scatter", &FIELDS)?;
        let dims = |field: &str, rank| source.check_dimensions(name, record.list(field), rank);
        let map = dims("scatter_dims_to_operand_dims", operand.rank())?;
        let vector = index_vector_dim(source, record.list("index_vector_dim"), indices.rank())?;
        Ok(Numbers {
            windows: dims("update_window_dims", updates.rank())?,
            inserted: dims("inserted_window_dims", operand.rank())?,
            batching: dims("input_batching_dims", operand.rank())?,
            indices_batching: dims("scatter_indices_batching_dims", indices.rank())?,
            set: IndexSet::new(source, emitter, indices, vector, map.len())?,
            map,
        })
    }
}

fn scatter<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand, indices, updates] = source.operands()?;
    let numbers = Numbers::read(source, emitter, [&operand, &indices, &updates])?;
    if updates.shape.contains(&0) {
        return Ok(vec![operand.value]);
    }
    let body = source.body()?;
    let [_, update] = body.arguments()[..] else {
        return Err(source.op.error("needs a region of two arguments"));
    };
    let replaces = match &body.ops()[..] {
        [end] => end.is("stablehlo.return") && end.operands() == [update],
        _ => false,
    };
    let combiner = match replaces {
        true => None,
        false => Some(combiner(source, body, &operand)?),
    };
    let combine = combiner.map(|combiner| combiner.binary);
    if let Some(value) = scatter_window(emitter, &operand, &updates, &numbers, combine)? {
        return Ok(vec![value]);
    }
    let scatter = Scatter::new(source, emitter, &operand, &updates, numbers)?;
    let value = match combiner.map(|combiner| combiner.reduction) {
        None => scatter.replace(emitter)?,
        Some("sum") if !operand.is_boolean() => scatter.add(emitter)?,
        Some(_) => {
            return Err(source
                .op
                .error("has a region that neither adds nor replaces, which is not supported"))
        }
    };
    Ok(vec![value])
}

/// Emits a scatter of a single window, or returns `None` if there are several.
fn scatter_window<'a>(
    emitter: &Emitter<'a, '_>,
    operand: &Tensor<'a>,
    updates: &Tensor<'a>,
    numbers: &Numbers<'a>,
    combine: Option<&str>,
) -> Result<Option<Value<'a>>, Reported> {
    let rank = operand.rank();
    let kept: Vec<usize> = (0..rank)
        .filter(|dim| !numbers.inserted.contains(dim))
        .collect();
    let is_one = numbers.set.shape.iter().all(|extent| *extent == 1)
        && numbers.batching.is_empty()
        && numbers.windows.is_sorted()
        && numbers.windows.len() == kept.len();
    let mut sizes = vec![1; rank];
    for (&dim, &window) in kept.iter().zip(&numbers.windows) {
        sizes[dim] = updates.shape[window];
    }
    let pairs = || sizes.iter().zip(&operand.shape);
    let fits = pairs().all(|(size, extent)| (1..=*extent).contains(size));
    if !is_one || !fits || updates.element != operand.element {
        return Ok(None);
    }
    let mut update = emitter.reshape(updates.value, &sizes)?;
    let mut indices = numbers.set.components(emitter, &numbers.map)?;
    let partial = (0..rank).filter(|&dim| sizes[dim] < operand.shape[dim]);
    for dim in partial.filter(|dim| !numbers.map.contains(dim)) {
        let start = emitter.integer(0, &[])?;
        indices.push(Index { dim, start });
    }
    let fit = indices.iter().map(|index| {
        let last = operand.shape[index.dim] - sizes[index.dim];
        Some((0.0..=last as f64).contains(&splat_number(index.start)?))
    });
    let Some(fit) = fit.collect::<Option<Vec<bool>>>() else {
        let outside = Outside::Dropped;
        let value = select_window(emitter, operand, update, indices, combine, outside)?;
        return Ok(Some(value));
    };
    if fit.contains(&false) {
        return Ok(Some(operand.value));
    }
    if let Some(combine) = combine {
        let old = constant_position::read(emitter, operand.value, &indices, &sizes)?;
        let old = expect_verified(emitter.op(), old)?;
        update = emitter.emit(combine, &[old, update], Attributes::none())?;
    }
    constant_position::write(emitter, operand.value, &indices, update)
}

impl<'a> Scatter<'a> {
    fn new(
        source: &Source<'a>,
        emitter: &Emitter<'a, '_>,
        operand: &Tensor<'a>,
        updates: &Tensor<'a>,
        numbers: Numbers<'a>,
    ) -> Result<Self, Reported> {
        let rank = operand.rank();
        let Numbers {
            windows,
            inserted,
            batching,
            indices_batching,
            map,
            set,
        } = numbers;
        let lookups = [&batching[..], &map].concat();
        let others: Vec<usize> = (0..rank).filter(|dim| !lookups.contains(dim)).collect();
        let of_windows: Vec<u64> = windows.iter().map(|&dim| updates.shape[dim]).collect();
        let rest: Vec<u64> = others.iter().map(|&dim| operand.shape[dim]).collect();
        let mut dropped = [&inserted[..], &batching].concat();
        dropped.sort_unstable();
        let mut sorted = lookups.clone();
        sorted.sort_unstable();
        if dropped != sorted || of_windows != rest || batching.len() != indices_batching.len() {
            return Err(source.op.error(
                "has windows of several elements along an indexed dimension, or of a part of \
                 another one, which is not supported",
            ));
        }
        let batch = indices_batching.iter().map(|&dim| set.dimension(dim));
        let rows = row_numbers(
            emitter,
            operand,
            &set,
            &lookups,
            &batch.collect::<Vec<_>>(),
            &map,
        )?;
        let count = set.shape.iter().product();
        let sets = (0..updates.rank()).filter(|dim| !windows.contains(dim));
        let order: Vec<usize> = sets.chain(windows.iter().copied()).collect();
        let value = emitter.permute(updates.value, &order)?;
        let updates = emitter.reshape(value, &[count, rest.iter().product()])?;
        Ok(Scatter {
            operand: operand.clone(),
            lookups,
            others,
            rows: emitter.reshape(rows, &[count])?,
            updates,
        })
    }

    /// Returns the numbers of rows and columns of the operand as a matrix.
    fn extents(&self) -> [u64; 2] {
        [&self.lookups, &self.others].map(|dims| {
            let extents = dims.iter().map(|&dim| self.operand.shape[dim]);
            extents.fold(1, u64::saturating_mul)
        })
    }

    /// Emits the operand as a matrix.
    fn matrix(&self, emitter: &Emitter<'a, '_>) -> Result<Value<'a>, Reported> {
        let order = [&self.lookups[..], &self.others].concat();
        let value = emitter.permute(self.operand.value, &order)?;
        emitter.reshape(value, &self.extents())
    }

    /// Emits a matrix as the operand's shape.
    fn tensor(&self, emitter: &Emitter<'a, '_>, value: Value<'a>) -> Result<Value<'a>, Reported> {
        let order = [&self.lookups[..], &self.others].concat();
        let extents = order.iter().map(|&dim| self.operand.shape[dim]);
        let value = emitter.reshape(value, &extents.collect::<Vec<_>>())?;
        emitter.permute_back(value, &order)
    }

    /// Emits, for each row of the operand and each update, whether the update is of that row.
    fn is_written(&self, emitter: &Emitter<'a, '_>) -> Result<Value<'a>, Reported> {
        let count = emitter.shape(self.rows)?[0];
        let all = positions(emitter, &[self.extents()[0], 1], 0, 1)?;
        let rows = emitter.reshape(self.rows, &[1, count])?;
        let i1 = emitter.context().integer(1);
        emitter.emit_as("eq", &[all, rows], Attributes::none(), i1)
    }

    fn add(&self, emitter: &Emitter<'a, '_>) -> Result<Value<'a>, Reported> {
        let none = Attributes::none;
        let is_written = self.is_written(emitter)?;
        let ones = emitter.emit_as("typecast", &[is_written], none(), self.operand.element)?;
        let dims = |dims: &[usize]| ints(dims);
        let along = with("batch_dims_lhs", dims(&[]))
            .with("contract_dims_lhs", dims(&[1]))
            .with("batch_dims_rhs", dims(&[]))
            .with("contract_dims_rhs", dims(&[0]));
        let sums = emitter.emit("dot_general", &[ones, self.updates], along)?;
        let matrix = self.matrix(emitter)?;
        let value = emitter.emit("add", &[matrix, sums], none())?;
        self.tensor(emitter, value)
    }

    fn replace(&self, emitter: &Emitter<'a, '_>) -> Result<Value<'a>, Reported> {
        let none = Attributes::none;
        let is_written = self.is_written(emitter)?;
        let count = emitter.shape(self.rows)?[0];
        let numbers = positions(emitter, &[1, count], 1, 1)?;
        let one = number(emitter, numbers, 1)?;
        let numbers = emitter.emit("add", &[numbers, one], none())?;
        let zero = number(emitter, numbers, 0)?;
        let writers = emitter.emit("where", &[is_written, numbers, zero], none())?;
        let along = with("keep_dim", AttributeValue::Bool(true)).with("dim_arg", ints(&[1]));
        let last = emitter.emit("max", &[writers], along)?;
        let zero = number(emitter, last, 0)?;
        let i1 = emitter.context().integer(1);
        let mask = emitter.emit_as("gt", &[last, zero], none(), i1)?;
        let one = number(emitter, last, 1)?;
        let index = emitter.emit("subtract", &[last, one], none())?;
        let index = limit(emitter, index, count - 1)?;
        let index = emitter.reshape(index, &[self.extents()[0]])?;
        let found = emitter.emit("embedding", &[index, self.updates], none())?;
        let matrix = self.matrix(emitter)?;
        let value = emitter.emit("where", &[mask, found, matrix], none())?;
        self.tensor(emitter, value)
    }
}

/// Emits the row of each update. Updates with a position outside of the operand get a number that
/// no row has.
fn row_numbers<'a>(
    emitter: &Emitter<'a, '_>,
    operand: &Tensor<'a>,
    set: &IndexSet<'a>,
    lookups: &[usize],
    batch: &[usize],
    map: &[usize],
) -> Result<Value<'a>, Reported> {
    let none = Attributes::none;
    let extents: Vec<u64> = lookups.iter().map(|&dim| operand.shape[dim]).collect();
    let strides = row_major_strides(&extents);
    let (of_batch, of_indices) = strides.split_at(batch.len());
    let mut sum = emitter.integer(0, &set.shape)?;
    let mut mask: Option<Value> = None;
    for (index, &stride) in set.components(emitter, map)?.iter().zip(of_indices) {
        let start = as_i32(emitter, index.start)?;
        let is_inside = is_in_range(emitter, start, operand.shape[index.dim])?;
        mask = Some(conjunction(emitter, mask, is_inside)?);
        let factor = number(emitter, start, stride)?;
        let product = emitter.emit("multiply", &[start, factor], none())?;
        sum = emitter.emit("add", &[sum, product], none())?;
    }
    for (&dim, &stride) in batch.iter().zip(of_batch) {
        let steps = positions(emitter, &set.shape, dim, stride)?;
        sum = emitter.emit("add", &[sum, steps], none())?;
    }
    let Some(mask) = mask else {
        return Ok(sum);
    };
    let rows = extents.iter().copied().fold(1, u64::saturating_mul);
    let outside = number(emitter, sum, rows)?;
    emitter.emit("where", &[mask, sum, outside], none())
}
