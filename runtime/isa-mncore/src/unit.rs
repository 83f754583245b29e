//! The packed instruction stream: units of 1024 bits (manual, section 1.2).
//!
//! A unit holds one MV instruction and three steps in auto-stride mode, or two steps in flat mode.
//! The units follow the vendor's where their layout is public. Bit i is bit i % 8 of byte i / 8.
//! The steps start at bit 0, followed by the MV instruction. The two top bits hold the mode (0
//! flat, 1 auto-stride). The encoding of the words is this crate's ([`crate::word`]). So is the
//! order within a unit, which the manual leaves open: the MV instruction is issued before the
//! steps.
//!
//! Packing preserves program order. A missing step is filled with `nop`, a missing MV instruction
//! with `mvnop`.

use thiserror::Error;

use crate::ast::{Mv, Program, Statement, StatementKind, Step};
use crate::diagnostic::{Diagnostic, Span};
use crate::word::{self, Bits, DecodeError, Mode};

/// Size of a unit in bytes.
pub const UNIT_BYTES: usize = 128;

/// Position of the two-bit mode field.
const MODE_AT: usize = 1022;

impl Mode {
    /// Returns the number of steps in a unit.
    pub const fn steps(self) -> usize {
        match self {
            Mode::AutoStride => 3,
            Mode::Flat => 2,
        }
    }

    /// Returns the number of words in a unit: the MV instruction and the steps.
    pub const fn words(self) -> usize {
        1 + self.steps()
    }

    const fn code(self) -> u64 {
        match self {
            Mode::AutoStride => 1,
            Mode::Flat => 0,
        }
    }

    /// Returns the position of the MV instruction.
    const fn mv_at(self) -> usize {
        self.steps() * self.bits()
    }
}

/// Packs a program into units.
///
/// # Errors
/// Statements that have no encoding (`d get`, `d set`, host statements), and operands that the mode
/// cannot express.
pub fn pack(program: &Program, mode: Mode) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut packer = Packer::new(mode);
    let statements = program.statements.iter();
    let errors: Vec<_> = statements
        .filter_map(|statement| packer.push(statement).err())
        .collect();
    if errors.is_empty() {
        Ok(packer.finish())
    } else {
        Err(errors)
    }
}

/// Packs a stream of statements one by one.
pub struct Packer {
    mode: Mode,
    out: Vec<u8>,
    mv: Option<Bits>,
    steps: Vec<Bits>,
}

impl Packer {
    /// Creates an empty packer.
    pub fn new(mode: Mode) -> Self {
        Packer {
            mode,
            out: Vec::new(),
            mv: None,
            steps: Vec::new(),
        }
    }

    /// Packs the next statement and returns the number of its word. Words are numbered over all
    /// units; in each unit, the MV instruction comes first, then the steps.
    ///
    /// # Errors
    /// A statement that has no encoding, or an operand that the mode cannot express.
    pub fn push(&mut self, statement: &Statement) -> Result<usize, Diagnostic> {
        match &statement.kind {
            StatementKind::Step(step) => Ok(self.step(word::encode(step, self.mode)?)),
            StatementKind::Mv(mv) => Ok(self.mv(word::mv::encode(mv, self.mode))),
            StatementKind::Get(_) | StatementKind::Set(_) | StatementKind::Host(_) => {
                Err(Diagnostic::new(
                    statement.span,
                    "a control statement has no instruction word",
                )
                .with_section("3.4")
                .with_hint("remove it, or write text (--emit asm), which keeps it"))
            }
        }
    }

    /// Returns the packed units.
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        self.out
    }

    fn step(&mut self, bits: Bits) -> usize {
        let word = self.word(1 + self.steps.len());
        self.steps.push(bits);
        if self.steps.len() == self.mode.steps() {
            self.flush();
        }
        word
    }

    fn mv(&mut self, bits: Bits) -> usize {
        if self.mv.is_some() || !self.steps.is_empty() {
            self.flush();
        }
        self.mv = Some(bits);
        self.word(0)
    }

    /// Returns the number of a word in the unit being filled.
    fn word(&self, word: usize) -> usize {
        self.out.len() / UNIT_BYTES * self.mode.words() + word
    }

    /// Completes the current unit, unless it is empty.
    fn flush(&mut self) {
        if self.mv.is_none() && self.steps.is_empty() {
            return;
        }
        let mode = self.mode;
        let mut unit = Bits::default();
        unit.set(MODE_AT, 2, mode.code());
        unit.insert(
            mode.mv_at(),
            word::mv::bits(mode),
            &self.mv.take().unwrap_or_default(),
        );
        if self.steps.len() < mode.steps() {
            self.steps.resize(mode.steps(), nop_word(mode));
        }
        for (index, step) in self.steps.drain(..).enumerate() {
            unit.insert(index * mode.bits(), mode.bits(), &step);
        }
        self.out
            .extend(unit.0.iter().flat_map(|word| word.to_le_bytes()));
    }
}

/// Returns the encoding of `nop`.
fn nop_word(mode: Mode) -> Bits {
    word::encode(&Step::nop(), mode).expect("`nop` has no operands")
}

/// The reason why bytes are not a packed program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnpackError {
    /// The length is not a multiple of the unit size.
    #[error("{0} bytes are not a multiple of {UNIT_BYTES}, the size of a unit")]
    Length(usize),
    /// The mode field of a unit is invalid.
    #[error("unit {unit}: instruction mode {code} is neither flat (0) nor auto-stride (1)")]
    Mode {
        /// The unit, counted from 0.
        unit: usize,
        /// The value of its mode field.
        code: u64,
    },
    /// Units of both modes occur.
    #[error("unit {0} has another instruction mode than the units before it")]
    Mixed(usize),
    /// A word is not a valid instruction.
    #[error("unit {unit}, {slot}: {error}")]
    Word {
        /// The unit, counted from 0.
        unit: usize,
        /// The position of the word in the unit.
        slot: String,
        /// The decoding error.
        error: DecodeError,
    },
}

/// Unpacks a program and returns its mode. `mvnop`s are omitted; packing restores them.
///
/// # Errors
/// The first unit that [`pack`] cannot produce.
pub fn unpack(bytes: &[u8]) -> Result<(Program, Mode), UnpackError> {
    let mut units = Units::new(bytes)?;
    let mut program = Program::default();
    for unit in units.by_ref() {
        program.statements.extend(unit?.into_iter().map(|(_, s)| s));
    }
    Ok((program, units.mode.unwrap_or(Mode::AutoStride)))
}

/// Unpacks units one by one, so that a long program need not be in memory at once. Yields the
/// statements of each unit with their word numbers (see [`Packer::push`]).
#[derive(Clone, Debug)]
pub struct Units<'a> {
    rest: &'a [u8],
    /// The number of the next unit.
    unit: usize,
    /// The mode of the units so far.
    mode: Option<Mode>,
}

impl<'a> Units<'a> {
    /// Creates an iterator over the units in `bytes`.
    ///
    /// # Errors
    /// A length that is not a multiple of the unit size.
    pub fn new(bytes: &'a [u8]) -> Result<Self, UnpackError> {
        if bytes.len() % UNIT_BYTES != 0 {
            return Err(UnpackError::Length(bytes.len()));
        }
        Ok(Units {
            rest: bytes,
            unit: 0,
            mode: None,
        })
    }
}

impl Iterator for Units<'_> {
    type Item = Result<Vec<(usize, Statement)>, UnpackError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (bytes, rest) = self.rest.split_at_checked(UNIT_BYTES)?;
        let (bits, unit) = (read_unit(bytes), self.unit);
        (self.rest, self.unit) = (rest, unit + 1);
        let mode = match bits.get(MODE_AT, 2) {
            0 => Mode::Flat,
            1 => Mode::AutoStride,
            code => return Some(Err(UnpackError::Mode { unit, code })),
        };
        if *self.mode.get_or_insert(mode) != mode {
            return Some(Err(UnpackError::Mixed(unit)));
        }
        Some(unpack_unit(&bits, mode, unit))
    }
}

/// Returns the bits of a unit.
fn read_unit(bytes: &[u8]) -> Bits {
    let mut bits = Bits::default();
    for (word, bytes) in bits.0.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    }
    bits
}

/// Returns the statements of a unit with their word numbers.
fn unpack_unit(
    bits: &Bits,
    mode: Mode,
    unit: usize,
) -> Result<Vec<(usize, Statement)>, UnpackError> {
    let bad = |slot: String| move |error| UnpackError::Word { unit, slot, error };
    let first = unit * mode.words();
    let statement = |word, kind| {
        let span = Span::default();
        (first + word, Statement { span, kind })
    };
    let mut statements = Vec::with_capacity(mode.words());
    let word = bits.extract(mode.mv_at(), word::mv::bits(mode));
    let mv: Mv = word::mv::decode(&word, mode).map_err(bad("MV instruction".to_owned()))?;
    if mv.transfer.is_some() {
        statements.push(statement(0, StatementKind::Mv(mv)));
    }
    for index in 0..mode.steps() {
        let word = bits.extract(index * mode.bits(), mode.bits());
        let step = word::decode(&word, mode).map_err(bad(format!("step {index}")))?;
        statements.push(statement(1 + index, StatementKind::Step(step)));
    }
    Ok(statements)
}

#[cfg(test)]
mod tests;
