//! Bank assignment: the memory that holds each value and constant.
//!
//! It precedes scheduling, because it decides which items can issue together. A register file has
//! one read port and one write port of one word a cycle. The operands that one item reads from
//! registers must therefore lie in different files. Beyond that, reads and writes are balanced over
//! the files.
//!
//! The method is local search from a fixed start: change one assignment at a time while the cost
//! falls. If an item still reads two operands through one port, change two assignments at a time.
//!
//! Constants may also be placed in LM1 if the body does not write it, since LM1 then has an idle
//! port; otherwise, under the same condition, in LM0.

use tessera_isa_mncore::memory::{Bank, Width};

use crate::analysis::def_use::DefUse;
use crate::ir::plan_options::{PlanOptions, StorageClass};
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Item, Source, Target};

/// A value or constant with its candidate memories and its current one.
#[derive(Clone, Debug)]
struct Variable {
    choices: Vec<StorageClass>,
    current: StorageClass,
}

/// The memories of all values and constants.
#[derive(Clone, Debug)]
pub(crate) struct BankAssignment {
    /// The storage class of each value; `Forwarded` for values that no register holds.
    pub values: Vec<StorageClass>,
    /// Each constant's word and memory.
    pub constants: Vec<(u32, Bank)>,
}

/// The cost of an item that reads or writes twice through one port.
const CONFLICT_COST: u64 = 1 << 32;
/// The cost of the T register, of which there is one: a last resort.
const T_REGISTER_COST: u64 = 1 << 12;

/// Assigns memories to values and constants. `forwarded` marks the values that only forwarding
/// registers carry; `options` restricts the others.
pub(crate) fn assign_banks(
    body: &Body,
    uses: &[DefUse],
    forwarded: &[bool],
    options: PlanOptions,
) -> BankAssignment {
    let mut search = Search::new(body, uses, forwarded, options);
    search.improve();
    let (values, constants) = search.variables.split_at(body.values.len());
    let constants =
        search
            .words
            .iter()
            .zip(constants)
            .map(|(&word, variable)| match variable.current {
                StorageClass::Bank(bank) => (word, bank),
                _ => (word, Bank::Grf1),
            });
    BankAssignment {
        values: values.iter().map(|variable| variable.current).collect(),
        constants: constants.collect(),
    }
}

/// The variables that an item accesses, and how often it accesses each of [`PORTS`] by explicit
/// address.
type Accesses = (Vec<usize>, [u64; PORTS.len()]);

/// The local search.
struct Search<'a> {
    body: &'a Body,
    variables: Vec<Variable>,
    words: Vec<u32>,
    /// Of each item, the variables it reads and the memories it addresses itself.
    reads: Vec<Accesses>,
    /// Of each item, the variables it writes and the memories it addresses itself.
    writes: Vec<Accesses>,
    /// Of each item, the variables it can read from a forwarding register because it directly
    /// follows their writer.
    forwardable: Vec<Vec<usize>>,
    /// The items that access each variable.
    items: Vec<Vec<usize>>,
}

impl<'a> Search<'a> {
    fn new(body: &'a Body, uses: &[DefUse], forwarded: &[bool], options: PlanOptions) -> Self {
        let mut words: Vec<u32> = Vec::new();
        for input in body.items.iter().flat_map(|item| &item.inputs) {
            if let Source::Constant(word) = input.source {
                if !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        let value = |(number, kind): (usize, &tessera_mncore_ir::body::ValueKind)| {
            let choices = match kind.home {
                _ if forwarded[number] || uses[number].readers.is_empty() => {
                    vec![StorageClass::Forwarded]
                }
                Home::Forward => vec![StorageClass::Forwarded],
                Home::Flags => vec![StorageClass::Flags],
                Home::Bank(bank) => vec![StorageClass::Bank(bank)],
                Home::Any => candidates(kind.width, options),
            };
            Variable {
                current: choices[0],
                choices,
            }
        };
        let mut variables: Vec<Variable> = body.values.iter().enumerate().map(value).collect();
        let mut choices: Vec<StorageClass> = usable_files(options).rev().collect();
        let unwritten = [Bank::Lm1, Bank::Lm0].into_iter();
        let mut unwritten = unwritten.filter(|bank| !is_written(body, *bank));
        choices.extend(unwritten.next().map(StorageClass::Bank));
        let constant = Variable {
            current: choices[0],
            choices,
        };
        variables.resize(variables.len() + words.len(), constant);
        let mut search = Search {
            body,
            items: vec![Vec::new(); variables.len()],
            variables,
            words,
            reads: Vec::new(),
            writes: Vec::new(),
            forwardable: Vec::new(),
        };
        for (number, item) in body.items.iter().enumerate() {
            search.add_item(number, item);
            let forwardable = item.reads().map(|value| value.0 as usize).filter(|&value| {
                let of_value = &uses[value];
                of_value.can_forward && of_value.writers[0] + 1 == number
            });
            search.forwardable.push(forwardable.collect());
        }
        search
    }

    fn add_item(&mut self, number: usize, item: &Item) {
        let mut reads = Accesses::default();
        let mut writes = Accesses::default();
        for input in &item.inputs {
            match &input.source {
                Source::Value(value) => reads.0.push(value.0 as usize),
                Source::Constant(word) => {
                    let found = self.words.iter().position(|other| other == word);
                    reads
                        .0
                        .extend(found.map(|index| self.body.values.len() + index));
                }
                Source::Memory(place) => count_access(place.bank, &mut reads.1),
                Source::Fixed(_) => {}
            }
        }
        for output in &item.outputs {
            match &output.target {
                Target::Value(value) => writes.0.push(value.0 as usize),
                Target::Memory(place) => count_access(place.bank, &mut writes.1),
            }
        }
        for variables in [&mut reads.0, &mut writes.0] {
            variables.sort_unstable();
            variables.dedup();
            for &variable in variables.iter() {
                if self.items[variable].last() != Some(&number) {
                    self.items[variable].push(number);
                }
            }
        }
        self.reads.push(reads);
        self.writes.push(writes);
    }

    /// Changes one assignment at a time, and two where conflicts remain, while the cost falls; for
    /// eight rounds at most.
    fn improve(&mut self) {
        for _ in 0..8 {
            let mut changed = false;
            for variable in 0..self.variables.len() {
                changed |= self.improve_variable(variable);
            }
            if !changed && !self.improve_conflicting() {
                break;
            }
        }
    }

    /// Changes a variable of a conflicting item together with a variable of another item that
    /// shares it. Either change alone would only move the conflict.
    fn improve_conflicting(&mut self) -> bool {
        for item in 0..self.reads.len() {
            if self.conflicts(item) == 0 {
                continue;
            }
            for one in self.reads[item].0.clone() {
                let others = self.items[one].iter();
                let mut others: Vec<usize> = others
                    .flat_map(|&item| self.reads[item].0.iter().copied())
                    .filter(|&other| other != one)
                    .collect();
                others.sort_unstable();
                others.dedup();
                if others.iter().any(|&other| self.improve_pair([one, other])) {
                    return true;
                }
            }
        }
        false
    }

    /// Takes the first pair of assignments with fewer conflicts, whatever its balance; returns
    /// whether there is one.
    fn improve_pair(&mut self, pair: [usize; 2]) -> bool {
        let mut items = pair.map(|variable| self.items[variable].clone()).concat();
        items.sort_unstable();
        items.dedup();
        let conflicts = |search: &Self| -> u64 { items.iter().map(|&i| search.conflicts(i)).sum() };
        let before = pair.map(|variable| self.variables[variable].current);
        let most = conflicts(self);
        let [ones, others] = pair.map(|variable| self.variables[variable].choices.clone());
        for one in ones {
            for &other in &others {
                self.variables[pair[0]].current = one;
                self.variables[pair[1]].current = other;
                if conflicts(self) < most {
                    return true;
                }
            }
        }
        for (variable, now) in pair.into_iter().zip(before) {
            self.variables[variable].current = now;
        }
        false
    }

    /// Takes the cheapest assignment of a variable; returns whether it changed.
    fn improve_variable(&mut self, variable: usize) -> bool {
        let before = self.variables[variable].current;
        let mut best = (self.cost(variable), before);
        for choice in self.variables[variable].choices.clone() {
            self.variables[variable].current = choice;
            let cost = self.cost(variable);
            if cost < best.0 {
                best = (cost, choice);
            }
        }
        self.variables[variable].current = best.1;
        best.1 != before
    }

    /// Returns the cost as far as a variable influences it: conflicts of its items, balance of all
    /// ports, use of the T register.
    fn cost(&self, variable: usize) -> u64 {
        let conflicts: u64 = self.items[variable]
            .iter()
            .map(|&item| self.conflicts(item))
            .sum();
        let mut load = [[0u64; PORTS.len()]; 2];
        for (reads, writes) in self.reads.iter().zip(&self.writes) {
            for (load, accesses) in load.iter_mut().zip([reads, writes]) {
                for (bank, load) in load.iter_mut().enumerate() {
                    *load += accesses.1[bank] + self.count_in_bank(&accesses.0, bank);
                }
            }
        }
        let balance: u64 = load.iter().flatten().map(|count| count * count).sum();
        let in_t = self
            .variables
            .iter()
            .filter(|variable| variable.current == StorageClass::T)
            .count() as u64;
        conflicts * CONFLICT_COST + balance + in_t * in_t * T_REGISTER_COST
    }

    /// Returns how many port accesses of an item exceed one per port. A read that forwarding can
    /// replace does not count.
    fn conflicts(&self, item: usize) -> u64 {
        let too_many = |(variables, own): &Accesses, spared: &[usize]| -> u64 {
            let of_bank = |bank: usize| {
                let all = own[bank].min(1) + self.count_in_bank(variables, bank);
                all.saturating_sub(1 + self.count_in_bank(spared, bank))
            };
            (0..PORTS.len()).map(of_bank).sum()
        };
        too_many(&self.reads[item], &self.forwardable[item]) + too_many(&self.writes[item], &[])
    }

    /// Returns how many of the variables are assigned to a port's memory.
    fn count_in_bank(&self, variables: &[usize], bank: usize) -> u64 {
        let storage = StorageClass::Bank(PORTS[bank]);
        variables
            .iter()
            .filter(|&&variable| self.variables[variable].current == storage)
            .count() as u64
    }
}

/// The register files.
const FILES: [Bank; 2] = [Bank::Grf0, Bank::Grf1];
/// The memories in which values and constants may be placed.
const PORTS: [Bank; 4] = [Bank::Grf0, Bank::Grf1, Bank::Lm1, Bank::Lm0];

/// Returns whether an item of the body writes a memory.
fn is_written(body: &Body, bank: Bank) -> bool {
    let mut outputs = body.items.iter().flat_map(|item| &item.outputs);
    outputs.any(|output| match &output.target {
        Target::Memory(place) => place.bank == bank,
        Target::Value(value) => body.kind(*value).home == Home::Bank(bank),
    })
}

/// Returns the usable register files.
fn usable_files(options: PlanOptions) -> impl DoubleEndedIterator<Item = StorageClass> {
    let files = FILES.into_iter().zip(options.register_files);
    files.filter_map(|(file, room)| room.then_some(StorageClass::Bank(file)))
}

/// Returns the candidate memories of a value without a fixed home.
fn candidates(width: Width, options: PlanOptions) -> Vec<StorageClass> {
    let mut choices: Vec<StorageClass> = usable_files(options).collect();
    if options.use_t_register && width != Width::Single {
        choices.push(StorageClass::T);
    }
    choices
}

fn count_access(bank: Bank, of: &mut [u64; PORTS.len()]) {
    if let Some(file) = PORTS.iter().position(|&port| port == bank) {
        of[file] += 1;
    }
}
