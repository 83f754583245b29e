//! `ttir-element-type-normalization`: replaces element types that the chips do not support.
//!
//! | element type | becomes |
//! |---|---|
//! | `bf16`, `f32` | unchanged |
//! | `f16`, 1-bit integers | `bf16` |
//! | `f64` | `f32` |
//! | `i32`, `si32`, `i64`, `si64` | `si32` |
//! | `ui32`, `ui64`, `index` | `ui32` |
//! | 16-bit integers | `ui16` |
//! | 8-bit integers | `ui8` |
//!
//! Other element types are errors. Constants (`ttir.constant`, `ttir.full`) are converted to the
//! nearest value of the new type:
//!
//! | change of a value | without options | with `allow-lossy-constants` |
//! |---|---|---|
//! | `f64`, rounded to an `f32` that is neither zero nor infinite | warning | warning |
//! | `f64`, which overflows or underflows `f32` | error | warning |
//! | `f16`, rounded to `bf16` | error | warning |
//! | an integer out of range, which is clamped | error | warning |
//! | a fill value with a fraction in a tensor of integers | error | warning |
//! | a negative value in a type that becomes unsigned | error | error |
//!
//! Each message names the first changed value and its replacement. Rounding `f64` to `f32` is only
//! a warning, since it affects almost every decimal fraction. Upstream's pass clamps integers
//! silently and keeps the bits of negative values.
//!
//! A cast to 1-bit integers is an error as well: a cast to `bf16` instead would keep numbers other
//! than 0 and 1. A matrix product with `f64` factors is marked with `ttcore.f64`, since a target
//! may have a precision for it. The table is upstream's (`toTTMLIRSupportedDataType`).

mod constant;
pub(crate) mod number;

use crate::driver::options::{Kind, OptionInfo};
use crate::driver::registry::PassInfo;
use crate::retype::{retype, signature};
use tessera_dialects::mlir::attribute_key::Bool;
use tessera_dialects::mlir::{
    AttributeKey, ContextRef, Op, OpView, Pass, Reported, Rewriter, Scalar, ScalarType, Sign,
    TensorType, Type, TypeLike, Value, WalkOrder,
};
use tessera_dialects::verify::call;
use tessera_dialects::{builtin, ttir};

/// `ttir-element-type-normalization`
pub const INFO: PassInfo = PassInfo {
    name: "ttir-element-type-normalization",
    description: "Replaces unsupported element types by the nearest supported ones",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[ALLOW_LOSSY_CONSTANTS],
    make: |options| {
        Ok(Box::new(ElementTypeNormalization {
            lossy: options.flag(ALLOW_LOSSY_CONSTANTS.name),
        }))
    },
};

/// `allow-lossy-constants`
pub const ALLOW_LOSSY_CONSTANTS: OptionInfo = OptionInfo {
    name: "allow-lossy-constants",
    description: "Warn about constants whose values the element types of the chip change, instead \
        of reporting an error",
    kind: Kind::Bool,
    default: "false",
};

struct ElementTypeNormalization {
    lossy: bool,
}

impl Pass for ElementTypeNormalization {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let ops = op.walk(WalkOrder::Pre);
        ops.iter().try_for_each(|op| require_supported(*op))?;
        ops.iter()
            .try_for_each(|op| expect_no_cast_to_boolean(*op))?;
        let context = rewriter.context();
        ops.iter().try_for_each(|op| require_domain(*op, context))?;
        for op in &ops {
            let is_product = op.isa::<ttir::MatmulOp>() || op.isa::<ttir::LinearOp>();
            if is_product && op.operands().into_iter().any(is_double) {
                rewriter.set(*op, DOUBLE, true);
            }
        }
        for op in ops {
            match op.name() {
                ttir::ConstantOp::NAME => {
                    let op = ttir::ConstantOp::view(op);
                    constant::normalize(op, rewriter, self.lossy)?;
                }
                ttir::FullOp::NAME => {
                    let op = ttir::FullOp::view(op);
                    constant::normalize_full(op, rewriter, self.lossy)?;
                }
                _ => {}
            }
        }
        retype(op, rewriter, |r#type| {
            normalize_type(rewriter.context(), r#type).unwrap_or(r#type)
        });
        Ok(())
    }
}

/// Rejects an operation that reads, makes or declares a tensor of an unsupported element type.
fn require_supported(op: Op) -> Result<(), Reported> {
    let values = op.operands().into_iter().chain(op.results());
    let values = values.map(|value| value.r#type());
    let (inputs, results) = signature(op).unwrap_or_default();
    let types: Vec<_> = values.chain(inputs).chain(results).collect();
    if let Some(fixed) = types.iter().find(|r#type| has_fixed_elements(**r#type)) {
        return Err(op.error(format!(
            "has '{fixed}', whose layout fixes an element type that normalization changes; \
             normalize before assigning layouts"
        )));
    }
    let refused = |r#type: &&Type| r#type.is_ranked_tensor() && element(**r#type).is_none();
    let Some(refused) = types.iter().find(refused) else {
        return Ok(());
    };
    Err(op.error(format!(
        "Unsupported type. The elements of '{refused}' have no counterpart on the chip; use bf16, f32, or integers of \
         1, 8, 16, 32 or 64 bits"
    )))
}

/// Returns whether the element type would change but is fixed by the layout of the tensor.
fn has_fixed_elements(r#type: Type) -> bool {
    let scalar = r#type.element_type().and_then(|element| element.scalar());
    let changes = element(r#type).is_some_and(|becomes| Some(becomes) != scalar);
    r#type.is_ranked_tensor() && changes && r#type.encoding().is_some()
}

/// Marks a matrix product with a factor that was `f64`.
pub const DOUBLE: AttributeKey<Bool> = AttributeKey::new("ttcore.f64");

fn is_double(value: Value) -> bool {
    let element = value.r#type().element_type();
    element.and_then(|element| element.scalar()) == Some(Scalar::F64)
}

/// Rejects a cast to booleans, whose replacement bf16 would not normalize values to 0 and 1.
fn expect_no_cast_to_boolean(op: Op) -> Result<(), Reported> {
    let result = op.result(0).filter(|_| op.isa::<ttir::TypecastOp>());
    let element = result.and_then(|result| result.r#type().element_type()?.scalar());
    match element {
        Some(Scalar::Integer { width: 1, .. }) => Err(op.error(
            "does not support casts to element type 'i1', which is represented by bf16; compare \
             with 0 by 'ttir.ne', or cast to bf16 or to an integer of 8, 16 or 32 bits",
        )),
        _ => Ok(()),
    }
}

/// Rejects an operation that does not support the normalized element types.
fn require_domain(op: Op, context: ContextRef) -> Result<(), Reported> {
    let Some(info) = call::info(op) else {
        return Ok(());
    };
    for operand in call::inputs(op) {
        let r#type = operand.r#type();
        let Some((from, becomes)) = r#type.element_type().zip(element(r#type)) else {
            continue;
        };
        let becomes = context.scalar(becomes);
        let is_supported =
            call::element_type(becomes).is_none_or(|element| element.is_in(info.domain));
        if from != becomes && !is_supported {
            return Err(op.error(format!(
                "does not support element type '{becomes}', which '{from}' becomes on the chip; cast to '{}' first",
                info.domain.example()
            )));
        }
    }
    Ok(())
}

/// Returns the type with a normalized element type, or `None` if it does not change.
fn normalize_type<'a>(context: ContextRef<'a>, r#type: Type<'a>) -> Option<Type<'a>> {
    let shape = r#type
        .static_shape()
        .filter(|_| r#type.is_ranked_tensor())?;
    let element = context.scalar(element(r#type)?);
    Some(context.tensor(&shape, element, r#type.encoding()))
}

/// Returns the normalized element type of a tensor, or `None` if it is unsupported.
fn element(r#type: Type) -> Option<Scalar> {
    on_chip(r#type.element_type()?.scalar()?)
}

/// Returns the element type of the chip for a scalar type, by the table of this module.
fn on_chip(scalar: Scalar) -> Option<Scalar> {
    let int = |width, sign| Scalar::Integer { width, sign };
    Some(match scalar {
        Scalar::BF16 | Scalar::F16 => Scalar::BF16,
        Scalar::F32 | Scalar::F64 => Scalar::F32,
        Scalar::Index => int(32, Sign::Unsigned),
        Scalar::Integer { width, sign } => match (width, sign) {
            (1, _) => Scalar::BF16,
            (8 | 16, _) => int(width, Sign::Unsigned),
            (32 | 64, Sign::Unsigned) => int(32, Sign::Unsigned),
            (32 | 64, Sign::Signed | Sign::Signless) => int(32, Sign::Signed),
            _ => return None,
        },
    })
}
