//! Kernels of one program, which hand tensors over to one another.
//!
//! A tensor that one kernel makes and another reads stays in DRAM if both have it in the same layout. So ways are chosen together: declared backwards,
//! from the readers of a tensor to the kernel that makes it, what each way takes with those behind it; then chosen from the first kernel on. That is
//! the best choice where each kernel has one that reads its result; of several readers each is weighed alone.
//!
//! | file | holds |
//! |---|---|
//! | `choose.rs` | the ways, and which is chosen |
//! | `padding.rs` | what a kernel leaves in the padding of its result |
//! | `places.rs` | where tensors lie in DRAM, and how long |
//!
//! A tensor is handed over where the layouts are the same, the reader goes through no more vectors than were written, and the padding is what the reader
//! needs: zeros along the depth of a product, elsewhere anything but infinities. Else the host lays it out anew ([`Relaid`]).
//!
//! Not checked: that the calls are in the order in which they run, and that nobody else changes what is handed over.

mod choose;
mod padding;
mod places;

use std::fmt::{self, Display, Formatter};

use tessera_pto::kernel::Group;
use thiserror::Error;

use super::{ways, CompileError, Kernel, Options};
use crate::whole;

/// A kernel of a program.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// What it computes.
    pub group: &'a Group,
    /// Which of the program's tensors each of its arguments is.
    pub tensors: Vec<usize>,
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

/// Why a tensor cannot stay as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is read in another layout than it was written in.
    Layout,
    /// Padding is read that was not written.
    Unwritten,
    /// Padding of the depth that is not zero.
    Depth,
    /// Padding that is no number.
    Infinite,
}

impl Display for Why {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Layout => "no way of both kernels has it in one layout",
            Why::Unwritten => "more of its padding is read than was written",
            Why::Depth => "a product sums over its padding, which is not zero",
            Why::Infinite => "its padding holds infinities",
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
pub fn together(calls: &[Call], options: &Options) -> Result<Together, CallError> {
    let at = |call: usize| move |error: CompileError| CallError { call, error };
    let mut wholes = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let whole = whole::whole(call.group);
        wholes.push(whole.map_err(|error| at(number)(error.into()))?);
    }
    let mut all = Vec::new();
    for (number, whole) in wholes.iter().enumerate() {
        all.push(ways::of(whole, options).map_err(at(number))?);
    }
    let chosen = choose::choose(calls, &wholes, &all)?;
    let relaid = chosen.relaid();
    let places = places::places(calls, &chosen.kernels, &relaid);
    let mut kernels = Vec::new();
    for (number, way) in chosen.ways.iter().enumerate() {
        let kernel = all[number].build(*way, &places[number]);
        kernels.push(kernel.map_err(at(number))?);
    }
    Ok(Together { kernels, relaid })
}
