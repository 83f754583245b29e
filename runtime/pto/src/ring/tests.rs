use super::*;

fn strand(slots: u32, protocol: &Protocol) -> Strand<u32> {
    let mut strand = Strand::new(slots);
    strand.launch(protocol).expect("nothing counts so far");
    strand
}

#[test]
fn slots_change_hands_in_turn() {
    let protocol = Protocol::default();
    let (mut strand, mut clock) = (strand(2, &protocol), Clock::default());
    for round in 0..5 {
        assert!(strand.can_push() && !strand.can_pop(&protocol));
        strand.push(2 * round, &mut clock, &protocol).unwrap();
        strand.push(2 * round + 1, &mut clock, &protocol).unwrap();
        assert!(!strand.can_push() && !strand.is_drained());
        let (first, tile) = strand.pop(&mut clock).unwrap();
        assert_eq!(tile, 2 * round);
        let (second, tile) = strand.pop(&mut clock).unwrap();
        assert_eq!(tile, 2 * round + 1);
        let wrong = strand.free(second, &clock, &protocol);
        assert_eq!(
            wrong,
            Err(Reason::FreeOrder {
                number: second,
                oldest: first
            })
        );
        strand.free(first, &clock, &protocol).unwrap();
        assert_eq!(
            strand.free(first, &clock, &protocol),
            Err(Reason::FreedTwice { number: first })
        );
        strand.free(second, &clock, &protocol).unwrap();
    }
    assert!(strand.is_drained());
    assert_eq!((strand.watermark(), strand.counts()), (2, [10; 3]));
}

#[test]
fn flags_that_are_wrong_are_caught_by_the_slots() {
    let protocol = Protocol {
        drain: false,
        ..Protocol::default()
    };
    let (mut strand, mut clock) = (strand(2, &protocol), Clock::default());
    // The second launch adds its credits to those the first one left.
    strand.launch(&protocol).unwrap();
    strand.push(0, &mut clock, &protocol).unwrap();
    strand.push(1, &mut clock, &protocol).unwrap();
    assert!(strand.can_push());
    let overwrite = Reason::Overwrite {
        slot: 0,
        owner: Owner::Ready(0),
    };
    assert_eq!(strand.push(2, &mut clock, &protocol), Err(overwrite));
}

#[test]
fn flags_count_so_far_and_no_further() {
    let protocol = Protocol {
        most: 15,
        ..Protocol::default()
    };
    let mut strand = Strand::<()>::new(16);
    assert_eq!(
        strand.launch(&protocol),
        Err(Reason::Saturated { most: 15 })
    );
}
