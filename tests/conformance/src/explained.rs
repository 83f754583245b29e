//! Expected failures of public files that are not defects of this project, with their reasons:
//! `explained.txt`.
//!
//! A case that fails although it is listed counts as explained, and its reason is printed with it.

/// Group, end of the name, reason.
type Entry<'a> = (&'a str, &'a str, &'a str);

const LIST: &str = include_str!("../explained.txt");

/// Parses a list; the error is the first line that is not an entry.
fn entries(text: &str) -> Result<Vec<Entry<'_>>, &str> {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line| {
        let (place, reason) = str::split_once(line, ": ")?;
        let (group, name) = place.split_once(' ')?;
        Some((group, name, reason))
    };
    lines.map(|line| entry(line).ok_or(line)).collect()
}

/// Returns the reason why a case may fail, if it is listed.
pub fn reason(group: &str, name: &str) -> Option<&'static str> {
    let entries = entries(LIST).unwrap_or_default();
    let found = entries.into_iter().find(|(of, end, _)| {
        let before = name.strip_suffix(end);
        *of == group && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    });
    found.map(|(_, _, reason)| reason)
}

#[cfg(test)]
mod tests;
