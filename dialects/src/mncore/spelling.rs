//! Conversion of instructions to assembler lines. The assembler parses them, so that the
//! instruction table defines opcodes, operands and constraints.
//!
//! Values have no registers at this level. They are printed as the first words of a memory that
//! they may be assigned to.

use tessera_isa_mncore::ast::{self, Mask, Modify, Pattern};
use tessera_isa_mncore::check::operands;
use tessera_isa_mncore::memory::Bank;
use tessera_isa_mncore::table::{self, Group, Opcode};
use tessera_isa_mncore::{Diagnostic, StatementKind};
use tessera_mncore_ir::body::{Home, ValueKind};
use tessera_mncore_ir::item::{
    Dest, Item, Masking, Move, MoveMemory, MovePlace, Op, Operand, Place, Source, Target, Value,
};

use super::instruction::{Family, Input, InputSource, Instruction, Output, OutputTarget};
use super::place::OperandPlace;
use crate::verify::declared;

/// Returns the operation of an instruction.
pub(super) fn item(instruction: &Instruction) -> Result<Item, String> {
    let (op, inputs, outputs) = match read(&line(instruction, &[])?)? {
        Line::Move(mv) => (Op::Mv(transfer(instruction, &mv)?), Vec::new(), Vec::new()),
        Line::Expression(expression) => {
            if let Some(wrong) = wrong_family(instruction, &expression.op) {
                return Err(wrong);
            }
            if expression.zero_flush.is_some() {
                return Err("sets parts of its result to zero, which only `mask` can".into());
            }
            count(instruction, &expression.op)?;
            parts(instruction, &expression.op)?
        }
    };
    Ok(Item {
        op,
        inputs,
        outputs,
        when: instruction.when.clone(),
        line: 0,
    })
}

/// Checks that the assembler accepts an instruction at an index of its enclosing loops.
pub(super) fn check(instruction: &Instruction, index: &[u32]) -> Result<(), String> {
    let found = match read(&line(instruction, index)?)? {
        Line::Expression(expression) => operands::check(&expression),
        Line::Move(_) => None,
    };
    found.map_or(Ok(()), |found| Err(message(&found)))
}

/// The parts of an assembler line.
enum Line {
    Expression(ast::Expression),
    Move(ast::Transfer),
}

fn read(text: &str) -> Result<Line, String> {
    let none = || format!("'{text}' is not an instruction");
    let program = tessera_isa_mncore::parse(text)
        .map_err(|errors| errors.first().map_or_else(none, message))?;
    let mut statements = program.statements.into_iter();
    let (Some(statement), None) = (statements.next(), statements.next()) else {
        return Err(none());
    };
    match statement.kind {
        StatementKind::Step(step) => {
            let mut all = step.expressions;
            // `wait` requires another instruction.
            if matches!(&all[..], [nop, wait] if nop.op.group() == Group::Nop && wait.op.group() == Group::Wait)
            {
                all.swap_remove(0);
            }
            match <[ast::Expression; 1]>::try_from(all) {
                Ok([expression]) if expression.op.group() != Group::Nop => {
                    Ok(Line::Expression(expression))
                }
                _ => Err(none()),
            }
        }
        StatementKind::Mv(ast::Mv {
            transfer: Some(transfer),
        }) => Ok(Line::Move(transfer)),
        _ => Err(none()),
    }
}

/// Assembles the line.
fn message(found: &Diagnostic) -> String {
    let mut text = found.message.clone();
    if let Some(section) = found.section {
        text += &format!(" (manual, section {section})");
    }
    if let Some(hint) = &found.hint {
        text += &format!("; {hint}");
    }
    text
}

/// Formats the line. Without an index, addresses that depend on loops are 0.
fn line(instruction: &Instruction, index: &[u32]) -> Result<String, String> {
    let spot = |spot: &OperandPlace| match index.is_empty() && !spot.address.is_fixed() {
        true => OperandPlace {
            address: 0.into(),
            ..spot.clone()
        }
        .spell(&[]),
        false => spot.spell(index),
    };
    let tag = match &instruction.tag {
        None => None,
        Some(tag) if tag.memory != "i" => {
            return Err(format!(
                "expects a tag, such as i[1]; got a place in '{}'",
                tag.memory
            ));
        }
        Some(tag) if index.is_empty() && !tag.address.is_fixed() => Some("i01".to_owned()),
        Some(tag) => Some(format!("i{:02x}", tag.address.eval(index))),
    };
    let mut text = match (instruction.family, tag) {
        (Family::Wait, Some(tag)) => return Ok(format!("nop; wait {tag}")),
        (_, Some(tag)) => instruction.opcode.clone() + &tag,
        (_, None) => instruction.opcode.clone(),
    };
    let immediate = is_immediate(&instruction.opcode);
    for Input {
        from,
        negate,
        convert,
    } in &instruction.inputs
    {
        text.push(' ');
        text.push_str(if *negate { "-" } else { "" });
        text += &match from {
            InputSource::Place(place) => spot(place),
            InputSource::Value(_, kind) if kind.home == Home::Flags => {
                return Err("reads flags, which can only be used as masks".into());
            }
            InputSource::Value(_, kind) => value(*kind),
            InputSource::Constant(word) if immediate => format!("ui\"{word:#010x}\""),
            InputSource::Constant(_) => "$lr0".to_owned(),
            InputSource::Name(name) => format!("${name}"),
        };
        text.push_str(match convert {
            ast::Convert::None => "",
            ast::Convert::Widen => "e",
            ast::Convert::Narrow => "r",
        });
    }
    for output in &instruction.outputs {
        text.push(' ');
        text += &match &output.to {
            OutputTarget::Place(place) => spot(place),
            OutputTarget::Value(_, kind) => value(*kind),
        };
    }
    Ok(text)
}

/// Returns whether the opcode outputs its operand unchanged.
fn is_immediate(opcode: &str) -> bool {
    matches!(table::find_opcode(opcode), Some(Opcode::Alu(op)) if op.kind.is_immediate())
}

/// Formats a value as the first word of its memory.
fn value(kind: ValueKind) -> String {
    let bank = match kind.home {
        Home::Flags => return "$omr1".to_owned(),
        Home::Bank(bank) => bank,
        Home::Forward | Home::Any => Bank::Grf0,
    };
    format!("${}{}0v", kind.width.prefix(), bank.letter())
}

/// Returns the message for an opcode of another family.
fn wrong_family(instruction: &Instruction, op: &ast::Op) -> Option<String> {
    let family = Family::for_group(op.group());
    if family == Some(instruction.family) {
        return None;
    }
    let opcode = &instruction.opcode;
    Some(match family {
        Some(family) => format!("'{opcode}' belongs to '{}'", family.op()),
        None => format!("'{opcode}' has no operation in this dialect"),
    })
}

/// Checks the number of inputs: assembler syntax does not separate inputs from outputs.
fn count(instruction: &Instruction, op: &ast::Op) -> Result<(), String> {
    let takes = match op {
        ast::Op::Mau(mau) => mau.inputs.len() + usize::from(mau.matrix.is_some()),
        ast::Op::Alu(alu) if alu.op.kind.is_immediate() => 1,
        ast::Op::Mread { .. } | ast::Op::L2bm { .. } | ast::Op::L1bm(_) => 1,
        other => other.inputs().len(),
    };
    let reads = instruction.inputs.len();
    if reads == takes {
        return Ok(());
    }
    let opcode = &instruction.opcode;
    Err(format!(
        "reads {reads} operands, but '{opcode}' takes {takes}"
    ))
}

type Parts = (Op, Vec<Operand>, Vec<Dest>);

/// Converts an assembled expression to operation, inputs and outputs.
fn parts(instruction: &Instruction, op: &ast::Op) -> Result<Parts, String> {
    let all = &instruction.inputs[..];
    let read = |given: &[Input]| operands_of(op, given);
    let written = || dests(op, &instruction.outputs);
    let fixed = |to: Option<&OperandPlace>| match to {
        Some(spot) if spot.address.is_fixed() => Ok(()),
        _ => Err("rows of a matrix register are the same in every iteration".to_owned()),
    };
    Ok(match op {
        ast::Op::Mau(mau) => {
            let matrix = usize::from(mau.matrix.is_some());
            (
                Op::Mau(mau.op, mau.matrix),
                read(&all[matrix..])?,
                written()?,
            )
        }
        ast::Op::Alu(alu) if alu.op.kind.is_immediate() => {
            (Op::Alu(alu.op, alu.immediate), Vec::new(), written()?)
        }
        ast::Op::Alu(alu) => (Op::Alu(alu.op, 0), read(all)?, written()?),
        ast::Op::Mwrite {
            precision, matrix, ..
        } => {
            fixed(instruction.target())?;
            (Op::Mwrite(*precision, *matrix), read(all)?, Vec::new())
        }
        ast::Op::Mread {
            precision, matrix, ..
        } => {
            fixed(instruction.source())?;
            (Op::Mread(*precision, *matrix), Vec::new(), written()?)
        }
        ast::Op::L1bm(l1bm) => {
            let down = matches!(l1bm.pe, ast::PeOperands::Down(_));
            let spot = if down {
                instruction.source()
            } else {
                instruction.target()
            };
            // The assembler parsed the operand as such a place.
            let address = declared(spot)?;
            let op = Op::L1bm(l1bm.op, address.address.clone());
            if down {
                (op, Vec::new(), written()?)
            } else {
                (op, read(all)?, Vec::new())
            }
        }
        ast::Op::L2bm { op, .. } => {
            let (from, to) = declared(instruction.source().zip(instruction.target()))?;
            let up = from.memory == "lb" && to.memory == "lc";
            let (l2, l1) = if up { (to, from) } else { (from, to) };
            let op = Op::L2bm {
                op: *op,
                l2: l2.address.clone(),
                l1: l1.address.clone(),
            };
            (op, Vec::new(), Vec::new())
        }
        ast::Op::Wait(_) => {
            let tag = declared(instruction.tag.as_ref())?;
            (Op::Wait(tag.address.clone()), Vec::new(), Vec::new())
        }
        _ => return Err("has no operation in this dialect".into()),
    })
}

/// Converts the inputs, from the assembled operands and the operation.
fn operands_of(op: &ast::Op, given: &[Input]) -> Result<Vec<Operand>, String> {
    let pairs = op.inputs().iter().zip(given);
    let operand = |(read, given): (&ast::Input, &Input)| {
        let source = match (&given.from, read.source) {
            (InputSource::Value(value, _), _) => Source::Value(*value),
            (InputSource::Constant(word), _) => Source::Constant(*word),
            (InputSource::Place(spot), ast::Source::Memory(memory)) => {
                Source::Memory(place(spot, memory)?)
            }
            (_, ast::Source::Fixed(fixed)) => Source::Fixed(fixed),
            _ => return Err("names a register that the schedule allocates; read a value".into()),
        };
        Ok(Operand {
            source,
            negate: read.negate,
            convert: read.convert,
        })
    };
    pairs.map(operand).collect()
}

/// Converts the outputs.
fn dests(op: &ast::Op, given: &[Output]) -> Result<Vec<Dest>, String> {
    let pairs = op.outputs().iter().zip(given);
    let dest = |(written, given): (&ast::Output, &Output)| {
        let target = match (&given.to, written.target) {
            (OutputTarget::Value(value, _), _) => Target::Value(*value),
            (OutputTarget::Place(spot), ast::Target::Memory(memory)) => {
                Target::Memory(place(spot, memory)?)
            }
            _ => {
                return Err(
                    "names a register that the schedule allocates; write a value".to_owned(),
                )
            }
        };
        Ok(Dest {
            target,
            mask: given.mask.clone(),
        })
    };
    pairs.map(dest).collect()
}

/// Returns a place in a PE memory.
fn place(spot: &OperandPlace, memory: ast::MemoryOperand) -> Result<Place, String> {
    match (memory.modify, memory.pattern) {
        (Modify::None, Pattern::Stride { stride, .. }) => Ok(Place {
            bank: memory.bank,
            width: memory.width,
            address: spot.address.clone(),
            stride,
        }),
        _ => Err(format!(
            "adds an offset to addresses in '{}', which this dialect cannot express",
            spot.memory
        )),
    }
}

fn transfer(instruction: &Instruction, read: &ast::Transfer) -> Result<Move, String> {
    let (source, target) = declared(instruction.source().zip(instruction.target()))?;
    let tag = declared(instruction.tag.as_ref())?;
    if read.priority != 0 || read.per_entry.is_some() {
        return Err("has a priority or DAR entries, which this dialect cannot express".into());
    }
    let place = |spot: &OperandPlace, found: &ast::MvOperand| {
        let memory = match found.memory {
            ast::MvMemory::Pdm(_) => MoveMemory::Pdm,
            ast::MvMemory::Dram(_) => MoveMemory::Dram,
            ast::MvMemory::L2bm(_) => MoveMemory::L2bm,
            ast::MvMemory::DramIndirect(_) => {
                return Err("takes addresses from DAR, which this dialect cannot \
                    express"
                    .to_owned());
            }
        };
        Ok(MovePlace {
            memory,
            address: spot.address.clone(),
            group: found.group,
            l2b: found.l2b,
        })
    };
    Ok(Move {
        mode: read.mode,
        rrn: read.rrn,
        words: read.words,
        tag: tag.address.clone(),
        source: place(source, &read.source)?,
        target: place(target, &read.target)?,
    })
}

/// Converts a mask with a constant pattern.
pub(super) fn pattern(text: &str) -> Result<Masking, String> {
    let mask: Mask =
        tessera_isa_mncore::parse::parse_mask(text).map_err(|found| message(&found))?;
    if mask.entry < 16 {
        return Err(format!(
            "mask \"{text}\" names a mask register, which the schedule allocates; write the value \
             of the flags"
        ));
    }
    Ok(Masking::Fixed(mask))
}

/// The placeholder number of values.
pub(super) const NO_VALUE: Value = Value(0);
