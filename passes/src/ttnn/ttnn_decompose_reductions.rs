//! `ttnn-decompose-reductions`: rewrites reductions that no kernel of a target computes as
//! movements and reductions that kernels compute.
//!
//! Kernels reduce rows and columns of matrices. Which dimensions those are is a property of the
//! target ([`can_reduce`](crate::ttnn::fusion::matrix_view::can_reduce)); [`plan`] chooses the
//! steps. A reduction whose kernel would only give the result another rank is followed by a
//! reshape.

mod plan;

use plan::{plan, Request, Step};
use tessera_dialects::mlir::{At, NamedOp, NewOp, Op, Pass, Reported, Rewriter, TensorType, Value};
use tessera_dialects::verify::TensorCall;
use tessera_dialects::{builtin, ttnn};
use tessera_ops::{Class, ElementType, Reduce};

use crate::driver::options::Options;
use crate::driver::registry::PassInfo;
use crate::target::Target;
use crate::targets;
use crate::ttnn::layout::Layout;
use crate::verified::{self, expect_verified};

/// `ttnn-decompose-reductions`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-decompose-reductions",
    description: "Rewrites reductions that the target has no kernel for as movements and \
                  reductions that it has",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[targets::OPTION],
    make: |options| Ok(Box::new(DecomposeReductions::new(options)?)),
};

struct DecomposeReductions {
    target: &'static dyn Target,
}

impl DecomposeReductions {
    fn new(options: &Options) -> Result<Self, String> {
        let target = targets::from_options(options)?;
        Ok(DecomposeReductions { target })
    }
}

impl Pass for DecomposeReductions {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let may_collapse_dims = self.target.abilities().may_collapse_dims;
        for reduction in module.find_all::<ttnn::ReductionOp>() {
            decompose(*reduction, may_collapse_dims, rewriter)?;
        }
        Ok(())
    }
}

fn decompose<'a>(
    op: Op<'a>,
    may_collapse_dims: bool,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let call = TensorCall::new(op).map_err(|error| op.error(error))?;
    let Class::Reduction(reduction) = call.op.class else {
        return Ok(());
    };
    let result = verified::expect_result(op)?.r#type();
    let result = result.static_shape().unwrap_or_default();
    let input = &call.operands[0];
    let is_exact = reduction.fold() != Reduce::Sum || input.element != ElementType::Bf16;
    let steps = plan(Request {
        shape: &input.shape,
        dims: &call.reduced_dimensions().map_err(|error| op.error(error))?,
        result: &result,
        is_exact,
        may_collapse_dims,
    });
    let Some(steps) = steps else {
        return Ok(());
    };
    let mut value = expect_verified(op, op.operand(0))?;
    for step in steps {
        value = insert(op, value, step, rewriter)?;
    }
    rewriter.replace(op, &[value]);
    Ok(())
}

/// Inserts a step in front of the reduction.
fn insert<'a>(
    op: Op<'a>,
    value: Value<'a>,
    step: Step,
    rewriter: &Rewriter<'a>,
) -> Result<Value<'a>, Reported> {
    let context = rewriter.context();
    let mut shape = value.r#type().static_shape().unwrap_or_default();
    let int = |value: &usize| *value as i64;
    let new = match step {
        Step::Reshape(to) => {
            let extents: Vec<i64> = to.iter().map(|&extent| extent as i64).collect();
            shape = to;
            ttnn::ReshapeOp::build(op.location()).with(context, ttnn::ReshapeOp::SHAPE, &extents)
        }
        Step::Permute(order) => {
            shape = order.iter().map(|&dim| shape[dim]).collect();
            let order: Vec<i64> = order.iter().map(int).collect();
            ttnn::PermuteOp::build(op.location()).with(
                context,
                ttnn::PermuteOp::PERMUTATION,
                &order,
            )
        }
        Step::Reduce(dims) => {
            dims.iter().for_each(|&dim| shape[dim] = 1);
            let dims: Vec<i64> = dims.iter().map(int).collect();
            let [keep_dim, dim_arg] = [
                ttnn::ReductionOp::KEEP_DIM.name(),
                ttnn::ReductionOp::DIM_ARG.name(),
            ];
            let others = op.attributes().into_iter();
            NewOp::new(op.name(), op.location())
                .attributes(others.filter(|(name, _)| *name != keep_dim && *name != dim_arg))
                .with(context, ttnn::ReductionOp::KEEP_DIM, true)
                .with(context, ttnn::ReductionOp::DIM_ARG, &dims)
        }
    };
    let result = Layout::with_shape(context, value.r#type(), &shape);
    let result = result.ok_or_else(|| {
        op.error("has an operand without an interleaved layout; run ttnn-layout first")
    })?;
    let new = rewriter.insert(At::Before(op), new.operands([value]).results([result]));
    verified::expect_result(new)
}
