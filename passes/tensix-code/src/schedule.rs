//! List scheduling: reorders instructions to fill the delay slot after a multiply-add.
//!
//! Instructions between a condition and its end stay together and in order. Nothing else may be
//! scheduled between them, as not all lanes would execute it.

use std::collections::HashMap;

use crate::virtual_inst::{Op, Reg, VirtualInst};

/// Lookahead window of the scheduler. It is bounded because computing early lengthens live ranges.
const LOOKAHEAD: usize = 8;

/// Schedules instructions so that few wait for the result of the previous one.
pub(crate) fn schedule(items: Vec<VirtualInst>) -> Vec<VirtualInst> {
    let dependences = dependences(&items);
    let groups = conditional_groups(&items);
    let mut left: Vec<usize> = (0..items.len()).collect();
    let mut done = vec![false; items.len()];
    let mut order: Vec<usize> = Vec::with_capacity(items.len());
    while let Some(&first) = left.first() {
        let late = order.last().map(|last| &items[*last]);
        let late = late.filter(|last| last.op.is_multi_cycle());
        let late = late.and_then(|last| last.dest);
        let group = order.last().and_then(|last| open(&items, &groups, *last));
        let fits = |&&number: &&usize| {
            groups[number].is_none_or(|first| first == number)
                && dependences[number].iter().all(|need| done[*need])
                && !items[number].inputs().any(|input| Some(input) == late)
        };
        let near = left.iter().take(LOOKAHEAD);
        let next = match group {
            // An open conditional group continues, even if it stalls.
            Some(_) => left.iter().find(|number| groups[**number] == group),
            None => near.clone().find(fits),
        };
        let next = *next.unwrap_or(&first);
        done[next] = true;
        order.push(next);
        left.retain(|number| *number != next);
    }
    let mut items: Vec<Option<VirtualInst>> = items.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|number| items[number].take())
        .collect()
}

/// Returns the conditional group that is open after an instruction.
fn open(items: &[VirtualInst], groups: &[Option<usize>], last: usize) -> Option<usize> {
    groups[last].filter(|_| items[last].op != Op::EndIf)
}

/// Returns for each instruction the first instruction of its conditional group.
pub(crate) fn conditional_groups(items: &[VirtualInst]) -> Vec<Option<usize>> {
    let mut groups = Vec::with_capacity(items.len());
    let mut group = None;
    for (number, item) in items.iter().enumerate() {
        if group.is_none() && item.op.narrows_lanes() {
            group = Some(number);
        }
        groups.push(group);
        if item.op == Op::EndIf {
            group = None;
        }
    }
    groups
}

/// Returns the dependences of each instruction. The first of a group depends on everything that the
/// group depends on.
fn dependences(items: &[VirtualInst]) -> Vec<Vec<usize>> {
    let groups = conditional_groups(items);
    let mut written: HashMap<Reg, usize> = HashMap::new();
    let mut read: HashMap<Reg, Vec<usize>> = HashMap::new();
    let mut dependences: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    let mut dst: Vec<usize> = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let mut own: Vec<usize> = Vec::new();
        for input in item.inputs() {
            own.extend(written.get(&input));
        }
        for output in item.outputs() {
            own.extend(written.get(&output));
            own.extend(read.remove(&output).unwrap_or_default());
        }
        if matches!(item.op, Op::Load(_) | Op::Store(_)) {
            own.extend(&dst);
            dst.push(number);
        }
        for input in item.inputs() {
            read.entry(input).or_default().push(number);
        }
        for output in item.outputs() {
            written.insert(output, number);
        }
        if let Some(first) = groups[number] {
            let outside: Vec<usize> = own.iter().copied().filter(|need| *need < first).collect();
            dependences[first].extend(outside);
        }
        dependences[number].extend(own.into_iter().filter(|need| *need != number));
    }
    dependences
}
