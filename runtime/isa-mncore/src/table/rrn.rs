//! Operations of the result reduction network, RRN (manual, section 3.5.5). MV, L2BM and L1BM
//! reductions share them.

use crate::memory::Precision;

macro_rules! operations {
    ($( $Name:ident $suffix:literal $float:literal $doc:literal )*) => {
        /// A reduction operation on two elements.
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

/// A reduction operation at a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rrn {
    /// Double, single or half for floating-point operations; long, int or short for the others.
    pub precision: Precision,
    /// The operation.
    pub kind: RrnKind,
}

impl Rrn {
    /// Returns every reduction.
    pub fn all() -> impl Iterator<Item = Rrn> {
        ROWS.iter().flat_map(|&(kind, _, float, _)| {
            Precision::ALL
                .into_iter()
                .filter(move |&p| p.is_float() == float && p != Precision::Pseudo)
                .map(move |precision| Rrn { precision, kind })
        })
    }

    /// Returns the reduction of a mnemonic such as `dfadd`.
    pub fn from_mnemonic(text: &str) -> Option<Rrn> {
        Rrn::all().find(|rrn| rrn.mnemonic() == text)
    }

    /// Returns the mnemonic.
    pub fn mnemonic(self) -> String {
        format!("{}{}", self.precision.letter(), self.row().1)
    }

    /// Returns a one-line description.
    pub fn doc(self) -> &'static str {
        self.row().3
    }

    /// Returns whether it is a single precision floating-point operation. Only these can convert
    /// their input or output.
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
