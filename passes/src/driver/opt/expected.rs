//! `--verify-diagnostics`: diagnostics announced in comments.
//!
//! The forms are MLIR's: `expected-error`, `-warning`, `-note` or `-remark`, then optionally `-re`,
//! then optionally the place, then `{{text}}`. The place is the line of the comment, or `@+N`,
//! `@-N`, `@above`, `@below` (the nearest line without an announcement) or `@unknown` (a diagnostic
//! without a place). The text must occur in the message; with `-re` it may hold regular expressions
//! between `{{` and `}}`. Every diagnostic, also every note, must be announced, and every
//! announcement must come true once.

use regex::Regex;
use tessera_dialects::mlir::{Diagnostic, Place, Severity};

/// One announcement.
#[derive(Debug)]
struct Expected {
    severity: Severity,
    /// The line (from 1) it is about; nothing for `@unknown`.
    line: Option<usize>,
    /// The line it stands on.
    written: usize,
    text: Text,
}

#[derive(Debug)]
enum Text {
    Plain(String),
    Pattern(String, Regex),
}

impl Text {
    fn matches(&self, message: &str) -> bool {
        match self {
            Text::Plain(text) => message.contains(text),
            Text::Pattern(_, regex) => regex.is_match(message),
        }
    }

    fn as_str(&self) -> &str {
        match self {
            Text::Plain(text) | Text::Pattern(text, _) => text,
        }
    }
}

/// Compares what was reported with what `source` announces; the result is what is wrong, empty if
/// nothing.
pub fn check(file: &str, source: &str, reported: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut expected = announcements(file, source, &mut errors);
    for diagnostic in reported
        .iter()
        .flat_map(|diagnostic| std::iter::once(diagnostic).chain(&diagnostic.notes))
    {
        match expected
            .iter()
            .position(|announced| agrees(announced, diagnostic))
        {
            Some(index) => drop(expected.remove(index)),
            None => errors.push(error(
                diagnostic.place.clone(),
                format!("unexpected {}: {}", diagnostic.severity, diagnostic.message),
            )),
        }
    }
    errors.extend(expected.iter().map(|announced| {
        let message = format!(
            "expected {} \"{}\" was not produced",
            announced.severity,
            announced.text.as_str()
        );
        error(Some(line_of(file, announced.written)), message)
    }));
    errors
}

fn agrees(announced: &Expected, diagnostic: &Diagnostic) -> bool {
    announced.severity == diagnostic.severity
        && announced.line == diagnostic.place.as_ref().map(|place| place.line as usize)
        && announced.text.matches(&diagnostic.message)
}

fn announcements(file: &str, source: &str, errors: &mut Vec<Diagnostic>) -> Vec<Expected> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for piece in pieces(line) {
            match announcement(piece, index, &lines) {
                Ok(announced) => found.push(announced),
                Err(message) => errors.push(error(Some(line_of(file, index + 1)), message)),
            }
        }
    }
    found
}

/// The severities with the word that announces them.
const WORDS: [(&str, Severity); 4] = [
    ("expected-error", Severity::Error),
    ("expected-warning", Severity::Warning),
    ("expected-note", Severity::Note),
    ("expected-remark", Severity::Remark),
];

/// Returns the parts of a line that begin with an announcement.
fn pieces(line: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = WORDS
        .iter()
        .flat_map(|(word, _)| line.match_indices(word))
        .map(|(index, _)| index)
        .collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &line[*start..end])
        .collect()
}

/// Reads one announcement that stands on line `index` (from 0).
fn announcement(piece: &str, index: usize, lines: &[&str]) -> Result<Expected, String> {
    let malformed = || {
        format!(
            "malformed announcement '{}'; write expected-error@+1 {{{{text}}}}",
            piece.trim()
        )
    };
    let (severity, rest) = WORDS
        .iter()
        .find_map(|(word, severity)| Some((*severity, piece.strip_prefix(word)?)))
        .ok_or_else(malformed)?;
    let (is_pattern, rest) = match rest.strip_prefix("-re") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (place, rest) = rest.split_once("{{").ok_or_else(malformed)?;
    let (text, _) = rest.rsplit_once("}}").ok_or_else(malformed)?;
    let line = line_meant(place.trim(), index, lines).ok_or_else(malformed)?;
    let text = if is_pattern {
        Text::Pattern(
            text.into(),
            pattern(text).map_err(|error| error.to_string())?,
        )
    } else {
        Text::Plain(text.into())
    };
    Ok(Expected {
        severity,
        line,
        written: index + 1,
        text,
    })
}

/// Returns the line (from 1) a place means, nothing inside if it means no line at all, or `None` if
/// it is malformed.
fn line_meant(place: &str, index: usize, lines: &[&str]) -> Option<Option<usize>> {
    let plain = |candidate: &usize| pieces(lines[*candidate]).is_empty();
    let line = match place {
        "" => index + 1,
        "@unknown" => return Some(None),
        "@above" => (0..index).rev().find(plain)? + 1,
        "@below" => (index + 1..lines.len()).find(plain)? + 1,
        _ => (index + 1).checked_add_signed(place.strip_prefix('@')?.parse().ok()?)?,
    };
    Some(Some(line))
}

/// Literal text with regular expressions between `{{` and `}}`.
fn pattern(text: &str) -> Result<Regex, regex::Error> {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some((literal, behind)) = rest.split_once("{{") {
        let (expression, behind) = behind.split_once("}}").unwrap_or((behind, ""));
        pattern.push_str(&regex::escape(literal));
        pattern.push_str(&format!("(?:{expression})"));
        rest = behind;
    }
    pattern.push_str(&regex::escape(rest));
    Regex::new(&pattern)
}

fn line_of(file: &str, line: usize) -> Place {
    Place {
        file: file.into(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: 1,
    }
}

fn error(place: Option<Place>, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        place,
        message,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
