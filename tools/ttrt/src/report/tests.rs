use super::*;

#[test]
fn elements_have_a_sane_width() {
    use DataType::{BF16, F32, SI32};
    for (value, data_type, expect) in [
        (3.09375, BF16, "3.09375"),
        (0.100_000_001_490_116_12, F32, "0.1"),
        (f64::from(f32::MAX), F32, "3.4028235e38"),
        (-2f64.powi(-23), BF16, "-1.1920929e-7"),
        (1e9, F32, "1000000000"),
        (-0.0, F32, "-0"),
        (f64::INFINITY, F32, "inf"),
        (f64::NAN, BF16, "NaN"),
        (-2_147_483_648.0, SI32, "-2147483648"),
    ] {
        assert_eq!(element(value, data_type), expect);
    }
}
