//! The MAU's opcodes: arithmetic, writes to and transposed reads of matrix registers (manual,
//! sections 3.6.9 to 3.6.11).

use super::Opcode;
use crate::memory::{Precision, Width};

/// A row: one operation in all its precisions.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operation.
    pub kind: MauKind,
    /// The mnemonic without the precision letter.
    pub stem: &'static str,
    /// The letters of the supported precisions.
    pub precisions: &'static str,
    /// Whether its first operand is a matrix register.
    pub matrix: bool,
    /// The roles of its PE operands, in order.
    pub ports: &'static [Port],
    /// Whether double precision processes half of the rows or PEs at a time (`u` or `d`).
    pub halved: bool,
    /// The section of the manual for each precision in `precisions`.
    pub sections: &'static [&'static str],
    /// A one-line description.
    pub doc: &'static str,
}

/// The role of a PE operand of a MAU expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Port {
    /// The block float vector of a matrix-vector product.
    Vector,
    /// The first factor, or the only operand.
    A,
    /// The second factor. `mwrite` reads through this port too.
    B,
    /// The addend.
    C,
}

macro_rules! opcodes {
    ($( $Name:ident $stem:literal $precisions:literal $matrix:literal [$($port:ident)*]
        $halved:literal [$($section:literal)*] $doc:literal )*) => {
        /// A MAU operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum MauKind { $( #[doc = $doc] $Name ),* }

        static ROWS: &[Row] = &[ $( Row {
            kind: MauKind::$Name, stem: $stem, precisions: $precisions, matrix: $matrix,
            ports: &[$(Port::$port),*], halved: $halved, sections: &[$($section),*], doc: $doc,
        } ),* ];
    };
}

// A mnemonic is the letter of a precision and the stem: `hmfma` is `mfma` in half precision.
#[rustfmt::skip]
opcodes! {
    Mfma   "mfma"   "dfgh" true  [Vector C] true  ["3.6.9.2" "3.6.9.4" "3.6.9.6" "3.6.9.8"]  "Matrix register times vector, plus vector."
    Mmul   "mmul"   "dfgh" true  [Vector]   true  ["3.6.9.3" "3.6.9.5" "3.6.9.7" "3.6.9.9"]  "Matrix register times vector."
    Vfma   "vfma"   "dfh"  false [A B C]    true  ["3.6.9.10" "3.6.9.14" "3.6.9.18"]         "x * y + z, element by element."
    Vmul   "vmul"   "dfh"  false [A B]      true  ["3.6.9.11" "3.6.9.15" "3.6.9.19"]         "x * y, element by element."
    Vadd   "vadd"   "dfh"  false [A C]      false ["3.6.9.12" "3.6.9.16" "3.6.9.20"]         "x + z, element by element."
    Vpassa "vpassa" "dfh"  false [A]        false ["3.6.9.13" "3.6.9.17" "3.6.9.21"]         "x, normalised."
}

/// The two rows or PEs that a double precision product covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// `u`: 0 and 1.
    Upper,
    /// `d`: 2 and 3.
    Lower,
}

impl Half {
    /// Returns the letter of the half.
    pub const fn letter(self) -> char {
        match self {
            Half::Upper => 'u',
            Half::Lower => 'd',
        }
    }
}

impl MauKind {
    /// Returns the row of the operation.
    pub fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.kind == self)
            .expect("every kind has a row")
    }

    /// Returns whether the operation multiplies a matrix register.
    pub fn is_matrix(self) -> bool {
        self.row().matrix
    }
}

/// A MAU opcode with its precision and suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MauOp {
    /// The operation.
    pub kind: MauKind,
    /// The precision: double, single, pseudo-single or half.
    pub precision: Precision,
    /// The half of the rows or PEs; double precision products only.
    pub half: Option<Half>,
    /// The suffix `r`: rounds the result to the next narrower precision.
    pub narrow: bool,
}

impl MauOp {
    /// Returns the mnemonic.
    pub fn mnemonic(&self) -> String {
        let mut text = format!("{}{}", self.precision.letter(), self.kind.row().stem);
        text.extend(self.half.map(Half::letter));
        if self.narrow {
            text.push('r');
        }
        text
    }

    /// Returns the section of the manual.
    pub fn section(&self) -> &'static str {
        let row = self.kind.row();
        let index = row.precisions.find(self.precision.letter());
        row.sections[index.expect("the row has this precision")]
    }

    /// Returns every MAU opcode; the position is the encoding.
    pub fn all() -> Vec<MauOp> {
        let mut all = Vec::new();
        for row in ROWS {
            for precision in Precision::ALL {
                if !row.precisions.contains(precision.letter()) {
                    continue;
                }
                let halves: &[Option<Half>] = if row.halved && precision == Precision::Double {
                    &[Some(Half::Upper), Some(Half::Lower)]
                } else {
                    &[None]
                };
                let narrow: &[bool] = if matches!(precision, Precision::Double | Precision::Half) {
                    &[false, true]
                } else {
                    &[false]
                };
                for &half in halves {
                    all.extend(narrow.iter().map(|&narrow| MauOp {
                        kind: row.kind,
                        precision,
                        half,
                        narrow,
                    }));
                }
            }
        }
        all
    }

    /// Returns the width of the result: that of the manual's basic operation, or half of it with
    /// `r`.
    pub fn result_width(&self) -> Width {
        match (self.precision, self.narrow) {
            (Precision::Half, false) => Width::Double,
            (Precision::Double, true) => Width::Single,
            _ => Width::Long,
        }
    }

    /// Returns the width of a PE operand, before `e` halves or `r` doubles it.
    pub fn port_width(&self, port: Port) -> Width {
        match (self.precision, port) {
            (Precision::Half, Port::C) => Width::Double,
            (Precision::Single, Port::Vector) => Width::Single,
            _ => Width::Long,
        }
    }
}

/// The precisions of `mwrite` and `mread`, with the sections of both.
pub const MATRIX_MOVES: [(Precision, &str, &str); 4] = [
    (Precision::Double, "3.6.10.1", "3.6.11.1"),
    (Precision::Single, "3.6.10.2", "3.6.11.2"),
    (Precision::Pseudo, "3.6.10.2", "3.6.11.2"),
    (Precision::Half, "3.6.10.3", "3.6.11.3"),
];

/// Returns the number of rows (`mwrite`) or columns (`mread`) of a matrix register at a precision.
pub const fn matrix_rows(precision: Precision) -> u8 {
    match precision {
        Precision::Double => 4,
        Precision::Half => 16,
        _ => 8,
    }
}

/// Returns the block size of a precision: the terms of a matrix product that are summed at once and
/// whose factors share an exponent (manual, table 4.1).
pub const fn block_terms(precision: Precision) -> u8 {
    match precision {
        Precision::Half => 16,
        Precision::Pseudo => 8,
        _ => 4,
    }
}

/// Returns the opcode of a mnemonic.
pub(super) fn find(mnemonic: &str) -> Option<Opcode> {
    MATRIX_MOVES
        .iter()
        .find_map(
            |&(precision, ..)| match mnemonic.strip_prefix(precision.letter())? {
                "mwrite" => Some(Opcode::Mwrite(precision)),
                "mread" => Some(Opcode::Mread(precision)),
                _ => None,
            },
        )
        .or_else(|| {
            let found = MauOp::all()
                .into_iter()
                .find(|op| op.mnemonic() == mnemonic);
            found.map(Opcode::Mau)
        })
}

/// Returns all mnemonics.
pub(super) fn mnemonics() -> Vec<String> {
    let mut all: Vec<String> = MauOp::all().iter().map(MauOp::mnemonic).collect();
    for (precision, ..) in MATRIX_MOVES {
        all.push(format!("{}mwrite", precision.letter()));
        all.push(format!("{}mread", precision.letter()));
    }
    all
}

#[cfg(test)]
mod tests;
