//! Sparse literals, as far as MLIR's parser survives them: where an index or a value is not one of
//! its type, it reads through a null pointer (LLVM 19, `TensorLiteralParser`).
//!
//! A literal is let through if its indices are integers of 64 bits and its values are numbers that
//! look like those of its type, which is written behind it. Whether they lie inside of its shape is
//! for the parser to say.

use super::source::{end_of_line, end_of_string};

/// Returns the offset of the first sparse literal that is not let through, if any.
pub(super) fn refused(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = end_of_line(bytes, at),
            b'"' => at = end_of_string(bytes, at) + 1,
            byte if is_of_word(byte) => {
                let length = bytes[at..].iter().take_while(|byte| is_of_word(**byte));
                let end = at + length.count();
                let literal = match &text[at..end] {
                    "sparse" => text[end..].trim_start().strip_prefix('<'),
                    _ => None,
                };
                if literal.is_some_and(|literal| !survives(literal)) {
                    return Some(at);
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    None
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_$.#!@%^".contains(&byte)
}

/// Returns whether the parser survives a literal, given from behind its first bracket on.
fn survives(literal: &str) -> bool {
    let Some((numbers, r#type)) = literal.split_once('>') else {
        return false;
    };
    let Some((indices, values)) = halves(numbers) else {
        return false;
    };
    let mut all = values.split(|c: char| c.is_ascii_whitespace() || "[],".contains(c));
    let kind = kind(r#type);
    is_integers(indices, 18)
        && match kind {
            Some(Kind::Float) => all.all(|value| value.is_empty() || is_float(value)),
            Some(Kind::Integer) => is_integers(values, 2),
            None => values.trim().is_empty(),
        }
}

/// Returns the indices and the values of a literal, of which there may be none.
fn halves(numbers: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, c) in numbers.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => return Some((&numbers[..at], &numbers[at + 1..])),
            _ => {}
        }
    }
    numbers.trim().is_empty().then_some(("", ""))
}

/// Returns whether a list is made of integers with no more digits than that.
fn is_integers(list: &str, digits: usize) -> bool {
    let mut all = list.split(|c: char| c.is_ascii_whitespace() || "[],".contains(c));
    all.all(|one| one.len() <= digits && one.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns whether this is digits, a point, digits, perhaps with a sign in front and an exponent
/// behind.
fn is_float(value: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let value = value.strip_prefix('-').unwrap_or(value);
    let Some((whole, part)) = value.split_once('.') else {
        return false;
    };
    let (part, exponent) = part.split_once(['e', 'E']).unwrap_or((part, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    !whole.is_empty() && !exponent.is_empty() && [whole, part, exponent].into_iter().all(is_digits)
}

/// What the values of a literal are.
enum Kind {
    Float,
    Integer,
}

/// That of a type behind a literal: `: tensor<2x3xf32>`.
fn kind(r#type: &str) -> Option<Kind> {
    let shaped = r#type.trim_start().strip_prefix(':')?.trim_start();
    let inside = ["tensor<", "vector<"].map(|shaped_by| shaped.strip_prefix(shaped_by));
    let inside = inside.into_iter().flatten().next()?;
    let element = inside.split(['>', ',']).next()?.rsplit('x').next()?.trim();
    match element {
        "bf16" | "f16" | "f32" | "f64" => Some(Kind::Float),
        "i8" | "i16" | "i32" | "i64" | "si8" | "si16" | "si32" | "si64" | "ui8" | "ui16"
        | "ui32" | "ui64" => Some(Kind::Integer),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
