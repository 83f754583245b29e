//! Element-wise operations that TTIR does not have, expressed by others.
//!
//! Hyperbolic functions are computed in f32 and rounded once. Their formulas do not overflow unless
//! the result does, and lose no digits near zeros:
//!
//! | function | formula |
//! |---|---|
//! | cosh | `e/2 * e + 1/2 / e / e` with `e = exp(abs(x) / 2)` |
//! | sinh | `e/2 * e - 1/2 / e / e` from 1 on, below it `(t + t / (t + 1)) / 2` with `t = expm1(x)` |
//! | acosh | `log1p(y + sqrt(y) * sqrt(x + 1))` with `y = x - 1` |
//! | atanh | `(log1p(x) - log1p(-x)) / 2` |

use tessera_dialects::mlir::{Reported, Type, Value};
use tessera_ops::Attributes;

use super::source::Source;
use super::Converter;
use crate::ttir::emitter::Emitter;

/// Returns the converter of a derived function.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "chlo.acosh" => |source, emitter| in_f32(source, emitter, acosh),
        "chlo.atanh" => |source, emitter| in_f32(source, emitter, atanh),
        "chlo.cosh" => |source, emitter| in_f32(source, emitter, cosh),
        "chlo.sinh" => |source, emitter| in_f32(source, emitter, sinh),
        "stablehlo.round_nearest_afz" => round_away_from_zero,
        _ => return None,
    })
}

/// Writes element-wise operations on tensors of one shape and element type.
struct Writer<'a, 'r, 'e> {
    emitter: &'e Emitter<'a, 'r>,
    /// The type of a tensor that broadcasts to the operand.
    unit: Type<'a>,
}

impl<'a, 'r, 'e> Writer<'a, 'r, 'e> {
    fn new(emitter: &'e Emitter<'a, 'r>, operand: Value<'a>) -> Result<Self, Reported> {
        let operand = emitter.tensor(operand)?;
        let unit = vec![1; operand.rank()];
        Ok(Writer {
            emitter,
            unit: emitter.context().tensor(&unit, operand.element, None),
        })
    }

    fn apply(&self, name: &str, operands: &[Value<'a>]) -> Result<Value<'a>, Reported> {
        self.emitter.emit(name, operands, Attributes::none())
    }

    /// Applies an operation to a value and a number.
    fn with_number(
        &self,
        name: &str,
        value: Value<'a>,
        number: f64,
    ) -> Result<Value<'a>, Reported> {
        let number = self.emitter.full(number, self.unit)?;
        self.apply(name, &[value, number])
    }

    /// Returns a number divided by a value.
    fn divide_number(&self, number: f64, value: Value<'a>) -> Result<Value<'a>, Reported> {
        let number = self.emitter.full(number, self.unit)?;
        self.apply("div", &[number, value])
    }
}

/// A function of f32 tensors.
type Function = for<'a> fn(&Writer<'a, '_, '_>, Value<'a>) -> Result<Value<'a>, Reported>;

/// Applies a function of f32 to the operand of an operation, and converts its value back.
fn in_f32<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    function: Function,
) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let f32 = emitter.context().f32();
    let cast = |value, to| emitter.emit_as("typecast", &[value], Attributes::none(), to);
    if operand.element == f32 {
        return Ok(vec![function(
            &Writer::new(emitter, operand.value)?,
            operand.value,
        )?]);
    }
    let wide = cast(operand.value, f32)?;
    let value = function(&Writer::new(emitter, wide)?, wide)?;
    Ok(vec![cast(value, operand.element)?])
}

fn acosh<'a>(w: &Writer<'a, '_, '_>, x: Value<'a>) -> Result<Value<'a>, Reported> {
    let below = w.with_number("subtract", x, 1.0)?;
    let above = w.with_number("add", x, 1.0)?;
    let [root, other] = [w.apply("sqrt", &[below])?, w.apply("sqrt", &[above])?];
    let product = w.apply("multiply", &[root, other])?;
    let sum = w.apply("add", &[below, product])?;
    w.apply("log1p", &[sum])
}

fn atanh<'a>(w: &Writer<'a, '_, '_>, x: Value<'a>) -> Result<Value<'a>, Reported> {
    let negative = w.apply("neg", &[x])?;
    let [upper, lower] = [w.apply("log1p", &[x])?, w.apply("log1p", &[negative])?];
    let difference = w.apply("subtract", &[upper, lower])?;
    w.with_number("multiply", difference, 0.5)
}

/// Returns the halves of the exponentials of the magnitude and of its negative.
fn half_exponentials<'a>(w: &Writer<'a, '_, '_>, x: Value<'a>) -> Result<[Value<'a>; 2], Reported> {
    let magnitude = w.apply("abs", &[x])?;
    let half = w.with_number("multiply", magnitude, 0.5)?;
    let root = w.apply("exp", &[half])?;
    let large = w.with_number("multiply", root, 0.5)?;
    let large = w.apply("multiply", &[large, root])?;
    let small = w.divide_number(0.5, root)?;
    let small = w.apply("div", &[small, root])?;
    Ok([large, small])
}

fn cosh<'a>(w: &Writer<'a, '_, '_>, x: Value<'a>) -> Result<Value<'a>, Reported> {
    let [large, small] = half_exponentials(w, x)?;
    w.apply("add", &[large, small])
}

fn sinh<'a>(w: &Writer<'a, '_, '_>, x: Value<'a>) -> Result<Value<'a>, Reported> {
    let [large, small] = half_exponentials(w, x)?;
    let sign = w.apply("sign", &[x])?;
    let far = w.apply("subtract", &[large, small])?;
    let far = w.apply("multiply", &[far, sign])?;
    let bounded = w.with_number("maximum", x, -1.0)?;
    let bounded = w.with_number("minimum", bounded, 1.0)?;
    let exponential = w.apply("expm1", &[bounded])?;
    let next = w.with_number("add", exponential, 1.0)?;
    let quotient = w.apply("div", &[exponential, next])?;
    let near = w.apply("add", &[exponential, quotient])?;
    let near = w.with_number("multiply", near, 0.5)?;
    let is_near = w.apply("eq", &[x, bounded])?;
    w.apply("where", &[is_near, near, far])
}

/// Adds one, with the sign, to the integral part if the fraction is a half or more. Every step is
/// exact.
fn round_away_from_zero<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let [operand] = source.operands()?;
    let w = Writer::new(emitter, operand.value)?;
    let integral = w.apply("trunc", &[operand.value])?;
    let fraction = w.apply("frac", &[operand.value])?;
    let fraction = w.apply("abs", &[fraction])?;
    let is_away = w.with_number("ge", fraction, 0.5)?;
    let sign = w.apply("sign", &[operand.value])?;
    let step = w.apply("multiply", &[is_away, sign])?;
    Ok(vec![w.apply("add", &[integral, step])?])
}
