//! Operations along dimensions.

use super::{first_shape, join, no_check, normalize_dimension, INPUT};
use crate::attribute::{AttributeInfo, AttributeKind, Attributes, Dialects};
use crate::graph::{Graph, Value};
use crate::op::{Call, CallError, Class, ElementRule, OpInfo, Reduction};
use crate::scalar::{Domain, Reduce};

const COMPUTE_CONFIG: AttributeInfo =
    AttributeInfo::optional("compute_config", AttributeKind::ComputeConfig).only_in(Dialects::Ttnn);
const REDUCTION: &[AttributeInfo] = &[
    AttributeInfo::required("keep_dim", AttributeKind::Bool),
    AttributeInfo::optional("dim_arg", AttributeKind::IntArray),
    COMPUTE_CONFIG,
];
const SOFTMAX: &[AttributeInfo] = &[
    AttributeInfo::required("dimension", AttributeKind::Int),
    AttributeInfo::flag("numericStable"),
    COMPUTE_CONFIG,
];

/// The entries.
pub(super) fn entries() -> impl Iterator<Item = OpInfo> {
    [
        reduction(
            "sum",
            "The sum along dimensions",
            Reduction::Fold(Reduce::Sum),
        ),
        reduction("mean", "The mean along dimensions", Reduction::Mean),
        reduction(
            "max",
            "The largest element along dimensions",
            Reduction::Fold(Reduce::Max),
        ),
        reduction(
            "min",
            "The smallest element along dimensions",
            Reduction::Fold(Reduce::Min),
        ),
        OpInfo {
            summary: "Exponentials divided by their sum along a dimension",
            description:
                "The largest element is subtracted first, whatever `numericStable` says, so \
                          that nothing overflows.",
            example: "%0 = \"ttir.softmax\"(%a) <{dimension = 1 : si32}> \
                      : (tensor<64x96xbf16>) -> tensor<64x96xbf16>",
            attributes: SOFTMAX,
            class: Class::Composite(softmax),
            domain: Domain::Float,
            shape: softmax_shape,
            mismatch: |_, _, _| "Input and output shapes must be the same".into(),
            ..reduction("softmax", "", Reduction::Mean)
        },
    ]
    .into_iter()
}

fn reduction(name: &'static str, summary: &'static str, reduction: Reduction) -> OpInfo {
    OpInfo {
        name,
        ttir: Some(name),
        in_ttnn: true,
        summary,
        description:
            "Along all dimensions if there is no `dim_arg`; with `keep_dim` the dimensions \
                      stay, with extent 1.",
        example: "",
        operands: INPUT,
        attributes: REDUCTION,
        class: Class::Reduction(reduction),
        elements: ElementRule::Same,
        domain: match reduction {
            // The mean of integers is no integer.
            Reduction::Mean => Domain::Float,
            Reduction::Fold(_) => Domain::Any,
        },
        verify: no_check,
        shape: reduced_shape,
        mismatch: |_, expected, found| {
            format!(
                "Expected output shape ({}), got ({})",
                join(expected, ", "),
                join(found, ", ")
            )
        },
    }
}

impl Call<'_> {
    /// The dimensions of a reduction, ascending: those that `dim_arg` names, or all.
    ///
    /// # Errors
    /// If it names one that there is not, or one twice.
    pub fn reduced_dimensions(&self) -> Result<Vec<usize>, String> {
        let rank = self.shape_of(0).len();
        let Some(named) = self.attributes.ints("dim_arg") else {
            return Ok((0..rank).collect());
        };
        let mut dims = Vec::new();
        for &named in named {
            dims.push(normalize_dimension(named, rank).ok_or_else(|| {
                format!("Reduce dimension {named} is out of range for input tensor of rank {rank}")
            })?);
        }
        dims.sort_unstable();
        let count = dims.len();
        dims.dedup();
        match dims.len() == count {
            true => Ok(dims),
            false => Err("Reduce dimensions are not unique".into()),
        }
    }
}

fn reduced_shape(call: &Call) -> Result<Vec<u64>, String> {
    let dims = call.reduced_dimensions()?;
    let keeps = call.attributes.flag("keep_dim");
    let extents = call.shape_of(0).iter().enumerate();
    let left = extents.filter_map(|(axis, &extent)| match (dims.contains(&axis), keeps) {
        (false, _) => Some(extent),
        (true, true) => Some(1),
        (true, false) => None,
    });
    Ok(left.collect())
}

/// `exp(x - max(x)) / sum(exp(x - max(x)))`
fn softmax(call: &Call, graph: &mut Graph) -> Result<(), CallError> {
    let rank = call.shape_of(0).len();
    let named = call.attributes.int("dimension").unwrap_or_default();
    let dims: Vec<usize> = normalize_dimension(named, rank).into_iter().collect();
    let none = Attributes::none;
    let input = Value::Operand(0);
    let largest = graph.reduce("max", input, &dims)?;
    let below = graph.add("subtract", &[input, largest], none())?;
    let exponentials = graph.add("exp", &[below], none())?;
    let sums = graph.reduce("sum", exponentials, &dims)?;
    graph.add("divide", &[exponentials, sums], none())?;
    Ok(())
}

fn softmax_shape(call: &Call) -> Result<Vec<u64>, String> {
    let named = call.attributes.int("dimension").unwrap_or_default();
    match normalize_dimension(named, call.shape_of(0).len()) {
        Some(_) => first_shape(call),
        None => Err("Dimension attribute must be within the bounds of the input tensor".into()),
    }
}
