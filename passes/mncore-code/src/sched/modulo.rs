//! Iterative modulo scheduling of macro nodes at a given initiation interval.
//!
//! The algorithm is that of B. R. Rau, "Iterative modulo scheduling" (MICRO-27, 1994). Its unit
//! here is the [`MacroNode`](super::plan::MacroNode): items that forwarding ties to one another at
//! fixed distances. It picks the unplaced node with the greatest height. The node takes the first
//! conflict-free step in the window of one interval that its placed predecessors and successors
//! allow. If there is none, the node is placed by force, and the nodes that conflict with it are
//! evicted and placed again later.
//!
//! Two passes follow a successful search. Compaction hoists nodes into earlier free steps, which
//! shortens live ranges. `wait` items then sink to their latest steps.
//!
//! Invariants: `starts`, `at` and `slots` describe the same placement; a returned schedule
//! satisfies every edge, every reservation and every port gap of its [`Plan`].

use std::ops::ControlFlow;

use tessera_isa_mncore::table::Group;

use super::plan::Plan;
use super::reservation::FieldReservation;

/// Placements that the search may make per macro node, on average, before it gives up.
const BUDGET: usize = 12;

/// Schedules the items of a plan at an initiation interval; returns their steps, the first being 0.
/// Returns `None` if the search runs out of budget or the interval is infeasible.
pub(crate) fn schedule_at(plan: &Plan, ii: u32) -> Option<Vec<u32>> {
    let mut search = Search::new(plan, i64::from(ii))?;
    search.run().then(|| {
        search.compact();
        search.sink_waits();
        search.steps()
    })
}

/// Returns whether every macro node fits on its own, and no dependence cycle is positive, at an
/// interval.
pub(crate) fn is_feasible(plan: &Plan, ii: u32) -> bool {
    Search::new(plan, i64::from(ii)).is_some()
}

/// A precedence constraint between two macro nodes: `start(other) - start(this) >= steps - ii ·
/// distance` for a successor, mirrored for a predecessor.
#[derive(Clone, Copy)]
struct Precedence {
    other: usize,
    distance: i64,
    steps: i64,
}

/// A partial modulo schedule: the placed and the unplaced macro nodes of a plan.
pub(crate) struct Search<'a> {
    plan: &'a Plan<'a>,
    ii: i64,
    /// The step of each macro node's first item, if it is placed.
    starts: Vec<Option<i64>>,
    /// The step of each item, if its macro node is placed.
    at: Vec<Option<i64>>,
    /// The step at which each macro node was last placed by force.
    last_forced: Vec<Option<i64>>,
    /// The modulo reservation table: the items that issue in each step of the interval.
    slots: Vec<Vec<usize>>,
    /// The predecessors of each macro node.
    before: Vec<Vec<Precedence>>,
    /// The successors of each macro node.
    after: Vec<Vec<Precedence>>,
    /// The longest path from each macro node's first step to the end of an iteration.
    heights: Vec<i64>,
}

impl<'a> Search<'a> {
    /// Creates an empty schedule; `None` if the interval is infeasible for a macro node by itself
    /// or for a dependence cycle.
    pub(crate) fn new(plan: &'a Plan<'a>, ii: i64) -> Option<Self> {
        let nodes = plan.macro_nodes.len();
        let mut before = vec![Vec::new(); nodes];
        let mut after = vec![Vec::new(); nodes];
        let offsets = offsets(plan);
        for edge in &plan.edges {
            let (from, to) = (plan.node_of[edge.from], plan.node_of[edge.to]);
            let steps = i64::from(edge.steps) + offsets[edge.from] - offsets[edge.to];
            let distance = i64::from(edge.distance);
            if from == to {
                if steps > distance * ii {
                    return None;
                }
                continue;
            }
            after[from].push(Precedence {
                other: to,
                distance,
                steps,
            });
            before[to].push(Precedence {
                other: from,
                distance,
                steps,
            });
        }
        let mut search = Search {
            plan,
            ii,
            starts: vec![None; nodes],
            at: vec![None; plan.body.items.len()],
            last_forced: vec![None; nodes],
            slots: vec![Vec::new(); ii as usize],
            before,
            after,
            heights: Vec::new(),
        };
        search.heights = search.compute_heights()?;
        let fits = (0..nodes).all(|node| search.fits_alone(node));
        fits.then_some(search)
    }

    /// Computes the heights by Bellman-Ford relaxation; `None` if a dependence cycle is positive at
    /// this interval.
    fn compute_heights(&self) -> Option<Vec<i64>> {
        let mut heights: Vec<i64> = self
            .plan
            .macro_nodes
            .iter()
            .map(|node| node.members.iter().map(|m| m.1).max().unwrap_or(0))
            .collect();
        for _ in 0..=heights.len() {
            let mut changed = false;
            for node in (0..heights.len()).rev() {
                for edge in &self.after[node] {
                    let height = heights[edge.other] + edge.steps - self.ii * edge.distance;
                    if height > heights[node] {
                        heights[node] = height;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(heights);
            }
        }
        None
    }

    /// Returns, for each macro node, the longest path from its first step to the end.
    pub(crate) fn heights(&self) -> &[i64] {
        &self.heights
    }

    /// Returns the step of an item relative to its macro node.
    pub(crate) fn offset(&self, item: usize) -> i64 {
        let members = &self.plan.macro_nodes[self.plan.node_of[item]].members;
        let of_item = members.iter().find(|member| member.0 == item);
        of_item.map_or(0, |member| member.1)
    }

    /// Returns the precedences within an iteration: predecessor, successor, least number of steps.
    pub(crate) fn precedences(&self) -> impl Iterator<Item = (usize, usize, i64)> + '_ {
        self.after
            .iter()
            .enumerate()
            .flat_map(|(from, precedences)| {
                let near = precedences.iter().filter(|edge| edge.distance == 0);
                near.map(move |edge| (from, edge.other, edge.steps))
            })
    }

    /// Returns whether a macro node is placed.
    pub(crate) fn is_placed(&self, node: usize) -> bool {
        self.starts[node].is_some()
    }

    /// Returns whether the members of a macro node do not conflict with one another.
    fn fits_alone(&mut self, node: usize) -> bool {
        self.place(node, 0);
        let members = &self.plan.macro_nodes[node].members;
        let fits = members
            .iter()
            .all(|&(item, at)| self.has_no_conflict(item, at));
        self.unplace(node);
        fits
    }

    /// Places all macro nodes; returns whether the budget sufficed.
    fn run(&mut self) -> bool {
        let mut left = BUDGET * self.starts.len() + 16;
        while let Some(node) = self.next_unplaced() {
            if left == 0 {
                return false;
            }
            left -= 1;
            self.schedule_node(node);
        }
        true
    }

    /// Returns the unplaced macro node with the greatest height.
    fn next_unplaced(&self) -> Option<usize> {
        let waiting = (0..self.starts.len()).filter(|&node| self.starts[node].is_none());
        waiting.max_by_key(|&node| (self.heights[node], std::cmp::Reverse(node)))
    }

    /// Places a macro node in the first conflict-free step of its window, or by force.
    fn schedule_node(&mut self, node: usize) {
        let earliest = self.earliest(node);
        let end = earliest + self.ii;
        let latest = self.latest(node).map_or(end, |latest| end.min(latest + 1));
        for start in earliest..latest {
            self.place(node, start);
            if self.is_conflict_free(node) {
                return;
            }
            self.unplace(node);
        }
        let start = match self.last_forced[node] {
            Some(last_forced) if last_forced >= earliest => last_forced + 1,
            _ => earliest,
        };
        self.force_place(node, start);
    }

    /// Hoists macro nodes to earlier steps until none moves, for a few rounds at most.
    fn compact(&mut self) {
        const ROUNDS: usize = 8;
        let mut order: Vec<usize> = (0..self.starts.len()).collect();
        for _ in 0..ROUNDS {
            order.sort_by_key(|&node| self.starts[node]);
            let mut moved = false;
            for &node in &order {
                moved |= self.hoist(node);
            }
            if !moved {
                return;
            }
        }
    }

    /// Moves each `wait` to the latest conflict-free step that its successors allow. A `wait`
    /// stalls everything that follows it in the instruction stream, including MV instructions of
    /// other iterations.
    fn sink_waits(&mut self) {
        let is_wait = |node: &usize| match &self.plan.macro_nodes[*node].members[..] {
            [(item, _)] => self.plan.slots[*item] == Some(Group::Wait),
            _ => false,
        };
        let mut waits: Vec<usize> = (0..self.starts.len()).filter(is_wait).collect();
        waits.sort_by_key(|&node| std::cmp::Reverse(self.starts[node]));
        for node in waits {
            self.sink(node);
        }
    }

    /// Moves a macro node to its latest conflict-free step, if that is later than its current one.
    fn sink(&mut self, node: usize) {
        let (Some(now), Some(latest)) = (self.starts[node], self.latest(node)) else {
            return;
        };
        self.unplace(node);
        for start in (now + 1..=latest).rev() {
            self.place(node, start);
            if self.is_conflict_free(node) {
                return;
            }
            self.unplace(node);
        }
        self.place(node, now);
    }

    /// Moves a macro node to its first conflict-free step, at most one interval before its current
    /// step; returns whether there was an earlier one.
    fn hoist(&mut self, node: usize) -> bool {
        let Some(now) = self.starts[node] else {
            return false;
        };
        let first = self.earliest(node).max(now - self.ii);
        self.unplace(node);
        for start in first..now {
            self.place(node, start);
            if self.is_conflict_free(node) && self.readers_are_conflict_free(node) {
                return true;
            }
            self.unplace(node);
        }
        self.place(node, now);
        false
    }

    /// Returns whether the readers of a node's values still have no conflict. A value that was
    /// forwarded before the move now needs a register port.
    fn readers_are_conflict_free(&self, node: usize) -> bool {
        let members = self.plan.macro_nodes[node].members.iter();
        let mut bypasses = members.flat_map(|&(item, _)| &self.plan.bypasses[item]);
        bypasses.all(|bypass| {
            let at = self.at[bypass.reader];
            at.is_none_or(|at| self.has_no_conflict(bypass.reader, at))
        })
    }

    /// Returns the latest step of a macro node that its placed successors allow; `None` if none of
    /// them is placed.
    fn latest(&self, node: usize) -> Option<i64> {
        let starts = self.after[node].iter().filter_map(|edge| {
            self.starts[edge.other].map(|start| start - edge.steps + self.ii * edge.distance)
        });
        starts.min()
    }

    /// Returns the earliest step of a macro node that its placed predecessors allow, at least 0.
    fn earliest(&self, node: usize) -> i64 {
        let starts = self.before[node].iter().filter_map(|edge| {
            self.starts[edge.other].map(|start| start + edge.steps - self.ii * edge.distance)
        });
        starts.max().unwrap_or(0).max(0)
    }

    /// Places a macro node at a step and enters it in the reservation table.
    pub(crate) fn place(&mut self, node: usize, start: i64) {
        self.starts[node] = Some(start);
        for &(item, offset) in &self.plan.macro_nodes[node].members {
            let at = start + offset;
            self.at[item] = Some(at);
            self.slots[at.rem_euclid(self.ii) as usize].push(item);
        }
    }

    /// Removes a macro node from the schedule.
    pub(crate) fn unplace(&mut self, node: usize) {
        self.starts[node] = None;
        for &(item, _) in &self.plan.macro_nodes[node].members {
            if let Some(at) = self.at[item].take() {
                self.slots[at.rem_euclid(self.ii) as usize].retain(|&other| other != item);
            }
        }
    }

    /// Returns whether a placed macro node has no conflict.
    pub(crate) fn is_conflict_free(&self, node: usize) -> bool {
        self.plan.macro_nodes[node]
            .members
            .iter()
            .all(|&(item, _)| self.at[item].is_some_and(|at| self.has_no_conflict(item, at)))
    }

    /// Places a macro node regardless of conflicts. Evicts every node that conflicts with it, and
    /// every successor that is now too early.
    fn force_place(&mut self, node: usize, start: i64) {
        self.last_forced[node] = Some(start);
        self.place(node, start);
        for edge in &self.after[node].clone() {
            let late = start + edge.steps - self.ii * edge.distance;
            if self.starts[edge.other].is_some_and(|other| other < late) {
                self.evict(edge.other, node);
            }
        }
        // Evicting a writer turns forwarded operands into register reads, which may conflict again.
        loop {
            let members = self.plan.macro_nodes[node].members.iter();
            let conflicting =
                members.flat_map(|&(item, offset)| self.conflicting_items(item, start + offset));
            let mut others: Vec<usize> = conflicting.map(|item| self.plan.node_of[item]).collect();
            others.retain(|&other| other != node);
            if others.is_empty() {
                return;
            }
            others.into_iter().for_each(|other| self.evict(other, node));
        }
    }

    /// Removes a macro node and the nodes to which it forwarded a value, except `keep`.
    fn evict(&mut self, node: usize, keep: usize) {
        let mut out = vec![node];
        while let Some(node) = out.pop() {
            for &(item, _) in &self.plan.macro_nodes[node].members {
                for bypass in self.plan.bypasses[item]
                    .iter()
                    .filter(|bypass| bypass.writer == item)
                {
                    let reader = self.plan.node_of[bypass.reader];
                    let both = self.at[bypass.reader].zip(self.at[item]);
                    let forwarded = both.is_some_and(|(reader, writer)| reader == writer + 1);
                    if forwarded && reader != keep && reader != node {
                        out.push(reader);
                    }
                }
            }
            self.unplace(node);
        }
    }

    /// Returns the items that conflict with an item in a step, including those of its own macro
    /// node.
    fn conflicting_items(&self, item: usize, at: i64) -> Vec<usize> {
        let mut found = Vec::new();
        let _ = self.visit_conflicts(item, at, &mut |other| {
            found.push(other);
            ControlFlow::Continue(())
        });
        found
    }

    /// Returns whether nothing conflicts with an item in a step.
    fn has_no_conflict(&self, item: usize, at: i64) -> bool {
        let any = self.visit_conflicts(item, at, &mut |_| ControlFlow::Break(()));
        any.is_continue()
    }

    /// Calls `each` for the items that conflict with an item in a step, until it breaks.
    fn visit_conflicts(
        &self,
        item: usize,
        at: i64,
        each: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let slot = &self.slots[at.rem_euclid(self.ii) as usize];
        for &other in slot {
            if other == item || !self.plan.may_clash(item, other) {
                continue;
            }
            let there = self.at[other].unwrap_or(at);
            let later = (at - there) / self.ii;
            let meet = self.plan.guards.can_coincide(item, other, later);
            if meet && self.conflicts(item, other, at == there) {
                each(other)?;
            }
        }
        if let Some(other) = self.third_mau_item(item, slot) {
            each(other)?;
        }
        self.visit_gap_conflicts(item, at, each)?;
        self.visit_bypass_conflicts(item, at, each)
    }

    /// Returns whether two items that issue in the same step exceed a slot or a field of the word.
    fn conflicts(&self, item: usize, other: usize, same_iteration: bool) -> bool {
        let slots = &self.plan.slots;
        slots[item] == slots[other]
            || self.reserved_fields(item).any(|need| {
                self.reserved_fields(other)
                    .any(|other| need.conflicts(other, same_iteration))
            })
    }

    /// Returns an item of the third kind of MAU operation, if a step already has the two other
    /// kinds. A word holds at most two of arithmetic, matrix register writes and matrix register
    /// reads.
    fn third_mau_item(&self, item: usize, slot: &[usize]) -> Option<usize> {
        const MAU_GROUPS: [Option<Group>; 3] = [
            Some(Group::MauCalc),
            Some(Group::Mwrite),
            Some(Group::Mread),
        ];
        let slots = &self.plan.slots;
        if !MAU_GROUPS.contains(&slots[item]) {
            return None;
        }
        let mut others = MAU_GROUPS
            .iter()
            .filter(|&&node| node != slots[item])
            .map(|node| slot.iter().copied().find(|&other| slots[other] == *node));
        others.next()??;
        others.next()?
    }

    /// Visits the items whose ports are still busy: the constraints of [`Gap`](super::plan::Gap).
    fn visit_gap_conflicts(
        &self,
        item: usize,
        at: i64,
        each: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for gap in &self.plan.gaps[item] {
            let other = gap.other;
            let Some(there) = (if other == item {
                Some(at)
            } else {
                self.at[other]
            }) else {
                continue;
            };
            // The differences of iterations at which the other item issues `steps` steps later.
            let iterations = |steps: i64| {
                let distance = at + steps - there;
                (distance % self.ii == 0).then_some(distance / self.ii)
            };
            let after = (1..gap.after).filter_map(iterations);
            let before = (1..gap.before).filter_map(|steps| iterations(-steps));
            if after
                .chain(before)
                .any(|later| self.plan.guards.can_coincide(item, other, later))
            {
                each(other)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the items that miss both arrivals of a value: forwarded in the next step, or readable
    /// from its register.
    fn visit_bypass_conflicts(
        &self,
        item: usize,
        at: i64,
        each: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for bypass in &self.plan.bypasses[item] {
            let (other, distance) = if bypass.writer == item {
                (
                    bypass.reader,
                    self.at[bypass.reader].map(|reader| reader - at),
                )
            } else {
                (
                    bypass.writer,
                    self.at[bypass.writer].map(|writer| at - writer),
                )
            };
            let Some(distance) = distance.filter(|&distance| distance > 0) else {
                continue;
            };
            if !(distance == 1 && bypass.can_forward || distance >= bypass.register_latency) {
                each(other)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the fields that an item reserves at its current step. They depend on whether its
    /// operands are forwarded.
    fn reserved_fields(&self, item: usize) -> impl Iterator<Item = &FieldReservation> {
        self.plan.reservations[item].all(move |value| {
            let writer = self.plan.uses[value.0 as usize].writers[0];
            let both = self.at[item].zip(self.at[writer]);
            both.is_some_and(|(reader, writer)| reader == writer + 1)
        })
    }

    /// Returns the steps of all items, normalised so that the first is 0.
    pub(crate) fn steps(&self) -> Vec<u32> {
        let first = self.at.iter().flatten().min().copied().unwrap_or(0);
        let steps = self
            .at
            .iter()
            .map(|at| (at.unwrap_or(first) - first) as u32);
        steps.collect()
    }
}

/// Returns the step of each item relative to its macro node.
fn offsets(plan: &Plan) -> Vec<i64> {
    let mut offsets = vec![0; plan.body.items.len()];
    for &(item, offset) in plan.macro_nodes.iter().flat_map(|node| &node.members) {
        offsets[item] = offset;
    }
    offsets
}
