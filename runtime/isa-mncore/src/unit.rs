//! The packed instruction stream: units of 1024 bits (manual, section 1.2).
//!
//! A unit holds one MV instruction and three steps in auto-stride mode, or two in flat mode. What
//! is known of the vendor's units is kept: bit i is bit i % 8 of byte i / 8; the steps begin at bit
//! 0, the MV instruction behind them; the two top bits tell the mode (0 flat, 1 auto-stride). The
//! words are ours ([`crate::word`]), and so is the order within a unit, which the manual leaves
//! open: the MV instruction is issued before the steps.
//!
//! Packing keeps the order of the program: a missing step is `nop`, a missing MV instruction
//! `mvnop`.

use thiserror::Error;

use crate::ast::{Mv, Program, Statement, StatementKind, Step};
use crate::diagnostic::{Diagnostic, Span};
use crate::word::{self, Bits, DecodeError, Mode};

/// Bytes of a unit.
pub const UNIT_BYTES: usize = 128;

/// The lowest of the two bits that tell the mode.
const MODE_AT: usize = 1022;

impl Mode {
    /// Steps of a unit.
    pub const fn steps(self) -> usize {
        match self {
            Mode::AutoStride => 3,
            Mode::Flat => 2,
        }
    }

    /// Words of a unit: the MV instruction and the steps.
    pub const fn words(self) -> usize {
        1 + self.steps()
    }

    const fn code(self) -> u64 {
        match self {
            Mode::AutoStride => 1,
            Mode::Flat => 0,
        }
    }

    /// The lowest bit of the MV instruction.
    const fn mv_at(self) -> usize {
        self.steps() * self.bits()
    }
}

/// The units of a program, as bytes.
///
/// # Errors
/// Statements that have no word: `d get`, `d set`, host statements; operands the mode cannot
/// express.
pub fn pack(program: &Program, mode: Mode) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut packer = Packer::new(mode);
    let statements = program.statements.iter();
    let errors: Vec<_> = statements
        .filter_map(|statement| packer.statement(statement).err())
        .collect();
    if errors.is_empty() {
        Ok(packer.finish())
    } else {
        Err(errors)
    }
}

/// Packs statements one after the other.
pub struct Packer {
    mode: Mode,
    out: Vec<u8>,
    mv: Option<Bits>,
    steps: Vec<Bits>,
}

impl Packer {
    /// Nothing packed yet.
    pub fn new(mode: Mode) -> Self {
        Packer {
            mode,
            out: Vec::new(),
            mv: None,
            steps: Vec::new(),
        }
    }

    /// Packs the next statement, and tells which word it is. Words are counted over all units: of
    /// each first the MV instruction, then the steps.
    ///
    /// # Errors
    /// A statement that has no word, or an operand that the mode cannot express.
    pub fn statement(&mut self, statement: &Statement) -> Result<usize, Diagnostic> {
        match &statement.kind {
            StatementKind::Step(step) => Ok(self.step(word::encode(step, self.mode)?)),
            StatementKind::Mv(mv) => Ok(self.mv(word::mv::encode(mv, self.mode))),
            StatementKind::Get(_) | StatementKind::Set(_) | StatementKind::Host(_) => {
                Err(Diagnostic::new(
                    statement.span,
                    "a control statement has no instruction word",
                )
                .section("3.4")
                .hint("remove it, or write text (--emit asm), which keeps it"))
            }
        }
    }

    /// The units.
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

    /// The number of a word of the unit being filled.
    fn word(&self, word: usize) -> usize {
        self.out.len() / UNIT_BYTES * self.mode.words() + word
    }

    /// Closes the unit, if there is anything in it.
    fn flush(&mut self) {
        if self.mv.is_none() && self.steps.is_empty() {
            return;
        }
        let mode = self.mode;
        let mut unit = Bits::default();
        unit.set(MODE_AT, 2, mode.code());
        unit.put(
            mode.mv_at(),
            word::mv::bits(mode),
            &self.mv.take().unwrap_or_default(),
        );
        if self.steps.len() < mode.steps() {
            self.steps.resize(mode.steps(), nop_word(mode));
        }
        for (index, step) in self.steps.drain(..).enumerate() {
            unit.put(index * mode.bits(), mode.bits(), &step);
        }
        self.out
            .extend(unit.0.iter().flat_map(|word| word.to_le_bytes()));
    }
}

/// The word of `nop`.
fn nop_word(mode: Mode) -> Bits {
    word::encode(&Step::nop(), mode).expect("`nop` has no operands")
}

/// Why bytes are no packed program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnpackError {
    /// Not a whole number of units.
    #[error("{0} bytes are not a multiple of {UNIT_BYTES}, the size of a unit")]
    Length(usize),
    /// A unit is of neither mode.
    #[error("unit {unit}: instruction mode {code} is neither flat (0) nor auto-stride (1)")]
    Mode {
        /// Which, from 0 on.
        unit: usize,
        /// Its mode bits.
        code: u64,
    },
    /// Units of both modes.
    #[error("unit {0} is of another instruction mode than those before it")]
    Mixed(usize),
    /// A word is none.
    #[error("unit {unit}, {slot}: {error}")]
    Word {
        /// The unit, from 0 on.
        unit: usize,
        /// Which of its words.
        slot: String,
        /// What is wrong.
        error: DecodeError,
    },
}

/// The program of packed units, and their mode. An `mvnop` is left out; packing puts it back.
///
/// # Errors
/// The first unit that is none that [`pack`] makes.
pub fn unpack(bytes: &[u8]) -> Result<(Program, Mode), UnpackError> {
    let mut units = Units::new(bytes)?;
    let mut program = Program::default();
    for unit in units.by_ref() {
        program.statements.extend(unit?.into_iter().map(|(_, s)| s));
    }
    Ok((program, units.mode.unwrap_or(Mode::AutoStride)))
}

/// Unpacks one unit after the other, so that the statements of a long program need not be there at
/// once: of each unit its statements, each with its word ([`Packer::statement`]).
#[derive(Clone, Debug)]
pub struct Units<'a> {
    rest: &'a [u8],
    /// The number of the next unit.
    unit: usize,
    /// The mode of the units so far.
    mode: Option<Mode>,
}

impl<'a> Units<'a> {
    /// The units of these bytes.
    ///
    /// # Errors
    /// Not a whole number of units.
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

/// The bits of a unit's bytes.
fn read_unit(bytes: &[u8]) -> Bits {
    let mut bits = Bits::default();
    for (word, bytes) in bits.0.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    }
    bits
}

/// The statements of a unit, each with its word.
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
    let word = bits.part(mode.mv_at(), word::mv::bits(mode));
    let mv: Mv = word::mv::decode(&word, mode).map_err(bad("MV instruction".to_owned()))?;
    if mv.transfer.is_some() {
        statements.push(statement(0, StatementKind::Mv(mv)));
    }
    for index in 0..mode.steps() {
        let word = bits.part(index * mode.bits(), mode.bits());
        let step = word::decode(&word, mode).map_err(bad(format!("step {index}")))?;
        statements.push(statement(1 + index, StatementKind::Step(step)));
    }
    Ok(statements)
}

#[cfg(test)]
mod tests;
