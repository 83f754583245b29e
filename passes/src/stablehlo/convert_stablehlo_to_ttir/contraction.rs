//! Matrix products.

use tessera_dialects::mlir::{Reported, Value};
use tessera_ops::Attributes;

use super::source::Source;
use super::Converter;
use crate::ttir::emitter::{ints, Emitter};
use crate::ttir::tensor::Tensor;

/// Returns the converter of a matrix product.
pub fn converter(name: &str) -> Option<Converter> {
    Some(match name {
        "stablehlo.dot_general" => dot_general,
        "stablehlo.dot" => dot,
        _ => return None,
    })
}

/// The fields of `#stablehlo.dot`, and the attributes of `ttir.dot_general` in the same order.
const FIELDS: [(&str, &str); 4] = [
    ("lhs_batching_dimensions", "batch_dims_lhs"),
    ("rhs_batching_dimensions", "batch_dims_rhs"),
    ("lhs_contracting_dimensions", "contract_dims_lhs"),
    ("rhs_contracting_dimensions", "contract_dims_rhs"),
];

fn dot_general<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let name = "dot_dimension_numbers";
    let record = source.record(name, "dot", &FIELDS.map(|(field, _)| field))?;
    product(source, emitter, FIELDS.map(|(field, _)| record.list(field)))
}

/// Converts `stablehlo.dot`, which contracts the last dimension of the first operand with the first
/// dimension of the second one.
fn dot<'a>(source: &Source<'a>, emitter: &Emitter<'a, '_>) -> Result<Vec<Value<'a>>, Reported> {
    let [lhs, _] = source.operands()?;
    let last = lhs.rank() as i64 - 1;
    product(source, emitter, [&[], &[], &[last], &[0]])
}

/// Emits a product with these dimensions: batch of both operands, contracted of both operands.
fn product<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    dims: [&[i64]; 4],
) -> Result<Vec<Value<'a>>, Reported> {
    let operands: [_; 2] = source.operands()?;
    let result = source.result()?;
    let [batch, contracted] = [[0, 1], [2, 3]].map(|pair| {
        let [lhs, rhs] = pair.map(|index| dims[index]);
        (lhs, rhs)
    });
    for (operand, named) in operands
        .iter()
        .zip([[batch.0, contracted.0], [batch.1, contracted.1]])
    {
        source.check_dimensions("dot_dimension_numbers", &named.concat(), operand.rank())?;
    }
    let extents = |index: usize, dims: &[i64]| -> Vec<u64> {
        let shape = &operands[index].shape;
        dims.iter().map(|&dim| shape[dim as usize]).collect()
    };
    for (kind, (lhs, rhs)) in [("batch", batch), ("contracted", contracted)] {
        let (lhs, rhs) = (extents(0, lhs), extents(1, rhs));
        if lhs != rhs {
            return Err(source.op.error(format!(
                "has {kind} dimensions of extents {lhs:?} and {rhs:?}, which must be equal"
            )));
        }
    }
    if operands.iter().any(Tensor::is_empty) {
        return Ok(vec![emitter.full(0.0, result.value.r#type())?]);
    }
    let values = operands.map(|operand| match operand.element == result.element {
        true => Ok(operand.value),
        false => emitter.emit_as(
            "typecast",
            &[operand.value],
            Attributes::none(),
            result.element,
        ),
    });
    let [lhs, rhs] = values;
    let attributes = FIELDS
        .iter()
        .zip(dims)
        .fold(Attributes::none(), |attributes, ((_, name), dims)| {
            attributes.with(name, ints(dims))
        });
    let value = emitter.emit("dot_general", &[lhs?, rhs?], attributes)?;
    Ok(vec![value])
}
