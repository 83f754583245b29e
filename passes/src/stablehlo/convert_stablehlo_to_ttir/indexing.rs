//! Slices at positions that the program computes: `gather` and `dynamic_slice`.
//!
//! Every form becomes an `embedding`, which looks rows of a matrix up by their numbers:
//!
//! 1. The operand becomes a matrix. Its rows are the positions along the batch and the indexed
//!    dimensions, its columns those along the others.
//! 2. The number of a row is the sum of the indices, each limited to the slices that fit and
//!    multiplied by the stride of its dimension, and of positions along the batch dimensions.
//!    Slices of several elements have a row for each of them.
//! 3. The dimensions of the rows found are brought into the order of the result.

use tessera_dialects::mlir::{Reported, TensorType, Value};
use tessera_ops::{row_major_strides, AttributeValue, Attributes};

use super::constant_position::{self, read_one};
use super::source::Source;
use super::Converter;
use crate::ttir::emitter::{with, Emitter};
use crate::ttir::tensor::Tensor;

/// Returns the converter of an operation that reads at computed positions.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "stablehlo.gather" => gather,
        "stablehlo.dynamic_slice" => dynamic_slice,
        _ => return None,
    })
}

/// Positions along a dimension of an operand.
pub struct Index<'a> {
    /// The dimension.
    pub dim: usize,
    /// The first position of each slice: a tensor of integers.
    pub start: Value<'a>,
}

/// Slices of an operand.
pub struct Slices<'a> {
    /// The shape of the tensors of indices, which is that of the set of slices.
    pub set: Vec<u64>,
    /// The indexed dimensions.
    pub indices: Vec<Index<'a>>,
    /// Dimensions of the operand along which slice `i` is at position `i`, each with the dimension
    /// of the set.
    pub batch: Vec<(usize, usize)>,
    /// The extent of a slice along each dimension of the operand.
    pub sizes: Vec<u64>,
}

/// The fields of `#stablehlo.gather`.
const FIELDS: [&str; 6] = [
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
    "index_vector_dim",
];

fn gather<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand, indices] = source.operands()?;
    let result = source.result()?;
    let name = "dimension_numbers";
    let record = source.record(name, "gather", &FIELDS)?;
    let rank = operand.rank();
    let dims = |field: &str, rank| source.check_dimensions(name, record.list(field), rank);
    let offset = dims("offset_dims", result.rank())?;
    let collapsed = dims("collapsed_slice_dims", rank)?;
    let batching = dims("operand_batching_dims", rank)?;
    let indices_batching = dims("start_indices_batching_dims", indices.rank())?;
    let map = dims("start_index_map", rank)?;
    let vector = index_vector_dim(source, record.list("index_vector_dim"), indices.rank())?;
    let sizes = slice_sizes(source, &operand)?;
    let set = IndexSet::new(source, emitter, &indices, vector, map.len())?;
    if batching.len() != indices_batching.len() {
        return Err(source.op.error(
            "has different numbers of batching dimensions of the operand and of the indices",
        ));
    }
    let batch = batching.iter().copied();
    let batch = batch.zip(indices_batching.iter().map(|dim| set.dimension(*dim)));
    let slices = Slices {
        batch: batch.collect(),
        indices: set.components(emitter, &map)?,
        set: set.shape,
        sizes,
    };
    check_slices(source, &operand, &slices)?;
    let value = slices.read(emitter, &operand)?;
    let kept = (0..rank).filter(|dim| !collapsed.contains(dim) && !batching.contains(dim));
    let kept: Vec<usize> = kept.collect();
    if kept.len() != offset.len() {
        return Err(source.op.error(format!(
            "has {} offset dimensions for slices of {} dimensions",
            offset.len(),
            kept.len()
        )));
    }
    let value = slices.keep(emitter, value, &kept)?;
    let count = slices.set.len();
    let mut next = 0;
    let order = (0..result.rank()).map(|dim| match offset.iter().position(|one| *one == dim) {
        Some(index) => count + index,
        None => {
            next += 1;
            next - 1
        }
    });
    let order: Vec<usize> = order.collect();
    if next != count {
        return Err(source
            .op
            .error("has a result of another rank than its slices"));
    }
    Ok(vec![emitter.permute(value, &order)?])
}

/// Returns the dimension of indices that holds the components of each index, which may be one
/// after the last.
pub fn index_vector_dim(source: &Source, named: &[i64], rank: usize) -> Result<usize, Reported> {
    let named = named.first().copied().unwrap_or_default();
    let dim = usize::try_from(named).ok().filter(|dim| *dim <= rank);
    dim.ok_or_else(|| {
        source.op.error(format!(
            "has its index vectors along dimension {named} of indices of rank {rank}"
        ))
    })
}

fn slice_sizes(source: &Source, operand: &Tensor) -> Result<Vec<u64>, Reported> {
    let sizes = source.integers("slice_sizes", operand.rank())?;
    let sizes = sizes.into_iter().zip(&operand.shape);
    let sizes =
        sizes.map(|(size, &extent)| u64::try_from(size).ok().filter(|size| *size <= extent));
    let sizes: Option<Vec<u64>> = sizes.collect();
    sizes.ok_or_else(|| {
        source
            .op
            .error("attribute 'slice_sizes' must have sizes from 0 to the operand's extents")
    })
}

/// Checks that indexed and batch dimensions are distinct, and batch dimensions have slices of one.
pub fn check_slices(source: &Source, operand: &Tensor, slices: &Slices) -> Result<(), Reported> {
    let mut seen = vec![false; operand.rank()];
    let indexed = slices.indices.iter().map(|index| index.dim);
    let batch = slices.batch.iter().map(|(dim, _)| *dim);
    for dim in indexed.chain(batch) {
        if std::mem::replace(&mut seen[dim], true) {
            return Err(source
                .op
                .error(format!("indexes dimension {dim} of the operand twice")));
        }
    }
    for &(dim, of_set) in &slices.batch {
        let extents = (operand.shape[dim], slices.set.get(of_set).copied());
        if slices.sizes[dim] != 1 || extents.1 != Some(extents.0) {
            return Err(source.op.error(format!(
                "has a batching dimension {dim} that does not fit the indices, or slices of \
                 several elements along it"
            )));
        }
    }
    Ok(())
}

/// A tensor of indices: vectors of components along one dimension.
pub struct IndexSet<'a> {
    indices: Tensor<'a>,
    vector: usize,
    /// The shape without the dimension of the components.
    pub shape: Vec<u64>,
}

impl<'a> IndexSet<'a> {
    /// Returns the indices as 32-bit integers.
    ///
    /// # Errors
    /// If they do not have this many components.
    pub fn new(
        source: &Source<'a>,
        emitter: &Emitter<'a, '_>,
        indices: &Tensor<'a>,
        vector: usize,
        components: usize,
    ) -> Result<Self, Reported> {
        let found = indices.shape.get(vector).copied().unwrap_or(1);
        if found != components as u64 {
            return Err(source.op.error(format!(
                "has indices of {found} components for {components} dimensions"
            )));
        }
        let mut shape = indices.shape.clone();
        if vector < shape.len() {
            shape.remove(vector);
        }
        Ok(IndexSet {
            indices: Tensor {
                value: as_i32(emitter, indices.value)?,
                ..indices.clone()
            },
            vector,
            shape,
        })
    }

    /// Returns the number of a dimension of the tensor among the dimensions other than that of the
    /// components.
    pub fn dimension(&self, dim: usize) -> usize {
        dim - usize::from(dim > self.vector)
    }

    /// Returns each component as the index of a dimension.
    ///
    /// # Errors
    /// As [`Emitter::emit`].
    pub fn components(
        &self,
        emitter: &Emitter<'a, '_>,
        dims: &[usize],
    ) -> Result<Vec<Index<'a>>, Reported> {
        let component = |(number, &dim): (usize, &usize)| {
            let slice = match self.vector < self.indices.rank() {
                true => read_one(emitter, self.indices.value, self.vector, number as u64)?,
                false => self.indices.value,
            };
            let start = emitter.reshape(slice, &self.shape)?;
            Ok(Index { dim, start })
        };
        dims.iter().enumerate().map(component).collect()
    }
}

/// Returns integers as signed ones of 32 bits.
///
/// # Errors
/// As [`Emitter::emit_as`].
pub fn as_i32<'a>(emitter: &Emitter<'a, '_>, value: Value<'a>) -> Result<Value<'a>, Reported> {
    let i32 = emitter.context().integer(32);
    match value.r#type().element_type() == Some(i32) {
        true => Ok(value),
        false => emitter.emit_as("typecast", &[value], Attributes::none(), i32),
    }
}

impl<'a> Slices<'a> {
    /// Emits the slices. The dimensions of the result are those of the set, then those of a slice
    /// in the order of [`Slices::order`].
    ///
    /// # Errors
    /// As [`Emitter::emit`].
    pub fn read(
        &self,
        emitter: &Emitter<'a, '_>,
        operand: &Tensor<'a>,
    ) -> Result<Value<'a>, Reported> {
        let (lookups, others) = (self.lookups(), self.others());
        let mut extents: Vec<i64> = operand.shape.iter().map(|&extent| extent as i64).collect();
        for &dim in &others {
            extents[dim] = self.sizes[dim] as i64;
        }
        let (begins, steps) = (vec![0; extents.len()], vec![1; extents.len()]);
        let value = emitter.slice(operand.value, &begins, &extents, &steps)?;
        let value = emitter.permute(value, &[&lookups[..], &others].concat())?;
        let count = |dims: &[usize]| -> u64 {
            let extents = dims.iter().map(|&dim| extents[dim] as u64);
            extents.fold(1, u64::saturating_mul)
        };
        let table = emitter.reshape(value, &[count(&lookups), count(&others)])?;
        let rows = self.row_numbers(emitter, operand)?;
        let elements = emitter
            .shape(rows)?
            .into_iter()
            .fold(1, u64::saturating_mul);
        let rows = emitter.reshape(rows, &[elements])?;
        let found = emitter.emit("embedding", &[rows, table], Attributes::none())?;
        let slice = self.order().into_iter().map(|dim| self.sizes[dim]);
        let shape: Vec<u64> = self.set.iter().copied().chain(slice).collect();
        emitter.reshape(found, &shape)
    }

    /// Returns the dimensions along which rows are looked up: batch and indexed ones.
    fn lookups(&self) -> Vec<usize> {
        let batch = self.batch.iter().map(|(dim, _)| *dim);
        let indexed = self.indices.iter().map(|index| index.dim);
        batch.chain(indexed).collect()
    }

    /// Returns the other dimensions.
    fn others(&self) -> Vec<usize> {
        let lookups = self.lookups();
        let dims = 0..self.sizes.len();
        dims.filter(|dim| !lookups.contains(dim)).collect()
    }

    /// Returns the dimensions of a slice in the order in which [`Slices::read`] has them: indexed
    /// ones, then those that are neither indexed nor of the batch.
    pub fn order(&self) -> Vec<usize> {
        let indexed = self.indices.iter().map(|index| index.dim);
        indexed.chain(self.others()).collect()
    }

    /// Emits the number of the row of each element of the set, and of each position of a slice
    /// along the indexed dimensions.
    fn row_numbers(
        &self,
        emitter: &Emitter<'a, '_>,
        operand: &Tensor<'a>,
    ) -> Result<Value<'a>, Reported> {
        let lookups = self.lookups();
        let extents: Vec<u64> = lookups.iter().map(|&dim| operand.shape[dim]).collect();
        let strides = row_major_strides(&extents);
        let (of_batch, of_indices) = strides.split_at(self.batch.len());
        let windows = self.indices.iter().map(|index| self.sizes[index.dim]);
        let shape: Vec<u64> = self.set.iter().copied().chain(windows).collect();
        let unit = vec![1; self.indices.len()];
        let mut sum: Option<Value> = None;
        for (number, (index, &stride)) in self.indices.iter().zip(of_indices).enumerate() {
            let last = operand.shape[index.dim] - self.sizes[index.dim];
            let start = limit(emitter, index.start, last)?;
            let expanded = [&self.set[..], &unit].concat();
            let start = emitter.reshape(start, &expanded)?;
            let start = scale(emitter, start, stride)?;
            sum = Some(add(emitter, sum, start)?);
            if self.sizes[index.dim] > 1 {
                let dim = self.set.len() + number;
                let steps = positions(emitter, &shape, dim, stride)?;
                sum = Some(add(emitter, sum, steps)?);
            }
        }
        for (&(_, dim), &stride) in self.batch.iter().zip(of_batch) {
            let steps = positions(emitter, &shape, dim, stride)?;
            sum = Some(add(emitter, sum, steps)?);
        }
        let sum = match sum {
            Some(sum) => sum,
            None => emitter.integer(0, &shape)?,
        };
        emitter.broadcast(sum, &shape)
    }

    /// Emits a reshape that drops the dimensions of slices that are not kept, which have extent 1,
    /// and orders the others.
    ///
    /// # Errors
    /// A dimension that is not kept has another extent.
    pub fn keep(
        &self,
        emitter: &Emitter<'a, '_>,
        value: Value<'a>,
        kept: &[usize],
    ) -> Result<Value<'a>, Reported> {
        let found: Vec<usize> = self
            .order()
            .into_iter()
            .filter(|dim| kept.contains(dim))
            .collect();
        let extents = found.iter().map(|&dim| self.sizes[dim]);
        let shape: Vec<u64> = self.set.iter().copied().chain(extents).collect();
        let value = emitter.reshape(value, &shape)?;
        let count = self.set.len();
        let position = |dim: &usize| found.iter().position(|one| one == dim).unwrap_or_default();
        let slice = kept.iter().map(|dim| count + position(dim));
        let order: Vec<usize> = (0..count).chain(slice).collect();
        emitter.permute(value, &order)
    }
}

/// Emits integers limited to 0 to `last`.
///
/// # Errors
/// As [`Emitter::emit`].
pub fn limit<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    last: u64,
) -> Result<Value<'a>, Reported> {
    let low = number(emitter, value, 0)?;
    let high = number(emitter, value, last)?;
    let value = emitter.emit("maximum", &[value, low], Attributes::none())?;
    emitter.emit("minimum", &[value, high], Attributes::none())
}

/// Emits an integer that broadcasts to a tensor of integers.
///
/// # Errors
/// As [`Emitter::full`].
pub fn number<'a>(
    emitter: &Emitter<'a, '_>,
    like: Value<'a>,
    number: u64,
) -> Result<Value<'a>, Reported> {
    let unit = vec![1; emitter.shape(like)?.len()];
    emitter.integer(number, &unit)
}

/// Emits the positions along a dimension of a shape, multiplied by a stride; the other dimensions
/// have extent 1.
///
/// # Errors
/// As [`Emitter::emit`].
pub fn positions<'a>(
    emitter: &Emitter<'a, '_>,
    shape: &[u64],
    dim: usize,
    stride: u64,
) -> Result<Value<'a>, Reported> {
    let mut extents = vec![1; shape.len()];
    extents[dim] = shape[dim];
    let Some(last) = shape[dim].checked_sub(1) else {
        return emitter.integer(0, &extents);
    };
    emitter.position(last.saturating_mul(stride))?;
    let i32 = emitter.context().integer(32);
    let attributes = with("start", AttributeValue::Int(0))
        .with("end", AttributeValue::Int((shape[dim] * stride) as i64))
        .with("step", AttributeValue::Int(stride as i64))
        .with("arange_dimension", AttributeValue::Int(dim as i64));
    let r#type = emitter.context().tensor(&extents, i32, None);
    emitter.insert("arange", &[], attributes, r#type)
}

fn scale<'a>(
    emitter: &Emitter<'a, '_>,
    value: Value<'a>,
    factor: u64,
) -> Result<Value<'a>, Reported> {
    if factor == 1 {
        return Ok(value);
    }
    let factor = number(emitter, value, factor)?;
    emitter.emit("multiply", &[value, factor], Attributes::none())
}

fn add<'a>(
    emitter: &Emitter<'a, '_>,
    sum: Option<Value<'a>>,
    value: Value<'a>,
) -> Result<Value<'a>, Reported> {
    match sum {
        None => Ok(value),
        Some(sum) => emitter.emit("add", &[sum, value], Attributes::none()),
    }
}

/// Returns the indices of the operands after the first ones, one for each dimension of a tensor.
///
/// # Errors
/// If their number is another.
pub fn start_indices<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    starts: &[Tensor<'a>],
    operand: &Tensor<'a>,
    sizes: &[u64],
) -> Result<Vec<Index<'a>>, Reported> {
    let is_scalar = |start: &Tensor| start.rank() == 0;
    if starts.len() != operand.rank() || !starts.iter().all(is_scalar) {
        return Err(source.op.error(format!(
            "needs {} start indices of rank 0, one for each dimension",
            operand.rank()
        )));
    }
    let mut indices = Vec::new();
    for (dim, start) in starts.iter().enumerate() {
        if sizes[dim] < operand.shape[dim] {
            let start = as_i32(emitter, start.value)?;
            indices.push(Index { dim, start });
        }
    }
    Ok(indices)
}

fn dynamic_slice<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let operands = source.all_operands()?;
    let Some((operand, starts)) = operands.split_first() else {
        return Err(source.op.error("needs an operand"));
    };
    let sizes = slice_sizes(source, operand)?;
    let slices = Slices {
        set: Vec::new(),
        indices: start_indices(source, emitter, starts, operand, &sizes)?,
        batch: Vec::new(),
        sizes,
    };
    let (indices, sizes) = (&slices.indices, &slices.sizes);
    if let Some(value) = constant_position::read(emitter, operand.value, indices, sizes)? {
        return Ok(vec![value]);
    }
    let value = slices.read(emitter, operand)?;
    let all: Vec<usize> = (0..operand.rank()).collect();
    Ok(vec![slices.keep(emitter, value, &all)?])
}
