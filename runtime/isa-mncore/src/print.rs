//! The printer: formats statements in one canonical spelling that [`crate::parse()`] reads back as
//! the same program.
//!
//! Masks are printed on each destination, immediates as words, and `$t` always without a width.

use std::fmt::{self, Display, Formatter};

use crate::ast::{
    Convert, DebugMemory, DebugOperand, Expression, Get, GetFormat, Host, Input, L1Operand, L1bm,
    Mask, MatrixRows, MemoryOperand, Modify, Mv, MvMemory, MvOperand, Op, Output, Pattern,
    PeOperands, Program, Set, Source, Statement, StatementKind, Step, Target, Transfer,
};
use crate::memory::{Bank, Width};
use crate::parse::{mask_suffix, NAMED_SOURCES};

impl Display for Program {
    /// Prints one statement per line.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for statement in &self.statements {
            writeln!(f, "{statement}")?;
        }
        Ok(())
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            StatementKind::Step(step) => step.fmt(f),
            StatementKind::Mv(mv) => mv.fmt(f),
            StatementKind::Get(get) => get.fmt(f),
            StatementKind::Set(set) => set.fmt(f),
            StatementKind::Host(host) => host.fmt(f),
        }
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, expression) in self.expressions.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            expression.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        opcode(&self.op, f)?;
        if let Some(mask) = self.zero_flush {
            write!(f, "/{mask}")?;
        }
        operands(&self.op, f)
    }
}

/// Prints the opcode of an expression with its parameters.
fn opcode(op: &Op, f: &mut Formatter<'_>) -> fmt::Result {
    match op {
        Op::Nop => f.write_str("nop"),
        Op::Noforward => f.write_str("noforward"),
        Op::Wait(_) => f.write_str("wait"),
        Op::DarStart { .. } => f.write_str("l2bmdars"),
        Op::DarWrite => f.write_str("l2bmdarw"),
        Op::L2bm { op, .. } => f.write_str(&op.mnemonic()),
        Op::L1bm(l1bm) => f.write_str(&l1bm.op.mnemonic()),
        Op::Mau(mau) => f.write_str(&mau.op.mnemonic()),
        Op::Mwrite { precision, .. } => write!(f, "{}mwrite", precision.letter()),
        Op::Mread { precision, .. } => write!(f, "{}mread", precision.letter()),
        Op::Alu(alu) => {
            f.write_str(&alu.op.mnemonic())?;
            match alu.op.mantissa {
                0 => Ok(()),
                mantissa => write!(f, "/{mantissa}"),
            }
        }
    }
}

/// Prints the operands of an expression, each after a blank.
fn operands(op: &Op, f: &mut Formatter<'_>) -> fmt::Result {
    match op {
        Op::Wait(tag) => return write!(f, " i{tag:02x}"),
        Op::DarStart { l2, l2b, dar } => return write!(f, " $lc{l2}@.{l2b} $dar{dar}"),
        Op::L2bm { op, l2, l1 } => {
            use crate::table::l2bm::Direction;
            return match op.kind.row().flow {
                Direction::Down => write!(f, " $lc{l2} $lb{l1}"),
                Direction::Up => write!(f, " $lb{l1} $lc{l2}"),
                Direction::Across => write!(f, " $lb{l2} $lb{l1}"),
            };
        }
        Op::L1bm(l1bm) if matches!(l1bm.pe, PeOperands::Down(_)) => l1_place(l1bm, f)?,
        Op::Mau(mau) => {
            if let Some(side) = mau.matrix {
                write!(f, " $l{}", side.letter())?;
            }
        }
        Op::Mread { matrix, .. } => write!(f, " {matrix}")?,
        Op::Alu(alu) if alu.op.kind.is_immediate() => write!(f, " ui\"{:#x}\"", alu.immediate)?,
        _ => {}
    }
    for input in op.inputs() {
        write!(f, " {input}")?;
    }
    for output in op.outputs() {
        write!(f, " {output}")?;
    }
    match op {
        Op::L1bm(l1bm) if matches!(l1bm.pe, PeOperands::Up(_)) => l1_place(l1bm, f),
        Op::Mwrite { matrix, .. } => write!(f, " {matrix}"),
        _ => Ok(()),
    }
}

/// Prints the L1BM operand after a blank.
fn l1_place(l1bm: &L1bm, f: &mut Formatter<'_>) -> fmt::Result {
    let double = l1bm.op.wide && !l1bm.op.halves_result();
    f.write_str(if double { " $llb" } else { " $lb" })?;
    match l1bm.l1 {
        L1Operand::Address(address) => address.fmt(f),
        L1Operand::Turnaround => f.write_str("i"),
    }
}

impl Display for MatrixRows {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = if self.wide { "ll" } else { "l" };
        write!(f, "${width}{}{}", self.side.letter(), self.first)
    }
}

impl Display for Input {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.negate { "-" } else { "" })?;
        match self.source {
            Source::Memory(memory) => memory.fmt(f)?,
            Source::T => f.write_str("$t")?,
            named => {
                let name = NAMED_SOURCES.iter().find(|(_, source)| *source == named);
                write!(f, "${}", name.expect("every other source has a name").0)?;
            }
        }
        f.write_str(match self.convert {
            Convert::None => "",
            Convert::Widen => "e",
            Convert::Narrow => "r",
        })
    }
}

impl Display for Output {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.target {
            Target::Memory(memory) => memory.fmt(f)?,
            Target::T => f.write_str("$t")?,
            Target::Base(bank, width) => write!(f, "${}{}b", width.prefix(), bank.letter())?,
            Target::MaskRegister(entry) => write!(f, "$omr{entry}")?,
            Target::Nowrite => f.write_str("$nowrite")?,
        }
        match self.mask {
            None => Ok(()),
            Some(mask) => write!(f, "/{mask}{}", mask_suffix(&self.target, mask)),
        }
    }
}

impl Display for Mask {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = if self.wide { "ll" } else { "" };
        if self.entry < 16 {
            write!(f, "${width}imr{}", self.entry)
        } else {
            write!(f, "{width}{:04b}", self.entry - 16)
        }
    }
}

impl Display for MemoryOperand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "${}{}", self.width.prefix(), self.bank.letter())?;
        if self.modify == Modify::T {
            f.write_str("t")?;
        }
        match self.pattern {
            Pattern::Stride { base, stride: 0 } => write!(f, "{base}")?,
            Pattern::Stride { base, stride } if stride == self.width.words() => {
                write!(f, "{base}v")?;
            }
            Pattern::Stride { base, stride } => write!(f, "{base}v{stride}")?,
            Pattern::Flat([a, b, c, d]) => write!(f, "[{a},{b},{c},{d}]")?,
        }
        match self.modify {
            Modify::UpToPe(pe) => write!(f, "j{pe}"),
            Modify::None | Modify::T => Ok(()),
        }
    }
}

impl Display for Mv {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.transfer {
            None => f.write_str("mvnop"),
            Some(transfer) => transfer.fmt(f),
        }
    }
}

impl Display for Transfer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.mode.row().stem)?;
        if let Some(rrn) = self.rrn {
            f.write_str(&rrn.mnemonic())?;
        }
        write!(f, "/n{}", self.words)?;
        if let Some(tag) = self.tag {
            write!(f, "i{tag:02x}")?;
        }
        if let Some(uses) = self.per_entry {
            write!(f, "nd{uses}")?;
        }
        if self.priority > 0 {
            write!(f, "p{}", self.priority)?;
        }
        write!(f, " {} {}", self.source, self.target)
    }
}

impl Display for MvOperand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.memory {
            MvMemory::Pdm(address) => write!(f, "$p{address}")?,
            MvMemory::Dram(address) => write!(f, "$d{address}")?,
            MvMemory::DramIndirect(entry) => write!(f, "$di{entry}")?,
            MvMemory::L2bm(address) => write!(f, "$lc{address}")?,
        }
        match (self.group, self.l2b) {
            (None, None) => Ok(()),
            (Some(group), None) => write!(f, "@{group}"),
            (None, Some(l2b)) => write!(f, "@.{l2b}"),
            (Some(group), Some(l2b)) => write!(f, "@{group}.{l2b}"),
        }
    }
}

impl Display for Get {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("d get")?;
        match self.format {
            GetFormat::Plain => {}
            GetFormat::Number(precision) => write!(f, "{}", precision.letter())?,
            GetFormat::BlockFloat(precision) => write!(f, "b{}", precision.letter())?,
        }
        write!(f, " {} {}", self.place, self.count)
    }
}

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "d set {} {} ", self.place, self.count)?;
        self.payload
            .iter()
            .try_for_each(|word| write!(f, "{word:016x}"))
    }
}

impl Display for DebugOperand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.memory {
            DebugMemory::Pdm(address) => write!(f, "$p{address}")?,
            DebugMemory::Dram(address) => write!(f, "$d{address}")?,
            DebugMemory::L2bm(address) => write!(f, "$lc{address}")?,
            DebugMemory::L1bm(width, address) => write!(f, "${}b{address}", width.prefix())?,
            DebugMemory::Pe(bank, width, address) => {
                write!(f, "${}{}{address}", width.prefix(), Bank::letter(bank))?;
            }
            DebugMemory::T(Width::Double) => f.write_str("$llt")?,
            DebugMemory::T(_) => f.write_str("$lt")?,
            DebugMemory::Matrix(side, row) => write!(f, "$l{}{row}", side.letter())?,
            DebugMemory::Mask(entry) => write!(f, "$omr{entry}")?,
        }
        for (letter, number) in [
            ('n', self.group),
            ('c', self.l2b),
            ('b', self.l1b),
            ('m', self.mab),
            ('p', self.pe),
        ] {
            if let Some(number) = number {
                write!(f, "{letter}{number}")?;
            }
        }
        Ok(())
    }
}

impl Display for Host {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let payload = match self {
            Host::WriteDram {
                group,
                address,
                payload,
            } => {
                write!(f, "r {group} {address:09X} {:03X} ", payload.len())?;
                payload
            }
            Host::ToPdm {
                tag,
                address,
                payload,
            } => {
                write!(
                    f,
                    "c 0 0 i{tag:02x} i00 0 {address:09X} {:03X} ",
                    payload.len()
                )?;
                payload
            }
            Host::FromPdm {
                tag,
                address,
                words,
            } => return write!(f, "e 0 0 i{tag:02x} i00 0 {address:09X} {words:06X}"),
            Host::Fence => return f.write_str("f"),
        };
        payload.iter().try_for_each(|word| write!(f, "{word:016X}"))
    }
}

#[cfg(test)]
mod tests;
