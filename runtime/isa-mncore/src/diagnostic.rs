//! What is wrong with a source text, and where.

use tessera_diagnostic::Finding;
pub use tessera_diagnostic::Span;

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
        let message = match self.section {
            Some(section) => format!("{} (manual {section})", self.message),
            None => self.message.clone(),
        };
        let finding = Finding {
            span: self.span,
            message: &message,
            notes: &self.related,
            hint: self.hint.as_deref(),
        };
        finding.render(file, source)
    }
}

#[cfg(test)]
mod tests;
