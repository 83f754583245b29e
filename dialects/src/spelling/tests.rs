use super::suggestion;

#[test]
fn suggests_what_is_near() {
    for (name, expected) in [
        ("canonicalise", "; did you mean 'canonicalize'?"),
        ("ces", "; did you mean 'cse'?"),
        ("reluu", "; did you mean 'relu'?"),
        ("exp2", "; did you mean 'exp'?"),
        // Two edits of three letters are another word.
        ("cos", ""),
        ("conv2d", ""),
    ] {
        let known = ["canonicalize", "cse", "exp", "relu", "matmul"];
        assert_eq!(suggestion(name, known), expected, "{name}");
    }
}
