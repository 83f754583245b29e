//! The least length of a small block, by branch and bound.
//!
//! For each length from a lower bound on, groups of items that are tied to one another are placed
//! one after the other: next is the one with the fewest steps left, in its earliest step first.
//! What is placed narrows the steps of what comes before and after it; a group without steps ends
//! the branch.

use crate::modulo::Search;
use crate::plan::Plan;

/// The longest block that is searched, in steps.
pub(crate) const LONGEST: u32 = 20;
/// How many placements are tried for a length.
const BUDGET: u32 = 20_000;

/// Steps of the items of a block of so many steps, if they are found.
pub(crate) fn place(plan: &Plan, length: u32, horizon: u32) -> Option<Vec<u32>> {
    let search = Search::new(plan, i64::from(horizon))?;
    let groups = plan.rigid.len();
    let earliest = vec![0; groups];
    let latest = plan.rigid.iter().map(|group| {
        let last = group
            .members
            .iter()
            .map(|member| member.1)
            .max()
            .unwrap_or(0);
        i64::from(length) - 1 - last
    });
    let latest = latest.collect();
    let mut branch = Branch {
        search,
        left: BUDGET,
    };
    branch
        .try_all(Windows { earliest, latest })
        .then(|| branch.search.steps())
}

/// The least length that paths and slots leave.
pub(crate) fn least(plan: &Plan, horizon: u32) -> u32 {
    let Some(search) = Search::new(plan, i64::from(horizon)) else {
        return 1;
    };
    let mut windows = Windows {
        earliest: vec![0; plan.rigid.len()],
        latest: vec![i64::from(horizon); plan.rigid.len()],
    };
    if !windows.narrow(&search) {
        return 1;
    }
    let path = search.heights().iter().zip(&windows.earliest);
    let path = path
        .map(|(height, earliest)| height + earliest + 1)
        .max()
        .unwrap_or(0);
    let mut least = path;
    // Of a slot: the earliest of its items, a step for each, and the shortest way from one to the
    // end.
    for (slot, _) in plan
        .slots
        .iter()
        .zip(0..)
        .filter(|(slot, _)| slot.is_some())
    {
        let items = (0..plan.slots.len()).filter(|&item| plan.slots[item] == *slot);
        let mut first = i64::MAX;
        let mut last = i64::MAX;
        let mut count = 0;
        for item in items {
            let group = plan.group_of[item];
            let offset = search.offset(item);
            first = first.min(windows.earliest[group] + offset);
            last = last.min(search.heights()[group] - offset);
            count += 1;
        }
        least = least.max(first + count + last.max(0));
    }
    least as u32
}

/// The steps that each group can still begin in.
#[derive(Clone)]
struct Windows {
    earliest: Vec<i64>,
    latest: Vec<i64>,
}

impl Windows {
    /// Narrows by the order of groups; tells whether each has a step left.
    fn narrow(&mut self, search: &Search) -> bool {
        loop {
            let mut changed = false;
            for (from, to, steps) in search.orders() {
                let first = self.earliest[from] + steps;
                if first > self.earliest[to] {
                    self.earliest[to] = first;
                    changed = true;
                }
                let last = self.latest[to] - steps;
                if last < self.latest[from] {
                    self.latest[from] = last;
                    changed = true;
                }
                if self.earliest[to] > self.latest[to] || self.earliest[from] > self.latest[from] {
                    return false;
                }
            }
            if !changed {
                return self
                    .earliest
                    .iter()
                    .zip(&self.latest)
                    .all(|(first, last)| first <= last);
            }
        }
    }
}

struct Branch<'a> {
    search: Search<'a>,
    left: u32,
}

impl Branch<'_> {
    fn try_all(&mut self, mut windows: Windows) -> bool {
        if !windows.narrow(&self.search) {
            return false;
        }
        let waiting = (0..windows.earliest.len()).filter(|&group| !self.search.is_placed(group));
        let next = waiting.min_by_key(|&group| {
            let room = windows.latest[group] - windows.earliest[group];
            (room, windows.earliest[group])
        });
        let Some(group) = next else {
            return true;
        };
        for start in windows.earliest[group]..=windows.latest[group] {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            self.search.put(group, start);
            if self.search.is_free(group) {
                let mut narrower = windows.clone();
                narrower.earliest[group] = start;
                narrower.latest[group] = start;
                if self.try_all(narrower) {
                    return true;
                }
            }
            self.search.take(group);
        }
        false
    }
}
