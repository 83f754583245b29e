//! What a device is to a run.

use tessera_isa_mncore::layout::LayoutError;
use tessera_isa_mncore::unit::UnpackError;
use tessera_isa_tensix::Arch;
use tessera_program::{DataType, GlobalId, MemorySpace, Operation};
use tessera_reference::{EvalError, Tensor, TensorError, Values};
use tessera_tensix::dram::DramError;
use tessera_tensix::trap::Reason;
use tessera_tensix::Trap;

use crate::devices::mncore::PIPELINE;
use crate::golden::numerics::Numerics;

/// The tensors of one run of one program, and a way to execute its operations on them.
pub trait Device {
    /// Name, as `ttrt --device` takes it.
    fn name(&self) -> &'static str;

    /// Defines tensor `id`, whose shape and type are the tensor's.
    ///
    /// # Errors
    /// If the device has no place for it.
    fn write(&mut self, id: GlobalId, tensor: Tensor) -> Result<(), DeviceError>;

    /// The tensor `id` as it is now.
    ///
    /// # Errors
    /// If it is not defined, or what the device holds is no tensor.
    fn read(&mut self, id: GlobalId) -> Result<Tensor, DeviceError>;

    /// Executes one operation of the program.
    ///
    /// # Errors
    /// If the operation fails or the device cannot do it.
    fn execute(&mut self, operation: &Operation) -> Result<(), DeviceError>;

    /// How it computes an operation, which the bounds of the results are made from.
    fn numerics(&self, operation: &Operation) -> Numerics;
}

/// What a device holds for a tensor.
pub(crate) fn value(values: &Values, id: GlobalId) -> Result<&Tensor, DeviceError> {
    values.get(id).ok_or(DeviceError::Undefined(id))
}

/// Why a device cannot do something.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DeviceError {
    /// An operation has no result.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A tensor cannot be made.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// The program does not declare a tensor.
    #[error("tensor {0} is not declared")]
    Undeclared(GlobalId),
    /// A tensor has no value.
    #[error("tensor {0} has no value")]
    Undefined(GlobalId),
    /// A tensor of a type the device cannot hold.
    #[error("tensor {id} is {data_type}, but this device holds bf16, f32 and si32 only; compile the model with such tensors, or run it with --device reference")]
    DataType {
        /// The tensor.
        id: GlobalId,
        /// Its type.
        data_type: DataType,
    },
    /// A tensor in a memory the runtime does not allocate.
    #[error("tensor {id} lies in {memory}, but the runtime places tensors in DRAM and host memory only: give it a dram memory config")]
    Memory {
        /// The tensor.
        id: GlobalId,
        /// Its memory.
        memory: MemorySpace,
    },
    /// No room.
    #[error("tensor {id} needs {needed} bytes in a row in each DRAM bank of {bank} bytes, and there are not that many free: deallocate tensors earlier")]
    OutOfMemory {
        /// The tensor.
        id: GlobalId,
        /// Bytes in each bank.
        needed: u64,
        /// Bytes of a bank.
        bank: u64,
    },
    /// An operation outside a kernel group.
    #[error("{op} has no kernel: this device runs kernels and moves tensors, nothing else; compile the module with ttmlir-opt {pipeline}, or run it with --device reference")]
    NoKernel {
        /// The operation.
        op: &'static str,
        /// The pipeline that makes kernels for the device.
        pipeline: &'static str,
    },
    /// A kernel group without kernels over tiles.
    #[error("the group has no kernels over tiles: compile the module with ttmlir-opt --ttir-to-tensix-pipeline, or run it with --device reference")]
    NoGroups,
    /// Kernels over tiles that are not well formed.
    #[error("{0}")]
    Group(Box<tessera_pto::validate::Invalid>),
    /// A kernel over tiles stopped.
    #[error("kernel '{kernel}': {trap}")]
    Interpreter {
        /// Name of the kernel.
        kernel: String,
        /// Where and why.
        trap: Box<tessera_pto::trap::Trap>,
    },
    /// A kernel group without a kernel for this device.
    #[error("the group has no kernel for tensix on {arch}: compile the module for that system, or run it with --device reference")]
    NoKernelFor {
        /// The device.
        arch: Arch,
    },
    /// A program for other chips.
    #[error("the program is compiled for {chips}, and not for a Tensix chip: compile it with ttmlir-opt --ttir-to-tensix-pipeline, or run it with --device mncore or reference")]
    NoTensix {
        /// Names of its chips.
        chips: String,
    },
    /// A kernel group without a kernel for MN-Core 2.
    #[error("the group has no kernel for mncore: compile the module with ttmlir-opt {PIPELINE}, or run it with --device reference")]
    NoMncoreKernel,
    /// An argument of a kernel for MN-Core 2 that is no number.
    #[error("kernel '{kernel}' is given tensor {id}, whose element {element}, row-major from 0 on, is NaN: the chip has no NaN and would take it for an infinity")]
    NotANumber {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// The first such element.
        element: usize,
    },
    /// A result that a kernel for MN-Core 2 did not write.
    #[error(
        "kernel '{kernel}' did not write element {element}, row-major from 0 on, of tensor {id}"
    )]
    Unwritten {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// The first such element.
        element: usize,
    },
    /// A tensor that does not fit the layout of a kernel's argument.
    #[error("kernel '{kernel}', tensor {id}: {error}")]
    Layout {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// Why.
        error: Box<LayoutError>,
    },
    /// Units that are no instructions.
    #[error("kernel '{kernel}': {error}")]
    Units {
        /// Name of the kernel.
        kernel: String,
        /// Why.
        error: Box<UnpackError>,
    },
    /// A kernel for MN-Core 2 stopped.
    #[error("kernel '{kernel}', step {step}, line {line} of its listing{place}: {reason} (ttrt read --section kernels lists it{})", options_of(.reason))]
    Board {
        /// Name of the kernel.
        kernel: String,
        /// The step, or that before which an MV instruction is issued, from 0 on.
        step: usize,
        /// The line of the listing.
        line: u32,
        /// ` at ` where in the source the instruction comes from, or nothing.
        place: String,
        /// Why.
        reason: Box<tessera_mncore::trap::Reason>,
    },
    /// The padding of a tensor is not zero.
    #[error("the kernel left {bits:#06x} in the padding of tensor {id}, at row {row} and column {column} of its tiles: padding must be +0 at every operation's end")]
    Padding {
        /// The tensor.
        id: GlobalId,
        /// Row in the padded tensor.
        row: usize,
        /// Column in the padded tensor.
        column: usize,
        /// What is there.
        bits: u32,
    },
    /// A kernel's argument is not in DRAM.
    #[error("kernel '{kernel}' is given tensor {id}, which lies in host memory: kernels read and write DRAM only, so give it a dram memory config")]
    NotInDram {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
    },
    /// A kernel of lists is given a tensor of other pages than it moves.
    #[error("kernel '{kernel}' is given tensor {id} of {data_type}, but kernels of lists move bf16 tiles: give it a bf16 tensor")]
    ListElement {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// Its type.
        data_type: DataType,
    },
    /// A pushed word of a kernel is no instruction.
    #[error("kernel '{kernel}': entry {entry} of its {list} list: {error}")]
    Word {
        /// Name of the kernel.
        kernel: String,
        /// The list.
        list: &'static str,
        /// Index of the entry.
        entry: usize,
        /// Why it is none.
        error: tessera_isa_tensix::DecodeError,
    },
    /// A kernel stopped.
    #[error("kernel '{kernel}' (entry numbers count from 0 in its list): {trap}")]
    Trap {
        /// Name of the kernel.
        kernel: String,
        /// Where and why.
        trap: Box<Trap>,
    },
    /// A kernel of RISC-V images stopped.
    #[error("kernel '{kernel}' on worker {worker} of {workers}{}{place}: {trap}{}", of_cluster(.tile), on_purpose(.trap))]
    ImageTrap {
        /// Name of the kernel.
        kernel: String,
        /// Which tile, or cluster of tiles, from 0 on.
        worker: u32,
        /// How many had a share.
        workers: u32,
        /// Which tile of its cluster.
        tile: Option<usize>,
        /// ` at ` where in the source the code comes from, or nothing.
        place: String,
        /// Where and why.
        trap: Box<Trap>,
    },
    /// A kernel runs on more tiles at once than there may be.
    #[error("kernel '{kernel}' runs on {tiles} tiles at once, but may have {workers}")]
    FewerTiles {
        /// Name of the kernel.
        kernel: String,
        /// Tiles of a cluster.
        tiles: u32,
        /// Tiles that there may be.
        workers: u32,
    },
    /// A word of an image is no instruction.
    #[error("kernel '{kernel}': core {core}, pc {pc:#x}: {error}")]
    ImageWord {
        /// Name of the kernel.
        kernel: String,
        /// The core.
        core: &'static str,
        /// Address of the word.
        pc: u32,
        /// Why it is none.
        error: String,
    },
    /// The host accessed DRAM where it must not.
    #[error("tensor {id}: {error}")]
    Dram {
        /// The tensor.
        id: GlobalId,
        /// Where and why.
        error: DramError,
    },
}

impl DeviceError {
    /// The target of the kernel whose code stopped at a source location; nothing for other errors.
    pub(crate) fn stopped_target(&self) -> Option<&'static str> {
        match self {
            DeviceError::ImageTrap { .. } => Some("tensix"),
            DeviceError::Board { .. } => Some("mncore"),
            DeviceError::Interpreter { .. } => Some("pto"),
            _ => None,
        }
    }

    /// Replaces the source locations at which code stopped.
    pub(crate) fn map_locations(&mut self, function: impl Fn(&str) -> String) {
        match self {
            DeviceError::ImageTrap { place, .. } | DeviceError::Board { place, .. } => {
                if let Some(location) = place.strip_prefix(" at ") {
                    *place = format!(" at {}", function(location));
                }
            }
            DeviceError::Interpreter { trap, .. } => trap.map_locations(function),
            _ => {}
        }
    }
}

/// Whose the options are that a reason to stop names, where they are not those of `ttrt run`.
fn options_of(reason: &tessera_mncore::trap::Reason) -> &'static str {
    use tessera_mncore::trap::Reason::{NeverWritten, Race, TagUnknown};
    match reason {
        NeverWritten { .. } | Race { .. } | TagUnknown { .. } => "; the option is of mncore-emu",
        _ => "",
    }
}

/// Why code of ours has an `ebreak`.
fn on_purpose(trap: &Trap) -> &'static str {
    match &trap.reason {
        Reason::Riscv(riscv) if riscv.reason == tessera_riscv::Reason::Ebreak => {
            "; compiled code stops so where a number is larger than the operation there lets it be"
        }
        _ => "",
    }
}

/// `, tile 1` of a cluster.
fn of_cluster(tile: &Option<usize>) -> String {
    tile.map(|tile| format!(", tile {tile}"))
        .unwrap_or_default()
}
