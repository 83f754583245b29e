//! Launches of images compiled by this project.
//!
//! A launch writes images, arguments and zeroed control lines into L1 while all cores are in reset,
//! and releases B, which releases the others. A core is done when it has set its DONE word to 1 and
//! loops at one instruction. The run ends when all agents are blocked. It is successful if all
//! cores are done, no ERR word is set and the coprocessor is in the state that a kernel must leave.
//! A deadlocked run ends, too, and reports what each core waits for. [`Launch::order`] makes the
//! cores' memory requests weakly ordered.
//!
//! Cores move pages and tiles through the NoC, also from and to other tiles ([`ChipLaunch`]). A
//! launch can instead have the data movement list of a list program, which starts when NC is
//! released.
//!
//! Checked at the end, besides the checks of each tile: the two counters of each ring are equal.

use tessera_isa_tensix::noc::{on_noc, upper_half, NOCS};
use tessera_isa_tensix::Arch;

use super::launch::{ChipLaunch, Launch, Ring};
use crate::chip::{setup_trap, Chip, ChipTrap, DecodedImages, SpareParts};
use crate::dram::Dram;
use crate::issue::coprocessor::Coprocessor;
use crate::issue::scheduler::Schedule;
use crate::issue::stats::Stats;
use crate::issue::timeline::Timeline;
use crate::map::{self, ARGS, ARG_WORDS, BANKS, CORES, DONE, ERR, IMAGES, LINES};
use crate::noc::grid::{dram_tile_of_blackhole, DRAM_TILES};
use crate::noc::TileNaming;
use crate::state::check_policy::CheckPolicy;
use crate::state::model::Model;
use crate::tile::{source, Kernel, Lists, Tile, TileKind, TileParams};
use crate::trap::{Fault, Reason, Trap};

fn write_words(coprocessor: &mut Coprocessor, addr: u32, words: &[u32]) -> Result<(), Fault> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    coprocessor.core.l1.write(addr, &bytes)
}

/// Returns the tables of bank coordinates at [`BANKS`].
fn bank_tables(arch: Arch, own: map::Coordinate) -> Vec<u32> {
    (0..NOCS as usize)
        .flat_map(|noc| bank_table(arch, noc, own))
        .collect()
}

fn bank_table(arch: Arch, noc: usize, own: map::Coordinate) -> Vec<u32> {
    let tile = |at| upper_half(arch, on_noc(arch, noc, at));
    let bank = |k: u32| match arch {
        Arch::WormholeB0 => [tile(DRAM_TILES[k as usize / 2][0]), (k % 2) << 30],
        Arch::Blackhole => [tile(dram_tile_of_blackhole(k)), 0],
    };
    (0..arch.dram_banks())
        .flat_map(bank)
        .chain([tile(own), 0])
        .collect()
}

fn check_sizes(launch: &Launch) -> Result<(), Trap> {
    for (k, (image, args)) in launch.images.iter().zip(&launch.args).enumerate() {
        let setup = |text| Err(Trap::new(Some(source(k)), Reason::Setup(text)));
        let room = IMAGES[k].len() / 4;
        if image.len() > room {
            return setup(format!(
                "the image has {} words; there is room for {room}",
                image.len()
            ));
        }
        if args.len() > ARG_WORDS {
            return setup(format!(
                "there are {} arguments; there is room for {ARG_WORDS}",
                args.len()
            ));
        }
    }
    Ok(())
}

/// Writes images, arguments and control lines into L1.
fn fill(coprocessor: &mut Coprocessor, launch: &Launch, at: map::Coordinate) -> Result<(), Fault> {
    for (k, place) in IMAGES.iter().enumerate() {
        write_words(coprocessor, place.start, launch.images[k])?;
        let mut args = launch.args[k].to_vec();
        args.resize(ARG_WORDS, 0);
        write_words(coprocessor, ARGS + (4 * ARG_WORDS * k) as u32, &args)?;
    }
    let lines_and_results = (map::FREE - LINES.start) as usize / 4;
    write_words(coprocessor, LINES.start, &vec![0; lines_and_results])?;
    let banks = bank_tables(coprocessor.core.arch, at);
    write_words(coprocessor, BANKS, &banks)?;
    coprocessor.check_l1()
}

/// Creates a tile with everything in L1 and B released from reset.
fn load<'a>(
    (arch, model): (Arch, Model),
    launch: &Launch<'a>,
    (at, split): (map::Coordinate, bool),
    schedule: Schedule,
    (images, spare): (&DecodedImages, &SpareParts),
) -> Result<Box<Tile<'a>>, Trap> {
    check_sizes(launch)?;
    let params = TileParams {
        kind: TileKind::Tensix,
        at,
        split,
        names: TileNaming::PerNoc,
        check_policy: CheckPolicy::Strict,
        model,
        running: 1 << map::B,
        schedule,
    };
    let mut tile = Tile::new(arch, params);
    spare.give(&mut tile);
    fill(tile.coprocessor_mut(), launch, at).map_err(|fault| Trap::new(None, fault))?;
    tile.set_kernel(Kernel {
        image_words: launch.images.map(<[u32]>::len),
        order: launch.order,
        limit: launch.limit,
        lists: Lists::new(arch, launch.dm, launch.tensors),
    });
    images.share_with(&mut tile, &launch.images);
    Ok(tile)
}

/// Describes the state that a completed tile must not leave behind.
fn left_over(tile: &mut Tile) -> Result<Vec<String>, Trap> {
    let mut left = Vec::new();
    let loaded = tile.loaded();
    for (k, name) in CORES.iter().enumerate().filter(|&(k, _)| loaded[k]) {
        let result = |tile: &mut Tile, base| {
            tile.word(base + 4 * k as u32)
                .map_err(|fault| Trap::new(Some(source(k)), fault))
        };
        match (result(tile, ERR)?, result(tile, DONE)?) {
            (0, 1) => {}
            (0, done) => left.push(format!("core {name} stopped with {done} in DONE, not 1")),
            (error, _) => left.push(format!("core {name} reports error {error}")),
        }
    }
    left.extend(tile.coprocessor().left_over());
    Ok(left)
}

/// The result of a launch: the statistics of each tile, and the recorded time lines.
type Ran = (Vec<Stats>, Vec<(map::Coordinate, Timeline)>);

/// Runs tiles on up to `threads` host threads until all are blocked, and records them if requested.
/// The decoded images may include those of other launches.
pub(crate) fn run(
    (arch, model): (Arch, Model),
    dram: &mut Dram,
    launch: &ChipLaunch,
    (schedule, threads, is_recorded): (Schedule, usize, bool),
    shared: (&DecodedImages, &SpareParts),
) -> Result<Ran, ChipTrap> {
    let mut chip = Chip::new(schedule);
    chip.set_threads(threads);
    for (k, tile) in launch.tiles.iter().enumerate() {
        let at = tile.coordinate;
        if !(0..map::workers(arch)).any(|k| map::worker(arch, k) == at) {
            return Err(setup_trap(Some(at), "no worker is there".to_owned()));
        }
        let own = schedule.for_machine(k);
        let place = (at, launch.split);
        let loaded = load((arch, model), &tile.launch, place, own, shared);
        let mut loaded = loaded.map_err(|trap| ChipTrap {
            tile: Some(at),
            trap: Box::new(trap),
        })?;
        loaded.coprocessor_mut().timeline = is_recorded.then(|| Timeline::new(arch));
        if !chip.add(at, loaded) {
            return Err(setup_trap(
                Some(at),
                "two kernels are launched there".to_owned(),
            ));
        }
    }
    chip.run(dram, u64::MAX)?;
    check_ended(&mut chip, &launch.rings)?;
    let (mut stats, mut lines) = (Vec::new(), Vec::new());
    for (at, mut tile) in launch
        .tiles
        .iter()
        .map(|tile| tile.coordinate)
        .zip(chip.into_tiles())
    {
        let line = tile.coprocessor_mut().timeline.take();
        lines.extend(line.map(|line| (at, line)));
        shared.1.take_from(&mut tile);
        stats.push(tile.take_stats());
    }
    Ok((stats, lines))
}

fn check_ended(chip: &mut Chip, rings: &[Ring]) -> Result<(), ChipTrap> {
    let all = |reason| ChipTrap {
        tile: None,
        trap: Box::new(Trap::new(None, reason)),
    };
    let waiting = chip.collect_lines(|tile, at| {
        let loaded = tile.loaded();
        Ok(tile.waiting(|addr| ring_of(rings, at, addr), loaded))
    })?;
    if !waiting.is_empty() {
        return Err(all(Reason::Deadlock(waiting)));
    }
    let mut left = chip.collect_lines(|tile, _| left_over(tile))?;
    for (k, ring) in rings.iter().enumerate() {
        let [ready, freed] = [ring.ready, ring.freed].map(|place| chip.count(place));
        let (ready, freed) = (ready?, freed?);
        if ready != freed {
            left.push(format!(
                "ring {k} was given {ready} tiles, of which {freed} were freed"
            ));
        }
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(all(Reason::Unclean(left)))
    }
}

/// Describes the ring to which a polled word belongs, as a suffix of its address.
fn ring_of(rings: &[Ring], at: map::Coordinate, addr: u32) -> String {
    let find = |word: fn(&Ring) -> (map::Coordinate, u32)| {
        rings.iter().position(|ring| word(ring) == (at, addr))
    };
    match (find(|ring| ring.ready), find(|ring| ring.freed)) {
        (Some(k), _) => format!(" (tiles ready in ring {k})"),
        (_, Some(k)) => format!(" (slots freed of ring {k})"),
        _ => String::new(),
    }
}
