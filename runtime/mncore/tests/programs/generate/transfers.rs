//! Random MV instructions.

use tessera_isa_mncore::ast::{Mv, MvMemory, MvOperand, Transfer};
use tessera_isa_mncore::memory::{DAR_ENTRIES, DRAM_WORDS, L2BM_WORDS, PDM_WORDS};
use tessera_isa_mncore::table::mv::{rows, OperandForm, Row};
use tessera_isa_mncore::table::{MvMode, Rrn};
use tessera_isa_mncore::Span;
use tessera_mncore::geometry::Geometry;

use super::expressions::NEAR;
use tessera_test_support::random::{Deck, Rng};

/// The modes: those that a machine can execute, and all.
pub struct Modes {
    modes: [Deck<&'static Row>; 2],
    reductions: Deck<Rrn>,
    geometry: Geometry,
}

impl Modes {
    pub fn new(geometry: Geometry) -> Self {
        let modes = |geometry: Geometry| {
            let fits = rows().iter().filter(|row| fits(row.mode, &geometry));
            Deck::new(fits.collect())
        };
        Modes {
            modes: [modes(geometry), modes(Geometry::BOARD)],
            reductions: Deck::new(Rrn::all().collect()),
            geometry,
        }
    }

    /// Generates an MV instruction with this tag, if any.
    pub fn mv(&mut self, rng: &mut Rng, tag: Option<u8>) -> Option<Mv> {
        if rng.percent(2) {
            return Some(Mv { transfer: None });
        }
        let row = self.modes[usize::from(rng.percent(3))].draw(rng)?;
        let rrn = if row.mode.reduces() {
            self.reductions.draw(rng)
        } else {
            None
        };
        let source = self.place(rng, row.source, true);
        let mut target = self.place(rng, row.target, false);
        if row.mode == MvMode::PdmReduce2 {
            target.group = source.group;
        }
        let indirect = |place: MvOperand| matches!(place.memory, MvMemory::DramIndirect(_));
        let uses = (indirect(source) || indirect(target)) && rng.percent(70);
        Some(Mv {
            transfer: Some(Transfer {
                mode: row.mode,
                rrn,
                words: row.mode.unit() * (1 + rng.below(3) as u32),
                tag,
                priority: rng.below(4) as u8,
                per_entry: uses.then(|| 1 + rng.below(5) as u32),
                source,
                target,
            }),
        })
    }

    fn place(&self, rng: &mut Rng, (place, unit): (OperandForm, u32), reads: bool) -> MvOperand {
        let memory = match place {
            OperandForm::PdmOne | OperandForm::PdmAll => {
                MvMemory::Pdm(address(rng, PDM_WORDS, unit))
            }
            OperandForm::DramOne | OperandForm::DramAll if rng.percent(35) => {
                MvMemory::DramIndirect(rng.below(DAR_ENTRIES as usize) as u16)
            }
            OperandForm::DramOne | OperandForm::DramAll => {
                MvMemory::Dram(address(rng, DRAM_WORDS, unit))
            }
            _ => MvMemory::L2bm(address(rng, L2BM_WORDS, unit) as u16),
        };
        let group = match place {
            OperandForm::PdmOne
            | OperandForm::DramOne
            | OperandForm::L2bmOne
            | OperandForm::L2bmGroup => Some(number(rng, self.geometry.groups, 4)),
            _ => None,
        };
        let l2b = match place {
            OperandForm::L2bmOne => true,
            // Public programs omit it in the source of `mvp`.
            OperandForm::L2bmSide => !reads || rng.percent(85),
            _ => false,
        };
        MvOperand {
            span: Span::default(),
            memory,
            group,
            l2b: l2b.then(|| number(rng, self.geometry.l2bs, 2)),
        }
    }
}

/// Returns whether a machine has the groups and L2B that a mode spans.
fn fits(mode: MvMode, geometry: &Geometry) -> bool {
    use MvMode::*;
    match mode {
        DramBroadcast4 | DramReduce4 | PdmDistribute | PdmCollect => {
            geometry.groups == 4 && geometry.l2bs == 2
        }
        DramBroadcast | DramReduce | PdmDramDistribute | DramPdmCollect => geometry.groups == 4,
        _ => true,
    }
}

/// Returns the number of a unit, mostly of one that the machine has.
fn number(rng: &mut Rng, has: usize, most: usize) -> u8 {
    let count = if rng.percent(3) { most } else { has };
    rng.below(count) as u8
}

fn address(rng: &mut Rng, size: u32, unit: u32) -> u32 {
    let near = rng.below(NEAR) as u32;
    let word = if rng.percent(85) {
        near
    } else {
        size - 1 - near
    };
    word / unit * unit
}
