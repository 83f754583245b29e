//! What the result of several operations in one kernel may differ by.
//!
//! Between the operations of a group nothing is rounded but factors of products that are bf16, and what is cast to bf16. The reference is rounded by casts alone; and its result is. Every value comes with the most that a device's may be off: a
//! product adds what its factors lose when they are rounded and the bound of products, a cast that rounds what its operand is off,
//! rounded the other way, a sum or product of elements what its operands are
//! off and one rounding to float32, a function what [`super::functions`] says, a sum of what the group is given what aligning it may lose, and the result its rounding.

use std::collections::HashMap;

use tessera_ops::eval::{matmul, Array};
use tessera_ops::{Arithmetic as Numbers, Binary, Class, MathFidelity};
use tessera_program::{DataType, GlobalId, Op, Operation, Product, TensorOp};
use tessera_reference::{unrounded_of, with_factors, EvalError, Tensor, Values};

use super::bound::share;
use super::chip::{Arithmetic, Chip, BF16_LOSS};
use super::fidelity;
use super::functions::{self, Operand};
use super::GoldenError;

/// A value, and how far from it a device's may be.
pub struct Bounded {
    value: Array,
    error: Array,
}

/// The values that the operations of a group define, whose tensors are of these types.
pub fn values(
    arithmetic: Arithmetic,
    operations: &[Operation],
    operands: &Values,
    data_type: &dyn Fn(GlobalId) -> Option<DataType>,
) -> Result<HashMap<GlobalId, Bounded>, GoldenError> {
    let mut known: HashMap<GlobalId, Bounded> = HashMap::new();
    for operation in operations {
        let Op::Tensor(op) = &operation.op else {
            return Err(EvalError::NotArithmetic(operation.op.name()).into());
        };
        let mut bounded = bounded(arithmetic, op, &known, operands, data_type)?;
        if let (Class::Cast, &[input], &[out]) = (op.op.class, &op.inputs[..], &op.outputs[..]) {
            bounded = bounded.cast(arithmetic.chip, data_type(input), data_type(out))?;
        }
        for &id in operation.op.outputs() {
            let Bounded { value, error } = &bounded;
            let (value, error) = (value.clone(), error.clone());
            known.insert(id, Bounded { value, error });
        }
    }
    Ok(known)
}

impl Bounded {
    /// The tensor that it is when rounded to what a declared tensor holds.
    pub fn rounded(&self, like: &Tensor) -> Result<Tensor, EvalError> {
        let shape = self.value.shape.clone();
        Ok(Tensor::from_f64s(
            shape,
            like.data_type(),
            &self.value.values,
        )?)
    }

    /// The value as elements of another type.
    fn cast(
        self,
        chip: Chip,
        from: Option<DataType>,
        to: Option<DataType>,
    ) -> Result<Bounded, EvalError> {
        match (from, to) {
            (Some(DataType::F32 | DataType::SI32), Some(DataType::BF16)) => self.cast_to_bf16(),
            (Some(DataType::SI32), Some(DataType::F32)) => Ok(Bounded {
                error: sum(
                    map(self.value.clone(), |value| chip.rounding(value)),
                    &self.error,
                ),
                ..self
            }),
            (_, Some(DataType::SI32)) => Ok(self.cast_to_integers()),
            _ => Ok(self),
        }
    }

    /// The value without what is behind the point; if it is off, an integer that it may be, too.
    fn cast_to_integers(self) -> Bounded {
        let Bounded { value, mut error } = self;
        for (error, value) in error.values.iter_mut().zip(&value.values) {
            let other = |off: f64| ((value + off).trunc() - value.trunc()).abs();
            *error = other(*error).max(other(-*error));
        }
        Bounded {
            value: map(value, f64::trunc),
            error,
        }
    }

    /// The value rounded to bf16, ties to even; a device takes the other number at a tie, or if it is off.
    fn cast_to_bf16(self) -> Result<Bounded, EvalError> {
        let Bounded { value, mut error } = self;
        let rounded = Tensor::from_f64s(value.shape.clone(), DataType::BF16, &value.values)?;
        let rounded = Array {
            values: rounded.to_f64s(),
            shape: value.shape,
        };
        let pairs = value.values.iter().zip(&rounded.values);
        for (error, (value, rounded)) in error.values.iter_mut().zip(pairs) {
            if *error > 0.0 {
                *error += 2.0 * BF16_LOSS * value.abs();
            } else if is_tie(*value, *rounded) {
                *error = 2.0 * (rounded - value).abs();
            }
        }
        Ok(Bounded {
            value: rounded,
            error,
        })
    }

    /// How far from the value a device's may be that is rounded to bf16.
    fn error_when_rounded(&self) -> Array {
        let lost = map(self.value.clone(), |value| {
            if is_bf16(value) {
                0.0
            } else {
                BF16_LOSS * value.abs()
            }
        });
        sum(lost, &self.error)
    }

    /// The share of the bound that a device's result uses, given the reference's, rounded.
    pub fn share_used(&self, chip: Chip, found: &Tensor, expected: &Tensor) -> f64 {
        // What rounding to f32 may lose is arithmetic's.
        let rounding = match expected.data_type() {
            DataType::F32 | DataType::SI32 => 0.0,
            _ => BF16_LOSS,
        };
        let (found, expected) = (found.to_f64s(), expected.to_f64s());
        let exact = self.value.values.iter().zip(&self.error.values);
        let mut worst = 0_f64;
        for ((found, expected), (exact, error)) in found.iter().zip(&expected).zip(exact) {
            let used = if exact.is_finite() && expected.is_finite() {
                share(
                    (found - exact).abs(),
                    rounding * (exact.abs() + error) + error,
                )
            } else if (exact.is_nan() && chip.stands_for_nan(*found)) || found == expected {
                0.0
            } else {
                f64::INFINITY
            };
            worst = worst.max(used);
        }
        worst
    }
}

/// Whether a number was rounded to one of two of bf16 that are as near.
fn is_tie(value: f64, rounded: f64) -> bool {
    let other = 2.0 * value - rounded;
    other != rounded && is_bf16(other)
}

/// Whether bf16 has a number.
fn is_bf16(value: f64) -> bool {
    f64::from(value as f32) == value && (value as f32).to_bits() & 0xffff == 0
}

/// Whether a value is a factor of a product.
fn is_factor(op: &TensorOp, id: GlobalId) -> bool {
    op.product()
        .is_some_and(|product| product.factors.contains(&id))
}

fn bounded(
    arithmetic: Arithmetic,
    op: &TensorOp,
    known: &HashMap<GlobalId, Bounded>,
    operands: &Values,
    data_type: &dyn Fn(GlobalId) -> Option<DataType>,
) -> Result<Bounded, GoldenError> {
    let chip = arithmetic.chip;
    let value = |id| match known.get(&id) {
        Some(bounded) => Ok(bounded.value.clone()),
        None => operands.elements(id),
    };
    let magnitude = |id| value(id).map(|value| map(value, f64::abs));
    let error = |id| match known.get(&id) {
        Some(bounded) if is_factor(op, id) && data_type(id) != Some(DataType::F32) => {
            Ok(bounded.error_when_rounded())
        }
        Some(bounded) => Ok(bounded.error.clone()),
        None => operands
            .elements(id)
            .map(|value| map(value, |value| chip.reading(value))),
    };
    let most = |id| Ok(sum(magnitude(id)?, &error(id)?));
    let operand = |id| -> Result<Operand, EvalError> {
        Ok(Operand {
            value: value(id)?,
            error: error(id)?,
        })
    };
    let numbers = match op.inputs.last().and_then(|last| data_type(*last)) {
        Some(DataType::SI32) => Numbers::Integer,
        _ => Numbers::Float,
    };
    // What operands that are off make a product be off: it grows with their magnitudes.
    let multiplied = |product: &Product| -> Result<Array, EvalError> {
        let exact = map(with_factors(product, &magnitude, matmul)?, |value| -value);
        Ok(sum(with_factors(product, &most, matmul)?, &exact))
    };
    let result = unrounded_of(op, numbers, &value)?;
    if let (Chip::Tensix, Some(product)) = (chip, op.product()) {
        let fidelity = product.math_fidelity();
        let made_here = product.factors.iter().any(|id| known.contains_key(id));
        if fidelity != MathFidelity::HiFi4 && made_here {
            return Err(GoldenError::Fidelity(fidelity));
        }
    }
    let off = match (op.op.class, &op.inputs[..]) {
        (Class::Contraction, _) => {
            let product = op.product().ok_or(EvalError::NotArithmetic(op.op.name))?;
            let cuts = fidelity::cuts(&product, data_type);
            let already = multiplied(&product)?;
            let off = arithmetic.product(&product, cuts, &value, &most, already)?;
            // A bias may stretch the result.
            let mut off = Array {
                values: off.broadcast_to(&result.shape),
                shape: result.shape.clone(),
            };
            if let Some(bias) = product.bias {
                let mut error = error(bias)?;
                for (error, most) in error.values.iter_mut().zip(most(bias)?.values) {
                    *error += arithmetic.bias(&product, &value, most)?;
                }
                let error = error.broadcast_to(&result.shape);
                off.values.iter_mut().zip(error).for_each(|(a, b)| *a += b);
            }
            off
        }
        (Class::Binary(function), &[lhs, rhs]) => {
            let operands = [operand(lhs)?, operand(rhs)?];
            let off = functions::binary(function, operands.each_ref(), &result.shape);
            let is_sum = matches!(function, Binary::Add | Binary::Subtract);
            // The matrix unit of Tensix, which may add what the group is given, aligns it first.
            if !is_sum || [lhs, rhs].iter().any(|id| known.contains_key(id)) {
                off
            } else {
                let [x, y] = operands.map(|operand| map(operand.value, f64::abs));
                let magnitudes = x.broadcast_to(&result.shape).into_iter();
                let magnitudes = magnitudes.zip(y.broadcast_to(&result.shape));
                let lost = magnitudes.map(|(x, y)| chip.alignment_loss() * (x + y));
                let lost = Array {
                    shape: result.shape.clone(),
                    values: lost.collect(),
                };
                sum(off, &lost)
            }
        }
        (Class::Unary(function), &[input]) => functions::unary(function, &operand(input)?),
        (Class::Cast, &[input]) => error(input)?,
        (_, inputs) => {
            let operands = inputs.iter().map(|id| operand(*id));
            let operands = operands.collect::<Result<Vec<_>, _>>()?;
            functions::function(chip, op, &operands, &result)?
        }
    };
    let rounding = match (op.op.class, &op.inputs[..]) {
        (Class::Cast, _) => map(result.clone(), |_| 0.0),
        _ if numbers == Numbers::Integer => map(result.clone(), |_| 0.0),
        (Class::Unary(function), &[input]) => {
            let pairs = result.values.iter().zip(value(input)?.values);
            let rounded = pairs.map(|(value, operand)| chip.function(function, *value, operand));
            Array {
                shape: result.shape.clone(),
                values: rounded.collect(),
            }
        }
        (Class::Binary(function), &[lhs, _]) => {
            let Operand { value, error } = operand(lhs)?;
            let firsts = value.broadcast_to(&result.shape).into_iter();
            let least = firsts
                .zip(error.broadcast_to(&result.shape))
                .map(|(first, error)| (first.abs() - error).max(0.0));
            let pairs = result.values.iter().zip(least);
            let rounded = pairs.map(|(value, least)| chip.function_of_two(function, *value, least));
            Array {
                shape: result.shape.clone(),
                values: rounded.collect(),
            }
        }
        _ => map(result.clone(), |value| chip.rounding(value)),
    };
    Ok(Bounded {
        error: sum(off, &rounding),
        value: result,
    })
}

pub(super) fn map(mut of: Array, function: impl Fn(f64) -> f64) -> Array {
    of.values
        .iter_mut()
        .for_each(|value| *value = function(*value));
    of
}

/// The sum of two arrays of the same shape.
pub(super) fn sum(mut a: Array, b: &Array) -> Array {
    a.values
        .iter_mut()
        .zip(&b.values)
        .for_each(|(a, b)| *a += b);
    a
}

#[cfg(test)]
mod tests {
    use super::super::chip::{GROUP_LOSS, TENSIX_LOSS};
    use super::*;
    use tessera_isa_mncore::memory::Precision;

    const TENSIX: Arithmetic = Arithmetic {
        chip: Chip::Tensix,
        products: Precision::Pseudo,
    };
    const X: GlobalId = 0;
    const Y: GlobalId = 1;

    fn operation(op: Op) -> Operation {
        Operation {
            op,
            debug_info: String::new(),
            loc: String::new(),
        }
    }

    fn binary(function: Binary, lhs: GlobalId, rhs: GlobalId, out: GlobalId) -> Operation {
        operation(
            TensorOp::new(function.name(), &[lhs, rhs], &[out])
                .unwrap()
                .into(),
        )
    }

    fn relu(input: GlobalId, out: GlobalId) -> Operation {
        operation(TensorOp::new("relu", &[input], &[out]).unwrap().into())
    }

    fn product(a: GlobalId, b: GlobalId, out: GlobalId) -> Operation {
        operation(TensorOp::new("matmul", &[a, b], &[out]).unwrap().into())
    }

    /// Value and bound, in units of [`GROUP_LOSS`] to the first digit behind the point, of the last result of a group, from
    /// x = 3 and y = 2.
    #[test]
    fn errors_add_up() {
        use Binary::{Add, Multiply, Subtract};
        let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::BF16, &[value]).unwrap();
        let mut operands = Values::new();
        operands.set(X, tensor(3.0));
        operands.set(Y, tensor(2.0));
        for (operations, value, off) in [
            // Arithmetic on elements is exact but for float32's rounding; sums of operands are aligned.
            (vec![binary(Multiply, X, Y, 2), relu(2, 3)], 6.0, 0.0),
            (vec![binary(Add, X, Y, 2), relu(2, 3)], 5.0, 0.6),
            (vec![relu(X, 2), binary(Add, 2, Y, 3)], 5.0, 0.0),
            // A product may be off by its groups, and so is what is added to it.
            (vec![product(X, Y, 2), binary(Add, 2, X, 3)], 9.0, 6.0),
            (vec![product(X, Y, 2), binary(Subtract, X, 2, 3)], -3.0, 6.0),
            // What is multiplied by it is off as many times more.
            (
                vec![product(X, Y, 2), binary(Multiply, 2, X, 3)],
                18.0,
                18.0,
            ),
            // Squared: (6 + 6 d)^2 - 36 = 72 d + 36 d^2, and a little of the roundings.
            (
                vec![product(X, Y, 2), binary(Multiply, 2, 2, 3)],
                36.0,
                72.2,
            ),
            // A product of a product: 6 * 2 = 12 of its own, and twice the 6 of the other.
            (vec![product(X, Y, 2), product(2, Y, 3)], 12.0, 24.0),
            // A factor that bf16 does not have is rounded: 1458 of its own, 1458 / 1.04, and a little of the roundings.
            (
                vec![
                    binary(Multiply, X, X, 4),
                    binary(Multiply, 4, 4, 5),
                    binary(Multiply, 5, 4, 6),
                    product(6, Y, 3),
                ],
                1458.0,
                2860.4,
            ),
        ] {
            let known = values(TENSIX, &operations, &operands, &|_| None).unwrap();
            let Bounded {
                value: found,
                error,
            } = &known[&3];
            assert_eq!(found.values, [value], "{operations:?}");
            let units = (error.values[0] / GROUP_LOSS * 10.0).round() / 10.0;
            assert_eq!(units, off, "{operations:?}");
        }
    }

    /// Value and bound of a cast of x to bf16, then of its product with y = 2, less the bound of that product.
    /// MN-Core 2 loses quotients of dividends below 2^-124, and bits of those below 2^-95, whatever the divisor.
    #[test]
    fn small_dividends_have_a_bound_of_their_own() {
        let units = |exponent: i32, chip| {
            let tensor = |value| Tensor::from_f64s(vec![1, 1], DataType::F32, &[value]).unwrap();
            let mut operands = Values::new();
            operands.set(X, tensor(2f64.powi(exponent)));
            operands.set(Y, tensor(2f64.powi(-60)));
            let quotient = binary(Binary::Divide, X, Y, 2);
            let arithmetic = Arithmetic { chip, ..TENSIX };
            let known = values(arithmetic, &[quotient], &operands, &|_| None).unwrap();
            let unit = known[&2].value.values[0] * 2f64.powi(-23);
            known[&2].error.values[0] / unit
        };
        let all = 2f64.powi(23);
        for (exponent, expect) in [
            (-94, [0.51, 1.75]),
            (-96, [2.5, 1.75]),
            (-124, [2.5, 1.75]),
            (-125, [all + 2.5, 1.75]),
        ] {
            let found = [Chip::Mncore, Chip::Tensix].map(|chip| units(exponent, chip));
            assert_eq!(found, expect, "{exponent}");
        }
    }

    #[test]
    fn casts_round() {
        let below = 2f64.powi(-8);
        for (x, value, off) in [
            (1.0, 1.0, 0.0),
            (1.0 + below / 2.0, 1.0, 0.0),
            // To even; the chip rounds away from zero.
            (1.0 + below, 1.0, 2.0 * below),
            (-1.0 - below, -1.0, 2.0 * below),
            (1.0 + 3.0 * below, 1.0 + 4.0 * below, 2.0 * below),
            (1.0 - below / 2.0, 1.0, below),
        ] {
            let tensor = |r#type, value| Tensor::from_f64s(vec![1, 1], r#type, &[value]).unwrap();
            let mut operands = Values::new();
            operands.set(X, tensor(DataType::F32, x));
            operands.set(Y, tensor(DataType::BF16, 2.0));
            let cast = operation(TensorOp::new("typecast", &[X], &[2]).unwrap().into());
            let data_type = |id| Some([DataType::F32, DataType::BF16][usize::from(id != X)]);
            let operations = [cast, product(2, Y, 3)];
            let known = values(TENSIX, &operations, &operands, &data_type).unwrap();
            assert_eq!(known[&2].value.values, [value], "{x}");
            assert_eq!(known[&2].error.values, [off], "{x}");
            let [found, error] = [&known[&3].value, &known[&3].error].map(|of| of.values[0]);
            assert_eq!(found, 2.0 * value, "{x}");
            let more = error - (GROUP_LOSS + TENSIX_LOSS) * found.abs();
            assert!((more - 2.0 * off).abs() < 1e-12, "{x}: {more}");
        }
    }

    #[test]
    fn what_is_no_arithmetic_has_no_bound() {
        let free = operation(TensorOp::new("deallocate", &[X], &[]).unwrap().into());
        assert!(values(TENSIX, &[free], &Values::new(), &|_| None).is_err());
    }
}
