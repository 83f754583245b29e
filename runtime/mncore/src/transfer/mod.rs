//! MV instructions: transfers between PDM, DRAM and L2BM.
//!
//! Manual, section 3.5.8. The instruction table gives the memories of each mode and the unit on
//! each side; this module implements the distribution of the words. A transfer executes unit by
//! unit and returns its memory accesses for [`crate::race`]. Those that a batch of steps can
//! execute are staged ([`StagedTransfers`]).
//!
//! Each burst of 16 long words of DRAM can have its own address (section 3.5.6). Alignment and
//! lengths are not checked here, since the assembler checks them; a misaligned address is used as
//! it is.

mod copies;
mod memories;
mod plan;
mod staged;

use tessera_isa_mncore::ast::{MvMemory, Transfer};
use tessera_isa_mncore::table::mv::OperandForm;
use tessera_isa_mncore::table::{mv, MvMode};

use crate::board::{Board, Group, DAR_ENTRIES};
use crate::footprint::{add_region, Footprint, Memory};
use crate::geometry::Geometry;
use crate::numerics::rrn::StageOrder;
use crate::reduction;
use crate::trap::{check_exists, Reason};
use crate::undetermined::UndeterminedSet;
use copies::{Copy, Spot};
pub use plan::{is_indirect, StagingPlan};
pub use staged::{Moves, StagedTransfers};

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
    let ends = Ends::new(transfer, geometry);
    let mut run = TransferRun {
        ends,
        board,
        footprint: Footprint::default(),
        undetermined,
    };
    let copies = copies::of_unit(transfer, geometry);
    for unit in 0..ends.units() {
        match &copies {
            Some(copies) => run.copy_unit(copies, unit)?,
            None => run.reduce_unit(unit)?,
        }
    }
    Ok(run.footprint)
}

/// Checks that the machine has the groups and L2B that a transfer names and spans.
pub fn check(transfer: &Transfer, geometry: &Geometry) -> Result<(), Reason> {
    let Geometry { groups, l2bs, .. } = *geometry;
    for end in [transfer.source, transfer.target].map(copies::named) {
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

/// An end of the transfer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

/// Where a transfer reads and writes.
#[derive(Clone, Copy)]
struct Ends<'a> {
    transfer: &'a Transfer,
    row: &'static mv::Row,
    geometry: &'a Geometry,
}

impl<'a> Ends<'a> {
    fn new(transfer: &'a Transfer, geometry: &'a Geometry) -> Self {
        Ends {
            transfer,
            row: transfer.mode.row(),
            geometry,
        }
    }

    /// Returns the number of units.
    fn units(&self) -> u64 {
        u64::from(self.transfer.words) / UNIT as u64
    }

    /// Returns whether the source may be the L2BM of any number, since all hold the same.
    fn reads_replicas(&self) -> bool {
        let source = self.transfer.source;
        let is_each = self.row.source.0 == OperandForm::L2bmSide;
        is_each && source.l2b.is_none()
    }

    /// Returns memory and address of the long word at `offset` after `spot` in a unit.
    fn locate(
        &self,
        groups: &[Group],
        side: Side,
        spot: Spot,
        unit: u64,
        offset: u64,
    ) -> (Memory, u64) {
        let (place, words) = match side {
            Side::Source => (self.transfer.source, self.row.source.1),
            Side::Target => (self.transfer.target, self.row.target.1),
        };
        let Spot { group, l2b, .. } = spot;
        let offset = u64::from(words) * unit + spot.offset + offset;
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
                let base = u64::from(groups[group].dar[entry]);
                let address = (base + inside) * BURST + offset % BURST;
                (Memory::Dram(group), address)
            }
        }
    }
}

/// A transfer during its execution.
struct TransferRun<'a> {
    ends: Ends<'a>,
    board: &'a mut Board,
    footprint: Footprint,
    undetermined: &'a mut UndeterminedSet,
}

impl TransferRun<'_> {
    /// Executes a unit of a transfer that does not reduce.
    fn copy_unit(&mut self, copies: &[Copy], unit: u64) -> Result<(), Reason> {
        let mut words = [0; UNIT];
        let mut read = None;
        for copy in copies {
            let words = &mut words[..copy.count];
            if read != Some(copy.source) {
                self.read(copy.source, unit, words)?;
                self.check_replicas(copy.source, unit, words)?;
                read = Some(copy.source);
            }
            self.write(copy.target, unit, words);
        }
        Ok(())
    }

    /// Checks that both L2BM hold the same data if the operand names no L2B.
    fn check_replicas(&mut self, source: Spot, unit: u64, words: &[u64]) -> Result<(), Reason> {
        if !self.ends.reads_replicas() {
            return Ok(());
        }
        for l2b in 1..self.ends.geometry.l2bs {
            let mut others = [0; UNIT];
            let other = Spot { l2b, ..source };
            self.read(other, unit, &mut others)?;
            if others != words {
                let groups = &self.board.groups;
                let (_, address) = self.ends.locate(groups, Side::Source, other, unit, 0);
                let group = source.group;
                return Err(Reason::WhichL2b { group, address });
            }
        }
        Ok(())
    }

    /// Executes a unit of a transfer that reduces.
    fn reduce_unit(&mut self, unit: u64) -> Result<(), Reason> {
        use MvMode::*;
        let Ends {
            transfer, geometry, ..
        } = self.ends;
        let (from, to) = (
            copies::named(transfer.source),
            copies::named(transfer.target),
        );
        let l2bms: Vec<_> = copies::all(geometry).collect();
        let in_group = |group| l2bms.iter().copied().filter(move |one| one.group == group);
        let of_number = |l2b| l2bms.iter().copied().filter(move |one| one.l2b == l2b);
        let below = |group| Spot::new(group, 0);
        match transfer.mode {
            DramReduce2 => {
                for group in 0..geometry.groups {
                    let words = self.reduce(in_group(group), unit)?;
                    self.write(below(group), unit, &words);
                }
            }
            PdmReduce2 => {
                let words = self.reduce(in_group(from.group), unit)?;
                self.write(below(to.group), unit, &words);
            }
            DramReduce4 => {
                for l2b in 0..geometry.l2bs {
                    let words = self.reduce(of_number(l2b), unit)?;
                    for (group, words) in words.chunks(16).enumerate() {
                        self.write(below(group).at(16 * l2b), unit, words);
                    }
                }
            }
            PdmReduce => {
                let words = self.reduce(l2bms.iter().copied(), unit)?;
                self.write(below(to.group), unit, &words);
            }
            DramReduce => {
                let words = self.reduce(l2bms.iter().copied(), unit)?;
                for (group, words) in words.chunks(16).enumerate() {
                    self.write(below(group), unit, words);
                }
            }
            // The other modes copy.
            _ => {}
        }
        Ok(())
    }

    /// Reduces a unit over several L2BM.
    fn reduce(
        &mut self,
        places: impl Iterator<Item = Spot>,
        unit: u64,
    ) -> Result<[u64; UNIT], Reason> {
        let mut sources = Vec::new();
        for place in places {
            let mut words = [0; UNIT];
            self.read(place, unit, &mut words)?;
            sources.push(words);
        }
        let rrn = self.ends.transfer.rrn.ok_or(Reason::NoReduction)?;
        let reduction = reduction::from_opcode(rrn);
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

    /// Reads `words.len()` long words of the source at a place in a unit.
    fn read(&mut self, spot: Spot, unit: u64, words: &mut [u64]) -> Result<(), Reason> {
        let Self { ends, board, .. } = self;
        for (offset, words) in (0..)
            .step_by(BURST as usize)
            .zip(words.chunks_mut(BURST as usize))
        {
            let (memory, address) = ends.locate(&board.groups, Side::Source, spot, unit, offset);
            memories::read(board, ends.geometry, (memory, address), words)?;
            add_region(&mut self.footprint.reads, memory, address, BURST);
        }
        Ok(())
    }

    /// Writes long words of the target at a place in a unit.
    fn write(&mut self, spot: Spot, unit: u64, words: &[u64]) {
        let Self { ends, board, .. } = self;
        for (offset, words) in (0..)
            .step_by(BURST as usize)
            .zip(words.chunks(BURST as usize))
        {
            let (memory, address) = ends.locate(&board.groups, Side::Target, spot, unit, offset);
            memories::write(board, ends.geometry, (memory, address), words);
            add_region(&mut self.footprint.writes, memory, address, BURST);
        }
    }
}
