//! Batch normalization with known statistics.

use super::{first_shape, operand};
use crate::attribute::{AttributeInfo, AttributeKind, Attributes};
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, ElementRule, OpInfo, OperandInfo};
use crate::scalar::Domain;

const OPERANDS: &[OperandInfo] = &[
    operand("operand"),
    operand("scale"),
    operand("offset"),
    operand("mean"),
    operand("variance"),
];
const ATTRIBUTES: &[AttributeInfo] = &[
    AttributeInfo::required("epsilon", AttributeKind::Float),
    AttributeInfo::required("dimension", AttributeKind::I32),
];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [OpInfo {
        name: "batch_norm_inference",
        ttir: Some("batch_norm_inference"),
        in_ttnn: false,
        summary: "Elements less a mean, over a standard deviation",
        description: "`(operand - mean) / sqrt(variance + epsilon) * scale + offset`; all but the \
                      first operand have one element for each position along `dimension`.",
        example: "%0 = \"ttir.batch_norm_inference\"(%a, %scale, %offset, %mean, %variance) \
                  <{dimension = 3 : i32, epsilon = 1.0e-05 : f32}> : (tensor<1x32x32x64xbf16>, \
                  tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>) \
                  -> tensor<1x32x32x64xbf16>",
        operands: OPERANDS,
        attributes: ATTRIBUTES,
        class: Class::Composite(decompose),
        elements: ElementRule::Same,
        domain: Domain::Float,
        verify: |call, _| features(call).map(|_| ()),
        shape,
        mismatch: super::not_the_input_shape,
    }]
    .into_iter()
}

/// Returns the dimension of features.
fn features(call: &Call) -> Result<usize, String> {
    let rank = call.operand_shape(0).len();
    let named = call.attributes.int("dimension").unwrap_or_default();
    if !(2..=5).contains(&rank) {
        return Err(format!(
            "input tensor must have rank between 2 and 5, got rank {rank}"
        ));
    }
    let dim = usize::try_from(named).ok().filter(|dim| *dim < rank);
    dim.ok_or_else(|| {
        format!(
            "dimension attribute must be within input rank bounds, got dimension {named} for rank \
             {rank}"
        )
    })
}

fn shape(call: &Call) -> Result<Vec<u64>, String> {
    let extent = call.operand_shape(0)[features(call)?];
    for (number, info) in OPERANDS.iter().enumerate().skip(1) {
        let elements = call.operand_shape(number).iter().product::<u64>();
        if elements != extent {
            return Err(format!(
                "{} has {elements} elements where the dimension of features has {extent}",
                info.name
            ));
        }
    }
    first_shape(call)
}

fn decompose(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let dim = features(call).map_err(CallError::Shape)?;
    let none = Attributes::none;
    // A vector is broadcast along the last dimension as it is.
    let mut along = vec![1; call.operand_shape(0).len() - dim];
    along[0] = call.operand_shape(0)[dim];
    let mut vector = |number| graph.reshape(Value::Operand(number), &along);
    let [scale, offset, mean, variance] = [vector(1)?, vector(2)?, vector(3)?, vector(4)?];
    let epsilon = call.attributes.float("epsilon").unwrap_or_default();
    let epsilon = graph.number(epsilon, variance)?;
    let sum = graph.add("add", &[variance, epsilon], none())?;
    let root = graph.add("rsqrt", &[sum], none())?;
    let centered = graph.add("subtract", &[Value::Operand(0), mean], none())?;
    let normalized = graph.add("multiply", &[centered, root], none())?;
    let scaled = graph.add("multiply", &[normalized, scale], none())?;
    graph.add("add", &[scaled, offset], none())?;
    Ok(())
}
