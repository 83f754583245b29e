//! Constants and sequences.

use tessera_dialects::mlir::{DenseElements, NamedOp, Reported, Value};
use tessera_dialects::ttir;
use tessera_ops::AttributeValue;

use super::source::Source;
use super::Converter;
use crate::ttir::emitter::{with, Emitter};

/// Returns the converter of an operation that creates a tensor.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "stablehlo.constant" => constant,
        "stablehlo.iota" => iota,
        _ => return None,
    })
}

fn constant<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let result = source.result()?;
    let value = source
        .op
        .attribute("value")
        .ok_or_else(|| source.op.error("requires attribute 'value'"))?;
    let data = value
        .try_dense()
        .map_err(|error| source.op.error(format!("attribute 'value' {error}")))?;
    let [found, expected] = [data.r#type, result.value.r#type()];
    if found != expected {
        return Err(source.op.error(format!(
            "attribute 'value' has type '{found}', but the result has type '{expected}'"
        )));
    }
    let new = ttir::ConstantOp::build(source.op.location())
        .attribute(ttir::ConstantOp::VALUE.name(), value)
        .results([result.value.r#type()]);
    Ok(vec![emitter.insert_op(new)?])
}

fn iota<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let result = source.result()?;
    let dim = source.integer("iota_dimension")?;
    let dims = source.check_dimensions("iota_dimension", &[dim], result.rank())?;
    let r#type = result.value.r#type();
    if result.shape.contains(&0) {
        return Ok(vec![emitter.full(0.0, r#type)?]);
    }
    let attributes = with("start", AttributeValue::Int(0))
        .with("end", AttributeValue::Int(result.shape[dims[0]] as i64))
        .with("step", AttributeValue::Int(1))
        .with("arange_dimension", AttributeValue::Int(dim));
    Ok(vec![emitter.insert("arange", &[], attributes, r#type)?])
}
