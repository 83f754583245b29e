use super::*;

#[test]
fn words() {
    for (word, value) in WANTED {
        assert_eq!(
            (Wanted::of_word(word), value.to_string()),
            (Some(value), word.into())
        );
    }
    for (word, value) in F32_MATMUL {
        assert_eq!(F32Matmul::of_word(word), Some(value));
    }
    assert_eq!(F32Matmul::of_word("half"), None);
    assert_eq!(Wanted::of_word(Wanted::WORDS[0]), Some(Wanted::default()));
    assert_eq!(
        F32Matmul::of_word(F32Matmul::WORDS[0]),
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
            precision: Wanted::of_word(precision).unwrap(),
            f32_matmul: F32Matmul::of_word(f32_matmul).unwrap(),
        };
        assert_eq!(options.precision(factors), expect, "{options:?}");
    }
}
