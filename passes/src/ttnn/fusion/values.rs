//! How many values a group needs at a time, and how often it computes factors.

use super::extent::Extent;
use super::steps::{Choice, Factor, Step};

/// Values that steps need at a time: the value, and each input that the vector unit reads.
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

/// The steps before each factor of a product, if there are any.
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

/// Whether the values of a group fit into `room` tiles if each is so many, down and across. What is
/// made of rows and columns of tiles is made tile by tile.
pub fn has_room(steps: &[Step], [rows, columns]: [u64; 2], room: u64) -> bool {
    if let Some(Step::Reduce(..) | Step::Transpose(_)) = steps.first() {
        return [rows, columns] == [1, 1];
    }
    let [left, right] = before(steps);
    values(steps) * rows * columns <= room
        && values(left) * rows <= room
        && values(right) * columns <= room
}

/// How often the tiles of each factor that is computed are: once for every block along the other
/// one.
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
