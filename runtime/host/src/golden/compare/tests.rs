use super::*;

#[test]
fn units_in_the_last_place() {
    use DataType::{BF16, F32, SI32};
    let least = f64::from(f32::MIN_POSITIVE);
    for (found, expected, data_type, distance) in [
        (1.0, 1.0, BF16, Some(0)),
        (1.0, 1.0078125, BF16, Some(1)),
        (1.0, 0.99609375, BF16, Some(1)),
        (1.0, 1.0078125, F32, Some(1 << 16)),
        (-0.0, 0.0, BF16, Some(0)),
        (0.0, least / 2.0, BF16, Some(0)),
        (0.0, -least, BF16, Some(1)),
        (least, -least, F32, Some(2)),
        (f64::INFINITY, f64::from(f32::MAX), F32, Some(1)),
        (
            f64::INFINITY,
            f64::NEG_INFINITY,
            BF16,
            Some(2 * (0x7f80 - 0x7f)),
        ),
        (f64::NEG_INFINITY, f64::NAN, BF16, Some(0)),
        (f64::NAN, f64::NAN, BF16, Some(0)),
        (1.0, f64::NAN, BF16, None),
        (f64::NAN, 1.0, BF16, None),
        (-3.0, 4.0, SI32, Some(7)),
    ] {
        assert_eq!(
            ulp_distance(found, expected, data_type),
            distance,
            "{found} {expected} {data_type}"
        );
    }
}

#[test]
fn comparisons() {
    let tensor = |values: &[f64]| {
        Tensor::from_f64s(vec![values.len() as u64], DataType::F32, values).unwrap()
    };
    let compare =
        |found: &[f64], expected: &[f64]| Comparison::new(&tensor(found), &tensor(expected));
    let same = compare(&[1.0, 2.0], &[1.0, 2.0]);
    assert_eq!(
        (same.equal, same.max_abs_error, same.nrms, same.max_ulp),
        (true, 0.0, Some(0.0), Some(0))
    );
    assert!(same.pcc.unwrap() > 0.999_999);
    let opposite = compare(&[3.0, -4.0], &[-3.0, 4.0]);
    assert_eq!(
        (opposite.equal, opposite.max_abs_error, opposite.nrms),
        (false, 8.0, Some(2.0))
    );
    assert!(opposite.pcc.unwrap() < -0.999_999);
    let constant = compare(&[0.0, 0.0], &[0.0, 0.0]);
    assert_eq!(
        (constant.equal, constant.nrms, constant.pcc),
        (true, None, None)
    );
    let not_numbers = compare(&[f64::NAN, 1.0], &[1.0, f64::NAN]);
    assert_eq!(
        (not_numbers.max_abs_error, not_numbers.max_ulp),
        (0.0, None)
    );
}
