//! The order of items: that in which they were written, but for what fills the cycle behind a
//! multiply-add.
//!
//! Items between a condition and its end stay together and in order. Nothing else is put between
//! them, as not all lanes would execute it.

use std::collections::HashMap;

use crate::virtual_inst::{Op, Reg, VirtualInst};

/// How far ahead an item is taken from to fill a cycle: what is computed early takes a register for
/// longer.
const LOOKAHEAD: usize = 8;

/// Items in an order in which few wait for the result of the one before.
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
            // What is open goes on, even if it waits.
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

/// The group that goes on behind an item.
fn open(items: &[VirtualInst], groups: &[Option<usize>], last: usize) -> Option<usize> {
    groups[last].filter(|_| items[last].op != Op::EndIf)
}

/// For each item the condition it is behind of, a number.
fn conditional_groups(items: &[VirtualInst]) -> Vec<Option<usize>> {
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

/// For each item those that must stand before it. The first of a group needs all that the group
/// needs.
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
