//! Suggestions for misspelt names.

use tessera_diagnostic::nearest;

/// Returns `; did you mean 'x'?` for the known name that is [`nearest`]; an empty text if none is
/// near.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |known| format!("; did you mean '{known}'?"))
}

#[cfg(test)]
mod tests {
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
}
