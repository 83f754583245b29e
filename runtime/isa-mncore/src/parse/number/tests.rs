use super::*;

#[test]
fn naturals() {
    for (text, value, rest) in [
        ("12v", 12, "v"),
        ("0x1fv", 31, "v"),
        ("0b101r", 5, "r"),
        ("0o17", 15, ""),
        ("0b", 0, "b"),
        ("007", 7, ""),
    ] {
        let mut cursor = Cursor::new(1, text);
        assert_eq!(cursor.natural("n").unwrap(), value, "{text}");
        assert_eq!(cursor.rest(), rest);
    }
    for text in ["", "v", "-1", "99999999999999999999"] {
        assert!(Cursor::new(1, text).natural("n").is_err(), "{text}");
    }
}

#[test]
fn immediates() {
    for (text, word) in [
        ("f\"-1.0\"", 0xbf80_0000u32),
        ("h\"1.5\"", 0x3f00_3f00),
        ("us\"0x8000\"", 0x8000_8000),
        ("s\"7\"", 0x0007_0007),
        ("s\"-1\"", 0xffff_ffff),
        ("i\"-2147483648\"", 0x8000_0000),
        ("ui\"4294967295\"", 0xffff_ffff),
        ("f\"3.14\"", 0x4048_f5c3),
        ("f\"0x1.8p1\"", 0x4040_0000),
        ("f\"inf\"", 0x7f80_0000),
        ("h\"-0\"", 0x8000_8000),
        ("h\"1e30\"", 0x7e00_7e00),
        ("h\"1e-30\"", 0),
        ("i\"+5\"", 5),
    ] {
        let mut cursor = Cursor::new(1, text);
        assert_eq!(cursor.immediate().unwrap(), word, "{text}");
        assert!(cursor.is_end());
    }
}

#[test]
fn immediates_out_of_range_or_shape() {
    for (text, message) in [
        ("s\"0x8000\"", "32768 is not in -32768 to 32767"),
        ("ui\"-1\"", "an unsigned immediate has no sign"),
        ("i\"1.5\"", "`1.5` is not an integer"),
        ("f\"nan\"", "not a floating-point number of C"),
        ("f\"--1\"", "not a floating-point number of C"),
        ("d\"1\"", "an immediate has no room for a long word"),
        ("i\"1", "the immediate's closing quote is missing"),
        (
            "i1",
            "an immediate is f, h, i, s, ui or us and a number in double quotes, such as i\"1\"",
        ),
    ] {
        let error = Cursor::new(1, text).immediate().unwrap_err();
        assert_eq!(error.message, message, "{text}");
    }
}

#[test]
fn halves_round_to_even() {
    for (value, bits) in [
        (1.0f32, 0x3e00),
        (1.0 + 1.0 / 1024.0, 0x3e00),
        (1.0 + 3.0 / 1024.0, 0x3e02),
        (1.999_999, 0x4000),
        (-0.25, 0xba00),
    ] {
        assert_eq!(half_bits(value), bits, "{value}");
    }
}
