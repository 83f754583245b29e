//! The instructions inside a `mncore.pipeline`: conversion of operations to IR items.

use tessera_isa_mncore::ast::Convert;
use tessera_isa_mncore::table::Group;
use tessera_mncore_ir::body::{Home, ValueKind};
use tessera_mncore_ir::item::{Guard, Masking, Test, Value};

use super::place::{self, OperandPlace};
use super::{
    kernel, spelling, AluOp, InstructionOp, IssuedOp, L1bmOp, L2bmOp, MauOp, MreadOp, MvOp,
    MwriteOp, WaitOp,
};
use crate::mlir::attribute_key::{Int, List};
use crate::mlir::{self, Attribute, AttributeKey, AttributeValue, Definition, Op, OpView};

/// Kinds of instruction operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Mau,
    Alu,
    Mwrite,
    Mread,
    L1bm,
    L2bm,
    Wait,
    Mv,
}

/// The operation of each instruction family, and the slots of a step that it occupies.
const FAMILIES: [(Family, &str, Option<Group>); 8] = [
    (Family::Mau, MauOp::NAME, Some(Group::MauCalc)),
    (Family::Alu, AluOp::NAME, Some(Group::Alu)),
    (Family::Mwrite, MwriteOp::NAME, Some(Group::Mwrite)),
    (Family::Mread, MreadOp::NAME, Some(Group::Mread)),
    (Family::L1bm, L1bmOp::NAME, Some(Group::L1bm)),
    (Family::L2bm, L2bmOp::NAME, Some(Group::L2bm)),
    (Family::Wait, WaitOp::NAME, Some(Group::Wait)),
    (Family::Mv, MvOp::NAME, None),
];

impl Family {
    /// Returns the family of an operation, by its name.
    pub fn from_name(name: &str) -> Option<Family> {
        FAMILIES.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Returns the family of an issue slot.
    pub fn for_group(group: Group) -> Option<Family> {
        let row = FAMILIES.iter().find(|row| row.2 == Some(group));
        row.map(|row| row.0)
    }

    /// Returns its operation.
    pub fn op(self) -> &'static str {
        let row = FAMILIES.iter().find(|row| row.0 == self);
        row.expect("every family has a row").1
    }
}

/// The decoded attributes of an instruction operation.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub family: Family,
    /// The opcode as in the assembler, including parameters.
    pub opcode: String,
    pub tag: Option<OperandPlace>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    pub when: Vec<Guard>,
}

/// An input of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub from: InputSource,
    pub negate: bool,
    pub convert: Convert,
}

/// The source of an input.
#[derive(Clone, Debug)]
pub(super) enum InputSource {
    Place(OperandPlace),
    Value(Value, ValueKind),
    Constant(u32),
    Name(String),
}

/// An output of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub to: OutputTarget,
    pub mask: Option<Masking>,
}

/// The target of an output.
#[derive(Clone, Debug)]
pub(super) enum OutputTarget {
    Place(OperandPlace),
    Value(Value, ValueKind),
}

/// Resolves the SSA values that an operation reads or writes to value numbers.
pub(super) trait Numbers<'a> {
    /// Resolves a value that is read.
    fn read(&mut self, value: mlir::Value<'a>) -> Result<(Value, ValueKind), String>;
    /// Resolves a value that is written, possibly by overwriting another.
    fn written(
        &mut self,
        value: mlir::Value<'a>,
        over: Option<mlir::Value<'a>>,
        kind: ValueKind,
    ) -> Result<Value, String>;
}

/// A resolver for callers that need only the operation, without value numbers.
struct Unnumbered;

impl<'a> Numbers<'a> for Unnumbered {
    fn read(&mut self, value: mlir::Value<'a>) -> Result<(Value, ValueKind), String> {
        Ok((spelling::NO_VALUE, kind_of(value)?))
    }

    fn written(
        &mut self,
        _: mlir::Value<'a>,
        over: Option<mlir::Value<'a>>,
        kind: ValueKind,
    ) -> Result<Value, String> {
        match over.map(kind_of) {
            Some(Ok(other)) if other != kind => {
                Err("overwrites a value of another width or storage class".into())
            }
            Some(Err(error)) => Err(error),
            _ => Ok(spelling::NO_VALUE),
        }
    }
}

/// Returns the width and storage class of a value, from the operation that writes it.
fn kind_of(value: mlir::Value) -> Result<ValueKind, String> {
    let (op, number) = match value.definition() {
        Definition::Result(op, number) if Family::from_name(op.name()).is_some() => (op, number),
        _ => return Err("reads a value that no instruction writes".into()),
    };
    let outputs = list(op, InstructionOp::OUTPUTS)?.into_iter();
    let mut values = outputs.filter(|output| output.entry("width").is_some());
    let output = values
        .nth(number)
        .ok_or("has a result that it does not write")?;
    kind(output)
}

/// Returns the width and storage class of an output.
fn kind(output: Attribute) -> Result<ValueKind, String> {
    let word = |name: &str| {
        output
            .entry(name)
            .and_then(AttributeValue::text)
            .unwrap_or_default()
    };
    let width = place::width(word("width")).ok_or_else(|| {
        format!(
            "'{}' is not a width; expects single, long or double",
            word("width")
        )
    })?;
    let home = match word("home") {
        "forward" => Home::Forward,
        "any" => Home::Any,
        "flags" => Home::Flags,
        home => Home::Bank(place::bank(home).ok_or_else(|| {
            format!(
                "'{home}' is not a storage class; expects any, forward, flags, or a memory r, \
                s, m or n"
            )
        })?),
    };
    Ok(ValueKind { width, home })
}

/// Returns the entries of a list.
pub(super) fn list<'a>(op: Op<'a>, key: AttributeKey<List>) -> Result<Vec<Attribute<'a>>, String> {
    let list = key.get(op);
    list.ok_or_else(|| format!("requires a list '{}'", key.name()))
}

/// Returns the value of an unsigned 32-bit integer attribute.
pub(super) fn number(op: Op, key: AttributeKey<Int<32>>) -> Result<u32, String> {
    word(key.get(op), key.name())
}

/// Returns an entry of a dictionary that is an unsigned 32-bit integer.
pub(super) fn entry_number(entry: Attribute, name: &str) -> Result<u32, String> {
    word(entry.entry(name).and_then(AttributeValue::integer), name)
}

/// Converts an attribute to an unsigned 32-bit integer.
fn word(value: Option<i64>, name: &str) -> Result<u32, String> {
    value
        .and_then(|value| u32::try_from(value).ok())
        .ok_or_else(|| format!("requires an unsigned 32-bit number '{name}'"))
}

/// Decodes the attributes of an instruction operation.
pub(super) fn read<'a>(op: Op<'a>, numbers: &mut impl Numbers<'a>) -> Result<Instruction, String> {
    let family = Family::from_name(op.name()).ok_or("is not an instruction")?;
    let (opcode, tag) = match family {
        Family::Wait => (None, WaitOp::view(op).tag()),
        Family::Mv => (MvOp::view(op).opcode(), MvOp::view(op).tag()),
        _ => (InstructionOp::view(op).opcode(), None),
    };
    let mut instruction = Instruction {
        family,
        opcode: opcode.unwrap_or("wait").to_owned(),
        tag: tag.map(OperandPlace::from_attribute).transpose()?,
        inputs: Vec::new(),
        outputs: Vec::new(),
        when: when(op)?,
    };
    match family {
        Family::Wait => {}
        Family::Mv => {
            let mv = MvOp::view(op);
            let place = |place: Option<Attribute>| {
                OperandPlace::from_attribute(place.ok_or("requires a place")?)
            };
            instruction.inputs.push(Input {
                from: InputSource::Place(place(mv.from())?),
                negate: false,
                convert: Convert::None,
            });
            instruction.outputs.push(Output {
                to: OutputTarget::Place(place(mv.to())?),
                mask: None,
            });
        }
        _ => flow(op, numbers, &mut instruction)?,
    }
    Ok(instruction)
}

/// Returns the inputs and outputs.
fn flow<'a>(
    op: Op<'a>,
    numbers: &mut impl Numbers<'a>,
    instruction: &mut Instruction,
) -> Result<(), String> {
    let mut operands = op.operands().into_iter();
    let mut operand = || operands.next().ok_or("has fewer values than it reads");
    for entry in list(op, InstructionOp::INPUTS)? {
        let from = if let Some(place) = entry.entry("place") {
            InputSource::Place(OperandPlace::from_attribute(place)?)
        } else if let Some(name) = entry.entry("name").and_then(AttributeValue::text) {
            InputSource::Name(name.to_owned())
        } else if entry.entry("constant").is_some() {
            InputSource::Constant(entry_number(entry, "constant")?)
        } else if entry.entry("value").is_some() {
            let (value, kind) = numbers.read(operand()?)?;
            InputSource::Value(value, kind)
        } else {
            return Err(format!(
                "reads {entry}, which is not a place, value, constant or name"
            ));
        };
        let convert = match entry.entry("convert").and_then(AttributeValue::text) {
            None => Convert::None,
            Some("widen") => Convert::Widen,
            Some("narrow") => Convert::Narrow,
            Some(other) => {
                return Err(format!(
                    "'{other}' is not a conversion; expects widen or \
                narrow"
                ))
            }
        };
        instruction.inputs.push(Input {
            from,
            negate: entry.entry("negate").is_some(),
            convert,
        });
    }
    let mut results = op.results().into_iter();
    for entry in list(op, InstructionOp::OUTPUTS)? {
        let over = match entry.entry("into") {
            Some(_) => Some(operand()?),
            None => None,
        };
        let mask = match entry.entry("mask") {
            None => None,
            Some(mask) => Some(match mask.text() {
                Some(text) => spelling::pattern(text)?,
                None => match numbers.read(operand()?)? {
                    (value, kind) if kind.home == Home::Flags => Masking::Flags(value),
                    _ => return Err("has a mask that is not of class flags".into()),
                },
            }),
        };
        if over.is_some() && mask.is_none() {
            return Err("overwrites a value without a mask".into());
        }
        let to = if let Some(place) = entry.entry("place") {
            OutputTarget::Place(OperandPlace::from_attribute(place)?)
        } else if entry.entry("width").is_some() {
            let kind = kind(entry)?;
            let result = results
                .next()
                .ok_or("has fewer results than values that it writes")?;
            OutputTarget::Value(numbers.written(result, over, kind)?, kind)
        } else {
            let name = entry.entry("name").and_then(AttributeValue::text);
            let what = name.map_or_else(|| entry.to_string(), |name| format!("'{name}'"));
            return Err(format!(
                "writes {what}, which is not a place or value; write a place, such \
                as lr[0], or a value, such as 'long any'"
            ));
        };
        if over.is_some() && matches!(to, OutputTarget::Place(_)) {
            return Err("writes into a value at a place".into());
        }
        instruction.outputs.push(Output { to, mask });
    }
    if operands.next().is_some() || results.next().is_some() {
        return Err("has more values than it reads and writes".into());
    }
    Ok(())
}

/// Returns the guards: the iterations in which the instruction issues.
fn when(op: Op) -> Result<Vec<Guard>, String> {
    let Some(guards) = IssuedOp::view(op).when() else {
        return Ok(Vec::new());
    };
    let guard = |entry: Attribute| {
        let value = entry_number(entry, "value")?;
        let test = entry
            .entry("test")
            .and_then(AttributeValue::text)
            .unwrap_or_default();
        let test = match test {
            "is" => Test::Is(value),
            "is_not" => Test::IsNot(value),
            "below" => Test::Below(value),
            "from" => Test::From(value),
            "every" if value == 0 => return Err("issues every 0 iterations".to_owned()),
            "every" => Test::Every(value, entry_number(entry, "rest")?),
            other => {
                return Err(format!(
                    "'{other}' is not an index predicate; expects is, is_not, below, from, or \
                     every .. rest"
                ))
            }
        };
        Ok(Guard {
            dimension: entry_number(entry, "dimension")? as usize,
            test,
        })
    };
    guards.into_iter().map(guard).collect()
}

/// Returns the verifier of an instruction.
pub(super) fn verify(op: Op) -> Result<(), String> {
    let instruction = read(op, &mut Unnumbered)?;
    spelling::item(&instruction)?;
    let around = kernel::extents(op);
    let known = around.len();
    if let Some(guard) = instruction
        .when
        .iter()
        .find(|guard| guard.dimension >= known)
    {
        return Err(format!(
            "tests i{}, but is nested in {known} dimensions",
            guard.dimension
        ));
    }
    if let Some(dimension) = instruction
        .deepest()
        .filter(|&dimension| dimension >= known)
    {
        return Err(format!(
            "has an address that depends on i{dimension}, but is nested in {known} dimensions"
        ));
    }
    for index in corners(&around) {
        if instruction.when.iter().all(|guard| guard.holds(&index)) {
            spelling::check(&instruction, &index)
                .map_err(|error| format!("{error}, in iteration {index:?}"))?;
        }
    }
    not_written_over(op)
}

/// Returns the iteration indices at which addresses are checked: the first, the last of each
/// dimension, and the last of all.
fn corners(extents: &[u32]) -> Vec<Vec<u32>> {
    let last = |extent: u32| extent.saturating_sub(1);
    let zero = vec![0; extents.len()];
    let mut all = vec![zero.clone()];
    for (dimension, &extent) in extents.iter().enumerate() {
        let mut index = zero.clone();
        index[dimension] = last(extent);
        all.push(index);
    }
    all.push(extents.iter().map(|&extent| last(extent)).collect());
    all.dedup();
    all
}

/// Checks that no operand was overwritten by an earlier instruction.
fn not_written_over(op: Op) -> Result<(), String> {
    for value in op.operands() {
        let over = |user: Op| {
            let uses = value.uses().into_iter().filter(|u| u.op == user);
            let overs = overs(user);
            uses.into_iter().any(|u| overs.contains(&u.operand))
        };
        let mut users: Vec<Op> = value.uses().into_iter().map(|u| u.op).collect();
        users.retain(|&user| user != op && over(user));
        for user in users {
            let mut later = user.next();
            while let Some(next) = later {
                if next == op {
                    return Err(
                        "reads an overwritten value; read the result of the instruction \
                        that overwrote it"
                            .into(),
                    );
                }
                later = next.next();
            }
        }
    }
    Ok(())
}

/// Returns the indices of the operands that an operation overwrites.
fn overs(op: Op) -> Vec<usize> {
    let instruction = InstructionOp::view(op);
    let (Some(inputs), Some(outputs)) = (instruction.inputs(), instruction.outputs()) else {
        return Vec::new();
    };
    let mut operand = inputs
        .iter()
        .filter(|input| input.entry("value").is_some())
        .count();
    let mut found = Vec::new();
    for output in outputs {
        if output.entry("into").is_some() {
            found.push(operand);
            operand += 1;
        }
        operand += usize::from(
            output
                .entry("mask")
                .is_some_and(|mask| mask.text().is_none()),
        );
    }
    found
}

impl Instruction {
    /// Returns the first input if it is a place.
    pub fn source(&self) -> Option<&OperandPlace> {
        match self.inputs.first().map(|input| &input.from) {
            Some(InputSource::Place(spot)) => Some(spot),
            _ => None,
        }
    }

    /// Returns the first output if it is a place.
    pub fn target(&self) -> Option<&OperandPlace> {
        match self.outputs.first().map(|output| &output.to) {
            Some(OutputTarget::Place(spot)) => Some(spot),
            _ => None,
        }
    }

    /// Returns the innermost dimension that an address depends on.
    fn deepest(&self) -> Option<usize> {
        let inputs = self.inputs.iter().filter_map(|input| match &input.from {
            InputSource::Place(spot) => Some(spot),
            _ => None,
        });
        let outputs = self.outputs.iter().filter_map(|output| match &output.to {
            OutputTarget::Place(spot) => Some(spot),
            OutputTarget::Value(..) => None,
        });
        let spots = inputs.chain(outputs).chain(&self.tag);
        let deepest = |spot: &OperandPlace| spot.address.steps.iter().rposition(|&step| step != 0);
        spots.filter_map(deepest).max()
    }
}
