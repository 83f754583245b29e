use super::*;

/// Who waits is not asked before something of that kind has changed.
#[test]
fn the_blocked_are_not_asked() {
    let seeds = (0..20).map(Schedule::Seed);
    for schedule in seeds.chain([Schedule::Greedy]) {
        let mut s = Scheduler::<17>::new(schedule);
        let block_all = |s: &mut Scheduler<17>| {
            let mut asked: Vec<usize> = std::iter::from_fn(|| {
                let party = s.choose()?.party;
                let kind = [Changes::L1, Changes::SYNC, Changes::L1.or(Changes::BANKS)];
                s.block(party, kind[party % 3]);
                Some(party)
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
        s.set_free(0b1100, 0b0110);
        assert_eq!(block_all(&mut s), [2]);
    }
}

/// Each that can go on has one turn after the other.
#[test]
fn the_greedy_take_turns() {
    let mut s = Scheduler::<5>::new(Schedule::Greedy);
    s.block(2, Changes::L1);
    let next = |s: &mut Scheduler<5>| s.choose().map(|turn| turn.party);
    let of = |s: &mut Scheduler<5>, count| Vec::from_iter((0..count).map_while(|_| next(s)));
    assert_eq!(of(&mut s, 6), [0, 1, 3, 4, 0, 1]);
    s.wake(Changes::L1);
    assert_eq!(of(&mut s, 6), [2, 3, 4, 0, 1, 2]);
    s.set_free(0b11111, 0b00010);
    assert_eq!(of(&mut s, 2), [1, 1]);
    s.set_free(0b11111, 0);
    assert_eq!(next(&mut s), None);
}
