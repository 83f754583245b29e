//! Kernels of the mncore dialect and their loops: conversion of operations to programs.

use std::collections::HashMap;
use std::ops::Range;

use tessera_isa_mncore::layout::{ElementBits, Layout};
use tessera_isa_mncore::memory::Bank;
use tessera_mncore_ir::body::{Body, ValueKind};
use tessera_mncore_ir::item::Value;
use tessera_mncore_ir::kernel::Tensor;
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};
use tessera_mncore_ir::words;
use tessera_ops::{ParseViewError, View};
use tessera_pto::kernel::{Element, TensorType};

use super::instruction::{self, entry_number, list, number, Family, Numbers};
use super::place::{self, OperandPlace};
use super::{spelling, InstructionOp, IssuedOp, KernelOp, PipelineOp, RepeatOp};
use crate::mlir::{self, Attribute, AttributeValue, Location, Op, OpView, TensorType as _};

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel<'a> {
    /// The DRAM layout of each argument.
    pub tensors: Vec<Tensor>,
    /// The number of inputs, which precede the outputs.
    pub inputs: usize,
    /// Its loops, in execution order.
    pub stages: Vec<Stage<'a>>,
    /// The source locations of lines 1, 2, … of items.
    pub lines: Vec<Location<'a>>,
}

/// A part of a kernel.
#[derive(Clone, Debug)]
pub enum Stage<'a> {
    /// A `mncore.pipeline`.
    Loop(Box<Loop<'a>>),
    /// A `mncore.repeat`.
    Repeat(u32, Vec<Stage<'a>>),
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop<'a> {
    /// Its operation.
    pub op: PipelineOp<'a>,
    /// Its name.
    pub name: &'a str,
    /// Its body.
    pub body: Body,
    /// Its schedule, if it has one.
    pub schedule: Option<Schedule>,
}

/// An invalid operation and the error message.
pub type InvalidOp<'a> = (Op<'a>, String);

/// Interns the source locations of instructions as line numbers.
#[derive(Debug, Default)]
pub struct Lines<'a> {
    known: Vec<Location<'a>>,
}

impl<'a> Lines<'a> {
    /// Returns the line number for the location of an operation, or 0 if the location is unknown.
    fn number(&mut self, op: Op<'a>) -> u32 {
        if op.place().is_none() {
            return 0;
        }
        let location = op.location();
        let known = self.known.iter().position(|&known| known == location);
        let number = known.unwrap_or_else(|| {
            self.known.push(location);
            self.known.len() - 1
        });
        number as u32 + 1
    }

    /// Returns the interned locations.
    pub fn into_locations(self) -> Vec<Location<'a>> {
        self.known
    }
}

/// Reads a `mncore.kernel`.
///
/// # Errors
/// The first invalid operation, with the message of the verifier.
pub fn read(kernel: KernelOp) -> Result<Kernel, InvalidOp> {
    let mut lines = Lines::default();
    let wrong = |error| (kernel.op(), error);
    let mut read = Kernel {
        tensors: tensors(kernel).map_err(wrong)?,
        inputs: inputs(kernel).map_err(wrong)?,
        stages: stages(kernel.op(), &mut lines)?,
        lines: lines.known,
    };
    let loops = read.loops().into_iter();
    let reserved: Vec<_> = loops
        .flat_map(|found| words::addressed_ranges(&found.body))
        .collect();
    reserve(&mut read.stages, &reserved);
    Ok(read)
}

/// Records in schedules the words that they must not overwrite.
fn reserve(stages: &mut [Stage], words: &[(Bank, Range<u16>)]) {
    for stage in stages {
        match stage {
            Stage::Repeat(_, stages) => reserve(stages, words),
            Stage::Loop(found) => {
                if let Some(schedule) = &mut found.schedule {
                    schedule.reserved = words.to_vec();
                }
            }
        }
    }
}

fn stages<'a>(op: Op<'a>, lines: &mut Lines<'a>) -> Result<Vec<Stage<'a>>, InvalidOp<'a>> {
    let stage = |op: Op<'a>| match op.dyn_cast::<RepeatOp>() {
        Some(_) => {
            let count = number(op, RepeatOp::COUNT).map_err(|error| (op, error))?;
            Ok(Stage::Repeat(count, stages(op, lines)?))
        }
        None => {
            let found = pipeline(PipelineOp::view(op), lines)?;
            Ok(Stage::Loop(Box::new(found)))
        }
    };
    op.children().into_iter().map(stage).collect()
}

impl<'a> Kernel<'a> {
    /// Returns all loops, in order.
    pub fn loops(&self) -> Vec<&Loop<'a>> {
        fn gather<'k, 'a>(stages: &'k [Stage<'a>], found: &mut Vec<&'k Loop<'a>>) {
            for stage in stages {
                match stage {
                    Stage::Loop(one) => found.push(one),
                    Stage::Repeat(_, stages) => gather(stages, found),
                }
            }
        }
        let mut found = Vec::new();
        gather(&self.stages, &mut found);
        found
    }

    /// Returns the kernel as a program.
    ///
    /// # Errors
    /// The first loop without a schedule.
    pub fn program(&self) -> Result<Program, InvalidOp<'a>> {
        Ok(Program {
            nodes: nodes(&self.stages)?,
        })
    }
}

fn nodes<'a>(stages: &[Stage<'a>]) -> Result<Vec<Node>, InvalidOp<'a>> {
    let node = |stage: &Stage<'a>| match stage {
        Stage::Repeat(count, stages) => Ok(Node::Repeat(*count, nodes(stages)?)),
        Stage::Loop(found) => match &found.schedule {
            Some(schedule) => Ok(Node::Loop(ScheduledLoop {
                name: found.name.into(),
                body: found.body.clone(),
                schedule: schedule.clone(),
            })),
            None => Err((
                found.op.op(),
                "has no schedule; run mncore-schedule first".to_owned(),
            )),
        },
    };
    stages.iter().map(node).collect()
}

/// Reads a `mncore.pipeline`.
///
/// # Errors
/// The first invalid operation, with the message of the verifier.
pub fn pipeline<'a>(op: PipelineOp<'a>, lines: &mut Lines<'a>) -> Result<Loop<'a>, InvalidOp<'a>> {
    let wrong = |error| (op.op(), error);
    let outer = outer(op.op());
    let mut numbers = Numbering {
        body: Body::new(&outer, &trip(op).map_err(wrong)?),
        known: HashMap::new(),
    };
    if PipelineOp::MIN_II.is_in(op.op()) {
        numbers.body.min_ii = number(op.op(), PipelineOp::MIN_II).map_err(wrong)?;
    }
    for child in op.children() {
        let mut item = || -> Result<_, String> {
            let instruction = instruction::read(child, &mut numbers)?;
            spelling::item(&instruction)
        };
        let mut item = item().map_err(|error| (child, error))?;
        item.line = lines.number(child);
        numbers.body.items.push(item);
    }
    let schedule = match PipelineOp::II.is_in(op.op()) {
        false => None,
        true => Some(schedule(op, &numbers.body)?),
    };
    Ok(Loop {
        op,
        name: op.name_attribute().unwrap_or_default(),
        body: numbers.body,
        schedule,
    })
}

/// Numbers the values of a loop.
struct Numbering<'a> {
    body: Body,
    known: HashMap<mlir::Value<'a>, Value>,
}

impl<'a> Numbers<'a> for Numbering<'a> {
    fn read(&mut self, value: mlir::Value<'a>) -> Result<(Value, ValueKind), String> {
        let number = self.known.get(&value).copied();
        let number = number.ok_or("reads a value that is not written earlier in this loop")?;
        Ok((number, self.body.kind(number)))
    }

    fn written(
        &mut self,
        value: mlir::Value<'a>,
        over: Option<mlir::Value<'a>>,
        kind: ValueKind,
    ) -> Result<Value, String> {
        let number = match over {
            None => self.body.value(kind.width, kind.home),
            Some(over) => {
                let number = self.read(over)?.0;
                self.known.remove(&over);
                number
            }
        };
        self.known.insert(value, number);
        Ok(number)
    }
}

/// Returns the trip counts of the dimensions of a loop.
fn trip(pipeline: PipelineOp) -> Result<Vec<u32>, String> {
    let count = |count: i64| {
        u32::try_from(count)
            .ok()
            .filter(|&count| count > 0)
            .ok_or_else(|| format!("has a dimension with trip count {count}; expects 1 or more"))
    };
    let trip = pipeline.trip().unwrap_or_default();
    trip.into_iter().map(count).collect()
}

/// Returns the trip counts of the loops around an operation, outermost first.
fn outer(op: Op) -> Vec<u32> {
    let mut outer = Vec::new();
    let mut at = op.parent();
    while let Some(repeat) = at.and_then(Op::dyn_cast::<RepeatOp>) {
        outer.push(number(repeat.op(), RepeatOp::COUNT).unwrap_or(1));
        at = repeat.parent();
    }
    outer.reverse();
    outer
}

/// Returns the trip counts of all loops around an instruction.
pub(super) fn extents(op: Op) -> Vec<u32> {
    let Some(pipeline) = op.parent() else {
        return Vec::new();
    };
    let mut all = outer(pipeline);
    all.extend(trip(PipelineOp::view(pipeline)).unwrap_or_default());
    all
}

/// Returns the schedule of a loop, if it has one.
fn schedule<'a>(op: PipelineOp<'a>, body: &Body) -> Result<Schedule, InvalidOp<'a>> {
    let wrong = |error| (op.op(), error);
    let constants = op.constants().unwrap_or_default();
    let constants = constants.into_iter().map(constant);
    let mut schedule = Schedule {
        ii: number(op.op(), PipelineOp::II).map_err(wrong)?,
        at: Vec::new(),
        places: vec![None; body.values.len()],
        reserved: Vec::new(),
        constants: constants.collect::<Result<_, _>>().map_err(wrong)?,
    };
    for (child, item) in op.children().into_iter().zip(&body.items) {
        let wrong = |error| (child, error);
        let at = number(child, IssuedOp::AT);
        schedule.at.push(at.map_err(wrong)?);
        if item.outputs.is_empty() {
            continue;
        }
        for (output, dest) in list(child, InstructionOp::OUTPUTS)
            .map_err(wrong)?
            .into_iter()
            .zip(&item.outputs)
        {
            let tessera_mncore_ir::item::Target::Value(value) = dest.target else {
                continue;
            };
            if let Some(found) = register(output).map_err(wrong)? {
                schedule.places[value.0 as usize] = Some(found);
            }
        }
    }
    Ok(schedule)
}

/// Parses a constant such as `0x3f800000 in r[508]`.
fn constant(entry: Attribute) -> Result<Constant, String> {
    let spot = entry
        .entry("place")
        .ok_or("has a constant without a place")?;
    let (bank, address) = fixed(&OperandPlace::from_attribute(spot)?)?;
    Ok(Constant {
        word: entry_number(entry, "word")?,
        bank,
        address,
    })
}

/// Parses a place in a PE memory with a constant address.
fn fixed(spot: &OperandPlace) -> Result<(Bank, u16), String> {
    let bank = place::bank(&spot.memory)
        .filter(|bank| spot.address.is_fixed() && spot.address.eval(&[]) < u32::from(bank.words()));
    let bank = bank.ok_or_else(|| {
        format!(
            "'{}' is not a place for a value; expects r, s, m or n with a constant address",
            spot.spell(&[])
        )
    })?;
    Ok((bank, spot.address.eval(&[]) as u16))
}

/// Returns the register or memory that the schedule assigns to a value.
fn register(output: Attribute) -> Result<Option<Register>, String> {
    let Some(place) = output.entry("in") else {
        return Ok(None);
    };
    if place.text() == Some("t") {
        return Ok(Some(Register::T));
    }
    let slots = match output.entry("slots") {
        None => 1,
        Some(_) => entry_number(output, "slots")?,
    };
    let spot = OperandPlace::from_attribute(place)?;
    let few = || format!("has no room for {slots} slots at {}", spot.spell(&[]));
    if spot.memory == "omr" {
        let first = spot.address.eval(&[]);
        let last = u64::from(first) + u64::from(slots) - 1;
        if slots == 0 || first == 0 || last > 15 {
            return Err(few());
        }
        let (first, slots) = (first as u8, slots as u8);
        return Ok(Some(Register::Flags { first, slots }));
    }
    let (bank, first) = fixed(&spot)?;
    let slots = u16::try_from(slots)
        .ok()
        .filter(|&slots| slots > 0 && slots <= bank.words());
    let slots = slots.ok_or_else(few)?;
    Ok(Some(Register::Words { bank, first, slots }))
}

fn inputs(kernel: KernelOp) -> Result<usize, String> {
    number(kernel.op(), KernelOp::INPUTS).map(|count| count as usize)
}

/// Returns the DRAM layouts of the arguments of a kernel.
fn tensors(kernel: KernelOp) -> Result<Vec<Tensor>, String> {
    let tensors = list(kernel.op(), KernelOp::TENSORS)?;
    tensors.into_iter().map(tensor).collect()
}

fn tensor(entry: Attribute) -> Result<Tensor, String> {
    let r#type = entry.entry("type").and_then(AttributeValue::type_value);
    let r#type = r#type.ok_or("has an argument without a type")?;
    let shape = r#type.static_shape().unwrap_or_default();
    let extents: Vec<u32> = shape
        .iter()
        .filter_map(|&extent| extent.try_into().ok())
        .collect();
    let element = r#type.element_type();
    let element = element.and_then(|element| Element::from_name(&element.to_string()));
    let (Some(element), &[matrices, rows, columns]) = (element, &extents[..]) else {
        return Err(format!(
            "has an argument {}, which is not a tensor of matrices, rows and columns of f32, bf16 \
             or i32",
            r#type
        ));
    };
    let layout = entry
        .entry("layout")
        .and_then(AttributeValue::text)
        .unwrap_or_default();
    let layout = layout
        .parse::<Layout>()
        .map_err(|error| format!("has a layout '{layout}' that cannot be read: {error}"))?;
    let stored = match (element, layout.element()) {
        (_, ElementBits::ThirtyTwo) => true,
        (element, bits) => element == Element::Bf16 && bits == ElementBits::Sixteen,
    };
    if !stored {
        return Err(format!(
            "has an argument {} with a layout of elements of {} bits; expects 32 bits, or 16 for bf16",
            r#type,
            layout.element().bits()
        ));
    }
    let kind = TensorType {
        matrices,
        rows,
        columns,
        element,
    };
    Ok(Tensor {
        argument: entry_number(entry, "argument")? as usize,
        kind,
        layout,
        view: view(entry, kind)?,
    })
}

/// Returns the tensor view of an argument, if it has one.
fn view(entry: Attribute, kind: TensorType) -> Result<Option<View>, String> {
    let Some(text) = entry.entry("view").and_then(AttributeValue::text) else {
        return Ok(None);
    };
    let view: View = text
        .parse()
        .map_err(|error: ParseViewError| error.to_string())?;
    let elements = kind.elements().unwrap_or_default();
    match view.check(elements) {
        Ok(()) => Ok(Some(view)),
        Err(error) => Err(format!(
            "has a view {view} that is not one of {kind}: {error}"
        )),
    }
}

pub(super) fn verify_kernel(kernel: KernelOp) -> Result<(), String> {
    let (tensors, inputs) = (tensors(kernel)?, inputs(kernel)?);
    if inputs > tensors.len() {
        return Err(format!(
            "has {inputs} inputs, but only {} tensors",
            tensors.len()
        ));
    }
    loops_only(kernel.op())
}

pub(super) fn verify_repeat(repeat: RepeatOp) -> Result<(), String> {
    if number(repeat.op(), RepeatOp::COUNT)? == 0 {
        return Err("has trip count 0; expects 1 or more".into());
    }
    loops_only(repeat.op())
}

/// Checks that an operation contains only loops.
fn loops_only(op: Op) -> Result<(), String> {
    let known = [RepeatOp::NAME, PipelineOp::NAME];
    let stranger = op
        .children()
        .into_iter()
        .find(|child| !known.contains(&child.name()));
    stranger.map_or(Ok(()), |child| {
        Err(format!(
            "has '{}' inside; expects {}",
            child.name(),
            known.join(" and ")
        ))
    })
}

pub(super) fn verify_pipeline(op: PipelineOp) -> Result<(), String> {
    trip(op)?;
    let children = op.children();
    if let Some(child) = children
        .iter()
        .find(|child| Family::from_name(child.name()).is_none())
    {
        return Err(format!(
            "has '{}' inside; expects instructions",
            child.name()
        ));
    }
    let scheduled = PipelineOp::II.is_in(op.op());
    let others = [
        PipelineOp::STAGES.is_in(op.op()),
        PipelineOp::MII.is_in(op.op()),
        PipelineOp::BOUND_BY.is_in(op.op()),
    ];
    if others.iter().any(|&other| other != scheduled) {
        return Err(
            "has a schedule in part: 'ii', 'stages', 'mii' and 'bound_by' belong together".into(),
        );
    }
    if !scheduled && PipelineOp::CONSTANTS.is_in(op.op()) {
        return Err("has constants, but no schedule".into());
    }
    let other = children
        .iter()
        .find(|&&child| IssuedOp::AT.is_in(child) != scheduled);
    if let Some(child) = other {
        let (what, loop_) = if scheduled {
            ("no step", "a schedule")
        } else {
            ("a step", "no schedule")
        };
        return Err(format!("has {loop_}, but {what} for '{}'", child.name()));
    }
    // MLIR verifies an operation before nested ones; errors in those are reported when they are
    // verified.
    if children
        .iter()
        .any(|&child| instruction::verify(child).is_err())
    {
        return Ok(());
    }
    let found = pipeline(op, &mut Lines::default());
    let found = found.map_err(|(child, error)| format!("'{}': {error}", child.name()))?;
    found.body.check().map_err(|error| error.to_string())?;
    let Some(schedule) = found.schedule else {
        return Ok(());
    };
    if schedule.ii == 0 {
        return Err("has initiation interval 0; expects 1 or more".into());
    }
    let stages = schedule.length().div_ceil(schedule.ii).max(1);
    match number(op.op(), PipelineOp::STAGES)? {
        given if given == stages => Ok(()),
        given => Err(format!("has {given} stages, but its steps span {stages}")),
    }
}
