//! What is wrong with a source text, and where.

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

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The text is not in the language, or asks for what the machine cannot do.
    Language,
    /// The statements are fine each by itself, but follow one another too closely (section 3.6.3).
    Hazard,
}

/// One finding about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// The section of the manual that says so.
    pub section: Option<&'static str>,
    /// What to do instead.
    pub hint: Option<String>,
    /// The other places it is about, and what they have to do with it.
    pub related: Vec<(Span, String)>,
    /// Which kind of rule is broken.
    pub rule: Rule,
}

impl Diagnostic {
    /// A finding about the language.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            span,
            message: message.into(),
            section: None,
            hint: None,
            related: Vec::new(),
            rule: Rule::Language,
        }
    }

    /// Adds the section of the manual.
    #[must_use]
    pub fn section(mut self, section: &'static str) -> Self {
        self.section = Some(section);
        self
    }

    /// Adds what to do instead.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// The finding for people: file, line, column, the source line with a caret, hint.
    pub fn render(&self, file: &str, source: &str) -> String {
        let mut out = format!(
            "{file}:{}:{}: error: {}",
            self.span.line, self.span.column, self.message
        );
        if let Some(section) = self.section {
            write!(out, " (manual {section})").expect("a String takes everything");
        }
        out.push('\n');
        excerpt(&mut out, source, self.span);
        for (span, label) in &self.related {
            writeln!(out, "{file}:{}:{}: note: {label}", span.line, span.column)
                .expect("a String takes everything");
            excerpt(&mut out, source, *span);
        }
        if let Some(hint) = &self.hint {
            writeln!(out, "hint: {hint}").expect("a String takes everything");
        }
        out
    }
}

/// The longest part of a source line that is shown.
const SHOWN: usize = 160;

/// The line of `span` with its characters marked.
fn excerpt(out: &mut String, source: &str, span: Span) {
    let Some(line) = source.lines().nth(span.line.saturating_sub(1) as usize) else {
        return;
    };
    let column = span.column.saturating_sub(1) as usize;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendered_for_people() {
        let span = |line, column, length| Span {
            line,
            column,
            length,
        };
        let found = Diagnostic::new(span(2, 8, 5), "odd address")
            .section("3.6.1.6")
            .hint("use an even one")
            .also(span(1, 1, 3), "first here");
        assert_eq!(
            found.render("a.vsm", "nop\nlpassa $lm1v $ln0v\n"),
            "a.vsm:2:8: error: odd address (manual 3.6.1.6)\n\
             \x20 lpassa $lm1v $ln0v\n\
             \x20        ^^^^^\n\
             a.vsm:1:1: note: first here\n\
             \x20 nop\n\
             \x20 ^^^\n\
             hint: use an even one\n"
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let source = "x".repeat(1000);
        let found = Diagnostic::new(
            Span {
                line: 1,
                column: 900,
                length: 500,
            },
            "m",
        );
        let text = found.render("f", &source);
        assert!(text.lines().all(|line| line.len() < 200), "{text}");
    }
}
