//! Suggestions for misspelt names.

/// The most letters that a suggestion may differ by.
const MOST: usize = 2;

/// Returns `; did you mean 'x'?` for a name that is at most two edits away from a known one, or one
/// if that has no more than three letters; an empty text for others.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance = |known: &'a str| (strsim::osa_distance(name, known), known);
    known
        .into_iter()
        .map(distance)
        .filter(|(distance, known)| *distance <= MOST && (*distance == 1 || known.len() > 3))
        .min()
        .map_or_else(String::new, |(_, known)| {
            format!("; did you mean '{known}'?")
        })
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
