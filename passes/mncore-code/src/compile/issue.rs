//! The steps that loops take at least: in each slot of the word, and for MV instructions.

use tessera_isa_mncore::memory::CYCLES;
use tessera_isa_mncore::table::Group;

use super::Kernel;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Item, Op};

/// The slots of which a loop needs the one that it needs most.
const SLOTS: [Group; 4] = [Group::MauCalc, Group::Alu, Group::L1bm, Group::L2bm];

/// Steps of a loop beyond its iterations: until it is in full course, and behind its last.
const BEGIN: u64 = 24;

impl Kernel {
    /// Steps in which something issues in a slot.
    pub fn issued(&self, slot: Group) -> u64 {
        let of = |body: &Body| issued(body, slot);
        self.bodies().map(of).sum()
    }

    /// Steps in which its MV instructions move something, one after the other.
    pub fn moved(&self) -> u64 {
        self.bodies().map(moved).sum()
    }

    /// Steps of its loops, one after the other, each as long as what it needs most.
    pub(super) fn least(&self) -> u64 {
        let of = |body: &Body| {
            let slots = SLOTS.map(|slot| issued(body, slot)).into_iter().max();
            let times: u64 = body.outer.iter().map(|&count| u64::from(count)).product();
            moved(body).max(slots.unwrap_or(0)) + times * BEGIN
        };
        self.bodies().map(of).sum()
    }

    fn bodies(&self) -> impl Iterator<Item = &Body> {
        let mut bodies = Vec::new();
        super::loops(&self.stages, &mut bodies);
        bodies.into_iter()
    }
}

fn issued(body: &Body, slot: Group) -> u64 {
    let own = body.items.iter().filter(|item| item.group() == Some(slot));
    own.map(|item| times(body, item)).sum()
}

fn moved(body: &Body) -> u64 {
    let steps = |item: &Item| match &item.op {
        Op::Mv(transfer) => {
            let (rate, _) = transfer.mode.row().rate;
            let cycles = u64::from(transfer.words).div_ceil(rate.into());
            times(body, item) * cycles.div_ceil(CYCLES as u64)
        }
        _ => 0,
    };
    body.items.iter().map(steps).sum()
}

/// In how many iterations an item issues, in those of the loops around, too.
fn times(body: &Body, item: &Item) -> u64 {
    let extents = body.outer.iter().chain(&body.trip).enumerate();
    let of = |(dimension, &extent): (usize, &u32)| -> u64 {
        let own: Vec<&Guard> = item
            .when
            .iter()
            .filter(|g| g.dimension == dimension)
            .collect();
        match own[..] {
            [] => extent.into(),
            _ => {
                let holds = |index: &u32| own.iter().all(|guard| guard.test.holds(*index));
                (0..extent).filter(holds).count() as u64
            }
        }
    };
    extents.map(of).product()
}
