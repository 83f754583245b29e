//! Verifiers of the operations of ttnn, with upstream's texts where upstream checks the same.

use super::{BufferType, ConstantOp, KernelRegionOp, Layout, ShapedOp, ToTensorSpecOp, YieldOp};
use crate::mlir::{Op, OpView, TensorType, Type, Value};
use crate::ttcore::DataType;
use crate::verify::shape::{self, join};
use crate::verify::{call, constant, result, Verifier};
use tessera_ops::{table, Class, Creation, Placement};

/// Returns the verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    Some(match name {
        ToTensorSpecOp::NAME => |op| computed(op, verify_same_shape),
        KernelRegionOp::NAME => verify_kernel_region,
        YieldOp::NAME => verify_yield,
        _ => match table::from_name(name.strip_prefix("ttnn.")?)?.class {
            Class::Creation(Creation::Empty) => |op| computed(op, verify_empty),
            Class::Creation(Creation::Constant) => |op| computed(op, verify_constant),
            Class::Creation(Creation::Range) => |op| computed(op, call::verify_creation),
            Class::Creation(_) => |op| computed(op, verify_shape_attribute),
            Class::Placement(Placement::Layout) => |op| computed(op, verify_to_layout),
            Class::Placement(Placement::MemoryConfig) => |op| computed(op, verify_to_memory_config),
            Class::Placement(_) | Class::Cast => |op| computed(op, verify_same_shape),
            _ => |op| computed(op, call::verify),
        },
    })
}

/// Checks that the element type of a tensor result is that of its layout.
fn computed(op: Op, verify: Verifier) -> Result<(), String> {
    verify(op)?;
    let r#type = result(op)?.r#type();
    let Some(layout) = r#type.encoding().and_then(Layout::from_attribute) else {
        return Ok(());
    };
    let element = r#type.element_type();
    match (element, element.and_then(DataType::from_element_type), layout.scalar()) {
        (Some(element), Some(found), Some(scalar)) if found != scalar => Err(format!(
            "Output element type must match the scalar element type from encoding. Element type: {element}, Scalar \
             element type: {scalar}."
        )),
        _ => Ok(()),
    }
}

fn verify_empty(op: Op) -> Result<(), String> {
    verify_shape_attribute(op)?;
    match layout_of(result(op)?) {
        Some(_) => Ok(()),
        None => Err("Unsupported layout encoding type".into()),
    }
}

/// Checks that the shape attribute matches the result type.
fn verify_shape_attribute(op: Op) -> Result<(), String> {
    let output = shape::static_shape(result(op)?)?;
    let shape = ShapedOp::view(op).shape().ok_or("expected a #ttnn.shape")?;
    if shape.extents() == output {
        return Ok(());
    }
    let (shape, output) = (join(&shape.extents(), ", "), join(&output, ", "));
    Err(format!(
        "Output tensor shape must be {shape}, but got {output}"
    ))
}

fn verify_constant(op: Op) -> Result<(), String> {
    constant::verify(ConstantOp::view(op).value(), result(op)?)?;
    let Some(layout) = layout_of(result(op)?) else {
        return Ok(());
    };
    let on_host = layout.buffer_type() == BufferType::SystemMemory;
    match (on_host, op.operand_count()) {
        (false, 0) => {
            Err("device operand must be specified for non-system memory buffer type".into())
        }
        (true, 1) => {
            Err("device operand must not be specified for system memory buffer type".into())
        }
        _ => Ok(()),
    }
}

fn verify_to_layout(op: Op) -> Result<(), String> {
    verify_same_shape(op)?;
    let (input, output) = layouts(op)?;
    let (from, to) = (input.buffer_type(), output.buffer_type());
    if from != to {
        return Err(format!(
            "ttnn.to_layout cannot change buffer type from '{from}' to '{to}'; use ttnn.to_tensor_spec for \
             memory-config or device placement changes"
        ));
    }
    if input.memory_layout() != output.memory_layout() {
        return Err("ttnn.to_layout cannot change tensor memory layout; use ttnn.to_tensor_spec for memory-config \
                    changes"
            .into());
    }
    if input.grid() != output.grid() {
        // Upstream's text, in which a blank is missing.
        return Err("ttnn.to_layout cannot change grid shape; usettnn.to_tensor_spec for memory-config changes".into());
    }
    Ok(())
}

fn verify_to_memory_config(op: Op) -> Result<(), String> {
    verify_same_shape(op)?;
    layouts(op).map(|_| ())
}

fn verify_same_shape(op: Op) -> Result<(), String> {
    let input = op.operand(0).ok_or("requires a single operand")?;
    let (input, output) = (
        shape::static_shape(input)?,
        shape::static_shape(result(op)?)?,
    );
    if input == output {
        return Ok(());
    }
    let (input, output) = (join(&input, ", "), join(&output, ", "));
    Err(format!(
        "result shape ({output}) must be the input shape ({input})"
    ))
}

fn layout_of(value: Value) -> Option<Layout> {
    value.r#type().encoding().and_then(Layout::from_attribute)
}

fn layouts(op: Op) -> Result<(Layout, Layout), String> {
    let input = op
        .operand(0)
        .and_then(layout_of)
        .ok_or("Input tensor type missing layout attribute")?;
    let output = layout_of(result(op)?).ok_or("Output tensor type missing layout attribute")?;
    Ok((input, output))
}

fn verify_kernel_region(op: Op) -> Result<(), String> {
    let body = op.body().ok_or("expected a body")?;
    let (inputs, arguments) = (types(op.operands()), types(body.arguments()));
    if inputs != arguments {
        return Err(format!(
            "expected block arguments of the input types ({}), got ({})",
            listed(&inputs),
            listed(&arguments)
        ));
    }
    if !body.ops().last().is_some_and(|last| last.isa::<YieldOp>()) {
        return Err("expected its body to end in 'ttnn.yield'".into());
    }
    Ok(())
}

fn verify_yield(op: Op) -> Result<(), String> {
    let region = op.parent();
    let results = types(region.map(Op::results).unwrap_or_default());
    let values = types(op.operands());
    if values != results {
        return Err(format!(
            "expected values of the result types ({}), got ({})",
            listed(&results),
            listed(&values)
        ));
    }
    Ok(())
}

fn types<'a>(values: Vec<Value<'a>>) -> Vec<Type<'a>> {
    values.into_iter().map(Value::r#type).collect()
}

fn listed(types: &[Type]) -> String {
    let texts: Vec<_> = types.iter().map(Type::to_string).collect();
    texts.join(", ")
}
