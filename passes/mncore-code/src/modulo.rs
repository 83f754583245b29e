//! Iterative modulo scheduling (Rau 1994), at the granularity of steps, of groups of items that are
//! tied to one another.
//!
//! The next group is the one with the longest way to the end. It takes the first step that what is
//! placed already leaves it, within one initiation interval; if there is none it is placed by
//! force, and what is in its way is taken out again.

use std::ops::ControlFlow;

use tessera_isa_mncore::table::Group;

use crate::needs::Need;
use crate::plan::Plan;

/// How often a group may be placed, on average, before one gives up.
const BUDGET: usize = 12;

/// Steps of the items at this initiation interval.
pub(crate) fn place(plan: &Plan, ii: u32) -> Option<Vec<u32>> {
    let mut search = Search::new(plan, i64::from(ii))?;
    search.run().then(|| {
        search.compact();
        search.sink_waits();
        search.steps()
    })
}

/// Whether items that are tied to one another can issue as they must, in an interval in which
/// iterations do not meet.
pub(crate) fn fits(plan: &Plan, ii: u32) -> bool {
    Search::new(plan, i64::from(ii)).is_some()
}

/// An order of two groups.
#[derive(Clone, Copy)]
struct Order {
    other: usize,
    distance: i64,
    steps: i64,
}

/// Groups with steps, and those without.
pub(crate) struct Search<'a> {
    plan: &'a Plan<'a>,
    ii: i64,
    /// The step of each group.
    starts: Vec<Option<i64>>,
    /// The step of each item.
    at: Vec<Option<i64>>,
    /// The last step a group was placed in.
    last: Vec<Option<i64>>,
    /// Items by their step in the interval.
    slots: Vec<Vec<usize>>,
    before: Vec<Vec<Order>>,
    after: Vec<Vec<Order>>,
    heights: Vec<i64>,
}

impl<'a> Search<'a> {
    /// None if the interval is too short for the groups themselves.
    pub(crate) fn new(plan: &'a Plan<'a>, ii: i64) -> Option<Self> {
        let groups = plan.rigid.len();
        let mut before = vec![Vec::new(); groups];
        let mut after = vec![Vec::new(); groups];
        let offsets = offsets(plan);
        for edge in &plan.edges {
            let (from, to) = (plan.group_of[edge.from], plan.group_of[edge.to]);
            let steps = i64::from(edge.steps) + offsets[edge.from] - offsets[edge.to];
            let distance = i64::from(edge.distance);
            if from == to {
                if steps > distance * ii {
                    return None;
                }
                continue;
            }
            after[from].push(Order {
                other: to,
                distance,
                steps,
            });
            before[to].push(Order {
                other: from,
                distance,
                steps,
            });
        }
        let mut search = Search {
            plan,
            ii,
            starts: vec![None; groups],
            at: vec![None; plan.body.items.len()],
            last: vec![None; groups],
            slots: vec![Vec::new(); ii as usize],
            before,
            after,
            heights: Vec::new(),
        };
        search.heights = search.longest_ways()?;
        let fits = (0..groups).all(|group| search.fits_itself(group));
        fits.then_some(search)
    }

    /// The longest way from each group to the end; none if there is a circle that needs a longer
    /// interval.
    fn longest_ways(&self) -> Option<Vec<i64>> {
        let mut heights: Vec<i64> = self
            .plan
            .rigid
            .iter()
            .map(|group| group.members.iter().map(|m| m.1).max().unwrap_or(0))
            .collect();
        for _ in 0..=heights.len() {
            let mut changed = false;
            for group in (0..heights.len()).rev() {
                for order in &self.after[group] {
                    let height = heights[order.other] + order.steps - self.ii * order.distance;
                    if height > heights[group] {
                        heights[group] = height;
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

    /// The longest way from each group's first step to the end.
    pub(crate) fn heights(&self) -> &[i64] {
        &self.heights
    }

    /// The step of an item in its group.
    pub(crate) fn offset(&self, item: usize) -> i64 {
        let members = &self.plan.rigid[self.plan.group_of[item]].members;
        let of_item = members.iter().find(|member| member.0 == item);
        of_item.map_or(0, |member| member.1)
    }

    /// The order of two groups in an iteration, and by how many steps at least.
    pub(crate) fn orders(&self) -> impl Iterator<Item = (usize, usize, i64)> + '_ {
        self.after.iter().enumerate().flat_map(|(from, orders)| {
            let near = orders.iter().filter(|order| order.distance == 0);
            near.map(move |order| (from, order.other, order.steps))
        })
    }

    /// Whether a group has a step.
    pub(crate) fn is_placed(&self, group: usize) -> bool {
        self.starts[group].is_some()
    }

    /// Whether the members of a group do not stand in one another's way.
    fn fits_itself(&mut self, group: usize) -> bool {
        self.put(group, 0);
        let members = &self.plan.rigid[group].members;
        let fits = members.iter().all(|&(item, at)| self.is_clear(item, at));
        self.take(group);
        fits
    }

    fn run(&mut self) -> bool {
        let mut left = BUDGET * self.starts.len() + 16;
        while let Some(group) = self.next() {
            if left == 0 {
                return false;
            }
            left -= 1;
            self.place(group);
        }
        true
    }

    /// The group with the longest way to the end that has no step.
    fn next(&self) -> Option<usize> {
        let waiting = (0..self.starts.len()).filter(|&group| self.starts[group].is_none());
        waiting.max_by_key(|&group| (self.heights[group], std::cmp::Reverse(group)))
    }

    fn place(&mut self, group: usize) {
        let earliest = self.earliest(group);
        let end = earliest + self.ii;
        let latest = self.latest(group).map_or(end, |latest| end.min(latest + 1));
        for start in earliest..latest {
            self.put(group, start);
            if self.is_free(group) {
                return;
            }
            self.take(group);
        }
        let start = match self.last[group] {
            Some(last) if last >= earliest => last + 1,
            _ => earliest,
        };
        self.force(group, start);
    }

    /// Moves groups to earlier steps, as long as there are some that can go.
    fn compact(&mut self) {
        const ROUNDS: usize = 8;
        let mut order: Vec<usize> = (0..self.starts.len()).collect();
        for _ in 0..ROUNDS {
            order.sort_by_key(|&group| self.starts[group]);
            let mut moved = false;
            for &group in &order {
                moved |= self.move_up(group);
            }
            if !moved {
                return;
            }
        }
    }

    /// Moves each `wait` to the last step that those who need it leave it: a `wait` holds up all
    /// that comes behind it in the stream, MV instructions of other iterations, too.
    fn sink_waits(&mut self) {
        let is_wait = |group: &usize| match &self.plan.rigid[*group].members[..] {
            [(item, _)] => self.plan.slots[*item] == Some(Group::Wait),
            _ => false,
        };
        let mut waits: Vec<usize> = (0..self.starts.len()).filter(is_wait).collect();
        waits.sort_by_key(|&group| std::cmp::Reverse(self.starts[group]));
        for group in waits {
            self.sink(group);
        }
    }

    /// Moves a group to its last free step behind that which it has.
    fn sink(&mut self, group: usize) {
        let (Some(now), Some(latest)) = (self.starts[group], self.latest(group)) else {
            return;
        };
        self.take(group);
        for start in (now + 1..=latest).rev() {
            self.put(group, start);
            if self.is_free(group) {
                return;
            }
            self.take(group);
        }
        self.put(group, now);
    }

    /// Moves a group to its first free step before that which it has; tells whether there is one.
    fn move_up(&mut self, group: usize) -> bool {
        let Some(now) = self.starts[group] else {
            return false;
        };
        let first = self.earliest(group).max(now - self.ii);
        self.take(group);
        for start in first..now {
            self.put(group, start);
            if self.is_free(group) && self.readers_are_free(group) {
                return true;
            }
            self.take(group);
        }
        self.put(group, now);
        false
    }

    /// Whether those that read a group's values have room: where one was forwarded before, a port
    /// is needed now.
    fn readers_are_free(&self, group: usize) -> bool {
        let members = self.plan.rigid[group].members.iter();
        let mut ways = members.flat_map(|&(item, _)| &self.plan.ways[item]);
        ways.all(|way| {
            let at = self.at[way.reader];
            at.is_none_or(|at| self.is_clear(way.reader, at))
        })
    }

    /// The last step that the groups after it leave it.
    fn latest(&self, group: usize) -> Option<i64> {
        let starts = self.after[group].iter().filter_map(|order| {
            self.starts[order.other].map(|start| start - order.steps + self.ii * order.distance)
        });
        starts.min()
    }

    /// The first step that the groups before it leave it.
    fn earliest(&self, group: usize) -> i64 {
        let starts = self.before[group].iter().filter_map(|order| {
            self.starts[order.other].map(|start| start + order.steps - self.ii * order.distance)
        });
        starts.max().unwrap_or(0).max(0)
    }

    pub(crate) fn put(&mut self, group: usize, start: i64) {
        self.starts[group] = Some(start);
        for &(item, offset) in &self.plan.rigid[group].members {
            let at = start + offset;
            self.at[item] = Some(at);
            self.slots[at.rem_euclid(self.ii) as usize].push(item);
        }
    }

    pub(crate) fn take(&mut self, group: usize) {
        self.starts[group] = None;
        for &(item, _) in &self.plan.rigid[group].members {
            if let Some(at) = self.at[item].take() {
                self.slots[at.rem_euclid(self.ii) as usize].retain(|&other| other != item);
            }
        }
    }

    /// Whether nothing is in the way of a group where it is.
    pub(crate) fn is_free(&self, group: usize) -> bool {
        self.plan.rigid[group]
            .members
            .iter()
            .all(|&(item, _)| self.at[item].is_some_and(|at| self.is_clear(item, at)))
    }

    /// Places a group, and takes out what is in its way, before or after it.
    fn force(&mut self, group: usize, start: i64) {
        self.last[group] = Some(start);
        self.put(group, start);
        for order in &self.after[group].clone() {
            let late = start + order.steps - self.ii * order.distance;
            if self.starts[order.other].is_some_and(|other| other < late) {
                self.take_out(order.other, group);
            }
        }
        // Who loses a value that was forwarded to it needs more than before.
        loop {
            let members = self.plan.rigid[group].members.iter();
            let in_the_way =
                members.flat_map(|&(item, offset)| self.in_the_way(item, start + offset));
            let mut others: Vec<usize> = in_the_way.map(|item| self.plan.group_of[item]).collect();
            others.retain(|&other| other != group);
            if others.is_empty() {
                return;
            }
            others
                .into_iter()
                .for_each(|other| self.take_out(other, group));
        }
    }

    /// Takes out a group, and those that had a value of it forwarded, but for one.
    fn take_out(&mut self, group: usize, but: usize) {
        let mut out = vec![group];
        while let Some(group) = out.pop() {
            for &(item, _) in &self.plan.rigid[group].members {
                for way in self.plan.ways[item].iter().filter(|way| way.writer == item) {
                    let reader = self.plan.group_of[way.reader];
                    let both = self.at[way.reader].zip(self.at[item]);
                    let forwarded = both.is_some_and(|(reader, writer)| reader == writer + 1);
                    if forwarded && reader != but && reader != group {
                        out.push(reader);
                    }
                }
            }
            self.take(group);
        }
    }

    /// The items that stand in the way of one in a step. Those of its own group count, too.
    fn in_the_way(&self, item: usize, at: i64) -> Vec<usize> {
        let mut found = Vec::new();
        let _ = self.obstacles(item, at, &mut |other| {
            found.push(other);
            ControlFlow::Continue(())
        });
        found
    }

    /// Whether nothing stands in the way of an item in a step.
    fn is_clear(&self, item: usize, at: i64) -> bool {
        let any = self.obstacles(item, at, &mut |_| ControlFlow::Break(()));
        any.is_continue()
    }

    /// Shows `each` the items that stand in the way of one in a step, until it has seen enough.
    fn obstacles(
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
            let meet = self.plan.guards.meet(item, other, later);
            if meet && self.clash(item, other, at == there) {
                each(other)?;
            }
        }
        if let Some(other) = self.third_of_mau(item, slot) {
            each(other)?;
        }
        self.too_close(item, at, each)?;
        self.too_late_to_forward(item, at, each)
    }

    /// Whether two items cannot issue at once.
    fn clash(&self, item: usize, other: usize, together: bool) -> bool {
        let slots = &self.plan.slots;
        slots[item] == slots[other]
            || self.needs(item).any(|need| {
                self.needs(other)
                    .any(|other| need.conflicts(other, together))
            })
    }

    /// Arithmetic, writes and reads of matrix registers: at most two of them at once.
    fn third_of_mau(&self, item: usize, slot: &[usize]) -> Option<usize> {
        const OF_MAU: [Option<Group>; 3] = [
            Some(Group::MauCalc),
            Some(Group::Mwrite),
            Some(Group::Mread),
        ];
        let slots = &self.plan.slots;
        if !OF_MAU.contains(&slots[item]) {
            return None;
        }
        let mut others = OF_MAU
            .iter()
            .filter(|&&group| group != slots[item])
            .map(|group| slot.iter().copied().find(|&other| slots[other] == *group));
        others.next()??;
        others.next()?
    }

    /// Ports that are still taken.
    fn too_close(
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
            // Iterations by which the other is later, where it issues `steps` steps later.
            let iterations = |steps: i64| {
                let distance = at + steps - there;
                (distance % self.ii == 0).then_some(distance / self.ii)
            };
            let after = (1..gap.after).filter_map(iterations);
            let before = (1..gap.before).filter_map(|steps| iterations(-steps));
            if after
                .chain(before)
                .any(|later| self.plan.guards.meet(item, other, later))
            {
                each(other)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Values that come neither in the next step nor when their register has them.
    fn too_late_to_forward(
        &self,
        item: usize,
        at: i64,
        each: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for way in &self.plan.ways[item] {
            let (other, distance) = if way.writer == item {
                (way.reader, self.at[way.reader].map(|reader| reader - at))
            } else {
                (way.writer, self.at[way.writer].map(|writer| at - writer))
            };
            let Some(distance) = distance.filter(|&distance| distance > 0) else {
                continue;
            };
            if !(distance == 1 && way.forward || distance >= way.register) {
                each(other)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// What an item takes of the word where it is, and where those are whose values it reads.
    fn needs(&self, item: usize) -> impl Iterator<Item = &Need> {
        self.plan.needs[item].all(move |value| {
            let writer = self.plan.uses[value.0 as usize].writers[0];
            let both = self.at[item].zip(self.at[writer]);
            both.is_some_and(|(reader, writer)| reader == writer + 1)
        })
    }

    /// The steps of the items, the first of them 0.
    pub(crate) fn steps(&self) -> Vec<u32> {
        let first = self.at.iter().flatten().min().copied().unwrap_or(0);
        let steps = self
            .at
            .iter()
            .map(|at| (at.unwrap_or(first) - first) as u32);
        steps.collect()
    }
}

/// Of each item, its step in its group.
fn offsets(plan: &Plan) -> Vec<i64> {
    let mut offsets = vec![0; plan.body.items.len()];
    for &(item, offset) in plan.rigid.iter().flat_map(|group| &group.members) {
        offsets[item] = offset;
    }
    offsets
}
