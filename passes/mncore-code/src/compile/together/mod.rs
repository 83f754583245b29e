//! Kernels of one program, which hand tensors over to one another.
//!
//! A tensor that one kernel makes and another reads stays in DRAM if both have it in the same layout. So ways are chosen together: declared backwards,
//! from the readers of a tensor to the kernel that makes it, what each way takes with those behind it; then chosen from the first kernel on. That is
//! the best choice where each kernel has one that reads its result; of several readers each is weighed alone.
//!
//! | file | holds |
//! |---|---|
//! | `choose.rs` | the ways, and which is chosen |
//! | `edges.rs` | what kernels read of one another, and what they find in padding |
//! | `relay.rs` | what the chip lays out anew |
//! | `places.rs` | where tensors lie in DRAM, and how long |
//!
//! A tensor is handed over where both have the same rows and columns of it, the layouts are the same, the reader goes through no more vectors than were written, and the padding is what the reader
//! needs: zeros along the depth of a product, elsewhere nothing of which the reader computes what the manual leaves open. Where only the layouts differ, the chip may lay it out anew before the
//! reader's loops; else the host does ([`Relaid`]).
//!
//! Not checked: that the calls are in the order in which they run, and that nobody else changes what is handed over.

mod choose;
mod edges;
mod places;
mod relay;

use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use tessera_isa_mncore::layout::Layout;
use tessera_pto::kernel::Group;
use thiserror::Error;

use super::padding::Fill;
use super::{store, ways, CompileError, Kernel, Options};
use crate::whole::{self, Whole};
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
    /// The kernels.
    pub kernels: Vec<Kernel>,
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

/// Compiles the kernels of a program, in the order in which they run.
///
/// # Errors
/// Of the first call that cannot be compiled.
pub fn together(calls: &[Call]) -> Result<Together, CallError> {
    let at = |call: usize| move |error: CompileError| CallError { call, error };
    let mut wholes = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let whole = whole::whole(call.group);
        wholes.push(whole.map_err(|error| at(number)(error.into()))?);
    }
    for (number, whole) in wholes.iter().enumerate() {
        store(whole).map_err(at(number))?;
    }
    let tensors = calls.iter().map(|call| &call.tensors[..]).collect();
    let Program { fills, edges, .. } = Program::of(tensors, &wholes);
    let mut all = Vec::new();
    for (number, (call, whole)) in calls.iter().zip(&wholes).enumerate() {
        all.push(ways::of(whole, &call.options, fills[number]).map_err(at(number))?);
    }
    let chosen = choose::choose(edges, &all)?;
    let places = places::places(calls, &chosen.kernels, &chosen.relaid, &chosen.moved);
    let mut kernels = Vec::new();
    for (number, way) in chosen.ways.iter().enumerate() {
        let kernel = all[number].build(*way, &places.tensors[number]);
        kernels.push(kernel.map_err(at(number))?);
    }
    for (moved, &source) in chosen.moved.iter().zip(&places.sources) {
        let made = chosen.kernels[moved.from].tensors.last();
        let made = &made.expect("there is a result").layout;
        let relayed = relayed(&mut kernels[moved.call], moved, made, source);
        relayed.map_err(at(moved.call))?;
    }
    // What lies there has the padding that its maker says it has.
    for kept in &chosen.kept {
        let made = kernels[kept.from].tensors.last();
        let made = made.expect("there is a result").layout.clone();
        kernels[kept.call].tensors[kept.tensor].layout = made;
    }
    Ok(Together {
        kernels,
        relaid: chosen.relaid,
    })
}

/// What a single kernel finds in the padding of its tensors, all of which the host lays out.
pub(super) fn alone(whole: &Whole) -> Fill {
    let tensors: Vec<usize> = (0..whole.tensors.len()).collect();
    Program::of(vec![&tensors], std::slice::from_ref(whole)).fills[0]
}

/// A layout from the first long word on, whatever its padding holds.
fn without_place(layout: &Layout) -> Layout {
    let lower = layout.at(0).expect("what fits fits lower, too");
    lower.with_edges(&[])
}

/// Lets a kernel lay out one of its tensors anew before its loops, from what was made in this layout, and lies at this long word.
fn relayed(
    kernel: &mut Kernel,
    moved: &Moved,
    made: &Layout,
    source: u32,
) -> Result<(), CompileError> {
    let tensor = &mut kernel.tensors[moved.tensor];
    let stage = moved.relay.stage([source, tensor.layout.base()]);
    tensor.layout = made.at(source).map_err(|error| CompileError::Layout {
        tensor: tensor.argument,
        kind: tensor.kind,
        error,
    })?;
    kernel.stages.insert(0, stage);
    let steps = moved.relay.steps;
    kernel.estimate = kernel.estimate.map(|estimate| estimate + steps);
    Ok(())
}
