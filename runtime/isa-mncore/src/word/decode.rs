//! Decoding of PE instruction words.

use super::{encode, low, read_addresses, width, Bits, DecodeError, Mode, IMMEDIATE_BITS};
use crate::ast::{
    Alu, Convert, Expression, Fixed, Input, L1Operand, L1bm, Mask, MatrixRows, Mau, MemoryOperand,
    Modify, Op, Output, PeOperands, Source, Step, Target,
};
use crate::diagnostic::Span;
use crate::fields::{
    turnarounds, Field, Numbered, DAR_START, FROM_ALU, FROM_L1BM, FROM_MAU, FROM_MREAD,
    FROM_TURNAROUND, L1_UNIT, L2_UNIT, NOP, SOURCES, TURNAROUND,
};
use crate::memory::{Bank, Precision, Side, Width};
use crate::table::mau::Port;
use crate::table::{AluOp, L1bmOp, L2bmOp, MauOp};

/// Decodes a step. The spans of its operands are empty.
///
/// # Errors
/// A word that [`encode`] cannot produce.
pub fn decode(word: &Bits, mode: Mode) -> Result<Step, DecodeError> {
    let reader = Reader { word, mode };
    let expressions: Vec<Expression> = reader
        .ops()?
        .into_iter()
        .map(|op| reader.expression(op))
        .collect();
    if expressions.is_empty() {
        return Err(DecodeError::Empty);
    }
    let step = Step { expressions };
    check_text(&step)?;
    match encode(&step, mode) {
        Ok(again) if again == *word => Ok(step),
        _ => Err(DecodeError::StrayBits(step.to_string())),
    }
}

/// Checks a decoded step by parsing and checking its text.
fn check_text(step: &Step) -> Result<(), DecodeError> {
    let text = step.to_string();
    let rule = |message: String| DecodeError::Rule {
        text: text.clone(),
        message,
    };
    let parsed = crate::parse(&text).map_err(|errors| rule(errors[0].message.clone()))?;
    // The text of a step must parse to the same step. If an inconsistent table broke this, the word
    // must not be accepted.
    if !matches!(&parsed.statements[..], [statement] if statement.to_string() == text) {
        return Err(rule(
            "internal error: it reads back as another instruction".to_owned(),
        ));
    }
    match crate::check(&parsed).first() {
        Some(found) => Err(rule(found.message.clone())),
        None => Ok(()),
    }
}

/// A word being decoded.
struct Reader<'a> {
    word: &'a Bits,
    mode: Mode,
}

impl Reader<'_> {
    fn get(&self, field: Field) -> u64 {
        self.word
            .get(low(field, self.mode), width(field, self.mode))
    }

    fn flag(&self, field: Field) -> bool {
        self.get(field) != 0
    }

    /// Returns the opcode of a field that numbers opcodes from 1, or `None` for 0.
    fn opcode<T: Numbered + Copy>(&self, field: Field) -> Result<Option<T>, DecodeError> {
        let value = self.get(field);
        if value == 0 {
            return Ok(None);
        }
        let op = T::list().get(value as usize - 1);
        op.copied()
            .map(Some)
            .ok_or(DecodeError::Value { field, value })
    }

    /// Returns the operations of the word.
    fn ops(&self) -> Result<Vec<Op>, DecodeError> {
        let mut ops = Vec::new();
        if self.flag(Field::Noforward) {
            ops.push(Op::Noforward);
        }
        ops.extend(self.l2bm()?);
        if self.flag(Field::DarWrite) {
            ops.push(Op::DarWrite);
        }
        ops.extend(self.l1bm()?);
        ops.extend(self.turnaround()?);
        ops.extend(self.mau()?);
        ops.extend(self.mwrite()?);
        ops.extend(self.mread()?);
        ops.extend(self.alu()?);
        if self.flag(Field::Wait) {
            ops.push(Op::Wait(self.get(Field::Wait) as u8));
        }
        Ok(ops)
    }

    fn l2bm(&self) -> Result<Option<Op>, DecodeError> {
        let l2 = self.get(Field::L2bmAddr) as u16 * L2_UNIT;
        let l1 = self.get(Field::L2bmL1Addr) as u16;
        Ok(match self.get(Field::L2bmOp) {
            NOP => Some(Op::Nop),
            DAR_START => Some(Op::DarStart {
                l2,
                l2b: (l1 >> 10) as u8,
                dar: l1 & 0x3ff,
            }),
            _ => self.opcode::<L2bmOp>(Field::L2bmOp)?.map(|op| {
                let l1 = l1 * L1_UNIT;
                Op::L2bm { op, l2, l1 }
            }),
        })
    }

    fn l1bm(&self) -> Result<Option<Op>, DecodeError> {
        let Some(op) = self.opcode::<L1bmOp>(Field::L1bmOp)? else {
            return Ok(None);
        };
        let l1 = match self.get(Field::L1bmAddr) as u16 {
            TURNAROUND if !op.kind.row().down => L1Operand::Turnaround,
            address => L1Operand::Address(address),
        };
        let pe = if op.kind.row().down {
            PeOperands::Down(self.outputs(FROM_L1BM))
        } else {
            PeOperands::Up(self.input(Field::L1bmSource, Convert::Widen)?)
        };
        Ok(Some(Op::L1bm(L1bm { op, l1, pe })))
    }

    fn turnaround(&self) -> Result<Option<Op>, DecodeError> {
        let field = Field::TurnOp;
        let value = self.get(field);
        let Some(index) = value.checked_sub(1) else {
            return Ok(None);
        };
        let op = turnarounds().nth(index as usize);
        let op = *op.ok_or(DecodeError::Value { field, value })?;
        Ok(Some(Op::L1bm(L1bm {
            op,
            l1: L1Operand::Turnaround,
            pe: PeOperands::Down(self.outputs(FROM_TURNAROUND)),
        })))
    }

    fn mau(&self) -> Result<Option<Op>, DecodeError> {
        let Some(op) = self.opcode::<MauOp>(Field::MauOp)? else {
            return Ok(None);
        };
        let matrix = op.kind.is_matrix().then(|| self.side(Field::MauSide));
        let mut inputs = Vec::new();
        for port in op.kind.row().ports {
            let half = op.precision == Precision::Half && *port != Port::C;
            let convert = if half {
                Convert::Narrow
            } else {
                Convert::Widen
            };
            let field = match port {
                Port::Vector | Port::A => Field::MauA,
                Port::B => Field::MauB,
                Port::C => Field::MauC,
            };
            inputs.push(self.input(field, convert)?);
        }
        Ok(Some(Op::Mau(Mau {
            op,
            matrix,
            inputs,
            outputs: self.outputs(FROM_MAU),
        })))
    }

    fn precision(&self) -> Precision {
        Precision::ALL[self.get(Field::MauPrecision) as usize]
    }

    fn mwrite(&self) -> Result<Option<Op>, DecodeError> {
        if !self.flag(Field::MwriteOn) {
            return Ok(None);
        }
        let precision = self.precision();
        let convert = if precision == Precision::Half {
            Convert::Narrow
        } else {
            Convert::Widen
        };
        Ok(Some(Op::Mwrite {
            precision,
            input: self.input(Field::MauB, convert)?,
            matrix: MatrixRows {
                side: self.side(Field::MwriteSide),
                first: self.get(Field::MwriteRow) as u8,
                wide: self.flag(Field::MwriteWide),
            },
        }))
    }

    fn mread(&self) -> Result<Option<Op>, DecodeError> {
        if !self.flag(Field::MreadOn) {
            return Ok(None);
        }
        let precision = self.precision();
        Ok(Some(Op::Mread {
            precision,
            matrix: MatrixRows {
                side: self.side(Field::MreadSide),
                first: self.get(Field::MreadColumn) as u8,
                wide: precision == Precision::Half,
            },
            outputs: self.outputs(FROM_MREAD),
        }))
    }

    fn alu(&self) -> Result<Option<Op>, DecodeError> {
        let Some(op) = self.opcode::<AluOp>(Field::AluOp)? else {
            return Ok(None);
        };
        let immediate = if op.kind.is_immediate() {
            self.word
                .get(low(Field::Lm0Addr, self.mode), IMMEDIATE_BITS) as u32
        } else {
            0
        };
        let inputs = [Field::AluA, Field::AluB]
            .into_iter()
            .take(op.kind.row().inputs);
        let inputs = inputs.map(|field| self.input(field, Convert::Narrow));
        Ok(Some(Op::Alu(Alu {
            op,
            immediate,
            inputs: inputs.collect::<Result<_, _>>()?,
            outputs: self.outputs(FROM_ALU),
        })))
    }

    fn side(&self, field: Field) -> Side {
        if self.flag(field) {
            Side::Y
        } else {
            Side::X
        }
    }

    /// Decodes an input; `convert` is the meaning of the one-bit conversion field at this port.
    fn input(&self, field: Field, convert: Convert) -> Result<Input, DecodeError> {
        let value = self.get(field);
        let source = match value & 0xf {
            bank @ 1..=4 => Source::Memory(self.memory(Bank::ALL[bank as usize - 1], false)),
            15 => Source::Fixed(Fixed::Msb1),
            other => {
                let index = other.checked_sub(5).map(|index| index as usize);
                let source = index.and_then(|index| SOURCES.get(index).copied());
                source.ok_or(DecodeError::Value { field, value })?
            }
        };
        Ok(Input {
            span: Span::default(),
            source,
            negate: value & 0x20 != 0,
            convert: if value & 0x10 != 0 {
                convert
            } else {
                Convert::None
            },
        })
    }

    fn memory(&self, bank: Bank, write: bool) -> MemoryOperand {
        let (address, bits, width, modify) = match (bank, write) {
            (Bank::Lm0, _) => (Field::Lm0Addr, 12, Field::Lm0Width, Some(Field::Lm0Modify)),
            (Bank::Lm1, _) => (Field::Lm1Addr, 12, Field::Lm1Width, Some(Field::Lm1Modify)),
            (Bank::Grf0, false) => (Field::Grf0ReadAddr, 9, Field::Grf0ReadWidth, None),
            (Bank::Grf0, true) => (Field::Grf0WriteAddr, 9, Field::Grf0WriteWidth, None),
            (Bank::Grf1, false) => (Field::Grf1ReadAddr, 9, Field::Grf1ReadWidth, None),
            (Bank::Grf1, true) => (Field::Grf1WriteAddr, 9, Field::Grf1WriteWidth, None),
        };
        // An invalid width code is detected when the word is encoded again.
        let width = Width::ALL[(self.get(width) as usize).min(2)];
        let modify = match modify.map_or(0, |field| self.get(field)) {
            pe @ 1..=4 => Modify::UpToPe(pe as u8 - 1),
            5 => Modify::T,
            _ => Modify::None,
        };
        MemoryOperand {
            bank,
            width,
            pattern: read_addresses(self.word, address, bits, width, self.mode),
            modify,
        }
    }

    /// Returns the destinations of a unit: registers and memories, then flags; `$nowrite` if there
    /// is none.
    fn outputs(&self, unit: u64) -> Vec<Output> {
        let mut outputs = Vec::new();
        let mut push = |target: Target, mask: Field| {
            outputs.push(Output {
                span: Span::default(),
                target,
                mask: self.flag(mask).then(|| self.mask()),
            });
        };
        for (bank, field, mask) in [
            (Bank::Grf0, Field::Grf0In, Field::MaskGrf0),
            (Bank::Grf1, Field::Grf1In, Field::MaskGrf1),
            (Bank::Lm0, Field::Lm0In, Field::MaskLm0),
            (Bank::Lm1, Field::Lm1In, Field::MaskLm1),
        ] {
            if self.get(field) == unit {
                push(Target::Memory(self.memory(bank, true)), mask);
            }
        }
        if self.get(Field::TIn) == unit {
            push(Target::T, Field::MaskT);
        }
        let base = if self.flag(Field::BaseLong) {
            Width::Long
        } else {
            Width::Single
        };
        for (bank, field, mask) in [
            (Bank::Lm0, Field::Base0In, Field::MaskLm0),
            (Bank::Lm1, Field::Base1In, Field::MaskLm1),
        ] {
            if self.get(field) == unit {
                push(Target::Base(bank, base), mask);
            }
        }
        let flags_of = if self.flag(Field::MaskIn) {
            FROM_ALU
        } else {
            FROM_MAU
        };
        let entry = self.get(Field::MaskOut) as u8;
        if entry != 0 && flags_of == unit {
            push(Target::MaskRegister(entry), Field::MaskMask);
        }
        if outputs.is_empty() {
            outputs.push(Output {
                span: Span::default(),
                target: Target::Nowrite,
                mask: None,
            });
        }
        outputs
    }

    fn mask(&self) -> Mask {
        Mask {
            entry: self.get(Field::MaskEntry) as u8,
            wide: self.flag(Field::MaskWide),
        }
    }

    fn expression(&self, op: Op) -> Expression {
        let unit = match &op {
            Op::Mau(_) => FROM_MAU,
            Op::Mread { .. } => FROM_MREAD,
            Op::Alu(_) => FROM_ALU,
            Op::L1bm(l1bm) if l1bm.is_turnaround() => FROM_TURNAROUND,
            Op::L1bm(_) => FROM_L1BM,
            _ => u64::MAX,
        };
        let zero_flush = (self.get(Field::ZeroFlush) == unit).then(|| self.mask());
        Expression {
            span: Span::default(),
            op,
            zero_flush,
        }
    }
}
