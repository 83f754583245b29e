use super::*;

fn late(from: Type, to: Format) -> LateConversion {
    LateConversion::new(from, from.kind(false), to).unwrap()
}

#[test]
fn conversions() {
    use Type::{Bf16, Bits32, E5m7, Fp16, Fp8, Int16, Tf32};
    for (from, to, x, expect) in [
        (Bits32, Format::FP32, 0xFFFF_FFFF, 0xFFFF_FFFF),
        (Bits32, Format::BF16, 0x3F80_FFFF, 0x3F80),
        (Bits32, Format::BF16, 0x7F80_0001, 0x7F80),
        (Bits32, Format::BF16, 0x0040_0000, 0),
        (Bf16, Format::BF16, 0x8040_0000, 0x8040),
        (Bf16, Format::FP32, 0x8040_0000, 0x8040_0000),
        (Tf32, Format::TF32, 0x3F80_2000, 0x3F80_2000),
        (Bits32, Format::FP16, 0x3F80_3FFF, 0x3C01),
        (Bits32, Format::FP16, 0xC780_0000, 0xFC00), // −65536, FP16's largest exponent here
        (Bits32, Format::FP16, 0x4800_0000, 0x7FFF),
        (Bits32, Format::FP16, 0xFFC0_0000, 0xFFFF),
        (Bits32, Format::FP16, 0xB780_0000, 0x8000), // −2^-16
        (Bits32, Format::FP16, 0x3800_0000, 0x0000), // 2^-15
        (Bits32, Format::FP16, 0x3840_0000, 0x0200), // 1.5 · 2^-15
        (Bits32, Format::FP8, 0xBFE0_0000, 0xBF),
        (Bits32, Format::FP8, 0x4800_0000, 0x7F),
        (Bits32, Format::BFP8, 0x3F81_FFFF, 0x3F81),
        (Bits32, Format::BFP4, 0x807F_FFFF, 0),
        (Bits32, Format::BFP8A, 0xBF81_FFFF, 0x8781),
        (Fp16, Format::FP32, 0x3C01, 0x3F80_2000),
        (Fp16, Format::FP32, 0x8001, 0x8000_2000),
        (Fp16, Format::FP32, 0x7FFF, 0x47FF_E000),
        (Fp16, Format::BF16, 0xBC0F, 0xBF81),
        (Fp16, Format::BF16, 0x8000, 0),
        (Fp16, Format::FP8, 0x3DFF, 0x3D),
        (Fp16, Format::FP16, 0x8001, 0x8001),
        (Fp16, Format::BFP8, 0xBC0F, 0xBF81),
        (Fp16, Format::BFP8A, 0xBC0F, 0x8781),
        (E5m7, Format::FP16, 0xBC08, 0xBC08),
        (Fp8, Format::FP8, 0x8100, 0x81),
        (Int16, Format::INT16, 0xBEEF, 0xBEEF),
    ] {
        let late = late(from, to);
        assert_eq!(
            (late.apply(x), late.is_undefined(x)),
            (expect, false),
            "{from:?} to {to}: {x:#x}"
        );
    }
}

#[test]
fn unknown_datums() {
    use Type::{Bits32, E5m7, Fp16};
    for (from, to, x) in [
        (Bits32, Format::BF16, 0x8000_0000),
        (Bits32, Format::BF16, 0x8040_0000),
        (Bits32, Format::FP8, 0x3840_0000),
        (Bits32, Format::BFP8A, 0xB87F_FFFF),
        (Fp16, Format::TF32, 0x8001),
        (E5m7, Format::BF16, 0x8000),
        (E5m7, Format::BF16, 0x0008),
        (Fp16, Format::FP8, 0x8000),
    ] {
        assert!(late(from, to).is_undefined(x), "{from:?} to {to}: {x:#x}");
    }
}

#[test]
fn pairs_that_do_not_exist() {
    for (from, integer, to) in [
        (Type::Bits32, false, Format::TF32),
        (Type::Bits32, false, Format::INT32),
        (Type::Bits32, true, Format::FP32),
        (Type::Int16, false, Format::INT8),
        (Type::Uint8, false, Format::BFP8),
        (Type::Fp16, false, Format::INT16),
        (Type::Bf16, false, Format::from_code(12)),
    ] {
        assert_eq!(
            LateConversion::new(from, from.kind(integer), to),
            None,
            "{from:?} to {to}"
        );
    }
}
