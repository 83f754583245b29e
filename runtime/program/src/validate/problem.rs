//! Errors of validation.

use std::ops::Range;

use tessera_isa_mncore::unit::UnpackError;
use tessera_isa_tensix::list::EntryProblem;
use tessera_isa_tensix::tile::Argument;
use tessera_isa_tensix::Arch;
use tessera_ops::shape::Extents;
use tessera_ops::{CallError, ViewError};
use tessera_pto::kernel::Element;

use super::{MAX_RANK, MAX_TENSOR_BYTES};
use crate::mncore::MAX_IMAGE_BYTES;
use crate::{Chip, GlobalId, MemorySpace, MncoreStorage};

/// An inconsistency in a file, and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ValidateError {
    /// The program and operation, tensor, or kernel.
    pub place: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// Kinds of inconsistencies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the texts say it
pub enum Problem {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("{0}")]
    Upstream(String),
    #[error("'{op}' has {expected} results, but defines {found} tensors")]
    ResultCount {
        op: &'static str,
        found: usize,
        expected: usize,
    },
    #[error(
        "'{0}' has an activation, which no device applies; apply it in an operation of its own"
    )]
    Activation(&'static str),
    #[error("it has no chip")]
    NoChip,
    #[error("it has {0} beside another chip of its family: a system has one of each")]
    AlikeChips(Chip),
    #[error("there is another program of this name")]
    DuplicateProgram,
    #[error("there is no program of this name")]
    NoProgram,
    #[error("only private programs can be called")]
    CallOfPublic,
    #[error("the program makes calls; only programs without calls can be called")]
    NestedCall,
    #[error("the program deallocates its input {0}, which belongs to the caller")]
    FreedInput(GlobalId),
    #[error("the program returns tensor {0}, which is an input or another result of it")]
    RepeatedResult(GlobalId),
    #[error("the calls of the program add more than {0} operations and tensors to it")]
    TooManyCalls(usize),
    #[error("tensor {0} is no input of the calling program")]
    NoInput(GlobalId),
    #[error("the program has {expected} {what}, but the call has {found}")]
    CallCount {
        what: &'static str,
        found: usize,
        expected: usize,
    },
    #[error("tensor {id} is of another type than tensor {of_callee} of the program")]
    CallTensor { id: GlobalId, of_callee: GlobalId },
    #[error("it has the content of kernel {0}: share one")]
    DuplicateKernel(usize),
    #[error("entry {entry} of its dm list names argument {arg}, but it has {args}")]
    KernelArgument { entry: usize, arg: u16, args: usize },
    #[error("it uses L1 up to {used:#x}, but L1 ends at {size:#x}")]
    L1 { used: u32, size: u32 },
    #[error("entry {entry} of its {list} list {problem}")]
    Entry {
        entry: usize,
        list: &'static str,
        problem: EntryProblem,
    },
    #[error("it has no work")]
    NoWork,
    #[error(
        "a ring or an argument refers to a tile or flag line outside of its cluster of {tiles} \
         tiles"
    )]
    Cluster { tiles: usize },
    #[error(
        "its pieces cannot be a grid of {rows}x{columns}: they are not a multiple, or there are \
         several tiles"
    )]
    Grid { rows: u32, columns: u32 },
    #[error(
        "argument {argument} of core {core} concerns a grid of workers, which the kernel has not, \
         or another axis than 0 and 1"
    )]
    GridArgument {
        core: &'static str,
        argument: Argument,
    },
    #[error("the image of core {core} has {words} words; it can have 1 to {room}")]
    ImageSize {
        core: &'static str,
        words: usize,
        room: usize,
    },
    #[error("the image of core {core}: {what}")]
    Image {
        core: &'static str,
        what: &'static str,
    },
    #[error("core {core} has {found} arguments, but room for {room}")]
    ImageArguments {
        core: &'static str,
        found: usize,
        room: usize,
    },
    #[error(
        "an argument of core {core} is where tensor {tensor} begins, but the kernel has {tensors} \
         tensors"
    )]
    ImageTensor {
        core: &'static str,
        tensor: u32,
        tensors: usize,
    },
    #[error("it has rank {0}, more than the limit of {MAX_RANK}")]
    Rank(usize),
    #[error("its shape {} has an extent of 0", Extents(.0))]
    ZeroExtent(Vec<u64>),
    #[error("a tensor of shape {} is larger than the limit of {MAX_TENSOR_BYTES} \
             bytes", Extents(.0))]
    TooLarge(Vec<u64>),
    #[error("tensor {0} is not declared")]
    Undeclared(GlobalId),
    #[error("tensor {0} is defined a second time")]
    Redefined(GlobalId),
    #[error("tensor {0} is used but not defined before, or was deallocated")]
    NotLive(GlobalId),
    #[error("the constant has {found} bytes, its tensor {expected}")]
    ConstantSize { found: u64, expected: u64 },
    #[error("{op} cannot go from {from} to {to} memory")]
    Memory {
        op: &'static str,
        from: MemorySpace,
        to: MemorySpace,
    },
    #[error("a kernel group cannot hold a {0}")]
    InGroup(&'static str),
    #[error("there is no kernel {0}")]
    NoKernel(u32),
    #[error(
        "kernel {kernel} takes {inputs} inputs and {outputs} outputs, but is given {args} arguments"
    )]
    Arity {
        kernel: u32,
        inputs: usize,
        outputs: usize,
        args: usize,
    },
    #[error(
        "kernel {kernel} is given tensor {id} to read, which the group does not read from outside"
    )]
    KernelInput { kernel: u32, id: GlobalId },
    #[error(
        "kernel {kernel} is given tensors {found:?} to write, but the group defines {expected:?}"
    )]
    KernelOutputs {
        kernel: u32,
        found: Vec<GlobalId>,
        expected: Vec<GlobalId>,
    },
    #[error("two kernels are for {target}{}", on(*arch))]
    DuplicateTarget {
        target: &'static str,
        arch: Option<Arch>,
    },
    #[error("it has no group of kernels over tiles")]
    NoGroup,
    #[error("it reads {inputs} tensors, but has {tensors}")]
    TooFewTensors { inputs: u16, tensors: usize },
    #[error("group {number}, {invalid}")]
    Group {
        number: usize,
        invalid: Box<tessera_pto::validate::Invalid>,
    },
    #[error("kernel {kernel} expects {tensor} as tensor {id}, which has another type")]
    KernelTensor {
        kernel: u32,
        id: GlobalId,
        tensor: String,
    },
    #[error("group {0} has other tensors than the first one")]
    GroupTensors(usize),
    #[error("argument {argument} lies in {memory}: the host puts tensors into DRAM only")]
    MncoreMemory {
        argument: usize,
        memory: &'static str,
    },
    #[error("argument {argument}, a tensor of {elements} elements, has a layout of {found}")]
    MncoreElements {
        argument: usize,
        elements: u64,
        found: u64,
    },
    #[error("argument {argument} has a view that does not fit its tensor: {error}")]
    MncoreView { argument: usize, error: ViewError },
    #[error(
        "argument {argument} is stored as {storage}, which has {stored} bits, but its layout has \
         elements of {found} bits"
    )]
    MncoreWidth {
        argument: usize,
        storage: MncoreStorage,
        stored: u32,
        found: u32,
    },
    #[error("argument {argument} of {element} cannot be stored as {storage}")]
    MncoreStorage {
        argument: usize,
        element: Element,
        storage: MncoreStorage,
    },
    #[error(
        "the layout of argument {argument} holds partial sums: the kernel must add them up before \
         the host can read the tensor"
    )]
    MncoreSums { argument: usize },
    #[error(
        "argument {argument} spans {bytes} bytes of DRAM, more than the limit of \
         {MAX_IMAGE_BYTES}: choose a layout with fewer replicas or less padding"
    )]
    MncoreImage { argument: usize, bytes: u64 },
    #[error(
        "arguments {first} and {second} overlap: they have long words {first_words:#x?} and \
         {second_words:#x?} of the DRAM of group {group}"
    )]
    MncoreOverlap {
        first: usize,
        second: usize,
        first_words: Range<u64>,
        second_words: Range<u64>,
        group: usize,
    },
    #[error("its units: {0}")]
    MncoreUnits(Box<UnpackError>),
    #[error("line {line} of its listing, `{statement}`: {message}")]
    MncoreStatement {
        line: u32,
        statement: String,
        message: String,
    },
    #[error("the places of its instructions: {0}")]
    MncoreRuns(&'static str),
}

/// Returns ` on <architecture>` if there is one, otherwise nothing.
fn on(arch: Option<Arch>) -> String {
    arch.map_or_else(String::new, |arch| format!(" on {arch}"))
}

impl Problem {
    pub(super) fn with_place(self, place: impl FnOnce() -> String) -> ValidateError {
        ValidateError {
            place: place(),
            problem: self,
        }
    }
}
