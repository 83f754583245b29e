//! Input of the parser, checked for texts that crash MLIR's parser.
//!
//! Checked: not empty; UTF-8 without a byte order mark, which MLIR's message would not show; no NUL
//! byte; nesting at most [`DEEPEST`]; sparse literals ([`sparse`]). The parser is recursive, so
//! deeper nesting would overflow the stack. It requires a terminating NUL byte and treats an inner
//! one as the end. Other errors are left to the parser.
//!
//! Locations that newer versions of MLIR print as ranges are read as their start
//! ([`location_range`]).

mod location_range;

use super::diagnostic::{Diagnostic, FileLineCol, Severity};
use super::sparse;

/// Maximum nesting depth of brackets and unary minus signs.
///
/// MLIR's parser, verifier and printer use up to about 2 KiB of stack per level, so this depth uses
/// an eighth of the usual 8 MiB stack.
pub const DEEPEST: usize = 512;

/// The magic number of MLIR bytecode.
const BYTECODE: &[u8] = b"ML\xefR";

/// The alignment of bytecode in memory. Resources in it require an alignment of at most a page.
const ALIGNMENT: usize = 4096;

/// A named text that is safe to parse, or bytecode.
#[derive(Debug)]
pub struct Source {
    name: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The text with a terminating NUL byte.
    Text(String),
    /// Bytecode at an aligned offset of the vector, with a terminating NUL byte.
    Bytecode(Vec<u8>, usize),
}

impl Source {
    /// Checks bytes read from `name`. Bytecode is not checked: its reader is not recursive, and its
    /// crashes are reported as errors ([`super::crash`]).
    ///
    /// # Errors
    /// The input is empty or invalid. The diagnostic has the location of the first invalid byte,
    /// NUL byte, or bracket nested too deeply.
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<Self, Diagnostic> {
        let content = match bytes.starts_with(BYTECODE) {
            true => bytecode(&bytes),
            false => Content::Text(checked(name, bytes)?),
        };
        Ok(Self {
            name: name.into(),
            content,
        })
    }

    /// Returns the file name for locations and diagnostics.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text without the terminating NUL byte; empty for bytecode.
    pub fn text(&self) -> &str {
        match &self.content {
            Content::Text(text) => &text[..text.len() - 1],
            Content::Bytecode(..) => "",
        }
    }

    /// Returns whether this is bytecode.
    pub fn is_bytecode(&self) -> bool {
        matches!(self.content, Content::Bytecode(..))
    }

    /// Returns the input of the parser. A NUL byte follows it.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Text(_) => self.text().as_bytes(),
            Content::Bytecode(bytes, start) => &bytes[*start..bytes.len() - 1],
        }
    }
}

fn bytecode(bytes: &[u8]) -> Content {
    let mut aligned: Vec<u8> = Vec::with_capacity(bytes.len() + ALIGNMENT + 1);
    let start = aligned.as_ptr().align_offset(ALIGNMENT);
    // If the allocation cannot be aligned, the reader rejects resources that require alignment.
    let start = if start < ALIGNMENT { start } else { 0 };
    aligned.resize(start, 0);
    aligned.extend_from_slice(bytes);
    aligned.push(0);
    Content::Bytecode(aligned, start)
}

/// Converts bytes to text with a terminating NUL byte.
fn checked(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    let refuse = |offset: usize, before: &[u8], message: String| Diagnostic {
        severity: Severity::Error,
        place: Some(place(name, &before[..offset])),
        message,
        notes: Vec::new(),
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[offset];
        refuse(
            offset,
            error.as_bytes(),
            format!("invalid UTF-8: byte 0x{byte:02x}; MLIR text is UTF-8"),
        )
    })?;
    if text.is_empty() {
        return Err(refuse(
            0,
            b"",
            "the input is empty; expected MLIR text".into(),
        ));
    }
    if text.starts_with('\u{feff}') {
        let message = "begins with a byte order mark; save the text without one";
        return Err(refuse(0, b"", message.into()));
    }
    if let Some(offset) = text.find('\0') {
        return Err(refuse(
            offset,
            text.as_bytes(),
            "NUL byte in MLIR text".into(),
        ));
    }
    if let Some(offset) = too_deep(text.as_bytes()) {
        let message = format!("nested more than {DEEPEST} levels deep");
        return Err(refuse(offset, text.as_bytes(), message));
    }
    if let Some(offset) = sparse::refused(&text) {
        let message = "a sparse literal that would crash MLIR's parser; indices are integers, \
                       values numbers of the type after it: write sparse<[[0, 1]], [2.0]> : \
                       tensor<1x2xf32>, or a dense literal";
        return Err(refuse(offset, text.as_bytes(), message.into()));
    }
    let mut text = location_range::shortened(text);
    text.push('\0');
    Ok(text)
}

/// Checks that a text is safe to parse as a type or attribute, and terminates it with a NUL byte.
pub(super) fn parseable(text: &str) -> Option<&str> {
    let is_safe = !text.contains('\0') && too_deep(text.as_bytes()).is_none();
    (is_safe && sparse::refused(text).is_none()).then_some(text)
}

/// Returns the location after a prefix of a file.
fn place(file: &str, before: &[u8]) -> FileLineCol {
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before
        .iter()
        .rev()
        .take_while(|&&byte| byte != b'\n')
        .count()
        + 1;
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    FileLineCol {
        file: file.into(),
        line: narrow(line),
        column: narrow(column),
    }
}

/// Returns the offset of the first bracket or minus sign beyond [`DEEPEST`], if any.
///
/// Follows MLIR's lexer as far as comments, strings and arrows. Brackets are counted by kind, so
/// that a stray closing bracket of one kind (or the `>` of `>=`) never hides the depth of another.
fn too_deep(text: &[u8]) -> Option<usize> {
    let mut open = [0usize; 4];
    let mut minuses = 0usize;
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        match byte {
            b'/' if text.get(at + 1) == Some(&b'/') => at = end_of_line(text, at),
            b'"' => at = end_of_string(text, at),
            b'-' if text.get(at + 1) == Some(&b'>') => at += 1,
            b'-' => minuses += 1,
            b'(' | b'[' | b'{' | b'<' => open[kind(byte)] += 1,
            b')' | b']' | b'}' | b'>' => open[kind(byte)] = open[kind(byte)].saturating_sub(1),
            _ => {}
        }
        if !matches!(byte, b'-' | b' ' | b'\t' | b'\n' | b'\r' | b'/') {
            minuses = 0;
        }
        if open.iter().sum::<usize>() > DEEPEST || minuses > DEEPEST {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn kind(bracket: u8) -> usize {
    match bracket {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        b'{' | b'}' => 2,
        _ => 3,
    }
}

pub(super) fn end_of_line(text: &[u8], from: usize) -> usize {
    text[from..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(text.len(), |length| from + length)
}

/// Returns the closing quote of the string opened at `from`, or the end of the line, where MLIR
/// reports it as unfinished.
pub(super) fn end_of_string(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'"' | b'\n' => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests;
