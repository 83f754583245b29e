//! What calls read of one another, and what they find in the padding of it.
//!
//! Calls have zeros in the padding of what the host lays out, as long as all that they compute
//! there is determined ([`padding`]). If it is not, the host repeats elements instead; and so that
//! what other calls make holds elements there, too, these are compiled in the same way, but for
//! those whose result is a factor of a product, which sums over its padding. What is still open
//! comes by the host.

use std::collections::{BTreeSet, HashMap, HashSet};

use tessera_pto::kernel::{Axis, TensorType};

use super::Why;
use crate::compile::padding::{padding, with_zeros, Fill, Padding, Region};
use crate::whole::{ExprKind, Whole};

/// What it takes the host to lay a tensor out anew, in steps. Nobody says how the board hangs on
/// its host: bytes of a step (5.3 ns) are those of a link of 12 GB/s, over which the tensor goes up
/// and down, and a round trip takes 10 µs.
const BYTES: u64 = 64;
const ROUND_TRIP: u64 = 1_875;

/// More than so many rows or columns in a tile have no padding in the depth, whatever the
/// precision.
const DEEPEST: u32 = 32;

/// A tensor that a call makes and another reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub from: usize,
    /// The argument of the reader.
    pub argument: usize,
    /// What it takes the host to lay it out anew.
    pub price: u64,
    /// What forbids to hand it over in any way.
    pub never: Option<Why>,
}

/// The calls of a program, and what their tensors hold.
pub(super) struct Program<'a> {
    /// For each call which of the program's tensors its arguments are.
    calls: Vec<&'a [usize]>,
    wholes: Vec<&'a Whole>,
    /// The call that makes each tensor.
    makers: HashMap<usize, usize>,
    /// For each call those that read what it makes.
    readers: Vec<Vec<usize>>,
    /// The tensors over whose padding a product sums.
    summed: HashSet<usize>,
    /// For each call what it finds.
    pub fills: Vec<Fill>,
    /// For each call what it reads of others.
    pub edges: Vec<Vec<Edge>>,
    /// For each call what its result holds.
    made: Vec<[Padding; 3]>,
}

impl<'a> Program<'a> {
    /// Decides for each call of a program what it finds in padding.
    ///
    /// Calls are looked at in order, and again when what they read holds something else. A call
    /// that is still open then has the host repeat elements for it, which happens once.
    pub fn of(calls: Vec<&'a [usize]>, wholes: Vec<&'a Whole>) -> Self {
        let fill = |whole: &Whole| {
            let stored: Vec<_> = whole.stores.iter().map(|store| &store.value).collect();
            with_zeros(&stored)
        };
        let (makers, readers) = makers_and_readers(&calls, &wholes);
        let count = calls.len();
        let mut program = Program {
            summed: summed(&calls, &wholes),
            calls,
            fills: wholes.iter().copied().map(fill).collect(),
            wholes,
            makers,
            readers,
            edges: vec![Vec::new(); count],
            made: vec![[Padding::ZERO; 3]; count],
        };
        let mut waiting: BTreeSet<usize> = (0..count).collect();
        while let Some(call) = waiting.pop_first() {
            program.look_at(call, &mut waiting);
        }
        program
    }

    /// Finds what a call reads and leaves in padding. Whatever has to be looked at again waits.
    fn look_at(&mut self, call: usize, waiting: &mut BTreeSet<usize>) {
        let tensors = self.calls[call];
        let maker = |argument: usize| self.makers.get(&tensors[argument]).copied();
        let before = |argument| maker(argument).filter(|maker| *maker < call);
        let reads = (0..tensors.len()).filter_map(|at| Some((at, before(at)?)));
        let mut edges: Vec<Edge> = reads.map(|(at, from)| self.edge(call, at, from)).collect();
        if !self.is_determined(call, &edges) {
            if !self.fills[call].edges {
                self.repeat_edges(call, waiting);
                return;
            }
            self.give_up(call, &mut edges);
        }
        let value = &self.wholes[call].stores[0].value;
        let made = Region::IN_DRAM.map(|region| {
            padding(value, region, &|at, of| self.found(call, &edges, at, of)).padding
        });
        self.edges[call] = edges;
        if self.made[call] != made {
            self.made[call] = made;
            waiting.extend(&self.readers[call]);
        }
    }

    fn edge(&self, call: usize, argument: usize, from: usize) -> Edge {
        let whole = self.wholes[call];
        let kind = whole.tensors[argument];
        let made = self.wholes[from];
        let moves = [whole, made].iter().any(|one| one.rearrangement.is_some());
        let is_same = !moves && made.tensors[made.stores[0].tensor] == kind;
        let never = match is_same {
            true => {
                let is_depth = |end: Region| is_depth(whole, argument, end);
                let regions = [Region::Rows, Region::Columns].into_iter();
                let mut both = regions.zip(self.made[from]);
                let sums = both.any(|(end, held)| !held.is_zero() && is_depth(end));
                sums.then_some(Why::Depth)
            }
            false => Some(Why::View),
        };
        Edge {
            from,
            argument,
            price: price(kind),
            never,
        }
    }

    /// What a call finds in the padding of an argument.
    fn found(&self, call: usize, edges: &[Edge], argument: usize, region: Region) -> Padding {
        let element = self.wholes[call].tensors[argument].element;
        let host = match self.fills[call].edges {
            true => Padding::like_elements(element),
            false => Padding::ZERO,
        };
        let edge = edges.iter().find(|edge| edge.argument == argument);
        let handed = edge.filter(|edge| edge.never.is_none());
        let Some(edge) = handed else { return host };
        let held = Region::IN_DRAM.iter().zip(self.made[edge.from]);
        let own = held.filter(|(one, _)| **one == region);
        // The host may lay it out for other reasons.
        own.fold(host, |host, (_, made)| host.or(made))
    }

    /// Whether all that a call computes in padding is determined.
    fn is_determined(&self, call: usize, edges: &[Edge]) -> bool {
        let stores = &self.wholes[call].stores;
        let mut regions = Region::IN_DRAM.into_iter();
        regions.all(|region| {
            stores.iter().all(|store| {
                let tensors = |at, of| self.found(call, edges, at, of);
                padding(&store.value, region, &tensors).is_determined
            })
        })
    }

    /// Leaves to the host what does not hold elements in its padding, until all is determined.
    fn give_up(&self, call: usize, edges: &mut [Edge]) {
        for at in 0..edges.len() {
            let held = self.made[edges[at].from];
            if edges[at].never.is_none() && !held.iter().all(|held| held.is_element) {
                edges[at].never = Some(Why::Open);
                if self.is_determined(call, edges) {
                    return;
                }
            }
        }
    }

    /// Has the host repeat elements for a call, and for those that make what it reads.
    fn repeat_edges(&mut self, call: usize, waiting: &mut BTreeSet<usize>) {
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

/// The call that makes each tensor, and for each call those that read what it makes.
fn makers_and_readers(
    calls: &[&[usize]],
    wholes: &[&Whole],
) -> (HashMap<usize, usize>, Vec<Vec<usize>>) {
    let results = calls.iter().zip(wholes).enumerate();
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

/// The tensors over whose padding a product sums.
fn summed(calls: &[&[usize]], wholes: &[&Whole]) -> HashSet<usize> {
    // By the address of what a call computes.
    let mut known: HashMap<*const Whole, Vec<usize>> = HashMap::new();
    let mut summed = HashSet::new();
    for (tensors, whole) in calls.iter().zip(wholes) {
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

/// What it takes to lay a tensor out anew.
fn price(kind: TensorType) -> u64 {
    let bytes = 2 * 4 * kind.elements().unwrap_or(u64::MAX / 8);
    ROUND_TRIP + bytes / BYTES
}

/// Whether a product sums over what is behind the rows or columns of an argument.
fn is_depth(whole: &Whole, argument: usize, end: Region) -> bool {
    let kind = whole.tensors[argument];
    let extent = match end {
        Region::Rows => kind.rows,
        _ => kind.columns,
    };
    if extent % DEEPEST == 0 {
        return false;
    }
    let mut is_depth = false;
    for store in &whole.stores {
        store.value.visit(&mut |expr| {
            let ExprKind::Product(factors) = &expr.kind else {
                return;
            };
            // The depth of the first are its columns, that of the second its rows.
            for (factor, depth) in factors.iter().zip([Axis::Columns, Axis::Rows]) {
                factor.visit(&mut |part| {
                    let ExprKind::Tensor(tensor, spread) = part.kind else {
                        return;
                    };
                    let [rows, columns] = spread.seen([Region::Rows, Region::Columns]);
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
