//! `ttnn-expand-vectors`: gives vectors that are factors of a product a second dimension.
//!
//! A left vector becomes a row, a right vector a column, and the result loses that dimension again.
//! A bias gets a dimension at the same place. For targets whose kernels multiply matrices only.

use tessera_dialects::mlir::{
    At, NamedOp, NewOp, Op, Pass, Reported, Rewriter, TensorType, Type, Value,
};
use tessera_dialects::ttnn::ProductOp;
use tessera_dialects::{builtin, ttnn};

use crate::driver::registry::PassInfo;
use crate::ttnn::layout::Layout;
use crate::verified;

/// `ttnn-expand-vectors`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-expand-vectors",
    description: "Reshapes vectors that are factors of products to matrices",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(ExpandVectors)),
};

struct ExpandVectors;

impl Pass for ExpandVectors {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let mut products = module.find_all::<ProductOp>().into_iter();
        products.try_for_each(|product| expand(product, rewriter))
    }
}

fn shape(r#type: Type) -> Vec<u64> {
    r#type.static_shape().unwrap_or_default()
}

fn expand<'a>(op: ProductOp<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let mut operands = op.operands();
    let is_vector = [0, 1].map(|factor: usize| {
        let operand = operands.get(factor);
        operand.is_some_and(|operand| shape(operand.r#type()).len() == 1)
    });
    let mut new = NewOp::new(op.name(), op.location());
    let flags = [ProductOp::TRANSPOSE_A, ProductOp::TRANSPOSE_B];
    let expanded = flags
        .iter()
        .zip(is_vector)
        .filter(|(_, is_vector)| *is_vector);
    let cleared: Vec<&str> = expanded.map(|(flag, _)| flag.name()).collect();
    let attributes = op.attributes().into_iter();
    new = new.attributes(attributes.filter(|(name, _)| !cleared.contains(name)));
    // The place of the added dimension in the result, from the end.
    let from_end = match is_vector {
        [false, false] => return Ok(()),
        [_, true] => 0,
        [true, false] => 1,
    };
    let insert = |mut shape: Vec<u64>| {
        shape.insert(shape.len() - from_end, 1);
        shape
    };
    for (number, operand) in operands.iter_mut().enumerate() {
        let own = shape(operand.r#type());
        let to = match number {
            0 if is_vector[0] => vec![1, own[0]],
            1 if is_vector[1] => vec![own[0], 1],
            0 | 1 => continue,
            _ => insert(own),
        };
        *operand = reshape(*op, *operand, &to, rewriter)?;
    }
    let result = verified::expect_result(*op)?.r#type();
    let expanded = match operands.len() {
        2 if is_vector == [true, true] => vec![1, 1],
        _ => insert(shape(result)),
    };
    let expanded = with_shape(*op, result, &expanded, rewriter)?;
    let product = rewriter.insert(At::Before(*op), new.operands(operands).results([expanded]));
    let product = verified::expect_result(product)?;
    let value = reshape(*op, product, &shape(result), rewriter)?;
    rewriter.replace(*op, &[value]);
    Ok(())
}

fn reshape<'a>(
    op: Op<'a>,
    value: Value<'a>,
    shape: &[u64],
    rewriter: &Rewriter<'a>,
) -> Result<Value<'a>, Reported> {
    let extents: Vec<i64> = shape.iter().map(|&extent| extent as i64).collect();
    let new = ttnn::ReshapeOp::build(op.location())
        .operands([value])
        .with(rewriter.context(), ttnn::ReshapeOp::SHAPE, &extents)
        .results([with_shape(op, value.r#type(), shape, rewriter)?]);
    verified::expect_result(rewriter.insert(At::Before(op), new))
}

/// Returns the type of a tensor like another one, with this shape.
fn with_shape<'a>(
    op: Op<'a>,
    like: Type<'a>,
    shape: &[u64],
    rewriter: &Rewriter<'a>,
) -> Result<Type<'a>, Reported> {
    let made = Layout::with_shape(rewriter.context(), like, shape);
    made.ok_or_else(|| {
        op.error("has an operand without an interleaved layout; run ttnn-layout first")
    })
}
