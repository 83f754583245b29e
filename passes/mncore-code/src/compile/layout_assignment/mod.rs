//! Layout assignment: chooses candidates for all kernels of a program such that tensors can be
//! handed over in place.
//!
//! A tensor that one kernel produces and another consumes stays in DRAM if both have it in the same
//! layout. Candidates are therefore chosen jointly, as a partitioned Boolean quadratic problem:
//! calls are nodes, candidates their alternatives, and hand-offs edges whose costs are relayouts.
//! The choice is optimal where the graph of hand-offs is series-parallel.
//!
//! | file | holds |
//! |---|---|
//! | `choose.rs` | the candidates, and the choice among them |
//! | `pbqp.rs` | the solver that chooses |
//! | `edges.rs` | hand-off edges, and the contents of padding |
//! | `relayout.rs` | relayouts by the chip |
//! | `allocation.rs` | lifetimes and addresses of tensors in DRAM |
//!
//! A hand-off in place requires the same rows and columns, the same layout, a consumer that reads
//! no more vectors than were written, and suitable padding: zeros along the depth of a product,
//! elsewhere nothing that makes a result undetermined by the manual. If only the layouts differ,
//! the chip may convert the layout before the consumer's loops. Otherwise the host does
//! ([`HostRelayout`]).
//!
//! Not checked: that calls are in the order of execution, and that nothing else modifies the
//! tensors.

mod allocation;
mod choose;
mod edges;
mod pbqp;
mod relayout;

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;
use tessera_pto::kernel::Group;
use thiserror::Error;

use super::error::CompileError;
use super::kernel::Kernel;
use super::options::Options;
use super::padding::Fill;
use super::plan::{Plan, Schedules};
use super::stores::single_store;
use super::strategy::Strategy;
use crate::raise::{self, TensorProgram};
use choose::Chosen;
use edges::Program;
use relayout::ChipRelayoutPlan;

/// A kernel call of a program.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The kernel's computation.
    pub group: &'a Group,
    /// The program's tensors that are its arguments.
    pub tensors: Vec<usize>,
    /// The options of code generation.
    pub options: Options,
}

/// The kernels of a program, in the order of calls.
#[derive(Clone, Debug)]
pub struct CompiledProgram {
    /// The kernel of each call; calls may share one.
    pub kernels: Vec<Rc<Kernel>>,
    /// The relayouts that the host performs between them.
    pub host_relayouts: Vec<HostRelayout>,
}

/// A relayout by the host of a tensor that another kernel produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRelayout {
    /// The consumer's call.
    pub call: usize,
    /// The index among its kernel's tensors.
    pub tensor: usize,
    /// The producer's call.
    pub from: usize,
    /// The reason.
    pub reason: RelayoutReason,
}

/// A relayout by the chip of a tensor that another kernel produced.
struct ChipRelayout {
    /// The consumer's call.
    call: usize,
    /// The index among its kernel's tensors.
    tensor: usize,
    /// The producer's call.
    from: usize,
    /// The MV instructions.
    relay: Rc<ChipRelayoutPlan>,
}

/// A hand-off in place of a tensor that another kernel produced.
struct InPlaceHandOff {
    /// The consumer's call.
    call: usize,
    /// The index among its kernel's tensors.
    tensor: usize,
    /// The producer's call.
    from: usize,
}

/// Why a tensor cannot be handed over in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayoutReason {
    /// Producer and consumer disagree on its rows and columns.
    View,
    /// The layouts differ.
    Layout,
    /// The consumer reads padding that was not written.
    UnwrittenPadding,
    /// Padding along the depth of a product is not zero.
    DepthPadding,
    /// Padding would make the consumer's results undetermined.
    Undetermined,
}

impl Display for RelayoutReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RelayoutReason::View => "it is read as other rows and columns than it was written as",
            RelayoutReason::Layout => "the kernels have no common layout",
            RelayoutReason::UnwrittenPadding => "more of its padding is read than was written",
            RelayoutReason::DepthPadding => "a product sums over its padding, which is not zero",
            RelayoutReason::Undetermined => {
                "the manual does not determine what would be computed of its padding"
            }
        })
    }
}

/// A call that cannot be compiled.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{error}")]
pub struct CallError {
    /// The number of the call.
    pub call: usize,
    /// The reason.
    pub error: CompileError,
}

/// Compiles the kernels of a program, in order of execution. Calls of the same group (the same
/// reference) with equal options share their kernel.
///
/// # Errors
/// The error of the first call that cannot be compiled.
pub fn compile_program(calls: &[Call]) -> Result<CompiledProgram, CallError> {
    let at = |call: usize| move |error: CompileError| CallError { call, error };
    let (programs, numbers) = distinct_programs(calls)?;
    let of_call: Vec<&TensorProgram> = numbers.iter().map(|&number| &programs[number]).collect();
    let tensors = calls.iter().map(|call| &call.tensors[..]).collect();
    let Program { fills, edges, .. } = Program::new(tensors, of_call);
    let mut known = HashMap::new();
    let mut all: Vec<Rc<SharedPlans>> = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let key = (numbers[number], call.options, fills[number]);
        let shared = match known.entry(key) {
            Entry::Occupied(shared) => Rc::clone(shared.get()),
            Entry::Vacant(new) => {
                let program = &programs[numbers[number]];
                let plans = Plan::all(program, &call.options, fills[number], Schedules::Tried);
                let shared = Rc::new(SharedPlans::new(plans.map_err(at(number))?));
                Rc::clone(new.insert(shared))
            }
        };
        all.push(shared);
    }
    let chosen = choose::choose_candidates(edges, &all)?;
    let places = allocation::allocate(
        calls,
        &chosen.kernels,
        &chosen.host_relayouts,
        &chosen.moved,
    );
    let mut kernels = Vec::new();
    for (number, candidate) in chosen.candidates.iter().enumerate() {
        let kernel = all[number].emit(*candidate, &places.tensors[number]);
        kernels.push(kernel.map_err(at(number))?);
    }
    Ok(CompiledProgram {
        kernels: adapt_to_layouts(kernels, &chosen, &places.sources)?,
        host_relayouts: chosen.host_relayouts,
    })
}

/// Lowers each distinct group once; returns the results and their index for each call.
fn distinct_programs(calls: &[Call]) -> Result<(Vec<TensorProgram>, Vec<usize>), CallError> {
    let mut known: HashMap<*const Group, usize> = HashMap::new();
    let mut programs = Vec::new();
    let mut numbers = Vec::new();
    for (call, Call { group, .. }) in calls.iter().enumerate() {
        let at = |error: CompileError| CallError { call, error };
        let number = match known.entry(std::ptr::from_ref(*group)) {
            Entry::Occupied(number) => *number.get(),
            Entry::Vacant(new) => {
                let whole = raise::raise_group(group).map_err(|error| at(error.into()))?;
                single_store(&whole).map_err(at)?;
                programs.push(whole);
                *new.insert(programs.len() - 1)
            }
        };
        numbers.push(number);
    }
    Ok((programs, numbers))
}

/// The plans of calls that are compiled alike, with a cache of built kernels.
struct SharedPlans<'a> {
    plans: Vec<Plan<'a>>,
    /// The built kernels, by plan and addresses of tensors.
    built: RefCell<HashMap<(usize, Vec<u32>), Rc<Kernel>>>,
}

impl<'a> SharedPlans<'a> {
    fn new(plans: Vec<Plan<'a>>) -> Self {
        SharedPlans {
            plans,
            built: RefCell::default(),
        }
    }

    /// Builds the kernel of a plan as [`Strategy::emit`] does, once per key.
    fn emit(&self, plan: usize, bases: &[u32]) -> Result<Rc<Kernel>, CompileError> {
        let key = (plan, bases.to_vec());
        if let Some(kernel) = self.built.borrow().get(&key) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(self.plans[plan].emit(bases)?);
        self.built.borrow_mut().insert(key, Rc::clone(&kernel));
        Ok(kernel)
    }
}

/// How a kernel receives the tensors that other kernels produced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ReceivedTensors {
    /// Tensors handed over in place, with the producer's layout.
    kept: Vec<(usize, Layout)>,
    /// Tensors whose layout the kernel converts, with the producer's layout and address.
    moved: Vec<(usize, Layout, u32)>,
}

/// Adapts kernels to the layouts in which they receive tensors. Kernels that receive them alike
/// stay shared.
fn adapt_to_layouts(
    kernels: Vec<Rc<Kernel>>,
    chosen: &Chosen,
    sources: &[u32],
) -> Result<Vec<Rc<Kernel>>, CallError> {
    let mut all: Vec<(ReceivedTensors, Vec<&ChipRelayout>)> =
        vec![Default::default(); kernels.len()];
    for (moved, &source) in chosen.moved.iter().zip(sources) {
        let made = chosen.kernels[moved.from].tensors.last();
        let made = made.expect("there is a result").layout.clone();
        all[moved.call].0.moved.push((moved.tensor, made, source));
        all[moved.call].1.push(moved);
    }
    // In-place tensors have the padding that their producer states.
    for kept in &chosen.kept {
        let made = kernels[kept.from].tensors.last();
        let made = made.expect("there is a result").layout.clone();
        all[kept.call].0.kept.push((kept.tensor, made));
    }
    let mut known: HashMap<(*const Kernel, ReceivedTensors), Rc<Kernel>> = HashMap::new();
    let mut finished = Vec::new();
    for (call, (kernel, (received, moved))) in kernels.iter().zip(all).enumerate() {
        if received == ReceivedTensors::default() {
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
            let relayed = prepend_relayout(&mut own, moved, made, *source);
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

/// Returns the padding that an isolated kernel finds, given that the host lays out all tensors.
pub(super) fn padding_in_isolation(whole: &TensorProgram) -> Fill {
    let tensors: Vec<usize> = (0..whole.tensors.len()).collect();
    Program::new(vec![&tensors], vec![whole]).fills[0]
}

/// Returns a layout normalised to base 0, regardless of padding.
fn without_base(layout: &Layout) -> Layout {
    let lower = layout.with_base(0).expect("what fits fits lower, too");
    lower.with_edges(&[])
}

/// Prepends a relayout to a kernel: from the producer's layout at an address.
fn prepend_relayout(
    kernel: &mut Kernel,
    moved: &ChipRelayout,
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
