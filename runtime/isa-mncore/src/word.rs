//! Instruction words: where the fields of a step lie, in both modes.
//!
//! The vendor does not publish the layout. This one is ours, except for what is known: a PE word
//! has 304 bits in auto-stride mode and 432 in flat mode, and the wait tag's place in both. Fields
//! follow one another in the order of [`Field::ALL`], below the tag as long as they fit, then
//! above. In auto-stride mode addresses are the first one and a stride, counted in accesses; in
//! flat mode they are all four. The 32 bits of an immediate begin where LM0's address does and end
//! within the inputs of the ALU, which it has no use for.
//!
//! `docs/reference/mncore/words.md` lists places and numbers; its test tells when they move.
//!
//! Decoding is strict: a word that is not what [`encode`] makes of some step is refused.

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

/// How a step's addresses are encoded (manual, section 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// First address and stride; three steps to an MV instruction.
    AutoStride,
    /// All addresses; two steps to an MV instruction.
    Flat,
}

impl Mode {
    /// Bits of a PE word.
    pub const fn bits(self) -> usize {
        match self {
            Mode::AutoStride => 304,
            Mode::Flat => 432,
        }
    }

    /// The lowest bit of the wait tag, eight bits.
    pub const fn wait_offset(self) -> usize {
        match self {
            Mode::AutoStride => 292,
            Mode::Flat => 270,
        }
    }
}

/// Bits, as many as a unit of the instruction stream has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bits(pub [u64; 16]);

impl Bits {
    /// The `width` (up to 64) bits from `low` on.
    pub fn get(&self, low: usize, width: usize) -> u64 {
        let (word, shift) = (low / 64, low % 64);
        let lower = self.0[word] >> shift;
        let upper = match self.0.get(word + 1) {
            Some(next) if shift > 0 => next << (64 - shift),
            _ => 0,
        };
        (lower | upper) & mask(width)
    }

    /// Sets the `width` (up to 64) bits from `low` on.
    pub fn set(&mut self, low: usize, width: usize, value: u64) {
        let (word, shift) = (low / 64, low % 64);
        let value = value & mask(width);
        self.0[word] = self.0[word] & !(mask(width) << shift) | value << shift;
        if shift > 0 && shift + width > 64 {
            let spill = 64 - shift;
            self.0[word + 1] = self.0[word + 1] & !(mask(width) >> spill) | value >> spill;
        }
    }

    /// The part of `count` bits from `low` on, as bits of its own.
    pub fn part(&self, low: usize, count: usize) -> Bits {
        let mut part = Bits::default();
        for at in (0..count).step_by(64) {
            let width = (count - at).min(64);
            part.set(at, width, self.get(low + at, width));
        }
        part
    }

    /// Sets the `count` bits from `low` on to those of `part`.
    pub fn put(&mut self, low: usize, count: usize, part: &Bits) {
        for at in (0..count).step_by(64) {
            let width = (count - at).min(64);
            self.set(low + at, width, part.get(at, width));
        }
    }
}

/// `width` ones.
const fn mask(width: usize) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// Bits of a stride in auto-stride mode, for addresses of 12 and of 9 bits.
const fn stride_bits(address: u32) -> usize {
    if address == 12 {
        9
    } else {
        8
    }
}

/// The bits of a field.
fn width(field: Field, mode: Mode) -> usize {
    match (field.shape(), mode) {
        (Shape::Number(bits), _) => bits as usize,
        (Shape::Addresses(bits), Mode::AutoStride) => bits as usize + stride_bits(bits),
        (Shape::Addresses(bits), Mode::Flat) => 4 * bits as usize,
        (Shape::Once, _) => 0,
    }
}

/// The lowest bit of a field.
fn low(field: Field, mode: Mode) -> usize {
    static PLACES: OnceLock<[Vec<usize>; 2]> = OnceLock::new();
    let places = PLACES.get_or_init(|| [places(Mode::AutoStride), places(Mode::Flat)]);
    places[mode as usize][field as usize]
}

/// The lowest bit of every field: below the tag while there is room for it, else above.
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

/// The bits of an immediate.
const IMMEDIATE_BITS: usize = 32;

/// The field that holds the width of the accesses at these addresses.
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

/// The word of a step.
///
/// # Errors
/// The operand that the mode cannot express. The step must have passed [`crate::check()`].
pub fn encode(step: &Step, mode: Mode) -> Result<Bits, Diagnostic> {
    if mode == Mode::AutoStride {
        if let Some(span) = flat_operand(step) {
            return Err(
                Diagnostic::new(span, "addresses of four cycles need flat mode")
                    .section("1.2")
                    .hint("assemble with --instruction-mode flat"),
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

/// Puts addresses into a word.
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
        .section("1.2")
        .hint("assemble with --instruction-mode flat"));
    }
    word.set(at, bits, address(0));
    word.set(at + bits, stride_bits(bits as u32), stride);
    Ok(())
}

/// The addresses of a field, cycle by cycle.
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
    if (0..4).all(|cycle| regular.at(cycle) & mask(bits) as u16 == addresses[cycle]) {
        regular
    } else {
        Pattern::Flat(addresses)
    }
}

/// An operand written as four addresses.
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

/// Why a word stands for no instruction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// A field's value stands for nothing.
    #[error("field `{}`, {}, has no meaning for the value {value}", field.name(), field.doc())]
    Value {
        /// The field.
        field: Field,
        /// Its value.
        value: u64,
    },
    /// No expression is in it.
    #[error("no expression: not even `nop`")]
    Empty,
    /// Some bits are not those that the expressions in it have.
    #[error("bits are set that belong to no expression of `{0}`")]
    StrayBits(String),
    /// The expressions break a rule of the language.
    #[error("`{text}`: {message}")]
    Rule {
        /// The instruction as text.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// The MV instruction's mode is not one.
    #[error("MV mode {0} is not defined")]
    MvMode(u64),
    /// The MV instruction's reduction is not one.
    #[error("reduction {0} is not defined")]
    Reduction(u64),
}

#[cfg(test)]
pub(crate) mod tests;
