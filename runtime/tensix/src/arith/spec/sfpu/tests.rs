use super::*;

/// All datums of 16 bits: what is loaded grows with the datum, doubles with its exponent,
/// begins with 1 where that is 1, and comes back; denormals come back as zeros.
#[test]
fn all_datums_of_16_bits() {
    type Format = (u32, u16, fn(u16) -> u32, fn(u32) -> u16);
    let formats: [Format; 2] = [
        (10, 0x3C00, load_fp16, store_fp16),
        (7, 0x3F80, |x| u32::from(x) << 16, store_bf16),
    ];
    for (mantissa, one, load, store) in formats {
        assert_eq!(load(one), 0x3F80_0000);
        let binade = 1 << mantissa;
        let last = 0x7FFF - binade;
        for x in 0..=0x7FFF {
            let loaded = load(x);
            for sign in [0, 1 << 15] {
                assert_eq!(load(x | sign), loaded | u32::from(sign) << 16);
                let back = if x < binade { 0 } else { x };
                assert_eq!(store(load(x | sign)), back | sign, "{x:#x}");
            }
            assert!(x == 0x7FFF || load(x + 1) > loaded, "{x:#x}");
            if x >= binade && x <= last {
                assert_eq!(load(x + binade), loaded + (1 << 23), "{x:#x}");
            }
        }
    }
}

#[test]
fn conversions() {
    type Row = (&'static str, fn(u32) -> u32, &'static [(u32, u32)]);
    let rows: &[Row] = &[
        (
            "store_bf16",
            |x| store_bf16(x).into(),
            &[
                (0x3F80_FFFF, 0x3F80),
                (0xBF81_8000, 0xBF81),
                (0x8000_0001, 0x8000),
                (0x007F_FFFF, 0x0000),
                (0x7F80_0000, 0x7F80),
            ],
        ),
        (
            "store_fp16",
            |x| store_fp16(x).into(),
            &[
                (0x3F80_0000, 0x3C00),
                (0x3F80_3FFF, 0x3C01),
                (0x3880_0000, 0x0400), // 2^-14
                (0x387F_FFFF, 0x0000),
                (0xB800_0000, 0x8000),
                (0x47FF_E000, 0x7FFF),
                (0x4800_0000, 0x7FFF),
                (0xFF80_0000, 0xFFFF),
            ],
        ),
        (
            "load_fp16",
            |x| load_fp16(x as u16),
            &[
                (0x3C00, 0x3F80_0000),
                (0x7C00, 0x4780_0000),
                (0x8000, 0x8000_0000),
                (0x0001, 0x0000_2000),
            ],
        ),
        (
            "immediate_fp16",
            |x| immediate_fp16(x as u16),
            &[(0x3C00, 0x3F80_0000), (0, 0x3800_0000)],
        ),
        (
            "round_bf16",
            |x| round_bf16(x, HALF),
            &[
                (0x3F80_7FFF, 0x3F80_0000),
                (0x3F80_8000, 0x3F81_0000), // a tie, away from zero
                (0x3F81_8000, 0x3F82_0000),
                (0xBF80_8000, 0xBF81_0000),
                (0x7F7F_8000, 0x7F80_0000),
                (0x8000_0000, 0),
                (0x007F_FFFF, 0),
                (0xFFC0_0001, 0xFF80_0000),
            ],
        ),
        (
            "round_tf32",
            |x| round_tf32(x, HALF),
            &[(0x3F80_0FFF, 0x3F80_0000), (0x3F80_1000, 0x3F80_2000)],
        ),
        (
            "float_of_integer",
            float_of_integer,
            &[
                (0, 0),
                (0x8000_0000, 0x8000_0000),
                (0x8000_0001, 0xBF80_0000),
                (0x0100_0001, 0x4B80_0000), // a tie, to even
                (0x0100_0003, 0x4B80_0002),
                (0x7FFF_FFFF, 0x4F00_0000),
            ],
        ),
        (
            "integer_of_float to 8 bits",
            |x| integer_of_float(x, Integer::I8, HALF),
            &[
                (0x3F00_0000, 1), // 0.5
                (0x3EFF_FFFF, 0),
                (0xBEFF_FFFF, 0),
                (0xBF00_0000, 0x8000_0001),
                (0xC2FE_0000, 0x8000_007F), // -127
                (0xC37F_0000, 0x8000_007F), // -255
                (0x7FC0_0000, 127),
                (0, 0),
            ],
        ),
        (
            "integer_of_float to 16 bits without sign",
            |x| integer_of_float(x, Integer::U16, HALF),
            &[
                (0xBFC0_0000, 2), // -1.5
                (0x477F_FF00, 65535),
                (0x4780_0000, 65535),
            ],
        ),
        (
            "integer_shifted by 4",
            |x| integer_shifted(x, 4, Integer::I8, HALF),
            &[
                (7, 0),
                (8, 1),
                (0x8000_0007, 0),
                (0x8000_0018, 0x8000_0002),
                (0x7FFF_FFFF, 127),
            ],
        ),
        (
            "round_bf16 to zero",
            |x| round_bf16(x, THRESHOLD_BITS),
            &[
                (0x3F80_FFFE, 0x3F80_0000),
                (0x3F80_FFFF, 0x3F81_0000), // away from it, by a fault of the hardware
                (0xBF80_8000, 0xBF80_0000),
            ],
        ),
        (
            "round_bf16 by no bits",
            |x| round_bf16(x, 0),
            &[(0x3F80_0000, 0x3F81_0000), (0x7F7F_0000, 0x7F80_0000)], // up, though nothing is lost
        ),
        (
            "round_tf32 by bits",
            |x| round_tf32(x, 0x1234 << 10 | 0x3FF),
            &[(0x3F80_1233, 0x3F80_0000), (0x3F80_1234, 0x3F80_2000)],
        ),
        (
            "integer_of_float to zero",
            |x| integer_of_float(x, Integer::I16, THRESHOLD_BITS),
            &[
                (0x3F7F_FFFD, 0),
                (0x3F7F_FFFE, 1), // 0.99999988, 0.99999994 and 1.99999988, away from it
                (0x3F7F_FFFF, 1),
                (0x3FFF_FFFE, 1),
                (0x3FFF_FFFF, 2),
                (0xC2C7_FFFF, 0x8000_0063), // -99.99999
            ],
        ),
        (
            "integer_of_float by no bits",
            |x| integer_of_float(x, Integer::U8, 0),
            &[(0x3EFF_FFFF, 0), (0x3F00_0000, 1), (0x4000_0000, 3)],
        ),
        (
            "integer_shifted by 23 to zero",
            |x| integer_shifted(x, 23, Integer::I8, THRESHOLD_BITS),
            &[(0x007F_FFFE, 0), (0x007F_FFFF, 1)],
        ),
        (
            "float_of_integer_stochastic by no bits",
            |x| float_of_integer_stochastic(x, 0),
            &[
                (0, 0),
                (0x8000_0000, 0x8000_0000),
                (0x0100_0000, 0x4B80_0000),
                (0x0100_0001, 0x4B80_0001),
                (0x7FFF_FFFF, 0x4F00_0000),
            ],
        ),
        (
            "float_of_integer_stochastic by half of the bits",
            |x| float_of_integer_stochastic(x, 0x40 << 10),
            &[(0x0100_0001, 0x4B80_0000), (0x0200_0003, 0x4C00_0001)],
        ),
        (
            "with_infinity",
            with_infinity,
            &[
                (0x47FF_E000, 0x7F80_0000),
                (0xC7FF_E000, 0xFF80_0000),
                (0x47FF_C000, 0x47FF_C000),
            ],
        ),
        (
            "twos_complement",
            twos_complement,
            &[(5, 5), (0x8000_0005, 0xFFFF_FFFB), (0x8000_0000, 0)],
        ),
        (
            "abs_float",
            abs_float,
            &[
                (0xBF80_0000, 0x3F80_0000),
                (0xFF80_0000, 0x7F80_0000),
                (0xFF80_0001, 0xFF80_0001),
            ],
        ),
    ];
    for (name, function, cases) in rows {
        for &(input, expected) in *cases {
            assert_eq!(function(input), expected, "{name}({input:#010x})");
        }
    }
}

#[test]
fn integers_with_signs() {
    assert_eq!(sign_magnitude(0xFFFF_FFFB), 0x8000_0005);
    assert_eq!(sign_magnitude(0x8000_0000), 0x8000_0000);
    for x in [0, 5, 0x7FFF_FFFF, 0x8000_0001, 0xFFFF_FFFF] {
        assert_eq!(twos_complement(sign_magnitude(x)), x);
    }
}

#[test]
fn total_order_is_strict() {
    let ascending = [
        0xFFFF_FFFF,
        0xFF80_0000,
        0xBF80_0000,
        0x8000_0001,
        0x8000_0000,
        0,
        1,
        0x3F80_0000,
        0x7FFF_FFFF,
    ];
    for (i, &a) in ascending.iter().enumerate() {
        for (j, &b) in ascending.iter().enumerate() {
            assert_eq!(is_smaller(a, b), i < j, "{a:#x} < {b:#x}");
        }
    }
}
