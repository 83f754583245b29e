//! Attributes of TTIR operations that passes emit, from values of the operation table.

use tessera_dialects::mlir::{
    Attribute, ContextRef, Location, NamedOp, NewOp, Scalar, Sign, TensorType, Type,
};
use tessera_dialects::ttir::FullOp;
use tessera_ops::{AttributeInfo, AttributeKind, AttributeValue, ElementType};

/// Returns the scalar type of an element type.
pub fn scalar(element: ElementType) -> Scalar {
    let integer = |width, sign| Scalar::Integer { width, sign };
    match element {
        ElementType::F64 => Scalar::F64,
        ElementType::F32 => Scalar::F32,
        ElementType::F16 => Scalar::F16,
        ElementType::Bf16 => Scalar::BF16,
        ElementType::Bool => integer(1, Sign::Signless),
        ElementType::Int(width) => integer(width, Sign::Signed),
        ElementType::Uint(width) => integer(width, Sign::Unsigned),
    }
}

/// Returns the MLIR attribute of a value, or `None` if its kind is not one that operations are
/// emitted with, or if a number has more bits than its type.
pub fn to_mlir<'a>(
    declared: &AttributeInfo,
    value: &AttributeValue,
    context: ContextRef<'a>,
) -> Option<Attribute<'a>> {
    let integer = |r#type, value: i64| context.integer_attribute(r#type, value);
    let signed = |value: i64| i32::try_from(value).ok().map(i64::from);
    Some(match (declared.kind, value) {
        (AttributeKind::Bool, AttributeValue::Bool(value)) => context.bool_attribute(*value),
        (AttributeKind::Int, AttributeValue::Int(value)) => {
            integer(context.signed(32), signed(*value)?)
        }
        (AttributeKind::Unsigned, AttributeValue::Int(value)) => {
            integer(context.unsigned(32), u32::try_from(*value).ok()?.into())
        }
        (AttributeKind::I32, AttributeValue::Int(value)) => {
            integer(context.integer(32), signed(*value)?)
        }
        (AttributeKind::I64, AttributeValue::Int(value)) => integer(context.integer(64), *value),
        (AttributeKind::SignedI64, AttributeValue::Int(value)) => {
            integer(context.signed(64), *value)
        }
        (AttributeKind::Float | AttributeKind::Number, AttributeValue::Float(value)) => {
            context.float_attribute(context.f32(), *value)
        }
        (AttributeKind::IntArray, AttributeValue::Ints(values)) => {
            let values = values
                .iter()
                .map(|&value| Some(integer(context.integer(32), signed(value)?)));
            context.array_attribute(&values.collect::<Option<Vec<_>>>()?)
        }
        (AttributeKind::DenseInts, AttributeValue::Ints(values)) => {
            context.i64_array_attribute(values)
        }
        (
            AttributeKind::DenseI32s | AttributeKind::IntOrDenseI32s,
            AttributeValue::Ints(values),
        ) => {
            let values = values.iter().map(|&value| i32::try_from(value));
            context.i32_array_attribute(&values.collect::<Result<Vec<_>, _>>().ok()?)
        }
        _ => return None,
    })
}

/// Returns a `ttir.full` of this type, or `None` if an extent is 2^31 or more.
pub fn full<'a>(
    number: f64,
    r#type: Type<'a>,
    context: ContextRef<'a>,
    location: Location<'a>,
) -> Option<NewOp<'a>> {
    let extents = r#type.static_shape()?.into_iter();
    let shape: Vec<i32> = extents.map(i32::try_from).collect::<Result<_, _>>().ok()?;
    let value = context.float_attribute(context.f32(), number);
    let full = FullOp::build(location)
        .with(context, FullOp::SHAPE, &shape)
        .with(context, FullOp::FILL_VALUE, value);
    Some(full.results([r#type]))
}
