//! Grouping: decides which operations share a kernel.
//!
//! Invariants: each operation of a group, except the last, has a single reader, which is in the
//! group. So a group has one result, no other value of it is used elsewhere, and it can be placed
//! at its last operation. A group has at most one head: a product, a reduction or a transposition.
//!
//! Algorithm: groups grow greedily along chains as long as the target accepts them, which gives the
//! fewest groups per chain. Then the cut between two groups of a chain moves backwards to the
//! smallest tensor at which both groups still fit, to minimize traffic through memory.

use std::collections::HashMap;

/// How far groups are extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fusion {
    /// Each operation has its own kernel.
    None,
    /// A product takes the element-wise operations after it; what is left forms chains of
    /// element-wise operations.
    Epilogue,
    /// Also fuses operations before a product's factors, if they are computed once.
    Auto,
    /// Also if they are recomputed.
    All,
}

/// An operation that may share a kernel with others.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Whether it is a matrix product, a reduction or a transposition.
    pub head: bool,
    /// Number of the only reader of its result, if that may join its group.
    pub next: Option<usize>,
    /// Bytes of its result.
    pub bytes: u64,
}

/// Partitions the nodes into groups, each an ordered list of numbers. Every group of several nodes
/// satisfies `fits`.
pub fn groups(nodes: &[Node], fusion: Fusion, fits: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let mut grouping = Grouping {
        nodes,
        fits,
        taken: vec![false; nodes.len()],
    };
    let (heads, others): (Vec<_>, Vec<_>) = (0..nodes.len()).partition(|n| nodes[*n].head);
    let chain = |grouping: &mut Grouping<_>, first| match fusion {
        Fusion::None => grouping.start_group(first),
        _ => grouping.chain(first),
    };
    let mut groups: Vec<_> = heads
        .into_iter()
        .map(|first| chain(&mut grouping, first))
        .collect();
    if fusion >= Fusion::Auto {
        for group in &mut groups {
            grouping.extend_backwards(group);
        }
    }
    for first in others {
        if !grouping.taken[first] {
            groups.push(chain(&mut grouping, first));
        }
    }
    if fusion != Fusion::None {
        grouping.move_cuts(&mut groups);
    }
    groups.sort_by_key(|group| group[group.len() - 1]);
    groups
}

struct Grouping<'n, F> {
    nodes: &'n [Node],
    fits: F,
    /// Which operations are in a group.
    taken: Vec<bool>,
}

impl<F: Fn(&[usize]) -> bool> Grouping<'_, F> {
    fn start_group(&mut self, first: usize) -> Vec<usize> {
        self.taken[first] = true;
        vec![first]
    }

    /// Grows a group from an operation along its readers.
    fn chain(&mut self, first: usize) -> Vec<usize> {
        let mut group = self.start_group(first);
        while let Some(next) = self.nodes[group[group.len() - 1]].next {
            if !self.try_add(&mut group, next) {
                break;
            }
        }
        group
    }

    /// Adds operations that only the group reads, nearest first.
    fn extend_backwards(&mut self, group: &mut Vec<usize>) {
        for number in (0..group[group.len() - 1]).rev() {
            if self.nodes[number].next.is_some_and(|n| group.contains(&n)) {
                self.try_add(group, number);
            }
        }
    }

    /// Moves the cut after each group to the smallest tensor of its element-wise chain.
    fn move_cuts(&self, groups: &mut [Vec<usize>]) {
        let firsts = groups.iter().map(|group| group[0]).zip(0..);
        let mut by_first: HashMap<usize, usize> = firsts.collect();
        for first in 0..groups.len() {
            let next = self.nodes[groups[first][groups[first].len() - 1]].next;
            let next = next.filter(|&next| !self.nodes[next].head);
            let Some(&second) = next.and_then(|next| by_first.get(&next)) else {
                continue;
            };
            if let Some(at) = self.best_cut(&groups[first], &groups[second]) {
                let moved = groups[first].split_off(at);
                by_first.remove(&groups[second][0]);
                by_first.insert(moved[0], second);
                groups[second].splice(0..0, moved);
            }
        }
    }

    /// Returns the number of operations that remain in a group after moving the best cut, or `None`
    /// if the cut is best where it is.
    fn best_cut(&self, first: &[usize], second: &[usize]) -> Option<usize> {
        let bytes = |at: &usize| self.nodes[first[*at - 1]].bytes;
        let continues = |at: &usize| {
            !self.nodes[first[*at]].head && self.nodes[first[*at - 1]].next == Some(first[*at])
        };
        let chain = (1..first.len()).rev().take_while(continues);
        let smaller = chain.filter(|at| bytes(at) < bytes(&first.len()));
        let fitting = smaller.filter(|at| {
            let longer = [&first[*at..], second].concat();
            longer.is_sorted() && (self.fits)(&first[..*at]) && (self.fits)(&longer)
        });
        fitting.min_by_key(bytes)
    }

    /// Adds an operation to a group if the result fits.
    fn try_add(&mut self, group: &mut Vec<usize>, number: usize) -> bool {
        if self.nodes[number].head || self.taken[number] {
            return false;
        }
        let mut longer = group.clone();
        longer.push(number);
        longer.sort_unstable();
        self.taken[number] = (self.fits)(&longer);
        if self.taken[number] {
            *group = longer;
        }
        self.taken[number]
    }
}

#[cfg(test)]
mod tests;
