use super::*;

fn quanta<const N: usize>(seed: u64, count: usize) -> Vec<Quantum> {
    let mut policy = RandomPolicy::<N>::new(seed);
    let all = u32::MAX >> (32 - N);
    (0..count).map(|_| policy.next_quantum(all)).collect()
}

#[test]
fn seeds_repeat_and_differ() {
    let of = |seed| quanta::<5>(seed, 50);
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

/// Every agent gets quanta of all lengths, and is sometimes suspended for long.
#[test]
fn everyone_is_fast_and_slow() {
    const LONGEST: u32 = 1 << MAX_QUANTUM_LOG2;
    let quanta = quanta::<4>(9, 200_000);
    for agent in 0..4 {
        let steps = || {
            let own = quanta.iter().filter(|quantum| quantum.agent == agent);
            own.map(|quantum| quantum.steps)
        };
        let range = (steps().min(), steps().max());
        assert_eq!(range, (Some(1), Some(LONGEST)), "agent {agent}");
        let others = quanta.split(|quantum| quantum.agent == agent);
        let suspension =
            others.map(|quanta| quanta.iter().map(|quantum| quantum.steps).sum::<u32>());
        let suspension = suspension.max();
        assert!(
            suspension > Some(1000),
            "agent {agent} sleeps {suspension:?}"
        );
    }
}
