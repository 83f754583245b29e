//! Element-wise functions: one row per function of one or two operands.
//!
//! A row holds everything about a function that does not depend on a target: its names, its value
//! in `f64` and on 32-bit integers, and what interval evaluation needs ([`Enclosure`],
//! [`Sensitivity`]). The tensor operations of `ttir` and `ttnn`, the tile operations of `pto`, the
//! program file, the interpreter and the reference are derived from these rows.
//!
//! Floating-point functions are evaluated in `f64`, so that the result of a device is compared with
//! the exact value up to the last bits of an `f64`. Integers are `i32` and wrap. Comparisons and
//! logical functions return 1 or 0. NaN propagates, except into booleans: NaN is not zero and
//! therefore true, and every comparison with NaN is false except "not equal".

mod binary;
mod enclosure;
mod reduce;
mod unary;

#[cfg(test)]
mod tests;

pub use binary::{Binary, BinaryInfo};
pub use enclosure::{Enclosure, Extrema, Interval, Sensitivity};
pub use reduce::{Reduce, ReduceInfo};
pub use unary::{Unary, UnaryInfo};

/// The arithmetic in which a function is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `f64`, for every floating-point type.
    Float,
    /// 32-bit integers that wrap.
    Integer,
}

/// The arithmetics for which a function is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Floating-point numbers and integers.
    Any,
    /// Floating-point numbers only.
    Float,
    /// Integers only.
    Integer,
}

impl Domain {
    /// Returns whether the domain contains an arithmetic.
    pub fn contains(self, arithmetic: impl Into<Arithmetic>) -> bool {
        matches!(
            (self, arithmetic.into()),
            (Domain::Any, _)
                | (Domain::Float, Arithmetic::Float)
                | (Domain::Integer, Arithmetic::Integer)
        )
    }

    /// Returns an element type in the domain, for "cast to" in diagnostics.
    pub fn example(self) -> &'static str {
        match self {
            Domain::Any | Domain::Float => "f32",
            Domain::Integer => "i32",
        }
    }

    /// Returns the domain of a function with these definitions.
    const fn from_definitions(float: bool, integer: bool) -> Self {
        match (float, integer) {
            (true, true) => Domain::Any,
            (false, true) => Domain::Integer,
            (_, false) => Domain::Float,
        }
    }
}

/// Declares an enumeration of functions whose variants are rows of a table.
macro_rules! functions {
    ($(#[$meta:meta])* $name:ident: $info:ident { $($variant:ident: $summary:literal, {
        $($field:ident: $value:expr),* $(,)?
    })* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $(#[doc = $summary] $variant,)*
        }

        impl $name {
            /// All functions, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            const ROWS: &'static [$info] = &[
                $($info { summary: $summary, $($field: $value),* },)*
            ];

            /// Returns the row of the function.
            pub const fn info(self) -> &'static $info {
                &Self::ROWS[self as usize]
            }

            /// Returns the name of its tensor operation in `ttnn` and in the program file.
            pub const fn name(self) -> &'static str {
                self.info().name
            }

            /// Returns the name of its tile operation without the prefix `pto.t`.
            pub fn mnemonic(self) -> &'static str {
                self.info().mnemonic
            }

            /// Returns the function whose tensor operation has this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }

            /// Returns the function whose tile operation has this mnemonic.
            pub fn from_mnemonic(mnemonic: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.mnemonic() == mnemonic)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
use functions;

/// Converts a boolean to 1 or 0.
fn boolean(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}
