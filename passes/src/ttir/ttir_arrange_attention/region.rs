//! The operations between the two products of an attention.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Op, TensorType, Value};
use tessera_dialects::ttir;
use tessera_dialects::verify::{call, TensorCall};
use tessera_ops::{Class, Unary};

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
                ttir::ReshapeOp::NAME | ttir::SqueezeOp::NAME | ttir::UnsqueezeOp::NAME => {
                    Some(Role::Reshape)
                }
                ttir::PermuteOp::NAME => permutation(op).map(Role::Permutation),
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

/// Returns the order of dimensions of a permutation.
pub fn permutation(op: Op) -> Option<Vec<usize>> {
    let order = ttir::PermuteOp::PERMUTATION
        .attribute(op)?
        .integers()?
        .into_iter();
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
        let is_product = op.isa::<ttir::MatmulOp>() && factors.iter().all(has_matrices);
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
