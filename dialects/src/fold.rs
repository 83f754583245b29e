//! The folders of operations whose ODS says `hasFolder`: what a result is without its operation.
//!
//! Nothing that rounds is folded away.

use crate::mlir::{Op, Scalar, ScalarType, TensorType, Value};
use crate::{ttir, ttnn};

/// What the result of an operation is without it; nothing if it is not folded.
pub(crate) fn op(op: Op) -> Option<Value> {
    let folded = match op.name() {
        ttir::TypecastOp::NAME | ttnn::TypecastOp::NAME => typecast(op),
        _ => None,
    };
    // Operations of a module may read each other in a cycle; MLIR would fold one that becomes
    // itself for ever.
    folded.filter(|value| value.defining_op() != Some(op))
}

/// A cast of a tensor to the type that it has; or back to that, from one that has all its elements.
fn typecast(op: Op) -> Option<Value> {
    let [input] = ttir::inputs(op)[..] else {
        return None;
    };
    let result = op.result(0)?.r#type();
    if input.r#type() == result {
        return Some(input);
    }
    let [source] = ttir::inputs(input.defining_op().filter(|before| before.is(op.name()))?)[..]
    else {
        return None;
    };
    let scalar = |value: Value| value.r#type().element_type()?.scalar();
    (source.r#type() == result && has_all(scalar(input)?, scalar(source)?)).then_some(source)
}

/// Whether a type has every number of another, narrower one.
fn has_all(wide: Scalar, narrow: Scalar) -> bool {
    matches!(
        (wide, narrow),
        (Scalar::F32 | Scalar::F64, Scalar::BF16 | Scalar::F16) | (Scalar::F64, Scalar::F32)
    )
}
