//! Conversion of operations of the operation table between owned values and the file.

use flatbuffers::{UnionWIPOffset, WIPOffset};
use tessera_ops::{AttributeValue, Attributes, ComputeConfig, MathFidelity, OpInfo};

use crate::builder::Builder;
use crate::generated as fb;
use crate::{ReadError, TensorOp};

/// Writes an operation.
pub(crate) fn write<'f>(b: &mut Builder<'f>, op: &TensorOp) -> WIPOffset<fb::TensorOp<'f>> {
    let attributes: Vec<_> = op
        .attributes
        .iter()
        .map(|(name, value)| write_attribute(b, name, value))
        .collect();
    let args = fb::TensorOpArgs {
        op: Some(b.shared_string(op.op.name)),
        inputs: Some(b.create_vector(&op.inputs)),
        attributes: Some(b.create_vector(&attributes)),
        outputs: Some(b.create_vector(&op.outputs)),
    };
    fb::TensorOp::create(b, &args)
}

fn write_attribute<'f>(
    b: &mut Builder<'f>,
    name: &str,
    value: &AttributeValue,
) -> WIPOffset<fb::Attribute<'f>> {
    let (value_type, value) = write_value(b, value);
    let args = fb::AttributeArgs {
        name: Some(b.shared_string(name)),
        value_type,
        value: Some(value),
    };
    fb::Attribute::create(b, &args)
}

/// Writes an attribute value; returns its table and tag.
fn write_value(
    b: &mut Builder<'_>,
    value: &AttributeValue,
) -> (fb::AttributeValue, WIPOffset<UnionWIPOffset>) {
    use fb::AttributeValue as Kind;
    match value {
        AttributeValue::Bool(value) => {
            let value = fb::BoolValue::create(b, &fb::BoolValueArgs { value: *value });
            (Kind::BoolValue, value.as_union_value())
        }
        AttributeValue::Int(value) => {
            let value = fb::IntValue::create(b, &fb::IntValueArgs { value: *value });
            (Kind::IntValue, value.as_union_value())
        }
        AttributeValue::Float(value) => {
            let value = fb::FloatValue::create(b, &fb::FloatValueArgs { value: *value });
            (Kind::FloatValue, value.as_union_value())
        }
        AttributeValue::Ints(values) => {
            let values = Some(b.create_vector(values));
            let value = fb::IntsValue::create(b, &fb::IntsValueArgs { values });
            (Kind::IntsValue, value.as_union_value())
        }
        AttributeValue::Bytes(bytes) => {
            let values = Some(b.create_vector(bytes));
            let value = fb::BytesValue::create(b, &fb::BytesValueArgs { values });
            (Kind::BytesValue, value.as_union_value())
        }
        AttributeValue::Text(text) => {
            let value = Some(b.create_string(text));
            let value = fb::TextValue::create(b, &fb::TextValueArgs { value });
            (Kind::TextValue, value.as_union_value())
        }
        AttributeValue::ComputeConfig(config) => {
            let args = fb::ComputeConfigArgs {
                math_fidelity: store_fidelity(config.math_fidelity),
                fp32_dest_acc: config.fp32_dest_acc,
            };
            let value = fb::ComputeConfig::create(b, &args);
            (Kind::ComputeConfig, value.as_union_value())
        }
    }
}

fn store_fidelity(fidelity: MathFidelity) -> fb::MathFidelity {
    match fidelity {
        MathFidelity::LoFi => fb::MathFidelity::LoFi,
        MathFidelity::HiFi2 => fb::MathFidelity::HiFi2,
        MathFidelity::HiFi3 => fb::MathFidelity::HiFi3,
        MathFidelity::HiFi4 => fb::MathFidelity::HiFi4,
    }
}

/// Reads an operation.
pub(crate) fn read(op: fb::TensorOp<'_>) -> Result<TensorOp, ReadError> {
    let ids = |ids: flatbuffers::Vector<'_, u32>| ids.iter().collect::<Vec<_>>();
    let read = TensorOp::new(op.op(), &ids(op.inputs()), &ids(op.outputs()));
    let mut read = read.map_err(ReadError::UnknownOp)?;
    for attribute in op.attributes() {
        read.attributes = read_attribute(read.op, attribute, read.attributes)?;
    }
    Ok(read)
}

/// Returns `attributes` and one more, which the operation declares and which is not among them.
fn read_attribute(
    op: &'static OpInfo,
    attribute: fb::Attribute<'_>,
    attributes: Attributes,
) -> Result<Attributes, ReadError> {
    let named = attribute.name();
    let info = op
        .attribute(named)
        .ok_or_else(|| ReadError::UnknownAttribute {
            op: op.name,
            attribute: named.to_owned(),
        })?;
    if attributes.get(named).is_some() {
        return Err(ReadError::RepeatedAttribute {
            op: op.name,
            attribute: info.name,
        });
    }
    Ok(attributes.with(info.name, read_value(attribute)?))
}

fn read_value(attribute: fb::Attribute<'_>) -> Result<AttributeValue, ReadError> {
    let unknown = || ReadError::UnknownValue {
        what: "Attribute.value",
        value: attribute.value_type().0.into(),
    };
    let value = if let Some(value) = attribute.value_as_bool_value() {
        AttributeValue::Bool(value.value())
    } else if let Some(value) = attribute.value_as_int_value() {
        AttributeValue::Int(value.value())
    } else if let Some(value) = attribute.value_as_float_value() {
        AttributeValue::Float(value.value())
    } else if let Some(value) = attribute.value_as_ints_value() {
        AttributeValue::Ints(value.values().iter().collect())
    } else if let Some(value) = attribute.value_as_bytes_value() {
        AttributeValue::Bytes(value.values().bytes().to_vec())
    } else if let Some(value) = attribute.value_as_text_value() {
        AttributeValue::Text(value.value().to_owned())
    } else {
        let config = attribute.value_as_compute_config().ok_or_else(unknown)?;
        AttributeValue::ComputeConfig(read_compute_config(config)?)
    };
    Ok(value)
}

fn read_compute_config(config: fb::ComputeConfig<'_>) -> Result<ComputeConfig, ReadError> {
    let stored = config.math_fidelity();
    let mut all = MathFidelity::ALL.into_iter();
    let found = all.find(|fidelity| store_fidelity(*fidelity) == stored);
    Ok(ComputeConfig {
        math_fidelity: found.ok_or(ReadError::UnknownValue {
            what: "ComputeConfig.math_fidelity",
            value: stored.0.into(),
        })?,
        fp32_dest_acc: config.fp32_dest_acc(),
    })
}
