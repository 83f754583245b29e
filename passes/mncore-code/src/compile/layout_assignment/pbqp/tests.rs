//! Compares the solver with exhaustive search.

use super::Problem;

/// A problem as costs of nodes and of edges.
struct Case {
    costs: Vec<Vec<u64>>,
    edges: Vec<([usize; 2], Vec<Vec<u64>>)>,
}

impl Case {
    /// Generates a case with edges between these nodes; costs follow from the seed.
    fn new(nodes: usize, edges: &[[usize; 2]], seed: u64) -> Case {
        let mut state = seed;
        let mut next = move |below: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let costs: Vec<Vec<u64>> = (0..nodes)
            .map(|_| (0..1 + next(3)).map(|_| next(50)).collect())
            .collect();
        let matrix = |[a, b]: [usize; 2], next: &mut dyn FnMut(u64) -> u64| {
            let row = |_| costs[b].iter().map(|_| next(50)).collect();
            costs[a].iter().map(row).collect()
        };
        let edges = edges
            .iter()
            .map(|&ends| (ends, matrix(ends, &mut next)))
            .collect();
        Case { costs, edges }
    }

    fn solve(&self) -> Vec<usize> {
        let mut problem = Problem::new(self.costs.clone());
        for (ends, matrix) in &self.edges {
            problem.add_edge(*ends, |a, b| matrix[a][b]);
        }
        problem.solve()
    }

    fn cost(&self, chosen: &[usize]) -> u64 {
        let nodes = self
            .costs
            .iter()
            .zip(chosen)
            .map(|(costs, &one)| costs[one]);
        let edges = self.edges.iter();
        let edges = edges.map(|([a, b], matrix)| matrix[chosen[*a]][chosen[*b]]);
        nodes.chain(edges).sum()
    }

    /// Returns the least cost of all assignments.
    fn least_cost(&self) -> u64 {
        let mut all = vec![Vec::new()];
        for costs in &self.costs {
            let with = |one: &Vec<usize>| {
                let one = one.clone();
                (0..costs.len()).map(move |next| [&one[..], &[next]].concat())
            };
            all = all.iter().flat_map(with).collect();
        }
        let costs = all.iter().map(|chosen| self.cost(chosen));
        costs.min().expect("there is an assignment")
    }
}

#[test]
fn series_parallel_graphs_are_solved_exactly() {
    let graphs: [&[[usize; 2]]; 5] = [
        &[],
        &[[0, 1], [1, 2], [2, 3], [3, 4]],
        // Two residual connections after each other.
        &[[0, 1], [1, 2], [0, 2], [2, 3], [3, 4], [2, 4], [4, 5]],
        // A star, and two edges between the same nodes.
        &[[0, 3], [1, 3], [2, 3], [4, 3], [3, 4]],
        &[[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [0, 4]],
    ];
    for graph in graphs {
        for seed in 0..200 {
            let case = Case::new(6, graph, seed);
            assert_eq!(case.cost(&case.solve()), case.least_cost(), "seed {seed}");
        }
    }
}

#[test]
fn dense_graphs_get_a_good_assignment() {
    let pairs = (0..6).flat_map(|a| (0..a).map(move |b| [b, a]));
    let complete: Vec<[usize; 2]> = pairs.collect();
    let [mut found, mut least] = [0, 0];
    for seed in 0..200 {
        let case = Case::new(6, &complete, seed);
        found += case.cost(&case.solve());
        least += case.least_cost();
    }
    assert!(
        least <= found && found <= least + least / 10,
        "{found} {least}"
    );
}

#[test]
fn long_chains_of_residual_connections_do_not_overflow() {
    const COUNT: usize = 3000;
    let costs = (0..COUNT).map(|node| vec![1 << 40, node as u64]).collect();
    let mut problem = Problem::new(costs);
    for node in 2..COUNT {
        problem.add_edge([node - 1, node], |a, b| u64::from(a != b) << 20);
        problem.add_edge([node - 2, node], |a, b| u64::from(a != b) << 20);
    }
    assert_eq!(problem.solve(), vec![1; COUNT]);
}
