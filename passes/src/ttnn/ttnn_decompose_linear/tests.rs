use super::*;

#[test]
fn which_bias_rides_along() {
    let rows: [(&[u64], &[u64], &[u64], bool); 9] = [
        (&[128, 64], &[64], &[32, 64], true),
        (&[128, 64], &[1, 64], &[32, 64], true),
        (&[1, 1, 128, 64], &[1, 1, 1, 64], &[1, 1, 32, 64], true),
        (&[128], &[1], &[1], true),
        (&[128, 64], &[32, 64], &[32, 64], false),
        (&[128, 64], &[1], &[32, 64], false),
        (&[128, 64], &[], &[32, 64], false),
        (&[3, 128, 64], &[64], &[3, 32, 64], false),
        (&[128], &[128], &[1], false),
    ];
    for (b, bias, product, expected) in rows {
        assert_eq!(
            rides_along(b, bias, product),
            expected,
            "{b:?} {bias:?} {product:?}"
        );
    }
}
