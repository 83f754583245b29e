use super::*;

#[test]
fn words() {
    for (word, value) in PRECISION_CHOICES {
        assert_eq!(
            (PrecisionChoice::from_name(word), value.to_string()),
            (Some(value), word.into())
        );
    }
    for (word, value) in F32_MATMUL {
        assert_eq!(F32Matmul::from_name(word), Some(value));
    }
    assert_eq!(F32Matmul::from_name("half"), None);
    assert_eq!(
        PrecisionChoice::from_name(PrecisionChoice::NAMES[0]),
        Some(PrecisionChoice::default())
    );
    assert_eq!(
        F32Matmul::from_name(F32Matmul::NAMES[0]),
        Some(F32Matmul::default())
    );
}

#[test]
fn precisions() {
    use Element::{Bf16, F32};
    for (precision, f32_matmul, factors, expect) in [
        ("auto", "pseudo", [Bf16, Bf16], Precision::Pseudo),
        ("auto", "single", [Bf16, Bf16], Precision::Pseudo),
        ("auto", "single", [Bf16, F32], Precision::Single),
        ("auto", "pseudo", [F32, F32], Precision::Pseudo),
        ("half", "single", [F32, F32], Precision::Half),
        ("double", "pseudo", [Bf16, Bf16], Precision::Double),
    ] {
        let options = Options {
            precision: PrecisionChoice::from_name(precision).unwrap(),
            f32_matmul: F32Matmul::from_name(f32_matmul).unwrap(),
        };
        assert_eq!(options.precision(factors), expect, "{options:?}");
    }
}
