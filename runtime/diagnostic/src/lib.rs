//! Findings about source texts, rendered for people in the style of LLVM: file, line, column, what
//! is wrong, the source line with a caret, notes, and a hint.
//!
//! Both assemblers use it, so it knows neither of them. [`nearest`] finds what a misspelt name may
//! stand for.

use std::fmt::Write;

/// A place in a source text: a line and some of its characters, both counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The line.
    pub line: u32,
    /// The first character.
    pub column: u32,
    /// How many characters.
    pub length: u32,
}

/// One finding about a source text.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: &'a str,
    /// The other places it is about, and what they have to do with it.
    pub notes: &'a [(Span, String)],
    /// What to do instead.
    pub hint: Option<&'a str>,
}

impl Finding<'_> {
    /// Renders the finding about the text `source` of a file.
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

/// The longest part of a source line that is shown.
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

/// The most letters in which a name may differ from the one that is suggested.
const MOST_LETTERS: usize = 2;

/// Returns the known name that is one or two letters away from `name`, if there is one. Short names
/// resemble too many: no more than half of the letters may differ, and none of one or two.
pub fn nearest<S: AsRef<str> + Ord>(name: &str, known: impl IntoIterator<Item = S>) -> Option<S> {
    let letters = name.chars().count();
    // The distance is no less than what the lengths differ by, and costs more.
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
