//! Operations that create tensors from attributes.

use super::{join, no_check};
use crate::attribute::{AttributeInfo, AttributeKind, Attributes};
use crate::op::{Call, Class, Creation, ElementRule, OpInfo};
use crate::scalar::Domain;

const FILL_VALUE: AttributeInfo = AttributeInfo::required("fill_value", AttributeKind::Number);
const VALUE: AttributeInfo = AttributeInfo::required("value", AttributeKind::Elements);

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
        entry("zeros", Creation::Zeros, "A tensor of zeros", &[]),
        entry("ones", Creation::Ones, "A tensor of ones", &[]),
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
        Creation::Empty | Creation::Constant => None,
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
