//! Element-wise functions, and the index arithmetic of broadcasting.

use tessera_program::{BinaryKind, UnaryKind};

/// `kind` of two numbers.
pub fn binary(kind: BinaryKind, lhs: f64, rhs: f64) -> f64 {
    match kind {
        BinaryKind::Add => lhs + rhs,
        BinaryKind::Subtract => lhs - rhs,
        BinaryKind::Multiply => lhs * rhs,
    }
}

/// `kind` of a number. `relu` gives NaN for NaN and +0 for both zeros.
pub fn unary(kind: UnaryKind, value: f64) -> f64 {
    match kind {
        UnaryKind::Relu if value > 0.0 || value.is_nan() => value,
        UnaryKind::Relu => 0.0,
        UnaryKind::Neg => -value,
    }
}

/// For every element of a tensor of shape `result`, row-major: which element of a tensor of `shape` is stretched to it.
/// `shape` can be broadcast to `result`.
pub fn broadcast_sources(shape: &[u64], result: &[u64]) -> Vec<usize> {
    let missing = result.len() - shape.len();
    let mut sources = vec![0_usize];
    for (axis, &extent) in result.iter().enumerate() {
        let own = axis
            .checked_sub(missing)
            .map_or(1, |axis| shape[axis] as usize);
        let step = usize::from(own > 1);
        sources = sources
            .iter()
            .flat_map(|&source| (0..extent as usize).map(move |index| source * own + index * step))
            .collect();
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(binary(BinaryKind::Add, 3.0, 0.5), 3.5);
        assert_eq!(binary(BinaryKind::Subtract, 3.0, 0.5), 2.5);
        assert_eq!(binary(BinaryKind::Multiply, 3.0, 0.5), 1.5);
        assert_eq!(unary(UnaryKind::Neg, 3.0), -3.0);
        assert_eq!(unary(UnaryKind::Relu, 3.0), 3.0);
        assert_eq!(unary(UnaryKind::Relu, -3.0), 0.0);
        assert!(unary(UnaryKind::Relu, -0.0).is_sign_positive());
        assert!(unary(UnaryKind::Relu, f64::NAN).is_nan());
    }

    #[test]
    fn stretched_elements() {
        let check = |shape: &[u64], result: &[u64], expected: &[usize]| {
            assert_eq!(
                broadcast_sources(shape, result),
                expected,
                "{shape:?} {result:?}"
            );
        };
        check(&[], &[], &[0]);
        check(&[2, 3], &[2, 3], &[0, 1, 2, 3, 4, 5]);
        check(&[3], &[2, 3], &[0, 1, 2, 0, 1, 2]);
        check(&[2, 1], &[2, 3], &[0, 0, 0, 1, 1, 1]);
        check(&[2, 1, 2], &[2, 2, 2], &[0, 1, 0, 1, 2, 3, 2, 3]);
    }
}
