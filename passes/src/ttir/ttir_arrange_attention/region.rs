//! The operations between the two products of an attention.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Op, TensorType, Value};
use tessera_dialects::verify::{call, TensorCall};
use tessera_ops::{Class, Unary};

use super::axes::{Axes, Dim, Tensor};

/// Maximum number of operations between the products.
const MAX_OPERATIONS: usize = 64;

/// What an operation between the products does with the axes of its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// An element-wise function, which broadcasts its operands.
    Elementwise,
    /// A reduction along these dimensions, ascending.
    Reduction(Vec<usize>),
    /// A permutation of the dimensions.
    Permutation(Vec<usize>),
    /// A change of the extents.
    Reshape,
}

impl Role {
    fn from_op(op: Op) -> Option<Self> {
        let class = call::class(op).filter(|_| op.name().starts_with("ttir."))?;
        match class {
            Class::Unary(_)
            | Class::Binary(_)
            | Class::Ternary(_)
            | Class::Parametric(_)
            | Class::Cast => Some(Role::Elementwise),
            Class::Reduction(_) => {
                let call = TensorCall::new(op).ok()?;
                call.reduced_dimensions().ok().map(Role::Reduction)
            }
            Class::Movement(_) => match op.name() {
                "ttir.reshape" | "ttir.squeeze" | "ttir.unsqueeze" => Some(Role::Reshape),
                "ttir.permute" => permutation(op).map(Role::Permutation),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether it only moves elements.
    pub fn is_movement(&self) -> bool {
        matches!(self, Role::Permutation(_) | Role::Reshape)
    }
}

fn permutation(op: Op) -> Option<Vec<usize>> {
    let order = op.attribute("permutation")?.integers()?.into_iter();
    order.map(|dim| usize::try_from(dim).ok()).collect()
}

/// A matrix product without a bias.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a> {
    /// The operation.
    pub op: Op<'a>,
    /// Its factors.
    pub factors: [Value<'a>; 2],
    /// Which factors are transposed.
    pub transposed: [bool; 2],
}

impl<'a> Product<'a> {
    /// Returns an operation as a product of matrices.
    pub fn from_op(op: Op<'a>) -> Option<Self> {
        let [left, right] = op.operands()[..] else {
            return None;
        };
        let factors = [left, right];
        let has_matrices = |value: &Value| shape(*value).is_some_and(|shape| shape.len() >= 2);
        let is_product = op.is("ttir.matmul") && factors.iter().all(has_matrices);
        let flag = |name| op.attribute(name).and_then(AttributeValue::boolean) == Some(true);
        is_product.then(|| Product {
            op,
            factors,
            transposed: ["transpose_a", "transpose_b"].map(flag),
        })
    }

    /// Returns the number of the dimension of a factor that is summed, and of the other dimension
    /// of its matrices.
    pub fn summed_and_free(&self, factor: usize, rank: usize) -> [usize; 2] {
        let [rows, columns] = [rank - 2, rank - 1];
        match (factor == 0) != self.transposed[factor] {
            true => [columns, rows],
            false => [rows, columns],
        }
    }
}

/// Returns the shape of a value, unless it has no elements.
pub fn shape(value: Value) -> Option<Vec<u64>> {
    let shape = value.r#type().static_shape();
    shape.filter(|shape| !shape.contains(&0))
}

/// The operations that depend on the scores, up to the product with the values.
pub struct Region<'a> {
    /// The product that computes the scores.
    pub scores: Product<'a>,
    /// The operations in between, in program order.
    pub between: Vec<(Op<'a>, Role)>,
    /// The product with the values.
    pub last: Product<'a>,
    /// The number of its factor that depends on the scores.
    pub weights: usize,
}

impl<'a> Region<'a> {
    /// Collects the operations that depend on a product. Returns `None` unless there is an
    /// exponential among them, and all of them end in one factor of another product. `positions`
    /// holds the position of each operation of the function.
    pub fn collect(scores: Product<'a>, positions: &HashMap<Op<'a>, usize>) -> Option<Self> {
        let mut between: Vec<(Op, Role)> = Vec::new();
        let mut last: Option<(Product, usize)> = None;
        let mut open = vec![scores.op];
        while let Some(op) = open.pop() {
            for one in op.result(0)?.uses() {
                if between.iter().any(|(known, _)| *known == one.op) {
                    continue;
                }
                if let Some(product) = Product::from_op(one.op) {
                    let value = op.result(0)?;
                    let [left, right] = product.factors.map(|factor| factor == value);
                    (last.is_none() && left != right).then_some(())?;
                    last = Some((product, usize::from(right)));
                    continue;
                }
                between.push((one.op, Role::from_op(one.op)?));
                (between.len() <= MAX_OPERATIONS).then_some(())?;
                open.push(one.op);
            }
        }
        let is_exponential =
            |(op, _): &(Op, Role)| matches!(call::class(*op), Some(Class::Unary(Unary::Exp)));
        between.iter().any(is_exponential).then_some(())?;
        for (op, _) in &between {
            positions.get(op)?;
        }
        between.sort_by_key(|(op, _)| positions[op]);
        let (last, weights) = last?;
        Some(Region {
            scores,
            between,
            last,
            weights,
        })
    }
}

/// The axes of the tensors of a region.
pub struct Labels<'a> {
    /// All axes.
    pub axes: Axes,
    /// The factors of the scores.
    pub factors: [Tensor; 2],
    /// The values that depend on the scores, up to the weights.
    pub values: HashMap<Value<'a>, Tensor>,
    /// Other operands of element-wise operations, by operation and number.
    pub outside: HashMap<(Op<'a>, usize), Tensor>,
    /// For each reduction, the dimensions that it removes.
    pub reduced: Vec<Tensor>,
    /// The factors of the last product, and its result.
    pub last: [Tensor; 2],
    pub result: Tensor,
}

impl<'a> Labels<'a> {
    /// Labels the tensors of a region. Returns `None` if they have other axes than the scores, or
    /// axes that do not agree.
    pub fn new(region: &Region<'a>) -> Option<Self> {
        let mut axes = Axes::default();
        let (factors, scores) = label_scores(&mut axes, &region.scores)?;
        let mut values = HashMap::from([(region.scores.op.result(0)?, scores)]);
        let mut outside = HashMap::new();
        let mut reduced = Vec::new();
        for (op, role) in &region.between {
            let result = op.result(0)?;
            let label = match role {
                Role::Elementwise => {
                    let operands = label_elementwise(&mut axes, *op, &values)?;
                    let (label, others) = operands;
                    outside.extend(others.into_iter().map(|(number, one)| ((*op, number), one)));
                    label
                }
                Role::Reduction(dims) => {
                    let from = *values.get(&op.operand(0)?)?;
                    let (kept, removed) = reduce(axes.dims(from), dims, shape(result)?.len());
                    reduced.push(axes.add(removed));
                    axes.add(kept)
                }
                Role::Permutation(order) => {
                    let from = axes.dims(*values.get(&op.operand(0)?)?);
                    let dims = order.iter().map(|dim| from[*dim].clone()).collect();
                    axes.add(dims)
                }
                Role::Reshape => {
                    let from = *values.get(&op.operand(0)?)?;
                    axes.reshape(from, &shape(result)?)?
                }
            };
            values.insert(result, label);
        }
        let weights = *values.get(&region.last.factors[region.weights])?;
        let (last, result) = label_last(&mut axes, region, weights)?;
        Some(Labels {
            axes,
            factors,
            values,
            outside,
            reduced,
            last,
            result,
        })
    }
}

/// Labels the factors of the scores, and the scores.
fn label_scores(axes: &mut Axes, product: &Product) -> Option<([Tensor; 2], Tensor)> {
    let shapes = [shape(product.factors[0])?, shape(product.factors[1])?];
    let result = shape(product.op.result(0)?)?;
    let summed = product.summed_and_free(0, shapes[0].len())[0];
    let summed = axes.add_axis(shapes[0][summed]);
    let labels: Vec<Dim> = result.iter().map(|one| axes.add_axis(*one)).collect();
    let factors = [0, 1].map(|factor| {
        let rank = shapes[factor].len();
        let mut dims = vec![Vec::new(); rank];
        for dim in 0..rank - 2 {
            if shapes[factor][dim] != 1 {
                dims[dim] = labels[dim + result.len() - rank].clone();
            }
        }
        let [sum, free] = product.summed_and_free(factor, rank);
        dims[sum] = summed.clone();
        dims[free] = labels[result.len() - 2 + factor].clone();
        axes.add(dims)
    });
    Some((factors, axes.add(labels)))
}

/// Labels the result of an element-wise operation, and those operands that do not depend on the
/// scores.
#[allow(clippy::type_complexity)]
fn label_elementwise<'a>(
    axes: &mut Axes,
    op: Op<'a>,
    values: &HashMap<Value<'a>, Tensor>,
) -> Option<(Tensor, Vec<(usize, Tensor)>)> {
    let result = shape(op.result(0)?)?;
    let mut labels: Vec<Dim> = vec![Vec::new(); result.len()];
    for operand in op.operands() {
        let Some(known) = values.get(&operand) else {
            continue;
        };
        let dims = axes.dims(*known);
        let aligned = labels.iter_mut().rev().zip(dims.iter().rev());
        for (label, dim) in aligned.filter(|(_, dim)| !dim.is_empty()) {
            (label.is_empty() || label == dim).then_some(())?;
            label.clone_from(dim);
        }
    }
    let mut all = labels.iter().zip(&result);
    all.all(|(label, extent)| axes.extent(label) == *extent)
        .then_some(())?;
    let mut others = Vec::new();
    for (number, operand) in op.operands().into_iter().enumerate() {
        if values.contains_key(&operand) {
            continue;
        }
        let shape = shape(operand)?;
        let aligned = &labels[result.len().checked_sub(shape.len())?..];
        let dims = aligned.iter().zip(&shape).map(|(label, extent)| {
            let dim = if *extent == 1 { &[][..] } else { label };
            dim.to_vec()
        });
        let dims = dims.collect();
        others.push((number, axes.add(dims)));
    }
    Some((axes.add(labels), others))
}

/// Returns the dimensions that a reduction to `rank` dimensions keeps and removes.
fn reduce(from: &[Dim], dims: &[usize], rank: usize) -> (Vec<Dim>, Vec<Dim>) {
    let mut kept = from.to_vec();
    let removed = dims.iter().map(|dim| std::mem::take(&mut kept[*dim]));
    let removed = removed.collect();
    if rank != from.len() {
        let mut number = 0..;
        kept.retain(|_| !number.next().is_some_and(|dim| dims.contains(&dim)));
    }
    (kept, removed)
}

/// Labels the factors of the last product, and its result.
fn label_last(
    axes: &mut Axes,
    region: &Region,
    weights: Tensor,
) -> Option<([Tensor; 2], Tensor)> {
    let product = &region.last;
    let other = 1 - region.weights;
    let shape = shape(product.factors[other])?;
    let known = axes.dims(weights).to_vec();
    let mut dims = vec![Vec::new(); shape.len()];
    for from_end in 3..=shape.len() {
        let dim = shape.len() - from_end;
        if shape[dim] != 1 {
            dims[dim].clone_from(known.get(known.len().checked_sub(from_end)?)?);
            (axes.extent(&dims[dim]) == shape[dim]).then_some(())?;
        }
    }
    let [summed, rows] = product.summed_and_free(region.weights, known.len());
    let [sum, free] = product.summed_and_free(other, shape.len());
    dims[sum].clone_from(&known[summed]);
    dims[free] = axes.add_axis(shape[free]);
    let rank = known.len().max(shape.len());
    let mut result = vec![Vec::new(); rank - known.len()];
    result.extend_from_slice(&known[..known.len() - 2]);
    let mut matrix = [known[rows].clone(), dims[free].clone()];
    if other == 0 {
        matrix.reverse();
    }
    result.extend(matrix);
    let mut factors = [axes.add(dims), weights];
    if other == 1 {
        factors.reverse();
    }
    Some((factors, axes.add(result)))
}
