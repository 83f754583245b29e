//! `ttnn-split-concat`: limits the number of tensors that one `ttnn.concat` reads.
//!
//! A movement kernel has code and an address for each tensor that it reads, and a core has room for
//! some of them only. A concatenation of more tensors becomes a tree of concatenations: neighbours
//! are concatenated first, then the results.

use tessera_dialects::mlir::{At, NamedOp, Op, Pass, Reported, Rewriter, TensorType, Value};
use tessera_dialects::ttnn::ConcatOp;
use tessera_dialects::{builtin, ttnn};

use crate::driver::options::{Kind, OptionInfo};
use crate::driver::registry::PassInfo;
use crate::ttnn::layout::Layout;
use crate::verified::{self, expect_verified};

/// `ttnn-split-concat`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-split-concat",
    description: "Splits ttnn.concat of many tensors into several",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[MOST],
    make: |options| match usize::try_from(options.integer(MOST.name)) {
        Ok(most) if most > 1 => Ok(Box::new(SplitConcat { most })),
        _ => Err(format!("option '{}' must be at least 2", MOST.name)),
    },
};

/// Option that limits the operands of a concatenation.
const MOST: OptionInfo = OptionInfo {
    name: "most",
    description: "The most tensors that are concatenated at once",
    kind: Kind::Integer,
    default: "16",
};

struct SplitConcat {
    most: usize,
}

impl Pass for SplitConcat {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in module.find_all::<ConcatOp>() {
            if op.operand_count() > self.most {
                split(op, self.most, rewriter)?;
            }
        }
        Ok(())
    }
}

fn split<'a>(op: ConcatOp<'a>, most: usize, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let mut values = op.operands();
    while values.len() > 1 {
        let parts = values.chunks(most).map(|part| concat(op, part, rewriter));
        values = parts.collect::<Result<_, _>>()?;
    }
    rewriter.replace(*op, &values);
    Ok(())
}

/// Concatenates some operands of an operation.
fn concat<'a>(
    op: ConcatOp<'a>,
    values: &[Value<'a>],
    rewriter: &Rewriter<'a>,
) -> Result<Value<'a>, Reported> {
    if let [value] = *values {
        return Ok(value);
    }
    let result = verified::expect_result(*op)?.r#type();
    let extents = |value: &Value| value.r#type().static_shape().unwrap_or_default();
    let mut shape = result.static_shape().unwrap_or_default();
    let dim = expect_verified(*op, op.dim())?;
    // Invariant from the verifier: the dimension is in range, from either end.
    let dim = dim.rem_euclid(shape.len() as i64) as usize;
    shape[dim] = values.iter().map(|value| extents(value)[dim]).sum();
    let result = Layout::with_shape(rewriter.context(), result, &shape);
    let result = result.ok_or_else(|| {
        op.error("has an operand without an interleaved layout; run ttnn-layout first")
    })?;
    let new = ttnn::ConcatOp::build(op.location())
        .operands(values.iter().copied())
        .attributes(op.attributes())
        .results([result]);
    verified::expect_result(rewriter.insert(At::Before(*op), new))
}
