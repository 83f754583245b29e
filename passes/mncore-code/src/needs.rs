//! What an item takes of the instruction word: the reservation table's rows.
//!
//! The fields are those that the assembler fills ([`fields::field_assignments`]). An address that moves, or
//! that is not chosen yet, is a name: two items give a field the same value if the value is fixed,
//! or if it has the same name and they issue in the same step of the same iteration.

use std::collections::HashMap;

use tessera_isa_mncore::ast::{self, Expression, PeOperands, Step};
use tessera_isa_mncore::check::operands;
use tessera_isa_mncore::diagnostic::Span;
use tessera_isa_mncore::fields::{self, Field, Shape};

use crate::emit::{EmitError, Emitter, Reads};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Dest, Item, Masking, Source, Target, Value};
use tessera_mncore_ir::schedule::Schedule;

/// A value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// The same in every iteration.
    Fixed(u64),
    /// Something that has this number, the same in every iteration, but not chosen yet.
    Unknown(usize),
    /// Something that has this number, and another value in each iteration.
    Moving(usize),
}

/// A field of the word, and what it must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    /// The field.
    pub field: Field,
    /// Its value.
    pub key: Key,
    /// Whether nobody else may give it.
    pub alone: bool,
}

/// What an operand that reads a value takes.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// The value.
    pub value: Value,
    /// Where it is read from its register.
    pub register: Vec<Need>,
    /// Where it is read from a forwarding register; none if it cannot be.
    pub forward: Option<Vec<Need>>,
}

/// What an item takes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    /// In any case.
    pub always: Vec<Need>,
    /// To write values to where they lie.
    pub writes: Vec<Need>,
    /// For the values it reads.
    pub reads: Vec<Read>,
}

impl Need {
    /// Whether two items cannot have both in a step; `together`, in the same step of an iteration.
    pub fn conflicts(&self, other: &Need, together: bool) -> bool {
        if self.field != other.field {
            return false;
        }
        let same = match (self.key, other.key) {
            (Key::Fixed(one), Key::Fixed(two)) => one == two,
            (Key::Unknown(one), Key::Unknown(two)) => one == two,
            (Key::Moving(one), Key::Moving(two)) => together && one == two,
            _ => false,
        };
        self.alone || other.alone || !same
    }
}

impl Needs {
    /// Everything an item takes, if these are the values that it reads from forwarding registers.
    pub fn all(&self, forwarded: impl Fn(Value) -> bool) -> impl Iterator<Item = &Need> {
        let reads = self.reads.iter().flat_map(move |read| match &read.forward {
            Some(forward) if forwarded(read.value) => forward,
            _ => &read.register,
        });
        self.always.iter().chain(&self.writes).chain(reads)
    }

    /// The fields that it may take, as bits.
    pub fn fields(&self) -> u128 {
        let reads = self.reads.iter().flat_map(|read| {
            let forward = read.forward.iter().flatten();
            read.register.iter().chain(forward)
        });
        let all = self.always.iter().chain(&self.writes).chain(reads);
        all.fold(0, |fields, need| fields | 1 << need.field as u32)
    }

    /// A field that an item by itself needs two values of.
    pub fn clash(&self, forwarded: impl Fn(Value) -> bool) -> Option<Field> {
        let all: Vec<&Need> = self.all(forwarded).collect();
        let mut pairs = all
            .iter()
            .enumerate()
            .flat_map(|(index, need)| all[..index].iter().map(move |other| (need, other)));
        pairs
            .find(|(one, other)| one.conflicts(other, true))
            .map(|(one, _)| one.field)
    }
}

/// The needs of all items. The schedule has registers at places of their own for all values that
/// have any.
pub(crate) fn needs(body: &Body, probe: &Schedule) -> Result<Vec<Needs>, EmitError> {
    let mut names = Names::default();
    let housed = Emitter::reading(body, probe, Reads::Registers);
    let forwarded = Emitter::reading(body, probe, Reads::Forwards);
    let items = body.items.iter().enumerate();
    let first = body.index(0);
    items
        .map(|(number, item)| {
            let Some(expression) = housed.expression(number, 0, &first)? else {
                return Ok(Needs::default());
            };
            let other = forwarded
                .expression(number, 0, &first)?
                .unwrap_or(expression.clone());
            let written = item.outputs.iter().filter(|dest| match dest.target {
                Target::Value(value) => probe.place(value).is_some(),
                Target::Memory(_) => true,
            });
            Ok(names.item(item, &written.collect::<Vec<_>>(), expression, &other))
        })
        .collect()
}

/// Numbers of addresses that move.
#[derive(Default)]
struct Names {
    known: HashMap<Name, usize>,
}

#[derive(PartialEq, Eq, Hash)]
enum Name {
    Value(Value),
    Place(Address, u16),
    Constant(u32),
}

// [`Needs::fields`] has a bit for each.
const _: () = assert!(Field::ALL.len() <= 128);

/// Spans that tell operands apart: an input's, an output's.
const INPUT: u32 = 1;
const OUTPUT: u32 = 2;

impl Names {
    /// What an item takes that writes to these destinations.
    fn item(
        &mut self,
        item: &Item,
        written: &[&Dest],
        mut housed: Expression,
        forwarded: &Expression,
    ) -> Needs {
        let legal = forwardable(&housed, forwarded);
        number_operands(&mut housed.op);
        let mut needs = Needs::default();
        let mut inputs = vec![Vec::new(); item.inputs.len()];
        for assignment in field_assignments(housed.clone()) {
            let need = |key| Need {
                field: assignment.field,
                key,
                alone: assignment.alone,
            };
            let operand = assignment.span.length as usize;
            match assignment.span.line {
                INPUT => {
                    inputs[operand].push(need(self.key(&assignment, &item.inputs[operand].source)))
                }
                OUTPUT => {
                    let key = self.output_key(&assignment, written[operand]);
                    match written[operand].target {
                        Target::Value(_) => needs.writes.push(need(key)),
                        Target::Memory(_) => needs.always.push(need(key)),
                    }
                }
                _ => needs.always.push(need(Key::Fixed(assignment.value))),
            }
        }
        let mut other = forwarded.clone();
        number_operands(&mut other.op);
        let other: Vec<_> = field_assignments(other);
        for (operand, (input, own)) in item.inputs.iter().zip(inputs).enumerate() {
            let Source::Value(value) = input.source else {
                needs.always.extend(own);
                continue;
            };
            let of_forward = other.iter().filter(|assignment| {
                assignment.span.line == INPUT && assignment.span.length as usize == operand
            });
            let of_forward = of_forward.map(|assignment| Need {
                field: assignment.field,
                key: Key::Fixed(assignment.value),
                alone: assignment.alone,
            });
            needs.reads.push(Read {
                value,
                register: own,
                forward: legal[operand].then(|| of_forward.collect()),
            });
        }
        needs
    }

    /// The value of a field that an input gives.
    fn key(&mut self, assignment: &fields::FieldAssignment, source: &Source) -> Key {
        let is_address = matches!(assignment.field.shape(), Shape::Addresses(_));
        match source {
            Source::Value(value) if is_address => self.moving(Name::Value(*value)),
            Source::Constant(word) if is_address => {
                Key::Unknown(self.number(Name::Constant(*word)))
            }
            Source::Memory(place) if is_address && !place.address.is_fixed() => {
                self.moving(Name::Place(place.address.clone(), place.stride))
            }
            _ => Key::Fixed(assignment.value),
        }
    }

    /// The value of a field that an output gives.
    fn output_key(&mut self, assignment: &fields::FieldAssignment, dest: &Dest) -> Key {
        if assignment.field == Field::MaskEntry {
            return match dest.mask {
                Some(Masking::Flags(value)) => self.moving(Name::Value(value)),
                _ => Key::Fixed(assignment.value),
            };
        }
        if assignment.field == Field::MaskOut {
            return Key::Fixed(assignment.value);
        }
        match &dest.target {
            Target::Value(value) => self.key(assignment, &Source::Value(*value)),
            Target::Memory(place) => self.key(assignment, &Source::Memory(place.clone())),
        }
    }

    fn moving(&mut self, name: Name) -> Key {
        Key::Moving(self.number(name))
    }

    fn number(&mut self, name: Name) -> usize {
        let next = self.known.len();
        *self.known.entry(name).or_insert(next)
    }
}

/// What an expression alone gives to the fields.
fn field_assignments(expression: Expression) -> Vec<fields::FieldAssignment> {
    fields::field_assignments(&Step {
        expressions: vec![expression],
    })
}

/// Of each input, whether it may be a forwarding register.
fn forwardable(housed: &Expression, forwarded: &Expression) -> Vec<bool> {
    let count = housed.op.inputs().len();
    let legal = |operand: usize| {
        let mut one = housed.clone();
        inputs_mut(&mut one.op)[operand].source = forwarded.op.inputs()[operand].source;
        operands::check(&one).is_none()
    };
    (0..count).map(legal).collect()
}

/// Gives each operand a span that tells which it is.
fn number_operands(op: &mut ast::Op) {
    let span = |line, index: usize| Span {
        line,
        column: 0,
        length: index as u32,
    };
    for (index, input) in inputs_mut(op).iter_mut().enumerate() {
        input.span = span(INPUT, index);
    }
    for (index, output) in op.outputs_mut().iter_mut().enumerate() {
        output.span = span(OUTPUT, index);
    }
}

/// The inputs of an operation, to change.
fn inputs_mut(op: &mut ast::Op) -> &mut [ast::Input] {
    match op {
        ast::Op::Mau(mau) => &mut mau.inputs,
        ast::Op::Alu(alu) => &mut alu.inputs,
        ast::Op::Mwrite { input, .. } => std::slice::from_mut(input),
        ast::Op::L1bm(ast::L1bm {
            pe: PeOperands::Up(input),
            ..
        }) => std::slice::from_mut(input),
        _ => &mut [],
    }
}
