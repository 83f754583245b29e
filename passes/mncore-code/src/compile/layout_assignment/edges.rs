//! Hand-off edges between calls, and the contents of padding along them.
//!
//! Padding of tensors that the host lays out holds zeros, as long as everything that a call
//! computes there is determined ([`padding`]). Otherwise the host replicates edge elements into it.
//! The producers of the call's operands are then compiled in the same way, so that their padding
//! holds elements, too. The exception are producers of factors of a product, which sums over its
//! padding. What remains undetermined is laid out by the host.

use std::collections::{BTreeSet, HashMap, HashSet};

use tessera_pto::kernel::{Axis, TensorType};

use super::RelayoutReason;
use crate::compile::padding::{fill_for, padding, Fill, Padding, Region};
use crate::raise::{ExprKind, TensorProgram};

/// The cost model of a relayout by the host: 64 bytes per step (5.3 ns), those of a 12 GB/s link
/// that the tensor crosses twice, plus a round trip of 10 µs. The real link of the board is not
/// documented.
const BYTES: u64 = 64;
const ROUND_TRIP: u64 = 1_875;

/// Extents divisible by this have no padding in the depth of a product, whatever the precision.
const DEEPEST: u32 = 32;

/// A tensor that one call produces and another consumes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub from: usize,
    /// The consumer's argument.
    pub argument: usize,
    /// The cost of a relayout by the host, in steps.
    pub host_cost: u64,
    /// The obstacle that rules out a hand-off regardless of candidates.
    pub obstacle: Option<RelayoutReason>,
}

/// The calls of a program and the contents of their tensors' padding.
pub(super) struct Program<'a> {
    /// For each call, the program's tensors that are its arguments.
    calls: Vec<&'a [usize]>,
    programs: Vec<&'a TensorProgram>,
    /// The producer of each tensor.
    makers: HashMap<usize, usize>,
    /// For each call, the consumers of its result.
    readers: Vec<Vec<usize>>,
    /// The tensors over whose padding a product sums.
    summed: HashSet<usize>,
    /// For each call, the padding that it finds.
    pub fills: Vec<Fill>,
    /// For each call, its incoming edges.
    pub edges: Vec<Vec<Edge>>,
    /// For each call, the padding of its result.
    made: Vec<[Padding; 3]>,
}

impl<'a> Program<'a> {
    /// Determines the padding of all calls by a worklist algorithm.
    ///
    /// A call is revisited when the padding of an operand changes. If it is undetermined, the host
    /// replicates edge elements for it, which happens at most once per call.
    pub fn new(calls: Vec<&'a [usize]>, programs: Vec<&'a TensorProgram>) -> Self {
        let fill = |whole: &TensorProgram| {
            let stored: Vec<_> = whole.stores.iter().map(|store| &store.value).collect();
            fill_for(&stored, &whole.locals)
        };
        let (makers, readers) = makers_and_readers(&calls, &programs);
        let count = calls.len();
        let mut program = Program {
            summed: summed(&calls, &programs),
            calls,
            fills: programs.iter().copied().map(fill).collect(),
            programs,
            makers,
            readers,
            edges: vec![Vec::new(); count],
            made: vec![[Padding::ZERO; 3]; count],
        };
        let mut waiting: BTreeSet<usize> = (0..count).collect();
        while let Some(call) = waiting.pop_first() {
            program.update_call(call, &mut waiting);
        }
        program
    }

    /// Recomputes what a call reads and leaves in padding; enqueues the calls that this affects.
    fn update_call(&mut self, call: usize, waiting: &mut BTreeSet<usize>) {
        let tensors = self.calls[call];
        let maker = |argument: usize| self.makers.get(&tensors[argument]).copied();
        let before = |argument| maker(argument).filter(|maker| *maker < call);
        let reads = (0..tensors.len()).filter_map(|at| Some((at, before(at)?)));
        let mut edges: Vec<Edge> = reads.map(|(at, from)| self.edge(call, at, from)).collect();
        if !self.is_determined(call, &edges) {
            if !self.fills[call].edges {
                self.replicate_edges(call, waiting);
                return;
            }
            self.leave_to_host(call, &mut edges);
        }
        let whole = self.programs[call];
        let value = &whole.stores[0].value;
        let made = Region::IN_DRAM.map(|region| {
            padding(value, &whole.locals, region, &|at, of| {
                self.padding_of(call, &edges, at, of)
            })
            .padding
        });
        self.edges[call] = edges;
        if self.made[call] != made {
            self.made[call] = made;
            waiting.extend(&self.readers[call]);
        }
    }

    /// Returns the edge of an argument, with obstacles that do not depend on candidates.
    fn edge(&self, call: usize, argument: usize, from: usize) -> Edge {
        let whole = self.programs[call];
        let kind = whole.tensors[argument];
        let made = self.programs[from];
        let moves = [whole, made].iter().any(|one| one.rearrangement.is_some());
        let is_same = !moves && made.tensors[made.stores[0].tensor] == kind;
        let obstacle = match is_same {
            true => {
                let is_depth = |end: Region| is_depth(whole, argument, end);
                let regions = [Region::Rows, Region::Columns].into_iter();
                let mut both = regions.zip(self.made[from]);
                let sums = both.any(|(end, held)| !held.is_zero() && is_depth(end));
                sums.then_some(RelayoutReason::DepthPadding)
            }
            false => Some(RelayoutReason::View),
        };
        Edge {
            from,
            argument,
            host_cost: host_relayout_steps(kind),
            obstacle,
        }
    }

    /// Returns the padding of an argument in a region.
    fn padding_of(&self, call: usize, edges: &[Edge], argument: usize, region: Region) -> Padding {
        let element = self.programs[call].tensors[argument].element;
        let host = match self.fills[call].edges {
            true => Padding::like_elements(element),
            false => Padding::ZERO,
        };
        let edge = edges.iter().find(|edge| edge.argument == argument);
        let handed = edge.filter(|edge| edge.obstacle.is_none());
        let Some(edge) = handed else { return host };
        let held = Region::IN_DRAM.iter().zip(self.made[edge.from]);
        let own = held.filter(|(one, _)| **one == region);
        // The host may lay it out for other reasons, too.
        own.fold(host, |host, (_, made)| host.join(made))
    }

    /// Returns whether everything that a call computes in padding is determined.
    fn is_determined(&self, call: usize, edges: &[Edge]) -> bool {
        let TensorProgram { stores, locals, .. } = self.programs[call];
        let mut regions = Region::IN_DRAM.into_iter();
        regions.all(|region| {
            stores.iter().all(|store| {
                let tensors = |at, of| self.padding_of(call, edges, at, of);
                padding(&store.value, locals, region, &tensors).is_determined
            })
        })
    }

    /// Leaves operands whose padding holds no elements to the host, until everything is determined.
    fn leave_to_host(&self, call: usize, edges: &mut [Edge]) {
        for at in 0..edges.len() {
            let held = self.made[edges[at].from];
            if edges[at].obstacle.is_none() && !held.iter().all(|held| held.is_element) {
                edges[at].obstacle = Some(RelayoutReason::Undetermined);
                if self.is_determined(call, edges) {
                    return;
                }
            }
        }
    }

    /// Makes the host replicate edge elements for a call and, transitively, for its producers.
    fn replicate_edges(&mut self, call: usize, waiting: &mut BTreeSet<usize>) {
        let mut stack = vec![call];
        while let Some(call) = stack.pop() {
            if std::mem::replace(&mut self.fills[call].edges, true) {
                continue;
            }
            waiting.insert(call);
            let read = self.calls[call].iter();
            let read = read.filter(|tensor| !self.summed.contains(tensor));
            let makers = read.filter_map(|tensor| self.makers.get(tensor).copied());
            stack.extend(makers.filter(|maker| *maker < call));
        }
    }
}

/// Returns the producer of each tensor, and the consumers of each call.
fn makers_and_readers(
    calls: &[&[usize]],
    programs: &[&TensorProgram],
) -> (HashMap<usize, usize>, Vec<Vec<usize>>) {
    let results = calls.iter().zip(programs).enumerate();
    let makers: HashMap<usize, usize> = results
        .flat_map(|(call, (tensors, whole))| {
            let stores = whole.stores.iter();
            stores.map(move |store| (tensors[store.tensor], call))
        })
        .collect();
    let mut readers = vec![Vec::new(); calls.len()];
    for (call, tensors) in calls.iter().enumerate() {
        let made = tensors.iter().filter_map(|tensor| makers.get(tensor));
        for maker in made.filter(|maker| **maker < call) {
            readers[*maker].push(call);
        }
    }
    (makers, readers)
}

/// Returns the tensors over whose padding a product sums.
fn summed(calls: &[&[usize]], programs: &[&TensorProgram]) -> HashSet<usize> {
    // Keyed by address.
    let mut known: HashMap<*const TensorProgram, Vec<usize>> = HashMap::new();
    let mut summed = HashSet::new();
    for (tensors, whole) in calls.iter().zip(programs) {
        let arguments = known.entry(std::ptr::from_ref(*whole)).or_insert_with(|| {
            let sums = |at: &usize| {
                let mut ends = [Region::Rows, Region::Columns].into_iter();
                ends.any(|end| is_depth(whole, *at, end))
            };
            (0..tensors.len()).filter(sums).collect()
        });
        summed.extend(arguments.iter().map(|&at| tensors[at]));
    }
    summed
}

/// Returns the cost of a relayout by the host, in steps.
fn host_relayout_steps(kind: TensorType) -> u64 {
    let bytes = 2 * 4 * kind.elements().unwrap_or(u64::MAX / 8);
    ROUND_TRIP + bytes / BYTES
}

/// Returns whether a product sums beyond the rows or columns of an argument.
fn is_depth(whole: &TensorProgram, argument: usize, end: Region) -> bool {
    let kind = whole.tensors[argument];
    let extent = match end {
        Region::Rows => kind.rows,
        _ => kind.columns,
    };
    if extent % DEEPEST == 0 {
        return false;
    }
    let mut is_depth = false;
    for store in whole.locals.iter().chain(&whole.stores) {
        store.value.visit(&mut |expr| {
            let ExprKind::Product(factors) = &expr.kind else {
                return;
            };
            // The depth of the first factor is its columns, that of the second its rows.
            for (factor, depth) in factors.iter().zip([Axis::Columns, Axis::Rows]) {
                factor.visit(&mut |part| {
                    let ExprKind::Tensor(tensor, broadcast) = part.kind else {
                        return;
                    };
                    let [rows, columns] = broadcast.orient([Region::Rows, Region::Columns]);
                    let own = match depth {
                        Axis::Rows => rows,
                        Axis::Columns => columns,
                    };
                    is_depth |= tensor == argument && own == end;
                });
            }
        });
    }
    is_depth
}
