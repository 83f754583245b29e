//! Damage to a text.

use super::lines::{delete_line, duplicate_line, splice_lines, swap_lines};
use super::tokens::{class, is_number, split, Class};
use super::{bytes, numbers};
use tessera_test_support::random::Rng;

/// A change of a text; `others` are texts of the same language.
type Change = fn(&mut Rng, &str, &[String]) -> String;

/// Changes that often keep a text valid, with their weights.
const GENTLE: &[(usize, Change)] = &[
    (8, rename_number),
    (8, rename_word),
    (2, small_number),
    (2, edge_extent),
    (2, token_from_itself),
    (1, swap_lines),
    (1, delete_line),
    (1, duplicate_line),
];

/// Changes that seldom do, with their weights.
const ROUGH: &[(usize, Change)] = &[
    (10, edge_number),
    (6, token_from_itself),
    (6, token_from_another),
    (5, delete_token),
    (4, duplicate_token),
    (4, swap_tokens),
    (4, splice_lines),
    (2, delete_line),
    (2, swap_lines),
    (1, truncate),
];

/// Returns the text with one or two gentle changes.
pub fn varied(rng: &mut Rng, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..=rng.below(2) {
        let change = rng.weighted(GENTLE);
        text = change(rng, &text, &[]);
    }
    text
}

/// Returns the text with one to four changes, mostly gentle ones. In a few cases its bytes are
/// damaged, too.
pub fn mutated(rng: &mut Rng, text: &str, others: &[String]) -> Vec<u8> {
    let (changes, most) = if rng.percent(65) {
        (GENTLE, 3)
    } else {
        (ROUGH, 4)
    };
    let count = 1 + rng.below(most);
    let mut text = text.to_owned();
    for _ in 0..count {
        let change = rng.weighted(changes);
        text = change(rng, &text, others);
    }
    let mut all = text.into_bytes();
    if rng.percent(4) {
        bytes::damage(rng, &mut all);
    }
    all
}

/// Returns the indices of the tokens of some classes.
fn places(tokens: &[&str], is_meant: impl Fn(Class) -> bool) -> Vec<usize> {
    let found = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| is_meant(class(token)));
    found.map(|(at, _)| at).collect()
}

/// Replaces one token.
fn with(tokens: &[&str], at: usize, new: &str) -> String {
    [&tokens[..at].concat(), new, &tokens[at + 1..].concat()].concat()
}

/// Returns the places of numbers.
fn numbers_of(tokens: &[&str]) -> Vec<usize> {
    let all = 0..tokens.len();
    all.filter(|&at| is_number(tokens, at)).collect()
}

fn edge_number(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let tokens = split(text);
    let found = numbers_of(&tokens);
    if found.is_empty() {
        return text.to_owned();
    }
    let at = rng.pick(&found);
    let is_extent = tokens
        .get(at + 1)
        .is_some_and(|behind| behind.starts_with('x'));
    let edge = match is_extent {
        true => numbers::extent_edge(rng),
        false => numbers::edge(rng),
    };
    with(&tokens, at, &edge)
}

/// Replaces an extent everywhere by one at an edge.
fn edge_extent(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let mut tokens = split(text);
    let is_extent = |at: &usize| {
        tokens
            .get(at + 1)
            .is_some_and(|behind| behind.starts_with('x'))
    };
    let found: Vec<_> = numbers_of(&tokens).into_iter().filter(is_extent).collect();
    if found.is_empty() {
        return text.to_owned();
    }
    let (old, new) = (tokens[rng.pick(&found)], numbers::extent_edge(rng));
    for at in found {
        if tokens[at] == old {
            tokens[at] = &new;
        }
    }
    tokens.concat()
}

fn small_number(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let tokens = split(text);
    let found = numbers_of(&tokens);
    match found.is_empty() {
        true => text.to_owned(),
        false => with(&tokens, rng.pick(&found), &numbers::small(rng)),
    }
}

/// Replaces a number everywhere by a small one.
fn rename_number(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let mut tokens = split(text);
    let found = numbers_of(&tokens);
    if found.is_empty() {
        return text.to_owned();
    }
    let (old, new) = (tokens[rng.pick(&found)], numbers::small(rng));
    for at in found {
        if tokens[at] == old {
            tokens[at] = &new;
        }
    }
    tokens.concat()
}

/// Groups of interchangeable words.
const KINDS: &[&[&str]] = &[
    &[
        "bf16", "f32", "f16", "f64", "i1", "i8", "i16", "i32", "i64", "si32", "ui8", "ui16",
        "ui32", "index", "none",
    ],
    &["wormhole_b0", "blackhole"],
    &["true", "false"],
    &["dram", "l1", "system_memory"],
    &["vec", "mat", "left", "right", "acc", "gm"],
    &["lofi", "hifi2", "hifi3", "hifi4"],
    &["row_major", "col_major", "none_box"],
    &[
        "add",
        "subtract",
        "multiply",
        "div",
        "maximum",
        "minimum",
        "lt",
        "eq",
        "logical_and",
        "bitwise_or",
        "matmul",
    ],
    &[
        "abs",
        "neg",
        "relu",
        "exp",
        "log",
        "sqrt",
        "rsqrt",
        "reciprocal",
        "sigmoid",
        "tanh",
        "erf",
        "gelu",
        "silu",
        "transpose",
        "typecast",
        "permute",
        "reshape",
        "concat",
    ],
    &["sum", "mean", "max", "min", "softmax"],
    &[
        "tadd", "tsub", "tmul", "tdiv", "tmax", "tmin", "teq", "tand", "tshl",
    ],
    &[
        "tneg", "tabs", "trelu", "texp", "tlog", "tsqrt", "trecip", "tsigmoid", "ttanh", "terf",
        "tlnot", "tnot",
    ],
    &[
        "hadd", "fadd", "dadd", "hmul", "fmul", "dmul", "ladd", "iadd", "lpassa", "fpassa",
    ],
];

/// Returns the offsets at which a word occurs in a text as a whole word.
fn places_of(text: &str, word: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_whole = |at: usize| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        // An element type stands after the `x` of an extent.
        let before = before.strip_suffix('x').unwrap_or(before);
        !behind.starts_with(is_part)
            && !before.ends_with(|c: char| is_part(c) && !c.is_ascii_digit())
    };
    let found = text.match_indices(word).map(|(at, _)| at);
    found.filter(|&at| is_whole(at)).collect()
}

/// Replaces a word, once or everywhere, by another of its group.
fn rename_word(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let present = |kind: &&[&'static str]| -> Vec<(&'static str, Vec<usize>)> {
        let found = kind.iter().map(|word| (*word, places_of(text, word)));
        found.filter(|(_, places)| !places.is_empty()).collect()
    };
    let kinds: Vec<_> = KINDS
        .iter()
        .filter(|kind| !present(kind).is_empty())
        .collect();
    if kinds.is_empty() {
        return text.to_owned();
    }
    let kind = kinds[rng.below(kinds.len())];
    let words = present(kind);
    let (old, places) = &words[rng.below(words.len())];
    let new = rng.pick(kind);
    let all = rng.percent(85);
    let chosen = rng.pick(places);
    let mut renamed = String::new();
    let mut end = 0;
    for &at in places.iter().filter(|&&at| all || at == chosen) {
        renamed += &text[end..at];
        renamed += new;
        end = at + old.len();
    }
    renamed + &text[end..]
}

/// Replaces a token by one of the same class from `from`.
fn replace_by(rng: &mut Rng, text: &str, from: &str) -> String {
    let (tokens, source) = (split(text), split(from));
    let found = places(&tokens, |class| class != Class::Space);
    if found.is_empty() {
        return text.to_owned();
    }
    let at = rng.pick(&found);
    let like = places(&source, |class| class == self::class(tokens[at]));
    match like.is_empty() {
        true => text.to_owned(),
        false => with(&tokens, at, source[rng.pick(&like)]),
    }
}

fn token_from_itself(rng: &mut Rng, text: &str, _: &[String]) -> String {
    replace_by(rng, text, text)
}

fn token_from_another(rng: &mut Rng, text: &str, others: &[String]) -> String {
    let other = rng.below(others.len());
    replace_by(rng, text, &others[other])
}

fn delete_token(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let tokens = split(text);
    let found = places(&tokens, |class| class != Class::Space);
    match found.is_empty() {
        true => text.to_owned(),
        false => with(&tokens, rng.pick(&found), ""),
    }
}

fn duplicate_token(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let tokens = split(text);
    let found = places(&tokens, |class| class != Class::Space);
    if found.is_empty() {
        return text.to_owned();
    }
    let at = rng.pick(&found);
    with(&tokens, at, &tokens[at].repeat(2))
}

fn swap_tokens(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let mut tokens = split(text);
    let found = places(&tokens, |class| class != Class::Space);
    if !found.is_empty() {
        tokens.swap(rng.pick(&found), rng.pick(&found));
    }
    tokens.concat()
}

fn truncate(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let end = rng.below(text.len() + 1);
    let end = (end..=text.len()).find(|&end| text.is_char_boundary(end));
    text[..end.unwrap_or(text.len())].to_owned()
}

#[test]
fn words_are_replaced_whole() {
    assert_eq!(places_of("i1 i16 xi1 2xi1 ui1 i1", "i1"), [0, 8, 13, 20]);
    let mut rng = Rng::new(1);
    let renamed = rename_number(&mut rng, "tensor<16x16xbf16>", &[]);
    assert!(
        renamed.ends_with("xbf16>") && renamed != "tensor<16x16xbf16>",
        "{renamed}"
    );
}
