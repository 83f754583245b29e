//! Shapes of tensors as verifiers see and print them.

use crate::mlir::{TensorType, Value};

/// The shape of a ranked tensor.
///
/// # Errors
/// If a dimension is dynamic: nothing below TTIR knows such tensors.
pub(crate) fn of(value: Value) -> Result<Vec<u64>, String> {
    value.r#type().static_shape().ok_or_else(|| {
        format!(
            "dynamic shapes are not supported: {}; give every dimension a size",
            value.r#type()
        )
    })
}

/// The shape two shapes broadcast to, aligned at their last dimensions; nothing if they do not.
pub(crate) fn broadcast(a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    let rank = a.len().max(b.len());
    let at = |shape: &[u64], index: usize| {
        (index + shape.len())
            .checked_sub(rank)
            .map_or(1, |i| shape[i])
    };
    (0..rank)
        .map(|index| match (at(a, index), at(b, index)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// Checks that the operands broadcast against each other and that the result has the shape they broadcast to.
pub(crate) fn verify_broadcast(operands: &[Value], result: Value) -> Result<(), String> {
    let mut expected = Vec::new();
    for operand in operands {
        let shape = of(*operand)?;
        expected = broadcast(&expected, &shape).ok_or_else(|| {
            let (shape, expected) = (join(&shape, ", "), join(&expected, ", "));
            format!(
                "operand shape ({shape}) is not broadcast compatible with inferred operand shapes ({expected})"
            )
        })?;
    }
    let found = of(result)?;
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (join(&found, ", "), join(&expected, ", "));
    Err(format!(
        "result shape ({found}) doesn't match expected shape after broadcasting ({expected})"
    ))
}

/// The dimensions with a separator between them.
pub(crate) fn join(shape: &[u64], separator: &str) -> String {
    shape
        .iter()
        .map(u64::to_string)
        .collect::<Vec<_>>()
        .join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcasts() {
        let rows: &[(&[u64], &[u64], Option<&[u64]>)] = &[
            (&[], &[], Some(&[])),
            (&[], &[2, 3], Some(&[2, 3])),
            (&[3], &[2, 1], Some(&[2, 3])),
            (&[1, 64], &[2, 64], Some(&[2, 64])),
            (&[2, 7], &[7, 1], None),
            (&[4, 64, 128], &[2, 64, 128], None),
        ];
        for (a, b, expected) in rows {
            assert_eq!(broadcast(a, b).as_deref(), *expected, "{a:?} {b:?}");
            assert_eq!(broadcast(b, a).as_deref(), *expected, "{b:?} {a:?}");
        }
    }
}
