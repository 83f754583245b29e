use super::*;
use proptest::prelude::*;

#[test]
fn f64_to_bf16_rounds_once() {
    let two = |exponent: i32| 2f64.powi(exponent);
    for (value, bits) in [
        (0.0, 0x0000),
        (-0.0, 0x8000),
        (1.0, 0x3f80),
        (-2.5, 0xc020),
        (1.0 + two(-8), 0x3f80),                  // tie, to even below
        (1.0 + 3.0 * two(-8), 0x3f82),            // tie, to even above
        (1.0 + two(-8) + two(-50), 0x3f81),       // above the tie by less than binary32 has
        (1.0 + 3.0 * two(-8) - two(-50), 0x3f81), // below the tie
        (f64::INFINITY, 0x7f80),
        (-1e300, 0xff80),
        (f64::from(f32::MAX), 0x7f80),
        (3.3895313892515355e38, 0x7f7f),
        (3.39e38, 0x7f7f),
        (two(-133), 0x0001), // least subnormal
        (two(-134), 0x0000), // half of it, to even
        (two(-134) + two(-180), 0x0001),
        (-two(-1000), 0x8000),
        (f64::NAN, 0x7fc0),
    ] {
        assert_eq!(f64_to_bf16(value), bits, "{value:e}");
    }
}

#[test]
fn every_bf16_survives() {
    for bits in 0..=u16::MAX {
        let value = bf16_to_f64(bits);
        let expected = if value.is_nan() { 0x7fc0 } else { bits };
        assert_eq!(f64_to_bf16(value), expected, "{bits:#06x}");
    }
}

proptest! {
    /// The result is as near as its neighbours, and even if one of them is equally near.
    #[test]
    fn nearest_even(
        sign in 0..2_u64,
        exponent in -140..127_i64,
        top in 0..1_u64 << 9,
        low in prop_oneof![Just(0), Just(1), Just((1 << 43) - 1), 0..1_u64 << 43],
    ) {
        let value = f64::from_bits(sign << 63 | ((exponent + 1023) as u64) << 52 | top << 43 | low);
        let result = f64_to_bf16(value);
        let distance = |bits: u16| (bf16_to_f64(bits) - value).abs();
        for other in [result.wrapping_add(1), result.wrapping_sub(1)] {
            if bf16_to_f64(other).is_finite() {
                prop_assert!(distance(result) <= distance(other));
                prop_assert!(distance(result) < distance(other) || result & 1 == 0);
            }
        }
    }
}

#[test]
fn integers_are_cut() {
    for (value, expected) in [
        (1.9, Some(1)),
        (-1.9, Some(-1)),
        (2147483647.5, Some(i32::MAX)),
        (-2147483648.9, Some(i32::MIN)),
        (2147483648.0, None),
        (1e300, None),
        (f64::NAN, None),
        (f64::NEG_INFINITY, None),
    ] {
        assert_eq!(f64_to_integer::<i32>(value), expected, "{value}");
    }
    assert_eq!(f64_to_integer::<u8>(-0.5), Some(0));
    assert_eq!(f64_to_integer::<u8>(-1.0), None);
    assert_eq!(f64_to_integer::<u32>(4294967295.0), Some(u32::MAX));
}
