//! `--verify-diagnostics`: compares diagnostics with `expected-*` comments.
//!
//! The syntax is MLIR's: `expected-error`, `-warning`, `-note` or `-remark`, then optionally `-re`,
//! then optionally a location, then `{{text}}`. The location is the line of the comment, or `@+N`,
//! `@-N`, `@above`, `@below` (the nearest line without an `expected-*` comment) or `@unknown` (a
//! diagnostic without a location). The text must occur in the message; with `-re` it may contain
//! regular expressions between `{{` and `}}`. Every diagnostic, including every note, must be
//! expected, and every expected diagnostic must be reported exactly once.

use regex::Regex;
use tessera_dialects::mlir::{Diagnostic, FileLineCol, Severity};

/// An expected diagnostic.
#[derive(Debug)]
struct Expected {
    severity: Severity,
    /// The line (from 1) of the diagnostic; `None` for `@unknown`.
    line: Option<usize>,
    /// The line (from 1) of the comment.
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

/// Compares the reported diagnostics with those that `source` expects. Returns one error for each
/// difference.
pub fn check(file: &str, source: &str, reported: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut expected = parse_expected(file, source, &mut errors);
    for diagnostic in reported
        .iter()
        .flat_map(|diagnostic| std::iter::once(diagnostic).chain(&diagnostic.notes))
    {
        match expected
            .iter()
            .position(|expectation| matches(expectation, diagnostic))
        {
            Some(index) => drop(expected.remove(index)),
            None => errors.push(error(
                diagnostic.place.clone(),
                format!("unexpected {}: {}", diagnostic.severity, diagnostic.message),
            )),
        }
    }
    errors.extend(expected.iter().map(|expectation| {
        let message = format!(
            "expected {} \"{}\" was not produced",
            expectation.severity,
            expectation.text.as_str()
        );
        error(Some(line_of(file, expectation.written)), message)
    }));
    errors
}

fn matches(expectation: &Expected, diagnostic: &Diagnostic) -> bool {
    expectation.severity == diagnostic.severity
        && expectation.line == diagnostic.place.as_ref().map(|place| place.line as usize)
        && expectation.text.matches(&diagnostic.message)
}

fn parse_expected(file: &str, source: &str, errors: &mut Vec<Diagnostic>) -> Vec<Expected> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for piece in split_at_keywords(line) {
            match parse_one(piece, index, &lines) {
                Ok(expectation) => found.push(expectation),
                Err(message) => errors.push(error(Some(line_of(file, index + 1)), message)),
            }
        }
    }
    found
}

/// The keyword of each severity.
const WORDS: [(&str, Severity); 4] = [
    ("expected-error", Severity::Error),
    ("expected-warning", Severity::Warning),
    ("expected-note", Severity::Note),
    ("expected-remark", Severity::Remark),
];

/// Splits a line into parts that each begin with an `expected-*` keyword.
fn split_at_keywords(line: &str) -> Vec<&str> {
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

/// Parses one expected diagnostic in a comment on line `index` (from 0).
fn parse_one(piece: &str, index: usize, lines: &[&str]) -> Result<Expected, String> {
    let malformed = || {
        format!(
            "malformed expected diagnostic '{}'; write expected-error@+1 {{{{text}}}}",
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
    let line = resolve_line(place.trim(), index, lines).ok_or_else(malformed)?;
    let text = if is_pattern {
        Text::Pattern(
            text.into(),
            compile_pattern(text).map_err(|error| error.to_string())?,
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

/// Resolves a location to a line (from 1). Returns `Some(None)` for `@unknown`, and `None` if the
/// location is malformed.
fn resolve_line(place: &str, index: usize, lines: &[&str]) -> Option<Option<usize>> {
    let plain = |candidate: &usize| split_at_keywords(lines[*candidate]).is_empty();
    let line = match place {
        "" => index + 1,
        "@unknown" => return Some(None),
        "@above" => (0..index).rev().find(plain)? + 1,
        "@below" => (index + 1..lines.len()).find(plain)? + 1,
        _ => (index + 1).checked_add_signed(place.strip_prefix('@')?.parse().ok()?)?,
    };
    Some(Some(line))
}

/// Compiles literal text with regular expressions between `{{` and `}}`.
fn compile_pattern(text: &str) -> Result<Regex, regex::Error> {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some((literal, after)) = rest.split_once("{{") {
        let (expression, after) = after.split_once("}}").unwrap_or((after, ""));
        pattern.push_str(&regex::escape(literal));
        pattern.push_str(&format!("(?:{expression})"));
        rest = after;
    }
    pattern.push_str(&regex::escape(rest));
    Regex::new(&pattern)
}

fn line_of(file: &str, line: usize) -> FileLineCol {
    FileLineCol {
        file: file.into(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: 1,
    }
}

fn error(place: Option<FileLineCol>, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        place,
        message,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
