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
    let computed = || Factor::Computed(vec![Step::WidenVector(0, Broadcast::None)], Element::Bf16);
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
