//! `ttnn-decompose-linear`: splits `ttnn.linear` into a product and a sum where a kernel cannot add
//! the bias.
//!
//! A kernel adds the bias to a tile before it leaves the core, and has one row of the bias at hand.
//! So `linear` stays if the bias is one row as wide as the product and `b` is one matrix. Without a
//! bias it becomes `matmul`; otherwise `matmul` and `add`. The rule is that of upstream's
//! workaround pass.
//!
//! A matrix unit that multiplies TF32 also adds the bias and would truncate an f32 bias to TF32.
//! The pipelines of such targets run this pass with `f32-bias`, which splits off every f32 bias.

use crate::driver::options::{Kind, OptionInfo};
use crate::driver::registry::PassInfo;
use crate::ttnn::layout::Layout;
use crate::verified;
use tessera_dialects::mlir::{
    At, NamedOp, Op, Pass, Reported, Rewriter, Scalar, ScalarType, TensorType, Type, Value,
};
use tessera_dialects::ttnn::LinearOp;
use tessera_dialects::{builtin, ttnn};
use tessera_ops::table::product_shape;

/// `ttnn-decompose-linear`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-decompose-linear",
    description: "Splits ttnn.linear into ttnn.matmul and ttnn.add where the bias is not one row",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[F32_BIAS],
    make: |options| {
        Ok(Box::new(DecomposeLinear {
            f32_bias: options.flag(F32_BIAS.name),
        }))
    },
};

/// Option that splits off f32 biases.
const F32_BIAS: OptionInfo = OptionInfo {
    name: "f32-bias",
    description: "Also split operations with an f32 bias",
    kind: Kind::Bool,
    default: "false",
};

struct DecomposeLinear {
    f32_bias: bool,
}

impl Pass for DecomposeLinear {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in op.find_all::<LinearOp>() {
            decompose(op, self.f32_bias, rewriter)?;
        }
        Ok(())
    }
}

fn decompose<'a>(
    op: LinearOp<'a>,
    f32_bias: bool,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let (Some(a), Some(b), Some(result)) = (op.a(), op.b(), op.result()) else {
        return Ok(());
    };
    let Some(bias) = op.bias() else {
        let product = matmul(op, a, b, result.r#type(), rewriter)?;
        rewriter.replace(*op, &[product]);
        return Ok(());
    };
    let shape = shape_of_product(op, a, b)?;
    let splits =
        f32_bias && bias.r#type().element_type().and_then(|of| of.scalar()) == Some(Scalar::F32);
    if !splits && rides_along(&dimensions(b), &dimensions(bias), &shape) {
        return Ok(());
    }
    let context = rewriter.context();
    let product = Layout::with_shape(context, result.r#type(), &shape);
    let product = product.ok_or_else(|| {
        op.error("has a result without an interleaved layout; run ttnn-layout first")
    })?;
    let product = matmul(op, a, b, product, rewriter)?;
    let sum = ttnn::AddOp::build(op.location())
        .operands([product, bias])
        .results([result.r#type()]);
    let sum = rewriter.insert(At::Before(*op), sum);
    rewriter.replace(*op, &sum.results());
    Ok(())
}

/// Builds `a @ b` with the attributes of the linear operation.
fn matmul<'a>(
    op: LinearOp<'a>,
    a: Value<'a>,
    b: Value<'a>,
    product: Type<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<Value<'a>, Reported> {
    let new = ttnn::MatmulOp::build(op.location())
        .operands([a, b])
        .attributes(
            op.attributes()
                .into_iter()
                .filter(|(name, _)| !name.starts_with("operandSegment")),
        )
        .results([product]);
    verified::expect_result(rewriter.insert(At::Before(*op), new))
}

/// Returns the shape of `a @ b`; the product of two vectors is `[1]`.
fn shape_of_product(op: LinearOp, a: Value, b: Value) -> Result<Vec<u64>, Reported> {
    let flags = [op.transpose_a(), op.transpose_b()].map(|flag| flag == Some(true));
    let shape = product_shape(&dimensions(a), flags[0], &dimensions(b), flags[1])
        .map_err(|message| op.error(message))?;
    Ok(if shape.is_empty() { vec![1] } else { shape })
}

fn dimensions(value: Value) -> Vec<u64> {
    value.r#type().static_shape().unwrap_or_default()
}

/// Returns whether the kernel can add the bias: `b` is one matrix, the bias one row as wide as the
/// product.
fn rides_along(b: &[u64], bias: &[u64], product: &[u64]) -> bool {
    let one = |extents: &[u64]| extents.iter().all(|extent| *extent == 1);
    let is_matrix = one(&b[..b.len().saturating_sub(2)]);
    match bias {
        [rows @ .., columns] => is_matrix && one(rows) && product.last() == Some(columns),
        [] => false,
    }
}

#[cfg(test)]
mod tests;
