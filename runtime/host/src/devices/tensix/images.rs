//! Kernels of RISC-V images, distributed over tiles.
//!
//! Worker `k` of `n` executes the pieces from `work * k / n` to `work * (k + 1) / n`, so that
//! shares differ by at most one piece. A worker is a tile, or a cluster of tiles that run together.
//! Workers share only DRAM, where pieces do not overlap. Their order is therefore irrelevant, and
//! the model runs them on several threads.

use tessera_isa_tensix::tile::{self, Argument};
use tessera_isa_tensix::{noc, Arch, Instruction};
use tessera_program::{CoreImage, TensixImages};
use tessera_riscv::Op;
use tessera_tensix::trap::TrapLocation;
use tessera_tensix::{ChipLaunch, Launch, Machine, Ring, Stats, TensorArg, TileLaunch, Trap};

use super::{TensixError, TensixOptions};

/// Runs a kernel and returns the statistics of each tile.
pub(super) fn run(
    machine: &mut Machine,
    kernel: &str,
    body: &TensixImages,
    tensors: &[TensorArg],
    options: &TensixOptions,
    (threads, limit): (usize, u64),
) -> Result<Vec<Stats>, TensixError> {
    let tiles = body.tiles.len() as u32;
    let all = tile::workers(body.arch);
    let workers = options.workers.unwrap_or(all).min(all);
    if workers < tiles {
        return Err(TensixError::FewerTiles {
            kernel: kernel.to_owned(),
            tiles,
            workers,
        });
    }
    let clusters = body.work.min(workers / tiles);
    let piece = |k: u32| (u64::from(body.work) * u64::from(k) / u64::from(clusters)) as u32;
    let arguments: Vec<_> = (0..clusters)
        .map(|cluster| Arguments {
            arch: body.arch,
            tensors,
            pieces: (piece(cluster), piece(cluster + 1)),
            first_tile: cluster * tiles,
        })
        .collect();
    let blocks: Vec<Vec<[Vec<u32>; 5]>> = arguments
        .iter()
        .map(|arguments| {
            let tiles = body.tiles.iter();
            tiles
                .map(|cores| cores.each_ref().map(|core| arguments.block(core)))
                .collect()
        })
        .collect();
    let launches: Vec<_> = (0..clusters)
        .zip(arguments.iter().zip(&blocks))
        .map(|(cluster, (arguments, blocks))| {
            let seed = |seed: u64| {
                seed.wrapping_mul(u64::from(all))
                    .wrapping_add(cluster.into())
            };
            let order = options.order_seed.map(seed);
            let launch = launch(body, arguments, blocks, order, limit);
            (launch, options.schedule_seed.map(seed).into())
        })
        .collect();
    let mut stats = Vec::new();
    let ran = machine.run_chips(&launches, threads);
    for ((cluster, (launch, _)), ran) in (0..).zip(&launches).zip(ran) {
        stats.extend(ran.map_err(|stopped| {
            let tile = launch
                .tiles
                .iter()
                .position(|tile| Some(tile.coordinate) == stopped.tile)
                .unwrap_or(0);
            TensixError::ImageTrap {
                kernel: kernel.to_owned(),
                worker: cluster,
                workers: clusters,
                tile: (tiles > 1).then_some(tile),
                place: place(body, tile, &stopped.trap),
                trap: stopped.trap,
            }
        })?);
    }
    Ok(stats)
}

/// Returns the launch of a cluster, with the argument blocks of its cores.
fn launch<'a>(
    body: &'a TensixImages,
    arguments: &Arguments,
    blocks: &'a [[Vec<u32>; 5]],
    order: Option<u64>,
    limit: u64,
) -> ChipLaunch<'a> {
    let line = |counter: u32| tile::LINES.start + tile::LINE * counter;
    let tiles = (0..).zip(body.tiles.iter().zip(blocks));
    let rings = body.rings.iter();
    ChipLaunch {
        tiles: tiles
            .map(|(k, (cores, args))| TileLaunch {
                coordinate: arguments.coordinate(k),
                launch: Launch {
                    images: cores.each_ref().map(|core| core.image.words()),
                    args: args.each_ref().map(Vec::as_slice),
                    dm: &[],
                    tensors: &[],
                    order: order.map(|order| order ^ u64::from(k) << 32),
                    limit,
                },
            })
            .collect(),
        rings: rings
            .map(|ring| Ring {
                ready: (arguments.coordinate(ring.consumer), line(ring.ready)),
                freed: (arguments.coordinate(ring.producer), line(ring.freed)),
            })
            .collect(),
        split: order.is_some(),
    }
}

/// The inputs of the argument blocks of a cluster's cores.
struct Arguments<'a> {
    arch: Arch,
    tensors: &'a [TensorArg],
    /// The first piece of work, and the one after the last.
    pieces: (u32, u32),
    /// The worker that is tile 0; those after it are the other tiles.
    first_tile: u32,
}

impl Arguments<'_> {
    fn coordinate(&self, tile: u32) -> tile::Coordinate {
        tile::worker(self.arch, self.first_tile + tile)
    }

    /// Returns the argument block of a core. Banks have at most 4 GiB, so that a base fits into a
    /// word.
    fn block(&self, core: &CoreImage) -> Vec<u32> {
        let word = |argument: &Argument| match *argument {
            Argument::Base(tensor) => self.tensors[tensor as usize].base as u32,
            Argument::Imm(value) => value,
            Argument::First => self.pieces.0,
            Argument::Last => self.pieces.1,
            Argument::Peer(tile) => noc::upper_half(self.arch, self.coordinate(tile)),
        };
        core.arguments.iter().map(word).collect()
    }
}

/// Returns ` at ` and the source location of the code of a trap, or an empty text if it is unknown.
fn place(body: &TensixImages, tile: usize, trap: &Trap) -> String {
    match trap.place {
        Some(TrapLocation::Pc(pc)) => body.place(tile, pc).filter(|place| !place.is_empty()),
        _ => None,
    }
    .map(|place| format!(" at {place}"))
    .unwrap_or_default()
}

/// Checks that every word of the images is a valid instruction, and every constant word that is
/// pushed.
pub(super) fn check(kernel: &str, body: &TensixImages) -> Result<(), TensixError> {
    for (core, image) in body.tiles.iter().flat_map(|cores| cores.iter().enumerate()) {
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
                return Err(TensixError::ImageWord {
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
