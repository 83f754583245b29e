use super::*;

#[test]
fn reciprocals() {
    for (x, reciprocal) in [
        (0x3F80_0000, 0x3F7F_0000), // 1: 0.99609375
        (0x3FFF_FFFF, 0x3F00_0000),
        (0x3FC0_0000, 0x3F2A_0000), // 1.5: 0.6640625
        (0x4040_1234, 0x3EAA_0000),
        (0, INFINITY),
        (0x007F_FFFF, INFINITY),
        (0x0080_0000, 0x7E7F_0000),
        (0x7E7F_FFFF, 0x0080_0000),
        (0x7E80_0000, 0),
        (0x7F80_0000, 0),
    ] {
        assert_eq!(approximate_reciprocal(x), reciprocal, "{x:#010x}");
    }
}

#[test]
fn exponentials() {
    for (x, exponential) in [
        (0, ONE),
        (0x0080_0001, 0x3F81_0001),
        (0x3C7F_FFFF, 0x3F81_FFFF),
        (0x3C80_0000, 0x3F82_0000),
        (0x3CC0_0000, 0x3F83_0000),
        (0x3F00_0000, 0x3FD3_0000), // 0.5: 1.6484375
        (0x3F31_FFFF, 0x3FFF_FFFF),
        (0x3F32_0000, 0x4000_0000),
        (0x3F80_0000, 0x402D_0000), // 1: 2.703125
        (0x3FFF_8765, 0x40EA_8765),
        (0x4000_0000, 0x4080_0000),
        (0x7FC0_1234, 0x4080_1234),
    ] {
        assert_eq!(approximate_exponential(x), exponential, "{x:#010x}");
    }
}

/// Both are monotonous in the upper bits, where they approximate.
#[test]
fn order() {
    let uppers = |range: std::ops::Range<u32>| range.step_by(0x1_0000);
    assert!(uppers(SMALLEST..LARGE - 0x1_0000)
        .all(|x| approximate_reciprocal(x) >= approximate_reciprocal(x + 0x1_0000)));
    assert!(uppers(SIXTY_FOURTH..TWO - 0x1_0000)
        .all(|x| approximate_exponential(x) <= approximate_exponential(x + 0x1_0000)));
}
