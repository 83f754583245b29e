use super::*;

#[test]
fn from_fp32() {
    for (x, bf16, fp16) in [
        (0x3F80_0000, 0x3F80, 0x3C00),
        (0xBF80_FFFF, 0xBF80, 0xBC07),
        (0x0000_0000, 0, 0),
        (0x8000_0000, 0x8000, 0x8000),
        // Denormals keep their sign only.
        (0x807F_FFFF, 0x8000, 0x8000),
        (0x0080_0001, 0x0080, 0),
        // 2^-16 is too small; 2^-15 gets exponent 0 and keeps its mantissa.
        (0x37FF_FFFF, 0x37FF, 0),
        (0x3800_2000, 0x3800, 0x0001),
        (0x3880_0000, 0x3880, 0x0400),
        // The largest exponent is an ordinary one, what is beyond saturates, infinity and NaN
        // too.
        (0x47FF_DFFF, 0x47FF, 0x7FFE),
        (0xC800_0000, 0xC800, 0xFFFF),
        (0x7F80_0000, 0x7F80, 0x7FFF),
        (0x7F80_0001, 0x7F80, 0x7FFF),
    ] {
        assert_eq!(
            (bf16_from_fp32(x), fp16_from_fp32(x)),
            (bf16, fp16),
            "{x:#x}"
        );
    }
}

#[test]
fn from_eight_bits() {
    for (x, fp8, int8, uint8) in [
        (0x00, 0, 0, 0),
        (0x01, 0x0100, 0x4001, 0x4001),
        (0x7F, 0x7F00, 0x407F, 0x407F),
        (0x80, 0x8000, 0x8000, 0x4080),
        (0x81, 0x8100, 0xC001, 0x4081),
        (0xFF, 0xFF00, 0xC07F, 0x40FF),
    ] {
        let all = (fp16_from_fp8(x), fp16_from_int8(x), fp16_from_uint8(x));
        assert_eq!(all, (fp8, int8, uint8), "{x:#x}");
    }
}

/// Datum, FP16 of e5m2 on Blackhole, FP16 of e4m3.
#[test]
fn from_fp8() {
    for (x, e5m2, e4m3) in [
        (0x00, 0, 0),
        (0x80, 0x8000, 0x8000),
        (0x05, 0x0500, 0x0280),
        (0x38, 0x3800, 0x3C00),
        (0x3C, 0x3C00, 0x3E00),
        (0x7E, 0x7E00, 0x5F00),
        (0x7F, 0x7FFF, 0x5FFF),
        (0xFF, 0xFFFF, 0xDFFF),
    ] {
        let both = (fp16_from_fp8_blackhole(x), fp16_from_fp8_4b(x));
        assert_eq!(both, (e5m2, e4m3), "{x:#x}");
    }
}

/// Datum, exponent, BF16 of BFP8, FP16 of BFP8a.
#[test]
fn from_blocks() {
    for (datum, exponent, bf16, fp16) in [
        // 64 / 2^6, 127 / 2^6, 1 / 2^6
        (0x40, 127, 0x3F80, None),
        (0xFF, 127, 0xBFFE, None),
        (0x40, 15, 0x0780, Some(0x3C00)),
        (0xFF, 15, 0x87FE, Some(0xBFF0)),
        (0x01, 15, 0x0480, Some(0x2400)),
        // Zero is zero or, with a sign, minus infinity; the exponent does not matter.
        (0x00, 255, 0x0000, Some(0)),
        (0x80, 200, 0xFF80, Some(0xFC00)),
        // An exponent that is too small wraps round.
        (0x01, 3, 0x7E80, None),
        (0x20, 32, 0x0F80, Some(0x7C00)),
        (0x40, 32, 0x1000, None),
    ] {
        let both = (
            bf16_from_bfp8(datum, exponent),
            fp16_from_bfp8a(datum, exponent),
        );
        assert_eq!(both, (bf16, fp16), "{datum:#x} {exponent}");
    }
}
