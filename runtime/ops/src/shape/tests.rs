use super::*;

#[test]
fn broadcasts() {
    let check = |a: &[u64], b: &[u64], expected: Option<&[u64]>| {
        assert_eq!(broadcast(a, b).as_deref(), expected, "{a:?} {b:?}");
        assert_eq!(broadcast(b, a).as_deref(), expected, "{b:?} {a:?}");
    };
    check(&[], &[], Some(&[]));
    check(&[], &[3], Some(&[3]));
    check(&[2, 3], &[3], Some(&[2, 3]));
    check(&[2, 1], &[1, 3], Some(&[2, 3]));
    check(&[4, 1, 3], &[2, 1], Some(&[4, 2, 3]));
    check(&[2, 3], &[2], None);
    check(&[2], &[3], None);
}

#[test]
fn matmul_results() {
    let ok = |a: &[u64], b: &[u64], ta, tb, expected: &[u64]| {
        assert_eq!(
            matmul(a, b, ta, tb).unwrap().result,
            expected,
            "{a:?} {b:?} {ta} {tb}"
        );
    };
    ok(&[2, 3], &[3, 5], false, false, &[2, 5]);
    ok(&[3, 2], &[3, 5], true, false, &[2, 5]);
    ok(&[2, 3], &[5, 3], false, true, &[2, 5]);
    ok(&[3], &[3, 5], true, false, &[5]);
    ok(&[2, 3], &[3], false, true, &[2]);
    ok(&[3], &[3], false, false, &[1]);
    ok(&[7, 1, 2, 3], &[4, 3, 5], false, false, &[7, 4, 2, 5]);
}
