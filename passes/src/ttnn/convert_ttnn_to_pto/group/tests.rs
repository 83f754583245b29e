use super::*;

fn node(head: bool, next: Option<usize>) -> Node {
    Node {
        head,
        next,
        bytes: 0,
    }
}

/// A chain is cut at the smallest tensor.
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
        // If two chains meet, that of a product continues.
        (
            vec![node(e, Some(2)), node(m, Some(2)), node(e, None)],
            Fusion::Epilogue,
            vec![vec![0], vec![1, 2]],
        ),
        // An operation on two products is fused with the first.
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
        // Operations before a product form a group of their own, or are fused with it.
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
        // Operations between two products are fused with the first.
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
