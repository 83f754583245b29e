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
        Fusion::None => grouping.alone(first),
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
    fn alone(&mut self, first: usize) -> Vec<usize> {
        self.taken[first] = true;
        vec![first]
    }

    /// An operation, its reader, the reader of that…
    fn chain(&mut self, first: usize) -> Vec<usize> {
        let mut group = self.alone(first);
        while let Some(next) = self.nodes[group[group.len() - 1]].next {
            if !self.take(&mut group, next) {
                break;
            }
        }
        group
    }

    /// Takes in what only operations of a group read, the nearest first.
    fn extend_backwards(&mut self, group: &mut Vec<usize>) {
        for number in (0..group[group.len() - 1]).rev() {
            if self.nodes[number].next.is_some_and(|n| group.contains(&n)) {
                self.take(group, number);
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
        let goes_on = |at: &usize| {
            !self.nodes[first[*at]].head && self.nodes[first[*at - 1]].next == Some(first[*at])
        };
        let chain = (1..first.len()).rev().take_while(goes_on);
        let smaller = chain.filter(|at| bytes(at) < bytes(&first.len()));
        let fitting = smaller.filter(|at| {
            let longer = [&first[*at..], second].concat();
            longer.is_sorted() && (self.fits)(&first[..*at]) && (self.fits)(&longer)
        });
        fitting.min_by_key(bytes)
    }

    /// Takes an operation into a group, if that can be.
    fn take(&mut self, group: &mut Vec<usize>, number: usize) -> bool {
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
mod tests {
    use super::*;

    fn node(head: bool, next: Option<usize>) -> Node {
        Node {
            head,
            next,
            bytes: 0,
        }
    }

    /// Of several cuts of a chain the one through the smallest tensor is taken.
    #[test]
    fn cuts_are_where_tensors_are_small() {
        let cut = |bytes: &[u64], head: bool, most: usize| {
            let behind = |n| (n + 1 < bytes.len()).then_some(n + 1);
            let nodes = bytes.iter().enumerate().map(|(n, &bytes)| Node {
                head: head && n == 0,
                next: behind(n),
                bytes,
            });
            let nodes: Vec<Node> = nodes.collect();
            let groups = groups(&nodes, Fusion::Epilogue, |group| group.len() <= most);
            groups.iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!(cut(&[4, 4, 4, 4, 4], false, 3), [3, 2]);
        assert_eq!(cut(&[4, 2, 4, 4], false, 3), [2, 2]);
        assert_eq!(cut(&[4, 2, 4, 4], true, 3), [2, 2]);
        // The second group would be too long.
        assert_eq!(cut(&[2, 4, 4, 4, 4], false, 3), [3, 2]);
        assert_eq!(cut(&[2, 4, 1], false, 3), [3]);
    }

    #[test]
    fn groups_are_formed() {
        let (m, e) = (true, false);
        for (nodes, fusion, expect) in [
            (vec![], Fusion::Epilogue, vec![]),
            (
                vec![node(m, Some(1)), node(e, None)],
                Fusion::None,
                vec![vec![0], vec![1]],
            ),
            (
                vec![node(m, Some(1)), node(e, None)],
                Fusion::Epilogue,
                vec![vec![0, 1]],
            ),
            // A product does not join another one.
            (
                vec![node(m, Some(1)), node(m, None)],
                Fusion::All,
                vec![vec![0], vec![1]],
            ),
            // Of two chains that meet, a product's goes on.
            (
                vec![node(e, Some(2)), node(m, Some(2)), node(e, None)],
                Fusion::Epilogue,
                vec![vec![0], vec![1, 2]],
            ),
            // Of two products that meet in an operation, the first takes it.
            (
                vec![
                    node(m, Some(2)),
                    node(m, Some(2)),
                    node(e, Some(3)),
                    node(e, None),
                ],
                Fusion::Epilogue,
                vec![vec![1], vec![0, 2, 3]],
            ),
            (
                vec![node(e, Some(1)), node(e, Some(2)), node(e, None)],
                Fusion::Epilogue,
                vec![vec![0, 1, 2]],
            ),
            // What is before a product is its own, or with it.
            (
                vec![node(e, Some(1)), node(e, Some(2)), node(m, None)],
                Fusion::Epilogue,
                vec![vec![0, 1], vec![2]],
            ),
            (
                vec![
                    node(e, Some(2)),
                    node(e, Some(3)),
                    node(e, Some(3)),
                    node(m, Some(4)),
                    node(e, None),
                ],
                Fusion::Auto,
                vec![vec![0, 1, 2, 3, 4]],
            ),
            // What is between two products is with the first.
            (
                vec![node(m, Some(1)), node(e, Some(2)), node(m, None)],
                Fusion::All,
                vec![vec![0, 1], vec![2]],
            ),
        ] {
            assert_eq!(groups(&nodes, fusion, |_| true), expect, "{nodes:?}");
        }
        let nodes = [node(m, Some(1)), node(e, Some(2)), node(e, None)];
        let at_most_two = |group: &[usize]| group.len() <= 2;
        assert_eq!(
            groups(&nodes, Fusion::Epilogue, at_most_two),
            [vec![0, 1], vec![2]]
        );
    }

    /// On random graphs every operation is in one group, in order, and groups are what they
    /// promise.
    #[test]
    fn groups_have_one_result() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % below.max(1)
        };
        for round in 0..4000 {
            let count = 1 + random(12);
            let nodes: Vec<Node> = (0..count)
                .map(|n| {
                    let behind = count - n - 1;
                    let next = (behind > 0 && random(3) > 0).then(|| n + 1 + random(behind));
                    node(random(3) == 0, next)
                })
                .collect();
            let fusion = [Fusion::Epilogue, Fusion::All][round % 2];
            let groups = groups(&nodes, fusion, |group| group.len() <= 4);
            let mut members: Vec<usize> = groups.concat();
            members.sort_unstable();
            assert_eq!(members, (0..count).collect::<Vec<_>>());
            for group in &groups {
                assert!(group.len() <= 4);
                assert!(group.is_sorted());
                let (_, inner) = group.split_last().expect("no group is empty");
                for number in inner {
                    assert!(nodes[*number]
                        .next
                        .is_some_and(|next| group.contains(&next)));
                }
                let products = group.iter().filter(|number| nodes[**number].head);
                assert!(products.count() <= 1);
            }
            // A group stands at its last operation: what it reads from other groups stands before.
            for (number, group) in groups.iter().enumerate() {
                let last = group[group.len() - 1];
                assert!(groups[..number]
                    .iter()
                    .all(|before| before[before.len() - 1] < last));
            }
        }
    }
}
