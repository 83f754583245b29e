//! Chooses one candidate for each call of a program, such that the steps of all kernels and
//! relayouts are fewest.

use std::collections::HashMap;
use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;

use super::edges::Edge;
use super::pbqp::Problem;
use super::relayout::{ChipRelayoutPlan, RelayoutTable};
use super::{CallError, ChipRelayout, HostRelayout, InPlaceHandOff, RelayoutReason, SharedPlans};
use crate::compile::error::CompileError;
use crate::compile::kernel::{Kernel, MovedExtent};
use crate::compile::strategy::Strategy;

/// A tensor as a candidate has it in DRAM.
#[derive(Clone, Copy, Debug)]
struct TensorLayoutUse {
    /// Its index among the kernel's tensors.
    at: usize,
    argument: usize,
    /// The number of its layout.
    layout: usize,
    /// The extent that the kernel moves; `None` for tiles.
    vectors: Option<MovedExtent>,
}

/// A candidate of a call.
struct CallCandidate {
    number: usize,
    steps: u64,
    /// Tensors that other calls produce.
    reads: Vec<TensorLayoutUse>,
    result: TensorLayoutUse,
    kernel: Rc<Kernel>,
}

/// How a tensor gets from its producer to a consumer.
enum HandOff {
    InPlace,
    ByChip(Rc<ChipRelayoutPlan>),
    ByHost(RelayoutReason),
}

/// A call with its candidates and its incoming edges.
struct Node {
    candidates: Vec<CallCandidate>,
    edges: Vec<Edge>,
}

/// The chosen candidates and hand-offs.
pub(super) struct Chosen {
    pub candidates: Vec<usize>,
    /// Their kernels, built in isolation.
    pub kernels: Vec<Rc<Kernel>>,
    /// Relayouts by the host, and relayouts by the chip.
    pub host_relayouts: Vec<HostRelayout>,
    pub moved: Vec<ChipRelayout>,
    /// Tensors that are handed over in place.
    pub kept: Vec<InPlaceHandOff>,
}

/// The distinct layouts of tensors, numbered in order of first use.
#[derive(Default)]
struct Layouts {
    numbers: HashMap<Layout, usize>,
    /// The layout numbers of kernels, keyed by address. The kernel is kept alive meanwhile.
    kernels: HashMap<*const Kernel, (Rc<Kernel>, Rc<[usize]>)>,
}

impl Layouts {
    /// Returns the layout number of each tensor of a kernel, regardless of base addresses.
    fn number_layouts(&mut self, kernel: &Rc<Kernel>) -> Rc<[usize]> {
        if let Some((_, numbers)) = self.kernels.get(&Rc::as_ptr(kernel)) {
            return Rc::clone(numbers);
        }
        let tensors = kernel.tensors.iter();
        let numbers = tensors.map(|tensor| {
            let next = self.numbers.len();
            let layout = super::without_base(&tensor.layout);
            *self.numbers.entry(layout).or_insert(next)
        });
        let numbers: Rc<[usize]> = numbers.collect();
        let known = (Rc::clone(kernel), Rc::clone(&numbers));
        self.kernels.insert(Rc::as_ptr(kernel), known);
        numbers
    }

    /// Returns all layouts in order of their numbers.
    fn into_layouts(self) -> Vec<Layout> {
        let mut numbered: Vec<(Layout, usize)> = self.numbers.into_iter().collect();
        numbered.sort_by_key(|(_, number)| *number);
        numbered.into_iter().map(|(layout, _)| layout).collect()
    }
}

/// Chooses the candidates, given the incoming edges of each call.
///
/// # Errors
/// The first call without a candidate.
pub(super) fn choose_candidates(
    edges: Vec<Vec<Edge>>,
    all: &[Rc<SharedPlans>],
) -> Result<Chosen, CallError> {
    let mut stakes = vec![0; all.len()];
    for (call, edges) in edges.iter().enumerate() {
        for edge in edges {
            stakes[call] += edge.host_cost;
            stakes[edge.from] += edge.host_cost;
        }
    }
    let mut layouts = Layouts::default();
    let mut nodes = Vec::new();
    for (call, edges) in edges.into_iter().enumerate() {
        let candidates = worthwhile_candidates(&all[call], stakes[call], &edges, &mut layouts);
        let candidates = candidates.map_err(|error| CallError { call, error })?;
        nodes.push(Node { candidates, edges });
    }
    let relays = RelayoutTable::new(layouts.into_layouts());
    let chosen = minimize_costs(&nodes, &relays);
    Ok(collect_hand_offs(nodes, &chosen, &relays))
}

/// Returns the candidates with the least sum of steps and relayouts.
fn minimize_costs(nodes: &[Node], relays: &RelayoutTable) -> Vec<usize> {
    let steps = |node: &Node| node.candidates.iter().map(|one| one.steps).collect();
    let mut problem = Problem::new(nodes.iter().map(steps).collect());
    for (reader, node) in nodes.iter().enumerate() {
        for edge in &node.edges {
            let makers = &nodes[edge.from].candidates;
            problem.add_edge([edge.from, reader], |made, read| {
                edge.relayout_cost(&makers[made].result, &node.candidates[read], relays)
            });
        }
    }
    problem.solve()
}

/// Collects the chosen kernels and classifies their hand-offs.
fn collect_hand_offs(nodes: Vec<Node>, chosen: &[usize], relays: &RelayoutTable) -> Chosen {
    let (mut host_relayouts, mut moved, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (call, node) in nodes.iter().enumerate() {
        for edge in &node.edges {
            let made = &nodes[edge.from].candidates[chosen[edge.from]].result;
            for read in edge.reads(&node.candidates[chosen[call]]) {
                let (tensor, from) = (read.at, edge.from);
                match edge.hand_off(made, read, relays) {
                    HandOff::InPlace => kept.push(InPlaceHandOff { call, tensor, from }),
                    HandOff::ByChip(relay) => moved.push(ChipRelayout {
                        call,
                        tensor,
                        from,
                        relay,
                    }),
                    HandOff::ByHost(why) => host_relayouts.push(HostRelayout {
                        call,
                        tensor,
                        from,
                        reason: why,
                    }),
                }
            }
        }
    }
    let (candidates, kernels) = nodes
        .into_iter()
        .zip(chosen)
        .map(|(mut node, &candidate)| {
            let candidate = node.candidates.swap_remove(candidate);
            (candidate.number, candidate.kernel)
        })
        .unzip();
    Chosen {
        candidates,
        kernels,
        host_relayouts,
        moved,
        kept,
    }
}

impl Edge {
    /// Returns how a candidate reads the tensor.
    fn reads<'w>(
        &'w self,
        candidate: &'w CallCandidate,
    ) -> impl Iterator<Item = &'w TensorLayoutUse> {
        candidate
            .reads
            .iter()
            .filter(|read| read.argument == self.argument)
    }

    /// Returns the cost of relayouts for a candidate, one for each read in a different layout.
    fn relayout_cost(
        &self,
        made: &TensorLayoutUse,
        candidate: &CallCandidate,
        relays: &RelayoutTable,
    ) -> u64 {
        let anew = self.reads(candidate);
        let anew = anew.map(|read| match self.hand_off(made, read, relays) {
            HandOff::InPlace => 0,
            HandOff::ByChip(relay) => relay.steps,
            HandOff::ByHost(_) => self.host_cost,
        });
        anew.sum()
    }

    /// Returns how the tensor gets from its producer to a read.
    fn hand_off(
        &self,
        made: &TensorLayoutUse,
        read: &TensorLayoutUse,
        relays: &RelayoutTable,
    ) -> HandOff {
        match self.find_obstacle(made, read) {
            None => HandOff::InPlace,
            Some(RelayoutReason::Layout) => {
                let relay = relays.between([made.layout, read.layout]);
                let relay = relay.filter(|relay| relay.steps < self.host_cost);
                relay.map_or(HandOff::ByHost(RelayoutReason::Layout), HandOff::ByChip)
            }
            Some(why) => HandOff::ByHost(why),
        }
    }

    /// Returns the obstacle to a hand-off in place, if there is one.
    fn find_obstacle(
        &self,
        made: &TensorLayoutUse,
        read: &TensorLayoutUse,
    ) -> Option<RelayoutReason> {
        if self.obstacle.is_some() {
            return self.obstacle;
        }
        match (made.vectors, read.vectors) {
            _ if made.layout != read.layout => Some(RelayoutReason::Layout),
            (Some(written), Some(read)) if read.is_within(written) => None,
            _ => Some(RelayoutReason::UnwrittenPadding),
        }
    }
}

/// Builds the candidates that can be worthwhile: those that exceed the cheapest by no more than the
/// cost of all relayouts at stake. Without relayouts that is only the first of the cheapest.
fn worthwhile_candidates(
    all: &SharedPlans,
    stake: u64,
    edges: &[Edge],
    layouts: &mut Layouts,
) -> Result<Vec<CallCandidate>, CompileError> {
    let costs: Vec<u64> = all.plans.iter().map(Strategy::cost).collect();
    let least = costs.iter().copied().min().unwrap_or(0);
    let mut found = Vec::new();
    let mut refused = None;
    for (number, steps) in costs.into_iter().enumerate() {
        if steps > least + stake || stake == 0 && !found.is_empty() {
            continue;
        }
        let kernel = match all.emit(number, &[]) {
            Ok(kernel) => kernel,
            Err(error) => {
                refused = refused.or(Some(error));
                continue;
            }
        };
        let numbers = layouts.number_layouts(&kernel);
        let laid = |at: usize| TensorLayoutUse {
            at,
            argument: kernel.tensors[at].argument,
            layout: numbers[at],
            vectors: kernel.vectors[at],
        };
        let is_made =
            |read: &TensorLayoutUse| edges.iter().any(|edge| edge.argument == read.argument);
        let reads: Vec<TensorLayoutUse> = (0..kernel.inputs).map(laid).filter(is_made).collect();
        let result = laid(kernel.inputs);
        found.push(CallCandidate {
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
