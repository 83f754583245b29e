//! The MAU's opcodes: arithmetic, writes to and transposed reads of matrix registers (manual,
//! sections 3.6.9 to 3.6.11).

use super::Opcode;
use crate::memory::{Precision, Width};

/// A row: one operation, in all its precisions.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operation.
    pub kind: MauKind,
    /// Its spelling without precision.
    pub stem: &'static str,
    /// The letters of its precisions.
    pub precisions: &'static str,
    /// Whether its first operand is a matrix register.
    pub matrix: bool,
    /// What its PE operands are for, in order.
    pub ports: &'static [Port],
    /// Whether double precision works on half of the rows or PEs at a time (`u` or `d`).
    pub halved: bool,
    /// The section of each precision in `precisions`.
    pub sections: &'static [&'static str],
    /// What it does, in a line.
    pub doc: &'static str,
}

/// What a PE operand of a MAU expression is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Port {
    /// The block float vector of a matrix product.
    Vector,
    /// The first factor, or the only operand.
    A,
    /// The second factor; `mwrite` reads through this port, too.
    B,
    /// The addend.
    C,
}

macro_rules! opcodes {
    ($( $Name:ident $stem:literal $precisions:literal $matrix:literal [$($port:ident)*] $halved:literal
        [$($section:literal)*] $doc:literal )*) => {
        /// What the MAU does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum MauKind { $( #[doc = $doc] $Name ),* }

        static ROWS: &[Row] = &[ $( Row {
            kind: MauKind::$Name, stem: $stem, precisions: $precisions, matrix: $matrix,
            ports: &[$(Port::$port),*], halved: $halved, sections: &[$($section),*], doc: $doc,
        } ),* ];
    };
}

#[rustfmt::skip]
opcodes! {
    Mfma   "mfma"   "dfgh" true  [Vector C] true  ["3.6.9.2" "3.6.9.4" "3.6.9.6" "3.6.9.8"]  "Matrix register times vector, plus vector."
    Mmul   "mmul"   "dfgh" true  [Vector]   true  ["3.6.9.3" "3.6.9.5" "3.6.9.7" "3.6.9.9"]  "Matrix register times vector."
    Vfma   "vfma"   "dfh"  false [A B C]    true  ["3.6.9.10" "3.6.9.14" "3.6.9.18"]         "x * y + z, element by element."
    Vmul   "vmul"   "dfh"  false [A B]      true  ["3.6.9.11" "3.6.9.15" "3.6.9.19"]         "x * y, element by element."
    Vadd   "vadd"   "dfh"  false [A C]      false ["3.6.9.12" "3.6.9.16" "3.6.9.20"]         "x + z, element by element."
    Vpassa "vpassa" "dfh"  false [A]        false ["3.6.9.13" "3.6.9.17" "3.6.9.21"]         "x, normalised."
}

/// Which two rows or PEs a double precision product covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// `u`: 0 and 1.
    Upper,
    /// `d`: 2 and 3.
    Lower,
}

impl Half {
    /// Its letter.
    pub const fn letter(self) -> char {
        match self {
            Half::Upper => 'u',
            Half::Lower => 'd',
        }
    }
}

impl MauKind {
    /// Its row.
    pub fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.kind == self)
            .expect("every kind has a row")
    }

    /// Whether it multiplies a matrix register.
    pub fn is_matrix(self) -> bool {
        self.row().matrix
    }
}

/// A MAU opcode in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MauOp {
    /// The operation.
    pub kind: MauKind,
    /// The precision: double, single, pseudo-single or half.
    pub precision: Precision,
    /// Which half of the rows or PEs; double precision products only.
    pub half: Option<Half>,
    /// The suffix `r`: the result is rounded to the next narrower precision.
    pub narrow: bool,
}

impl MauOp {
    /// The spelling.
    pub fn mnemonic(&self) -> String {
        let mut text = format!("{}{}", self.precision.letter(), self.kind.row().stem);
        text.extend(self.half.map(Half::letter));
        if self.narrow {
            text.push('r');
        }
        text
    }

    /// The section that describes it.
    pub fn section(&self) -> &'static str {
        let row = self.kind.row();
        let index = row.precisions.find(self.precision.letter());
        row.sections[index.expect("the row has this precision")]
    }

    /// Every MAU opcode; the position is its number.
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

    /// The width of the result: what the manual calls the basic operation, or half of it with `r`.
    pub fn result_width(&self) -> Width {
        match (self.precision, self.narrow) {
            (Precision::Half, false) => Width::Double,
            (Precision::Double, true) => Width::Single,
            _ => Width::Long,
        }
    }

    /// The width of a PE operand, before `e` halves or `r` doubles it.
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

/// Rows (for `mwrite`) or columns (for `mread`) of a matrix register at a precision.
pub const fn matrix_rows(precision: Precision) -> u8 {
    match precision {
        Precision::Double => 4,
        Precision::Half => 16,
        _ => 8,
    }
}

/// Terms of a matrix product that a precision adds at once, whose factors have one exponent
/// (manual, table 4.1).
pub const fn block_terms(precision: Precision) -> u8 {
    match precision {
        Precision::Half => 16,
        Precision::Pseudo => 8,
        _ => 4,
    }
}

/// The opcode of a mnemonic.
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

/// The mnemonics.
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
