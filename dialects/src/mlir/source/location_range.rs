//! Locations that are ranges, `"file":3:10 to :33`, which the parser of MLIR 19 does not know.
//!
//! MLIR has printed them since version 20. The end of a range is replaced by spaces, so that every
//! other character of the text keeps its place.

use super::{end_of_line, end_of_string};

/// Returns the text with the ends of ranges replaced by spaces.
pub fn shortened(text: String) -> String {
    if !text.contains(" to ") {
        return text;
    }
    let mut bytes = text.into_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = end_of_line(&bytes, at),
            b'"' => {
                at = end_of_string(&bytes, at);
                if let Some((start, end)) = range_end(&bytes, at + 1) {
                    bytes[start..end].fill(b' ');
                    at = end - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    // Only ASCII characters were replaced, by ASCII characters.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns the byte range of the part ` to …` of a location range, if there is one. `from` is the
/// offset after the file name: the text is `:3:10 to 4:33` or `:3:10 to :33`.
fn range_end(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let line = digits(bytes, skip(bytes, from, b":")?)?;
    let start = digits(bytes, skip(bytes, line, b":")?)?;
    let to = skip(bytes, start, b" to ")?;
    let line = digits(bytes, to).unwrap_or(to);
    let end = digits(bytes, skip(bytes, line, b":")?)?;
    Some((start, end))
}

/// Returns the offset after `expected`, if the text has it at `at`.
fn skip(bytes: &[u8], at: usize, expected: &[u8]) -> Option<usize> {
    let end = at + expected.len();
    (bytes.get(at..end)? == expected).then_some(end)
}

/// Returns the offset after the digits at `at`, if there are any.
fn digits(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(at + count)
}

#[cfg(test)]
mod tests;
