//! The ways of the kernels of a program, and which is chosen.

use std::collections::HashMap;
use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;

use super::edges::Edge;
use super::relay::{Relay, Relays};
use super::{CallError, Kept, Moved, Relaid, SharedWays, Why};
use crate::compile::{CompileError, Kernel, Reach};

/// A tensor as a kernel has it in DRAM.
#[derive(Clone, Copy, Debug)]
struct Laid {
    /// Which of the kernel's tensors.
    at: usize,
    argument: usize,
    /// The number of its layout.
    layout: usize,
    /// How many vectors the kernel goes through; none of what lies there as tiles.
    vectors: Option<Reach>,
}

/// A way of a call.
struct Way {
    number: usize,
    steps: u64,
    /// Tensors that other calls make.
    reads: Vec<Laid>,
    result: Laid,
    kernel: Rc<Kernel>,
}

/// How a tensor comes from its maker to a reader.
enum Handing {
    AsItIs,
    ByChip(Rc<Relay>),
    ByHost(Why),
}

/// A call, with what it reads of others.
struct Node {
    ways: Vec<Way>,
    edges: Vec<Edge>,
}

/// The ways that are chosen.
pub(super) struct Chosen {
    pub ways: Vec<usize>,
    /// Their kernels, each as if it were alone.
    pub kernels: Vec<Rc<Kernel>>,
    /// What the host lays out anew, and what the chip does.
    pub relaid: Vec<Relaid>,
    pub moved: Vec<Moved>,
    /// What stays as it was made.
    pub kept: Vec<Kept>,
}

/// The layouts of tensors, numbered in the order in which they come first.
#[derive(Default)]
struct Layouts {
    numbers: HashMap<Layout, usize>,
    /// Those of the tensors of kernels, by the address of the kernel, which stays alive meanwhile.
    kernels: HashMap<*const Kernel, (Rc<Kernel>, Rc<[usize]>)>,
}

impl Layouts {
    /// The number of the layout of each tensor of a kernel, wherever that lies.
    fn of_kernel(&mut self, kernel: &Rc<Kernel>) -> Rc<[usize]> {
        if let Some((_, numbers)) = self.kernels.get(&Rc::as_ptr(kernel)) {
            return Rc::clone(numbers);
        }
        let tensors = kernel.tensors.iter();
        let numbers = tensors.map(|tensor| {
            let next = self.numbers.len();
            let layout = super::without_place(&tensor.layout);
            *self.numbers.entry(layout).or_insert(next)
        });
        let numbers: Rc<[usize]> = numbers.collect();
        let known = (Rc::clone(kernel), Rc::clone(&numbers));
        self.kernels.insert(Rc::as_ptr(kernel), known);
        numbers
    }

    /// All of them, by number.
    fn in_order(self) -> Vec<Layout> {
        let mut numbered: Vec<(Layout, usize)> = self.numbers.into_iter().collect();
        numbered.sort_by_key(|(_, number)| *number);
        numbered.into_iter().map(|(layout, _)| layout).collect()
    }
}

/// Chooses, given for each call what it reads of others.
///
/// # Errors
/// The first call without a way.
pub(super) fn choose(edges: Vec<Vec<Edge>>, all: &[Rc<SharedWays>]) -> Result<Chosen, CallError> {
    let mut stakes = vec![0; all.len()];
    for (call, edges) in edges.iter().enumerate() {
        for edge in edges {
            stakes[call] += edge.price;
            stakes[edge.from] += edge.price;
        }
    }
    let mut layouts = Layouts::default();
    let mut nodes = Vec::new();
    for (call, edges) in edges.into_iter().enumerate() {
        let ways = ways(&all[call], stakes[call], &edges, &mut layouts);
        let ways = ways.map_err(|error| CallError { call, error })?;
        nodes.push(Node { ways, edges });
    }
    let relays = Relays::new(layouts.in_order());
    let totals = totals(&nodes, &relays);
    let mut chosen: Vec<usize> = Vec::new();
    for (node, totals) in nodes.iter().zip(&totals) {
        let total = |way: usize| {
            let read = &node.ways[way];
            let anew = node.edges.iter().map(|edge| {
                let made = &nodes[edge.from].ways[chosen[edge.from]];
                edge.anew(&made.result, read, &relays)
            });
            totals[way] + anew.sum::<u64>()
        };
        let cheapest = (0..node.ways.len()).min_by_key(|&way| total(way));
        chosen.push(cheapest.expect("a call has a way"));
    }
    Ok(chosen_of(nodes, &chosen, &relays))
}

fn chosen_of(nodes: Vec<Node>, chosen: &[usize], relays: &Relays) -> Chosen {
    let (mut relaid, mut moved, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (call, node) in nodes.iter().enumerate() {
        for edge in &node.edges {
            let made = &nodes[edge.from].ways[chosen[edge.from]].result;
            for read in edge.reads(&node.ways[chosen[call]]) {
                let (tensor, from) = (read.at, edge.from);
                match edge.handing(made, read, relays) {
                    Handing::AsItIs => kept.push(Kept { call, tensor, from }),
                    Handing::ByChip(relay) => moved.push(Moved {
                        call,
                        tensor,
                        from,
                        relay,
                    }),
                    Handing::ByHost(why) => relaid.push(Relaid {
                        call,
                        tensor,
                        from,
                        why,
                    }),
                }
            }
        }
    }
    let (ways, kernels) = nodes
        .into_iter()
        .zip(chosen)
        .map(|(mut node, &way)| {
            let way = node.ways.swap_remove(way);
            (way.number, way.kernel)
        })
        .unzip();
    Chosen {
        ways,
        kernels,
        relaid,
        moved,
        kept,
    }
}

/// What each way of each call takes with what it makes others take.
fn totals(nodes: &[Node], relays: &Relays) -> Vec<Vec<u64>> {
    let mut totals: Vec<Vec<u64>> = nodes
        .iter()
        .map(|node| node.ways.iter().map(|way| way.steps).collect())
        .collect();
    // From the last call on: what a reader's ways take is complete when those that make what it
    // reads are weighed.
    for reader in (0..nodes.len()).rev() {
        let own = &nodes[reader];
        let least = totals[reader].iter().copied().min().unwrap_or(0);
        for edge in &own.edges {
            let more = nodes[edge.from].ways.iter().map(|made| {
                let ways = own.ways.iter().zip(&totals[reader]);
                let with = ways.map(|(way, total)| total + edge.anew(&made.result, way, relays));
                with.min().unwrap_or(0) - least
            });
            let more: Vec<u64> = more.collect();
            let makers = totals[edge.from].iter_mut().zip(more);
            makers.for_each(|(total, more)| *total += more);
        }
    }
    totals
}

impl Edge {
    /// How a way reads the tensor.
    fn reads<'w>(&'w self, way: &'w Way) -> impl Iterator<Item = &'w Laid> {
        way.reads
            .iter()
            .filter(|read| read.argument == self.argument)
    }

    /// What it takes to lay the tensor out anew for a way, as often as it reads it otherwise than
    /// it was made.
    fn anew(&self, made: &Laid, way: &Way, relays: &Relays) -> u64 {
        let anew = self.reads(way);
        let anew = anew.map(|read| match self.handing(made, read, relays) {
            Handing::AsItIs => 0,
            Handing::ByChip(relay) => relay.steps,
            Handing::ByHost(_) => self.price,
        });
        anew.sum()
    }

    /// How the tensor comes from where it is made to where it is read.
    fn handing(&self, made: &Laid, read: &Laid, relays: &Relays) -> Handing {
        match self.obstacle(made, read) {
            None => Handing::AsItIs,
            Some(Why::Layout) => {
                let relay = relays.between([made.layout, read.layout]);
                let relay = relay.filter(|relay| relay.steps < self.price);
                relay.map_or(Handing::ByHost(Why::Layout), Handing::ByChip)
            }
            Some(why) => Handing::ByHost(why),
        }
    }

    /// Why the tensor cannot stay as it was made.
    fn obstacle(&self, made: &Laid, read: &Laid) -> Option<Why> {
        if self.never.is_some() {
            return self.never;
        }
        match (made.vectors, read.vectors) {
            _ if made.layout != read.layout => Some(Why::Layout),
            (Some(written), Some(read)) if read.is_within(written) => None,
            _ => Some(Why::Unwritten),
        }
    }
}

/// The ways of a call that can be worth while: no dearer than the cheapest and all that is at
/// stake.
fn ways(
    all: &SharedWays,
    stake: u64,
    edges: &[Edge],
    layouts: &mut Layouts,
) -> Result<Vec<Way>, CompileError> {
    let costs = all.ways.costs();
    let least = costs.iter().copied().min().unwrap_or(0);
    let mut found = Vec::new();
    let mut refused = None;
    for (number, steps) in costs.into_iter().enumerate() {
        if steps > least + stake || stake == 0 && !found.is_empty() {
            continue;
        }
        let kernel = match all.build(number, &[]) {
            Ok(kernel) => kernel,
            Err(error) => {
                refused = refused.or(Some(error));
                continue;
            }
        };
        let numbers = layouts.of_kernel(&kernel);
        let laid = |at: usize| Laid {
            at,
            argument: kernel.tensors[at].argument,
            layout: numbers[at],
            vectors: kernel.vectors[at],
        };
        let is_made = |read: &Laid| edges.iter().any(|edge| edge.argument == read.argument);
        let reads: Vec<Laid> = (0..kernel.inputs).map(laid).filter(is_made).collect();
        let result = laid(kernel.inputs);
        found.push(Way {
            number,
            steps,
            reads,
            result,
            kernel,
        });
    }
    match refused {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}
