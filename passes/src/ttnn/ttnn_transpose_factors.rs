//! `ttnn-transpose-factors`: replaces `transpose_a` and `transpose_b` of `ttnn.matmul` and
//! `ttnn.linear` by transpositions of the factors.
//!
//! For targets whose kernels cannot read transposed factors. A vector needs no transposition. A
//! tensor that is both factors is transposed once for each.

use tessera_dialects::mlir::attribute_key::Bool;
use tessera_dialects::mlir::{
    At, AttributeKey, NamedOp, Op, Pass, Reported, Rewriter, TensorType, Value,
};
use tessera_dialects::ttnn::ProductOp;
use tessera_dialects::{builtin, ttnn};

use crate::driver::registry::PassInfo;
use crate::ttnn::layout::Layout;

/// `ttnn-transpose-factors`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-transpose-factors",
    description: "Materializes transpositions of factors of matrix products",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(TransposeFactors)),
};

/// The transposition attributes, by factor.
const FLAGS: [AttributeKey<Bool>; 2] = [ProductOp::TRANSPOSE_A, ProductOp::TRANSPOSE_B];

struct TransposeFactors;

impl Pass for TransposeFactors {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let mut products = op.find_all::<ProductOp>().into_iter();
        products.try_for_each(|product| transpose_factors(product, rewriter))
    }
}

fn transpose_factors<'a>(op: ProductOp<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let mut operands = op.operands();
    for (factor, flag) in operands.iter_mut().zip(FLAGS) {
        if flag.get(*op) != Some(true) {
            continue;
        }
        let rank = factor.r#type().shape().map_or(0, |shape| shape.len());
        if rank >= 2 {
            *factor = transposed(*op, *factor, rewriter)?;
        }
        rewriter.set(*op, flag, false);
    }
    rewriter.set_operands(*op, &operands);
    Ok(())
}

/// Builds the tensor with its last two dimensions exchanged.
fn transposed<'a>(
    op: Op<'a>,
    factor: Value<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Value<'a>, Reported> {
    let context = rewriter.context();
    let from = factor.r#type();
    let mut shape = from.static_shape().unwrap_or_default();
    let rank = shape.len();
    shape.swap(rank - 1, rank - 2);
    let to = Layout::with_shape(context, from, &shape);
    let to = to.ok_or_else(|| {
        op.error("has a factor without an interleaved layout; run ttnn-layout first")
    })?;
    let mut permutation: Vec<i64> = (0..rank as i64).collect();
    permutation.swap(rank - 1, rank - 2);
    let new = ttnn::PermuteOp::build(op.location())
        .operands([factor])
        .with(context, ttnn::PermuteOp::PERMUTATION, &permutation)
        .results([to]);
    Ok(rewriter.insert(At::Before(op), new).results()[0])
}
