//! What is asked of compiling.

use std::fmt::{self, Display, Formatter};

use tessera_isa_mncore::memory::Precision;
use tessera_pto::kernel::Element;

/// How groups are compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// The precision of products.
    pub precision: Wanted,
    /// That of products of singles, where it is not said otherwise.
    pub f32_matmul: F32Matmul,
}

/// The precision that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// What suits the factors: pseudo-single for bf16, what [`F32Matmul`] says for singles.
    #[default]
    Auto,
    /// This.
    Exactly(Precision),
}

/// The precision of products of singles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum F32Matmul {
    /// Pseudo-single: 18 bits of each factor, beside the greatest of eight.
    #[default]
    Pseudo,
    /// Single: 23 bits, beside the greatest of four, at half the rate.
    Single,
}

/// The word for each value, that of the default first.
const WANTED: [(&str, Wanted); 5] = [
    ("auto", Wanted::Auto),
    ("half", Wanted::Exactly(Precision::Half)),
    ("pseudo", Wanted::Exactly(Precision::Pseudo)),
    ("single", Wanted::Exactly(Precision::Single)),
    ("double", Wanted::Exactly(Precision::Double)),
];
const F32_MATMUL: [(&str, F32Matmul); 2] =
    [("pseudo", F32Matmul::Pseudo), ("single", F32Matmul::Single)];

/// The words of a table.
const fn words<T: Copy, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut number = 0;
    while number < N {
        words[number] = table[number].0;
        number += 1;
    }
    words
}

/// What a word stands for in a table.
fn of_word<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let found = table.iter().find(|(other, _)| *other == word);
    found.map(|(_, value)| *value)
}

impl Wanted {
    /// The words for all values, that of the default first.
    pub const WORDS: &'static [&'static str] = &words(&WANTED);

    /// The value that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        of_word(&WANTED, word)
    }
}

impl F32Matmul {
    /// The words for all values, that of the default first.
    pub const WORDS: &'static [&'static str] = &words(&F32_MATMUL);

    /// The value that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        of_word(&F32_MATMUL, word)
    }
}

impl Display for Wanted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let found = WANTED.iter().find(|(_, value)| value == self);
        f.write_str(found.map_or("none", |(word, _)| word))
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
mod tests;
