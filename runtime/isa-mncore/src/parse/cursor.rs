//! A reading position in one line.

use super::Parsed;
use crate::diagnostic::{Diagnostic, Span};

/// A part of a line yet to be read. Copying one marks a place to come back to.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    line: u32,
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// A line without its comment; outer blanks are left out.
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

    /// What is left.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at.min(self.end)..self.end]
    }

    /// Whether nothing is left.
    pub fn is_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// What is left up to a blank.
    pub fn peek_word(&self) -> &'a str {
        self.rest().split_whitespace().next().unwrap_or_default()
    }

    /// The span from here to the end.
    pub fn span_to_end(&self) -> Span {
        self.span_of(self.at, self.end)
    }

    /// The span from here to where `later` is.
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

    /// A diagnostic about all that is left.
    pub fn error_here(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span_to_end(), message)
    }

    /// Passes blanks.
    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Passes `prefix` if it is next.
    pub fn eat(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    /// Passes `prefix`, which must be next.
    pub fn expect(&mut self, prefix: &str) -> Parsed<()> {
        if self.eat(prefix) {
            Ok(())
        } else {
            Err(self.error_here(format!("expected `{prefix}`")))
        }
    }

    /// Nothing may be left but blanks.
    pub fn expect_end(&mut self, message: &str) -> Parsed<()> {
        self.skip_blanks();
        if self.is_end() {
            Ok(())
        } else {
            Err(self.error_here(message))
        }
    }

    /// Passes the next character if it is one of those wanted.
    pub fn next_char(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let next = self.rest().chars().next().filter(|&c| wanted(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Passes all characters that are wanted.
    pub fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The parts between separators, outer blanks left out. Separators inside of quotes or brackets
    /// do not count.
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

    /// The parts between blanks. Blanks inside of quotes or brackets do not count.
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

    /// The part of the line from byte `from` to byte `to`, outer blanks left out.
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

/// Knows whether a character stands in quotes or brackets.
#[derive(Default)]
struct Guard {
    quoted: bool,
    bracketed: bool,
}

impl Guard {
    /// Whether `c`, the next character, stands outside of them.
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
