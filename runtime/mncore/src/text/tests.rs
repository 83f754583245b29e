use super::*;

#[test]
fn floats_print_as_c_prints_them() {
    for (value, expect) in [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-15.5, "-15.5"),
        (496.0, "496"),
        (100000.0, "100000"),
        (999999.5, "1e+06"),
        (1234567.0, "1.23457e+06"),
        (0.0001, "0.0001"),
        (0.0000123456, "1.23456e-05"),
        // Ties go to the even digit.
        (2.765625, "2.76562"),
        (5.421875, "5.42188"),
        (2.00268e-307, "2.00268e-307"),
        (1e100, "1e+100"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        assert_eq!(format_general(value), expect);
    }
}

#[test]
fn words_print_as_the_manual_prints_them() {
    use Format::{BlockDouble, BlockHalf, Double, Half, Plain, Single};
    for (format, word, bits, expect) in [
        (Plain, 0, 64, "(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0)"),
        (
            Plain,
            0x1234_5678_9abc_def0,
            64,
            "(f:5.62635e-221, i:{{0x1234,0x5678},{0x9ABC,0xDEF0}}, v:0x123456789ABCDEF0)",
        ),
        (
            Plain,
            0x5555_6666_7777_8888,
            64,
            "(f:1.19826e+103, i:{{0x5555,0x6666},{0x7777,0x8888}}, v:0x5555666677778888)",
        ),
        (
            Plain,
            0x42_0042_0000_0042,
            64,
            "(f:2.00268e-307, i:{{0x42,0x42},{0x0,0x42}}, v:0x42004200000042)",
        ),
        (Double, 0x3ff0 << 48, 64, "(1) (0x3ff0000000000000)"),
        (Double, 0x8000 << 48 | 1, 64, "(-0) (0x8000000000000001)"),
        (Double, 0x7ff0 << 48 | 1, 64, "(inf) (0x7ff0000000000001)"),
        (
            Single,
            0x3f80_0000_c234_0000,
            64,
            "(1, -45) (0x3f800000, 0xc2340000)",
        ),
        (Single, 0x3f80_0000_c234_0000, 32, "(1) (0x3f800000)"),
        (
            Half,
            0x3f90_07c0_4234_803e,
            64,
            "(1.78125, 6.98492e-09, 4.40625, -0) (0x3f90, 0x07c0, 0x4234, 0x803e)",
        ),
        (Half, 0x3f00_3f00 << 32, 32, "(1.5, 1.5) (0x3f00, 0x3f00)"),
        (BlockDouble, 0x3ff8 << 48, 64, "(1) (0x3ff8000000000000)"),
        (BlockDouble, 0x400c << 48, 64, "(3) (0x400c000000000000)"),
        (
            BlockHalf,
            0xbf00_4100_4080_3f00,
            64,
            "(-1, 2, 1, 1) (0xbf00, 0x4100, 0x4080, 0x3f00)",
        ),
    ] {
        assert_eq!(format.format_word(word, bits), expect);
    }
}
