use super::*;

fn reads(start: u64, count: u64) -> Footprint {
    Footprint {
        reads: Region::wrapping(Memory::Pdm(0), start, count, 1024),
        writes: vec![],
    }
}

fn writes(start: u64, count: u64) -> Footprint {
    Footprint {
        reads: vec![],
        writes: reads(start, count).reads,
    }
}

#[test]
fn words_in_transfer_must_not_be_accessed() {
    for (under_way, then, expect) in [
        (
            writes(0, 64),
            reads(63, 1),
            Some("reads a region being written"),
        ),
        (
            writes(0, 64),
            writes(0, 64),
            Some("writes a region being written"),
        ),
        (
            reads(0, 64),
            writes(10, 64),
            Some("writes a region being read"),
        ),
        (reads(0, 64), reads(0, 64), None),
        (writes(0, 64), reads(64, 64), None),
        // Around the end of the memory.
        (
            writes(1000, 64),
            reads(39, 1),
            Some("reads a region being written"),
        ),
        (writes(1000, 64), reads(40, 1), None),
        (
            writes(5, 4096),
            reads(0, 1),
            Some("reads a region being written"),
        ),
    ] {
        let mut flights = InFlight::new(RacePolicy::Error);
        flights.issue(7, 1, under_way).unwrap();
        let race = flights.find_race(&then);
        let what = race.map(|race| match race {
            Reason::Race { what, line: 7, .. } => what,
            other => panic!("{other}"),
        });
        assert_eq!(what, expect);
        flights.wait(1).unwrap();
        assert!(flights.find_race(&then).is_none(), "after the wait");
    }
}

#[test]
fn a_wait_covers_its_tag_and_what_has_none_before_it() {
    let mut flights = InFlight::new(RacePolicy::Error);
    flights.issue(1, 0, writes(0, 64)).unwrap();
    flights.issue(2, 2, writes(64, 64)).unwrap();
    flights.issue(3, 3, writes(128, 64)).unwrap();
    flights.issue(4, 0, writes(192, 64)).unwrap();
    flights.wait(3).unwrap();
    let busy = |start| flights.find_race(&reads(start, 1)).is_some();
    assert_eq!([0, 64, 128, 192].map(busy), [false, true, false, true]);
}

#[test]
fn a_tag_is_waited_for_once_and_used_once_at_a_time() {
    let mut flights = InFlight::new(RacePolicy::Off);
    assert_eq!(flights.wait(1), Err(Reason::TagUnknown { tag: 1 }));
    flights.issue(5, 1, Footprint::default()).unwrap();
    assert_eq!(
        flights.issue(6, 1, Footprint::default()),
        Err(Reason::TagInUse { tag: 1, line: 5 })
    );
    flights.wait(1).unwrap();
    flights.issue(8, 1, Footprint::default()).unwrap();
    flights.wait(1).unwrap();
    assert_eq!(flights.wait(1), Err(Reason::TagUnknown { tag: 1 }));
    flights.arm(1);
    flights.wait(1).unwrap();
}
