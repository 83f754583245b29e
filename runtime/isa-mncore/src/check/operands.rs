//! Checks the operands of one expression (manual, sections 3.6.1, 3.6.8.3 to 3.6.8.5, 3.6.9.22 to
//! 3.6.9.25, 3.6.10 and 3.6.12.19).
//!
//! The manual gives each MAU input one width. The vendor's assembler accepts other widths, as
//! public programs show, so this check accepts them too. The data path to a unit is two long words
//! wide, and a narrower access fills its upper end.

use crate::ast::{
    Convert, Expression, Fixed, Forward, Input, L1bm, Op, Output, PeOperands, Source, Target,
};
use crate::diagnostic::Diagnostic;
use crate::memory::{Precision, Width};
use crate::table::mau::Port;
use crate::table::{Group, MauKind};

/// Returns the first rule that the operands of an expression break.
pub fn check(expression: &Expression) -> Option<Diagnostic> {
    let op = &expression.op;
    check_positions(op).or_else(|| match op {
        Op::Mau(mau) => mau
            .op
            .kind
            .row()
            .ports
            .iter()
            .zip(&mau.inputs)
            .find_map(|(&port, input)| check_mau_input(mau.op.kind, mau.op.precision, port, input)),
        Op::Mwrite {
            precision,
            input,
            matrix,
        } => check_mwrite_input(*precision, matrix.wide, input),
        Op::Alu(alu) => alu
            .inputs
            .iter()
            .find_map(|input| check_alu_input(alu.op.precision, input)),
        Op::L1bm(l1bm) => check_l1bm_operands(l1bm),
        _ => None,
    })
}

/// Checks operands that are allowed at one position only.
fn check_positions(op: &Op) -> Option<Diagnostic> {
    let group = op.group();
    let input = op.inputs().iter().enumerate().find_map(|(index, input)| {
        let first_of_alu = group == Group::Alu && index == 0;
        let (what, section) = match input.source {
            Source::Forward(Forward::Mread) => ("`$mreadf`", "3.6.1.18"),
            Source::Fixed(fixed) => (fixed_name(fixed), "3.6.1.20"),
            _ => return None,
        };
        (!first_of_alu).then(|| {
            let message = format!("{what} is for the first input of the ALU only");
            Diagnostic::new(input.span, message).with_section(section)
        })
    });
    let output = op.outputs().iter().find(|output| {
        matches!(output.target, Target::MaskRegister(_))
            && !matches!(group, Group::Alu | Group::MauCalc)
    });
    input.or_else(|| {
        output.map(|output| {
            Diagnostic::new(
                output.span,
                "only the ALU and the MAU have flags for mask registers",
            )
            .with_section("3.6.1.13")
        })
    })
}

fn fixed_name(fixed: Fixed) -> &'static str {
    match fixed {
        Fixed::Msb1 => "`$msb1`",
        _ => "the number of a unit",
    }
}

/// Checks an input of a MAU operation.
fn check_mau_input(
    kind: MauKind,
    precision: Precision,
    port: Port,
    input: &Input,
) -> Option<Diagnostic> {
    let half = precision == Precision::Half;
    let allowed = match (port, input.convert) {
        (_, Convert::None) => true,
        (Port::Vector, _) => false,
        (Port::C, Convert::Widen) => true,
        (Port::C, Convert::Narrow) => false,
        (Port::A | Port::B, Convert::Widen) => !half,
        (Port::A | Port::B, Convert::Narrow) => half,
    };
    if !allowed {
        return Some(conversion(input, kind.is_matrix() && port == Port::Vector));
    }
    check_narrowed_width(input, "3.6.9.24")
}

/// Checks that a narrowed input has two long words.
fn check_narrowed_width(input: &Input, section: &'static str) -> Option<Diagnostic> {
    match input.source {
        Source::Memory(memory)
            if input.convert == Convert::Narrow && memory.width != Width::Double =>
        {
            let message = "`r` narrows two long words: use an `ll` operand";
            Some(Diagnostic::new(input.span, message).with_section(section))
        }
        _ => None,
    }
}

/// Returns the diagnostic for a conversion that an operand does not support.
fn conversion(input: &Input, block_float: bool) -> Diagnostic {
    let found = match input.convert {
        Convert::Widen => {
            Diagnostic::new(input.span, "this operand does not support the suffix `e`")
                .with_section("3.6.9.23")
        }
        _ => Diagnostic::new(input.span, "this operand does not support the suffix `r`")
            .with_section("3.6.9.24"),
    };
    if block_float {
        found.with_hint("widen or narrow the values before the block float conversion")
    } else {
        found
    }
}

/// Checks the input of a matrix register write.
fn check_mwrite_input(precision: Precision, wide: bool, input: &Input) -> Option<Diagnostic> {
    let half = precision == Precision::Half;
    match input.convert {
        Convert::Widen if half => return Some(conversion(input, false)),
        Convert::Narrow if !half => return Some(conversion(input, false)),
        // Narrowing two long words gives only one, too few for two rows.
        Convert::Narrow if wide => return Some(conversion(input, false)),
        _ => {}
    }
    let wanted = if wide { Width::Double } else { Width::Long };
    match input.source {
        Source::Memory(memory)
            if half && input.convert == Convert::None && memory.width != wanted =>
        {
            let message = format!(
                "the matrix register takes {} a cycle, the input is {}",
                wanted.name(),
                memory.width.name()
            );
            Some(Diagnostic::new(input.span, message).with_section("3.6.10.3"))
        }
        _ => check_narrowed_width(input, "3.6.9.24"),
    }
}

/// Checks an input of the ALU.
fn check_alu_input(precision: Option<Precision>, input: &Input) -> Option<Diagnostic> {
    if input.negate {
        return Some(
            Diagnostic::new(input.span, "only the MAU inverts signs: no `-` here")
                .with_section("3.6.9.22"),
        );
    }
    match input.convert {
        Convert::None => None,
        Convert::Widen => Some(
            Diagnostic::new(input.span, "the ALU does not widen: no `e` here")
                .with_section("3.6.12.19"),
        ),
        Convert::Narrow => {
            let bits = precision.map(Precision::bits);
            if bits != Some(16) {
                return Some(
                    Diagnostic::new(
                        input.span,
                        "only 16-bit operations narrow their input: no `r` here",
                    )
                    .with_section("3.6.12.19"),
                );
            }
            check_narrowed_width(input, "3.6.12.19")
        }
    }
}

/// Checks the PE operands of an L1BM transfer.
fn check_l1bm_operands(l1bm: &L1bm) -> Option<Diagnostic> {
    match &l1bm.pe {
        PeOperands::Down(outputs) if l1bm.op.wide => outputs.iter().find_map(check_narrow_output),
        PeOperands::Down(_) => None,
        PeOperands::Up(input) => check_l1bm_input(l1bm, input),
    }
}

/// Checks that the destination of a two-long-word transfer is wide enough.
fn check_narrow_output(output: &Output) -> Option<Diagnostic> {
    match output.target {
        Target::Memory(memory) if memory.width != Width::Double => Some(
            Diagnostic::new(
                output.span,
                "the destination receives two long words and needs `ll`",
            )
            .with_section("3.6.8.3"),
        ),
        Target::Base(..) => Some(
            Diagnostic::new(
                output.span,
                "a base address register cannot receive two long words",
            )
            .with_section("3.6.8.3"),
        ),
        _ => None,
    }
}

/// Checks the PE operand that is sent to L1BM.
fn check_l1bm_input(l1bm: &L1bm, input: &Input) -> Option<Diagnostic> {
    if input.negate {
        return Some(
            Diagnostic::new(input.span, "only the MAU inverts signs: no `-` here")
                .with_section("3.6.9.22"),
        );
    }
    let single = l1bm.op.rrn.is_some_and(|rrn| rrn.is_single_float());
    match input.convert {
        Convert::None => None,
        Convert::Widen if single && l1bm.op.wide => match input.source {
            Source::Memory(memory) if memory.width != Width::Long => Some(
                Diagnostic::new(input.span, "`e` widens a long word: `l`").with_section("3.6.8.4"),
            ),
            _ => None,
        },
        Convert::Widen => Some(
            Diagnostic::new(
                input.span,
                "only a single precision reduction of two long words widens its input: no `e` here",
            )
            .with_section("3.6.8.4"),
        ),
        Convert::Narrow => Some(
            Diagnostic::new(
                input.span,
                "an L1BM transfer does not narrow its input: no `r` here",
            )
            .with_section("3.6.8.5")
            .with_hint("`r` at the end of a reduction's opcode narrows its result"),
        ),
    }
}

#[cfg(test)]
mod tests;
