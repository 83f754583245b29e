//! `ttnn-materialize-broadcasts`: materializes broadcast operands where one kernel cannot broadcast
//! them.
//!
//! A kernel that collapses dimensions views its tensors as matrices of rows and columns: at most
//! three dimensions, each broadcast or not. For operations whose dimensions alternate more often,
//! such as `2x3x7x5` with `2x1x7x1`, an operand is first broadcast along some dimensions by a
//! `ttnn.repeat`.
//!
//! One run of adjacent dimensions is broadcast at a time, which is always possible: the dimensions
//! before the run, the run, and those after it are three dimensions. Of all operands and runs, the
//! smallest one that makes the operation fit is broadcast first.
//!
//! The result of a batched product has the matrices of that product. Element-wise operations after
//! it, such as the masks of an attention, share its kernel only if they view it alike, so that
//! their dimensions are not collapsed: other operands are broadcast to one matrix for each.
//!
//! Kernels that do not collapse dimensions address an operand that is broadcast along some of the
//! dimensions before the last two by division and remainder of the matrix number. Not every target
//! lowers that: with `shared-kernels` such operands are broadcast first.

use std::collections::HashSet;

use tessera_dialects::mlir::{At, NamedOp, Op, Pass, Reported, Rewriter, TensorType, Type, Value};
use tessera_dialects::verify::call;
use tessera_dialects::{builtin, func, ttnn};
use tessera_ops::Class;

use crate::driver::options::{Kind, OptionInfo};
use crate::driver::registry::PassInfo;
use crate::ttnn::fusion::matrix_view::{can_broadcast, KernelKind};
use crate::ttnn::layout::Layout;
use crate::verified;

/// `ttnn-materialize-broadcasts`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-materialize-broadcasts",
    description: "Materializes broadcasts of operands that kernels over regrouped dimensions \
        cannot apply",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[SHARED_KERNELS],
    make: |options| {
        Ok(Box::new(MaterializeBroadcasts {
            may_collapse_dims: !options.flag(SHARED_KERNELS.name),
        }))
    },
};

/// Option that prepares kernels that several targets lower.
const SHARED_KERNELS: OptionInfo = OptionInfo {
    name: "shared-kernels",
    description: "Prepare kernels that several targets lower, which do not regroup dimensions",
    kind: Kind::Bool,
    default: "false",
};

struct MaterializeBroadcasts {
    may_collapse_dims: bool,
}

impl Pass for MaterializeBroadcasts {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for func in module.find_all::<func::FuncOp>() {
            let mut of_products = HashSet::new();
            for op in func.body().map(|body| body.ops()).unwrap_or_default() {
                let has_product_view = has_product_view(op, &of_products);
                if has_product_view {
                    of_products.insert(op);
                }
                if let Some(is_product) = broadcasts(op) {
                    let kind = KernelKind {
                        is_product,
                        may_collapse_dims: self.may_collapse_dims
                            && (is_product || !has_product_view),
                    };
                    materialize(op, kind, rewriter)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns whether an operation is a batched product, or an element-wise operation on the result of
/// one of `of_products`.
fn has_product_view(op: Op, of_products: &HashSet<Op>) -> bool {
    match call::class(op) {
        Some(Class::Contraction) => {
            let factors = op.operands().into_iter().take(2);
            let shapes = factors.map(|factor| factor.r#type().static_shape());
            shapes.flatten().all(|shape| shape.len() > 2)
        }
        Some(Class::Unary(_) | Class::Binary(_) | Class::Ternary(_) | Class::Cast) => {
            let made = op.operands().into_iter().filter_map(Value::defining_op);
            made.into_iter().any(|made| of_products.contains(&made))
        }
        _ => false,
    }
}

/// Returns whether an operation that broadcasts its operands is a product, or `None` for others.
fn broadcasts(op: Op) -> Option<bool> {
    match call::class(op)? {
        Class::Contraction => Some(true),
        Class::Binary(_) | Class::Ternary(_) => Some(false),
        _ => None,
    }
}

fn materialize<'a>(op: Op<'a>, kind: KernelKind, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let shape = |value: &Value| value.r#type().static_shape().unwrap_or_default();
    let result = op.result(0).as_ref().map(shape).unwrap_or_default();
    let mut operands = op.operands();
    // A bias is one row, or was split off.
    let count = if kind.is_product { 2 } else { operands.len() };
    let shapes: Vec<Vec<u64>> = operands[..count].iter().map(shape).collect();
    let plan = plan(kind, shapes, &result);
    for (operand, shape) in &plan {
        operands[*operand] = broadcast(op, operands[*operand], shape, rewriter)?;
    }
    if !plan.is_empty() {
        rewriter.set_operands(op, &operands);
    }
    Ok(())
}

/// Returns the operands to broadcast, in order, with their new shapes.
fn plan(kind: KernelKind, mut shapes: Vec<Vec<u64>>, result: &[u64]) -> Vec<(usize, Vec<u64>)> {
    let mut plan = Vec::new();
    while !can_broadcast(kind, &shapes, result) {
        let longer = (0..shapes.len()).flat_map(|operand| {
            let shapes = expansions(&shapes[operand], result, kind);
            shapes.into_iter().map(move |shape| (operand, shape))
        });
        let cost = |(operand, shape): &(usize, Vec<u64>)| {
            let mut after = shapes.clone();
            after[*operand].clone_from(shape);
            let fits = can_broadcast(kind, &after, result);
            (!fits, shape.iter().product::<u64>())
        };
        // Without candidates, a later pass reports the error.
        let Some((operand, shape)) = longer.min_by_key(cost) else {
            break;
        };
        shapes[operand].clone_from(&shape);
        plan.push((operand, shape));
    }
    plan
}

/// Returns the shapes of an operand after broadcasting one run of dimensions. The last two
/// dimensions are kept if they are those of a factor, or if every kernel can broadcast them.
fn expansions(shape: &[u64], result: &[u64], kind: KernelKind) -> Vec<Vec<u64>> {
    let keeps_matrices = kind.is_product || !kind.may_collapse_dims;
    let inner = if keeps_matrices {
        2.min(result.len())
    } else {
        0
    };
    if kind.is_product && shape.len() < inner || result.len() < shape.len() {
        return Vec::new();
    }
    let missing = result.len() - shape.len();
    let full: Vec<u64> = vec![1; missing]
        .into_iter()
        .chain(shape.iter().copied())
        .collect();
    let mut found: Vec<Vec<u64>> = Vec::new();
    let mut continues = false;
    for dim in 0..result.len() - inner {
        if result[dim] == 1 {
            continue;
        }
        let expands = full[dim] == 1;
        if expands && !continues {
            found.push(full.clone());
        }
        if let (true, Some(last)) = (expands, found.last_mut()) {
            last[dim] = result[dim];
        }
        continues = expands;
    }
    found
}

/// Builds the broadcast, after a reshape that adds missing dimensions.
fn broadcast<'a>(
    op: Op<'a>,
    value: Value<'a>,
    shape: &[u64],
    rewriter: &Rewriter<'a>,
) -> Result<Value<'a>, Reported> {
    let context = rewriter.context();
    let own = value.r#type().static_shape().unwrap_or_default();
    let missing = shape.len() - own.len();
    let full = [vec![1; missing], own].concat();
    let mut value = value;
    if missing > 0 {
        let extents: Vec<i64> = full.iter().map(|&extent| extent as i64).collect();
        let reshape = ttnn::ReshapeOp::build(op.location())
            .operands([value])
            .with(context, ttnn::ReshapeOp::SHAPE, &extents)
            .results([tensor(op, value, &full, rewriter)?]);
        value = verified::expect_result(rewriter.insert(At::Before(op), reshape))?;
    }
    let pairs = shape.iter().zip(&full);
    let counts: Vec<i64> = pairs.map(|(to, from)| (to / from) as i64).collect();
    let repeat = ttnn::RepeatOp::build(op.location())
        .operands([value])
        .with(context, ttnn::RepeatOp::REPEAT_DIMENSIONS, &counts)
        .results([tensor(op, value, shape, rewriter)?]);
    verified::expect_result(rewriter.insert(At::Before(op), repeat))
}

/// Returns the type of a tensor like another one, with this shape.
fn tensor<'a>(
    op: Op<'a>,
    like: Value<'a>,
    shape: &[u64],
    rewriter: &Rewriter<'a>,
) -> Result<Type<'a>, Reported> {
    let made = Layout::with_shape(rewriter.context(), like.r#type(), shape);
    made.ok_or_else(|| {
        op.error("has an operand without an interleaved layout; run ttnn-layout first")
    })
}

#[cfg(test)]
mod tests;
