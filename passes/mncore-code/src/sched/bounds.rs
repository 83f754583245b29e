//! Bounds of the initiation interval: MII = max(ResMII, RecMII) (Rau 1994, section 2).
//!
//! ResMII is the utilisation of the most loaded resource: a slot of the instruction word, a field
//! of it that distinct values compete for, or the one MV instruction before each step. Only fields
//! that items reserve wherever their values are stored count. RecMII is the least interval at which
//! no dependence cycle is positive; a binary search finds it.

use std::collections::HashMap;

use tessera_isa_mncore::fields::Field;
use tessera_mncore_ir::schedule::Bound;

use super::plan::Plan;
use super::reservation::FieldValue;

/// Returns the minimum initiation interval and the resource or recurrence that sets it.
pub(crate) fn min_ii(plan: &Plan) -> (u32, Bound) {
    let mut best = (1, Bound::Nothing);
    let mut offer = |steps: u32, bound| {
        if steps > best.0 {
            best = (steps, bound);
        }
    };
    for case in 0..plan.guards.case_count() {
        for (bound, steps) in resource_bounds(plan, case) {
            offer(steps, bound);
        }
    }
    offer(recurrence_min_ii(plan), Bound::Recurrence);
    best
}

/// Returns the steps per iteration that each resource needs in one case of the guards: its uses in
/// all iterations, divided by the number of iterations and rounded up. [`min_ii`] takes the maximum
/// over the cases.
fn resource_bounds(plan: &Plan, case: usize) -> Vec<(Bound, u32)> {
    let iterations = plan.body.iterations().max(1);
    let mut slots: Vec<(Bound, u64)> = Vec::new();
    let mut fields: HashMap<Field, Vec<(FieldValue, u64)>> = HashMap::new();
    for item in 0..plan.body.items.len() {
        let bound = plan.slots[item].map_or(Bound::Moves, Bound::Slot);
        let count = plan.guards.issue_count(item, case);
        match slots.iter_mut().find(|(other, _)| *other == bound) {
            Some((_, sum)) => *sum += count,
            None => slots.push((bound, count)),
        }
        for need in &plan.reservations[item].always {
            if need.exclusive {
                continue;
            }
            let values = fields.entry(need.field).or_default();
            match values.iter_mut().find(|(value, _)| *value == need.value) {
                Some((_, most)) => *most = count.max(*most),
                None => values.push((need.value, count)),
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
    all.extend(fields.into_iter().map(|(field, values)| {
        let sum = values.iter().map(|(_, count)| count).sum();
        (Bound::Field(field), steps(sum))
    }));
    all
}

/// Returns the recurrence-constrained minimum initiation interval (RecMII).
fn recurrence_min_ii(plan: &Plan) -> u32 {
    let mut low = 1;
    let mut high = max_ii(plan);
    while low < high {
        let middle = (low + high) / 2;
        if has_no_positive_cycle(plan, middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns whether no dependence cycle needs more steps than its iteration distance provides.
fn has_no_positive_cycle(plan: &Plan, ii: u32) -> bool {
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

/// Returns an interval that is always long enough: as many times the greatest latency or port gap
/// as there are items. An order without any overlap then fits.
pub(crate) fn max_ii(plan: &Plan) -> u32 {
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
