//! Turns a chain of instructions into a plan: routes it, and splits it into rounds that fit the
//! intermediate memories.

use super::super::leg::Stage;
use super::super::place::{ElementBits, Place, Slot, SLOTS};
use super::super::transfer::{BitRenaming, TransferOp};
use super::super::Bit;
use super::route::{route, Blocked, Request};
use super::{assemble, Plan, Region};
use crate::table::Rrn;

/// A chain of instructions to route.
pub(super) struct Chain<'a> {
    pub(super) ops: &'a [TransferOp],
    pub(super) renamings: &'a [&'a BitRenaming],
    /// The region of each intermediate memory.
    pub(super) regions: &'a [Region],
    pub(super) extents: &'a [u64],
    pub(super) element: ElementBits,
    pub(super) rrn: Option<Rrn>,
}

impl Chain<'_> {
    /// Routes the chain and returns the plan with its first stage. While an intermediate memory is
    /// too small, an outer loop is added.
    pub(super) fn plan(
        &self,
        from: Option<&Stage>,
        to: &Stage,
        start: Option<&Stage>,
    ) -> Option<(Stage, Plan)> {
        self.plan_in(false, from, to, start)
    }

    /// Plans as [`Chain::plan`], in the forward direction: `from` is the known first stage.
    pub(super) fn plan_forward(&self, from: &Stage, end: &Stage) -> Option<(Stage, Plan)> {
        self.plan_in(true, None, from, Some(end))
    }

    fn plan_in(
        &self,
        reversed: bool,
        from: Option<&Stage>,
        to: &Stage,
        start: Option<&Stage>,
    ) -> Option<(Stage, Plan)> {
        let mut outer: Vec<Vec<Bit>> = vec![Vec::new(); self.regions.len()];
        let limit = 1 + 2 * SLOTS * self.regions.len();
        for _ in 0..limit {
            let mut between: Vec<(Stage, Vec<Bit>)> = self
                .regions
                .iter()
                .zip(&outer)
                .map(|(region, outer)| {
                    (
                        Stage::empty(region.memory, region.base, self.element),
                        outer.clone(),
                    )
                })
                .collect();
            let mut chain: Vec<BitRenaming> =
                self.renamings.iter().map(|one| (*one).clone()).collect();
            if reversed {
                between.reverse();
                chain = chain.into_iter().rev().map(BitRenaming::reversed).collect();
            }
            let request = Request {
                chain: &chain.iter().collect::<Vec<_>>(),
                from,
                to,
                between: &between,
                start,
            };
            let in_order = |number: usize| {
                if reversed {
                    self.regions.len() + 1 - number
                } else {
                    number
                }
            };
            let mut routing = match route(&request) {
                Ok(routing) => routing,
                Err(Blocked::Never) => return None,
                Err(Blocked::Region(0, _)) => return None,
                Err(Blocked::Region(number, bits)) => {
                    let mine = &mut outer[in_order(number) - 1];
                    mine.extend(bits);
                    equalise(&mut outer);
                    continue;
                }
            };
            if reversed {
                routing.stages.reverse();
                routing.placed.reverse();
            }
            let mut loops = vec![Vec::new()];
            loops.extend(outer.iter().cloned());
            loops.push(Vec::new());
            let plan = assemble(self.ops, self.rrn, &routing.stages, &loops, self.extents)?;
            match self.overfull_memory(&plan) {
                None => {
                    let free = if reversed {
                        routing.stages.pop()
                    } else {
                        routing.stages.into_iter().next()
                    };
                    return Some((free?, plan));
                }
                Some(number) => {
                    let bit = choose_outer_bit(
                        &routing.placed[number + 1],
                        &routing.stages[number + 1..],
                    )?;
                    outer[number].push(bit);
                    equalise(&mut outer);
                }
            }
        }
        None
    }

    /// Returns the first intermediate memory that is too small for what its legs access.
    fn overfull_memory(&self, plan: &Plan) -> Option<usize> {
        let legs: Vec<_> = plan.legs().collect();
        (0..self.regions.len()).find(|number| {
            let [_, write] = legs[*number].words();
            let [read, _] = legs[number + 1].words();
            write.max(read) > u64::from(self.regions[*number].words)
        })
    }
}

/// Selects the index bit of an additional outer loop. It takes the highest freely placed address
/// bit that does not become an owner bit, since an owner would then change inside the loop.
fn choose_outer_bit(placed: &[Bit], stages: &[Stage]) -> Option<Bit> {
    let [stage, next, ..] = stages else {
        return None;
    };
    let stays = |bit: &Bit| {
        next.slot_of(*bit)
            .is_none_or(|slot| slot.place().0 == Place::Address)
    };
    let addresses = (0..Place::Address.slots().1).rev().map(Slot::address);
    let mut bits = addresses.map(|slot| stage.bit(slot));
    bits.find(|bit| placed.contains(bit) && stays(bit))
}

/// Gives neighbouring stages with outer loops the same outer loops.
fn equalise(outer: &mut [Vec<Bit>]) {
    for number in 1..outer.len() {
        if outer[number - 1].is_empty() || outer[number].is_empty() {
            continue;
        }
        let mut all = outer[number - 1].clone();
        all.extend(
            outer[number]
                .iter()
                .filter(|bit| !outer[number - 1].contains(bit)),
        );
        outer[number - 1].clone_from(&all);
        outer[number] = all;
    }
}
