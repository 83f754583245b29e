//! The reservation table: the fields of the instruction word that each item needs.
//!
//! MN-Core 2 executes one long instruction word a step. Items conflict if they give one field
//! different values, so fields take the place of function units in the reservation table of Rau
//! (1994). The fields are those that the assembler fills ([`fields::field_assignments`]).
//!
//! An address that changes with the iteration, or is not assigned yet, is represented by a symbol.
//! Two items agree on a field if its value is fixed and equal. They also agree if both give the
//! same symbol and issue in the same step of the same iteration.

use std::collections::HashMap;

use tessera_isa_mncore::ast::{self, Expression, PeOperands, Step};
use tessera_isa_mncore::check::operands;
use tessera_isa_mncore::diagnostic::Span;
use tessera_isa_mncore::fields::{self, Field, Shape};

use crate::emit::{EmitError, Emitter, ReadSource};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Dest, Item, Masking, Source, Target, Value};
use tessera_mncore_ir::schedule::Schedule;

/// The value that an item gives a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldValue {
    /// A literal that is the same in every iteration.
    Fixed(u64),
    /// A symbol whose value is the same in every iteration but not assigned yet.
    Unassigned(usize),
    /// A symbol whose value changes with the iteration.
    Variable(usize),
}

/// A field of the word that an item reserves, and the value it gives it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldReservation {
    /// The field.
    pub field: Field,
    /// Its value.
    pub value: FieldValue,
    /// Whether no other item may share the field, even with the same value.
    pub exclusive: bool,
}

/// The fields that an operand reserves to read a value.
#[derive(Clone, Debug)]
pub(crate) struct OperandReservation {
    /// The value.
    pub value: Value,
    /// The fields that a read of its register needs.
    pub register: Vec<FieldReservation>,
    /// The fields that a read of the forwarding register needs; `None` if the operand cannot be
    /// forwarded.
    pub forward: Option<Vec<FieldReservation>>,
}

/// The fields that an item reserves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reservation {
    /// The fields it reserves wherever its values are stored.
    pub always: Vec<FieldReservation>,
    /// The fields it reserves to write its values to registers.
    pub writes: Vec<FieldReservation>,
    /// The fields it reserves for each value it reads.
    pub reads: Vec<OperandReservation>,
}

impl FieldReservation {
    /// Returns whether two items cannot make both reservations in one step. `same_iteration` tells
    /// whether they belong to the same iteration.
    pub fn conflicts(&self, other: &FieldReservation, same_iteration: bool) -> bool {
        if self.field != other.field {
            return false;
        }
        let same = match (self.value, other.value) {
            (FieldValue::Fixed(one), FieldValue::Fixed(two)) => one == two,
            (FieldValue::Unassigned(one), FieldValue::Unassigned(two)) => one == two,
            (FieldValue::Variable(one), FieldValue::Variable(two)) => same_iteration && one == two,
            _ => false,
        };
        self.exclusive || other.exclusive || !same
    }
}

impl Reservation {
    /// Returns every reservation of an item, given which of its operands are forwarded.
    pub fn all(
        &self,
        forwarded: impl Fn(Value) -> bool,
    ) -> impl Iterator<Item = &FieldReservation> {
        let reads = self.reads.iter().flat_map(move |read| match &read.forward {
            Some(forward) if forwarded(read.value) => forward,
            _ => &read.register,
        });
        self.always.iter().chain(&self.writes).chain(reads)
    }

    /// Returns the set of fields that the item may reserve, as a bit mask.
    pub fn field_mask(&self) -> u128 {
        let reads = self.reads.iter().flat_map(|read| {
            let forward = read.forward.iter().flatten();
            read.register.iter().chain(forward)
        });
        let all = self.always.iter().chain(&self.writes).chain(reads);
        all.fold(0, |fields, need| fields | 1 << need.field as u32)
    }

    /// Returns a field to which the item alone would have to give two values, if there is one.
    pub fn self_conflict(&self, forwarded: impl Fn(Value) -> bool) -> Option<Field> {
        let all: Vec<&FieldReservation> = self.all(forwarded).collect();
        let mut pairs = all
            .iter()
            .enumerate()
            .flat_map(|(index, need)| all[..index].iter().map(move |other| (need, other)));
        pairs
            .find(|(one, other)| one.conflicts(other, true))
            .map(|(one, _)| one.field)
    }
}

/// Returns the reservations of all items. `probe` must give each stored value a register, which
/// decides the fields; addresses in it count as symbols.
pub(crate) fn reservations(body: &Body, probe: &Schedule) -> Result<Vec<Reservation>, EmitError> {
    let mut symbols = SymbolTable::default();
    let stored = Emitter::with_source(body, probe, ReadSource::Registers);
    let forwarded = Emitter::with_source(body, probe, ReadSource::ForwardingRegisters);
    let items = body.items.iter().enumerate();
    let first = body.index(0);
    items
        .map(|(number, item)| {
            let Some(expression) = stored.expression(number, 0, &first)? else {
                return Ok(Reservation::default());
            };
            let other = forwarded
                .expression(number, 0, &first)?
                .unwrap_or(expression.clone());
            let written = item.outputs.iter().filter(|dest| match dest.target {
                Target::Value(value) => probe.place(value).is_some(),
                Target::Memory(_) => true,
            });
            Ok(symbols.reserve_item(item, &written.collect::<Vec<_>>(), expression, &other))
        })
        .collect()
}

/// The symbols of addresses, numbered in order of first use.
#[derive(Default)]
struct SymbolTable {
    known: HashMap<Symbol, usize>,
}

/// What an address that is not a literal belongs to.
#[derive(PartialEq, Eq, Hash)]
enum Symbol {
    Value(Value),
    Place(Address, u16),
    Constant(u32),
}

// [`Reservation::field_mask`] has a bit for each.
const _: () = assert!(Field::ALL.len() <= 128);

/// Line numbers of artificial spans, which mark an assignment as an input's or an output's.
const INPUT: u32 = 1;
const OUTPUT: u32 = 2;

impl SymbolTable {
    /// Returns the reservations of an item that writes to these destinations.
    fn reserve_item(
        &mut self,
        item: &Item,
        written: &[&Dest],
        mut stored: Expression,
        forwarded: &Expression,
    ) -> Reservation {
        let legal = forwardable_inputs(&stored, forwarded);
        number_operands(&mut stored.op);
        let mut reservation = Reservation::default();
        let mut inputs = vec![Vec::new(); item.inputs.len()];
        for assignment in field_assignments(stored.clone()) {
            let reserve = |value| FieldReservation {
                field: assignment.field,
                value,
                exclusive: assignment.exclusive,
            };
            let operand = assignment.span.length as usize;
            match assignment.span.line {
                INPUT => inputs[operand].push(reserve(
                    self.input_value(&assignment, &item.inputs[operand].source),
                )),
                OUTPUT => {
                    let value = self.output_value(&assignment, written[operand]);
                    match written[operand].target {
                        Target::Value(_) => reservation.writes.push(reserve(value)),
                        Target::Memory(_) => reservation.always.push(reserve(value)),
                    }
                }
                _ => reservation
                    .always
                    .push(reserve(FieldValue::Fixed(assignment.value))),
            }
        }
        let mut other = forwarded.clone();
        number_operands(&mut other.op);
        let other: Vec<_> = field_assignments(other);
        for (operand, (input, own)) in item.inputs.iter().zip(inputs).enumerate() {
            let Source::Value(value) = input.source else {
                reservation.always.extend(own);
                continue;
            };
            let of_forward = other.iter().filter(|assignment| {
                assignment.span.line == INPUT && assignment.span.length as usize == operand
            });
            let of_forward = of_forward.map(|assignment| FieldReservation {
                field: assignment.field,
                value: FieldValue::Fixed(assignment.value),
                exclusive: assignment.exclusive,
            });
            reservation.reads.push(OperandReservation {
                value,
                register: own,
                forward: legal[operand].then(|| of_forward.collect()),
            });
        }
        reservation
    }

    /// Returns the value that an input gives a field.
    fn input_value(&mut self, assignment: &fields::FieldAssignment, source: &Source) -> FieldValue {
        let is_address = matches!(assignment.field.shape(), Shape::Addresses(_));
        match source {
            Source::Value(value) if is_address => self.variable(Symbol::Value(*value)),
            Source::Constant(word) if is_address => {
                FieldValue::Unassigned(self.symbol_number(Symbol::Constant(*word)))
            }
            Source::Memory(place) if is_address && !place.address.is_fixed() => {
                self.variable(Symbol::Place(place.address.clone(), place.stride))
            }
            _ => FieldValue::Fixed(assignment.value),
        }
    }

    /// Returns the value that an output gives a field.
    fn output_value(&mut self, assignment: &fields::FieldAssignment, dest: &Dest) -> FieldValue {
        if assignment.field == Field::MaskEntry {
            return match dest.mask {
                Some(Masking::Flags(value)) => self.variable(Symbol::Value(value)),
                _ => FieldValue::Fixed(assignment.value),
            };
        }
        if assignment.field == Field::MaskOut {
            return FieldValue::Fixed(assignment.value);
        }
        match &dest.target {
            Target::Value(value) => self.input_value(assignment, &Source::Value(*value)),
            Target::Memory(place) => self.input_value(assignment, &Source::Memory(place.clone())),
        }
    }

    fn variable(&mut self, name: Symbol) -> FieldValue {
        FieldValue::Variable(self.symbol_number(name))
    }

    fn symbol_number(&mut self, name: Symbol) -> usize {
        let next = self.known.len();
        *self.known.entry(name).or_insert(next)
    }
}

/// Returns the field assignments of an expression by itself.
fn field_assignments(expression: Expression) -> Vec<fields::FieldAssignment> {
    fields::field_assignments(&Step {
        expressions: vec![expression],
    })
}

/// Returns, for each input, whether the encoding allows a forwarding register there.
fn forwardable_inputs(stored: &Expression, forwarded: &Expression) -> Vec<bool> {
    let count = stored.op.inputs().len();
    let legal = |operand: usize| {
        let mut one = stored.clone();
        inputs_mut(&mut one.op)[operand].source = forwarded.op.inputs()[operand].source;
        operands::check(&one).is_none()
    };
    (0..count).map(legal).collect()
}

/// Marks each operand with an artificial span that identifies it in the field assignments.
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

/// Returns the inputs of an operation for modification.
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
