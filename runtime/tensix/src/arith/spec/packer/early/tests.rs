use super::*;

#[test]
fn rounding_and_truncation_of_eight_exponent_bits() {
    use Type::{Bf16, E8m6, Tf32};
    for (to, x, rounded) in [
        (Bf16, 0x3F80_0000, 0x3F80_0000),
        (Bf16, 0x3F80_7FFF, 0x3F80_0000),
        (Bf16, 0x3F80_8000, 0x3F81_0000), // tie, away from zero
        (Bf16, 0x3F81_8000, 0x3F82_0000),
        (Bf16, 0xBF80_8000, 0xBF81_0000),
        (Bf16, 0x8000_0000, 0x0000_0000),
        (Bf16, 0x0040_0000, 0x0000_0000), // denormal
        (Bf16, 0x007F_8000, 0x0080_0000), // denormal that rounds to a normal number
        (Bf16, 0x7F7F_8000, 0x7F80_0000), // rounds to infinity
        (Bf16, 0x7F80_0000, 0x7F80_0000),
        (Bf16, 0xFF80_0001, 0xFF80_0000), // not a number
        (Bf16, 0xFFFF_FFFF, 0xFF80_0000),
        (Tf32, 0x3F80_0FFF, 0x3F80_0000),
        (Tf32, 0x3F80_1000, 0x3F80_2000),
        (Tf32, 0x7FC0_0000, 0x7F80_0000),
        (E8m6, 0x3F81_0000, 0x3F82_0000),
        (E8m6, 0x3F80_FFFF, 0x3F80_0000),
        (E8m6, 0xBF83_0000, 0xBF84_0000),
    ] {
        assert_eq!(
            EarlyConversion::Round8.apply(to, x),
            rounded,
            "{to:?} {x:#010x}"
        );
    }
    assert_eq!(
        EarlyConversion::Round8.apply(E8m6, 0x007F_0000),
        0x0080_0000
    );
    assert_eq!(EarlyConversion::RoundNarrow8.apply(E8m6, 0x007F_0000), 0);
    assert_eq!(
        EarlyConversion::RoundNarrow8.apply(E8m6, 0x3F81_0000),
        0x3F82_0000
    );
    for (x, truncated) in [
        (0x3F80_FFFF, 0x3F80_0000),
        (0x8000_FFFF, 0x8000_0000),
        (0xFFFF_FFFF, 0xFFFF_0000),
    ] {
        assert_eq!(
            EarlyConversion::Truncate.apply(Bf16, x),
            truncated,
            "{x:#010x}"
        );
    }
}

#[test]
fn five_exponent_bits() {
    use Type::{E5m6, E5m7, Fp16, Fp8};
    for (early, to, x, expect) in [
        (EarlyConversion::Round5, Fp16, 0x3C01, 0x3C01),
        (EarlyConversion::Round5, Fp16, 0x8000, 0),
        (EarlyConversion::Round5, Fp16, 0x83FF, 0),
        (EarlyConversion::Round5, Fp16, 0xFFFF, 0xFFFF),
        (EarlyConversion::Round5, E5m6, 0x3C08, 0x3C10),
        (EarlyConversion::Round5, E5m6, 0xBC07, 0xBC00),
        (EarlyConversion::Round5, E5m6, 0x7FFF, 0x7FF0),
        (EarlyConversion::Round5, E5m6, 0x03F8, 0x0400),
        (EarlyConversion::Truncate, E5m7, 0xBC0F, 0xBC08),
        (EarlyConversion::Truncate, E5m7, 0x800F, 0x8008),
        (EarlyConversion::Truncate, Fp8, 0x3DFF, 0x3D00),
    ] {
        assert_eq!(early.apply(to, x), expect, "{early:?} {to:?} {x:#06x}");
    }
}

#[test]
fn integers() {
    let shift = |shift| EarlyConversion::Descale { shift };
    for (early, to, x, expect) in [
        (shift(0), Type::Int8, 0x8000_0005, 0x85),
        (shift(0), Type::Int8, 200, 127),
        (shift(0), Type::Int8, 0x8000_0000, 0x80),
        (shift(3), Type::Int8, 20, 3), // 2.5
        (shift(3), Type::Int8, 0x8000_0013, 0x82),
        (shift(31), Type::Int8, 0x7FFF_FFFF, 1),
        (shift(0), Type::Uint8, 200, 200),
        (shift(0), Type::Uint8, 256, 255),
        (shift(4), Type::Uint8, 0x8000_0FFF, 0),
        (EarlyConversion::LowBits, Type::Int8, 0x8000_01FF, 0xFF),
        (EarlyConversion::LowBits, Type::Uint8, 0x8000_01FE, 0xFE),
        (EarlyConversion::Sign, Type::Int8, 0xFFFF, 0x80),
        (EarlyConversion::Identity, Type::Int16, 0xBEEF, 0xBEEF),
    ] {
        assert_eq!(early.apply(to, x), expect, "{early:?} {to:?} {x:#x}");
    }
}
