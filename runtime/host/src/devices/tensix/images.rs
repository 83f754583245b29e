//! Kernels of RISC-V images, distributed over tiles.
//!
//! Worker `k` of `n` executes the pieces from `work * k / n` to `work * (k + 1) / n`, so that
//! shares differ by at most one piece. A worker is a tile, or a cluster of tiles that run together.
//! Workers share only DRAM, where pieces do not overlap. Their order is therefore irrelevant, and
//! the model runs them on several threads.
//!
//! The tiles of a grid ([`TensixImages::rows`]) run together, as they send operands to each other.
//! Each executes a rectangle of pieces; all rectangles have the same size.

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
    let shares = shares(body, workers);
    let clusters = shares.len() as u32;
    let arguments: Vec<Vec<_>> = (shares.into_iter())
        .map(|tiles| {
            let tiles = tiles.into_iter();
            let of_tile = |share| Arguments {
                arch: body.arch,
                tensors,
                share,
            };
            tiles.map(of_tile).collect()
        })
        .collect();
    let blocks: Vec<Vec<[Vec<u32>; 5]>> = arguments
        .iter()
        .map(|tiles| {
            let tiles = tiles.iter().zip(body.tiles.iter().cycle());
            tiles
                .map(|(arguments, cores)| cores.each_ref().map(|core| arguments.block(core)))
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
                tile: (launch.tiles.len() > 1).then_some(tile),
                place: place(body, tile % body.tiles.len(), &stopped.trap),
                trap: stopped.trap,
            }
        })?);
    }
    Ok(stats)
}

/// Returns the shares of the tiles of each cluster or grid.
fn shares(body: &TensixImages, workers: u32) -> Vec<Vec<Share>> {
    if body.rows > 0 {
        let pieces = [body.rows, body.work / body.rows];
        let size = tile::even_grid(body.arch, pieces, workers);
        let columns = |row| (0..size[1]).map(move |column| [row, column]);
        let places = (0..size[0]).flat_map(columns);
        let share = |place| {
            Share::Rectangle(GridShare {
                pieces,
                size,
                place,
            })
        };
        return vec![places.map(share).collect()];
    }
    let tiles = body.tiles.len() as u32;
    let clusters = body.work.min(workers / tiles);
    let piece = |k: u32| (u64::from(body.work) * u64::from(k) / u64::from(clusters)) as u32;
    let cluster = |cluster: u32| {
        let share = |tile| Share::Range {
            pieces: (piece(cluster), piece(cluster + 1)),
            first_tile: cluster * tiles,
            tile,
        };
        (0..tiles).map(share).collect()
    };
    (0..clusters).map(cluster).collect()
}

/// Returns the launch of a cluster or grid, with the argument blocks of its cores.
fn launch<'a>(
    body: &'a TensixImages,
    arguments: &[Arguments],
    blocks: &'a [[Vec<u32>; 5]],
    order: Option<u64>,
    limit: u64,
) -> ChipLaunch<'a> {
    let line = |counter: u32| tile::LINES.start + tile::LINE * counter;
    let coordinate = |tile: u32| arguments[tile as usize].coordinate();
    let tiles = (0..).zip(body.tiles.iter().cycle().zip(blocks));
    let rings = body.rings.iter();
    ChipLaunch {
        tiles: tiles
            .map(|(k, (cores, args))| TileLaunch {
                coordinate: coordinate(k),
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
                ready: (coordinate(ring.consumer), line(ring.ready)),
                freed: (coordinate(ring.producer), line(ring.freed)),
            })
            .collect(),
        split: order.is_some(),
    }
}

/// The work of a tile, and the tiles that it communicates with.
#[derive(Clone, Copy)]
enum Share {
    /// Consecutive pieces, which the tiles of a cluster execute together.
    Range {
        /// The first piece of work, and the one after the last.
        pieces: (u32, u32),
        /// The worker that is tile 0; those after it are the other tiles.
        first_tile: u32,
        /// The number of this tile in the cluster.
        tile: u32,
    },
    /// A rectangle of pieces.
    Rectangle(GridShare),
}

/// The share of a tile in a grid. Arrays hold a number of rows and one of columns.
#[derive(Clone, Copy)]
struct GridShare {
    /// Pieces of work.
    pieces: [u32; 2],
    /// Tiles of the grid.
    size: [u32; 2],
    /// The row and column of this tile.
    place: [u32; 2],
}

impl GridShare {
    /// Returns the first row or column of pieces of the tile `after` this one.
    fn begin(&self, axis: u32, after: u32) -> u32 {
        let axis = axis as usize;
        self.pieces[axis] / self.size[axis] * (self.place[axis] + after)
    }

    /// Returns the tile that sends to this one on NoC `noc`.
    fn sender(&self, noc: u32) -> [u32; 2] {
        tile::sender(noc, self.size, self.place)
    }

    /// Returns the upper half of addresses in that tile, or all ones if it is this one. 0 is an
    /// address.
    fn sender_address(&self, arch: Arch, noc: u32) -> u32 {
        match self.sender(noc) {
            sender if sender == self.place => u32::MAX,
            sender => noc::upper_half(arch, on_noc(arch, noc, sender)),
        }
    }

    /// Returns the upper half of addresses in all tiles of its column (NoC 0) or row (NoC 1).
    fn rectangle(&self, arch: Arch, noc: u32) -> u32 {
        let end = |k| {
            let mut place = self.place;
            place[noc as usize] = k;
            on_noc(arch, noc, place)
        };
        let [near, far] = [0, self.size[noc as usize] - 1].map(end);
        let least = (near.0.min(far.0), near.1.min(far.1));
        let most = (near.0.max(far.0), near.1.max(far.1));
        noc::rectangle(arch, [least, most])
    }

    /// Returns the number of tiles that receive what this tile sends on NoC `noc`.
    fn receiver_count(&self, noc: u32) -> u32 {
        match self.sender(noc) == self.place {
            true => self.size[noc as usize] - 1,
            false => 0,
        }
    }
}

/// Returns the coordinates on a NoC of the tile at a place of the grid.
fn on_noc(arch: Arch, noc: u32, place: [u32; 2]) -> tile::Coordinate {
    let at = tile::worker(arch, tile::worker_at(arch, place));
    noc::on_noc(arch, noc as usize, at)
}

impl Share {
    /// Returns an argument about the share. Arguments about another kind of share are 0; a checked
    /// program file has none.
    fn word(&self, arch: Arch, argument: Argument) -> u32 {
        match (self, argument) {
            (Share::Range { pieces, .. }, Argument::First) => pieces.0,
            (Share::Range { pieces, .. }, Argument::Last) => pieces.1,
            (Share::Range { first_tile, .. }, Argument::Peer(tile)) => {
                noc::upper_half(arch, tile::worker(arch, first_tile + tile))
            }
            (Share::Rectangle(grid), Argument::Begin(axis)) => grid.begin(axis, 0),
            (Share::Rectangle(grid), Argument::End(axis)) => grid.begin(axis, 1),
            (Share::Rectangle(grid), Argument::Sender(noc)) => grid.sender_address(arch, noc),
            (Share::Rectangle(grid), Argument::Receivers(noc)) => grid.rectangle(arch, noc),
            (Share::Rectangle(grid), Argument::ReceiverCount(noc)) => grid.receiver_count(noc),
            _ => 0,
        }
    }
}

/// The inputs of the argument blocks of a tile's cores.
struct Arguments<'a> {
    arch: Arch,
    tensors: &'a [TensorArg],
    share: Share,
}

impl Arguments<'_> {
    fn coordinate(&self) -> tile::Coordinate {
        let worker = match self.share {
            Share::Range {
                first_tile, tile, ..
            } => first_tile + tile,
            Share::Rectangle(grid) => tile::worker_at(self.arch, grid.place),
        };
        tile::worker(self.arch, worker)
    }

    /// Returns the argument block of a core. Banks have at most 4 GiB, so that a base fits into a
    /// word.
    fn block(&self, core: &CoreImage) -> Vec<u32> {
        let word = |argument: &Argument| match *argument {
            Argument::Base(tensor) => self.tensors[tensor as usize].base as u32,
            Argument::Imm(value) => value,
            argument => self.share.word(self.arch, argument),
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

#[cfg(test)]
mod tests;
