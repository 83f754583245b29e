//! The scheduling problem of a body: all constraints that a schedule must satisfy.
//!
//! A [`Plan`] fixes the decisions that precede scheduling: which values only travel through
//! forwarding registers ([`ChainingPolicy`]), and which memory holds each other value
//! ([`bank_assignment`]). From these follow the macro nodes, the precedence edges, the reservations
//! and the port gaps.

use std::cmp::Reverse;

use tessera_isa_mncore::ast::Step;
use tessera_isa_mncore::check::hazard::Effects;
use tessera_isa_mncore::fields::Field;
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::Group;

use super::bank_assignment;
use super::reservation::{self, Reservation};
use crate::analysis::def_use::DefUse;
use crate::analysis::dependence::Edge;
use crate::analysis::guards::Guards;
use crate::emit::{EmitError, Emitter, ReadSource};
use crate::ir::plan_options::{ChainingPolicy, PlanOptions, StorageClass};
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::Value;
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};

/// The two ways in which a value can reach a reader: forwarding, or its register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bypass {
    pub writer: usize,
    pub reader: usize,
    /// Whether the reader may take the value from the forwarding register in the next step.
    pub can_forward: bool,
    /// Steps after which the reader can take the value from its register.
    pub register_latency: i64,
}

/// Why a body has no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlanError {
    Emit(EmitError),
    /// An item gives a field two values whatever storage its values have.
    FieldConflict {
        item: usize,
        field: Field,
    },
}

impl From<EmitError> for PlanError {
    fn from(error: EmitError) -> Self {
        PlanError::Emit(error)
    }
}

/// A macro node: items that issue at fixed distances from one another, scheduled as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct MacroNode {
    /// The items, with the step of each relative to the first.
    pub members: Vec<(usize, i64)>,
}

/// A minimum distance between two items in time, in whatever iterations they issue: a port stays
/// busy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// The other item.
    pub other: usize,
    /// The minimum number of steps from this item to the other, if the other issues later.
    pub after: i64,
    /// The minimum number of steps from the other item to this one, if this one issues later.
    pub before: i64,
}

/// The constraints on the schedules of a body.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub body: &'a Body,
    pub uses: &'a [DefUse],
    pub guards: &'a Guards,
    /// The storage class of each value.
    pub storage: Vec<StorageClass>,
    /// Each constant's word and memory.
    pub constants: Vec<(u32, Bank)>,
    /// The fields that each item reserves.
    pub reservations: Vec<Reservation>,
    /// The fields of the word that each item may reserve, as bit masks.
    fields: Vec<u128>,
    /// The slot of the word in which each item issues; `None` for MV instructions.
    pub slots: Vec<Option<Group>>,
    /// Precedence edges, of dependences through memory and through values.
    pub edges: Vec<Edge>,
    /// Of each item, the bypasses of which it is the writer or the reader.
    pub bypasses: Vec<Vec<Bypass>>,
    /// Of each item, the gaps that busy ports impose, also between its own iterations.
    pub gaps: Vec<Vec<Gap>>,
    pub macro_nodes: Vec<MacroNode>,
    /// The macro node of each item.
    pub node_of: Vec<usize>,
}

impl<'a> Plan<'a> {
    /// Creates a plan. `edges` are the dependences through memory; those through values are added.
    pub fn new(
        body: &'a Body,
        uses: &'a [DefUse],
        guards: &'a Guards,
        edges: &[Edge],
        options: PlanOptions,
    ) -> Result<Self, PlanError> {
        let chaining = options.chaining;
        let count = body.items.len();
        let mut groups = NodeBuilder::new(body, uses, edges);
        let mut forwarded = vec![false; body.values.len()];
        for (value, of_value) in uses.iter().enumerate() {
            if body.values[value].home == Home::Forward {
                forwarded[value] = true;
                for &reader in &of_value.readers {
                    groups.join(of_value.writers[0], reader, 1);
                }
            }
        }
        if chaining != ChainingPolicy::None {
            for (value, of_value) in uses.iter().enumerate() {
                let single = body.values[value].home == Home::Any && of_value.readers.len() == 1;
                if single && of_value.can_forward && can_chain(body, uses, value, chaining) {
                    forwarded[value] = {
                        let (writer, reader) = (of_value.writers[0], of_value.readers[0]);
                        groups.try_join(writer, reader, chaining.max_steps())
                    };
                }
            }
        }
        let chosen = bank_assignment::assign_banks(body, uses, &forwarded, options);
        let probe = probe_schedule(body, &chosen);
        let reservations = reservation::reservations(body, &probe)?;
        resolve_port_conflicts(body, uses, chaining, &reservations, &mut groups)?;
        let effects = item_effects(body, &probe)?;
        let mut plan = Plan {
            body,
            uses,
            guards,
            storage: chosen.values,
            constants: chosen.constants,
            slots: body.items.iter().map(|item| item.group()).collect(),
            edges: edges.to_vec(),
            bypasses: vec![Vec::new(); count],
            gaps: port_gaps(&effects),
            macro_nodes: Vec::new(),
            node_of: Vec::new(),
            fields: reservations.iter().map(Reservation::field_mask).collect(),
            reservations,
        };
        plan.add_value_edges(&effects);
        (plan.macro_nodes, plan.node_of) = groups.finish();
        Ok(plan)
    }

    /// Returns whether two items may conflict in one step, wherever their values are stored: a
    /// cheap test before the exact one.
    pub fn may_clash(&self, one: usize, other: usize) -> bool {
        self.slots[one] == self.slots[other] || self.fields[one] & self.fields[other] != 0
    }

    /// Returns whether another plan for the same body has the same constraints.
    pub fn is_equivalent(&self, other: &Plan) -> bool {
        let groups = |plan: &Plan| -> Vec<Vec<(usize, i64)>> {
            plan.macro_nodes
                .iter()
                .map(|group| group.members.clone())
                .collect()
        };
        self.storage == other.storage
            && self.constants == other.constants
            && groups(self) == groups(other)
    }

    /// Adds the precedence edges and bypasses between the writers and readers of values.
    fn add_value_edges(&mut self, effects: &[Effects]) {
        for (number, of_value) in self.uses.iter().enumerate() {
            let value = Value(number as u32);
            for pair in of_value.writers.windows(2) {
                self.add_edge(pair[0], pair[1], 1);
            }
            for &reader in &of_value.readers {
                let before = of_value.writers.iter().filter(|&&writer| writer < reader);
                for &writer in before {
                    let bypass = Bypass {
                        writer,
                        reader,
                        can_forward: of_value.can_forward && self.may_forward(value, reader),
                        register_latency: self.register_latency(
                            value,
                            &effects[writer],
                            &effects[reader],
                        ),
                    };
                    let steps = if bypass.can_forward {
                        1
                    } else {
                        bypass.register_latency
                    };
                    self.add_edge(writer, reader, steps as u32);
                    self.bypasses[writer].push(bypass);
                    self.bypasses[reader].push(bypass);
                }
                let after = of_value.writers.iter().find(|&&writer| writer > reader);
                if let Some(&writer) = after {
                    self.add_edge(reader, writer, 0);
                }
            }
        }
    }

    fn add_edge(&mut self, from: usize, to: usize, steps: u32) {
        self.edges.push(Edge {
            from,
            to,
            distance: 0,
            steps,
        });
    }

    /// Returns whether every operand that reads a value in an item may be a forwarding register.
    fn may_forward(&self, value: Value, reader: usize) -> bool {
        let reads = &self.reservations[reader].reads;
        let mut of_value = reads.iter().filter(|read| read.value == value).peekable();
        of_value.peek().is_some() && of_value.all(|read| read.forward.is_some())
    }

    /// Returns the steps after which a reader finds a value in its register.
    fn register_latency(&self, value: Value, writer: &Effects, reader: &Effects) -> i64 {
        match self.storage[value.0 as usize] {
            StorageClass::Forwarded => 1,
            _ => i64::from(reader.min_distance(writer).max(1)),
        }
    }
}

/// Resolves port conflicts within an item: makes it follow the writers of operands, so that those
/// are forwarded.
fn resolve_port_conflicts(
    body: &Body,
    uses: &[DefUse],
    chaining: ChainingPolicy,
    reservations: &[Reservation],
    groups: &mut NodeBuilder,
) -> Result<(), PlanError> {
    for (item, reservation) in reservations.iter().enumerate() {
        let mut tied: Vec<Value> = Vec::new();
        for read in &reservation.reads {
            let of_value = &uses[read.value.0 as usize];
            if groups.distance(of_value.writers[0], item) == Some(1) {
                tied.push(read.value);
            }
        }
        while let Some(field) = reservation.self_conflict(|value| tied.contains(&value)) {
            // The operands written last are the easiest to follow directly.
            let mut reads: Vec<_> = reservation.reads.iter().collect();
            reads.sort_by_key(|read| Reverse(uses[read.value.0 as usize].writers[0]));
            let next = reads.into_iter().find(|read| {
                let of_value = &uses[read.value.0 as usize];
                let writer = of_value.writers[0];
                let may = read.forward.is_some() && of_value.can_forward;
                may && !tied.contains(&read.value)
                    && (chaining != ChainingPolicy::Adjacent || body.can_follow(writer, item))
                    && groups.try_join(writer, item, i64::MAX)
            });
            let Some(read) = next else {
                return Err(PlanError::FieldConflict { item, field });
            };
            tied.push(read.value);
        }
    }
    Ok(())
}

/// Returns whether a value with one reader may be bound to a forwarding register: the reader does
/// not use it as a mask, issues under the same guards, and can follow the writer if the policy is
/// [`ChainingPolicy::Adjacent`].
fn can_chain(body: &Body, uses: &[DefUse], value: usize, chaining: ChainingPolicy) -> bool {
    let (writer, reader) = (uses[value].writers[0], uses[value].readers[0]);
    let as_mask = body.items[reader].outputs.iter().any(|output| {
        output.mask == Some(tessera_mncore_ir::item::Masking::Flags(Value(value as u32)))
    });
    let follows = chaining != ChainingPolicy::Adjacent || body.can_follow(writer, reader);
    !as_mask && follows && body.items[writer].when == body.items[reader].when
}

/// Returns a probe schedule with a register for each value that is stored. Registers may coincide:
/// all T or mask registers do, and addresses wrap around.
fn probe_schedule(body: &Body, chosen: &bank_assignment::BankAssignment) -> Schedule {
    let mut next = [0u16; 4];
    let mut take = |bank: Bank, words: u16| {
        let first = next[bank as usize];
        // Addresses wrap around: they need to differ only between neighbours.
        next[bank as usize] = (first + words) % (bank.words() - 16);
        first
    };
    let places = chosen
        .values
        .iter()
        .zip(&body.values)
        .map(|(storage, kind)| match *storage {
            StorageClass::Forwarded => None,
            StorageClass::Bank(bank) => Some(Register::Words {
                bank,
                first: take(bank, kind.width.words() * 4).next_multiple_of(4),
                slots: 1,
            }),
            StorageClass::T => Some(Register::T),
            StorageClass::Flags => Some(Register::Flags { first: 1, slots: 1 }),
        });
    let places = places.collect();
    let constants = chosen.constants.iter().map(|&(word, bank)| Constant {
        word,
        bank,
        address: take(bank, Width::Long.words()).next_multiple_of(2),
    });
    Schedule {
        ii: 1,
        at: vec![0; body.items.len()],
        places,
        constants: constants.collect(),
        reserved: Vec::new(),
    }
}

/// Returns the memory effects of each item.
fn item_effects(body: &Body, probe: &Schedule) -> Result<Vec<Effects>, EmitError> {
    let emitter = Emitter::with_source(body, probe, ReadSource::Registers);
    (0..body.items.len())
        .map(|number| {
            let expressions = emitter
                .expression(number, 0, &body.index(0))?
                .into_iter()
                .collect();
            Ok(Effects::from_step(&Step { expressions }))
        })
        .collect()
}

/// Returns the minimum distances that busy ports impose on each pair of items.
fn port_gaps(effects: &[Effects]) -> Vec<Vec<Gap>> {
    let mut gaps = vec![Vec::new(); effects.len()];
    for one in 0..effects.len() {
        for other in one..effects.len() {
            let after = i64::from(effects[other].min_port_distance(&effects[one]));
            let before = i64::from(effects[one].min_port_distance(&effects[other]));
            if after.max(before) <= 1 {
                continue;
            }
            gaps[one].push(Gap {
                other,
                after,
                before,
            });
            if other != one {
                gaps[other].push(Gap {
                    other: one,
                    after: before,
                    before: after,
                });
            }
        }
    }
    gaps
}

/// Macro nodes under construction.
struct NodeBuilder<'a> {
    body: &'a Body,
    /// Of each item, its group and its step relative to that group.
    of: Vec<(usize, i64)>,
    /// Precedences within an iteration: predecessor, successor, least number of steps.
    orders: Vec<(usize, usize, i64)>,
}

impl<'a> NodeBuilder<'a> {
    fn new(body: &'a Body, uses: &[DefUse], edges: &[Edge]) -> Self {
        let edges = edges.iter().filter(|edge| edge.distance == 0);
        let mut orders: Vec<_> = edges.map(|e| (e.from, e.to, i64::from(e.steps))).collect();
        for of_value in uses {
            for &reader in &of_value.readers {
                let before = of_value.writers.iter().filter(|&&writer| writer < reader);
                orders.extend(before.map(|&writer| (writer, reader, 1)));
            }
        }
        orders.sort_unstable();
        NodeBuilder {
            of: (0..body.items.len()).map(|item| (item, 0)).collect(),
            orders,
            body,
        }
    }

    /// Ties two items at a distance without a check. Items that are in one group already keep their
    /// distance.
    fn join(&mut self, first: usize, second: usize, steps: i64) {
        let ((a, at_a), (b, at_b)) = (self.of[first], self.of[second]);
        let shift = at_a + steps - at_b;
        for (group, at) in &mut self.of {
            if *group == b && a != b {
                (*group, *at) = (a, *at + shift);
            }
        }
    }

    /// Ties the item `second` to the step after `first` if the group stays feasible and has at most
    /// `max_steps` steps. Returns whether it issues in that step, also if it did before.
    fn try_join(&mut self, first: usize, second: usize, max_steps: i64) -> bool {
        if let Some(distance) = self.distance(first, second) {
            return distance == 1;
        }
        let before = self.of.clone();
        self.join(first, second, 1);
        let group = self.of[first].0;
        let fits = self.steps(group) <= max_steps && self.fits_slots(group);
        let joined = fits && self.is_acyclic();
        if !joined {
            self.of = before;
        }
        joined
    }

    /// Returns the length of a group in steps.
    fn steps(&self, group: usize) -> i64 {
        let members = || self.of.iter().filter(|of| of.0 == group).map(|of| of.1);
        let (first, last) = (members().min(), members().max());
        last.zip(first).map_or(0, |(last, first)| last - first + 1)
    }

    /// Returns whether no two items of a group need the same slot in the same step.
    fn fits_slots(&self, group: usize) -> bool {
        let members = self.of.iter().enumerate().filter(|(_, of)| of.0 == group);
        let mut taken: Vec<_> = members
            .map(|(item, of)| (of.1, self.body.items[item].group()))
            .collect();
        taken.sort_unstable();
        taken.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Returns whether the precedences between groups are acyclic, given the fixed distances.
    fn is_acyclic(&self) -> bool {
        // The earliest step of each group's step 0.
        let mut starts = vec![0i64; self.of.len()];
        for _ in 0..=self.of.len() {
            let mut changed = false;
            for &(from, to, steps) in &self.orders {
                let ((a, at_a), (b, at_b)) = (self.of[from], self.of[to]);
                let start = starts[a] + at_a + steps - at_b;
                if start > starts[b] {
                    if a == b {
                        return false;
                    }
                    starts[b] = start;
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// Returns the distance between two items of the same group.
    fn distance(&self, first: usize, second: usize) -> Option<i64> {
        let ((a, at_a), (b, at_b)) = (self.of[first], self.of[second]);
        (a == b).then_some(at_b - at_a)
    }

    /// Returns the macro nodes, normalised to begin at step 0, and the node of each item.
    fn finish(self) -> (Vec<MacroNode>, Vec<usize>) {
        let mut groups: Vec<MacroNode> = vec![MacroNode::default(); self.of.len()];
        for (item, &(group, at)) in self.of.iter().enumerate() {
            groups[group].members.push((item, at));
        }
        groups.retain(|group| !group.members.is_empty());
        let mut node_of = vec![0; self.of.len()];
        for (number, group) in groups.iter_mut().enumerate() {
            let first = group.members.iter().map(|&(_, at)| at).min().unwrap_or(0);
            for (item, at) in &mut group.members {
                *at -= first;
                node_of[*item] = number;
            }
        }
        (groups, node_of)
    }
}
