//! What a transfer that does not reduce copies in each of its units.

use tessera_isa_mncore::ast::{MvOperand, Transfer};
use tessera_isa_mncore::table::MvMode;

use super::UNIT;
use crate::geometry::Geometry;

/// Long words that are distributed together.
const PART: usize = 16;

/// A place at an end of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The group.
    pub group: usize,
    /// The L2B, for an L2BM.
    pub l2b: usize,
    /// The offset in the unit, in long words.
    pub offset: u64,
}

impl Spot {
    /// Creates the place of the first word of a unit.
    pub fn new(group: usize, l2b: usize) -> Self {
        Spot {
            group,
            l2b,
            offset: 0,
        }
    }

    /// Returns the place at an offset in the unit.
    pub fn at(self, offset: usize) -> Self {
        let offset = offset as u64;
        Spot { offset, ..self }
    }
}

/// A copy of words within a unit. Copies of the same words follow one another.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// From where.
    pub source: Spot,
    /// To where.
    pub target: Spot,
    /// The number of long words.
    pub count: usize,
}

/// The group and L2B that an operand names. The mode iterates over those not named.
pub fn named(operand: MvOperand) -> Spot {
    Spot::new(
        operand.group.map_or(0, usize::from),
        operand.l2b.map_or(0, usize::from),
    )
}

/// Returns the copies of a unit, or `None` if the transfer reduces.
pub fn of_unit(transfer: &Transfer, geometry: &Geometry) -> Option<Vec<Copy>> {
    use MvMode::*;
    let (from, to) = (named(transfer.source), named(transfer.target));
    let (groups, l2bs) = (0..geometry.groups, 0..geometry.l2bs);
    let mut copies = Vec::new();
    let mut copy = |source, target, count| {
        copies.push(Copy {
            source,
            target,
            count,
        })
    };
    match transfer.mode {
        DramReduce2 | PdmReduce2 | DramReduce4 | PdmReduce | DramReduce => return None,
        PdmToDram | DramToPdm | PdmToL2bm | L2bmToPdm | DramToL2bm | L2bmToDram | PdmToPdm => {
            copy(from, to, UNIT);
        }
        PdmToL2bmEach | L2bmToPdmEach | DramToL2bmEach | L2bmToDramEach => {
            groups
                .for_each(|group| copy(Spot::new(group, from.l2b), Spot::new(group, to.l2b), UNIT));
        }
        DramBroadcast2 => {
            let targets = all(geometry);
            targets.for_each(|target| copy(Spot::new(target.group, 0), target, UNIT));
        }
        DramBroadcast4 => {
            for (l2b, source) in l2bs.flat_map(|l2b| groups.clone().map(move |group| (l2b, group)))
            {
                let words = Spot::new(source, 0).at(PART * l2b);
                let target = |group| Spot::new(group, l2b).at(PART * source);
                (groups.clone()).for_each(|group| copy(words, target(group), PART));
            }
        }
        PdmBroadcast => {
            all(geometry).for_each(|target| copy(Spot::new(from.group, 0), target, UNIT))
        }
        DramBroadcast => {
            for source in groups {
                let target = |to: Spot| to.at(PART * source);
                all(geometry).for_each(|to| copy(Spot::new(source, 0), target(to), PART));
            }
        }
        PdmDistribute => round_robin(geometry, |pdm, l2bm| {
            copy(Spot::new(from.group, 0).at(pdm), l2bm, PART);
        }),
        PdmCollect => round_robin(geometry, |pdm, l2bm| {
            copy(l2bm, Spot::new(to.group, 0).at(pdm), PART);
        }),
        PdmDramDistribute => groups.for_each(|group| {
            copy(
                Spot::new(from.group, 0).at(PART * group),
                Spot::new(group, 0),
                PART,
            );
        }),
        DramPdmCollect => groups.for_each(|group| {
            copy(
                Spot::new(group, 0),
                Spot::new(to.group, 0).at(PART * group),
                PART,
            );
        }),
    }
    Some(copies)
}

/// Returns all L2BM.
pub fn all(geometry: &Geometry) -> impl Iterator<Item = Spot> {
    let l2bs = geometry.l2bs;
    (0..geometry.groups).flat_map(move |group| (0..l2bs).map(move |l2b| Spot::new(group, l2b)))
}

/// Calls `copy` with the offsets in a PDM and the parts of L2BM that hold the same words: 512 long
/// words of PDM correspond to 64 of every L2BM, 16 at a time, round robin over the L2BM.
fn round_robin(geometry: &Geometry, mut copy: impl FnMut(usize, Spot)) {
    for round in 0..UNIT / PART {
        for (number, l2bm) in all(geometry).enumerate() {
            let in_pdm = (round * geometry.l2_count() + number) * PART;
            copy(in_pdm, l2bm.at(round * PART));
        }
    }
}
