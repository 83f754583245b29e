//! Numbers of live values of a group, and of recomputations of its factors.

use super::extent::Extent;
use super::steps::{Choice, Factor, Step};

/// Returns the number of values that are live at a time: the current value, and each input that the
/// vector unit reads.
pub fn values(steps: &[Step]) -> u64 {
    let mut read = Vec::new();
    for step in steps {
        let inputs = match step {
            Step::Binary {
                input, broadcast, ..
            } => vec![(*input, *broadcast)],
            Step::Select(choices) => choices.iter().filter_map(Choice::input).collect(),
            _ => vec![],
        };
        for input in inputs {
            if !read.contains(&input) {
                read.push(input);
            }
        }
    }
    1 + read.len() as u64
}

/// Returns the steps before each factor of the product, if there are any.
pub fn before(steps: &[Step]) -> [&[Step]; 2] {
    let of = |factor| match factor {
        &Factor::Input(_) | &Factor::Transposed(_) => &[][..],
        Factor::Computed(steps, _) => steps,
    };
    match steps.first() {
        Some(Step::Product(a, b)) => [of(a), of(b)],
        _ => [&[], &[]],
    }
}

/// Returns whether the values of a group fit into `room` tiles for a given block shape. Reductions
/// and transpositions are computed tile by tile.
pub fn has_room(steps: &[Step], [rows, columns]: [u64; 2], room: u64) -> bool {
    if let Some(Step::Reduce(..) | Step::Transpose(_)) = steps.first() {
        return [rows, columns] == [1, 1];
    }
    let [left, right] = before(steps);
    values(steps) * rows * columns <= room
        && values(left) * rows <= room
        && values(right) * columns <= room
}

/// Returns how often each computed factor is computed: once for every block along the other factor.
pub fn times_computed(
    steps: &[Step],
    [rows, columns]: [u64; 2],
    factors: [Extent; 2],
    result: Extent,
) -> [u64; 2] {
    let [left, right] = before(steps);
    let [down, across] = result.rectangles([rows, columns]);
    let times = |steps: &[Step], blocks, factor: Extent| match steps {
        [] => 0,
        _ => blocks * result.matrices / factor.matrices.max(1),
    };
    [
        times(left, across, factors[0]),
        times(right, down, factors[1]),
    ]
}

#[cfg(test)]
mod tests;
