use super::*;

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
