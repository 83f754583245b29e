//! Diagnostics about source texts in the style of LLVM: file, line and column, message, source line
//! with a caret, notes, and a hint.
//!
//! Both assemblers use this crate, which depends on neither. [`nearest`] suggests a name for a
//! misspelt one.

use std::fmt::Write;

/// A range of characters in a line; both are counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The line.
    pub line: u32,
    /// The first character.
    pub column: u32,
    /// The number of characters.
    pub length: u32,
}

/// A diagnostic about a source text.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: &'a str,
    /// Other locations with their messages.
    pub notes: &'a [(Span, String)],
    /// What to do instead.
    pub hint: Option<&'a str>,
}

impl Finding<'_> {
    /// Renders the diagnostic about the text `source` of a file.
    pub fn render(&self, file: &str, source: &str) -> String {
        let mut out = String::new();
        excerpt(&mut out, file, source, self.span, "error", self.message);
        for (span, label) in self.notes {
            excerpt(&mut out, file, source, *span, "note", label);
        }
        if let Some(hint) = self.hint {
            writeln!(out, "hint: {hint}").expect("a String takes everything");
        }
        out
    }
}

/// The greatest number of characters of a source line that are shown.
const SHOWN: usize = 160;

/// Writes a message about `span`, and its line with its characters marked.
fn excerpt(out: &mut String, file: &str, source: &str, span: Span, kind: &str, message: &str) {
    let Span { line, column, .. } = span;
    writeln!(out, "{file}:{line}:{column}: {kind}: {message}").expect("a String takes everything");
    let Some(line) = source.lines().nth(line.saturating_sub(1) as usize) else {
        return;
    };
    let column = column.saturating_sub(1) as usize;
    let start = column.saturating_sub(SHOWN / 2);
    let shown: String = line
        .chars()
        .skip(start)
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let marks = (span.length.max(1) as usize).min(SHOWN - (column - start).min(SHOWN - 1));
    writeln!(out, "  {shown}").expect("a String takes everything");
    writeln!(out, "  {}{}", " ".repeat(column - start), "^".repeat(marks))
        .expect("a String takes everything");
}

/// The greatest edit distance of a suggestion.
const MOST_LETTERS: usize = 2;

/// Returns the known name with the least edit distance to `name`, if that is one or two. At most
/// half of the letters may differ, so names of one or two letters have no suggestion.
pub fn nearest<S: AsRef<str> + Ord>(name: &str, known: impl IntoIterator<Item = S>) -> Option<S> {
    let letters = name.chars().count();
    // The difference of the lengths is a cheap lower bound of the distance.
    let may_be_near = |known: &S| letters.abs_diff(known.as_ref().chars().count()) <= MOST_LETTERS;
    let distances = known
        .into_iter()
        .filter(may_be_near)
        .map(|known| (strsim::osa_distance(name, known.as_ref()), known));
    let (distance, known) = distances.min()?;
    (letters > 2 && distance <= MOST_LETTERS.min(letters / 2)).then_some(known)
}

#[cfg(test)]
mod tests;
