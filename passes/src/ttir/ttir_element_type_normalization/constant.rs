//! Conversion of constants to the element types of the chip.
//!
//! Every changed value is reported, as an error or a warning; see the table of [`super`].

use super::number::{encode, Number};
use super::{element, on_chip};
use tessera_dialects::mlir::{
    Attribute, AttributeValue, ContextRef, DenseElements, Op, Reported, Rewriter, Scalar,
    ScalarType, Sign, TensorType,
};
use tessera_dialects::ttir::{ConstantOp, FullOp};

/// Converts the value of a `ttir.constant`. With `lossy`, values may change.
pub fn normalize<'a>(
    op: ConstantOp<'a>,
    rewriter: &Rewriter<'a>,
    lossy: bool,
) -> Result<(), Reported> {
    let Some(value) = op.value() else {
        return Ok(());
    };
    let data = value.try_dense().map_err(|reason| op.error(reason))?;
    let from = data.r#type.element_type().and_then(ScalarType::scalar);
    let (Some(from), Some(shape)) = (from, data.r#type.static_shape()) else {
        return Ok(());
    };
    let Some(to) = on_chip(from).filter(|to| *to != from) else {
        return Ok(());
    };
    let mut changes = Changes::default();
    let mut bytes = Vec::new();
    for number in Number::decode(from, &data.bytes) {
        let kept = convert(number, from, to).map_err(|message| op.error(message))?;
        changes.note(number, kept, is_rounding(from, to, kept));
        encode(kept, to, &mut bytes);
    }
    changes.report(*op, &names(rewriter.context(), from, to), lossy)?;
    let context = rewriter.context();
    let r#type = context.tensor(&shape, context.scalar(to), None);
    let converted = context
        .dense_attribute(r#type, &bytes)
        .ok_or_else(|| op.error("internal error: its value was not converted"))?;
    rewriter.set(*op, ConstantOp::VALUE, converted);
    Ok(())
}

/// Converts the value of a `ttir.full`: first to the element type of its tensor, then to the
/// element type of the chip.
pub fn normalize_full<'a>(
    op: FullOp<'a>,
    rewriter: &Rewriter<'a>,
    lossy: bool,
) -> Result<(), Reported> {
    let tensor = op.result().map(|result| result.r#type());
    let from = tensor.and_then(|tensor| tensor.element_type()?.scalar());
    let to = tensor.and_then(element);
    let given = op.fill_value().and_then(fill_value);
    let (Some(from), Some(to), Some(given)) = (from, to, given) else {
        return Ok(());
    };
    let context = rewriter.context();
    // A fill value is an f32 or i32 attribute, regardless of the element type, so the semantics of
    // the operation include rounding floats. They do not include overflow to infinity, dropping a
    // fraction, or wrapping an integer.
    let held = convert(given, from, from).map_err(|message| op.error(message))?;
    let mut changes = Changes::default();
    let is_rounding = matches!(held, Number::Float(value) if value.is_finite());
    let is_float = matches!(from, Scalar::BF16 | Scalar::F16 | Scalar::F32 | Scalar::F64);
    if !(is_rounding && is_float) {
        changes.note(given, held, false);
    }
    let elements = format!("its tensor has elements of {}", context.scalar(from));
    changes.report(*op, &elements, lossy)?;
    let kept = convert(held, from, to).map_err(|message| op.error(message))?;
    let mut narrowed = Changes::default();
    narrowed.note(held, kept, self::is_rounding(from, to, kept));
    narrowed.report(*op, &names(context, from, to), lossy)?;
    if !changes.is_empty() || !narrowed.is_empty() {
        let kept = attribute(context, kept).ok_or_else(|| {
            op.error(format!(
                "would become {kept}, which a fill value cannot represent; use ttir.constant"
            ))
        })?;
        rewriter.set(*op, FullOp::FILL_VALUE, kept);
    }
    Ok(())
}

/// Returns the value of an `f32` or `i32` attribute.
fn fill_value(attribute: Attribute) -> Option<Number> {
    let integer = attribute
        .integer()
        .map(|value| Number::Integer(value.into()));
    integer.or_else(|| attribute.float().map(Number::Float))
}

/// Returns an `f32` or `i32` attribute with a value, or `None` if neither represents it.
fn attribute(context: ContextRef, number: Number) -> Option<Attribute> {
    Some(match number {
        Number::Float(value) => context.float_attribute(context.f32(), value),
        Number::Integer(value) => {
            let value = i32::try_from(value).ok()?;
            context.integer_attribute(context.integer(32), value.into())
        }
    })
}

/// Converts a number to the nearest number of a type.
fn convert(number: Number, from: Scalar, to: Scalar) -> Result<Number, String> {
    let Scalar::Integer { width, sign } = to else {
        return Ok(number.to_float(to));
    };
    let value = number.to_integer();
    if sign == Sign::Unsigned && value < 0 && from != to {
        return Err(format!(
            "the constant {value} is negative, but its type becomes the unsigned one of {width} bits; write the value \
             with that type or use 32 bits"
        ));
    }
    Ok(Number::Integer(value).clamp(width, sign))
}

/// Returns whether a change is only rounding that the type conversion implies.
fn is_rounding(from: Scalar, to: Scalar, kept: Number) -> bool {
    let is_in_range = matches!(kept, Number::Float(value) if value.is_finite() && value != 0.0);
    (from, to) == (Scalar::F64, Scalar::F32) && is_in_range
}

fn names(context: ContextRef, from: Scalar, to: Scalar) -> String {
    format!("{} is kept as {}", context.scalar(from), context.scalar(to))
}

/// The changed values of a constant.
#[derive(Debug, Default)]
struct Changes {
    values: usize,
    rounded: Option<Change>,
    rounded_count: usize,
    lost: Option<Change>,
    lost_count: usize,
}

#[derive(Debug, Clone, Copy)]
struct Change {
    was: Number,
    becomes: Number,
}

impl Changes {
    fn note(&mut self, was: Number, becomes: Number, is_rounding: bool) {
        self.values += 1;
        if was.is(becomes) {
            return;
        }
        let change = Change { was, becomes };
        if is_rounding {
            self.rounded.get_or_insert(change);
            self.rounded_count += 1;
        } else {
            self.lost.get_or_insert(change);
            self.lost_count += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.rounded_count + self.lost_count == 0
    }

    /// Reports the changes and their reason.
    fn report(&self, op: Op, because: &str, lossy: bool) -> Result<(), Reported> {
        let (name, values) = (op.name(), self.values);
        let because = format!(", since {because}");
        if let Some(Change { was, becomes }) = self.lost {
            let count = self.lost_count;
            if !lossy {
                return Err(op.error(format!(
                    "would lose {count} of {values} values: {was} would become {becomes}{because}; change the values \
                     or their type, or allow it with the option 'allow-lossy-constants'"
                )));
            }
            op.warning(format!(
                "'{name}' loses {count} of {values} values: {was} becomes {becomes}{because}"
            ));
        }
        if let Some(Change { was, becomes }) = self.rounded {
            let count = self.rounded_count;
            op.warning(format!(
                "'{name}' rounds {count} of {values} values: {was} becomes {becomes}{because}"
            ));
        }
        Ok(())
    }
}
