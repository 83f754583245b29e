use super::*;

const fn int(width: u32, sign: Sign) -> Scalar {
    Scalar::Integer { width, sign }
}

#[test]
fn decodes_and_encodes() {
    use Sign::{Signed, Signless, Unsigned};
    let rows: &[(Scalar, &[u8], Number)] = &[
        (Scalar::BF16, &[0x80, 0x3f], Number::Float(1.0)),
        (Scalar::F16, &[0x01, 0x3c], Number::Float(1.000_976_562_5)),
        (
            Scalar::F32,
            &0.1f32.to_le_bytes(),
            Number::Float(0.1f32.into()),
        ),
        (Scalar::F64, &0.1f64.to_le_bytes(), Number::Float(0.1)),
        (int(1, Signless), &[1], Number::Integer(1)),
        (int(8, Signless), &[255], Number::Integer(-1)),
        (int(8, Unsigned), &[255], Number::Integer(255)),
        (
            int(64, Signed),
            &i64::MIN.to_le_bytes(),
            Number::Integer(i64::MIN.into()),
        ),
        (
            int(64, Unsigned),
            &u64::MAX.to_le_bytes(),
            Number::Integer(u64::MAX.into()),
        ),
        (Scalar::Index, &9u64.to_le_bytes(), Number::Integer(9)),
    ];
    for (scalar, bytes, number) in rows {
        let decoded: Vec<_> = Number::decode(*scalar, bytes).collect();
        assert_eq!(decoded, [*number], "{scalar:?}");
        let mut encoded = Vec::new();
        encode(*number, *scalar, &mut encoded);
        assert_eq!(encoded, *bytes, "{scalar:?}");
    }
}

#[test]
fn rounds_and_clamps_to_the_nearest() {
    let float = Number::Float;
    // 1 + 2^-8 is halfway between two values of bf16: the even one wins.
    assert_eq!(float(1.0 + 1.0 / 256.0).to_float(Scalar::BF16), float(1.0));
    assert_eq!(float(1e300).to_float(Scalar::F32), float(f64::INFINITY));
    assert_eq!(float(1e-300).to_float(Scalar::F32), float(0.0));
    assert!(float(f64::NAN).is(float(f64::NAN).to_float(Scalar::BF16)));
    assert_eq!(Number::Integer(1).to_float(Scalar::BF16), float(1.0));
    let integer = Number::Integer;
    for (value, width, sign, expected) in [
        (integer(5_000_000_000), 32, Sign::Signed, i32::MAX.into()),
        (integer(i64::MIN.into()), 32, Sign::Signed, i32::MIN.into()),
        (
            integer(u64::MAX.into()),
            32,
            Sign::Unsigned,
            u32::MAX.into(),
        ),
        (float(2.5), 32, Sign::Signless, 2),
        (float(f64::INFINITY), 32, Sign::Signless, i32::MAX.into()),
        (integer(-1), 1, Sign::Signless, 0),
        (integer(-128), 8, Sign::Signless, -128),
    ] {
        assert_eq!(
            value.clamp(width, sign),
            integer(expected),
            "{value} {width}"
        );
    }
}

#[test]
fn compares_across_kinds() {
    assert!(Number::Integer(2).is(Number::Float(2.0)));
    assert!(!Number::Integer(2).is(Number::Float(2.5)));
    assert!(!Number::Float(f64::NAN).is(Number::Integer(0)));
    assert!(!Number::Integer((1 << 53) + 1).is(Number::Float(9_007_199_254_740_992.0)));
}
