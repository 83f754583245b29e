//! Rendering of diagnostics, with remarks of the same kind grouped.

use super::diagnostic::{render, Diagnostic, Severity, SourceText};
use std::collections::HashMap;

/// Renders diagnostics. Remarks that differ only in names and numbers are grouped: the first is
/// rendered in one line with their count. Remarks for which `is_asked` returns true are not
/// grouped.
pub fn render_summary<'t>(
    diagnostics: &[Diagnostic],
    source: impl Into<SourceText<'t>>,
    is_asked: impl Fn(&str) -> bool,
) -> String {
    let source = source.into();
    let grouped =
        |diagnostic: &Diagnostic| kind(diagnostic).filter(|_| !is_asked(&diagnostic.message));
    let kinds: Vec<_> = diagnostics.iter().map(grouped).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for kind in kinds.iter().flatten() {
        *counts.entry(kind).or_default() += 1;
    }
    let mut text = String::new();
    let mut alone = Vec::new();
    for (diagnostic, kind) in diagnostics.iter().zip(&kinds) {
        let count = match kind {
            Some(kind) if counts.get(kind.as_str()) != Some(&1) => counts.remove(kind.as_str()),
            _ => {
                alone.push(diagnostic.clone());
                continue;
            }
        };
        let Some(count) = count else {
            continue;
        };
        text.push_str(&render(&std::mem::take(&mut alone), source.clone()));
        text.push_str(&format!(
            "{diagnostic} ({count} remarks of this kind; --verbose shows all)\n"
        ));
    }
    text.push_str(&render(&alone, source));
    text
}

/// Returns the key by which remarks are grouped: the text without names and numbers. Returns `None`
/// for diagnostics that are never grouped.
fn kind(diagnostic: &Diagnostic) -> Option<String> {
    if diagnostic.severity != Severity::Remark || !diagnostic.notes.is_empty() {
        return None;
    }
    let mut kind = String::new();
    for (number, part) in diagnostic.message.split('\'').enumerate() {
        // Every other part is in quotes.
        if number % 2 == 0 {
            let words = part.split_whitespace().filter(|word| !is_name(word));
            words.for_each(|word| kind.extend([" ", word]));
        }
    }
    Some(kind)
}

/// Returns whether a word is a number, a type, or the name of an operation or a symbol.
fn is_name(word: &str) -> bool {
    let inside = word.trim_end_matches(['.', ',', ';', ':']);
    inside.contains(|c: char| c.is_ascii_digit() || "@._".contains(c))
}

#[cfg(test)]
mod tests;
