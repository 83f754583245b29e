//! Plans with one free end: chains that go straight up or down. There are few, and all are tried.

use super::super::leg::Stage;
use super::super::mover::{Level, Renaming, TransferOp};
use super::super::Layout;
use super::state::{rank, TransferSet};
use super::way::Way;
use super::{Plan, PlanError, Region, ScratchRegions};
use crate::table::Rrn;

/// Every chain straight down to a level, or straight up from one: `next` says where a step may go
/// on from.
fn chains<'a>(
    kit: &'a TransferSet,
    from: Level,
    to: Level,
    rooms: &ScratchRegions,
) -> Vec<Vec<&'a (TransferOp, Renaming)>> {
    let mut whole = Vec::new();
    let mut open: Vec<Vec<&(TransferOp, Renaming)>> = vec![Vec::new()];
    let downward = rank(from) > rank(to);
    while let Some(chain) = open.pop() {
        let here = chain.last().map_or(from, |one| one.1.target);
        for one in &kit.movers {
            let (source, target) = (one.1.source, one.1.target);
            let on = if downward {
                rank(target) < rank(source)
            } else {
                rank(target) > rank(source)
            };
            if source != here || !on || target == Level::Matrix {
                continue;
            }
            let mut longer = chain.clone();
            longer.push(one);
            if target == to {
                whole.push(longer);
            } else if rooms.of(target).next().is_some() {
                open.push(longer);
            }
        }
    }
    whole
}

/// The cheapest way with one end free: `find` makes a plan of a chain.
fn cheapest(
    chains: Vec<Vec<&(TransferOp, Renaming)>>,
    find: impl Fn(&[&(TransferOp, Renaming)]) -> Option<(Layout, Plan)>,
) -> Option<(Layout, Plan)> {
    let found = chains.iter().filter_map(|chain| find(chain));
    found.min_by_key(|(layout, plan)| {
        let copies = layout.replicated().count_ones();
        (plan.cycles(), copies, layout.words(), plan.legs().count())
    })
}

/// Makes plans of chains with one free end.
struct Open<'a> {
    known: &'a Layout,
    free: Region,
    rooms: &'a ScratchRegions,
    rrn: Option<Rrn>,
    forward: bool,
}

impl Open<'_> {
    fn find(&self, chain: &[&(TransferOp, Renaming)]) -> Option<(Layout, Plan)> {
        let movers: Vec<TransferOp> = chain.iter().map(|one| one.0).collect();
        let renamings: Vec<&Renaming> = chain.iter().map(|one| &one.1).collect();
        let inner = &renamings[..renamings.len() - 1];
        let rooms: Option<Vec<Region>> = inner
            .iter()
            .map(|one| self.rooms.of(one.target).next())
            .collect();
        let way = Way {
            movers: &movers,
            renamings: &renamings,
            rooms: &rooms?,
            extents: &self.known.extents(),
            element: self.known.element(),
            rrn: self.rrn,
        };
        let known = Stage::of(self.known);
        let free = Stage::empty(self.free.memory, self.free.base, self.known.element());
        let (stage, plan) = if self.forward {
            way.plan_forward(&known, &free)?
        } else {
            way.plan(None, &known, Some(&free))?
        };
        let layout = stage.layout(self.known.dims()).ok()?;
        let touched = plan.words(self.free.memory).max(layout.words());
        let sums = layout.summed() != 0;
        (touched <= u64::from(self.free.words) && !sums).then_some((layout, plan))
    }
}

/// The cheapest way to a layout, and where from.
pub fn backward(
    to: &Layout,
    source: Region,
    rooms: &ScratchRegions,
) -> Result<(Layout, Plan), PlanError> {
    let kit = TransferSet::new(None, to.element());
    let open = Open {
        known: to,
        free: source,
        rooms,
        rrn: None,
        forward: false,
    };
    let all = chains(&kit, source.memory.level(), to.memory().level(), rooms);
    cheapest(all, |chain| open.find(chain)).ok_or_else(|| PlanError::None {
        from: source.memory.name().to_owned(),
        to: to.to_string(),
        legs: 3,
        hint: "choose a layout that broadcasts what the hardware broadcasts, or more room",
    })
}

/// The cheapest way from a layout, and where to.
pub fn forward(
    from: &Layout,
    target: Region,
    rooms: &ScratchRegions,
    rrn: Option<Rrn>,
) -> Result<(Layout, Plan), PlanError> {
    let kit = TransferSet::new(rrn, from.element());
    let open = Open {
        known: from,
        free: target,
        rooms,
        rrn,
        forward: true,
    };
    let all = chains(&kit, from.memory().level(), target.memory.level(), rooms);
    cheapest(all, |chain| open.find(chain)).ok_or_else(|| PlanError::None {
        from: from.to_string(),
        to: target.memory.name().to_owned(),
        legs: 3,
        hint: "partial sums need a reduction and lie on places it sums over; or give more room",
    })
}
