//! Which memory each value and constant lies in: decided before any step is, since it decides what
//! fits together.
//!
//! A register file gives one word and takes one word a cycle. So what an item reads from registers
//! at once lies in different files; beyond that, reads and writes are spread evenly. Found by
//! improving one choice at a time until none gets better; where an item still reads two things from
//! one port, two at a time.
//!
//! Constants may lie in LM1, too, if the body does not write it: it has a port of its own, which is
//! free then.

use tessera_isa_mncore::memory::{Bank, Width};

use crate::plan::{Lies, Style};
use crate::values::Uses;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Item, Source, Target};

/// Where something may lie that is not forwarded only.
#[derive(Clone, Debug)]
struct Node {
    choices: Vec<Lies>,
    now: Lies,
}

/// The choice for values and for constants.
#[derive(Clone, Debug)]
pub(crate) struct Banks {
    /// Of each value; those that are forwarded only have none.
    pub values: Vec<Lies>,
    /// The words, and where they lie.
    pub constants: Vec<(u32, Bank)>,
}

/// An item reads two things from one port.
const CLASH: u64 = 1 << 32;
/// The T register, of which there is one, is the last choice.
const T_REGISTER: u64 = 1 << 12;

/// Chooses. `forwarded` are the values that are only ever forwarded; `style` says where others may
/// lie.
pub(crate) fn choose(body: &Body, uses: &[Uses], forwarded: &[bool], style: Style) -> Banks {
    let mut search = Search::new(body, uses, forwarded, style);
    search.improve();
    let (values, constants) = search.nodes.split_at(body.values.len());
    let constants = search
        .words
        .iter()
        .zip(constants)
        .map(|(&word, node)| match node.now {
            Lies::In(bank) => (word, bank),
            _ => (word, Bank::Grf1),
        });
    Banks {
        values: values.iter().map(|node| node.now).collect(),
        constants: constants.collect(),
    }
}

/// Nodes that are read or written, and how often each of [`PORTS`] is by itself.
type Accesses = (Vec<usize>, [u64; PORTS.len()]);

struct Search<'a> {
    body: &'a Body,
    nodes: Vec<Node>,
    words: Vec<u32>,
    /// Of each item, the nodes it reads and writes, and how often it reads and writes each memory
    /// itself.
    reads: Vec<Accesses>,
    writes: Vec<Accesses>,
    /// Of each item, the nodes it reads that it can have from a forwarding register, as it stands
    /// behind their writers.
    behind: Vec<Vec<usize>>,
    /// The items of each node.
    items: Vec<Vec<usize>>,
}

impl<'a> Search<'a> {
    fn new(body: &'a Body, uses: &[Uses], forwarded: &[bool], style: Style) -> Self {
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
                _ if forwarded[number] || uses[number].readers.is_empty() => vec![Lies::Forwarded],
                Home::Forward => vec![Lies::Forwarded],
                Home::Flags => vec![Lies::Flags],
                Home::Bank(bank) => vec![Lies::In(bank)],
                Home::Any => any(kind.width, style),
            };
            Node {
                now: choices[0],
                choices,
            }
        };
        let mut nodes: Vec<Node> = body.values.iter().enumerate().map(value).collect();
        let mut choices: Vec<Lies> = files(style).rev().collect();
        if !writes(body, Bank::Lm1) {
            choices.push(Lies::In(Bank::Lm1));
        }
        let constant = Node {
            now: choices[0],
            choices,
        };
        nodes.resize(nodes.len() + words.len(), constant);
        let mut search = Search {
            body,
            items: vec![Vec::new(); nodes.len()],
            nodes,
            words,
            reads: Vec::new(),
            writes: Vec::new(),
            behind: Vec::new(),
        };
        for (number, item) in body.items.iter().enumerate() {
            search.add(number, item);
            let behind = item.reads().map(|value| value.0 as usize).filter(|&value| {
                let of_value = &uses[value];
                of_value.forwards && of_value.writers[0] + 1 == number
            });
            search.behind.push(behind.collect());
        }
        search
    }

    fn add(&mut self, number: usize, item: &Item) {
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
                Source::Memory(place) => count(place.bank, &mut reads.1),
                Source::Fixed(_) => {}
            }
        }
        for output in &item.outputs {
            match &output.target {
                Target::Value(value) => writes.0.push(value.0 as usize),
                Target::Memory(place) => count(place.bank, &mut writes.1),
            }
        }
        for nodes in [&mut reads.0, &mut writes.0] {
            nodes.sort_unstable();
            nodes.dedup();
            for &node in nodes.iter() {
                if self.items[node].last() != Some(&number) {
                    self.items[node].push(number);
                }
            }
        }
        self.reads.push(reads);
        self.writes.push(writes);
    }

    /// Changes one choice at a time, and two where items clash, while that helps.
    fn improve(&mut self) {
        for _ in 0..8 {
            let mut changed = false;
            for node in 0..self.nodes.len() {
                changed |= self.improve_one(node);
            }
            if !changed && !self.improve_two() {
                break;
            }
        }
    }

    /// Changes a node of an item that clashes together with one of another item that reads it:
    /// alone, either would only clash elsewhere.
    fn improve_two(&mut self) -> bool {
        for item in 0..self.reads.len() {
            if self.clashes(item) == 0 {
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

    /// Takes the first two choices with fewer clashes.
    fn improve_pair(&mut self, pair: [usize; 2]) -> bool {
        let mut items = pair.map(|node| self.items[node].clone()).concat();
        items.sort_unstable();
        items.dedup();
        let clashes = |search: &Self| -> u64 { items.iter().map(|&i| search.clashes(i)).sum() };
        let before = pair.map(|node| self.nodes[node].now);
        let most = clashes(self);
        let [ones, others] = pair.map(|node| self.nodes[node].choices.clone());
        for one in ones {
            for &other in &others {
                self.nodes[pair[0]].now = one;
                self.nodes[pair[1]].now = other;
                if clashes(self) < most {
                    return true;
                }
            }
        }
        for (node, now) in pair.into_iter().zip(before) {
            self.nodes[node].now = now;
        }
        false
    }

    fn improve_one(&mut self, node: usize) -> bool {
        let before = self.nodes[node].now;
        let mut best = (self.cost(node), before);
        for choice in self.nodes[node].choices.clone() {
            self.nodes[node].now = choice;
            let cost = self.cost(node);
            if cost < best.0 {
                best = (cost, choice);
            }
        }
        self.nodes[node].now = best.1;
        best.1 != before
    }

    /// What the choices cost, as far as they depend on a node's.
    fn cost(&self, node: usize) -> u64 {
        let clashes: u64 = self.items[node]
            .iter()
            .map(|&item| self.clashes(item))
            .sum();
        let mut load = [[0u64; PORTS.len()]; 2];
        for (reads, writes) in self.reads.iter().zip(&self.writes) {
            for (load, accesses) in load.iter_mut().zip([reads, writes]) {
                for (bank, load) in load.iter_mut().enumerate() {
                    *load += accesses.1[bank] + self.of_bank(&accesses.0, bank);
                }
            }
        }
        let balance: u64 = load.iter().flatten().map(|count| count * count).sum();
        let in_t = self.nodes.iter().filter(|node| node.now == Lies::T).count() as u64;
        clashes * CLASH + balance + in_t * in_t * T_REGISTER
    }

    /// How many reads and writes too many of a port an item has. A read that can be spared by a
    /// forwarding register is not too many.
    fn clashes(&self, item: usize) -> u64 {
        let too_many = |(nodes, own): &Accesses, spared: &[usize]| -> u64 {
            let of_bank = |bank: usize| {
                let all = own[bank].min(1) + self.of_bank(nodes, bank);
                all.saturating_sub(1 + self.of_bank(spared, bank))
            };
            (0..PORTS.len()).map(of_bank).sum()
        };
        too_many(&self.reads[item], &self.behind[item]) + too_many(&self.writes[item], &[])
    }

    fn of_bank(&self, nodes: &[usize], bank: usize) -> u64 {
        let lies = Lies::In(PORTS[bank]);
        nodes
            .iter()
            .filter(|&&node| self.nodes[node].now == lies)
            .count() as u64
    }
}

/// The register files.
const FILES: [Bank; 2] = [Bank::Grf0, Bank::Grf1];
/// Memories that something may be given a place in.
const PORTS: [Bank; 3] = [Bank::Grf0, Bank::Grf1, Bank::Lm1];

/// Whether an item writes a memory.
fn writes(body: &Body, bank: Bank) -> bool {
    let mut outputs = body.items.iter().flat_map(|item| &item.outputs);
    outputs.any(|output| match &output.target {
        Target::Memory(place) => place.bank == bank,
        Target::Value(value) => body.kind(*value).home == Home::Bank(bank),
    })
}

/// The register files that have room.
fn files(style: Style) -> impl DoubleEndedIterator<Item = Lies> {
    let files = FILES.into_iter().zip(style.files);
    files.filter_map(|(file, room)| room.then_some(Lies::In(file)))
}

/// Where a value may lie that may lie anywhere.
fn any(width: Width, style: Style) -> Vec<Lies> {
    let mut choices: Vec<Lies> = files(style).collect();
    if style.t && width != Width::Single {
        choices.push(Lies::T);
    }
    choices
}

fn count(bank: Bank, of: &mut [u64; PORTS.len()]) {
    if let Some(file) = PORTS.iter().position(|&port| port == bank) {
        of[file] += 1;
    }
}
