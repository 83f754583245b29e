//! Properties that hold for all operands. Results of single operations are tested in
//! `tests/vectors`.

use proptest::prelude::*;

use super::{Mode, Phase, SrcStyle};
use crate::arith::spec::bits::src_from_bf16;

const BF16: Mode = Mode {
    style: SrcStyle::Bf16,
    dst32: true,
    minus_one_bug: true,
};

/// Returns BF16 numbers whose products, sums and 2^-12nd parts are normal.
fn moderate() -> impl Strategy<Value = u16> {
    (any::<bool>(), 80..175u16, 0..128u16).prop_map(|(negative, exponent, mantissa)| {
        u16::from(negative) << 15 | exponent << 7 | mantissa
    })
}

/// Returns FP32 numbers, normal and finite.
fn finite() -> impl Strategy<Value = u32> {
    (any::<bool>(), 1..255u32, 0..1u32 << 23).prop_map(|(negative, exponent, mantissa)| {
        u32::from(negative) << 31 | exponent << 23 | mantissa
    })
}

/// Returns the FP32 bits of a product of two BF16 numbers, which is always exact.
fn exact_product(a: u16, b: u16) -> u32 {
    let significand = |x: u16| u32::from(x & 0x7F | 0x80);
    let exponent = |x: u16| u32::from(x >> 7 & 0xFF);
    let product = significand(a) * significand(b); // in [2^14, 2^16)
    let carry = product >> 15;
    let mantissa = (product << (9 - carry)) & 0x7F_FFFF;
    u32::from((a ^ b) >> 15) << 31 | (exponent(a) + exponent(b) - 127 + carry) << 23 | mantissa
}

/// Computes a dot product in all four phases.
fn dot(a: &[u16; 16], b: &[u16; 16], dst: u32) -> u32 {
    Phase::ALL.into_iter().fold(dst, |sum, phase| {
        // Only lane 5 is checked; the other lanes hold other products, which must not affect it.
        let a = a.map(|x| {
            let mut row = a.map(|x| src_from_bf16(x ^ 0x8101));
            row[5] = src_from_bf16(x);
            BF16.decode_a(&row, phase)
        });
        let b = BF16.decode_b(&b.map(src_from_bf16), phase);
        BF16.dot(phase, &a, &b, &[sum; 16])[5]
    })
}

proptest! {
    #[test]
    fn four_phases_multiply_bf16_exactly(a in moderate(), b in moderate()) {
        let product = Phase::ALL
            .into_iter()
            .fold(0, |sum, phase| BF16.multiply(phase, src_from_bf16(a), src_from_bf16(b), sum));
        prop_assert_eq!(product, exact_product(a, b));
    }

    #[test]
    fn a_single_product_is_exact_in_a_dot_product(
        a in moderate(),
        b in moderate(),
        k in 0..16usize,
    ) {
        let (mut x, mut y) = ([0; 16], [0; 16]);
        (x[k], y[k]) = (a, b);
        prop_assert_eq!(dot(&x, &y, 0), exact_product(a, b));
    }

    #[test]
    fn order_inside_a_group_and_of_groups_does_not_matter(
        a in prop::array::uniform16(moderate()),
        b in prop::array::uniform16(moderate()),
        dst in finite(),
        by in 0..8usize,
    ) {
        let rotated = |x: &[u16; 16]| {
            let mut x = *x;
            x[..8].rotate_left(by);
            x[8..].reverse();
            x
        };
        let exchanged = |x: &[u16; 16]| {
            let mut x = *x;
            x.rotate_left(8);
            x
        };
        let sum = dot(&a, &b, dst);
        prop_assert_eq!(dot(&rotated(&a), &rotated(&b), dst), sum);
        prop_assert_eq!(dot(&exchanged(&a), &exchanged(&b), dst), sum);
    }

    #[test]
    fn zeros_leave_the_accumulator_alone(dst in finite(), b in prop::array::uniform16(moderate())) {
        // A datum with exponent zero is zero, whatever its mantissa.
        prop_assert_eq!(dot(&[0x8055; 16], &b, dst), dst);
        prop_assert_eq!(BF16.add(0, src_from_bf16(0x8000), dst), dst);
    }

    #[test]
    fn addition(a in moderate(), b in moderate(), dst in finite()) {
        let (x, y) = (src_from_bf16(a), src_from_bf16(b));
        prop_assert_eq!(BF16.add(x, y, dst), BF16.add(y, x, dst));
        prop_assert_eq!(BF16.subtract(x, y, 0), BF16.add(x, src_from_bf16(b ^ 0x8000), 0));
        prop_assert_eq!(BF16.add(x, 0, 0), u32::from(a) << 16);
        prop_assert_eq!(BF16.subtract(x, x, 0), 0);
    }

    #[test]
    fn sums_of_close_exponents_are_exact(
        exponent in 80..175u16,
        apart in 0..4u16,
        m in 0..128u16,
        n in 0..128u16,
        signs in 0..4u16,
    ) {
        let number = |sign: u16, exponent: u16, mantissa: u16| {
            (sign & 1) << 15 | exponent << 7 | mantissa
        };
        let (a, b) = (number(signs, exponent + apart, m), number(signs >> 1, exponent, n));
        let significand = |x: u16| i64::from(x & 0x7F | 0x80) * if x >> 15 == 0 { 1 } else { -1 };
        let expected = (significand(a) << apart) + significand(b);
        let found = BF16.add(src_from_bf16(a), src_from_bf16(b), 0);
        // The value of `found`, in units of 2^(exponent - 134).
        let value = if found == 0 { 0 } else {
            let shift = (found >> 23 & 0xFF) as i64 - i64::from(exponent) - 16;
            let significand = i64::from(found & 0x7F_FFFF | 1 << 23);
            let magnitude = if shift < 0 { significand >> -shift } else { significand << shift };
            if found >> 31 == 0 { magnitude } else { -magnitude }
        };
        prop_assert_eq!(value, expected);
    }
}
