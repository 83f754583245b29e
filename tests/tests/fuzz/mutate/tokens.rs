//! Tokens of a text: enough of a lexer to swap like with like, in MLIR and in both assemblies.

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Space,
    Number,
    /// Letters, `_` and `.`. Digits belong to numbers, so that a shape is split into its extents.
    Word,
    /// A name after `%`, `@`, `#`, `!` or `^`.
    Name,
    /// A quoted text.
    Quoted,
    /// One character.
    Mark,
}

/// Returns the class of a token.
pub fn class(token: &str) -> Class {
    match token.chars().next() {
        Some(c) if c.is_whitespace() => Class::Space,
        Some(c) if c.is_ascii_digit() => Class::Number,
        Some(c) if is_letter(c) => Class::Word,
        Some('%' | '@' | '#' | '!' | '^') if token.len() > 1 => Class::Name,
        Some('"') if token.len() > 1 => Class::Quoted,
        _ => Class::Mark,
    }
}

/// Words that a number follows as part of the name of a type.
const TYPES: [&str; 6] = ["bf", "f", "i", "si", "ui", "wormhole_b"];

/// Returns whether the token at an index is a number that is not part of a type's name.
pub fn is_number(tokens: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| tokens[before]);
    let element = before.strip_prefix('x').unwrap_or(before);
    class(tokens[at]) == Class::Number && !TYPES.contains(&element)
}

/// Splits a text into tokens; concatenated, they are the text.
pub fn split(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, behind) = rest.split_at(length(rest, first));
        tokens.push(token);
        rest = behind;
    }
    tokens
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '.'
}

/// Returns the length of the first token in bytes.
fn length(text: &str, first: char) -> usize {
    let run = |is_part: fn(char) -> bool| {
        let tail = &text[first.len_utf8()..];
        first.len_utf8() + tail.find(|c| !is_part(c)).unwrap_or(tail.len())
    };
    match first {
        _ if first.is_whitespace() => run(char::is_whitespace),
        '0'..='9' if text.starts_with("0x") && !text.starts_with("0x0") => {
            2 + text[2..]
                .find(|c: char| !c.is_ascii_hexdigit())
                .unwrap_or(text.len() - 2)
        }
        '0'..='9' => run(|c| c.is_ascii_digit()),
        _ if is_letter(first) => run(is_letter),
        '%' | '@' | '#' | '!' | '^' => run(|c| is_letter(c) || c.is_ascii_digit()),
        '"' => match text[1..].find(['"', '\n']) {
            Some(end) if text[1 + end..].starts_with('"') => end + 2,
            _ => 1,
        },
        _ => first.len_utf8(),
    }
}

#[test]
fn tokens_are_the_text() {
    let text = "%0 = \"ttir.add\"(%a) : tensor<64x128xbf16> // é \"\n";
    let tokens = split(text);
    assert_eq!(tokens.concat(), text);
    let found = (0..tokens.len()).filter(|&at| is_number(&tokens, at));
    let found: Vec<_> = found.map(|at| tokens[at]).collect();
    assert_eq!(found, ["64", "128"]);
    assert_eq!(class(tokens[0]), Class::Name);
    assert!(tokens.contains(&"\"ttir.add\""));
}
