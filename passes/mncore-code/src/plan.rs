//! All that a schedule of a body must respect, before there are steps.

use std::cmp::Reverse;

use tessera_isa_mncore::ast::Step;
use tessera_isa_mncore::check::hazard::Effects;
use tessera_isa_mncore::fields::Field;
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::Group;

use crate::banks;
use crate::dependence::Edge;
use crate::emit::{EmitError, Emitter, Reads};
use crate::guards::Guards;
use crate::needs::{self, Needs};
use crate::values::Uses;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::Value;
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};

/// Where a value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lies {
    /// Nowhere: its readers issue in the step after its writer.
    Forwarded,
    /// In a memory of PEs.
    In(Bank),
    /// In the T register.
    T,
    /// In a mask register.
    Flags,
}

/// How a value may come to a reader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub writer: usize,
    pub reader: usize,
    /// Whether the reader may issue in the next step.
    pub forward: bool,
    /// After how many steps it can read the register.
    pub register: i64,
}

/// Which values that only one item reads are forwarded for sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chains {
    /// Those that lie nowhere else.
    None,
    /// Those whose reader stands behind their writer, too.
    Adjacent,
    /// Those that can be, in groups of no more than so many steps.
    UpTo(i64),
}

impl Chains {
    /// All that can be.
    pub const ALL: Chains = Chains::UpTo(i64::MAX);

    /// The most steps of a group.
    fn most_steps(self) -> i64 {
        match self {
            Chains::UpTo(steps) => steps,
            _ => i64::MAX,
        }
    }
}

/// How a plan is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub chains: Chains,
    /// Whether a value may lie in the T register.
    pub t: bool,
    /// Whether values may lie in GRF0 and in GRF1.
    pub files: [bool; 2],
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlanError {
    Emit(EmitError),
    /// An item needs two values of a field, wherever its values lie.
    Clash {
        item: usize,
        field: Field,
    },
}

impl From<EmitError> for PlanError {
    fn from(error: EmitError) -> Self {
        PlanError::Emit(error)
    }
}

/// Items that issue at fixed distances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rigid {
    /// Items, and how many steps after the first each issues.
    pub members: Vec<(usize, i64)>,
}

/// Two items that must not follow one another closely in time, whatever the iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub other: usize,
    /// Steps from this item to the other, if the other is later.
    pub after: i64,
    /// Steps from the other to this item, if this is later.
    pub before: i64,
}

/// What a schedule must respect.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub body: &'a Body,
    pub uses: &'a [Uses],
    pub guards: &'a Guards,
    pub lies: Vec<Lies>,
    pub constants: Vec<(u32, Bank)>,
    pub needs: Vec<Needs>,
    /// The fields of the word that each may take, as bits.
    fields: Vec<u128>,
    pub slots: Vec<Option<Group>>,
    pub edges: Vec<Edge>,
    /// Of each item, those in which it has part.
    pub ways: Vec<Vec<Way>>,
    pub gaps: Vec<Vec<Gap>>,
    pub rigid: Vec<Rigid>,
    /// The number of each item's group.
    pub group_of: Vec<usize>,
}

impl<'a> Plan<'a> {
    /// A plan. Without edges it is for items one after the other.
    pub fn new(
        body: &'a Body,
        uses: &'a [Uses],
        guards: &'a Guards,
        edges: &[Edge],
        style: Style,
    ) -> Result<Self, PlanError> {
        let chains = style.chains;
        let count = body.items.len();
        let mut groups = Groups::new(body, uses, edges);
        let mut forwarded = vec![false; body.values.len()];
        for (value, of_value) in uses.iter().enumerate() {
            if body.values[value].home == Home::Forward {
                forwarded[value] = true;
                for &reader in &of_value.readers {
                    groups.join(of_value.writers[0], reader, 1);
                }
            }
        }
        if chains != Chains::None {
            for (value, of_value) in uses.iter().enumerate() {
                let single = body.values[value].home == Home::Any && of_value.readers.len() == 1;
                if single && of_value.forwards && can_chain(body, uses, value, chains) {
                    forwarded[value] = {
                        let (writer, reader) = (of_value.writers[0], of_value.readers[0]);
                        groups.try_join(writer, reader, chains.most_steps())
                    };
                }
            }
        }
        let chosen = banks::choose(body, uses, &forwarded, style);
        let probe = probe(body, &chosen);
        let needs = needs::needs(body, &probe)?;
        untangle(body, uses, chains, &needs, &mut groups)?;
        let effects = effects(body, &probe)?;
        let mut plan = Plan {
            body,
            uses,
            guards,
            lies: chosen.values,
            constants: chosen.constants,
            slots: body.items.iter().map(|item| item.group()).collect(),
            edges: edges.to_vec(),
            ways: vec![Vec::new(); count],
            gaps: gaps(&effects),
            rigid: Vec::new(),
            group_of: Vec::new(),
            fields: needs.iter().map(Needs::fields).collect(),
            needs,
        };
        plan.add_values(&effects);
        (plan.rigid, plan.group_of) = groups.finish();
        Ok(plan)
    }

    /// Whether two items may be unable to issue at once, wherever their values lie.
    pub fn may_clash(&self, one: usize, other: usize) -> bool {
        self.slots[one] == self.slots[other] || self.fields[one] & self.fields[other] != 0
    }

    /// Whether another plan for the same body asks for the same.
    pub fn is_like(&self, other: &Plan) -> bool {
        let groups = |plan: &Plan| -> Vec<Vec<(usize, i64)>> {
            plan.rigid
                .iter()
                .map(|group| group.members.clone())
                .collect()
        };
        self.lies == other.lies
            && self.constants == other.constants
            && groups(self) == groups(other)
    }

    /// The order of those who write and read values.
    fn add_values(&mut self, effects: &[Effects]) {
        for (number, of_value) in self.uses.iter().enumerate() {
            let value = Value(number as u32);
            for pair in of_value.writers.windows(2) {
                self.edge(pair[0], pair[1], 1);
            }
            for &reader in &of_value.readers {
                let before = of_value.writers.iter().filter(|&&writer| writer < reader);
                for &writer in before {
                    let way = Way {
                        writer,
                        reader,
                        forward: of_value.forwards && self.may_forward(value, reader),
                        register: self.register_latency(value, &effects[writer], &effects[reader]),
                    };
                    let steps = if way.forward { 1 } else { way.register };
                    self.edge(writer, reader, steps as u32);
                    self.ways[writer].push(way);
                    self.ways[reader].push(way);
                }
                let after = of_value.writers.iter().find(|&&writer| writer > reader);
                if let Some(&writer) = after {
                    self.edge(reader, writer, 0);
                }
            }
        }
    }

    fn edge(&mut self, from: usize, to: usize, steps: u32) {
        self.edges.push(Edge {
            from,
            to,
            distance: 0,
            steps,
        });
    }

    /// Whether all operands of a reader that are a value may be forwarding registers.
    fn may_forward(&self, value: Value, reader: usize) -> bool {
        let reads = &self.needs[reader].reads;
        let mut of_value = reads.iter().filter(|read| read.value == value).peekable();
        of_value.peek().is_some() && of_value.all(|read| read.forward.is_some())
    }

    fn register_latency(&self, value: Value, writer: &Effects, reader: &Effects) -> i64 {
        match self.lies[value.0 as usize] {
            Lies::Forwarded => 1,
            _ => i64::from(reader.min_distance(writer).max(1)),
        }
    }
}

/// Where an item reads too much from one port, lets it follow those whose values it reads.
fn untangle(
    body: &Body,
    uses: &[Uses],
    chains: Chains,
    needs: &[Needs],
    groups: &mut Groups,
) -> Result<(), PlanError> {
    for (item, needs) in needs.iter().enumerate() {
        let mut tied: Vec<Value> = Vec::new();
        for read in &needs.reads {
            let of_value = &uses[read.value.0 as usize];
            if groups.distance(of_value.writers[0], item) == Some(1) {
                tied.push(read.value);
            }
        }
        while let Some(field) = needs.clash(|value| tied.contains(&value)) {
            // Those written last can follow with the least ado.
            let mut reads: Vec<_> = needs.reads.iter().collect();
            reads.sort_by_key(|read| Reverse(uses[read.value.0 as usize].writers[0]));
            let next = reads.into_iter().find(|read| {
                let of_value = &uses[read.value.0 as usize];
                let writer = of_value.writers[0];
                let may = read.forward.is_some() && of_value.forwards;
                may && !tied.contains(&read.value)
                    && (chains != Chains::Adjacent || body.follows(writer, item))
                    && groups.try_join(writer, item, i64::MAX)
            });
            let Some(read) = next else {
                return Err(PlanError::Clash { item, field });
            };
            tied.push(read.value);
        }
    }
    Ok(())
}

/// Whether it is worth to tie a value's reader to its writer: the writer does nothing else that
/// must be kept.
fn can_chain(body: &Body, uses: &[Uses], value: usize, chains: Chains) -> bool {
    let (writer, reader) = (uses[value].writers[0], uses[value].readers[0]);
    let as_mask = body.items[reader].outputs.iter().any(|output| {
        output.mask == Some(tessera_mncore_ir::item::Masking::Flags(Value(value as u32)))
    });
    let follows = chains != Chains::Adjacent || body.follows(writer, reader);
    !as_mask && follows && body.items[writer].when == body.items[reader].when
}

/// A schedule in which every value that is not only forwarded has a register of its own.
fn probe(body: &Body, chosen: &banks::Banks) -> Schedule {
    let mut next = [0u16; 4];
    let mut take = |bank: Bank, words: u16| {
        let first = next[bank as usize];
        // Round and round: what matters is that neighbours differ.
        next[bank as usize] = (first + words) % (bank.words() - 16);
        first
    };
    let places = chosen
        .values
        .iter()
        .zip(&body.values)
        .map(|(lies, kind)| match *lies {
            Lies::Forwarded => None,
            Lies::In(bank) => Some(Register::Words {
                bank,
                first: take(bank, kind.width.words() * 4).next_multiple_of(4),
                slots: 1,
            }),
            Lies::T => Some(Register::T),
            Lies::Flags => Some(Register::Flags { first: 1, slots: 1 }),
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

/// What each item does to memories.
fn effects(body: &Body, probe: &Schedule) -> Result<Vec<Effects>, EmitError> {
    let emitter = Emitter::reading(body, probe, Reads::Registers);
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

/// The distances that ports ask for.
fn gaps(effects: &[Effects]) -> Vec<Vec<Gap>> {
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

/// Groups of items at fixed distances, while they are found.
struct Groups<'a> {
    body: &'a Body,
    /// Of each item, its group and its step in it.
    of: Vec<(usize, i64)>,
    /// Who is later than whom in an iteration, and by how many steps at least.
    orders: Vec<(usize, usize, i64)>,
}

impl<'a> Groups<'a> {
    fn new(body: &'a Body, uses: &[Uses], edges: &[Edge]) -> Self {
        let edges = edges.iter().filter(|edge| edge.distance == 0);
        let mut orders: Vec<_> = edges.map(|e| (e.from, e.to, i64::from(e.steps))).collect();
        for of_value in uses {
            for &reader in &of_value.readers {
                let before = of_value.writers.iter().filter(|&&writer| writer < reader);
                orders.extend(before.map(|&writer| (writer, reader, 1)));
            }
        }
        orders.sort_unstable();
        Groups {
            of: (0..body.items.len()).map(|item| (item, 0)).collect(),
            orders,
            body,
        }
    }

    /// Ties two items, whatever that does.
    fn join(&mut self, first: usize, second: usize, steps: i64) {
        let ((a, at_a), (b, at_b)) = (self.of[first], self.of[second]);
        let shift = at_a + steps - at_b;
        for (group, at) in &mut self.of {
            if *group == b && a != b {
                (*group, *at) = (a, *at + shift);
            }
        }
    }

    /// Ties an item to the step after another one, if there can be a schedule then and the group
    /// has no more than so many steps; tells whether it issues there now.
    fn try_join(&mut self, first: usize, second: usize, most_steps: i64) -> bool {
        if let Some(distance) = self.distance(first, second) {
            return distance == 1;
        }
        let before = self.of.clone();
        self.join(first, second, 1);
        let group = self.of[first].0;
        let fits = self.steps(group) <= most_steps && self.has_slots(group);
        let joined = fits && self.has_order();
        if !joined {
            self.of = before;
        }
        joined
    }

    /// From a group's first step to its last, and one.
    fn steps(&self, group: usize) -> i64 {
        let members = || self.of.iter().filter(|of| of.0 == group).map(|of| of.1);
        let (first, last) = (members().min(), members().max());
        last.zip(first).map_or(0, |(last, first)| last - first + 1)
    }

    /// Whether no two items of a group take the same slot of a step.
    fn has_slots(&self, group: usize) -> bool {
        let members = self.of.iter().enumerate().filter(|(_, of)| of.0 == group);
        let mut taken: Vec<_> = members
            .map(|(item, of)| (of.1, self.body.items[item].group()))
            .collect();
        taken.sort_unstable();
        taken.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Whether the groups can stand in an order.
    fn has_order(&self) -> bool {
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

    /// How many steps a tied item is behind another.
    fn distance(&self, first: usize, second: usize) -> Option<i64> {
        let ((a, at_a), (b, at_b)) = (self.of[first], self.of[second]);
        (a == b).then_some(at_b - at_a)
    }

    fn finish(self) -> (Vec<Rigid>, Vec<usize>) {
        let mut groups: Vec<Rigid> = vec![Rigid::default(); self.of.len()];
        for (item, &(group, at)) in self.of.iter().enumerate() {
            groups[group].members.push((item, at));
        }
        groups.retain(|group| !group.members.is_empty());
        let mut group_of = vec![0; self.of.len()];
        for (number, group) in groups.iter_mut().enumerate() {
            let first = group.members.iter().map(|&(_, at)| at).min().unwrap_or(0);
            for (item, at) in &mut group.members {
                *at -= first;
                group_of[*item] = number;
            }
        }
        (groups, group_of)
    }
}
