//! How many values a group needs at a time, and how often it computes factors.

use super::extent::Extent;
use super::steps::{Choice, Factor, Step};

/// Values that steps need at a time: the value, and each input that the vector unit reads.
pub fn values(steps: &[Step]) -> u64 {
    let mut read = Vec::new();
    for step in steps {
        let inputs = match step {
            Step::Binary { input, spread, .. } => vec![(*input, *spread)],
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
        &Factor::Input(_) | &Factor::Turned(_) => &[][..],
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
mod tests {
    use super::super::tensor::Element;
    use super::*;
    use tessera_dialects::pto::Broadcast;

    fn extent(matrices: u64, [down, across]: [u64; 2]) -> Extent {
        Extent {
            matrices,
            rows: 32 * down,
            columns: 32 * across,
        }
    }

    #[test]
    fn factors_are_computed_so_often() {
        let computed =
            || Factor::Computed(vec![Step::WidenVector(0, Broadcast::None)], Element::Bf16);
        let both = [Step::Product(computed(), computed())];
        let left = [Step::Product(computed(), Factor::Input(1))];
        for (steps, block, [left_matrices, matrices], expect) in [
            (&both[..], [1, 1], [1, 1], [5, 3]),
            (&both[..], [2, 2], [1, 1], [3, 2]),
            (&both[..], [1, 1], [2, 2], [5, 3]),
            // A factor that is spread over matrices is computed for each.
            (&both[..], [1, 1], [1, 2], [10, 3]),
            (&left[..], [1, 4], [1, 1], [2, 0]),
        ] {
            let factors = [extent(left_matrices, [3, 7]), extent(matrices, [7, 5])];
            let found = times_computed(steps, block, factors, extent(matrices, [3, 5]));
            assert_eq!(found, expect, "{steps:?} {block:?}");
        }
    }
}
