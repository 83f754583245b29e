use super::*;

#[test]
fn sizes() {
    let all = (0..16).map(Format::from_code);
    let sizes: Vec<String> = all
        .map(|format| {
            let bits = format.bits().unwrap_or_default();
            format!(
                "{format} {bits}{}",
                if format.is_block() { "+" } else { "" }
            )
        })
        .collect();
    assert_eq!(
        sizes.join(", "),
        "FP32 32, FP16 16, BFP8a 8+, BFP4a 4+, TF32 32, BF16 16, BFP8 8+, BFP4 4+, INT32 32, INT16 \
         16, FP8 8, BFP2a 2+, 12 0, 13 0, INT8 8, BFP2 2+"
    );
}
