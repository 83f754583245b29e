//! Suggestions for misspelt names.

use tessera_diagnostic::nearest;

/// Returns `; did you mean 'x'?` for the known name that is [`nearest`]; an empty text if none is
/// near.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |known| format!("; did you mean '{known}'?"))
}

#[cfg(test)]
mod tests;
