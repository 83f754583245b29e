//! Arithmetic on indices and truths.
//!
//! An index is an integer that does not wrap around here: where one would, the group traps. So does
//! what has another meaning for numbers that are negative as signed ones, but for comparisons,
//! which are exact.

use tessera_dialects::mlir::{AttributeValue, Op, Value as MlirValue};
use tessera_pto::kernel::{OpKind, ScalarOp, Type, Value};

use super::kernel::Translation;
use super::refused::{promised, Refused, Why};

/// Translates an operation of the arith dialect.
pub fn translate<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>) -> Result<(), Refused<'a>> {
    let name = op.name();
    if name == "arith.select" {
        return to.select(op);
    }
    let truth = op.operand(0).or(op.result(0)).is_some_and(is_truth);
    let scalar = match name {
        "arith.constant" => return constant(to, op),
        "arith.cmpi" => return compare(to, op, truth),
        "arith.andi" => ScalarOp::And,
        "arith.ori" => ScalarOp::Or,
        "arith.xori" => ScalarOp::Xor,
        "arith.addi" if !truth => ScalarOp::Add,
        "arith.subi" if !truth => ScalarOp::Subtract,
        "arith.muli" if !truth => ScalarOp::Multiply,
        "arith.divsi" if !truth => ScalarOp::Divide,
        "arith.floordivsi" if !truth => ScalarOp::FloorDivide,
        "arith.ceildivsi" if !truth => ScalarOp::CeilDivide,
        "arith.remsi" if !truth => ScalarOp::Remainder,
        "arith.minsi" if !truth => ScalarOp::Min,
        "arith.maxsi" if !truth => ScalarOp::Max,
        "arith.divui" if !truth => ScalarOp::UnsignedDivide,
        "arith.remui" if !truth => ScalarOp::UnsignedRemainder,
        "arith.minui" if !truth => ScalarOp::UnsignedMin,
        _ => return Err(Refused::new(op, Why::Arithmetic)),
    };
    let (left, right) = (to.value(op, 0)?, to.value(op, 1)?);
    let result = to.builder.scalar(scalar, left, right);
    define(to, op, result)
}

fn is_truth(value: MlirValue) -> bool {
    value.r#type().to_string() == "i1"
}

fn define<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>, value: Value) -> Result<(), Refused<'a>> {
    super::kernel::value_type(op, op.result(0).map(MlirValue::r#type))?;
    to.define(op, value)
}

fn constant<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>) -> Result<(), Refused<'a>> {
    let value = op.attribute("value");
    // As an integer, true is -1.
    let truth = value.and_then(AttributeValue::boolean).map(i64::from);
    let number = truth.or_else(|| value.and_then(AttributeValue::integer));
    let number = number.ok_or_else(|| Refused::new(op, Why::Number))?;
    let constant = to.builder.constant(number);
    define(to, op, constant)
}

/// Predicates by their numbers in arith: which comparison, whether its operands change places, and
/// whether it is turned around.
const PREDICATES: [(ScalarOp, bool, bool); 10] = [
    (ScalarOp::Equal, false, false),
    (ScalarOp::Equal, false, true),
    (ScalarOp::Less, false, false),
    (ScalarOp::Less, true, true),
    (ScalarOp::Less, true, false),
    (ScalarOp::Less, false, true),
    (ScalarOp::Below, false, false),
    (ScalarOp::Below, true, true),
    (ScalarOp::Below, true, false),
    (ScalarOp::Below, false, true),
];

fn compare<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>, truth: bool) -> Result<(), Refused<'a>> {
    let predicate = op.attribute("predicate").and_then(AttributeValue::integer);
    let predicate = predicate.and_then(|number| usize::try_from(number).ok());
    let predicate = predicate.and_then(|number| PREDICATES.get(number));
    let &(scalar, swap, not) = promised(op, predicate)?;
    if truth && scalar == ScalarOp::Less {
        return Err(Refused::new(op, Why::SignedTruths));
    }
    let (left, right) = (to.value(op, 0)?, to.value(op, 1)?);
    let (left, right) = if swap { (right, left) } else { (left, right) };
    let mut result = to.builder.scalar(scalar, left, right);
    if not {
        let one = to.builder.op(OpKind::Constant(1), &[], &[Type::Scalar])[0];
        result = to.builder.scalar(ScalarOp::Xor, result, one);
    }
    define(to, op, result)
}
