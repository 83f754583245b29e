use super::*;

fn turns<const N: usize>(seed: u64, count: usize) -> Vec<Turn> {
    let mut paces = Paces::<N>::new(seed);
    let all = u32::MAX >> (32 - N);
    (0..count).map(|_| paces.choose(all)).collect()
}

#[test]
fn seeds_repeat_and_differ() {
    let of = |seed| turns::<5>(seed, 50);
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

/// Everybody has turns of any length, and at times others have many before the next one.
#[test]
fn everyone_is_fast_and_slow() {
    const LONGEST: u32 = 1 << LONGEST_TURN_LOG2;
    let turns = turns::<4>(9, 200_000);
    for party in 0..4 {
        let steps = || {
            let own = turns.iter().filter(|turn| turn.party == party);
            own.map(|turn| turn.steps)
        };
        let range = (steps().min(), steps().max());
        assert_eq!(range, (Some(1), Some(LONGEST)), "party {party}");
        let others = turns.split(|turn| turn.party == party);
        let sleep = others.map(|turns| turns.iter().map(|turn| turn.steps).sum::<u32>());
        let sleep = sleep.max();
        assert!(sleep > Some(1000), "party {party} sleeps {sleep:?}");
    }
}
