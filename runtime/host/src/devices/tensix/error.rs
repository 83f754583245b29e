//! Errors of the Tensix device.

use tessera_isa_tensix::DecodeError;
use tessera_program::{DataType, GlobalId};
use tessera_tensix::dram::DramError;
use tessera_tensix::trap::Reason;
use tessera_tensix::Trap;

use super::{NAME, PIPELINE};
use crate::device::{map_place, DeviceFailure};
use crate::devices::REFERENCE;

/// Why the device cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum TensixError {
    /// A program for other chips.
    #[error(
        "the program is compiled for {chips}, and not for a Tensix chip: compile it with \
         ttmlir-opt {PIPELINE}, or run it with --device {devices}"
    )]
    NoTensix {
        /// Names of its chips.
        chips: String,
        /// Names of devices that run it.
        devices: String,
    },
    /// A tensor of a type the device cannot hold.
    #[error(
        "tensor {id} is {data_type}, but this device holds bf16, f32 and si32 only; compile the \
         model with such tensors, or run it with --device {REFERENCE}"
    )]
    DataType {
        /// The tensor.
        id: GlobalId,
        /// Its type.
        data_type: DataType,
    },
    /// No room.
    #[error(
        "tensor {id} needs {needed} bytes in a row in each DRAM bank of {bank} bytes, and there \
         are not that many free: deallocate tensors earlier"
    )]
    OutOfMemory {
        /// The tensor.
        id: GlobalId,
        /// Bytes in each bank.
        needed: u64,
        /// Bytes of a bank.
        bank: u64,
    },
    /// The padding of a tensor is not zero.
    #[error(
        "the kernel left {bits:#06x} in the padding of tensor {id}, at row {row} and column \
         {column} of its tiles: padding must be +0 at every operation's end"
    )]
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
    #[error(
        "kernel '{kernel}' is given tensor {id}, which lies in host memory: kernels read and write \
         DRAM only, so give it a dram memory config"
    )]
    NotInDram {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
    },
    /// A kernel of lists is given a tensor of other pages than it moves.
    #[error(
        "kernel '{kernel}' is given tensor {id} of {data_type}, but kernels of lists move bf16 \
         tiles: give it a bf16 tensor"
    )]
    ListElement {
        /// Name of the kernel.
        kernel: String,
        /// The tensor.
        id: GlobalId,
        /// Its type.
        data_type: DataType,
    },
    /// A pushed word of a kernel is not an instruction.
    #[error("kernel '{kernel}': entry {entry} of its {list} list: {error}")]
    Word {
        /// Name of the kernel.
        kernel: String,
        /// The list.
        list: &'static str,
        /// Index of the entry.
        entry: usize,
        /// Why it is not an instruction.
        error: DecodeError,
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
    #[error("kernel '{kernel}' on worker {worker} of {workers}{}{place}: \
             {trap}{}", of_cluster(.tile), on_purpose(.trap))]
    ImageTrap {
        /// Name of the kernel.
        kernel: String,
        /// Which tile, or cluster of tiles, from 0 on.
        worker: u32,
        /// The number of tiles or clusters that share the work.
        workers: u32,
        /// Which tile of its cluster.
        tile: Option<usize>,
        /// ` at ` and the source location of the code, or nothing.
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
    /// A word of an image is not an instruction.
    #[error("kernel '{kernel}': core {core}, pc {pc:#x}: {error}")]
    ImageWord {
        /// Name of the kernel.
        kernel: String,
        /// The core.
        core: &'static str,
        /// Address of the word.
        pc: u32,
        /// Why it is not an instruction.
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

impl DeviceFailure for TensixError {
    fn stopped_target(&self) -> Option<&'static str> {
        matches!(self, TensixError::ImageTrap { .. }).then_some(NAME)
    }

    fn map_locations(&mut self, function: &dyn Fn(&str) -> String) {
        if let TensixError::ImageTrap { place, .. } = self {
            map_place(place, function);
        }
    }
}

/// Returns the reason for which generated code executes an `ebreak`.
fn on_purpose(trap: &Trap) -> &'static str {
    match &trap.reason {
        Reason::Riscv(riscv) if riscv.reason == tessera_riscv::Reason::Ebreak => {
            "; compiled code stops so where a number is larger than the operation there lets it be"
        }
        _ => "",
    }
}

/// Returns `, tile 1` for a tile of a cluster, otherwise nothing.
fn of_cluster(tile: &Option<usize>) -> String {
    tile.map(|tile| format!(", tile {tile}"))
        .unwrap_or_default()
}
