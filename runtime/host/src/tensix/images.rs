//! Kernels of RISC-V images: their work is spread over tiles.
//!
//! Worker k of n does the pieces from `work * k / n` to `work * (k + 1) / n`, so that shares differ by one piece at most. Workers
//! share nothing but DRAM, in which pieces do not meet; so it does not matter in which order the model runs them, and it
//! runs one after the other.

use tessera_isa_tensix::tile::{self, Argument};
use tessera_isa_tensix::Instruction;
use tessera_program::{CoreImage, TensixImages};
use tessera_riscv::Op;
use tessera_tensix::trap::Place;
use tessera_tensix::{Launch, Machine, Stats, TensorArg, Trap};

use super::TensixOptions;
use crate::DeviceError;

/// See [`TensixOptions::limit`].
const LIMIT: u64 = 1 << 32;

/// Runs a kernel; gives what each worker executed.
pub(super) fn run(
    machine: &mut Machine,
    kernel: &str,
    body: &TensixImages,
    tensors: &[TensorArg],
    options: &TensixOptions,
) -> Result<Vec<Stats>, DeviceError> {
    let most = options.workers.unwrap_or(tile::WORKERS).max(1);
    let workers = body.work.min(most).min(tile::WORKERS);
    (0..workers)
        .map(|worker| {
            let piece = |worker: u32| u64::from(body.work) * u64::from(worker) / u64::from(workers);
            let pieces = (piece(worker) as u32, piece(worker + 1) as u32);
            let args = body
                .cores
                .each_ref()
                .map(|core| arguments(core, tensors, pieces));
            let seed = |seed: u64| {
                seed.wrapping_mul(u64::from(tile::WORKERS))
                    .wrapping_add(worker.into())
            };
            let launch = Launch {
                images: body.cores.each_ref().map(|core| core.image.words()),
                args: args.each_ref().map(Vec::as_slice),
                dm: &[],
                tensors: &[],
                order: options.order_seed.map(seed),
                limit: options.limit.unwrap_or(LIMIT),
            };
            machine
                .run_images(&launch, seed(options.schedule_seed))
                .map_err(|trap| DeviceError::ImageTrap {
                    kernel: kernel.to_owned(),
                    worker,
                    workers,
                    place: place(body, &trap),
                    trap: Box::new(trap),
                })
        })
        .collect()
}

/// The argument block of a core. Banks have at most 4 GiB, so that a base fits into a word.
fn arguments(core: &CoreImage, tensors: &[TensorArg], (first, last): (u32, u32)) -> Vec<u32> {
    let word = |argument: &Argument| match *argument {
        Argument::Base(tensor) => tensors[tensor as usize].base as u32,
        Argument::Imm(value) => value,
        Argument::First => first,
        Argument::Last => last,
    };
    core.arguments.iter().map(word).collect()
}

/// ` at ` where the code of a trap comes from, if it is known.
fn place(body: &TensixImages, trap: &Trap) -> String {
    match trap.place {
        Some(Place::Pc(pc)) => body.place(pc).filter(|place| !place.is_empty()),
        _ => None,
    }
    .map(|place| format!(" at {place}"))
    .unwrap_or_default()
}

/// Whether every word of the images is an instruction, and every one that is pushed without being computed.
pub(super) fn check(kernel: &str, body: &TensixImages) -> Result<(), DeviceError> {
    for (core, image) in body.cores.iter().enumerate() {
        for (at, &word) in image.image.words().iter().enumerate() {
            let error = match tessera_riscv::Instruction::decode(word) {
                Err(error) => Some(error.to_string()),
                Ok(instruction) if instruction.op == Op::Ttinsn => {
                    let pushed = Instruction::decode(body.arch, instruction.imm as u32);
                    pushed.err().map(|error| error.to_string())
                }
                Ok(_) => None,
            };
            if let Some(error) = error {
                return Err(DeviceError::ImageWord {
                    kernel: kernel.to_owned(),
                    core: tile::CORES[core],
                    pc: tile::IMAGES[core].start + 4 * at as u32,
                    error,
                });
            }
        }
    }
    Ok(())
}
