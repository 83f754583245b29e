//! Functions of tensors: element-wise ones by the table of [`tessera_ops`], reductions and movement. The two tensor dialects
//! check the same; the texts are upstream's where upstream checks it.

use tessera_ops::{Binary, Domain, Reduce, Unary};
use tessera_pto::kernel::Element;

use super::shape::{self, join};
use super::{result, Verifier};
use crate::mlir::{AttributeValue, Op, Scalar, ScalarType, TensorType, Type};
use crate::ttir::inputs;

/// The verifier of a function of tensors, by the name of its operation without the dialect; nothing if it is none. `div` is ttir's name
/// of what is `divide` elsewhere.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    if matches!(name, "logical_left_shift" | "logical_right_shift") {
        return Some(verify_shift);
    }
    if name == "div" || Unary::from_name(name).is_some() || Binary::from_name(name).is_some() {
        return Some(verify_elementwise);
    }
    if name == "mean" || Reduce::from_name(name).is_some() {
        return Some(verify_reduction);
    }
    Some(match name {
        "leaky_relu" | "where" | "clamp_tensor" => verify_shapes,
        "clamp_scalar" => verify_clamp,
        "softmax" => verify_softmax,
        "transpose" => verify_transpose,
        "permute" => verify_permute,
        _ => return None,
    })
}

/// What a function can be computed of, by the name of its operation with its dialect.
fn domain(name: &str) -> Domain {
    let name = match name.split_once('.').map_or(name, |(_, name)| name) {
        "div" => "divide",
        name => name,
    };
    let of_two = || Binary::from_name(name).map(Binary::domain);
    let domain = Unary::from_name(name).map(Unary::domain).or_else(of_two);
    domain.unwrap_or(Domain::Any)
}

fn verify_shapes(op: Op) -> Result<(), String> {
    shape::verify_broadcast(&inputs(op), result(op)?)
}

fn verify_elementwise(op: Op) -> Result<(), String> {
    verify_shapes(op)?;
    require_domain(op, domain(op.name()))
}

/// Checks that an operation takes the elements of its inputs.
fn require_domain(op: Op, takes: Domain) -> Result<(), String> {
    for input in inputs(op) {
        let Some(element) = input.r#type().element_type() else {
            continue;
        };
        let is = match element.scalar() {
            // Truths become floats before anything is computed.
            Some(Scalar::Integer { width: 1, .. }) => Element::F32,
            Some(Scalar::Integer { .. } | Scalar::Index) => Element::I32,
            _ => Element::F32,
        };
        if !takes.contains(is) {
            return Err(format!(
                "is not computed of '{element}'; cast it with ttir.typecast to {}",
                if is.is_integer() { "f32" } else { "i32" }
            ));
        }
    }
    Ok(())
}

fn verify_shift(op: Op) -> Result<(), String> {
    let inputs = inputs(op);
    let values = inputs.into_iter().chain([result(op)?]);
    for (which, value) in ["Left operand", "Right operand", "Output"]
        .iter()
        .zip(values)
    {
        let element = value.r#type().element_type();
        let is_integer = |element: &Type| matches!(element.scalar(), Some(Scalar::Integer { .. }));
        if let Some(element) = element.filter(|element| !is_integer(element)) {
            return Err(format!(
                "{which} element type must be integer, but got '{element}'"
            ));
        }
    }
    require_domain(op, Domain::Integer)?;
    verify_shapes(op)
}

/// The shape of the only input.
fn only(op: Op) -> Result<Vec<u64>, String> {
    match inputs(op)[..] {
        [input] => shape::of(input),
        _ => Err("requires a single operand".into()),
    }
}

fn verify_clamp(op: Op) -> Result<(), String> {
    if only(op)? != shape::of(result(op)?)? {
        return Err("input and output must have same shape.".into());
    }
    Ok(())
}

/// The dimension that an attribute names, which may count from the end; nothing if there is none of it.
pub fn dimension(named: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let from_start = if named < 0 { named + rank } else { named };
    (0..rank)
        .contains(&from_start)
        .then_some(from_start as usize)
}

/// The dimensions that a reduction goes along, ascending: those that it names, or all.
///
/// # Errors
/// If it names one that there is not, or one twice.
pub fn reduced_dimensions(op: Op, rank: usize) -> Result<Vec<usize>, String> {
    let Some(named) = op.attribute("dim_arg").and_then(AttributeValue::elements) else {
        return Ok((0..rank).collect());
    };
    let mut dims = Vec::new();
    for named in named.into_iter().filter_map(AttributeValue::integer) {
        dims.push(dimension(named, rank).ok_or_else(|| {
            format!("Reduce dimension {named} is out of range for input tensor of rank {rank}")
        })?);
    }
    dims.sort_unstable();
    let count = dims.len();
    dims.dedup();
    if dims.len() != count {
        return Err("Reduce dimensions are not unique".into());
    }
    Ok(dims)
}

fn verify_reduction(op: Op) -> Result<(), String> {
    let input = only(op)?;
    let dims = reduced_dimensions(op, input.len())?;
    let keeps = op.flag("keep_dim");
    let left = input.iter().enumerate().filter_map(|(axis, &extent)| {
        match (dims.contains(&axis), keeps) {
            (false, _) => Some(extent),
            (true, true) => Some(1),
            (true, false) => None,
        }
    });
    require_shape(op, &left.collect::<Vec<_>>(), "Expected output shape")?;
    // The mean of integers is none.
    match op.name().ends_with(".mean") {
        true => require_domain(op, Domain::Float),
        false => Ok(()),
    }
}

/// The result has a shape; upstream begins its texts in more than one way.
fn require_shape(op: Op, expected: &[u64], begins: &str) -> Result<(), String> {
    let found = shape::of(result(op)?)?;
    if found == expected {
        return Ok(());
    }
    let (expected, found) = (join(expected, ", "), join(&found, ", "));
    Err(format!("{begins} ({expected}), got ({found})"))
}

fn verify_softmax(op: Op) -> Result<(), String> {
    let input = only(op)?;
    if input != shape::of(result(op)?)? {
        return Err("Input and output shapes must be the same".into());
    }
    let named = op.attribute("dimension").and_then(AttributeValue::integer);
    if dimension(named.unwrap_or_default(), input.len()).is_none() {
        return Err("Dimension attribute must be within the bounds of the input tensor".into());
    }
    require_domain(op, Domain::Float)
}

fn verify_transpose(op: Op) -> Result<(), String> {
    let mut shape = only(op)?;
    if shape.len() < 2 {
        return Err("Input must be at least a 2D tensor".into());
    }
    let mut dims = [0; 2];
    for (number, dim) in dims.iter_mut().enumerate() {
        let named = op.attribute(&format!("dim{number}"));
        let named = named.and_then(AttributeValue::integer).unwrap_or_default();
        *dim = dimension(named, shape.len()).ok_or_else(|| {
            format!("Dimension {number} attribute must be within the bounds of the input tensor")
        })?;
    }
    shape.swap(dims[0], dims[1]);
    if shape != shape::of(result(op)?)? {
        return Err("Input-output transpose dimension mismatch.".into());
    }
    Ok(())
}

fn verify_permute(op: Op) -> Result<(), String> {
    let input = only(op)?;
    let permutation = op
        .attribute("permutation")
        .and_then(AttributeValue::integers)
        .unwrap_or_default();
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..input.len() as i64) {
        let all: Vec<u64> = (0..input.len() as u64).collect();
        let found: Vec<_> = permutation.iter().map(i64::to_string).collect();
        return Err(format!(
            "Expected a permutation of ({}), got ({})",
            join(&all, ", "),
            found.join(", ")
        ));
    }
    let moved: Vec<u64> = permutation.iter().map(|dim| input[*dim as usize]).collect();
    require_shape(op, &moved, "Expected result shape")
}
