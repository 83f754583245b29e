//! The named fields of a PE instruction word, and the values that the expressions of a step assign
//! to them.
//!
//! A step is one instruction word. Every operand and opcode assigns values to named fields. Two
//! expressions can be issued together only if no field is assigned two different values. So the
//! address rules of the manual's section 3.6.4 need no code of their own: a local memory has a
//! single address field for reads and writes, a register file has one for each, and an immediate
//! occupies the bits of LM0's address. The manual implies these fields; their positions in
//! [`crate::word`] are this crate's choice.

use std::sync::OnceLock;

use crate::ast::{
    Alu, Convert, Expression, Fixed, Forward, Input, L1Operand, L1bm, Mask, MatrixRows, Mau,
    MemoryOperand, Modify, Op, Output, PeOperands, Source, Step, Target,
};
use crate::diagnostic::Span;
use crate::memory::{Bank, Side, Width};
use crate::table::mau::Port;
use crate::table::{AluOp, L1bmOp, L2bmOp, MauOp};

/// The kind of value a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number with this many bits.
    Number(u32),
    /// The addresses of four cycles with this many bits each. They are encoded as base and stride,
    /// or as four addresses in flat mode.
    Addresses(u32),
    /// A resource that a step may use once; it has no bits in the word.
    Once,
}

macro_rules! fields {
    ($( $Name:ident $text:literal $shape:ident $(($bits:literal))? $doc:literal )*) => {
        /// A field of a PE instruction word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Field { $( #[doc = $doc] $Name ),* }

        impl Field {
            /// All fields, in the order of the word.
            pub const ALL: &'static [Field] = &[ $( Field::$Name ),* ];

            /// Returns the name of the field.
            pub const fn name(self) -> &'static str {
                match self { $( Field::$Name => $text ),* }
            }

            /// Returns the kind of value it holds.
            pub const fn shape(self) -> Shape {
                match self { $( Field::$Name => Shape::$shape $(($bits))? ),* }
            }

            /// Returns its description.
            pub const fn doc(self) -> &'static str {
                match self { $( Field::$Name => $doc ),* }
            }
        }
    };
}

#[rustfmt::skip]
fields! {
    Lm0Addr      "lm0_addr"      Addresses(12) "the address of LM0, shared by reads, writes and immediates"
    Lm0Width     "lm0_width"     Number(2)  "the width of accesses to LM0"
    Lm0Modify    "lm0_modify"    Number(3)  "the modifier of LM0's address"
    AluA         "alu_a"         Number(5)  "the first input of the ALU"
    AluB         "alu_b"         Number(5)  "the second input of the ALU"
    Lm1Addr      "lm1_addr"      Addresses(12) "the address of LM1, shared by reads and writes"
    Lm1Width     "lm1_width"     Number(2)  "the width of accesses to LM1"
    Lm1Modify    "lm1_modify"    Number(3)  "the modifier of LM1's address"
    Grf0ReadAddr "grf0_read_addr" Addresses(9) "the read address of GRF0"
    Grf0ReadWidth "grf0_read_width" Number(2) "the width of reads of GRF0"
    Grf0WriteAddr "grf0_write_addr" Addresses(9) "the write address of GRF0"
    Grf0WriteWidth "grf0_write_width" Number(2) "the width of writes to GRF0"
    Grf1ReadAddr "grf1_read_addr" Addresses(9) "the read address of GRF1"
    Grf1ReadWidth "grf1_read_width" Number(2) "the width of reads of GRF1"
    Grf1WriteAddr "grf1_write_addr" Addresses(9) "the write address of GRF1"
    Grf1WriteWidth "grf1_write_width" Number(2) "the width of writes to GRF1"
    Lm0In        "lm0_in"        Number(3)  "the unit that writes LM0"
    Lm1In        "lm1_in"        Number(3)  "the unit that writes LM1"
    Grf0In       "grf0_in"       Number(3)  "the unit that writes GRF0"
    Grf1In       "grf1_in"       Number(3)  "the unit that writes GRF1"
    TIn          "t_in"          Number(3)  "the unit that writes the T register"
    Base0In      "base0_in"      Number(3)  "the unit that writes the base address register of LM0"
    Base1In      "base1_in"      Number(3)  "the unit that writes the base address register of LM1"
    BaseLong     "base_long"     Number(1)  "the width of writes to base address registers"
    MaskIn       "omr_in"        Number(1)  "the unit whose flags are written to a mask register"
    MaskOut      "omr_addr"      Number(4)  "the mask register that is written"
    MaskEntry    "mask_entry"    Number(5)  "the mask entry that is read"
    MaskWide     "mask_width"    Number(1)  "the width of the mask"
    MaskLm0      "mask_lm0"      Number(1)  "whether writes to LM0 and its base address register are masked"
    MaskLm1      "mask_lm1"      Number(1)  "whether writes to LM1 and its base address register are masked"
    MaskGrf0     "mask_grf0"     Number(1)  "whether writes to GRF0 are masked"
    MaskGrf1     "mask_grf1"     Number(1)  "whether writes to GRF1 are masked"
    MaskT        "mask_t"        Number(1)  "whether writes to the T register are masked"
    MaskMask     "mask_omr"      Number(1)  "whether writes to mask registers are masked"
    ZeroFlush    "zero_flush"    Number(3)  "the unit whose result is zero-flushed"
    MauPrecision "mau_precision" Number(2)  "the precision of the MAU and the matrix registers"
    MauOp        "mau_op"        Number(6)  "the operation of the MAU"
    MauSide      "mau_side"      Number(1)  "the matrix register of the product"
    MauA         "mau_a"         Number(6)  "the first input of the MAU, or the vector of a matrix product"
    MauB         "mau_b"         Number(6)  "the second input of the MAU, shared with writes to matrix registers"
    MauC         "mau_c"         Number(6)  "the addend of the MAU"
    MwriteOn     "mwrite"        Number(1)  "whether a matrix register is written"
    MwriteSide   "mwrite_side"   Number(1)  "the matrix register that is written"
    MwriteRow    "mwrite_row"    Number(4)  "the first row written"
    MwriteWide   "mwrite_wide"   Number(1)  "whether two rows are written per cycle"
    MreadOn      "mread"         Number(1)  "whether a matrix register is read transposed"
    MreadSide    "mread_side"    Number(1)  "the matrix register that is read transposed"
    MreadColumn  "mread_column"  Number(4)  "the first column read"
    AluOp        "alu_op"        Number(8)  "the operation of the ALU"
    L1bmOp       "l1bm_op"       Number(8)  "the transfer between L1BM and PE"
    L1bmSource   "l1bm_source"   Number(5)  "the source of the data that PEs send to L1BM"
    L1bmAddr     "l1bm_addr"     Number(13) "the address in L1BM, on the side of the PEs; 1 for writes to the turn-around register alone"
    TurnOp       "turn_op"       Number(6)  "the transfer from the turn-around register to PE"
    L2bmOp       "l2bm_op"       Number(10) "the transfer between L2BM and L1BM"
    L2bmAddr     "l2bm_addr"     Number(11) "the address in L2BM, in units of 16 long words"
    L2bmL1Addr   "l2bm_l1_addr"  Number(11) "the address in L1BM, on the side of L2BM, in units of 8 long words"
    DarWrite     "dar_write"     Number(1)  "whether addresses are copied to DAR"
    Noforward    "noforward"     Number(1)  "whether forwarding registers are kept"
    Wait         "wait"          Number(8)  "the tag that is waited for"
    Immediate    "immediate"     Once       "the immediate"
    MatrixX      "matrix_x"      Once       "the matrix register $lx"
    MatrixY      "matrix_y"      Once       "the matrix register $ly"
    Lbf          "lbf"           Once       "the path from L1BM to PE, and its forwarding register"
}

/// The MAU, as the `…_in` fields number the units.
pub(crate) const FROM_MAU: u64 = 1;
/// Transposed reads of matrix registers.
pub(crate) const FROM_MREAD: u64 = 2;
/// The ALU.
pub(crate) const FROM_ALU: u64 = 3;
/// L1BM.
pub(crate) const FROM_L1BM: u64 = 4;
/// The turn-around register.
pub(crate) const FROM_TURNAROUND: u64 = 5;

/// Sources in the order in which `…_a`, `…_b`, `…_c` and `l1bm_source` number them, from 1 on.
pub(crate) const SOURCES: [Source; 10] = [
    Source::T,
    Source::Forward(Forward::Mau),
    Source::Forward(Forward::Alu),
    Source::Forward(Forward::L1bm),
    // The remaining sources reach only the first input of the ALU.
    Source::Forward(Forward::Mread),
    Source::Fixed(Fixed::L2bId),
    Source::Fixed(Fixed::L1bId),
    Source::Fixed(Fixed::MabId),
    Source::Fixed(Fixed::PeId),
    Source::Fixed(Fixed::SubPeId),
];

/// The value of `l2bm_op` for `l2bmdars`.
pub(crate) const DAR_START: u64 = 1022;
/// The value of `l2bm_op` for `nop`.
pub(crate) const NOP: u64 = 1023;

/// The value of `l1bm_addr` for a write to the turn-around register only. No transfer from PEs has
/// an odd address, so the value is free.
pub(crate) const TURNAROUND: u16 = 1;
/// The unit of `l2bm_addr` in long words; every address is a multiple of it.
pub(crate) const L2_UNIT: u16 = 16;
/// The unit of `l2bm_l1_addr` in long words; every address is a multiple of it.
pub(crate) const L1_UNIT: u16 = 8;

/// Returns the transfers that can read the turn-around register; the position is the encoding.
pub(crate) fn turnarounds() -> impl Iterator<Item = &'static L1bmOp> {
    L1bmOp::list().iter().filter(|op| op.kind.row().down)
}

/// A value that an operand or opcode assigns to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldAssignment {
    /// The field.
    pub field: Field,
    /// The value. For addresses, 16 bits per cycle with cycle 0 lowest.
    pub value: u64,
    /// The operand or opcode that assigns it.
    pub span: Span,
    /// Whether no other operand may assign this field, not even the same value.
    pub exclusive: bool,
}

/// Returns the field assignments of all expressions of a step.
pub fn field_assignments(step: &Step) -> Vec<FieldAssignment> {
    let mut out = Assignments(Vec::with_capacity(16));
    for expression in &step.expressions {
        out.expression(expression);
    }
    out.0
}

/// Collects field assignments.
struct Assignments(Vec<FieldAssignment>);

impl Assignments {
    /// Assigns a value that others may assign too.
    fn shared(&mut self, span: Span, field: Field, value: impl Into<u64>) {
        self.0.push(FieldAssignment {
            field,
            value: value.into(),
            span,
            exclusive: false,
        });
    }

    /// Assigns a value exclusively.
    fn alone(&mut self, span: Span, field: Field, value: impl Into<u64>) {
        self.0.push(FieldAssignment {
            field,
            value: value.into(),
            span,
            exclusive: true,
        });
    }

    fn expression(&mut self, expression: &Expression) {
        let span = expression.span;
        let unit = match &expression.op {
            Op::Nop => return self.alone(span, Field::L2bmOp, NOP),
            Op::Noforward => return self.alone(span, Field::Noforward, 1u64),
            Op::Wait(tag) => return self.alone(span, Field::Wait, *tag),
            Op::DarWrite => return self.alone(span, Field::DarWrite, 1u64),
            Op::DarStart { l2, l2b, dar } => {
                self.alone(span, Field::L2bmOp, DAR_START);
                self.alone(span, Field::L2bmAddr, *l2 / L2_UNIT);
                return self.alone(span, Field::L2bmL1Addr, *dar | u16::from(*l2b) << 10);
            }
            Op::L2bm { op, l2, l1 } => {
                self.alone(span, Field::L2bmOp, position(op) + 1);
                self.alone(span, Field::L2bmAddr, *l2 / L2_UNIT);
                return self.alone(span, Field::L2bmL1Addr, *l1 / L1_UNIT);
            }
            Op::L1bm(l1bm) => self.l1bm(span, l1bm),
            Op::Mau(mau) => self.mau(span, mau),
            Op::Mwrite {
                precision,
                input,
                matrix,
            } => {
                self.shared(span, Field::MauPrecision, *precision as u64);
                self.alone(span, Field::MwriteOn, 1u64);
                self.matrix(span, matrix, Field::MwriteSide, Field::MwriteRow);
                self.shared(span, Field::MwriteWide, matrix.wide);
                return self.input(input, Field::MauB);
            }
            Op::Mread {
                precision, matrix, ..
            } => {
                self.shared(span, Field::MauPrecision, *precision as u64);
                self.alone(span, Field::MreadOn, 1u64);
                self.matrix(span, matrix, Field::MreadSide, Field::MreadColumn);
                FROM_MREAD
            }
            Op::Alu(alu) => self.alu(span, alu),
        };
        if let Some(mask) = expression.zero_flush {
            self.alone(span, Field::ZeroFlush, unit);
            self.mask(span, mask);
        }
        for output in expression.op.outputs() {
            self.output(output, unit);
        }
    }

    fn l1bm(&mut self, span: Span, l1bm: &L1bm) -> u64 {
        if l1bm.is_turnaround() {
            let number = turnarounds().position(|op| *op == l1bm.op);
            let number = number.expect("every transfer to PEs is listed") as u64 + 1;
            self.alone(span, Field::TurnOp, number);
            self.alone(span, Field::Lbf, 0u64);
            return FROM_TURNAROUND;
        }
        // Opcode numbers start at 1; 0 means no transfer.
        self.alone(span, Field::L1bmOp, position(&l1bm.op) + 1);
        match l1bm.l1 {
            L1Operand::Address(address) => self.alone(span, Field::L1bmAddr, address),
            L1Operand::Turnaround => self.alone(span, Field::L1bmAddr, TURNAROUND),
        }
        match &l1bm.pe {
            PeOperands::Up(input) => self.input(input, Field::L1bmSource),
            PeOperands::Down(_) => self.alone(span, Field::Lbf, 0u64),
        }
        FROM_L1BM
    }

    fn mau(&mut self, span: Span, mau: &Mau) -> u64 {
        self.shared(span, Field::MauPrecision, mau.op.precision as u64);
        self.alone(span, Field::MauOp, position(&mau.op) + 1);
        if let Some(side) = mau.matrix {
            self.side(span, side, Field::MauSide);
        }
        for (port, input) in mau.op.kind.row().ports.iter().zip(&mau.inputs) {
            let field = match port {
                Port::Vector | Port::A => Field::MauA,
                Port::B => Field::MauB,
                Port::C => Field::MauC,
            };
            self.input(input, field);
        }
        FROM_MAU
    }

    fn alu(&mut self, span: Span, alu: &Alu) -> u64 {
        self.alone(span, Field::AluOp, position(&alu.op) + 1);
        if alu.op.kind.is_immediate() {
            // The immediate occupies the bits of LM0's address.
            self.alone(span, Field::Lm0Addr, 0u64);
            self.alone(span, Field::Immediate, alu.immediate);
        }
        for (input, field) in alu.inputs.iter().zip([Field::AluA, Field::AluB]) {
            self.input(input, field);
        }
        FROM_ALU
    }

    fn matrix(&mut self, span: Span, matrix: &MatrixRows, side: Field, first: Field) {
        self.side(span, matrix.side, side);
        self.alone(span, first, matrix.first);
    }

    /// Assigns a matrix register, which a step can use at most once.
    fn side(&mut self, span: Span, side: Side, field: Field) {
        self.alone(span, field, side == Side::Y);
        let register = match side {
            Side::X => Field::MatrixX,
            Side::Y => Field::MatrixY,
        };
        self.alone(span, register, 0u64);
    }

    fn input(&mut self, input: &Input, port: Field) {
        let source = match input.source {
            Source::Memory(memory) => {
                self.address(input.span, &memory, false);
                memory.bank as u64 + 1
            }
            Source::Fixed(Fixed::Msb1) => 15,
            other => {
                let known = SOURCES.iter().position(|&source| source == other);
                known.expect("every other source is numbered") as u64 + 5
            }
        };
        let convert = u64::from(input.convert != Convert::None);
        let negate = u64::from(input.negate);
        self.shared(input.span, port, source | convert << 4 | negate << 5);
    }

    fn address(&mut self, span: Span, memory: &MemoryOperand, write: bool) {
        let (address, width) = match (memory.bank, write) {
            (Bank::Lm0, _) => (Field::Lm0Addr, Field::Lm0Width),
            (Bank::Lm1, _) => (Field::Lm1Addr, Field::Lm1Width),
            (Bank::Grf0, false) => (Field::Grf0ReadAddr, Field::Grf0ReadWidth),
            (Bank::Grf0, true) => (Field::Grf0WriteAddr, Field::Grf0WriteWidth),
            (Bank::Grf1, false) => (Field::Grf1ReadAddr, Field::Grf1ReadWidth),
            (Bank::Grf1, true) => (Field::Grf1WriteAddr, Field::Grf1WriteWidth),
        };
        let packed = (0..4).fold(0, |packed, cycle| {
            packed | u64::from(memory.address(cycle)) << (16 * cycle)
        });
        self.shared(span, address, packed);
        self.shared(span, width, memory.width as u64);
        let modify = match memory.modify {
            Modify::None => 0u64,
            Modify::UpToPe(pe) => u64::from(pe) + 1,
            Modify::T => 5,
        };
        match memory.bank {
            Bank::Lm0 => self.shared(span, Field::Lm0Modify, modify),
            Bank::Lm1 => self.shared(span, Field::Lm1Modify, modify),
            Bank::Grf0 | Bank::Grf1 => {}
        }
    }

    fn output(&mut self, output: &Output, unit: u64) {
        let span = output.span;
        let mask = match output.target {
            Target::Memory(memory) => {
                self.address(span, &memory, true);
                let (field, mask) = match memory.bank {
                    Bank::Lm0 => (Field::Lm0In, Field::MaskLm0),
                    Bank::Lm1 => (Field::Lm1In, Field::MaskLm1),
                    Bank::Grf0 => (Field::Grf0In, Field::MaskGrf0),
                    Bank::Grf1 => (Field::Grf1In, Field::MaskGrf1),
                };
                self.alone(span, field, unit);
                mask
            }
            Target::T => {
                self.alone(span, Field::TIn, unit);
                Field::MaskT
            }
            Target::Base(bank, width) => {
                let (field, mask) = if bank == Bank::Lm0 {
                    (Field::Base0In, Field::MaskLm0)
                } else {
                    (Field::Base1In, Field::MaskLm1)
                };
                self.alone(span, field, unit);
                self.shared(span, Field::BaseLong, width == Width::Long);
                mask
            }
            Target::MaskRegister(entry) => {
                self.alone(span, Field::MaskOut, entry);
                self.alone(span, Field::MaskIn, unit == FROM_ALU);
                Field::MaskMask
            }
            Target::Nowrite => return,
        };
        self.shared(span, mask, output.mask.is_some());
        if let Some(found) = output.mask {
            self.mask(span, found);
        }
    }

    fn mask(&mut self, span: Span, mask: Mask) {
        self.shared(span, Field::MaskEntry, mask.entry);
        self.shared(span, Field::MaskWide, mask.wide);
    }
}

/// Returns the position of an opcode in the list of its family.
fn position<T: Numbered>(op: &T) -> u64 {
    let position = T::list().iter().position(|other| other == op);
    position.expect("the list is complete") as u64
}

/// Opcodes that are encoded by their position in a list.
pub(crate) trait Numbered: Sized + PartialEq + 'static {
    /// Returns all opcodes of the family.
    fn list() -> &'static [Self];
}

macro_rules! numbered {
    ($($Op:ty)*) => { $(
        impl Numbered for $Op {
            fn list() -> &'static [Self] {
                static LIST: OnceLock<Vec<$Op>> = OnceLock::new();
                LIST.get_or_init(<$Op>::all)
            }
        }
    )* };
}

numbered! { AluOp MauOp L1bmOp L2bmOp }
