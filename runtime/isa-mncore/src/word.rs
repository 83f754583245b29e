//! Encoding of PE instruction words: the positions of the fields in both instruction modes.
//!
//! The vendor does not publish the layout, so it is this crate's, except for two published facts: a
//! PE word has 304 bits in auto-stride mode and 432 in flat mode, and the wait tag has a fixed
//! position in each. Fields follow one another in the order of [`Field::ALL`], first below the tag
//! while they fit, then above it. Auto-stride words hold the first address and a stride, counted in
//! accesses; flat words hold all four addresses. The 32 bits of an immediate start at LM0's address
//! field and extend into the ALU input fields, which an immediate does not use.
//!
//! `docs/reference/mncore/words.md` lists positions and opcode numbers; its test fails when they
//! change.
//!
//! Decoding is strict: a word that [`encode`] cannot produce is rejected.

use std::sync::OnceLock;

use thiserror::Error;

use crate::ast::{Pattern, Source, Step, Target};
use crate::diagnostic::{Diagnostic, Span};
use crate::fields::{field_assignments, Field, FieldAssignment, Shape};
use crate::memory::Width;

mod decode;
pub mod mv;

#[cfg(test)]
mod page;

pub use decode::decode;

/// The instruction mode, which determines how addresses are encoded (manual, section 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Base address and stride; three steps per MV instruction.
    AutoStride,
    /// Four addresses; two steps per MV instruction.
    Flat,
}

impl Mode {
    /// Returns the size of a PE word in bits.
    pub const fn bits(self) -> usize {
        match self {
            Mode::AutoStride => 304,
            Mode::Flat => 432,
        }
    }

    /// Returns the position of the eight-bit wait tag.
    pub const fn wait_offset(self) -> usize {
        match self {
            Mode::AutoStride => 292,
            Mode::Flat => 270,
        }
    }
}

/// A bit string as long as a unit of the instruction stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bits(pub [u64; 16]);

impl Bits {
    /// Returns `width` (up to 64) bits starting at bit `low`.
    pub fn get(&self, low: usize, width: usize) -> u64 {
        let (word, shift) = (low / 64, low % 64);
        let lower = self.0[word] >> shift;
        let upper = match self.0.get(word + 1) {
            Some(next) if shift > 0 => next << (64 - shift),
            _ => 0,
        };
        (lower | upper) & mask(width)
    }

    /// Sets `width` (up to 64) bits starting at bit `low`.
    pub fn set(&mut self, low: usize, width: usize, value: u64) {
        let (word, shift) = (low / 64, low % 64);
        let value = value & mask(width);
        self.0[word] = self.0[word] & !(mask(width) << shift) | value << shift;
        if shift > 0 && shift + width > 64 {
            let spill = 64 - shift;
            self.0[word + 1] = self.0[word + 1] & !(mask(width) >> spill) | value >> spill;
        }
    }

    /// Returns `count` bits starting at bit `low` as a bit string of their own.
    pub fn extract(&self, low: usize, count: usize) -> Bits {
        let mut part = Bits::default();
        for at in (0..count).step_by(64) {
            let width = (count - at).min(64);
            part.set(at, width, self.get(low + at, width));
        }
        part
    }

    /// Overwrites `count` bits starting at bit `low` with `part`.
    pub fn insert(&mut self, low: usize, count: usize, part: &Bits) {
        for at in (0..count).step_by(64) {
            let width = (count - at).min(64);
            self.set(low + at, width, part.get(at, width));
        }
    }
}

/// Returns a mask of `width` ones.
const fn mask(width: usize) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// Returns the size of a stride field in auto-stride mode, for addresses of 12 or 9 bits.
const fn stride_bits(address: u32) -> usize {
    if address == 12 {
        9
    } else {
        8
    }
}

/// Returns the size of a field in bits.
fn width(field: Field, mode: Mode) -> usize {
    match (field.shape(), mode) {
        (Shape::Number(bits), _) => bits as usize,
        (Shape::Addresses(bits), Mode::AutoStride) => bits as usize + stride_bits(bits),
        (Shape::Addresses(bits), Mode::Flat) => 4 * bits as usize,
        (Shape::Once, _) => 0,
    }
}

/// Returns the position of a field.
fn low(field: Field, mode: Mode) -> usize {
    static PLACES: OnceLock<[Vec<usize>; 2]> = OnceLock::new();
    let places = PLACES.get_or_init(|| [places(Mode::AutoStride), places(Mode::Flat)]);
    places[mode as usize][field as usize]
}

/// Returns the positions of all fields: below the tag while they fit, then above it.
fn places(mode: Mode) -> Vec<usize> {
    let wait = mode.wait_offset();
    let (mut below, mut above) = (0, wait + 8);
    let place = |&field: &Field| {
        let bits = width(field, mode);
        if field == Field::Wait {
            return wait;
        }
        let at = if below + bits <= wait {
            &mut below
        } else {
            &mut above
        };
        *at += bits;
        *at - bits
    };
    Field::ALL.iter().map(place).collect()
}

/// Size of an immediate in bits.
const IMMEDIATE_BITS: usize = 32;

/// Returns the field that holds the access width for an address field.
fn width_field(addresses: Field) -> Field {
    match addresses {
        Field::Lm0Addr => Field::Lm0Width,
        Field::Lm1Addr => Field::Lm1Width,
        Field::Grf0ReadAddr => Field::Grf0ReadWidth,
        Field::Grf0WriteAddr => Field::Grf0WriteWidth,
        Field::Grf1ReadAddr => Field::Grf1ReadWidth,
        _ => Field::Grf1WriteWidth,
    }
}

/// Encodes a step, which must have passed [`crate::check()`].
///
/// # Errors
/// An operand that the mode cannot express.
pub fn encode(step: &Step, mode: Mode) -> Result<Bits, Diagnostic> {
    if mode == Mode::AutoStride {
        if let Some(span) = flat_operand(step) {
            return Err(
                Diagnostic::new(span, "addresses of four cycles need flat mode")
                    .with_section("1.2")
                    .with_hint("assemble with --instruction-mode flat"),
            );
        }
    }
    let field_assignments = field_assignments(step);
    let mut word = Bits::default();
    for assignment in &field_assignments {
        match assignment.field.shape() {
            Shape::Number(bits) => {
                word.set(low(assignment.field, mode), bits as usize, assignment.value)
            }
            Shape::Addresses(bits) => addresses(
                &mut word,
                assignment,
                &field_assignments,
                bits as usize,
                mode,
            )?,
            Shape::Once if assignment.field == Field::Immediate => {
                word.set(low(Field::Lm0Addr, mode), IMMEDIATE_BITS, assignment.value);
            }
            Shape::Once => {}
        }
    }
    Ok(word)
}

/// Encodes the addresses of one field.
fn addresses(
    word: &mut Bits,
    assignment: &FieldAssignment,
    field_assignments: &[FieldAssignment],
    bits: usize,
    mode: Mode,
) -> Result<(), Diagnostic> {
    let at = low(assignment.field, mode);
    let address = |cycle: usize| assignment.value >> (16 * cycle) & mask(16);
    if mode == Mode::Flat {
        for cycle in 0..4 {
            word.set(at + cycle * bits, bits, address(cycle));
        }
        return Ok(());
    }
    let unit = field_assignments
        .iter()
        .find(|other| other.field == width_field(assignment.field))
        .map_or(1, |width| 1 << width.value);
    let stride = (address(1).wrapping_sub(address(0)) & mask(bits)) / unit;
    let most = mask(stride_bits(bits as u32));
    if stride > most {
        return Err(Diagnostic::new(
            assignment.span,
            format!(
                "the increment is {stride} accesses; auto-stride words have room for 0 to {most}"
            ),
        )
        .with_section("1.2")
        .with_hint("assemble with --instruction-mode flat"));
    }
    word.set(at, bits, address(0));
    word.set(at + bits, stride_bits(bits as u32), stride);
    Ok(())
}

/// Decodes the addresses of one field.
fn read_addresses(word: &Bits, field: Field, bits: usize, width: Width, mode: Mode) -> Pattern {
    let at = low(field, mode);
    if mode == Mode::AutoStride {
        let stride = word.get(at + bits, stride_bits(bits as u32)) as u16;
        return Pattern::Stride {
            base: word.get(at, bits) as u16,
            stride: (stride * width.words()) & mask(bits) as u16,
        };
    }
    let addresses: [u16; 4] = std::array::from_fn(|cycle| word.get(at + cycle * bits, bits) as u16);
    let base = addresses[0];
    let stride = addresses[1].wrapping_sub(base) & mask(bits) as u16;
    let regular = Pattern::Stride { base, stride };
    if (0..4).all(|cycle| regular.address_at(cycle) & mask(bits) as u16 == addresses[cycle]) {
        regular
    } else {
        Pattern::Flat(addresses)
    }
}

/// Returns an operand that is written with four addresses.
fn flat_operand(step: &Step) -> Option<Span> {
    let flat = |pattern: Pattern| matches!(pattern, Pattern::Flat(_));
    step.expressions.iter().find_map(|expression| {
        let mut inputs = expression.op.inputs().iter();
        let input =
            inputs.find(|input| matches!(input.source, Source::Memory(m) if flat(m.pattern)));
        let mut outputs = expression.op.outputs().iter();
        let output =
            outputs.find(|output| matches!(output.target, Target::Memory(m) if flat(m.pattern)));
        input.map(|i| i.span).or(output.map(|o| o.span))
    })
}

/// The reason why a word is not a valid instruction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// A field has an undefined value.
    #[error("field `{}`, {}, has the invalid value {value}", field.name(), field.doc())]
    Value {
        /// The field.
        field: Field,
        /// Its value.
        value: u64,
    },
    /// The word has no expression.
    #[error("the word has no expression, not even `nop`")]
    Empty,
    /// Bits are set that no expression of the word uses.
    #[error("bits are set that belong to no expression of `{0}`")]
    StrayBits(String),
    /// The expressions break a rule of the language.
    #[error("`{text}`: {message}")]
    Rule {
        /// The instruction as text.
        text: String,
        /// The error message.
        message: String,
    },
    /// The mode of the MV instruction is undefined.
    #[error("MV mode {0} is not defined")]
    MvMode(u64),
    /// The reduction of the MV instruction is undefined.
    #[error("reduction {0} is not defined")]
    Reduction(u64),
}

#[cfg(test)]
pub(crate) mod tests;
