//! The ALU's opcodes (manual, section 3.6.12, tables 3.9 to 3.11).

use super::Opcode;
use crate::memory::Precision;

/// The precisions that an opcode supports (table 3.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecisionSet {
    /// None: the opcode has no precision letter.
    Untyped,
    /// `l i s`.
    Int,
    /// `d f h`.
    Float,
    /// `d f h l i s`.
    Both,
    /// `d f g h`.
    BlockFloat,
    /// `h`.
    HalfOnly,
}

impl PrecisionSet {
    /// Returns the supported precisions; `None` stands for an opcode without a precision letter.
    pub fn precisions(self) -> Vec<Option<Precision>> {
        let letters = match self {
            PrecisionSet::Untyped => return vec![None],
            PrecisionSet::Int => "lis",
            PrecisionSet::Float => "dfh",
            PrecisionSet::Both => "dfhlis",
            PrecisionSet::BlockFloat => "dfgh",
            PrecisionSet::HalfOnly => "h",
        };
        Precision::ALL
            .into_iter()
            .filter(|p| letters.contains(p.letter()))
            .map(Some)
            .collect()
    }
}

/// A row of table 3.9.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operation.
    pub kind: AluKind,
    /// The mnemonic without the precision letter.
    pub stem: &'static str,
    /// The supported precisions.
    pub types: PrecisionSet,
    /// The number of PE operands it reads.
    pub inputs: usize,
    /// Whether the prefix `u` is allowed.
    pub unsigned: Unsigned,
    /// The section of the manual.
    pub section: &'static str,
    /// A one-line description.
    pub doc: &'static str,
}

/// Precisions for which the prefix `u` (unsigned) is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// None.
    No,
    /// All precisions.
    Yes,
    /// Integer precisions.
    Ints,
}

macro_rules! opcodes {
    ($( $Name:ident $stem:literal $types:ident $inputs:literal $unsigned:ident $section:literal
        $doc:literal )*) => {
        /// An ALU operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AluKind { $( #[doc = $doc] $Name ),* }

        static ROWS: &[Row] = &[ $( Row {
            kind: AluKind::$Name, stem: $stem, types: PrecisionSet::$types, inputs: $inputs,
            unsigned: Unsigned::$unsigned, section: $section, doc: $doc,
        } ),* ];
    };
}

#[rustfmt::skip]
opcodes! {
    Zero     "zero"    Untyped    0 No   "3.6.12.2"  "Zero, two long words."
    Imm      "imm"     Untyped    0 No   "3.6.12.3"  "An immediate word, four times."
    Immu     "immu"    Untyped    0 No   "3.6.12.3"  "An immediate word in the upper half of each long word, zero in the lower."
    Msl      "msl"     Untyped    1 No   "3.6.12.4"  "The long word of the PE before, cyclically."
    Msr      "msr"     Untyped    1 No   "3.6.12.4"  "The long word of the PE after, cyclically."
    Passa    "passa"   Both       1 No   "3.6.12.5"  "A copy of two long words; the precision decides the mask flags."
    Inc      "inc"     Int        1 Yes  "3.6.12.6"  "x + 1."
    Dec      "dec"     Int        1 Yes  "3.6.12.6"  "x - 1."
    Not      "not"     Int        1 No   "3.6.12.7"  "Bitwise not."
    Lnot     "lnot"    Int        1 No   "3.6.12.8"  "1 if x is 0, else 0."
    Rsqrt    "rsqrt"   Float      1 No   "3.6.12.9"  "Approximately 1 / sqrt(|x|), about five bits."
    Floor    "floor"   Float      1 No   "3.6.12.10" "The largest integral number not above x."
    Ftoi     "ftoi"    Float      1 Yes  "3.6.12.11" "x as an integer, towards zero; unsigned, |x|."
    Bfe      "bfe"     HalfOnly   1 No   "3.6.12.12" "Block float of two blocks of 16, extended form."
    Bfn      "bfn"     BlockFloat 1 No   "3.6.12.12" "Block float: a common exponent for a block across the PEs of a MAB."
    Max      "max"     Both       2 Ints "3.6.12.13" "The greater of x and y."
    Min      "min"     Both       2 Ints "3.6.12.13" "The lesser of x and y."
    Packbit  "packbit" Both       2 No   "3.6.12.14" "x << 1 with the top bit of y below."
    And      "and"     Int        2 No   "3.6.12.15" "Bitwise and."
    Or       "or"      Int        2 No   "3.6.12.15" "Bitwise or."
    Xor      "xor"     Int        2 No   "3.6.12.15" "Bitwise exclusive or."
    Add      "add"     Int        2 Yes  "3.6.12.16" "x + y."
    Sub      "sub"     Int        2 Yes  "3.6.12.16" "x - y."
    Lsl      "lsl"     Int        2 No   "3.6.12.17" "x shifted left by y."
    Lsr      "lsr"     Int        2 Yes  "3.6.12.17" "x shifted right by y, arithmetically; unsigned, logically."
    Bsl      "bsl"     Int        2 No   "3.6.12.17" "x rotated left by y."
    Bsr      "bsr"     Int        2 No   "3.6.12.17" "x rotated right by y."
    Relu     "relu"    Float      2 No   "3.6.12.18" "y if the top bit of x is 0, else -0."
    Relu1    "relu1"   Float      2 No   "3.6.12.18" "y if the second bit of x is 0, else -0."
    Relu2    "relu2"   Float      2 No   "3.6.12.18" "y if the third bit of x is 0, else -0."
    Relu3    "relu3"   Float      2 No   "3.6.12.18" "y if the fourth bit of x is 0, else -0."
    Lrelud   "lrelud"  Float      2 No   "3.6.12.18" "y if the top bit of x is 0, else y / 2."
    Lreluo   "lreluo"  Float      2 No   "3.6.12.18" "y if the top bit of x is 0, else y / 8."
    Ilrelud  "ilrelud" Float      2 No   "3.6.12.18" "y if the top bit of x is 0, else y with its exponent incremented."
}

/// Returns the rows of all operations.
pub const fn rows() -> &'static [Row] {
    ROWS
}

impl AluKind {
    /// Returns the row of the operation.
    pub fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.kind == self)
            .expect("every kind has a row")
    }

    /// Returns whether the operation produces an immediate.
    pub const fn is_immediate(self) -> bool {
        matches!(self, AluKind::Imm | AluKind::Immu)
    }

    /// Returns whether the operation converts to block float.
    pub const fn is_block_float(self) -> bool {
        matches!(self, AluKind::Bfe | AluKind::Bfn)
    }
}

/// An ALU opcode with its precision and parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AluOp {
    /// The operation.
    pub kind: AluKind,
    /// The precision; `None` for untyped operations.
    pub precision: Option<Precision>,
    /// The prefix `u`.
    pub unsigned: bool,
    /// Mantissa bits that a half precision block float conversion keeps: 6 to 9; 0 for every other
    /// opcode.
    pub mantissa: u8,
}

impl AluOp {
    /// Creates an opcode without prefix or parameter.
    pub const fn new(kind: AluKind, precision: Option<Precision>) -> Self {
        AluOp {
            kind,
            precision,
            unsigned: false,
            mantissa: 0,
        }
    }

    /// Returns whether the opcode requires a mantissa length.
    pub fn takes_mantissa(&self) -> bool {
        self.kind.is_block_float() && self.precision == Some(Precision::Half)
    }

    /// Returns the mnemonic, without `/n`.
    pub fn mnemonic(&self) -> String {
        let mut text = String::new();
        if self.unsigned {
            text.push('u');
        }
        text.extend(self.precision.map(Precision::letter));
        text.push_str(self.kind.row().stem);
        text
    }

    /// Returns every ALU opcode; the position is the encoding.
    pub fn all() -> Vec<AluOp> {
        let mut all = Vec::new();
        for op in spelled() {
            if op.takes_mantissa() {
                all.extend((6..=9).map(|mantissa| AluOp { mantissa, ..op }));
            } else {
                all.push(op);
            }
        }
        all
    }
}

/// Returns every opcode that has a mnemonic of its own.
fn spelled() -> Vec<AluOp> {
    let mut all = Vec::new();
    for row in ROWS {
        for precision in row.types.precisions() {
            let op = AluOp {
                kind: row.kind,
                precision,
                unsigned: false,
                mantissa: 0,
            };
            all.push(op);
            let is_int = precision.is_some_and(|p| !p.is_float());
            if row.unsigned == Unsigned::Yes || row.unsigned == Unsigned::Ints && is_int {
                all.push(AluOp {
                    unsigned: true,
                    ..op
                });
            }
        }
    }
    all
}

/// Returns the opcode of a mnemonic; `relu0` is an alias of `relu`.
pub(super) fn find(mnemonic: &str) -> Option<Opcode> {
    let name = mnemonic
        .strip_suffix("relu0")
        .map_or(mnemonic.to_owned(), |precision| format!("{precision}relu"));
    spelled()
        .into_iter()
        .find(|op| op.mnemonic() == name)
        .map(Opcode::Alu)
}

/// Returns all mnemonics.
pub(super) fn mnemonics() -> Vec<String> {
    let mut all: Vec<String> = spelled().iter().map(AluOp::mnemonic).collect();
    all.extend(["drelu0", "frelu0", "hrelu0"].map(str::to_owned));
    all
}

#[cfg(test)]
mod tests;
