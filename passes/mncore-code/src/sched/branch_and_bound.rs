//! Exact scheduling of small blocks by branch and bound.
//!
//! [`super::schedule`] tries each length from a lower bound on. Macro nodes are placed one by one.
//! The node with the smallest window of steps comes first, and its earliest step is tried first.
//! Each placement narrows the windows of predecessors and successors. An empty window prunes the
//! branch. The search is exhaustive unless it exceeds its budget of placements.

use super::modulo::Search;
use super::plan::Plan;

/// The longest block that is searched exhaustively, in steps.
pub(crate) const MAX_LENGTH: u32 = 20;
/// Placements that the search may try for one length.
const BUDGET: u32 = 20_000;

/// Schedules the items of a block within `length` steps; `None` if that is impossible or the budget
/// is exhausted. `horizon` is an initiation interval at which iterations never overlap.
pub(crate) fn schedule_block(plan: &Plan, length: u32, horizon: u32) -> Option<Vec<u32>> {
    let search = Search::new(plan, i64::from(horizon))?;
    let nodes = plan.macro_nodes.len();
    let earliest = vec![0; nodes];
    let latest = plan.macro_nodes.iter().map(|node| {
        let last = node
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
        .place_remaining(Windows { earliest, latest })
        .then(|| branch.search.steps())
}

/// Returns a lower bound of a block's length, from critical paths and slots of the word; 1 if the
/// block is infeasible at the interval `horizon`.
pub(crate) fn min_length(plan: &Plan, horizon: u32) -> u32 {
    let Some(search) = Search::new(plan, i64::from(horizon)) else {
        return 1;
    };
    let mut windows = Windows {
        earliest: vec![0; plan.macro_nodes.len()],
        latest: vec![i64::from(horizon); plan.macro_nodes.len()],
    };
    if !windows.propagate(&search) {
        return 1;
    }
    let path = search.heights().iter().zip(&windows.earliest);
    let path = path
        .map(|(height, earliest)| height + earliest + 1)
        .max()
        .unwrap_or(0);
    let mut least = path;
    // A slot bounds the length by its earliest item, one step for each item, and the shortest path
    // from an item to the end.
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
            let node = plan.node_of[item];
            let offset = search.offset(item);
            first = first.min(windows.earliest[node] + offset);
            last = last.min(search.heights()[node] - offset);
            count += 1;
        }
        least = least.max(first + count + last.max(0));
    }
    least as u32
}

/// The steps at which each macro node can still begin.
#[derive(Clone)]
struct Windows {
    earliest: Vec<i64>,
    latest: Vec<i64>,
}

impl Windows {
    /// Propagates precedences through the windows; returns whether none is empty.
    fn propagate(&mut self, search: &Search) -> bool {
        loop {
            let mut changed = false;
            for (from, to, steps) in search.precedences() {
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

/// The search and its remaining budget.
struct Branch<'a> {
    search: Search<'a>,
    left: u32,
}

impl Branch<'_> {
    /// Places the remaining macro nodes by depth-first search; returns whether it succeeded.
    fn place_remaining(&mut self, mut windows: Windows) -> bool {
        if !windows.propagate(&self.search) {
            return false;
        }
        let waiting = (0..windows.earliest.len()).filter(|&node| !self.search.is_placed(node));
        let next = waiting.min_by_key(|&node| {
            let room = windows.latest[node] - windows.earliest[node];
            (room, windows.earliest[node])
        });
        let Some(node) = next else {
            return true;
        };
        for start in windows.earliest[node]..=windows.latest[node] {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            self.search.place(node, start);
            if self.search.is_conflict_free(node) {
                let mut narrower = windows.clone();
                narrower.earliest[node] = start;
                narrower.latest[node] = start;
                if self.place_remaining(narrower) {
                    return true;
                }
            }
            self.search.unplace(node);
        }
        false
    }
}
