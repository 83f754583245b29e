use super::*;

/// The matrix that the digits give is the one that NumPy's strides give.
#[test]
fn matrices_are_those_of_numpy() {
    for (operand, result, simple) in [
        (&[][..], &[][..], true),
        (&[], &[2, 3], true),
        (&[1, 1], &[2, 3], true),
        (&[2, 3], &[2, 3], true),
        (&[1, 6], &[1, 6], true),
        (&[2, 1], &[2, 3], false),
        (&[3], &[2, 3], false),
        (&[2, 1, 5], &[2, 3, 5], false),
        (&[3, 1], &[2, 3, 5], false),
        (&[2, 1, 1, 7], &[2, 3, 5, 7], false),
        (&[2, 1, 5, 1, 2], &[2, 3, 5, 7, 2], false),
    ] {
        let index = MatrixIndex::for_broadcast(operand, result).expect("it broadcasts");
        assert_eq!(index.is_simple(), simple, "{operand:?} to {result:?}");
        for number in 0..result.iter().product() {
            let digits = index.digits.iter().map(|digit| {
                let value = number / digit.divisor;
                digit.modulus.map_or(value, |modulus| value % modulus) * digit.stride
            });
            let (mut rest, mut stride, mut expect) = (number, 1, 0);
            for (dim, extent) in result.iter().enumerate().rev() {
                let own = (dim + operand.len()).checked_sub(result.len());
                let own = own.map_or(1, |dim| operand[dim]);
                expect += rest % extent % own * stride;
                rest /= extent;
                stride *= own;
            }
            assert_eq!(digits.sum::<u64>(), expect, "{operand:?} to {result:?}");
        }
    }
    assert_eq!(MatrixIndex::for_broadcast(&[2], &[3]), None);
    assert_eq!(MatrixIndex::for_broadcast(&[2, 3], &[3]), None);
}
