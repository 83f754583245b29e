//! Translation of arithmetic on indices and booleans.
//!
//! An index is a mathematical integer here: the group traps where 64-bit arithmetic would wrap. It
//! also traps on unsigned operations with negative operands, except comparisons, which are exact.

use tessera_dialects::arith;
use tessera_dialects::mlir::{AttributeValue, Op, OpView, Value as MlirValue};
use tessera_pto::kernel::{OpKind, ScalarOp, Type, Value};

use super::kernel::Translation;
use super::refused::{expect_verified, Refused, Why};

/// Translates an operation of the arith dialect.
pub fn translate<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>) -> Result<(), Refused<'a>> {
    let name = op.name();
    if name == arith::SelectOp::NAME {
        return to.select(op);
    }
    let is_bool = op.operand(0).or(op.result(0)).is_some_and(is_boolean);
    let scalar = match name {
        arith::ConstantOp::NAME => return constant(to, op),
        arith::CmpIOp::NAME => return compare(to, op, is_bool),
        arith::AndIOp::NAME => ScalarOp::And,
        arith::OrIOp::NAME => ScalarOp::Or,
        arith::XOrIOp::NAME => ScalarOp::Xor,
        arith::AddIOp::NAME if !is_bool => ScalarOp::Add,
        arith::SubIOp::NAME if !is_bool => ScalarOp::Subtract,
        arith::MulIOp::NAME if !is_bool => ScalarOp::Multiply,
        arith::DivSIOp::NAME if !is_bool => ScalarOp::Divide,
        arith::FloorDivSIOp::NAME if !is_bool => ScalarOp::FloorDivide,
        arith::CeilDivSIOp::NAME if !is_bool => ScalarOp::CeilDivide,
        arith::RemSIOp::NAME if !is_bool => ScalarOp::Remainder,
        arith::MinSIOp::NAME if !is_bool => ScalarOp::Min,
        arith::MaxSIOp::NAME if !is_bool => ScalarOp::Max,
        arith::DivUIOp::NAME if !is_bool => ScalarOp::UnsignedDivide,
        arith::RemUIOp::NAME if !is_bool => ScalarOp::UnsignedRemainder,
        arith::MinUIOp::NAME if !is_bool => ScalarOp::UnsignedMin,
        _ => return Err(Refused::new(op, Why::Arithmetic)),
    };
    let (left, right) = (to.value(op, 0)?, to.value(op, 1)?);
    let result = to.builder.scalar(scalar, left, right);
    define(to, op, result)
}

fn is_boolean(value: MlirValue) -> bool {
    value.r#type().to_string() == "i1"
}

fn define<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>, value: Value) -> Result<(), Refused<'a>> {
    super::kernel::value_type(op, op.result(0).map(MlirValue::r#type))?;
    to.define(op, value)
}

fn constant<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>) -> Result<(), Refused<'a>> {
    let value = arith::ConstantOp::view(op).value();
    // As an i1 integer, true is -1.
    let is_bool = value.and_then(AttributeValue::boolean).map(i64::from);
    let number = is_bool.or_else(|| value.and_then(AttributeValue::integer));
    let number = number.ok_or_else(|| Refused::new(op, Why::Number))?;
    let constant = to.builder.constant(number);
    define(to, op, constant)
}

/// The predicates of `arith.cmpi` by number: the comparison, whether the operands are swapped, and
/// whether the result is negated.
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

fn compare<'a>(to: &mut Translation<'_, 'a>, op: Op<'a>, is_bool: bool) -> Result<(), Refused<'a>> {
    let predicate = arith::CmpIOp::view(op).predicate();
    let predicate = predicate.and_then(|number| usize::try_from(number).ok());
    let predicate = predicate.and_then(|number| PREDICATES.get(number));
    let &(scalar, swap, not) = expect_verified(op, predicate)?;
    if is_bool && scalar == ScalarOp::Less {
        return Err(Refused::new(op, Why::SignedBooleans));
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
