use super::super::super::format::{Double, Half, Single};
use super::*;

/// |x · r² - 1| as a fraction of 2^24, for a word x and its result r.
fn error<F: Format>(word: u64) -> i128 {
    let result = rsqrt::<F>(word);
    let significand = |word| i128::from(mantissa::<F>(word) | 1 << F::MANTISSA_BITS);
    let power = |word| exponent::<F>(word) as i32 - F::BIAS;
    let cut = F::MANTISSA_BITS.saturating_sub(20);
    let bits = (F::MANTISSA_BITS - cut) as i32;
    let product = (significand(word) >> cut) * (significand(result) >> cut).pow(2);
    let scale = 3 * bits - power(word) - 2 * power(result);
    let scaled = if scale >= 24 {
        product >> (scale - 24)
    } else {
        product << (24 - scale)
    };
    (scaled - (1 << 24)).abs()
}

#[test]
fn reciprocal_square_root_is_within_the_documented_accuracy() {
    // A relative error e of the root is one of about 2e of the square.
    let bound = (1i128 << 24) >> 5;
    for word in 0x0200..0x7e00u64 {
        assert!(error::<Half>(word) < bound, "{word:#x}");
        assert!(error::<Single>(word << 16 | word) < bound);
        assert!(error::<Double>(word << 48 | 0xffff) < bound);
        assert_eq!(rsqrt::<Half>(word | Half::SIGN), rsqrt::<Half>(word));
    }
    assert_eq!(rsqrt::<Half>(0x8001), Half::INFINITY);
    assert_eq!(rsqrt::<Single>(0xff80_0001), 0);
}
