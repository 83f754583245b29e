//! `ttir-splat-to-full`: replaces splat constants by `ttir.full`.
//!
//! The fill value of `ttir.full` is an `f32` or `i32` attribute. Splats that these do not represent
//! exactly (64-bit types, unsigned values from 2^31) are not replaced. Upstream does this in its
//! canonicalizer.

use crate::driver::registry::PassInfo;
use half::bf16;
use tessera_dialects::mlir::{
    At, Attribute, ContextRef, DenseData, DenseElements, NamedOp, Op, Pass, Reported, Rewriter,
    Scalar, ScalarType, Sign, TensorType,
};
use tessera_dialects::{builtin, ttir};

/// `ttir-splat-to-full`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-splat-to-full",
    description: "Replaces constants of one repeated value by ttir.full",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(SplatToFull)),
};

struct SplatToFull;

impl Pass for SplatToFull {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let context = rewriter.context();
        for op in op.find_all::<ttir::ConstantOp>() {
            let data = op.value().and_then(DenseElements::dense);
            let Some(value) = data.and_then(|data| fill_value(context, &data)) else {
                continue;
            };
            let Some(tensor) = op.result().map(|value| value.r#type()) else {
                continue;
            };
            let extents = tensor.static_shape().unwrap_or_default().into_iter();
            let shape: Result<Vec<_>, _> = extents.map(i32::try_from).collect();
            let shape = shape
                .map_err(|_| op.error("has a dimension of 2^31 or more elements; split it"))?;
            let full = ttir::FullOp::build(op.location())
                .with(context, ttir::FullOp::SHAPE, &shape)
                .with(context, ttir::FullOp::FILL_VALUE, value)
                .results([tensor]);
            let full = rewriter.insert(At::Before(*op), full);
            rewriter.replace(*op, &full.results());
        }
        Ok(())
    }
}

/// Returns the splat value as a fill value of `ttir.full`, or `None` if the constant is not a splat
/// or the value is not representable.
fn fill_value<'a>(context: ContextRef<'a>, data: &DenseData<'a>) -> Option<Attribute<'a>> {
    if !data.splat {
        return None;
    }
    let scalar = data.r#type.element_type()?.scalar()?;
    let float = match (scalar, data.bytes.as_slice()) {
        (Scalar::BF16, &[a, b]) => Some(bf16::from_le_bytes([a, b]).to_f32()),
        (Scalar::F32, &[a, b, c, d]) => Some(f32::from_le_bytes([a, b, c, d])),
        _ => None,
    };
    if let Some(value) = float {
        return Some(context.float_attribute(context.f32(), f64::from(value)));
    }
    let value = match (scalar, data.bytes.as_slice()) {
        (
            Scalar::Integer {
                width: 8,
                sign: Sign::Unsigned,
            },
            &[a],
        ) => i32::from(a),
        (
            Scalar::Integer {
                width: 16,
                sign: Sign::Unsigned,
            },
            &[a, b],
        ) => i32::from(u16::from_le_bytes([a, b])),
        (Scalar::Integer { width: 32, sign }, &[a, b, c, d]) => {
            let value = i32::from_le_bytes([a, b, c, d]);
            (sign != Sign::Unsigned || value >= 0).then_some(value)?
        }
        _ => return None,
    };
    Some(context.integer_attribute(context.integer(32), i64::from(value)))
}
