//! Element-wise operations: `add`, `subtract` and `multiply` of [`crate::arith::spec::fpu`] for all
//! lanes of a row.

use std::array::from_fn;

use super::adder::{accumulate, mask, Block, Format, Terms, ROWS};
use super::product::{bits_of, OperandDecoder};
use super::vectors::Vector;
use super::{Elementwise, Halves};
use crate::arith::spec::fpu::{Mode, Operation, Phase, SrcStyle};
use crate::arith::{Row, COLUMNS};

/// The exponents and the doubled values of one term per lane.
type Parts = (Block<i32>, Block<i32>);

/// Returns exponent, 11-bit significand and sign of a Src datum; all zero if the exponent is zero.
#[inline(always)]
fn parts(datum: u32, exponent_mask: u32, mantissa_mask: u32) -> (i32, i32, bool) {
    let exponent = (datum & exponent_mask) as i32;
    let present = exponent != 0;
    let significand = (datum >> 8 & mantissa_mask | 0x400) as i32;
    (
        exponent,
        if present { significand } else { 0 },
        present & (datum >> 18 & 1 != 0),
    )
}

/// Returns `a + b` or `a − b` in all lanes.
#[inline(always)]
fn add(mode: Mode, subtract: bool, a: &Block<u32>, b: &Block<u32>) -> Parts {
    let [exponent_mask, mantissa_mask] = bits_of(mode.style);
    // FP16 with a 32-bit Dst: the exponent's rebias, and the exponent of a zero.
    let (rebias, of_zero) = match (mode.style, mode.dst32) {
        (SrcStyle::Fp16, true) => (127 - 15, 127 - 2 * 15),
        _ => (0, 0),
    };
    let read = |datum| parts(datum, exponent_mask, mantissa_mask);
    let exponents = from_fn(|lane| {
        let exponent = read(a[lane]).0.max(read(b[lane]).0);
        let absent = mask(exponent == 0);
        of_zero & absent | exponent.wrapping_add(rebias) & !absent
    });
    let doubled = from_fn(|lane| {
        let (a_exponent, a_significand, a_negative) = read(a[lane]);
        let (b_exponent, b_significand, b_negative) = read(b[lane]);
        let b_negative = b_negative ^ subtract;
        let a_is_large = (a_exponent << 11 | a_significand) >= (b_exponent << 11 | b_significand);
        let (large, small, negative) = match a_is_large {
            true => (a_significand, b_significand, a_negative),
            false => (b_significand, a_significand, b_negative),
        };
        let by = a_exponent.abs_diff(b_exponent);
        let aligned = (small << 1 >> by.min(31)).wrapping_add(1) >> 1;
        let differ = mask(a_negative ^ b_negative);
        let magnitude = large.wrapping_add((aligned ^ differ).wrapping_sub(differ));
        let negative = mask(negative);
        (magnitude ^ negative).wrapping_sub(negative) << 14
    });
    (exponents, doubled)
}

/// Returns one phase of `a·b` in all lanes.
#[inline(always)]
fn multiply(mode: Mode, phase: Phase, a: &Block<u32>, b: &Block<u32>) -> Parts {
    let bias = mode.product_bias(phase);
    let (decode_a, decode_b) = (
        OperandDecoder::of_a(mode, phase),
        OperandDecoder::of_b(mode, phase),
    );
    let sums: Block<i32> = from_fn(|lane| {
        let exponent = decode_a
            .exponent(a[lane])
            .wrapping_add(decode_b.exponent(b[lane]));
        exponent.wrapping_add(bias)
    });
    let exponents = from_fn(|lane| {
        let there = mask(sums[lane] > 0);
        sums[lane] & there | bias.max(0) & !there
    });
    let doubled = from_fn(|lane| {
        // SrcA's operand is doubled. 16-bit products suffice and are faster.
        let (a, b) = (
            decode_a.significand(a[lane]) as i16,
            decode_b.significand(b[lane]) as i16,
        );
        i32::from(a.wrapping_mul(b)) << 13 & mask(sums[lane] > 0)
    });
    (exponents, doubled)
}

/// Applies an operation to rows of `a` and `b`, and writes the result to rows of Dst or adds it to
/// them.
#[inline(always)]
pub(super) fn elementwise<F: Format, V: Vector>(
    (mode, operation, phase, accumulates): Elementwise,
    a: &[Row; ROWS],
    b: &[Row; ROWS],
    (high, low): Halves,
) {
    let (a, b) = (bytemuck::cast_ref(a), bytemuck::cast_ref(b));
    let (exponents, doubled) = match operation {
        Operation::Add => add(mode, false, a, b),
        Operation::Subtract => add(mode, true, a, b),
        Operation::Multiply => multiply(mode, phase, a, b),
    };
    if !accumulates {
        high.fill([0; COLUMNS]);
        low.fill([0; COLUMNS]);
    }
    let terms = Terms {
        exponents: [bytemuck::cast(exponents)],
        doubled: [bytemuck::cast(doubled)],
    };
    accumulate::<F, V, 1>(mode.minus_one_bug, 0, &terms, (high, low));
}
