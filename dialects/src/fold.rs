//! Constant folding of tensor operations.
//!
//! The operation table evaluates operations on constants ([`tessera_ops::constant`]). Only `ttir`
//! is folded; in `ttnn`, constants have layouts and devices. Casts are removed only if they do not
//! round.

use tessera_ops::constant::{self, Constant};
use tessera_ops::shape::count_elements;
use tessera_ops::table::fill_value;
use tessera_ops::{Class, Creation};

use crate::mlir::{dense_attribute, Attribute, DenseElements, Op, TensorType, Value};
use crate::ttir;
use crate::verify::call::{self, TensorCall};

/// Folds an operation whose ODS declaration has `hasFolder`. Returns the existing value that
/// replaces its result, if any.
pub(crate) fn op(op: Op) -> Option<Value> {
    let folded = match call::class(op)? {
        Class::Cast => typecast(op),
        _ => None,
    };
    // Operations of a module may read each other in a cycle; MLIR would fold one that folds to
    // itself forever.
    folded.filter(|value| value.defining_op() != Some(op))
}

/// Folds a cast to the same type, and a pair of casts to a type that represents all elements and
/// back.
fn typecast(op: Op) -> Option<Value> {
    let [input] = call::inputs(op)[..] else {
        return None;
    };
    let result = op.result(0)?.r#type();
    if input.r#type() == result {
        return Some(input);
    }
    let [source] = call::inputs(input.defining_op().filter(|before| before.is(op.name()))?)[..]
    else {
        return None;
    };
    let element = |value: Value| call::element_type(value.r#type().element_type()?);
    let (wide, narrow) = (element(input)?, element(source)?);
    let has_all = wide != narrow && wide.can_represent(narrow);
    (source.r#type() == result && has_all).then_some(source)
}

/// Evaluates a `ttir` operation on constants. Returns the elements of its result, or `None` if it
/// is not folded.
pub(crate) fn elements(op: Op) -> Option<Attribute> {
    let operands = ttir::inputs(op);
    if operands.is_empty() {
        return None;
    }
    let creations = operands.into_iter().map(defining_creation);
    let operands: Vec<_> = creations
        .collect::<Option<Vec<_>>>()?
        .into_iter()
        .map(|(op, creation)| read_constant(op, creation))
        .collect::<Option<_>>()?;
    let call = TensorCall::new(op).ok()?;
    let result = op.result(0)?;
    let expected = call::tensor_type(result).ok()?;
    let folded = constant::fold(&call.as_call(), &operands, expected.element)?;
    let is_expected = *folded.tensor_type() == expected;
    let r#type = result.r#type();
    is_expected.then(|| dense_attribute(r#type, &folded.to_bytes()))?
}

/// Returns the defining operation of a value if it has no operands.
fn defining_creation(value: Value) -> Option<(Op, Creation)> {
    let op = value.defining_op()?;
    match call::class(op)? {
        Class::Creation(creation) => Some((op, creation)),
        _ => None,
    }
}

/// Returns the elements of the result of an operation without operands, if there are few enough to
/// fold.
fn read_constant(op: Op, creation: Creation) -> Option<Constant> {
    let r#type = call::tensor_type(op.result(0)?).ok()?;
    if creation != Creation::Constant {
        let value = fill_value(creation, &call::attributes(op, call::info(op)?))?;
        return Constant::splat(r#type, value);
    }
    let value = op.dyn_cast::<ttir::ConstantOp>()?.value()?;
    let is_small =
        count_elements(&r#type.shape).is_some_and(|count| count <= constant::MAX_ELEMENTS);
    (is_small || value.is_splat()).then(|| Constant::from_bytes(r#type, &value.dense()?.bytes))?
}
