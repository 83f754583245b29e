use super::{mad_blackhole, mad_wormhole};

use proptest::prelude::*;

const ONE: u32 = 0x3F80_0000;

proptest! {
    /// Whatever goes in, at whatever exponents: no denormal and no −0 comes out, so stores need
    /// not fear them.
    #[test]
    fn no_result_is_denormal(a: u32, b: u32, c: u32, small in 0u32..4) {
        let near = |x: u32| x & 0x807F_FFFF | (small + (x & 1)) << 23;
        for (a, b, c) in [(a, b, c), (near(a), ONE, near(c)), (near(a), b & 0x3FFF_FFFF, near(c))] {
            let result = mad_wormhole(a, b, c);
            let magnitude = result & 0x7FFF_FFFF;
            prop_assert!(result == 0 || magnitude >= 0x0080_0000, "{result:#010x}");
        }
    }
}

#[test]
fn known_results() {
    for (a, b, c, expected) in [
        (ONE, ONE, 0x4000_0000, 0x4040_0000),       // 1·1 + 2
        (0x3FC0_0000, 0x4000_0000, 0, 0x4040_0000), // 1.5·2
        (ONE, 0xBF80_0000, ONE, 0),                 // cancellation is +0
        (0x8000_0000, ONE, 0x8000_0000, 0),         // −0·1 + −0
        (0x0000_0001, 0x7F00_0000, ONE, ONE),       // a denormal is zero
        (0x2000_0000, 0x1F80_0000, 0, 0),           // underflow
        (0x7F00_0000, 0x4000_0000, 0, 0x7F80_0000), // overflow
        (0x7F80_0000, 0, ONE, 0x7F80_0001),         // ∞·0, the sum too small to leak
        (ONE, ONE, 0x7F80_0000, 0x7F80_0000),
        (0x7F80_0000, ONE, 0xFF80_0000, 0x7F80_0001), // ∞ − ∞
        (ONE, 0x3400_0000, ONE, 0x3F80_0001),         // 1 + 2^-23
        (ONE, 0x3380_0000, ONE, ONE),                 // 1 + 2^-24: a tie, to even
        (ONE, 0x3380_0001, ONE, 0x3F80_0001),
        (ONE, 0x2000_0000, ONE, ONE),
    ] {
        let found = mad_wormhole(a, b, c);
        assert_eq!(
            found, expected,
            "{a:#010x}·{b:#010x}+{c:#010x} = {found:#010x}"
        );
    }
}

#[test]
fn known_results_of_blackhole() {
    const NAN: u32 = 0x7FC0_0000;
    for (a, b, c, expected) in [
        (ONE, ONE, 0x4000_0000, 0x4040_0000),
        (ONE, 0xBF80_0000, ONE, 0),
        (0x8000_0000, ONE, 0x8000_0000, 0x8000_0000), // −0·1 + −0
        (0x8000_0000, ONE, 0, 0),
        (0x8000_0001, ONE, 0x8000_0002, 0x8000_0000), // denormals are zeros of their signs
        (0x2000_0000, 0x9F80_0000, 0x8000_0000, 0x8000_0000), // underflow
        (0x0080_0000, ONE, 0x8080_0001, 0x8000_0000), // a denormal sum
        (0x7F00_0000, 0x4000_0000, 0, 0x7F80_0000),
        (0x7F80_0000, 0, ONE, NAN),
        (0x7F80_0000, ONE, 0xFF80_0000, NAN),
        (0xFFC1_2345, ONE, ONE, NAN),
        (ONE, ONE, 0xFF80_0001, NAN),
        // A product that is too large is not an infinity to one.
        (0x7F00_0000, 0x4000_0000, 0xFF80_0000, 0xFF80_0000),
        (ONE, 0x3400_0000, ONE, 0x3F80_0001),
        (ONE, 0x3380_0000, ONE, ONE),
        (ONE, 0x3380_0001, ONE, 0x3F80_0001),
    ] {
        let found = mad_blackhole(a, b, c);
        assert_eq!(
            found, expected,
            "{a:#010x}·{b:#010x}+{c:#010x} = {found:#010x}"
        );
    }
}
