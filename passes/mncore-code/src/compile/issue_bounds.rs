//! Lower bounds of the steps of loops: slots of the instruction word, and MV transfers.

use tessera_isa_mncore::memory::CYCLES;
use tessera_isa_mncore::table::Group;

use super::kernel::{collect_loops, Kernel};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Item, Op};

/// The slots that can bound a loop.
const SLOTS: [Group; 4] = [Group::MauCalc, Group::Alu, Group::L1bm, Group::L2bm];

/// Steps of a loop outside of its steady state: prologue and epilogue.
const BEGIN: u64 = 24;

impl Kernel {
    /// Returns the number of steps in which an item issues in a slot.
    pub fn issued(&self, slot: Group) -> u64 {
        let of = |body: &Body| issued(body, slot);
        self.bodies().map(of).sum()
    }

    /// Returns the time of all MV transfers, one after the other, in steps.
    pub fn transfer_steps(&self) -> u64 {
        self.bodies().map(moved).sum()
    }

    /// Returns a lower bound of the kernel's steps: each loop is bounded by its most loaded
    /// resource.
    pub(super) fn min_steps(&self) -> u64 {
        let of = |body: &Body| {
            let slots = SLOTS.map(|slot| issued(body, slot)).into_iter().max();
            let repetitions: u64 = body.outer.iter().map(|&count| u64::from(count)).product();
            moved(body).max(slots.unwrap_or(0)) + repetitions * BEGIN
        };
        self.bodies().map(of).sum()
    }

    fn bodies(&self) -> impl Iterator<Item = &Body> {
        let mut bodies = Vec::new();
        collect_loops(&self.stages, &mut bodies);
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

/// Returns in how many iterations an item issues, those of the outer loops included.
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
