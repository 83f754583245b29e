use super::*;

/// A blocked agent is not chosen before something that it waits for has changed.
#[test]
fn the_blocked_are_not_asked() {
    let seeds = (0..20).map(Schedule::Seed);
    for schedule in seeds.chain([Schedule::Greedy]) {
        let mut s = Scheduler::<17>::new(schedule);
        let block_all = |s: &mut Scheduler<17>| {
            let mut asked: Vec<usize> = std::iter::from_fn(|| {
                let agent = s.next_quantum()?.agent;
                let kind = [Changes::L1, Changes::SYNC, Changes::L1.or(Changes::BANKS)];
                s.block(agent, kind[agent % 3]);
                Some(agent)
            })
            .collect();
            asked.sort_unstable();
            asked
        };
        let of = |kinds: &[usize]| Vec::from_iter((0..17).filter(|k| kinds.contains(&(k % 3))));
        assert_eq!(block_all(&mut s), of(&[0, 1, 2]), "{schedule:?}");
        for (changed, expect) in [
            (Changes::SYNC, &[1][..]),
            (Changes::BANKS, &[2]),
            (Changes::L1, &[0, 2]),
            (Changes::SYNC.or(Changes::BANKS), &[1, 2]),
            (Changes::OTHER, &[]),
            (Changes::NOTHING, &[]),
        ] {
            s.wake(changed);
            assert_eq!(block_all(&mut s), of(expect), "{schedule:?}, {changed:?}");
        }
        s.set_unblocked(0b1100, 0b0110);
        assert_eq!(block_all(&mut s), [2]);
    }
}

/// All unblocked agents take turns.
#[test]
fn the_greedy_take_turns() {
    let mut s = Scheduler::<5>::new(Schedule::Greedy);
    s.block(2, Changes::L1);
    let next = |s: &mut Scheduler<5>| s.next_quantum().map(|turn| turn.agent);
    let of = |s: &mut Scheduler<5>, count| Vec::from_iter((0..count).map_while(|_| next(s)));
    assert_eq!(of(&mut s, 6), [0, 1, 3, 4, 0, 1]);
    s.wake(Changes::L1);
    assert_eq!(of(&mut s, 6), [2, 3, 4, 0, 1, 2]);
    s.set_unblocked(0b11111, 0b00010);
    assert_eq!(of(&mut s, 2), [1, 1]);
    s.set_unblocked(0b11111, 0);
    assert_eq!(next(&mut s), None);
}
