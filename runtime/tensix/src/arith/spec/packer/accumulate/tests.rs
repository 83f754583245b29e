use super::*;

#[test]
fn fp32_sums() {
    for (a, b, sum) in [
        (0x3F80_0000, 0x3F80_0000, 0x4000_0000),
        (0x3F80_0000, 0xBF80_0000, 0),
        (0x8000_0000, 0x8000_0000, 0x8000_0000),
        (0x8000_0000, 0, 0),
        (0x8000_0001, 0x8000_0000, 0x8000_0000),
        (0x3F80_0000, 0x3380_0000, 0x3F80_0000), // 1 + 2^-24, to even
        (0x3F80_0001, 0x3380_0000, 0x3F80_0002),
        (0x3F80_0000, 0x3380_0001, 0x3F80_0001),
        (0x3F80_0000, 0xB300_0000, 0x3F80_0000), // 1 − 2^-25, to even
        (0x7F7F_FFFF, 0x7F7F_FFFF, 0x7F80_0000),
        (0x0080_0000, 0x8080_0001, 0x8000_0000), // the difference is a denormal
        (0x7F80_0000, 0xFF80_0000, 0x7FC0_0000),
        (0xFF80_0000, 0x3F80_0000, 0xFF80_0000),
        (0xFFFF_FFFF, 0, 0x7FC0_0000),
    ] {
        assert_eq!((fp32(a, b), fp32(b, a)), (sum, sum), "{a:#x} {b:#x}");
    }
}

#[test]
fn bf16_sums() {
    for (stored, datum, sum) in [
        (0x3F80, 0x3F80, 0x4000),
        (0x3F80, 0x3B80, 0x3F80), // 1 + 2^-8, to even
        (0x3F81, 0x3B80, 0x3F82),
        (0x7F80, 0xFF80, 0x7FC0),
        (0x7FC0, 0x3F80, 0x7F80),
        (0xFFC0, 0x7FFF, 0xFF80),
        (0x7FC0, 0xFF80, 0xFF80),
        (0xFF7F, 0x7F81, 0x7C40), // 2^128 · 1.0078125 less the largest
        (0x3F80, 0x7F81, 0x7F80),
        (0x0001, 0x8000, 0x0000),
    ] {
        assert_eq!(bf16(stored, datum), sum, "{stored:#x} {datum:#x}");
    }
}

#[test]
fn fp16_sums() {
    for (stored, datum, sum) in [
        (0x3C00, 0x3C00, 0x4000),
        (0x3C00, 0x1000, 0x3C00), // 1 + 2^-11, to even
        (0x7C00, 0x3C00, 0x7C00),
        (0x7FFF, 0x7FFF, 0x7FFF),
        (0x7800, 0xF800, 0x7FFF), // the two cancel
        (0x7400, 0xF400, 0x0000),
        (0x0400, 0x8600, 0x8000), // −1.0 · 2^-15
        (0x0400, 0x8401, 0xFFFF), // far below the range
        (0x8001, 0x8001, 0x8000),
    ] {
        assert_eq!(fp16(stored, datum), sum, "{stored:#x} {datum:#x}");
    }
}
