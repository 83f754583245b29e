//! Kernels of RISC-V images, distributed over tiles.
//!
//! Worker `k` of `n` executes the pieces from `work * k / n` to `work * (k + 1) / n`, so that
//! shares differ by at most one piece. A worker is a tile, or a cluster of tiles that run together.
//! Workers share only DRAM, where pieces do not overlap. Their order is therefore irrelevant, and
//! the model runs them on several threads.
//!
//! The tiles of a kernel with a grid exchange operands, so they form a single worker: the largest
//! [`WorkerGrid`] that divides the grid of pieces. All of them execute the same passes.

use tessera_isa_tensix::tile::{self, Argument};
use tessera_isa_tensix::worker_grid::WorkerGrid;
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
    let all = tile::workers(body.arch);
    let most = options.workers.unwrap_or(all).min(all);
    let workers = distribute(kernel, body, tensors, most)?;
    let blocks: Vec<_> = workers.iter().map(|worker| worker.blocks(body)).collect();
    let launches: Vec<_> = (0..)
        .zip(workers.iter().zip(&blocks))
        .map(|(number, (worker, blocks))| {
            let seed = |seed: u64| seed.wrapping_mul(u64::from(all)).wrapping_add(number);
            let order = options.order_seed.map(seed);
            let launch = launch(body, worker, blocks, order, limit);
            (launch, options.schedule_seed.map(seed).into())
        })
        .collect();
    let mut stats = Vec::new();
    let ran = machine.run_chips(&launches, threads);
    for ((number, (launch, _)), ran) in (0..).zip(&launches).zip(ran) {
        stats.extend(ran.map_err(|stopped| {
            let tile = launch
                .tiles
                .iter()
                .position(|tile| Some(tile.coordinate) == stopped.tile)
                .unwrap_or(0);
            let (worker, workers, tile) = match body.grid {
                Some(_) => (tile as u32, launch.tiles.len() as u32, 0),
                None => (number, workers.len() as u32, tile),
            };
            TensixError::ImageTrap {
                kernel: kernel.to_owned(),
                worker,
                workers,
                tile: (body.tiles.len() > 1).then_some(tile),
                place: place(body, tile, &stopped.trap),
                trap: stopped.trap,
            }
        })?);
    }
    Ok(stats)
}

/// Distributes the work of a kernel over at most `workers` tiles.
fn distribute<'a>(
    kernel: &str,
    body: &TensixImages,
    tensors: &'a [TensorArg],
    workers: u32,
) -> Result<Vec<Worker<'a>>, TensixError> {
    let arch = body.arch;
    if let Some(pieces) = body.grid {
        let grid = WorkerGrid::largest(arch, workers, pieces);
        return Ok(vec![Worker {
            arch,
            tensors,
            pieces: (0, body.work / grid.tiles()),
            tiles: Tiles::Grid(grid),
        }]);
    }
    let tiles = body.tiles.len() as u32;
    if workers < tiles {
        return Err(TensixError::FewerTiles {
            kernel: kernel.to_owned(),
            tiles,
            workers,
        });
    }
    let clusters = body.work.min(workers / tiles);
    let piece = |k: u32| (u64::from(body.work) * u64::from(k) / u64::from(clusters)) as u32;
    let worker = |k: u32| Worker {
        arch,
        tensors,
        pieces: (piece(k), piece(k + 1)),
        tiles: Tiles::Cluster { first: k * tiles },
    };
    Ok((0..clusters).map(worker).collect())
}

/// Returns the launch of a worker, with the argument blocks of its cores.
fn launch<'a>(
    body: &'a TensixImages,
    worker: &Worker,
    blocks: &'a [[Vec<u32>; 5]],
    order: Option<u64>,
    limit: u64,
) -> ChipLaunch<'a> {
    let line = |counter: u32| tile::LINES.start + tile::LINE * counter;
    let tiles = (0..).zip(blocks);
    let rings = body.rings.iter();
    ChipLaunch {
        tiles: tiles
            .map(|(k, args)| TileLaunch {
                coordinate: worker.coordinate(k),
                launch: Launch {
                    images: worker
                        .cores(body, k)
                        .each_ref()
                        .map(|core| core.image.words()),
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
                ready: (worker.coordinate(ring.consumer), line(ring.ready)),
                freed: (worker.coordinate(ring.producer), line(ring.freed)),
            })
            .collect(),
        split: order.is_some(),
    }
}

/// The tiles of a worker.
enum Tiles {
    /// A tile, or a cluster of neighbouring tiles, from the one with this number on.
    Cluster { first: u32 },
    /// A grid of tiles, which all run the same images.
    Grid(WorkerGrid),
}

/// Tiles that run together, and the inputs of the argument blocks of their cores.
struct Worker<'a> {
    arch: Arch,
    tensors: &'a [TensorArg],
    /// The first piece of work, and the one after the last; in a grid, passes over the pieces.
    pieces: (u32, u32),
    tiles: Tiles,
}

impl Worker<'_> {
    fn coordinate(&self, tile: u32) -> tile::Coordinate {
        match &self.tiles {
            Tiles::Cluster { first } => tile::worker(self.arch, first + tile),
            Tiles::Grid(grid) => grid.coordinate(tile),
        }
    }

    /// Returns the images of a tile.
    fn cores<'b>(&self, body: &'b TensixImages, tile: u32) -> &'b [CoreImage; 5] {
        match &self.tiles {
            Tiles::Cluster { .. } => &body.tiles[tile as usize],
            Tiles::Grid(_) => &body.tiles[0],
        }
    }

    /// Returns the argument blocks of the cores of each tile.
    fn blocks(&self, body: &TensixImages) -> Vec<[Vec<u32>; 5]> {
        let tiles = match &self.tiles {
            Tiles::Cluster { .. } => body.tiles.len() as u32,
            Tiles::Grid(grid) => grid.tiles(),
        };
        let of_tile = |tile| {
            let cores = self.cores(body, tile).each_ref();
            cores.map(|core| self.block(tile, core))
        };
        (0..tiles).map(of_tile).collect()
    }

    /// Returns the argument block of a core. Banks have at most 4 GiB, so that a base fits into a
    /// word.
    fn block(&self, tile: u32, core: &CoreImage) -> Vec<u32> {
        let word = |argument: &Argument| match *argument {
            Argument::Base(tensor) => self.tensors[tensor as usize].base as u32,
            Argument::Imm(value) => value,
            Argument::First => self.pieces.0,
            Argument::Last => self.pieces.1,
            Argument::Peer(peer) => noc::upper_half(self.arch, self.coordinate(peer)),
            // Validated: the kernel has a grid if there is such an argument.
            of_grid => match &self.tiles {
                Tiles::Grid(grid) => grid.argument(tile, of_grid).unwrap_or_default(),
                Tiles::Cluster { .. } => 0,
            },
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
