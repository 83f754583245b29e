//! What is asked of compiling.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use tessera_isa_mncore::memory::Precision;
use tessera_pto::kernel::Element;
use thiserror::Error;

/// How groups are compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The precision of products.
    pub precision: Wanted,
    /// That of products of singles, where it is not said otherwise.
    pub f32_matmul: F32Matmul,
}

/// The precision that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// What suits the factors: pseudo-single for bf16, what [`F32Matmul`] says for singles.
    #[default]
    Auto,
    /// This.
    Exactly(Precision),
}

/// The precision of products of singles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum F32Matmul {
    /// 18 bits of each factor, beside the greatest of eight.
    #[default]
    Pseudo,
    /// 23 bits, beside the greatest of four, at half the rate.
    Single,
}

/// A word that is no value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{option}={value}`: the values are {}", values.join(", "))]
pub struct NoSuchValue {
    option: &'static str,
    value: String,
    values: Vec<&'static str>,
}

const WANTED: [(&str, Wanted); 5] = [
    ("auto", Wanted::Auto),
    ("half", Wanted::Exactly(Precision::Half)),
    ("pseudo", Wanted::Exactly(Precision::Pseudo)),
    ("single", Wanted::Exactly(Precision::Single)),
    ("double", Wanted::Exactly(Precision::Double)),
];
const F32_MATMUL: [(&str, F32Matmul); 2] =
    [("pseudo", F32Matmul::Pseudo), ("single", F32Matmul::Single)];

/// The value that a word stands for.
fn value_of<T: Copy>(
    option: &'static str,
    values: &[(&'static str, T)],
    value: &str,
) -> Result<T, NoSuchValue> {
    let found = values.iter().find(|(word, _)| *word == value);
    found.map(|(_, found)| *found).ok_or_else(|| NoSuchValue {
        option,
        value: value.to_owned(),
        values: values.iter().map(|(word, _)| *word).collect(),
    })
}

/// The word that stands for a value.
fn word_of<T: PartialEq>(values: &[(&'static str, T)], value: &T) -> &'static str {
    let found = values.iter().find(|(_, other)| other == value);
    found.map_or("", |(word, _)| word)
}

impl FromStr for Wanted {
    type Err = NoSuchValue;

    fn from_str(text: &str) -> Result<Self, NoSuchValue> {
        value_of("precision", &WANTED, text)
    }
}

impl Display for Wanted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(word_of(&WANTED, self))
    }
}

impl FromStr for F32Matmul {
    type Err = NoSuchValue;

    fn from_str(text: &str) -> Result<Self, NoSuchValue> {
        value_of("f32-matmul", &F32_MATMUL, text)
    }
}

impl Display for F32Matmul {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(word_of(&F32_MATMUL, self))
    }
}

impl Options {
    /// The precision of a product of these factors.
    pub fn precision(&self, factors: [Element; 2]) -> Precision {
        match self.precision {
            Wanted::Exactly(precision) => precision,
            Wanted::Auto if factors == [Element::Bf16; 2] => Precision::Pseudo,
            Wanted::Auto => match self.f32_matmul {
                F32Matmul::Pseudo => Precision::Pseudo,
                F32Matmul::Single => Precision::Single,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (word, _) in WANTED {
            assert_eq!(word.parse::<Wanted>().unwrap().to_string(), word);
        }
        for (word, _) in F32_MATMUL {
            assert_eq!(word.parse::<F32Matmul>().unwrap().to_string(), word);
        }
        for (found, expect) in [
            (
                "float".parse::<Wanted>().unwrap_err(),
                "`precision=float`: the values are auto, half, pseudo, single, double",
            ),
            (
                "half".parse::<F32Matmul>().unwrap_err(),
                "`f32-matmul=half`: the values are pseudo, single",
            ),
        ] {
            assert_eq!(found.to_string(), expect);
        }
    }

    #[test]
    fn precisions() {
        use Element::{Bf16, F32};
        for (precision, f32_matmul, factors, expect) in [
            ("auto", "pseudo", [Bf16, Bf16], Precision::Pseudo),
            ("auto", "single", [Bf16, Bf16], Precision::Pseudo),
            ("auto", "single", [Bf16, F32], Precision::Single),
            ("auto", "pseudo", [F32, F32], Precision::Pseudo),
            ("half", "single", [F32, F32], Precision::Half),
            ("double", "pseudo", [Bf16, Bf16], Precision::Double),
        ] {
            let options = Options {
                precision: precision.parse().unwrap(),
                f32_matmul: f32_matmul.parse().unwrap(),
            };
            assert_eq!(options.precision(factors), expect, "{options:?}");
        }
    }
}
