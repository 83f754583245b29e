//! Plans with one end to be chosen: chains that only go up or only go down. There are few, so all
//! of them are tried.

use super::super::leg::Stage;
use super::super::transfer::{BitRenaming, Level, TransferOp};
use super::super::Layout;
use super::chain::Chain;
use super::state::{rank, TransferSet};
use super::{Plan, PlanError, Region, ScratchRegions};
use crate::table::Rrn;

/// Returns every chain from one level straight down or up to another.
fn chains<'a>(
    transfers: &'a TransferSet,
    from: Level,
    to: Level,
    regions: &ScratchRegions,
) -> Vec<Vec<&'a (TransferOp, BitRenaming)>> {
    let mut whole = Vec::new();
    let mut open: Vec<Vec<&(TransferOp, BitRenaming)>> = vec![Vec::new()];
    let downward = rank(from) > rank(to);
    while let Some(chain) = open.pop() {
        let here = chain.last().map_or(from, |one| one.1.target);
        for one in &transfers.ops {
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
            } else if regions.at_level(target).next().is_some() {
                open.push(longer);
            }
        }
    }
    whole
}

/// Returns the cheapest plan of several chains with one end to be chosen; `find` routes a chain.
fn cheapest(
    chains: Vec<Vec<&(TransferOp, BitRenaming)>>,
    find: impl Fn(&[&(TransferOp, BitRenaming)]) -> Option<(Layout, Plan)>,
) -> Option<(Layout, Plan)> {
    let found = chains.iter().filter_map(|chain| find(chain));
    found.min_by_key(|(layout, plan)| {
        let copies = layout.replicated().count_ones();
        (plan.cycles(), copies, layout.words(), plan.legs().count())
    })
}

/// Routes chains with one end to be chosen.
struct OneEnded<'a> {
    known: &'a Layout,
    free: Region,
    regions: &'a ScratchRegions,
    rrn: Option<Rrn>,
    forward: bool,
}

impl OneEnded<'_> {
    fn find(&self, chain: &[&(TransferOp, BitRenaming)]) -> Option<(Layout, Plan)> {
        let ops: Vec<TransferOp> = chain.iter().map(|one| one.0).collect();
        let renamings: Vec<&BitRenaming> = chain.iter().map(|one| &one.1).collect();
        let inner = &renamings[..renamings.len() - 1];
        let regions: Option<Vec<Region>> = inner
            .iter()
            .map(|one| self.regions.at_level(one.target).next())
            .collect();
        let candidate = Chain {
            ops: &ops,
            renamings: &renamings,
            regions: &regions?,
            extents: &self.known.extents(),
            element: self.known.element(),
            rrn: self.rrn,
        };
        let known = Stage::from_layout(self.known);
        let free = Stage::empty(self.free.memory, self.free.base, self.known.element());
        let (stage, plan) = if self.forward {
            candidate.plan_forward(&known, &free)?
        } else {
            candidate.plan(None, &known, Some(&free))?
        };
        let layout = stage.layout(self.known.dims()).ok()?;
        let touched = plan.words(self.free.memory).max(layout.words());
        let sums = layout.summed() != 0;
        (touched <= u64::from(self.free.words) && !sums).then_some((layout, plan))
    }
}

/// Returns the cheapest plan to a layout, with the source layout.
pub fn backward(
    to: &Layout,
    source: Region,
    regions: &ScratchRegions,
) -> Result<(Layout, Plan), PlanError> {
    let transfers = TransferSet::new(None, to.element());
    let open = OneEnded {
        known: to,
        free: source,
        regions,
        rrn: None,
        forward: false,
    };
    let all = chains(
        &transfers,
        source.memory.level(),
        to.memory().level(),
        regions,
    );
    cheapest(all, |chain| open.find(chain)).ok_or_else(|| PlanError::None {
        from: source.memory.name().to_owned(),
        to: to.to_string(),
        legs: 3,
        hint: "choose a layout that broadcasts what the hardware broadcasts, or more room",
    })
}

/// Returns the cheapest plan from a layout, with the target layout.
pub fn forward(
    from: &Layout,
    target: Region,
    regions: &ScratchRegions,
    rrn: Option<Rrn>,
) -> Result<(Layout, Plan), PlanError> {
    let transfers = TransferSet::new(rrn, from.element());
    let open = OneEnded {
        known: from,
        free: target,
        regions,
        rrn,
        forward: true,
    };
    let all = chains(
        &transfers,
        from.memory().level(),
        target.memory.level(),
        regions,
    );
    cheapest(all, |chain| open.find(chain)).ok_or_else(|| PlanError::None {
        from: from.to_string(),
        to: target.memory.name().to_owned(),
        legs: 3,
        hint: "partial sums need a reduction and lie on places it sums over; or give more room",
    })
}
