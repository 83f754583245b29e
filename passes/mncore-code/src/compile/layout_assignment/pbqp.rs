//! A solver of partitioned Boolean quadratic problems (PBQP): chooses one alternative for each node
//! of a graph, such that the costs of alternatives and of pairs of adjacent alternatives are least.
//!
//! Nodes are eliminated one after the other (Scholz and Eckstein, "Register allocation for
//! irregular architectures", 2002). Anderson and Gregg, "Optimal DNN primitive selection with
//! partitioned Boolean quadratic programming", 2018, choose layouts of tensors with it.
//!
//! | neighbours | reduction |
//! |---|---|
//! | none | the cheapest alternative is taken |
//! | one | its least costs are added to those of the neighbour |
//! | two | its least costs become an edge between the neighbours |
//! | more | the alternative that is cheapest with the best of each neighbour is taken |
//!
//! The first three keep the minimum. The last one is a heuristic, which only graphs that are not
//! series-parallel need. Chains with residual connections do not.

use std::collections::{BTreeMap, BTreeSet};

#[cfg(test)]
mod tests;

/// The costs of pairs of alternatives of two nodes, row by row.
#[derive(Clone, Debug)]
struct Matrix {
    columns: usize,
    costs: Vec<u64>,
}

impl Matrix {
    fn new(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> u64) -> Self {
        let row = |row| (0..columns).map(move |column| (row, column));
        let costs = (0..rows).flat_map(row);
        Matrix {
            columns,
            costs: costs.map(|(row, column)| cost(row, column)).collect(),
        }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.costs[row * self.columns..][..self.columns]
    }

    fn transposed(&self) -> Matrix {
        let rows = self.costs.len() / self.columns;
        Matrix::new(self.columns, rows, |row, column| self.row(column)[row])
    }
}

/// A node as it was when it was eliminated.
struct Eliminated {
    node: usize,
    costs: Vec<u64>,
    /// Its neighbours then, with the matrices whose rows are its alternatives.
    edges: Vec<(usize, Matrix)>,
}

/// A problem under reduction.
///
/// Invariant: each edge is stored at both of its nodes, with matrices that are transposes of each
/// other. No node has an edge to itself.
pub(super) struct Problem {
    costs: Vec<Vec<u64>>,
    edges: Vec<BTreeMap<usize, Matrix>>,
}

impl Problem {
    /// Creates a problem without edges from the costs of each node's alternatives, of which every
    /// node must have one.
    pub fn new(costs: Vec<Vec<u64>>) -> Self {
        let edges = vec![BTreeMap::new(); costs.len()];
        Problem { costs, edges }
    }

    /// Adds costs of pairs of alternatives of two different nodes.
    pub fn add_edge(&mut self, [a, b]: [usize; 2], cost: impl Fn(usize, usize) -> u64) {
        let added = Matrix::new(self.costs[a].len(), self.costs[b].len(), cost);
        self.add_matrix([b, a], added.transposed());
        self.add_matrix([a, b], added);
    }

    fn add_matrix(&mut self, [from, to]: [usize; 2], added: Matrix) {
        match self.edges[from].get_mut(&to) {
            None => {
                self.edges[from].insert(to, added);
            }
            Some(edge) => {
                let costs = edge.costs.iter_mut().zip(added.costs);
                costs.for_each(|(cost, more)| *cost += more);
            }
        }
    }

    /// Returns an alternative for each node.
    pub fn solve(mut self) -> Vec<usize> {
        let degrees = self.edges.iter().map(BTreeMap::len);
        let mut waiting: BTreeSet<(usize, usize)> = degrees.zip(0..).collect();
        let mut eliminated = Vec::new();
        while let (Some(first), Some(last)) = (waiting.first(), waiting.last()) {
            // The node with the fewest neighbours, or with the most if all have more than two.
            let (degree, node) = *if first.0 <= 2 { first } else { last };
            let neighbours: Vec<usize> = self.edges[node].keys().copied().collect();
            waiting.remove(&(degree, node));
            for &one in &neighbours {
                waiting.remove(&(self.edges[one].len(), one));
            }
            eliminated.push(self.eliminate(node));
            waiting.extend(neighbours.iter().map(|&one| (self.edges[one].len(), one)));
        }
        let mut chosen = vec![0; self.costs.len()];
        for Eliminated { node, costs, edges } in eliminated.into_iter().rev() {
            let total = |own: usize| {
                let edges = edges
                    .iter()
                    .map(|(other, edge)| edge.row(own)[chosen[*other]]);
                costs[own] + edges.sum::<u64>()
            };
            chosen[node] = cheapest(costs.len(), total);
        }
        chosen
    }

    /// Removes a node; adds its costs to what remains.
    fn eliminate(&mut self, node: usize) -> Eliminated {
        let edges: Vec<(usize, Matrix)> =
            std::mem::take(&mut self.edges[node]).into_iter().collect();
        for (other, _) in &edges {
            self.edges[*other].remove(&node);
        }
        let mut costs = std::mem::take(&mut self.costs[node]);
        match &edges[..] {
            [] => {}
            [(other, edge)] => {
                let transposed = edge.transposed();
                for (alternative, cost) in self.costs[*other].iter_mut().enumerate() {
                    let pairs = costs.iter().zip(transposed.row(alternative));
                    *cost += pairs.map(|(own, edge)| own + edge).min().unwrap_or(0);
                }
            }
            [(left, first), (right, second)] => {
                let [first, second] = [first.transposed(), second.transposed()];
                self.add_edge([*left, *right], |left, right| {
                    let pairs = first.row(left).iter().zip(second.row(right));
                    let all = costs.iter().zip(pairs);
                    let all = all.map(|(own, (left, right))| own + left + right);
                    all.min().unwrap_or(0)
                });
            }
            _ => {
                let taken = cheapest(costs.len(), |own| {
                    let edges = edges.iter().map(|(other, edge)| {
                        let pairs = self.costs[*other].iter().zip(edge.row(own));
                        pairs.map(|(cost, edge)| cost + edge).min().unwrap_or(0)
                    });
                    costs[own] + edges.sum::<u64>()
                });
                for (other, edge) in &edges {
                    let pairs = self.costs[*other].iter_mut().zip(edge.row(taken));
                    pairs.for_each(|(cost, edge)| *cost += edge);
                }
                let others = costs.iter_mut().enumerate();
                others
                    .filter(|(own, _)| *own != taken)
                    .for_each(|(_, cost)| *cost = u64::MAX >> 1);
            }
        }
        Eliminated { node, costs, edges }
    }
}

/// Returns the first alternative of least cost.
fn cheapest(count: usize, cost: impl Fn(usize) -> u64) -> usize {
    let least = (0..count).min_by_key(|&own| cost(own));
    least.expect("a node has an alternative")
}
