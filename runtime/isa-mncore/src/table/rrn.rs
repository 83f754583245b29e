//! The result reduction network's operations (manual, section 3.5.5), shared by MV, L2BM and L1BM
//! reductions.

use crate::memory::Precision;

macro_rules! operations {
    ($( $Name:ident $suffix:literal $float:literal $doc:literal )*) => {
        /// What a reduction does with two elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RrnKind { $( #[doc = $doc] $Name ),* }

        static ROWS: &[(RrnKind, &str, bool, &str)] =
            &[ $( (RrnKind::$Name, $suffix, $float, $doc) ),* ];
    };
}

operations! {
    FloatAdd   "fadd" true  "Floating-point sum."
    Max        "max"  true  "Floating-point maximum."
    Min        "min"  true  "Floating-point minimum."
    IntAdd     "iadd" false "Integer sum."
    BitAnd     "band" false "Bitwise and."
    LogicalAnd "and"  false "Logical and."
    BitOr      "bor"  false "Bitwise or."
    LogicalOr  "or"   false "Logical or."
}

/// A reduction: an operation on elements of a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rrn {
    /// Double, single or half for floating-point operations; long, int or short for the others.
    pub precision: Precision,
    /// The operation.
    pub kind: RrnKind,
}

impl Rrn {
    /// Every reduction there is.
    pub fn all() -> impl Iterator<Item = Rrn> {
        ROWS.iter().flat_map(|&(kind, _, float, _)| {
            Precision::ALL
                .into_iter()
                .filter(move |&p| p.is_float() == float && p != Precision::Pseudo)
                .map(move |precision| Rrn { precision, kind })
        })
    }

    /// The reduction of a spelling such as `dfadd`.
    pub fn find(text: &str) -> Option<Rrn> {
        Rrn::all().find(|rrn| rrn.mnemonic() == text)
    }

    /// Its spelling.
    pub fn mnemonic(self) -> String {
        format!("{}{}", self.precision.letter(), self.row().1)
    }

    /// What it does, in a line.
    pub fn doc(self) -> &'static str {
        self.row().3
    }

    /// Whether it is a single precision floating-point operation, which alone converts its input or
    /// output.
    pub fn is_single_float(self) -> bool {
        self.precision == Precision::Single
    }

    fn row(self) -> &'static (RrnKind, &'static str, bool, &'static str) {
        ROWS.iter()
            .find(|row| row.0 == self.kind)
            .expect("every kind has a row")
    }
}

#[cfg(test)]
mod tests;
