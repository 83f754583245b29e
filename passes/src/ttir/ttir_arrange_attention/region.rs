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

/// The operations of an attention.
pub struct Region<'a> {
    /// The product that computes the scores.
    pub scores: Product<'a>,
    /// The operations that depend on the scores, in program order, except the product with the
    /// values and those after it.
    pub between: Vec<(Op<'a>, Role)>,
    /// The product with the values.
    pub last: Product<'a>,
    /// The number of its factor that depends on the scores.
    pub weights: usize,
    /// The operations after it up to one that also reads what depends on the scores, such as the
    /// sums by which the result is divided; none if there is no such operation.
    pub after: Vec<(Op<'a>, Role)>,
}

impl<'a> Region<'a> {
    /// Collects the operations that depend on a product. Returns `None` unless there is an
    /// exponential among them, and all of them end in one factor of another product. `positions`
    /// holds the position of each operation of the function.
    pub fn collect(scores: Product<'a>, positions: &HashMap<Op<'a>, usize>) -> Option<Self> {
        let mut search = Search::default();
        search.follow(scores.op)?;
        let (last, weights) = search.last?;
        let after = match search.deferred[..] {
            [] => Vec::new(),
            [(end, _)] => Self::after(end, last)?,
            _ => return None,
        };
        let mut between = search.between;
        let is_exponential =
            |(op, _): &(Op, Role)| matches!(call::class(*op), Some(Class::Unary(Unary::Exp)));
        between.iter().any(is_exponential).then_some(())?;
        let is_known = |(op, _): &(Op, Role)| positions.contains_key(op);
        (between.iter().all(is_known) && after.iter().all(is_known)).then_some(())?;
        between.sort_by_key(|(op, _)| positions[op]);
        Some(Region {
            scores,
            between,
            last,
            weights,
            after,
        })
    }

    /// Returns the operations from the last product to the one that ends the region.
    fn after(end: Op<'a>, last: Product<'a>) -> Option<Vec<(Op<'a>, Role)>> {
        let mut operands = end.operands().into_iter();
        let mut chain = operands.find_map(|operand| {
            let (product, chain) = chain_from_product(operand)?;
            (product == last.op).then_some(chain)
        })?;
        chain.push(end);
        let roles = chain.into_iter().map(|op| Some((op, Role::from_op(op)?)));
        roles.collect()
    }

    /// Returns the operation whose result is that of the region.
    pub fn end(&self) -> Op<'a> {
        self.after.last().map_or(self.last.op, |(op, _)| *op)
    }
}

/// The search for the operations that depend on the scores.
#[derive(Default)]
struct Search<'a> {
    between: Vec<(Op<'a>, Role)>,
    /// The product with the values, and the number of its factor that depends on the scores.
    last: Option<(Product<'a>, usize)>,
    /// Operations that also read the result of this product, which may be the last one.
    deferred: Vec<(Op<'a>, Op<'a>)>,
}

impl<'a> Search<'a> {
    /// Visits everything that depends on an operation, up to products. Leaves operations that also
    /// read the result of the last product. Returns `None` if there are several last products, or
    /// an operation that is not supported.
    fn follow(&mut self, op: Op<'a>) -> Option<()> {
        let mut open = vec![op];
        loop {
            while let Some(op) = open.pop() {
                let value = op.result(0)?;
                for one in value.uses() {
                    self.visit(one.op, value, &mut open)?;
                }
            }
            let last = self.last.map(|(last, _)| last.op);
            let is_end = |(_, product): &(Op, Op)| Some(*product) == last;
            let others = self.deferred.iter().position(|one| !is_end(one));
            let Some(other) = others else {
                return Some(());
            };
            let (op, _) = self.deferred.swap_remove(other);
            self.add(op, &mut open)?;
        }
    }

    fn visit(&mut self, op: Op<'a>, value: Value<'a>, open: &mut Vec<Op<'a>>) -> Option<()> {
        let is_known = self.between.iter().any(|(known, _)| *known == op)
            || self.deferred.iter().any(|(known, _)| *known == op);
        if is_known {
            return Some(());
        }
        if let Some(product) = Product::from_op(op) {
            let [left, right] = product.factors.map(|factor| factor == value);
            (self.last.is_none() && left != right).then_some(())?;
            self.last = Some((product, usize::from(right)));
            return Some(());
        }
        let mut others = op.operands().into_iter().filter(|other| *other != value);
        if let Some((product, _)) = others.find_map(chain_from_product) {
            self.deferred.push((op, product));
            return Some(());
        }
        self.add(op, open)
    }

    fn add(&mut self, op: Op<'a>, open: &mut Vec<Op<'a>>) -> Option<()> {
        self.between.push((op, Role::from_op(op)?));
        open.push(op);
        (self.between.len() <= MAX_OPERATIONS).then_some(())
    }
}

/// Returns the product from which a value is computed by movements and casts that nothing else
/// reads, and these operations in order.
fn chain_from_product(value: Value) -> Option<(Op, Vec<Op>)> {
    let mut chain = Vec::new();
    let mut value = value;
    while chain.len() < MAX_OPERATIONS {
        let op = value.defining_op().filter(|_| value.uses().len() == 1)?;
        if Product::from_op(op).is_some() {
            chain.reverse();
            return Some((op, chain));
        }
        let is_cast = matches!(call::class(op), Some(Class::Cast));
        (is_cast || Role::from_op(op)?.is_movement()).then_some(())?;
        chain.push(op);
        value = op.operand(0)?;
    }
    None
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
    /// The factors of the last product.
    pub last: [Tensor; 2],
    /// The axes of the values that neither batch dimensions nor keys have.
    pub features: Dim,
}

impl<'a> Labels<'a> {
    /// Labels the tensors of a region. Returns `None` if they have other axes than the scores, or
    /// axes that do not agree.
    pub fn new(region: &Region<'a>) -> Option<Self> {
        let mut axes = Axes::default();
        let (factors, scores) = label_scores(&mut axes, &region.scores)?;
        let mut labels = Labels {
            axes,
            factors,
            values: HashMap::from([(region.scores.op.result(0)?, scores)]),
            outside: HashMap::new(),
            reduced: Vec::new(),
            last: factors,
            features: Vec::new(),
        };
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
        Some(labels)
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
        self.features = self.axes.add_axis(shape[free]);
        dims[sum].clone_from(&known[summed]);
        dims[free].clone_from(&self.features);
        let mut result = vec![Vec::new(); shape.len().saturating_sub(known.len())];
        result.extend_from_slice(&known[..known.len() - 2]);
        let mut matrix = [known[rows].clone(), self.features.clone()];
        self.last = [weights, self.axes.add(dims)];
        if other == 0 {
            matrix.reverse();
            self.last.reverse();
        }
        result.extend(matrix);
        let result = self.axes.add(result);
        self.values.insert(product.op.result(0)?, result);
        Some(())
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
