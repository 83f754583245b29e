//! Options of code generation.

use std::fmt::{self, Display, Formatter};

use tessera_isa_mncore::memory::Precision;
use tessera_pto::kernel::Element;

/// Options of code generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// The precision of products.
    pub precision: PrecisionChoice,
    /// The precision of `f32` products with [`PrecisionChoice::Auto`].
    pub f32_matmul: F32Matmul,
}

/// The requested precision of products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PrecisionChoice {
    /// Chosen by element type: pseudo-single for bf16, [`F32Matmul`] for `f32`.
    #[default]
    Auto,
    /// This precision.
    Fixed(Precision),
}

/// The precision of `f32` products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum F32Matmul {
    /// Pseudo-single: 18-bit mantissas, aligned to the greatest of eight numbers.
    #[default]
    Pseudo,
    /// Single: 23-bit mantissas, aligned to the greatest of four numbers; half the rate.
    Single,
}

/// The name of each value, the default first.
const PRECISION_CHOICES: [(&str, PrecisionChoice); 5] = [
    ("auto", PrecisionChoice::Auto),
    ("half", PrecisionChoice::Fixed(Precision::Half)),
    ("pseudo", PrecisionChoice::Fixed(Precision::Pseudo)),
    ("single", PrecisionChoice::Fixed(Precision::Single)),
    ("double", PrecisionChoice::Fixed(Precision::Double)),
];
const F32_MATMUL: [(&str, F32Matmul); 2] =
    [("pseudo", F32Matmul::Pseudo), ("single", F32Matmul::Single)];

/// Returns the names of a table.
const fn words<T: Copy, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut number = 0;
    while number < N {
        words[number] = table[number].0;
        number += 1;
    }
    words
}

/// Returns the value with a name.
fn from_name<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let found = table.iter().find(|(other, _)| *other == word);
    found.map(|(_, value)| *value)
}

impl PrecisionChoice {
    /// The names of all values, the default first.
    pub const NAMES: &'static [&'static str] = &words(&PRECISION_CHOICES);

    /// Returns the value with a name.
    pub fn from_name(word: &str) -> Option<Self> {
        from_name(&PRECISION_CHOICES, word)
    }
}

impl F32Matmul {
    /// The names of all values, the default first.
    pub const NAMES: &'static [&'static str] = &words(&F32_MATMUL);

    /// Returns the value with a name.
    pub fn from_name(word: &str) -> Option<Self> {
        from_name(&F32_MATMUL, word)
    }
}

impl Display for PrecisionChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let found = PRECISION_CHOICES.iter().find(|(_, value)| value == self);
        f.write_str(found.map_or("none", |(word, _)| word))
    }
}

impl Options {
    /// Returns the precision of a product of factors with these element types.
    pub fn precision(&self, factors: [Element; 2]) -> Precision {
        match self.precision {
            PrecisionChoice::Fixed(precision) => precision,
            PrecisionChoice::Auto if factors == [Element::Bf16; 2] => Precision::Pseudo,
            PrecisionChoice::Auto => match self.f32_matmul {
                F32Matmul::Pseudo => Precision::Pseudo,
                F32Matmul::Single => Precision::Single,
            },
        }
    }
}

#[cfg(test)]
mod tests;
