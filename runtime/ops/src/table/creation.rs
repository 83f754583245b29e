//! Operations that create tensors from attributes.

use super::{join, no_check};
use crate::attribute::{AttributeInfo, AttributeKind, Attributes};
use crate::element::TensorType;
use crate::op::{Call, Class, Creation, ElementRule, OpInfo};
use crate::scalar::Domain;

const FILL_VALUE: AttributeInfo = AttributeInfo::required("fill_value", AttributeKind::Number);
const VALUE: AttributeInfo = AttributeInfo::required("value", AttributeKind::Elements);

const RANGE: &[AttributeInfo] = &[
    AttributeInfo::required("start", AttributeKind::SignedI64),
    AttributeInfo::required("end", AttributeKind::SignedI64),
    AttributeInfo::required("step", AttributeKind::SignedI64),
    AttributeInfo::required("arange_dimension", AttributeKind::I64),
];

/// Returns the entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        OpInfo {
            description: "Serves as the output operand in the older form of TTIR.",
            example: "%0 = ttir.empty() : tensor<64x96xbf16>",
            ..entry(
                "empty",
                Creation::Empty,
                "A tensor of unspecified values",
                &[],
            )
        },
        OpInfo {
            example: "%0 = \"ttir.zeros\"() <{shape = array<i32: 64, 128>}> \
                      : () -> tensor<64x128xbf16>",
            ..entry("zeros", Creation::Zeros, "A tensor of zeros", &[])
        },
        OpInfo {
            example: "%0 = \"ttir.ones\"() <{shape = array<i32: 64, 128>}> \
                      : () -> tensor<64x128xbf16>",
            ..entry("ones", Creation::Ones, "A tensor of ones", &[])
        },
        OpInfo {
            example:
                "%0 = \"ttir.full\"() <{fill_value = 3.0 : f32, shape = array<i32: 64, 128>}> \
                      : () -> tensor<64x128xbf16>",
            ..entry(
                "full",
                Creation::Full,
                "A tensor of one value",
                &[FILL_VALUE],
            )
        },
        OpInfo {
            example: "%0 = \"ttir.constant\"() <{value = dense<[1.0, 2.0]> : tensor<2xbf16>}> \
                      : () -> tensor<2xbf16>",
            ..entry(
                "constant",
                Creation::Constant,
                "A tensor of given values",
                &[VALUE],
            )
        },
        OpInfo {
            description: "From `start`, included, to `end`, excluded, along `arange_dimension`; \
                          the numbers along other dimensions are the same. Numbers are rounded to \
                          the element type.",
            example: "%0 = \"ttir.arange\"() <{start = 0 : si64, end = 96 : si64, \
                      step = 1 : si64, arange_dimension = 1 : i64}> : () -> tensor<64x96xf32>",
            verify: verify_range,
            ..entry(
                "arange",
                Creation::Range,
                "Evenly spaced numbers along a dimension",
                RANGE,
            )
        },
    ]
    .into_iter()
}

fn entry(
    name: &'static str,
    creation: Creation,
    summary: &'static str,
    attributes: &'static [AttributeInfo],
) -> OpInfo {
    OpInfo {
        name,
        ttir: Some(name),
        in_ttnn: true,
        summary,
        description: "",
        example: "",
        operands: &[],
        attributes,
        class: Class::Creation(creation),
        elements: ElementRule::Any,
        domain: Domain::Any,
        // The result type determines the shape.
        verify: no_check,
        shape: |_| Err("the result has any shape".into()),
        mismatch: |_, expected, found| {
            format!(
                "expected shape ({}), got ({})",
                join(expected, ", "),
                join(found, ", ")
            )
        },
    }
}

/// Returns the number with which a tensor is filled, or `None` if elements are unspecified or
/// listed.
pub fn fill_value(creation: Creation, attributes: &Attributes) -> Option<f64> {
    match creation {
        Creation::Zeros => Some(0.0),
        Creation::Ones => Some(1.0),
        Creation::Full => attributes.float("fill_value"),
        Creation::Empty | Creation::Constant | Creation::Range => None,
    }
}

/// Returns the elements of a filled tensor or a range before rounding, or `None` for other
/// creations. The attributes fit the shape.
pub fn created_values(
    creation: Creation,
    attributes: &Attributes,
    shape: &[u64],
) -> Option<Vec<f64>> {
    let count = shape.iter().product::<u64>() as usize;
    if creation != Creation::Range {
        return Some(vec![fill_value(creation, attributes)?; count]);
    }
    let [start, _, step, dim] = range(attributes);
    let dim = usize::try_from(dim).ok()?;
    let inner = shape.get(dim + 1..)?.iter().product::<u64>();
    let number = |index: u64| (i128::from(start) + i128::from(index) * i128::from(step)) as f64;
    let extent = shape[dim];
    Some(
        (0..count as u64)
            .map(|at| number(at / inner % extent))
            .collect(),
    )
}

/// Returns start, end, step and dimension of a range.
fn range(attributes: &Attributes) -> [i64; 4] {
    let names = ["start", "end", "step", "arange_dimension"];
    names.map(|name| attributes.int(name).unwrap_or_default())
}

fn verify_range(call: &Call, result: &TensorType) -> Result<(), String> {
    let [start, end, step, dim] = range(call.attributes);
    if step == 0 {
        return Err("Step value cannot be zero".into());
    }
    let range = format!("start={start}, end={end}, step={step}");
    let count = (i128::from(end) - i128::from(start)) / i128::from(step);
    if count <= 0 {
        return Err(format!("Invalid range: {range}"));
    }
    let extent = usize::try_from(dim)
        .ok()
        .and_then(|dim| result.shape.get(dim));
    match extent {
        None => Err(format!(
            "dimension {dim} is out of range for a tensor of rank {}",
            result.shape.len()
        )),
        Some(&extent) if i128::from(extent) == count => Ok(()),
        Some(extent) => Err(format!(
            "Output tensor shape must be {count} at dim {dim} (since {range}), but got {extent}"
        )),
    }
}

impl Call<'_> {
    /// Returns whether the operands determine the shape of the result.
    pub fn determines_shape(&self) -> bool {
        !matches!(
            self.op.class,
            Class::Creation(_) | Class::GetDevice | Class::Deallocate
        )
    }
}
