//! A chain of instructions, routed and cut into rounds so that the memories in between have room.

use super::super::leg::Stage;
use super::super::mover::{Renaming, TransferOp};
use super::super::place::{ElementBits, Place, Slot, SLOTS};
use super::super::Bit;
use super::route::{route, Blocked, Request};
use super::{assemble, Plan, Region};
use crate::table::Rrn;

/// A chain of instructions, to be routed.
pub(super) struct Way<'a> {
    pub(super) movers: &'a [TransferOp],
    pub(super) renamings: &'a [&'a Renaming],
    /// For each memory in between.
    pub(super) rooms: &'a [Region],
    pub(super) extents: &'a [u64],
    pub(super) element: ElementBits,
    pub(super) rrn: Option<Rrn>,
}

impl Way<'_> {
    /// The plan, and where the tensor is at first. Where a memory in between is too small, outer
    /// loops are added until it is not.
    pub(super) fn plan(
        &self,
        from: Option<&Stage>,
        to: &Stage,
        start: Option<&Stage>,
    ) -> Option<(Stage, Plan)> {
        self.plan_in(false, from, to, start)
    }

    /// [`Way::plan`] forwards from `to`, which is then where the tensor is.
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
        let mut outer: Vec<Vec<Bit>> = vec![Vec::new(); self.rooms.len()];
        let limit = 1 + 2 * SLOTS * self.rooms.len();
        for _ in 0..limit {
            let mut between: Vec<(Stage, Vec<Bit>)> = self
                .rooms
                .iter()
                .zip(&outer)
                .map(|(room, outer)| {
                    (
                        Stage::empty(room.memory, room.base, self.element),
                        outer.clone(),
                    )
                })
                .collect();
            let mut chain: Vec<Renaming> =
                self.renamings.iter().map(|one| (*one).clone()).collect();
            if reversed {
                between.reverse();
                chain = chain.into_iter().rev().map(Renaming::reversed).collect();
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
                    self.rooms.len() + 1 - number
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
                    level(&mut outer);
                    continue;
                }
            };
            if reversed {
                routing.stages.reverse();
                routing.laid.reverse();
            }
            let mut loops = vec![Vec::new()];
            loops.extend(outer.iter().cloned());
            loops.push(Vec::new());
            let plan = assemble(self.movers, self.rrn, &routing.stages, &loops, self.extents)?;
            match self.too_large(&plan) {
                None => {
                    let free = if reversed {
                        routing.stages.pop()
                    } else {
                        routing.stages.into_iter().next()
                    };
                    return Some((free?, plan));
                }
                Some(number) => {
                    let bit = split(&routing.laid[number + 1], &routing.stages[number + 1..])?;
                    outer[number].push(bit);
                    level(&mut outer);
                }
            }
        }
        None
    }

    /// The first memory in between that has no room for what its legs touch.
    fn too_large(&self, plan: &Plan) -> Option<usize> {
        let legs: Vec<_> = plan.legs().collect();
        (0..self.rooms.len()).find(|number| {
            let [_, write] = legs[*number].words();
            let [read, _] = legs[number + 1].words();
            write.max(read) > u64::from(self.rooms[*number].words)
        })
    }
}

/// The index bit of the first stage to loop over outside: the highest of an address that was laid
/// freely and does not go to an owner, which would change inside the loop.
fn split(laid: &[Bit], stages: &[Stage]) -> Option<Bit> {
    let [stage, next, ..] = stages else {
        return None;
    };
    let stays = |bit: &Bit| {
        next.find(*bit)
            .is_none_or(|slot| slot.place().0 == Place::Address)
    };
    let addresses = (0..Place::Address.slots().1).rev().map(Slot::address);
    let mut bits = addresses.map(|slot| stage.bit(slot));
    bits.find(|bit| laid.contains(bit) && stays(bit))
}

/// Neighbouring memories with outer loops have the same.
fn level(outer: &mut [Vec<Bit>]) {
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
