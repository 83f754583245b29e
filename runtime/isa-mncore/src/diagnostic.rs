//! Diagnostics: errors in a source text, with their location.

use tessera_diagnostic::Finding;
pub use tessera_diagnostic::Span;

/// The kind of rule that a diagnostic reports as broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The text is not in the language, or requests something the machine cannot do.
    Language,
    /// Each statement is valid, but two of them are too close to each other (section 3.6.3).
    Hazard,
}

/// One error in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The location of the error.
    pub span: Span,
    /// The message.
    pub message: String,
    /// The section of the manual that states the rule.
    pub section: Option<&'static str>,
    /// How to fix the error.
    pub hint: Option<String>,
    /// Related locations, each with a label that explains its role.
    pub related: Vec<(Span, String)>,
    /// The kind of rule that is broken.
    pub rule: Rule,
}

impl Diagnostic {
    /// Creates a diagnostic of kind [`Rule::Language`].
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

    /// Sets the section of the manual.
    #[must_use]
    pub fn with_section(mut self, section: &'static str) -> Self {
        self.section = Some(section);
        self
    }

    /// Sets the hint, which says how to fix the error.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a related location with its label.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Formats the diagnostic for a terminal: file, line, column, the source line with a caret,
    /// hint.
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
