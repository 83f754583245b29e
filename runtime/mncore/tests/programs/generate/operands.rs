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

use tessera_test_support::random::Rng;

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
        rng: &mut Rng,
        (precision, matrices): (Precision, usize),
        forwarded: [bool; 4],
    ) -> Self {
        let operand = |rng: &mut Rng, bank| {
            let width = rng.pick(&Width::ALL);
            memory(rng, bank, width)
        };
        let reads = Bank::ALL.map(|bank| operand(rng, bank));
        let mut writes = reads;
        for bank in [Bank::Grf0, Bank::Grf1] {
            writes[bank as usize] = operand(rng, bank);
        }
        Frame {
            reads,
            writes,
            mask: mask(rng),
            base: rng.pick(&[Width::Single, Width::Long]),
            precision,
            matrices,
            forwarded,
        }
    }

    /// Copies addresses of an earlier step, so that this step often reads its results.
    pub fn follow(&mut self, rng: &mut Rng, earlier: &Frame) {
        for bank in Bank::ALL {
            let index = bank as usize;
            if rng.percent(40) {
                self.reads[index] = earlier.writes[index];
            } else if rng.percent(15) {
                self.writes[index] = earlier.writes[index];
            }
            if bank.is_local() {
                self.writes[index] = self.reads[index];
            }
        }
    }

    /// An operand that is read.
    pub fn input(&self, rng: &mut Rng, wanted: Wanted) -> Input {
        let forwards = [Forward::Mau, Forward::Alu, Forward::L1bm, Forward::Mread];
        let usable = if wanted.first_of_alu { 4 } else { 3 };
        let valid: Vec<_> = forwards[..usable]
            .iter()
            .filter(|unit| self.forwarded[**unit as usize])
            .collect();
        let source = match rng.below(100) {
            _ if wanted.block && rng.percent(80) => Source::Memory(quiet(rng, wanted.width)),
            0..=9 => Source::T,
            10..=34 if !valid.is_empty() => Source::Forward(*rng.pick(&valid)),
            // Reading the result of a unit that produced none traps.
            35 => Source::Forward(rng.pick(&forwards[..usable])),
            36..=45 if wanted.first_of_alu => Source::Fixed(rng.pick(&[
                Fixed::L2bId,
                Fixed::L1bId,
                Fixed::MabId,
                Fixed::PeId,
                Fixed::SubPeId,
                Fixed::Msb1,
            ])),
            _ => {
                let preset = self.reads[rng.below(4)];
                Source::Memory(resized(rng, preset, wanted.width))
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
    pub fn outputs(&self, rng: &mut Rng, written: Written) -> Vec<Output> {
        if rng.percent(8) {
            return vec![self.output(rng, Target::Nowrite)];
        }
        let count = rng.weighted(&[(70, 1), (20, 2), (10, 3)]);
        (0..count)
            .map(|_| {
                let target = match rng.below(100) {
                    0..=11 => Target::T,
                    12..=16 if written.bases => {
                        Target::Base(rng.pick(&[Bank::Lm0, Bank::Lm1]), self.base)
                    }
                    17..=28 if written.flags => Target::MaskRegister(1 + rng.below(15) as u8),
                    _ => {
                        let preset = self.writes[rng.below(4)];
                        Target::Memory(resized(rng, preset, written.width))
                    }
                };
                self.output(rng, target)
            })
            .collect()
    }

    fn output(&self, rng: &mut Rng, target: Target) -> Output {
        let masked = target != Target::Nowrite && rng.percent(25);
        Output {
            span: Span::default(),
            target,
            mask: masked.then_some(self.mask),
        }
    }

    /// The mask on a unit's result, now and then.
    pub fn zero_flush(&self, rng: &mut Rng) -> Option<Mask> {
        rng.percent(10).then_some(self.mask)
    }
}

/// The first single word of a register file's area that programs seldom write; an area of the same
/// size is filled.
const QUIET: usize = 96;

/// Words of a register file that mostly keep their initial content.
fn quiet(rng: &mut Rng, width: Option<Width>) -> MemoryOperand {
    let width = width.unwrap_or(Width::Long);
    let (unit, bank) = (width.words(), rng.pick(&[Bank::Grf0, Bank::Grf1]));
    MemoryOperand {
        bank,
        width,
        pattern: Pattern::Stride {
            base: (QUIET + rng.below(16)) as u16 / unit * unit,
            stride: unit,
        },
        modify: Modify::None,
    }
}

/// Returns the operand itself, or one of the required width.
fn resized(rng: &mut Rng, preset: MemoryOperand, width: Option<Width>) -> MemoryOperand {
    match width {
        Some(width) if width != preset.width => memory(rng, preset.bank, width),
        _ => preset,
    }
}

/// A mask: a register or a fixed entry.
fn mask(rng: &mut Rng) -> Mask {
    Mask {
        entry: 1 + rng.below(31) as u8,
        wide: rng.percent(40),
    }
}

/// An access to a PE memory.
pub fn memory(rng: &mut Rng, bank: Bank, width: Width) -> MemoryOperand {
    let pattern = if rng.percent(15) {
        Pattern::Flat(std::array::from_fn(|_| address(rng, bank, width)))
    } else {
        let unit = width.words();
        let stride = match rng.below(100) {
            0..=9 => 0,
            10..=74 => unit,
            75..=94 => unit * (1 + rng.below(8) as u16),
            _ => rng.below(usize::from(bank.words() / unit)) as u16 * unit,
        };
        let base = address(rng, bank, width);
        Pattern::Stride { base, stride }
    };
    let modify = match (bank, rng.below(100)) {
        (Bank::Lm0 | Bank::Lm1, 0..=11) => Modify::UpToPe(rng.below(4) as u8),
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
fn address(rng: &mut Rng, bank: Bank, width: Width) -> u16 {
    let (size, unit) = (usize::from(bank.words()), usize::from(width.words()));
    let word = match rng.below(100) {
        0..=84 => rng.below(NEAR),
        85..=92 => size - 1 - rng.below(NEAR / 2),
        _ => rng.below(size),
    };
    (word / unit * unit) as u16
}
