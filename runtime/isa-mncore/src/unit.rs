//! The packed instruction stream: units of 1024 bits (manual, section 1.2).
//!
//! A unit holds one MV instruction and three steps in auto-stride mode, or two in flat mode. What is known of the vendor's units
//! is kept: bit i is bit i % 8 of byte i / 8; the steps begin at bit 0, the MV instruction behind them; the two top bits tell the
//! mode (0 flat, 1 auto-stride). The words are ours ([`crate::word`]), and so is the order within a unit, which the manual leaves open:
//! the MV instruction is issued before the steps.
//!
//! Packing keeps the order of the program: a missing step is `nop`, a missing MV instruction `mvnop`.

use thiserror::Error;

use crate::ast::{Expression, Mv, Op, Program, Statement, StatementKind, Step};
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
/// Statements that have no word: `d get`, `d set`, host statements; operands the mode cannot express.
pub fn pack(program: &Program, mode: Mode) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut packer = Packer {
        mode,
        out: Vec::new(),
        mv: None,
        steps: Vec::new(),
    };
    let mut errors = Vec::new();
    for statement in &program.statements {
        match &statement.kind {
            StatementKind::Step(step) => match word::encode(step, mode) {
                Ok(bits) => packer.step(bits),
                Err(error) => errors.push(error),
            },
            StatementKind::Mv(mv) => packer.mv(word::mv::encode(mv, mode)),
            StatementKind::Get(_) | StatementKind::Set(_) | StatementKind::Host(_) => errors.push(
                Diagnostic::new(
                    statement.span,
                    "a control statement has no instruction word",
                )
                .section("3.4")
                .hint("remove it, or write text (--emit asm), which keeps it"),
            ),
        }
    }
    if errors.is_empty() {
        packer.flush();
        Ok(packer.out)
    } else {
        Err(errors)
    }
}

/// The unit being filled.
struct Packer {
    mode: Mode,
    out: Vec<u8>,
    mv: Option<Bits>,
    steps: Vec<Bits>,
}

impl Packer {
    fn step(&mut self, bits: Bits) {
        self.steps.push(bits);
        if self.steps.len() == self.mode.steps() {
            self.flush();
        }
    }

    fn mv(&mut self, bits: Bits) {
        if self.mv.is_some() || !self.steps.is_empty() {
            self.flush();
        }
        self.mv = Some(bits);
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
        self.steps.resize(mode.steps(), nop_word(mode));
        for (index, step) in self.steps.drain(..).enumerate() {
            unit.put(index * mode.bits(), mode.bits(), &step);
        }
        self.out
            .extend(unit.0.iter().flat_map(|word| word.to_le_bytes()));
    }
}

/// The word of `nop`.
fn nop_word(mode: Mode) -> Bits {
    let nop = Step {
        expressions: vec![Expression {
            span: Span::default(),
            op: Op::Nop,
            zero_flush: None,
        }],
    };
    word::encode(&nop, mode).expect("`nop` has no operands")
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
    if bytes.len() % UNIT_BYTES != 0 {
        return Err(UnpackError::Length(bytes.len()));
    }
    let mut program = Program::default();
    let mut common = None;
    for (unit, bytes) in bytes.chunks_exact(UNIT_BYTES).enumerate() {
        let bits = read_unit(bytes);
        let mode = match bits.get(MODE_AT, 2) {
            0 => Mode::Flat,
            1 => Mode::AutoStride,
            code => return Err(UnpackError::Mode { unit, code }),
        };
        if *common.get_or_insert(mode) != mode {
            return Err(UnpackError::Mixed(unit));
        }
        unpack_unit(&bits, mode, unit, &mut program)?;
    }
    Ok((program, common.unwrap_or(Mode::AutoStride)))
}

/// The bits of a unit's bytes.
fn read_unit(bytes: &[u8]) -> Bits {
    let mut bits = Bits::default();
    for (word, bytes) in bits.0.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    }
    bits
}

/// Appends the statements of a unit.
fn unpack_unit(
    bits: &Bits,
    mode: Mode,
    unit: usize,
    program: &mut Program,
) -> Result<(), UnpackError> {
    let bad = |slot: String| move |error| UnpackError::Word { unit, slot, error };
    let mut push = |kind| {
        let span = Span::default();
        program.statements.push(Statement { span, kind });
    };
    let word = bits.part(mode.mv_at(), word::mv::bits(mode));
    let mv: Mv = word::mv::decode(&word, mode).map_err(bad("MV instruction".to_owned()))?;
    if mv.transfer.is_some() {
        push(StatementKind::Mv(mv));
    }
    for index in 0..mode.steps() {
        let word = bits.part(index * mode.bits(), mode.bits());
        let step = word::decode(&word, mode).map_err(bad(format!("step {index}")))?;
        push(StatementKind::Step(step));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn packed(source: &str, mode: Mode) -> Vec<u8> {
        let program =
            crate::parse(source).unwrap_or_else(|e| panic!("{}", e[0].render("test", source)));
        pack(&program, mode).unwrap_or_else(|e| panic!("{}", e[0].render("test", source)))
    }

    #[test]
    fn units_are_filled() {
        for (source, auto, flat) in [
            ("", 0, 0),
            ("nop", 1, 1),
            ("nop/3", 1, 2),
            ("nop/4", 2, 2),
            ("mvnop", 1, 1),
            ("nop\nmvnop\nnop", 2, 2),
            ("mvnop\nmvnop", 2, 2),
        ] {
            assert_eq!(
                packed(source, Mode::AutoStride).len(),
                auto * UNIT_BYTES,
                "{source}"
            );
            assert_eq!(
                packed(source, Mode::Flat).len(),
                flat * UNIT_BYTES,
                "{source}"
            );
        }
    }

    /// What is known of the vendor's units: where tags and mode are.
    #[test]
    fn known_fields_are_at_their_known_places() {
        let source = "mvp/n64iab $p0@0 $d0@0\nnop; wait i01\nnop; wait i02\nnop; wait i83";
        let auto = read_unit(&packed(source, Mode::AutoStride));
        assert_eq!(auto.get(1022, 2), 1);
        assert_eq!([292, 596, 900].map(|at| auto.get(at, 8)), [1, 2, 0x83]);
        assert_eq!(auto.get(935, 8), 0xab);
        let flat = read_unit(&packed(source, Mode::Flat)[..UNIT_BYTES]);
        assert_eq!(flat.get(1022, 2), 0);
        assert_eq!([270, 702].map(|at| flat.get(at, 8)), [1, 2]);
        assert_eq!(flat.get(911, 8), 0xab);
        let bytes = packed("nop", Mode::AutoStride);
        assert_eq!(bytes[127] >> 6, 1);
    }

    #[test]
    fn unpacking_undoes_packing() {
        let source = crate::word::tests::LINES.join("\n");
        for mode in [Mode::AutoStride, Mode::Flat] {
            let bytes = packed(&source, mode);
            let (program, found) = unpack(&bytes).unwrap();
            assert_eq!(found, mode);
            assert_eq!(pack(&program, mode).unwrap(), bytes);
            // And so does the text in between.
            assert_eq!(packed(&program.to_string(), mode), bytes);
        }
    }

    #[test]
    fn bytes_that_are_no_program() {
        let nop = packed("nop", Mode::AutoStride);
        let with = |at: usize, value: u8| {
            let mut bytes = nop.clone();
            bytes[at] = value;
            unpack(&bytes).unwrap_err().to_string()
        };
        assert_eq!(
            with(127, 0xff),
            "unit 0: instruction mode 3 is neither flat (0) nor auto-stride (1)"
        );
        assert!(with(0, 1)
            .starts_with("unit 0, step 0: bits are set that belong to no expression of `nop`"));
        assert_eq!(
            unpack(&nop[1..]).unwrap_err().to_string(),
            "127 bytes are not a multiple of 128, the size of a unit"
        );
        let mixed = [nop, packed("nop", Mode::Flat)].concat();
        assert_eq!(
            unpack(&mixed).unwrap_err().to_string(),
            "unit 1 is of another instruction mode than those before it"
        );
    }

    #[test]
    fn control_statements_have_no_words() {
        let program = crate::parse("nop\nd get $lm0 1\nf").unwrap();
        let errors = pack(&program, Mode::Flat).unwrap_err();
        let lines: Vec<u32> = errors.iter().map(|e| e.span.line).collect();
        assert_eq!(lines, [2, 3]);
        assert_eq!(
            errors[0].message,
            "a control statement has no instruction word"
        );
    }

    proptest! {
        #[test]
        fn random_units(bytes in prop::collection::vec(any::<u8>(), UNIT_BYTES..=UNIT_BYTES)) {
            if let Ok((program, mode)) = unpack(&bytes) {
                prop_assert_eq!(pack(&program, mode).unwrap(), bytes);
            }
        }

        /// A unit with one bit turned: another program that has these bits, or an error that names the unit.
        #[test]
        fn turned_bits(line in 0..crate::word::tests::LINES.len(), bit in 0usize..1024) {
            let mut bytes = packed(crate::word::tests::LINES[line], Mode::AutoStride);
            bytes[bit / 8] ^= 1 << (bit % 8);
            match unpack(&bytes) {
                Ok((program, mode)) => {
                    let again = pack(&program, mode).unwrap();
                    prop_assert_eq!(again, bytes);
                }
                Err(error) => prop_assert!(error.to_string().starts_with("unit 0")),
            }
        }
    }
}
