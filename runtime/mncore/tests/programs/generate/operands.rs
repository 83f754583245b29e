//! Random operands of PE expressions.
//!
//! A step has one address per port of its memories and one mask (section 3.6.4). So the operands of
//! a step are mostly drawn from a [`Frame`] created for it. Remaining conflicts are rejected with
//! the step.

use tessera_isa_mncore::ast::{
    Convert, Fixed, Forward, Input, Mask, MemoryOperand, Modify, Output, Pattern, Source, Target,
};
use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::Span;

use super::dice::Dice;

/// The choices that the operands of a step share.
pub struct Frame {
    reads: [MemoryOperand; 4],
    writes: [MemoryOperand; 4],
    mask: Mask,
    base: Width,
    /// The precision of the MAU.
    pub precision: Precision,
    /// The percentage of MAU operations that multiply a matrix register.
    pub matrices: usize,
    /// The units whose results the step may read.
    pub forwarded: [bool; 4],
}

/// The requirements of an input operand.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// The only width a memory may have.
    pub width: Option<Width>,
    pub convert: Convert,
    pub negate: bool,
    /// Whether `$mreadf` and fixed values are allowed.
    pub first_of_alu: bool,
    /// Whether four PEs should send one block float, mostly from an area that programs seldom
    /// write.
    pub block: bool,
}

pub const PLAIN_OPCODES: Wanted = Wanted {
    width: None,
    convert: Convert::None,
    negate: false,
    first_of_alu: false,
    block: false,
};

/// The requirements of an output operand.
#[derive(Clone, Copy)]
pub struct Written {
    /// The only width a memory may have.
    pub width: Option<Width>,
    /// Whether base address registers are allowed.
    pub bases: bool,
    /// Whether there are flags for mask registers.
    pub flags: bool,
}

/// The number of single words at the start and at the end of a PE memory that most addresses refer
/// to.
const NEAR: usize = 64;

impl Frame {
    pub fn new(
        dice: &mut Dice,
        (precision, matrices): (Precision, usize),
        forwarded: [bool; 4],
    ) -> Self {
        let operand = |dice: &mut Dice, bank| {
            let width = dice.pick(&Width::ALL);
            memory(dice, bank, width)
        };
        let reads = Bank::ALL.map(|bank| operand(dice, bank));
        let mut writes = reads;
        for bank in [Bank::Grf0, Bank::Grf1] {
            writes[bank as usize] = operand(dice, bank);
        }
        Frame {
            reads,
            writes,
            mask: mask(dice),
            base: dice.pick(&[Width::Single, Width::Long]),
            precision,
            matrices,
            forwarded,
        }
    }

    /// Copies addresses of an earlier step, so that this step often reads its results.
    pub fn follow(&mut self, dice: &mut Dice, earlier: &Frame) {
        for bank in Bank::ALL {
            let index = bank as usize;
            if dice.percent(40) {
                self.reads[index] = earlier.writes[index];
            } else if dice.percent(15) {
                self.writes[index] = earlier.writes[index];
            }
            if bank.is_local() {
                self.writes[index] = self.reads[index];
            }
        }
    }

    /// An operand that is read.
    pub fn input(&self, dice: &mut Dice, wanted: Wanted) -> Input {
        let forwards = [Forward::Mau, Forward::Alu, Forward::L1bm, Forward::Mread];
        let usable = if wanted.first_of_alu { 4 } else { 3 };
        let valid: Vec<_> = forwards[..usable]
            .iter()
            .filter(|unit| self.forwarded[**unit as usize])
            .collect();
        let source = match dice.below(100) {
            _ if wanted.block && dice.percent(80) => Source::Memory(quiet(dice, wanted.width)),
            0..=9 => Source::T,
            10..=34 if !valid.is_empty() => Source::Forward(*dice.pick(&valid)),
            // Reading the result of a unit that produced none traps.
            35 => Source::Forward(dice.pick(&forwards[..usable])),
            36..=45 if wanted.first_of_alu => Source::Fixed(dice.pick(&[
                Fixed::L2bId,
                Fixed::L1bId,
                Fixed::MabId,
                Fixed::PeId,
                Fixed::SubPeId,
                Fixed::Msb1,
            ])),
            _ => {
                let preset = self.reads[dice.below(4)];
                Source::Memory(resized(dice, preset, wanted.width))
            }
        };
        Input {
            span: Span::default(),
            source,
            negate: wanted.negate,
            convert: wanted.convert,
        }
    }

    /// Operands that are written: one to three.
    pub fn outputs(&self, dice: &mut Dice, written: Written) -> Vec<Output> {
        if dice.percent(8) {
            return vec![self.output(dice, Target::Nowrite)];
        }
        let count = dice.weighted(&[(70, 1), (20, 2), (10, 3)]);
        (0..count)
            .map(|_| {
                let target = match dice.below(100) {
                    0..=11 => Target::T,
                    12..=16 if written.bases => {
                        Target::Base(dice.pick(&[Bank::Lm0, Bank::Lm1]), self.base)
                    }
                    17..=28 if written.flags => Target::MaskRegister(1 + dice.below(15) as u8),
                    _ => {
                        let preset = self.writes[dice.below(4)];
                        Target::Memory(resized(dice, preset, written.width))
                    }
                };
                self.output(dice, target)
            })
            .collect()
    }

    fn output(&self, dice: &mut Dice, target: Target) -> Output {
        let masked = target != Target::Nowrite && dice.percent(25);
        Output {
            span: Span::default(),
            target,
            mask: masked.then_some(self.mask),
        }
    }

    /// The mask on a unit's result, now and then.
    pub fn zero_flush(&self, dice: &mut Dice) -> Option<Mask> {
        dice.percent(10).then_some(self.mask)
    }
}

/// The first single word of a register file's area that programs seldom write; an area of the same
/// size is filled.
const QUIET: usize = 96;

/// Words of a register file that mostly keep their initial content.
fn quiet(dice: &mut Dice, width: Option<Width>) -> MemoryOperand {
    let width = width.unwrap_or(Width::Long);
    let (unit, bank) = (width.words(), dice.pick(&[Bank::Grf0, Bank::Grf1]));
    MemoryOperand {
        bank,
        width,
        pattern: Pattern::Stride {
            base: (QUIET + dice.below(16)) as u16 / unit * unit,
            stride: unit,
        },
        modify: Modify::None,
    }
}

/// Returns the operand itself, or one of the required width.
fn resized(dice: &mut Dice, preset: MemoryOperand, width: Option<Width>) -> MemoryOperand {
    match width {
        Some(width) if width != preset.width => memory(dice, preset.bank, width),
        _ => preset,
    }
}

/// A mask: a register or a fixed entry.
fn mask(dice: &mut Dice) -> Mask {
    Mask {
        entry: 1 + dice.below(31) as u8,
        wide: dice.percent(40),
    }
}

/// An access to a PE memory.
pub fn memory(dice: &mut Dice, bank: Bank, width: Width) -> MemoryOperand {
    let pattern = if dice.percent(15) {
        Pattern::Flat(std::array::from_fn(|_| address(dice, bank, width)))
    } else {
        let unit = width.words();
        let stride = match dice.below(100) {
            0..=9 => 0,
            10..=74 => unit,
            75..=94 => unit * (1 + dice.below(8) as u16),
            _ => dice.below(usize::from(bank.words() / unit)) as u16 * unit,
        };
        let base = address(dice, bank, width);
        Pattern::Stride { base, stride }
    };
    let modify = match (bank, dice.below(100)) {
        (Bank::Lm0 | Bank::Lm1, 0..=11) => Modify::UpToPe(dice.below(4) as u8),
        (Bank::Lm0, 12..=23) => Modify::T,
        _ => Modify::None,
    };
    MemoryOperand {
        bank,
        width,
        pattern,
        modify,
    }
}

/// Returns a single word address that is valid for an access width.
fn address(dice: &mut Dice, bank: Bank, width: Width) -> u16 {
    let (size, unit) = (usize::from(bank.words()), usize::from(width.words()));
    let word = match dice.below(100) {
        0..=84 => dice.below(NEAR),
        85..=92 => size - 1 - dice.below(NEAR / 2),
        _ => dice.below(size),
    };
    (word / unit * unit) as u16
}
