//! A reading position in a line.

use super::Parsed;
use crate::diagnostic::{Diagnostic, Span};

/// The rest of a line to parse. A copy marks a position to return to.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    line: u32,
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor over a line, without its comment and outer blanks.
    pub fn new(line: u32, text: &'a str) -> Self {
        let mut cursor = Cursor {
            line,
            text,
            at: 0,
            end: text.trim_end().len(),
        };
        cursor.skip_blanks();
        cursor
    }

    /// Returns the remaining text.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at.min(self.end)..self.end]
    }

    /// Returns whether nothing remains.
    pub fn is_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Returns the remaining text up to a blank.
    pub fn peek_word(&self) -> &'a str {
        self.rest().split_whitespace().next().unwrap_or_default()
    }

    /// Returns the span from here to the end.
    pub fn span_to_end(&self) -> Span {
        self.span_of(self.at, self.end)
    }

    /// Returns the span from here to the position of `later`.
    pub fn span_to(&self, later: &Cursor) -> Span {
        self.span_of(self.at, later.at)
    }

    fn span_of(&self, from: usize, to: usize) -> Span {
        let count = |part: &str| part.chars().count() as u32;
        Span {
            line: self.line,
            column: count(&self.text[..from]) + 1,
            length: count(&self.text[from..to.max(from)]).max(1),
        }
    }

    /// Creates a diagnostic about all remaining text.
    pub fn error_here(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span_to_end(), message)
    }

    /// Skips blanks.
    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips `prefix` if it is next, and returns whether it was.
    pub fn eat(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    /// Skips `prefix`, or fails if it is not next.
    pub fn expect(&mut self, prefix: &str) -> Parsed<()> {
        if self.eat(prefix) {
            Ok(())
        } else {
            Err(self.error_here(format!("expected `{prefix}`")))
        }
    }

    /// Fails unless only blanks remain.
    pub fn expect_end(&mut self, message: &str) -> Parsed<()> {
        self.skip_blanks();
        if self.is_end() {
            Ok(())
        } else {
            Err(self.error_here(message))
        }
    }

    /// Takes the next character if it satisfies `wanted`.
    pub fn next_char(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let next = self.rest().chars().next().filter(|&c| wanted(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes all following characters that satisfy `wanted`.
    pub fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Splits the rest at separators and trims the parts. Separators in quotes or brackets do not
    /// count.
    pub fn split(self, separator: char) -> Vec<Cursor<'a>> {
        let mut parts = Vec::new();
        let mut start = self.at;
        let mut guarded = Guard::default();
        for (offset, c) in self.rest().char_indices() {
            if guarded.pass(c) && c == separator {
                parts.push(self.part(start, self.at + offset));
                start = self.at + offset + c.len_utf8();
            }
        }
        parts.push(self.part(start, self.end));
        parts
    }

    /// Splits the rest at blanks. Blanks in quotes or brackets do not count.
    pub fn words(self) -> Vec<Cursor<'a>> {
        let mut words = Vec::new();
        let mut start = None;
        let mut guarded = Guard::default();
        for (offset, c) in self.rest().char_indices() {
            let at = self.at + offset;
            if guarded.pass(c) && c.is_whitespace() {
                words.extend(start.take().map(|from| self.part(from, at)));
            } else {
                start.get_or_insert(at);
            }
        }
        words.extend(start.map(|from| self.part(from, self.end)));
        words
    }

    /// Returns the part of the line from byte `from` to byte `to`, trimmed.
    fn part(&self, from: usize, to: usize) -> Cursor<'a> {
        let mut part = Cursor {
            at: from,
            end: from + self.text[from..to].trim_end().len(),
            ..*self
        };
        part.skip_blanks();
        part
    }
}

/// Tracks whether a character is inside quotes or brackets.
#[derive(Default)]
struct Guard {
    quoted: bool,
    bracketed: bool,
}

impl Guard {
    /// Consumes the next character `c` and returns whether it is outside quotes and brackets.
    fn pass(&mut self, c: char) -> bool {
        match c {
            '"' => self.quoted = !self.quoted,
            '[' if !self.quoted => self.bracketed = true,
            ']' if !self.quoted => self.bracketed = false,
            _ => {}
        }
        !self.quoted && !self.bracketed
    }
}
