//! Which operations share a kernel.
//!
//! A group is a chain: each operation but the first reads the result of the one before, which nobody else reads. So a
//! group has one result, nothing it computes is needed elsewhere, and it can stand where its last operation stands.

/// How far groups are extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fusion {
    /// Each operation has its own kernel.
    None,
    /// A product takes the element-wise operations behind it; what is left forms chains of element-wise operations.
    Epilogue,
}

/// An operation that may share a kernel with others.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Whether it is a matrix product, which can only be the first of a group.
    pub product: bool,
    /// The only reader of its result, by number, if that is an operation which might join it.
    pub next: Option<usize>,
}

/// The groups, each a list of numbers, so that `joins(group, next)` holds wherever `next` is behind `group` in one.
pub fn groups(
    nodes: &[Node],
    fusion: Fusion,
    joins: impl Fn(&[usize], usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut taken = vec![false; nodes.len()];
    let mut groups = Vec::new();
    let products = (0..nodes.len()).filter(|n| nodes[*n].product);
    let others = (0..nodes.len()).filter(|n| !nodes[*n].product);
    for first in products.chain(others) {
        if taken[first] {
            continue;
        }
        taken[first] = true;
        let mut group = vec![first];
        while let Some(next) = nodes[group[group.len() - 1]].next {
            let can = fusion != Fusion::None && !nodes[next].product && !taken[next];
            if !can || !joins(&group, next) {
                break;
            }
            taken[next] = true;
            group.push(next);
        }
        groups.push(group);
    }
    groups.sort_by_key(|group| group[group.len() - 1]);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(product: bool, next: Option<usize>) -> Node {
        Node { product, next }
    }

    #[test]
    fn chains_are_formed() {
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
                Fusion::Epilogue,
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
        ] {
            assert_eq!(groups(&nodes, fusion, |_, _| true), expect, "{nodes:?}");
        }
        let nodes = [node(m, Some(1)), node(e, Some(2)), node(e, None)];
        let at_most_two = |group: &[usize], _| group.len() < 2;
        assert_eq!(
            groups(&nodes, Fusion::Epilogue, at_most_two),
            [vec![0, 1], vec![2]]
        );
    }

    /// On random graphs every operation is in one group, in order, and groups are what they promise.
    #[test]
    fn groups_are_chains() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % below.max(1)
        };
        for _ in 0..2000 {
            let count = 1 + random(12);
            let nodes: Vec<Node> = (0..count)
                .map(|n| {
                    let behind = count - n - 1;
                    let next = (behind > 0 && random(3) > 0).then(|| n + 1 + random(behind));
                    node(random(3) == 0, next)
                })
                .collect();
            let groups = groups(&nodes, Fusion::Epilogue, |group, _| group.len() < 4);
            let mut members: Vec<usize> = groups.concat();
            members.sort_unstable();
            assert_eq!(members, (0..count).collect::<Vec<_>>());
            for group in &groups {
                assert!(group.len() <= 4);
                for pair in group.windows(2) {
                    assert_eq!(nodes[pair[0]].next, Some(pair[1]));
                    assert!(!nodes[pair[1]].product);
                }
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
