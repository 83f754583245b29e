//! A whole chip as seen by its host: reading and writing the memories and registers of tiles,
//! resetting cores, and running for a time.
//!
//! All Tensix tiles exist, 80 or 140, none harvested, and all DRAM. Coordinates are those of NoC 0;
//! on Blackhole also those that its NIUs translate to them. Wormhole's Ethernet tiles have one core
//! in the position of B, their memory, and the registers that they share with Tensix tiles.
//! Unwritten memory reads as zero. On both NoCs, tiles with cores are named by their coordinates on
//! NoC 0, as on the machines where the replayed traces were recorded and as Blackhole's firmware
//! configures it.
//!
//! Refused: the PCI Express tile, the ARC tile, tiles that only route; on Blackhole Ethernet tiles
//! and those of its large processors.

use std::num::NonZero;
use std::sync::Arc;

use tessera_isa_tensix::noc::{layout, Layout};
use tessera_isa_tensix::Arch;
use tessera_riscv::CodeLibrary;

use super::dump::Dump;
use crate::chip::{Chip, ChipTrap, Stop};
use crate::dram::Dram;
use crate::issue::scheduler::Schedule;
use crate::issue::stats::Stats;
use crate::issue::timeline::Timeline;
use crate::map::{self, Coordinate};
use crate::noc::grid::{node_kind, NodeKind};
use crate::noc::{dram_place, Configuration, TileNaming};
use crate::state::check_policy::CheckPolicy;
use crate::state::model::Model;
use crate::tile::{Break, Tile, TileKind, TileParams};
use crate::trap::{Fault, Trap};

/// A chip.
pub struct Device {
    arch: Arch,
    /// The translation of the host's tile names.
    names: Configuration,
    chip: Chip<'static>,
    dram: Dram,
}

/// Returns the soft reset bits of all cores.
fn all_held() -> u32 {
    map::RESET_BIT.iter().map(|bit| 1 << bit).sum()
}

impl Device {
    /// Creates a chip whose cores are all in reset, with the fast model.
    #[must_use]
    pub fn new(arch: Arch, schedule: impl Into<Schedule>) -> Self {
        Device::with_model(arch, Model::fast(), schedule)
    }

    /// Creates a chip whose cores are all in reset.
    #[must_use]
    pub fn with_model(arch: Arch, model: Model, schedule: impl Into<Schedule>) -> Self {
        Device::with_check_policy(arch, model, schedule.into(), CheckPolicy::Vendor)
    }

    /// Creates a chip that also checks what only the vendor's programs may rely on. It refuses to
    /// read unwritten registers and memory of the chip, and to change configuration or bytes of L1
    /// that an instruction in flight may be using.
    #[must_use]
    pub fn strict(arch: Arch, model: Model, schedule: impl Into<Schedule>) -> Self {
        Device::with_check_policy(arch, model, schedule.into(), CheckPolicy::Strict)
    }

    fn with_check_policy(
        arch: Arch,
        model: Model,
        schedule: Schedule,
        check_policy: CheckPolicy,
    ) -> Self {
        let mut chip = Chip::new(schedule);
        chip.set_threads(std::thread::available_parallelism().map_or(1, NonZero::get));
        // Hosts write the same firmware into all tiles.
        let library = Arc::new(CodeLibrary::new());
        let &Layout { width, height, .. } = layout(arch);
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        for (k, at) in places.enumerate() {
            let kind = match node_kind(arch, at) {
                NodeKind::Tensix => TileKind::Tensix,
                NodeKind::Ethernet if arch == Arch::WormholeB0 => TileKind::Ethernet,
                _ => continue,
            };
            let params = TileParams {
                kind,
                at,
                split: false,
                names: TileNaming::Noc0,
                check_policy,
                model,
                running: 0,
                schedule: schedule.for_machine(k),
            };
            let mut tile = Tile::new(arch, params);
            tile.set_library(&library);
            chip.add(at, tile);
        }
        Device {
            arch,
            names: Configuration::new(arch, 0, (0, 0), TileNaming::Noc0),
            chip,
            dram: Dram::zeroed(arch),
        }
    }

    /// Sets the maximum number of host threads for tiles; the default is one per processor. Results
    /// do not depend on it.
    pub fn set_threads(&mut self, threads: NonZero<usize>) {
        self.chip.set_threads(threads.get());
    }

    /// Returns the chip.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    fn tile(&mut self, at: Coordinate) -> Result<&mut Tile<'static>, Fault> {
        let is_one = match self.arch {
            Arch::WormholeB0 => "neither Tensix, nor Ethernet, nor DRAM",
            Arch::Blackhole => "neither Tensix nor DRAM",
        };
        let (x, y) = at;
        let at = self.translated(at);
        self.chip
            .tile(at)
            .ok_or_else(|| Fault::unmodelled(format!("the tile at ({x}, {y}), which is {is_one}")))
    }

    /// Returns the coordinates on NoC 0 of a tile named by a host.
    fn translated(&self, at: Coordinate) -> Coordinate {
        match self.arch {
            Arch::WormholeB0 => at,
            Arch::Blackhole => self.names.tile(at).unwrap_or(at),
        }
    }

    /// Returns the bank and offset of an address, if the tile is a DRAM tile.
    fn dram_place(&self, at: Coordinate, addr: u64) -> Option<Result<(u32, u64), Fault>> {
        self.is_dram(at)
            .then(|| dram_place(self.arch, self.translated(at), addr))
    }

    /// Returns whether a tile is a DRAM tile.
    pub(super) fn is_dram(&self, at: Coordinate) -> bool {
        matches!(node_kind(self.arch, self.translated(at)), NodeKind::Dram(_))
    }

    fn trap_at(at: Coordinate, fault: Fault) -> ChipTrap {
        ChipTrap {
            tile: Some(at),
            trap: Box::new(Trap::new(None, fault)),
        }
    }

    /// Writes bytes at an address of a tile.
    ///
    /// # Errors
    /// If the address cannot be written.
    pub fn write(&mut self, at: Coordinate, addr: u64, bytes: &[u8]) -> Result<(), ChipTrap> {
        self.try_write(at, addr, bytes)
            .map_err(|fault| Self::trap_at(at, fault))
    }

    fn try_write(&mut self, at: Coordinate, addr: u64, bytes: &[u8]) -> Result<(), Fault> {
        if let Some(place) = self.dram_place(at, addr) {
            let (bank, offset) = place?;
            return Ok(self.dram.write(bank, offset, bytes)?);
        }
        let addr = tile_address(addr)?;
        self.tile(at)?.write(addr, bytes)
    }

    /// Reads bytes at an address of a tile.
    ///
    /// # Errors
    /// If the address cannot be read.
    pub fn read(&mut self, at: Coordinate, addr: u64, length: u32) -> Result<Vec<u8>, ChipTrap> {
        self.try_read(at, addr, length)
            .map_err(|fault| Self::trap_at(at, fault))
    }

    /// Checks that a byte range of a tile exists, whether or not it is written.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn check_range(&mut self, at: Coordinate, addr: u64, length: u32) -> Result<(), ChipTrap> {
        self.try_check_range(at, addr, length)
            .map_err(|fault| Self::trap_at(at, fault))
    }

    /// Returns the number of bytes from an address of a tile to the end of the memory.
    ///
    /// # Errors
    /// If the tile or address does not exist.
    pub fn room(&mut self, at: Coordinate, addr: u64) -> Result<u64, ChipTrap> {
        self.try_room(at, addr)
            .map_err(|fault| Self::trap_at(at, fault))
    }

    fn try_room(&mut self, at: Coordinate, addr: u64) -> Result<u64, Fault> {
        if let Some(place) = self.dram_place(at, addr) {
            let (_, offset) = place?;
            return Ok(self.arch.dram_bank_bytes().saturating_sub(offset));
        }
        let addr = tile_address(addr)?;
        Ok(self.tile(at)?.room(addr).into())
    }

    fn try_check_range(&mut self, at: Coordinate, addr: u64, length: u32) -> Result<(), Fault> {
        if let Some(place) = self.dram_place(at, addr) {
            let (bank, offset) = place?;
            return Ok(self.dram.check(bank, offset, length as usize)?);
        }
        let addr = tile_address(addr)?;
        self.tile(at)?.check_range(addr, length)
    }

    fn try_read(&mut self, at: Coordinate, addr: u64, length: u32) -> Result<Vec<u8>, Fault> {
        self.try_check_range(at, addr, length)?;
        if let Some(place) = self.dram_place(at, addr) {
            let (bank, offset) = place?;
            let mut bytes = vec![0; length as usize];
            self.dram.read(bank, offset, &mut bytes)?;
            return Ok(bytes);
        }
        let addr = tile_address(addr)?;
        self.tile(at)?.read(addr, length)
    }

    /// Holds all cores of a tile in reset.
    ///
    /// # Errors
    /// If something in flight would be lost.
    pub fn assert_reset(&mut self, at: Coordinate) -> Result<(), ChipTrap> {
        self.soft_reset(at, all_held())
    }

    /// Releases core B of a tile from reset, which starts the others.
    ///
    /// # Errors
    /// If the tile has no cores.
    pub fn deassert_reset(&mut self, at: Coordinate) -> Result<(), ChipTrap> {
        self.soft_reset(at, all_held() & !(1 << map::RESET_BIT[map::B]))
    }

    fn soft_reset(&mut self, at: Coordinate, value: u32) -> Result<(), ChipTrap> {
        let addr = map::SOFT_RESET.into();
        self.write(at, addr, &value.to_le_bytes())
    }

    /// Runs the chip for up to `steps` steps.
    ///
    /// # Errors
    /// A [`ChipTrap`].
    pub fn run(&mut self, steps: u64) -> Result<Stop, ChipTrap> {
        self.chip.run(&mut self.dram, steps)
    }

    /// Adds a breakpoint to a tile, which triggers once.
    ///
    /// # Errors
    /// If the tile has no cores.
    pub fn stop_at(&mut self, at: Coordinate, stop: Break) -> Result<(), ChipTrap> {
        let tile = self.tile(at).map_err(|fault| Self::trap_at(at, fault))?;
        tile.stop_at(stop);
        Ok(())
    }

    /// Releases cores of a tile from reset, and holds all others in reset.
    ///
    /// # Errors
    /// If something in flight would be lost.
    pub fn release(&mut self, at: Coordinate, cores: &[usize]) -> Result<(), ChipTrap> {
        let held = |bits: u32, &core: &usize| bits & !(1 << map::RESET_BIT[core]);
        self.soft_reset(at, cores.iter().fold(all_held(), held))
    }

    /// Starts recording the activity of a tile's coprocessor.
    ///
    /// # Errors
    /// If the tile has no cores.
    pub fn record(&mut self, at: Coordinate) -> Result<(), ChipTrap> {
        let tile = self.tile(at).map_err(|fault| Self::trap_at(at, fault))?;
        let coprocessor = tile.coprocessor_mut();
        coprocessor.timeline = Some(Timeline::new(coprocessor.core.arch));
        Ok(())
    }

    /// Returns the recorded time line of a tile.
    pub fn timeline(&mut self, at: Coordinate) -> Option<&Timeline> {
        self.chip
            .tile(self.translated(at))?
            .coprocessor()
            .timeline
            .as_ref()
    }

    /// Returns a dump of a part of a tile's state.
    ///
    /// # Errors
    /// If the tile has no cores, or the part does not exist.
    pub fn dump(&mut self, at: Coordinate, what: Dump) -> Result<String, ChipTrap> {
        let dumped = self.tile(at).and_then(|tile| what.text(tile));
        dumped.map_err(|fault| Self::trap_at(at, fault))
    }

    /// Returns how often units accessed the same bytes of L1 or rows of Dst concurrently, so that
    /// another schedule might read other values.
    #[must_use]
    pub fn races(&self) -> u64 {
        self.chip.races()
    }

    /// Returns the tiles that are not blocked.
    #[must_use]
    pub fn live(&self) -> Vec<Coordinate> {
        self.chip.live()
    }

    /// Describes what the cores of a tile wait for.
    pub fn waiting(&mut self, at: Coordinate) -> Vec<String> {
        let tile = self.chip.tile(self.translated(at));
        tile.map(|tile| tile.waiting(|_| String::new(), [false; 5]))
            .unwrap_or_default()
    }

    /// Returns the statistics of each tile that was active.
    pub fn stats(self) -> Vec<(Coordinate, Stats)> {
        let mut chip = self.chip;
        let places: Vec<Coordinate> = chip.tiles().map(|(at, _)| at).collect();
        let stats = chip.into_tiles().map(|mut tile| tile.take_stats());
        places
            .into_iter()
            .zip(stats)
            .filter(|(_, stats)| stats.retired().iter().any(|&count| count > 0))
            .collect()
    }
}

/// Checks an address in a tile with cores.
fn tile_address(addr: u64) -> Result<u32, Fault> {
    addr.try_into()
        .map_err(|_| Fault::undefined(format!("{addr:#x} is not mapped on a tile")))
}

#[cfg(test)]
mod tests;
