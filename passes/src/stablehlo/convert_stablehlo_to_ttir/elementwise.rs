//! Element-wise operations.
//!
//! Operations on booleans become logical operations, because booleans become numbers on the chip.

use tessera_dialects::mlir::{Reported, Value};
use tessera_ops::Attributes;

use super::source::Source;
use super::Converter;
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::Emitter;
use crate::ttir::tensor::Tensor;

/// A function of one tensor: its name in StableHLO or CHLO and in TTIR.
const UNARY: &[(&str, &str)] = &[
    ("stablehlo.abs", "abs"),
    ("stablehlo.cbrt", "cbrt"),
    ("stablehlo.ceil", "ceil"),
    ("stablehlo.cosine", "cos"),
    ("stablehlo.exponential", "exp"),
    ("stablehlo.exponential_minus_one", "expm1"),
    ("stablehlo.floor", "floor"),
    ("stablehlo.is_finite", "isfinite"),
    ("stablehlo.log", "log"),
    ("stablehlo.log_plus_one", "log1p"),
    ("stablehlo.logistic", "sigmoid"),
    ("stablehlo.negate", "neg"),
    ("stablehlo.round_nearest_even", "round"),
    ("stablehlo.rsqrt", "rsqrt"),
    ("stablehlo.sign", "sign"),
    ("stablehlo.sine", "sin"),
    ("stablehlo.sqrt", "sqrt"),
    ("stablehlo.tan", "tan"),
    ("stablehlo.tanh", "tanh"),
    ("chlo.acos", "acos"),
    ("chlo.asin", "asin"),
    ("chlo.asinh", "asinh"),
    ("chlo.atan", "atan"),
    ("chlo.erf", "erf"),
    ("chlo.erfc", "erfc"),
    ("chlo.square", "square"),
    ("chlo.tan", "tan"),
];

/// A function of two tensors of numbers: its name in StableHLO or CHLO and in TTIR.
const BINARY: &[(&str, &str)] = &[
    ("stablehlo.add", "add"),
    ("stablehlo.and", "bitwise_and"),
    ("stablehlo.atan2", "atan2"),
    ("stablehlo.divide", "div"),
    ("stablehlo.maximum", "maximum"),
    ("stablehlo.minimum", "minimum"),
    ("stablehlo.multiply", "multiply"),
    ("stablehlo.or", "bitwise_or"),
    ("stablehlo.power", "pow"),
    ("stablehlo.remainder", "remainder"),
    ("stablehlo.shift_left", "logical_left_shift"),
    ("stablehlo.shift_right_arithmetic", "right_shift"),
    ("stablehlo.shift_right_logical", "logical_right_shift"),
    ("stablehlo.subtract", "subtract"),
    ("stablehlo.xor", "bitwise_xor"),
];

/// A function of two tensors of booleans: its name in StableHLO and in TTIR.
const BOOLEAN: &[(&str, &str)] = &[
    ("stablehlo.add", "logical_or"),
    ("stablehlo.and", "logical_and"),
    ("stablehlo.maximum", "logical_or"),
    ("stablehlo.minimum", "logical_and"),
    ("stablehlo.multiply", "logical_and"),
    ("stablehlo.or", "logical_or"),
    ("stablehlo.xor", "logical_xor"),
];

/// Returns the converter of an element-wise operation.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "stablehlo.compare" => compare,
        "stablehlo.select" => select,
        "stablehlo.clamp" => clamp,
        "stablehlo.convert" => cast,
        "stablehlo.reduce_precision" => reduce_precision,
        "stablehlo.not" => not,
        _ if find(UNARY, name).is_some() => unary,
        _ if find(BINARY, name).is_some() => binary,
        _ => return None,
    })
}

/// Returns the operation of TTIR with the value of a StableHLO operation of two operands of this
/// type.
pub fn binary_name(name: &str, operand: &Tensor) -> Option<&'static str> {
    match operand.is_boolean() {
        true => find(BOOLEAN, name),
        false => find(BINARY, name),
    }
}

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let entry = table.iter().find(|(from, _)| *from == name);
    entry.map(|(_, to)| *to)
}

fn unary<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let result = source.result()?;
    let name = find(UNARY, source.op.name()).unwrap_or_default();
    let value = emitter.emit_as(name, &[operand.value], Attributes::none(), result.element)?;
    Ok(vec![value])
}

fn not<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let name = match operand.is_boolean() {
        true => "logical_not",
        false => "bitwise_not",
    };
    let value = emitter.emit(name, &[operand.value], Attributes::none())?;
    Ok(vec![value])
}

fn binary<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let operands: [_; 2] = source.operands()?;
    source.check_same(&operands)?;
    let name = binary_name(source.op.name(), &operands[0]).ok_or_else(|| {
        source
            .op
            .error("does not support element type 'i1'; convert to a number first")
    })?;
    let values = operands.map(|operand| operand.value);
    if let Some(other) = limited_by_infinity(name, values) {
        return Ok(vec![other]);
    }
    let value = emitter.emit(name, &values, Attributes::none())?;
    Ok(vec![value])
}

/// Returns the operand that a maximum or minimum with the least or greatest number returns, which
/// frameworks emit around reductions.
fn limited_by_infinity<'a>(name: &str, [a, b]: [Value<'a>; 2]) -> Option<Value<'a>> {
    let identity = match name {
        "maximum" => f64::NEG_INFINITY,
        "minimum" => f64::INFINITY,
        _ => return None,
    };
    match (splat_number(a), splat_number(b)) {
        (Some(number), _) if number == identity => Some(b),
        (_, Some(number)) if number == identity => Some(a),
        _ => None,
    }
}

fn compare<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let operands: [_; 2] = source.operands()?;
    source.check_same(&operands)?;
    let result = source.result()?;
    let r#type = source.keyword("compare_type", "comparison_type")?;
    if r#type.as_deref() == Some("TOTALORDER") {
        return Err(source.op.error(
            "attribute 'compare_type' asks for the total order of floats, which is not supported; \
             use FLOAT",
        ));
    }
    let direction = source.keyword("comparison_direction", "comparison_direction")?;
    let name = match direction.as_deref() {
        Some("EQ") => "eq",
        Some("NE") => "ne",
        Some("GE") => "ge",
        Some("GT") => "gt",
        Some("LE") => "le",
        Some("LT") => "lt",
        _ => {
            return Err(source
                .op
                .error("requires attribute 'comparison_direction': EQ, NE, GE, GT, LE or LT"))
        }
    };
    let values = operands.map(|operand| operand.value);
    let value = emitter.emit_as(name, &values, Attributes::none(), result.element)?;
    Ok(vec![value])
}

fn select<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [condition, then, otherwise] = source.operands()?;
    source.check_same(&[then.clone(), otherwise.clone()])?;
    if condition.rank() != 0 && condition.shape != then.shape {
        return Err(source.op.error(format!(
            "has a condition of type '{}', which must be 'tensor<i1>' or have the shape of the \
             other operands",
            condition.value.r#type()
        )));
    }
    if let Some(condition) = splat_number(condition.value) {
        let chosen = if condition == 0.0 { otherwise } else { then };
        return Ok(vec![chosen.value]);
    }
    let condition = as_rank(emitter, &condition, then.rank())?;
    let operands = [condition, then.value, otherwise.value];
    let value = emitter.emit("where", &operands, Attributes::none())?;
    Ok(vec![value])
}

/// Returns a value that broadcasts to tensors of this rank: one of rank 0 gets unit dimensions.
fn as_rank<'a>(
    emitter: &Emitter<'a, '_>,
    tensor: &Tensor<'a>,
    rank: usize,
) -> Result<Value<'a>, Reported> {
    match tensor.rank() {
        0 => emitter.reshape(tensor.value, &vec![1; rank]),
        _ => Ok(tensor.value),
    }
}

fn clamp<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [low, operand, high] = source.operands()?;
    for limit in [&low, &high] {
        if limit.rank() != 0 && limit.shape != operand.shape {
            return Err(source.op.error(format!(
                "has a limit of type '{}', which must have rank 0 or the shape of the operand",
                limit.value.r#type()
            )));
        }
    }
    let [low, high] = [
        as_rank(emitter, &low, operand.rank())?,
        as_rank(emitter, &high, operand.rank())?,
    ];
    let operands = [operand.value, low, high];
    let value = emitter.emit("clamp_tensor", &operands, Attributes::none())?;
    Ok(vec![value])
}

/// Converts a conversion of element types. One to booleans tests whether elements are not zero.
fn cast<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let result = source.result()?;
    if operand.element == result.element {
        return Ok(vec![operand.value]);
    }
    let none = Attributes::none;
    let value = match result.is_boolean() {
        false => emitter.emit_as("typecast", &[operand.value], none(), result.element)?,
        true => {
            let unit = vec![1; operand.rank()];
            let zero = emitter.context().tensor(&unit, operand.element, None);
            let zero = emitter.full(0.0, zero)?;
            emitter.emit_as("ne", &[operand.value, zero], none(), result.element)?
        }
    };
    Ok(vec![value])
}

/// Converts a reduction of precision to bf16 or f16 to a cast and its inverse.
fn reduce_precision<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let bits = [
        source.integer("exponent_bits")?,
        source.integer("mantissa_bits")?,
    ];
    let context = emitter.context();
    let between = match bits {
        [8, 23] => return Ok(vec![operand.value]),
        [8, 7] => context.bf16(),
        _ => {
            return Err(source.op.error(format!(
                "does not support {} bits of exponent with {} of mantissa; use 8 with 7 (bf16) \
                 or with 23 (f32)",
                bits[0], bits[1]
            )))
        }
    };
    let none = Attributes::none;
    let rounded = emitter.emit_as("typecast", &[operand.value], none(), between)?;
    let value = emitter.emit_as("typecast", &[rounded], none(), operand.element)?;
    Ok(vec![value])
}
