//! The axes of all tensors of an attention.

use std::collections::HashMap;

use tessera_dialects::mlir::{Op, Value};
use tessera_dialects::ttir;

use super::axes::{Axes, Dim, Tensor};
use super::region::{permutation, shape, Region, Role};

/// Maximum number of movements before keys or values that are followed.
const MAX_MOVEMENTS: usize = 16;

/// The axes of the tensors of a region.
pub struct Labels<'a> {
    /// All axes.
    pub axes: Axes,
    /// The factors of the scores.
    pub factors: [(Value<'a>, Tensor); 2],
    /// The dimension that the product of the scores sums along, as a tensor.
    summed: Tensor,
    /// The scores.
    scores: Tensor,
    /// The values that depend on the scores, up to the weights.
    pub values: HashMap<Value<'a>, Tensor>,
    /// Other operands of element-wise operations, by operation and number.
    pub outside: HashMap<(Op<'a>, usize), Tensor>,
    /// For each reduction, the dimensions that it removes.
    pub reduced: Vec<Tensor>,
    /// The factor of the last product that depends on the scores.
    weights: Tensor,
    /// The other one.
    pub weighted: (Value<'a>, Tensor),
    /// The dimension of the values that is neither a batch dimension nor that of the keys, as a
    /// tensor.
    features: Tensor,
    /// The number of the factor of the scores that holds the queries.
    pub queries: usize,
    /// Whether keys or values were repeated along axes that they do not have any more.
    pub drops_repeats: bool,
}

impl<'a> Labels<'a> {
    /// Labels the tensors of a region. Returns `None` if they have other axes than the scores, or
    /// axes that do not agree.
    pub fn new(region: &Region<'a>) -> Option<Self> {
        let mut labels = Self::of_scores(region)?;
        for (op, role) in &region.between {
            labels.add(*op, role)?;
        }
        labels.add_last(region)?;
        for (op, role) in &region.after {
            let mut operands = op.operands().into_iter();
            operands
                .all(|operand| labels.values.contains_key(&operand))
                .then_some(())?;
            labels.add(*op, role)?;
        }
        labels.queries = labels.find_queries(region)?;
        let keys = labels.factors[1 - labels.queries];
        labels.factors[1 - labels.queries] = labels.drop_repeats(keys);
        labels.weighted = labels.drop_repeats(labels.weighted);
        Some(labels)
    }

    /// Labels the factors of the scores, and the scores.
    fn of_scores(region: &Region<'a>) -> Option<Self> {
        let mut axes = Axes::default();
        let product = &region.scores;
        let shapes = [shape(product.factors[0])?, shape(product.factors[1])?];
        let result = shape(product.op.result(0)?)?;
        let [summed, _] = product.summed_and_free(0, shapes[0].len());
        let summed = axes.add_axis(shapes[0][summed]);
        let scores: Vec<Dim> = result.iter().map(|one| axes.add_axis(*one)).collect();
        let factors = [0, 1].map(|factor| {
            let rank = shapes[factor].len();
            let mut dims = vec![Vec::new(); rank];
            for dim in 0..rank - 2 {
                if shapes[factor][dim] != 1 {
                    dims[dim] = scores[dim + result.len() - rank].clone();
                }
            }
            let [sum, free] = product.summed_and_free(factor, rank);
            dims[sum] = summed.clone();
            dims[free] = scores[result.len() - 2 + factor].clone();
            (product.factors[factor], axes.add(dims))
        });
        let summed = axes.add(vec![summed]);
        let scores = axes.add(scores);
        Some(Labels {
            axes,
            factors,
            summed,
            scores,
            values: HashMap::from([(product.op.result(0)?, scores)]),
            outside: HashMap::new(),
            reduced: Vec::new(),
            weights: scores,
            weighted: factors[1],
            features: summed,
            queries: 0,
            drops_repeats: false,
        })
    }

    /// Returns the axes that the product of the scores sums along.
    pub fn summed(&self) -> &Dim {
        &self.axes.dims(self.summed)[0]
    }

    /// Returns the axes of the values that neither batch dimensions nor keys have.
    pub fn features(&self) -> &Dim {
        &self.axes.dims(self.features)[0]
    }

    /// Returns the dimensions of the scores.
    pub fn scores(&self) -> &[Dim] {
        self.axes.dims(self.scores)
    }

    /// Returns the axes of the scores that come from the rows of one of its factors.
    pub fn side(&self, factor: usize) -> &Dim {
        let scores = self.scores();
        &scores[scores.len() - 2 + factor]
    }

    /// Returns the axes of the weights that the last product sums along, and those of the rows of
    /// its result.
    pub fn summed_and_rows(&self, region: &Region) -> [&Dim; 2] {
        let weights = self.axes.dims(self.weights);
        let dims = region.last.summed_and_free(region.weights, weights.len());
        dims.map(|dim| &weights[dim])
    }

    /// Returns the number of the factor of the scores that does not have the axes of the keys,
    /// which the last product sums along.
    fn find_queries(&self, region: &Region) -> Option<usize> {
        let [keys, _] = self.summed_and_rows(region);
        let is_keys = |factor: usize| {
            let side = self.side(factor);
            side.len() == keys.len() && side.iter().all(|axis| keys.contains(axis))
        };
        (0..2).find(|queries| is_keys(1 - queries))
    }

    /// Returns the tensor before it is repeated for several heads, or the tensor itself.
    fn drop_repeats(&mut self, (value, tensor): (Value<'a>, Tensor)) -> (Value<'a>, Tensor) {
        let before = self.axes.clone();
        let mut found = None;
        let mut next = (value, tensor);
        for _ in 0..MAX_MOVEMENTS {
            let Some((source, repeats)) = self.source(next.0, next.1) else {
                break;
            };
            next = source;
            if repeats {
                found = Some(source);
            }
        }
        match found {
            Some(found) => {
                self.drops_repeats = true;
                found
            }
            None => {
                self.axes = before;
                (value, tensor)
            }
        }
    }

    /// Returns the operand of the movement that defines a tensor, and whether it is repeated.
    fn source(&mut self, value: Value<'a>, tensor: Tensor) -> Option<((Value<'a>, Tensor), bool)> {
        let op = value.defining_op()?;
        let from = op.operand(0)?;
        let extents = shape(from)?;
        match op.name() {
            ttir::ReshapeOp::NAME => Some(((from, self.axes.reshape(tensor, &extents)?), false)),
            ttir::PermuteOp::NAME => {
                let mut dims = vec![Vec::new(); extents.len()];
                for (to, dim) in permutation(op)?.into_iter().enumerate() {
                    dims[dim].clone_from(&self.axes.dims(tensor)[to]);
                }
                Some(((from, self.axes.add(dims)), false))
            }
            ttir::RepeatOp::NAME => {
                // Each dimension as one for the repetitions and one for the elements.
                let repeated = shape(value)?;
                let both = repeated.iter().zip(&extents);
                let both = both.flat_map(|(to, from)| [to / from, *from]);
                let split = self.axes.reshape(tensor, &both.collect::<Vec<_>>())?;
                let dims = self.axes.dims(split).iter().skip(1).step_by(2);
                let dims = dims.cloned().collect();
                Some(((from, self.axes.add(dims)), true))
            }
            _ => None,
        }
    }

    /// Labels the result of an operation.
    fn add(&mut self, op: Op<'a>, role: &Role) -> Option<()> {
        let result = op.result(0)?;
        let operand = || self.values.get(&op.operand(0)?).copied();
        let label = match role {
            Role::Elementwise => {
                let (label, others) = label_elementwise(&mut self.axes, op, &self.values)?;
                let others = others.into_iter();
                self.outside
                    .extend(others.map(|(number, one)| ((op, number), one)));
                label
            }
            Role::Reduction(dims) => {
                let from = self.axes.dims(operand()?);
                let (kept, removed) = reduce(from, dims, shape(result)?.len());
                self.reduced.push(self.axes.add(removed));
                self.axes.add(kept)
            }
            Role::Permutation(order) => {
                let from = self.axes.dims(operand()?);
                let dims = order.iter().map(|dim| from[*dim].clone()).collect();
                self.axes.add(dims)
            }
            Role::Reshape => {
                let from = operand()?;
                self.axes.reshape(from, &shape(result)?)?
            }
        };
        self.values.insert(result, label);
        Some(())
    }

    /// Labels the factors of the last product, and its result.
    fn add_last(&mut self, region: &Region<'a>) -> Option<()> {
        let product = &region.last;
        let weights = *self.values.get(&product.factors[region.weights])?;
        let other = 1 - region.weights;
        let shape = shape(product.factors[other])?;
        let known = self.axes.dims(weights).to_vec();
        let mut dims = vec![Vec::new(); shape.len()];
        for from_end in 3..=shape.len() {
            let dim = shape.len() - from_end;
            if shape[dim] != 1 {
                dims[dim].clone_from(known.get(known.len().checked_sub(from_end)?)?);
                (self.axes.extent(&dims[dim]) == shape[dim]).then_some(())?;
            }
        }
        let [summed, rows] = product.summed_and_free(region.weights, known.len());
        let [sum, free] = product.summed_and_free(other, shape.len());
        let features = self.axes.add_axis(shape[free]);
        dims[sum].clone_from(&known[summed]);
        dims[free].clone_from(&features);
        let mut result = vec![Vec::new(); shape.len().saturating_sub(known.len())];
        result.extend_from_slice(&known[..known.len() - 2]);
        let mut matrix = [known[rows].clone(), features.clone()];
        if other == 0 {
            matrix.reverse();
        }
        self.weights = weights;
        self.weighted = (product.factors[other], self.axes.add(dims));
        self.features = self.axes.add(vec![features]);
        result.extend(matrix);
        let result = self.axes.add(result);
        self.values.insert(product.op.result(0)?, result);
        Some(())
    }
}

/// Operands that do not depend on the scores, by number.
type Operands = Vec<(usize, Tensor)>;

/// Labels the result of an element-wise operation, and those operands that do not depend on the
/// scores.
fn label_elementwise<'a>(
    axes: &mut Axes,
    op: Op<'a>,
    values: &HashMap<Value<'a>, Tensor>,
) -> Option<(Tensor, Operands)> {
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
