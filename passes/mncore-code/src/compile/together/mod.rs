//! Kernels of one program, which hand tensors over to one another.
//!
//! A tensor that one kernel makes and another reads stays in DRAM if both have it in the same
//! layout. So ways are chosen together: declared backwards, from the readers of a tensor to the
//! kernel that makes it, what each way takes with those behind it; then chosen from the first
//! kernel on. That is the best choice where each kernel has one that reads its result; of several
//! readers each is weighed alone.
//!
//! | file | holds |
//! |---|---|
//! | `choose.rs` | the ways, and which is chosen |
//! | `edges.rs` | what kernels read of one another, and what they find in padding |
//! | `relay.rs` | what the chip lays out anew |
//! | `places.rs` | where tensors lie in DRAM, and how long |
//!
//! A tensor is handed over where both have the same rows and columns of it, the layouts are the
//! same, the reader goes through no more vectors than were written, and the padding is what the
//! reader needs: zeros along the depth of a product, elsewhere nothing of which the reader computes
//! what the manual leaves open. Where only the layouts differ, the chip may lay it out anew before
//! the reader's loops; else the host does ([`Relaid`]).
//!
//! Not checked: that the calls are in the order in which they run, and that nobody else changes
//! what is handed over.

mod choose;
mod edges;
mod places;
mod relay;

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;
use tessera_pto::kernel::Group;
use thiserror::Error;

use super::padding::Fill;
use super::ways::Ways;
use super::{store, ways, CompileError, Kernel, Options};
use crate::whole::{self, Whole};
use choose::Chosen;
use edges::Program;
use relay::Relay;

/// A kernel of a program.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// What it computes.
    pub group: &'a Group,
    /// Which of the program's tensors each of its arguments is.
    pub tensors: Vec<usize>,
    /// How it is compiled.
    pub options: Options,
}

/// Kernels, in the order of their calls.
#[derive(Clone, Debug)]
pub struct Together {
    /// The kernel of each call; calls may share one.
    pub kernels: Vec<Rc<Kernel>>,
    /// What the host lays out anew between them.
    pub relaid: Vec<Relaid>,
}

/// A tensor that another kernel made, and that the host lays out anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relaid {
    /// The number of the call.
    pub call: usize,
    /// Which of its kernel's tensors.
    pub tensor: usize,
    /// The call that made it.
    pub from: usize,
    /// Why.
    pub why: Why,
}

/// A tensor that another kernel made, and that the chip lays out anew.
struct Moved {
    /// The number of the call.
    call: usize,
    /// Which of its kernel's tensors.
    tensor: usize,
    /// The call that made it.
    from: usize,
    /// How.
    relay: Rc<Relay>,
}

/// A tensor that stays where another kernel made it.
struct Kept {
    /// The number of the call.
    call: usize,
    /// Which of its kernel's tensors.
    tensor: usize,
    /// The call that made it.
    from: usize,
}

/// Why a tensor cannot stay as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is read as other matrices than it was written as.
    View,
    /// It is read in another layout than it was written in.
    Layout,
    /// Padding is read that was not written.
    Unwritten,
    /// Padding of the depth that is not zero.
    Depth,
    /// Padding on which the reader's operations are not determined.
    Open,
}

impl Display for Why {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::View => "it is read as other rows and columns than it was written as",
            Why::Layout => "no way of both kernels has it in one layout",
            Why::Unwritten => "more of its padding is read than was written",
            Why::Depth => "a product sums over its padding, which is not zero",
            Why::Open => "the manual does not determine what would be computed of its padding",
        })
    }
}

/// Why a call cannot be compiled.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{error}")]
pub struct CallError {
    /// The number of the call.
    pub call: usize,
    /// Why.
    pub error: CompileError,
}

/// Compiles the kernels of a program, in the order in which they run. Calls of the same group (the
/// same reference) that are compiled alike share their kernel.
///
/// # Errors
/// Of the first call that cannot be compiled.
pub fn together(calls: &[Call]) -> Result<Together, CallError> {
    let at = |call: usize| move |error: CompileError| CallError { call, error };
    let (wholes, numbers) = distinct_wholes(calls)?;
    let of_call: Vec<&Whole> = numbers.iter().map(|&number| &wholes[number]).collect();
    let tensors = calls.iter().map(|call| &call.tensors[..]).collect();
    let Program { fills, edges, .. } = Program::of(tensors, of_call);
    let mut known = HashMap::new();
    let mut all: Vec<Rc<SharedWays>> = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let key = (numbers[number], call.options, fills[number]);
        let shared = match known.entry(key) {
            Entry::Occupied(shared) => Rc::clone(shared.get()),
            Entry::Vacant(new) => {
                let ways = ways::of(&wholes[numbers[number]], &call.options, fills[number]);
                let shared = Rc::new(SharedWays::new(ways.map_err(at(number))?));
                Rc::clone(new.insert(shared))
            }
        };
        all.push(shared);
    }
    let chosen = choose::choose(edges, &all)?;
    let places = places::places(calls, &chosen.kernels, &chosen.relaid, &chosen.moved);
    let mut kernels = Vec::new();
    for (number, way) in chosen.ways.iter().enumerate() {
        let kernel = all[number].build(*way, &places.tensors[number]);
        kernels.push(kernel.map_err(at(number))?);
    }
    Ok(Together {
        kernels: hand_over(kernels, &chosen, &places.sources)?,
        relaid: chosen.relaid,
    })
}

/// What the groups of calls compute, each group once, and the number of the one of each call.
fn distinct_wholes(calls: &[Call]) -> Result<(Vec<Whole>, Vec<usize>), CallError> {
    let mut known: HashMap<*const Group, usize> = HashMap::new();
    let mut wholes = Vec::new();
    let mut numbers = Vec::new();
    for (call, Call { group, .. }) in calls.iter().enumerate() {
        let at = |error: CompileError| CallError { call, error };
        let number = match known.entry(std::ptr::from_ref(*group)) {
            Entry::Occupied(number) => *number.get(),
            Entry::Vacant(new) => {
                let whole = whole::whole(group).map_err(|error| at(error.into()))?;
                store(&whole).map_err(at)?;
                wholes.push(whole);
                *new.insert(wholes.len() - 1)
            }
        };
        numbers.push(number);
    }
    Ok((wholes, numbers))
}

/// The ways of calls that are compiled alike, and the kernels that were built of them.
struct SharedWays<'a> {
    ways: Box<dyn Ways + 'a>,
    /// By the way and the places of the tensors.
    built: RefCell<HashMap<(usize, Vec<u32>), Rc<Kernel>>>,
}

impl<'a> SharedWays<'a> {
    fn new(ways: Box<dyn Ways + 'a>) -> Self {
        SharedWays {
            ways,
            built: RefCell::default(),
        }
    }

    /// As [`Ways::build`], each kernel once.
    fn build(&self, way: usize, bases: &[u32]) -> Result<Rc<Kernel>, CompileError> {
        let key = (way, bases.to_vec());
        if let Some(kernel) = self.built.borrow().get(&key) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(self.ways.build(way, bases)?);
        self.built.borrow_mut().insert(key, Rc::clone(&kernel));
        Ok(kernel)
    }
}

/// How a kernel finds the tensors that other kernels made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Received {
    /// Tensors that stay where they are: which, and the layout that they were made in.
    kept: Vec<(usize, Layout)>,
    /// Tensors that the kernel lays out anew: which, the layout that they were made in, and where
    /// they lie.
    moved: Vec<(usize, Layout, u32)>,
}

/// Lets kernels find what other kernels made as these left it. Those that find it alike stay the
/// same.
fn hand_over(
    kernels: Vec<Rc<Kernel>>,
    chosen: &Chosen,
    sources: &[u32],
) -> Result<Vec<Rc<Kernel>>, CallError> {
    let mut all: Vec<(Received, Vec<&Moved>)> = vec![Default::default(); kernels.len()];
    for (moved, &source) in chosen.moved.iter().zip(sources) {
        let made = chosen.kernels[moved.from].tensors.last();
        let made = made.expect("there is a result").layout.clone();
        all[moved.call].0.moved.push((moved.tensor, made, source));
        all[moved.call].1.push(moved);
    }
    // What lies there has the padding that its maker says it has.
    for kept in &chosen.kept {
        let made = kernels[kept.from].tensors.last();
        let made = made.expect("there is a result").layout.clone();
        all[kept.call].0.kept.push((kept.tensor, made));
    }
    let mut known: HashMap<(*const Kernel, Received), Rc<Kernel>> = HashMap::new();
    let mut finished = Vec::new();
    for (call, (kernel, (received, moved))) in kernels.iter().zip(all).enumerate() {
        if received == Received::default() {
            finished.push(Rc::clone(kernel));
            continue;
        }
        let key = (Rc::as_ptr(kernel), received);
        if let Some(kernel) = known.get(&key) {
            finished.push(Rc::clone(kernel));
            continue;
        }
        let mut own = Kernel::clone(kernel);
        for (moved, (_, made, source)) in moved.into_iter().zip(&key.1.moved) {
            let relayed = relayed(&mut own, moved, made, *source);
            relayed.map_err(|error| CallError { call, error })?;
        }
        for (tensor, made) in &key.1.kept {
            own.tensors[*tensor].layout.clone_from(made);
        }
        let own = Rc::new(own);
        known.insert(key, Rc::clone(&own));
        finished.push(own);
    }
    Ok(finished)
}

/// What a single kernel finds in the padding of its tensors, all of which the host lays out.
pub(super) fn alone(whole: &Whole) -> Fill {
    let tensors: Vec<usize> = (0..whole.tensors.len()).collect();
    Program::of(vec![&tensors], vec![whole]).fills[0]
}

/// A layout from the first long word on, whatever its padding holds.
fn without_place(layout: &Layout) -> Layout {
    let lower = layout.with_base(0).expect("what fits fits lower, too");
    lower.with_edges(&[])
}

/// Lets a kernel lay out one of its tensors anew before its loops, from what was made in this
/// layout, and lies at this long word.
fn relayed(
    kernel: &mut Kernel,
    moved: &Moved,
    made: &Layout,
    source: u32,
) -> Result<(), CompileError> {
    let tensor = &mut kernel.tensors[moved.tensor];
    let stage = moved.relay.stage([source, tensor.layout.base()]);
    tensor.layout = made
        .with_base(source)
        .map_err(|error| CompileError::Layout {
            tensor: tensor.argument,
            kind: tensor.kind,
            error,
        })?;
    kernel.stages.insert(0, stage);
    let steps = moved.relay.steps;
    kernel.estimate = kernel.estimate.map(|estimate| estimate + steps);
    Ok(())
}
