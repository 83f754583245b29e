//! MV instructions: transfers between PDM, DRAM and L2BM.
//!
//! Manual, section 3.5.8. The instruction table gives the memories of each mode and the unit on
//! each side; this module implements the distribution of the words. A transfer executes unit by
//! unit and returns its memory accesses for [`crate::race`].
//!
//! Each burst of 16 long words of DRAM can have its own address (section 3.5.6). Alignment and
//! lengths are not checked here, since the assembler checks them; a misaligned address is used as
//! it is.

use tessera_isa_mncore::ast::{MvMemory, MvOperand, Transfer};
use tessera_isa_mncore::table::{mv, MvMode};

use crate::board::{read_wrapping, write_wrapping, Board, DAR_ENTRIES};
use crate::geometry::Geometry;
use crate::numerics::rrn::StageOrder;
use crate::race::{add_region, Footprint, Memory};
use crate::reduction;
use crate::trap::{check_exists, Reason};
use crate::undetermined::UndeterminedSet;

/// Long words of DRAM that share one address.
const BURST: u64 = 16;

/// Long words of L2BM per unit.
const UNIT: usize = 64;

/// Executes `transfer` and returns its memory accesses.
pub fn run(
    transfer: &Transfer,
    board: &mut Board,
    geometry: &Geometry,
    undetermined: &mut UndeterminedSet,
) -> Result<Footprint, Reason> {
    check(transfer, geometry)?;
    let mut run = TransferRun {
        transfer,
        row: transfer.mode.row(),
        board,
        geometry,
        footprint: Footprint::default(),
        undetermined,
    };
    for unit in 0..u64::from(transfer.words) / UNIT as u64 {
        run.execute_unit(unit)?;
    }
    Ok(run.footprint)
}

/// Checks that the machine has the groups and L2B that a transfer names and spans.
pub fn check(transfer: &Transfer, geometry: &Geometry) -> Result<(), Reason> {
    let Geometry { groups, l2bs, .. } = *geometry;
    for end in [transfer.source, transfer.target].map(End::from_operand) {
        for (what, number, count) in [("group", end.group, groups), ("L2B", end.l2b, l2bs)] {
            check_exists(what, number, count)?;
        }
    }
    use MvMode::*;
    let (need_groups, need_l2bs) = match transfer.mode {
        DramBroadcast4 | DramReduce4 | PdmDistribute | PdmCollect => (4, 2),
        DramBroadcast | DramReduce | PdmDramDistribute | DramPdmCollect => (4, 1),
        _ => (1, 1),
    };
    if groups < need_groups || l2bs < need_l2bs {
        return Err(Reason::Geometry {
            what: transfer.mode.row().stem,
            needs: format!("{need_groups} groups of {need_l2bs} L2B"),
            has: format!("{groups} of {l2bs}"),
        });
    }
    Ok(())
}

/// The group and L2B that an operand names. The mode iterates over those not named.
#[derive(Clone, Copy)]
struct End {
    group: usize,
    l2b: usize,
}

impl End {
    fn from_operand(place: MvOperand) -> Self {
        End {
            group: place.group.map_or(0, usize::from),
            l2b: place.l2b.map_or(0, usize::from),
        }
    }
}

/// An end of the transfer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

/// A transfer during its execution.
struct TransferRun<'a> {
    transfer: &'a Transfer,
    row: &'static mv::Row,
    board: &'a mut Board,
    geometry: &'a Geometry,
    footprint: Footprint,
    undetermined: &'a mut UndeterminedSet,
}

impl TransferRun<'_> {
    /// Executes one unit of the transfer.
    fn execute_unit(&mut self, unit: u64) -> Result<(), Reason> {
        use MvMode::*;
        let Geometry { groups, l2bs, .. } = *self.geometry;
        let (from, to) = (
            End::from_operand(self.transfer.source),
            End::from_operand(self.transfer.target),
        );
        let mut words = [0; UNIT];
        match self.transfer.mode {
            PdmToDram | DramToPdm | PdmToL2bm | L2bmToPdm | DramToL2bm | L2bmToDram | PdmToPdm => {
                self.read(from.group, from.l2b, unit, 0, &mut words)?;
                self.write(to.group, to.l2b, unit, 0, &words);
            }
            PdmToL2bmEach | L2bmToPdmEach | DramToL2bmEach | L2bmToDramEach => {
                for group in 0..groups {
                    self.read(group, from.l2b, unit, 0, &mut words)?;
                    self.check_replicas(group, unit, &words)?;
                    self.write(group, to.l2b, unit, 0, &words);
                }
            }
            DramBroadcast2 => {
                for group in 0..groups {
                    self.read(group, 0, unit, 0, &mut words)?;
                    (0..l2bs).for_each(|l2b| self.write(group, l2b, unit, 0, &words));
                }
            }
            DramReduce2 => {
                for group in 0..groups {
                    let places: Vec<_> = (0..l2bs).map(|l2b| (group, l2b)).collect();
                    let words = self.reduce(&places, unit)?;
                    self.write(group, 0, unit, 0, &words);
                }
            }
            PdmReduce2 => {
                let places: Vec<_> = (0..l2bs).map(|l2b| (from.group, l2b)).collect();
                let words = self.reduce(&places, unit)?;
                self.write(to.group, 0, unit, 0, &words);
            }
            DramBroadcast4 => {
                for l2b in 0..l2bs {
                    for (group, part) in words.chunks_mut(16).enumerate() {
                        self.read(group, 0, unit, 16 * l2b as u64, part)?;
                    }
                    (0..groups).for_each(|group| self.write(group, l2b, unit, 0, &words));
                }
            }
            DramReduce4 => {
                for l2b in 0..l2bs {
                    let places: Vec<_> = (0..groups).map(|group| (group, l2b)).collect();
                    let words = self.reduce(&places, unit)?;
                    for (group, part) in words.chunks(16).enumerate() {
                        self.write(group, 0, unit, 16 * l2b as u64, part);
                    }
                }
            }
            PdmBroadcast => {
                self.read(from.group, 0, unit, 0, &mut words)?;
                self.write_everywhere(unit, &words);
            }
            PdmReduce => {
                let words = self.reduce(&self.all_l2bms(), unit)?;
                self.write(to.group, 0, unit, 0, &words);
            }
            DramBroadcast => {
                for (group, part) in words.chunks_mut(16).enumerate() {
                    self.read(group, 0, unit, 0, part)?;
                }
                self.write_everywhere(unit, &words);
            }
            DramReduce => {
                let words = self.reduce(&self.all_l2bms(), unit)?;
                for (group, part) in words.chunks(16).enumerate() {
                    self.write(group, 0, unit, 0, part);
                }
            }
            PdmDistribute => self.round_robin(|run, (group, l2b), in_pdm, in_l2bm| {
                let mut part = [0; 16];
                run.read(from.group, 0, unit, in_pdm, &mut part)?;
                run.write(group, l2b, unit, in_l2bm, &part);
                Ok(())
            })?,
            PdmCollect => self.round_robin(|run, (group, l2b), in_pdm, in_l2bm| {
                let mut part = [0; 16];
                run.read(group, l2b, unit, in_l2bm, &mut part)?;
                run.write(to.group, 0, unit, in_pdm, &part);
                Ok(())
            })?,
            PdmDramDistribute => {
                self.read(from.group, 0, unit, 0, &mut words)?;
                for (group, part) in words.chunks(16).enumerate() {
                    self.write(group, 0, unit, 0, part);
                }
            }
            DramPdmCollect => {
                for (group, part) in words.chunks_mut(16).enumerate() {
                    self.read(group, 0, unit, 0, part)?;
                }
                self.write(to.group, 0, unit, 0, &words);
            }
        }
        Ok(())
    }

    /// Checks that both L2BM hold the same data if the operand names no L2B.
    fn check_replicas(&mut self, group: usize, unit: u64, words: &[u64]) -> Result<(), Reason> {
        let source = self.transfer.source;
        if !matches!(source.memory, MvMemory::L2bm(_)) || source.l2b.is_some() {
            return Ok(());
        }
        for l2b in 1..self.geometry.l2bs {
            let mut others = [0; UNIT];
            self.read(group, l2b, unit, 0, &mut others)?;
            if others != words {
                let (_, address) = self.locate(Side::Source, group, l2b, unit, 0);
                return Err(Reason::WhichL2b { group, address });
            }
        }
        Ok(())
    }

    /// Calls `step` for the 512 long words of PDM that correspond to 64 long words of every L2BM:
    /// 16 at a time, round robin over the L2BM.
    fn round_robin(
        &mut self,
        mut step: impl FnMut(&mut Self, (usize, usize), u64, u64) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let places = self.all_l2bms();
        for round in 0..4 {
            for (number, place) in places.iter().enumerate() {
                let in_pdm = (round * places.len() as u64 + number as u64) * 16;
                step(self, *place, in_pdm, round * 16)?;
            }
        }
        Ok(())
    }

    /// Returns the group and L2B of every L2BM.
    fn all_l2bms(&self) -> Vec<(usize, usize)> {
        let l2bs = self.geometry.l2bs;
        (0..self.geometry.groups)
            .flat_map(|group| (0..l2bs).map(move |l2b| (group, l2b)))
            .collect()
    }

    fn write_everywhere(&mut self, unit: u64, words: &[u64]) {
        for (group, l2b) in self.all_l2bms() {
            self.write(group, l2b, unit, 0, words);
        }
    }

    /// Reduces a unit over several L2BM.
    fn reduce(&mut self, places: &[(usize, usize)], unit: u64) -> Result<[u64; UNIT], Reason> {
        let mut sources = vec![[0; UNIT]; places.len()];
        for (words, (group, l2b)) in sources.iter_mut().zip(places) {
            self.read(*group, *l2b, unit, 0, words)?;
        }
        let reduction = reduction::from_opcode(self.transfer.rrn.ok_or(Reason::NoReduction)?);
        Ok(std::array::from_fn(|index| {
            let word = |source: usize| sources[source][index];
            if sources.len() == 8 {
                let pairs = [0, 2, 4, 6].map(|first| [word(first), word(first + 1)]);
                reduction.reduce_8(&pairs, StageOrder::default(), self.undetermined)
            } else {
                let words: Vec<_> = (0..sources.len()).map(word).collect();
                reduction.stage(&words, self.undetermined)
            }
        }))
    }

    /// Returns memory and address of the long word at `offset` in a unit.
    fn locate(
        &self,
        side: Side,
        group: usize,
        l2b: usize,
        unit: u64,
        offset: u64,
    ) -> (Memory, u64) {
        let (place, words) = match side {
            Side::Source => (self.transfer.source, self.row.source.1),
            Side::Target => (self.transfer.target, self.row.target.1),
        };
        let offset = u64::from(words) * unit + offset;
        match place.memory {
            MvMemory::Pdm(address) => (Memory::Pdm(group), u64::from(address) + offset),
            MvMemory::Dram(address) => (Memory::Dram(group), u64::from(address) + offset),
            MvMemory::L2bm(address) => (Memory::L2bm(group, l2b), u64::from(address) + offset),
            MvMemory::DramIndirect(first) => {
                let burst = offset / BURST;
                let (entry, inside) = match self.transfer.per_entry {
                    Some(run) => (burst / u64::from(run), burst % u64::from(run)),
                    None => (0, burst),
                };
                let entry = (usize::from(first) + entry as usize) % DAR_ENTRIES;
                let base = u64::from(self.board.groups[group].dar[entry]);
                let address = (base + inside) * BURST + offset % BURST;
                (Memory::Dram(group), address)
            }
        }
    }

    /// Reads `words.len()` long words of the source at `offset` in a unit.
    fn read(
        &mut self,
        group: usize,
        l2b: usize,
        unit: u64,
        offset: u64,
        words: &mut [u64],
    ) -> Result<(), Reason> {
        for (burst, words) in words.chunks_mut(BURST as usize).enumerate() {
            let offset = offset + burst as u64 * BURST;
            let (memory, address) = self.locate(Side::Source, group, l2b, unit, offset);
            match memory {
                Memory::Pdm(group) => {
                    read_wrapping(&self.board.groups[group].pdm, address as usize, words);
                }
                Memory::L2bm(group, l2b) => {
                    let l2 = self.geometry.l2_index(group, l2b);
                    read_wrapping(&self.board.l2bm[l2], address as usize, words);
                }
                Memory::Dram(group) => {
                    let read = self.board.groups[group].dram.read(address, words);
                    read.map_err(|never| Reason::NeverWritten {
                        group,
                        address: never.0,
                    })?;
                }
            }
            add_region(&mut self.footprint.reads, memory, address, BURST);
        }
        Ok(())
    }

    /// Writes long words of the target at `offset` in a unit.
    fn write(&mut self, group: usize, l2b: usize, unit: u64, offset: u64, words: &[u64]) {
        for (burst, words) in words.chunks(BURST as usize).enumerate() {
            let offset = offset + burst as u64 * BURST;
            let (memory, address) = self.locate(Side::Target, group, l2b, unit, offset);
            match memory {
                Memory::Pdm(group) => {
                    write_wrapping(&mut self.board.groups[group].pdm, address as usize, words);
                }
                Memory::L2bm(group, l2b) => {
                    let l2 = self.geometry.l2_index(group, l2b);
                    write_wrapping(&mut self.board.l2bm[l2], address as usize, words);
                }
                Memory::Dram(group) => self.board.groups[group].dram.write(address, words),
            }
            add_region(&mut self.footprint.writes, memory, address, BURST);
        }
    }
}
