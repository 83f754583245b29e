//! Check of sparse literals. MLIR's parser dereferences a null pointer if an index or a value has
//! another type than expected (LLVM 19, `TensorLiteralParser`).
//!
//! A literal is accepted if its indices are 64-bit integers and its values are numbers of the
//! element type that follows the literal. The parser checks that indices are in bounds.

use super::source::{end_of_line, end_of_string};

/// Returns the offset of the first rejected sparse literal, if any.
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

/// Returns whether a literal, given after its first bracket, is safe to parse.
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

/// Returns the indices and the values of a literal, which may be empty.
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

/// Returns whether a list consists of integers with a limited number of digits.
fn is_integers(list: &str, digits: usize) -> bool {
    let mut all = list.split(|c: char| c.is_ascii_whitespace() || "[],".contains(c));
    all.all(|one| one.len() <= digits && one.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns whether a word is a decimal floating-point number, with an optional sign and exponent.
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

/// The kind of a literal's values.
enum Kind {
    Float,
    Integer,
}

/// Returns the kind for the type that follows a literal: `: tensor<2x3xf32>`.
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
