use super::*;
use tessera_mncore_ir::body::indices;

#[test]
fn ranges() {
    for counts in [&[7][..], &[3, 4], &[2, 1, 5], &[4, 3, 2, 2], &[1, 1]] {
        let dimensions: Vec<(usize, u32)> = counts.iter().copied().enumerate().collect();
        let all: u32 = counts.iter().product();
        for bound in 0..=all + 1 {
            for (number, index) in indices(counts).enumerate() {
                let hold = |found: Vec<Guards>| {
                    let holds = |guards: &&Guards| guards.iter().all(|g| g.holds(&index));
                    found.iter().filter(holds).count()
                };
                let is_below = (number as u32) < bound;
                let found =
                    [guards_below, guards_from].map(|range| hold(range(&dimensions, bound)));
                let expect = [is_below, !is_below].map(usize::from);
                assert_eq!(found, expect, "{counts:?} {bound} {index:?}");
            }
        }
    }
}
