//! Conversions between `f64` and the types in which tensors are stored.
//!
//! Every conversion from `f64` rounds once, to nearest, ties to even. Infinities stay, results that
//! are too large become infinities, and NaN becomes the type's quiet NaN. Signs of zeros and
//! subnormal results are preserved.

/// Returns the exact value of a bfloat16.
pub fn bf16_to_f64(bits: u16) -> f64 {
    f32::from_bits(u32::from(bits) << 16).into()
}

/// Returns the bfloat16 nearest to `value`.
pub fn f64_to_bf16(value: f64) -> u16 {
    if value.is_nan() {
        return 0x7fc0;
    }
    // Rounding to odd first preserves whether the value is below, at or above a tie of the shorter
    // type, so that rounding twice equals rounding once. This needs at least 2 extra bits; binary32
    // has 16.
    let bits = round_to_odd(value).to_bits();
    let tie = (bits >> 16) & 1;
    ((bits + 0x7fff + tie) >> 16) as u16
}

/// Returns `value` if it is a binary32, else the one of its two neighbours whose last mantissa bit
/// is 1.
fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let error = f64::from(nearest) - value;
    if error == 0.0 || value.is_infinite() {
        return nearest;
    }
    let away_from_zero = f64::from(nearest).abs() > value.abs();
    let bits = nearest.to_bits() - u32::from(away_from_zero);
    f32::from_bits(bits | 1)
}

/// Truncates `value` to an integer; returns `None` if it is out of range or NaN.
pub fn f64_to_integer<T: TryFrom<i64>>(value: f64) -> Option<T> {
    // All types in use are within 2^53, where the cast is exact. Beyond, the cast saturates to a
    // value outside of T's range.
    if value.is_nan() {
        None
    } else {
        T::try_from(value as i64).ok()
    }
}

#[cfg(test)]
mod tests;
