//! Which operations share a kernel.
//!
//! Each operation of a group but the last has one reader, which is in the group, too. So a group
//! has one result, nothing else that it computes is needed elsewhere, and it can stand where its
//! last operation stands. A group has one head, a product, a reduction or a transposition, or none.
//!
//! Groups take in operations as long as the target says that they fit, which gives the fewest
//! groups along a chain. Then the cut between two groups of a chain moves back to where the tensor
//! that goes through memory is smallest, if both groups still fit.

use std::collections::HashMap;

/// How far groups are extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fusion {
    /// Each operation has its own kernel.
    None,
    /// A product takes the element-wise operations behind it; what is left forms chains of
    /// element-wise operations.
    Epilogue,
    /// A product takes those before its factors, too, if it computes them once.
    Auto,
    /// And if it computes them again and again.
    All,
}

/// An operation that may share a kernel with others.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Whether it is a matrix product, a reduction or a transposition.
    pub head: bool,
    /// The only reader of its result, by number, if that is an operation which might be in its
    /// group.
    pub next: Option<usize>,
    /// The bytes of its result.
    pub bytes: u64,
}

/// The groups, each a list of numbers in order, all longer ones such that `fits` holds for them.
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
    /// Which operations are in groups already.
    taken: Vec<bool>,
}

impl<F: Fn(&[usize]) -> bool> Grouping<'_, F> {
    fn start_group(&mut self, first: usize) -> Vec<usize> {
        self.taken[first] = true;
        vec![first]
    }

    /// An operation, its reader, the reader of that…
    fn chain(&mut self, first: usize) -> Vec<usize> {
        let mut group = self.start_group(first);
        while let Some(next) = self.nodes[group[group.len() - 1]].next {
            if !self.try_add(&mut group, next) {
                break;
            }
        }
        group
    }

    /// Takes in what only operations of a group read, the nearest first.
    fn extend_backwards(&mut self, group: &mut Vec<usize>) {
        for number in (0..group[group.len() - 1]).rev() {
            if self.nodes[number].next.is_some_and(|n| group.contains(&n)) {
                self.try_add(group, number);
            }
        }
    }

    /// Moves the cut behind each group to where the smallest tensor is cut, if that is a chain of
    /// element-wise operations.
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

    /// How many operations of a group are left if the others move to the group behind it; nothing
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

    /// Takes an operation into a group, if that can be.
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
