//! Bounds of the initiation interval.

use std::collections::HashMap;

use tessera_isa_mncore::fields::Field;
use tessera_mncore_ir::schedule::Bound;

use crate::needs::Key;
use crate::plan::Plan;

/// The least interval there can be, and why.
pub(crate) fn least(plan: &Plan) -> (u32, Bound) {
    let mut best = (1, Bound::Nothing);
    let mut offer = |steps: u32, bound| {
        if steps > best.0 {
            best = (steps, bound);
        }
    };
    for case in 0..plan.guards.cases() {
        for (bound, steps) in resources(plan, case) {
            offer(steps, bound);
        }
    }
    offer(recurrence(plan), Bound::Recurrence);
    best
}

/// Steps of each resource in a case, on the average of all iterations.
fn resources(plan: &Plan, case: usize) -> Vec<(Bound, u32)> {
    let iterations = plan.body.iterations().max(1);
    let mut slots: Vec<(Bound, u64)> = Vec::new();
    let mut fields: HashMap<Field, Vec<(Key, u64)>> = HashMap::new();
    for item in 0..plan.body.items.len() {
        let bound = plan.slots[item].map_or(Bound::Moves, Bound::Slot);
        let count = plan.guards.count(item, case);
        match slots.iter_mut().find(|(other, _)| *other == bound) {
            Some((_, sum)) => *sum += count,
            None => slots.push((bound, count)),
        }
        for need in &plan.needs[item].always {
            if need.alone {
                continue;
            }
            let keys = fields.entry(need.field).or_default();
            match keys.iter_mut().find(|(key, _)| *key == need.key) {
                Some((_, most)) => *most = count.max(*most),
                None => keys.push((need.key, count)),
            }
        }
    }
    let steps = |sum: u64| sum.div_ceil(iterations) as u32;
    let mut all: Vec<_> = slots
        .into_iter()
        .map(|(bound, sum)| (bound, steps(sum)))
        .collect();
    let mut fields: Vec<_> = fields.into_iter().collect();
    fields.sort_by_key(|(field, _)| *field);
    all.extend(fields.into_iter().map(|(field, keys)| {
        let sum = keys.iter().map(|(_, count)| count).sum();
        (Bound::Field(field), steps(sum))
    }));
    all
}

/// The least interval that circles of the order leave.
fn recurrence(plan: &Plan) -> u32 {
    let mut low = 1;
    let mut high = most(plan);
    while low < high {
        let middle = (low + high) / 2;
        if has_no_circle(plan, middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Whether no circle asks for more steps than its iterations have.
fn has_no_circle(plan: &Plan, ii: u32) -> bool {
    let mut starts = vec![0i64; plan.body.items.len()];
    for _ in 0..=starts.len() {
        let mut changed = false;
        for edge in &plan.edges {
            let steps = i64::from(edge.steps) - i64::from(ii) * i64::from(edge.distance);
            if starts[edge.from] + steps > starts[edge.to] {
                starts[edge.to] = starts[edge.from] + steps;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

/// An interval in which one item after the other has room.
pub(crate) fn most(plan: &Plan) -> u32 {
    let latest = plan.edges.iter().map(|edge| edge.steps).max().unwrap_or(0);
    let gap = plan
        .gaps
        .iter()
        .flatten()
        .map(|gap| gap.after.max(gap.before))
        .max()
        .unwrap_or(0);
    let each = latest.max(gap as u32).max(1);
    (plan.body.items.len() as u32 * each).max(1)
}
