use super::*;

fn channel(slots: u32, protocol: &Protocol) -> Channel<u32> {
    let mut channel = Channel::new(slots);
    channel.launch(protocol).expect("nothing counts so far");
    channel
}

#[test]
fn slots_change_hands_in_turn() {
    let protocol = Protocol::default();
    let (mut channel, mut clock) = (channel(2, &protocol), VectorClock::default());
    for round in 0..5 {
        assert!(channel.can_push() && !channel.can_pop(&protocol));
        channel.push(2 * round, &mut clock, &protocol).unwrap();
        channel.push(2 * round + 1, &mut clock, &protocol).unwrap();
        assert!(!channel.can_push() && !channel.is_drained());
        let (first, tile) = channel.pop(&mut clock).unwrap();
        assert_eq!(tile, 2 * round);
        let (second, tile) = channel.pop(&mut clock).unwrap();
        assert_eq!(tile, 2 * round + 1);
        let wrong = channel.free(second, &clock, &protocol);
        assert_eq!(
            wrong,
            Err(Reason::FreeOrder {
                number: second,
                oldest: first
            })
        );
        channel.free(first, &clock, &protocol).unwrap();
        assert_eq!(
            channel.free(first, &clock, &protocol),
            Err(Reason::FreedTwice { number: first })
        );
        channel.free(second, &clock, &protocol).unwrap();
    }
    assert!(channel.is_drained());
    assert_eq!((channel.watermark(), channel.counts()), (2, [10; 3]));
}

#[test]
fn flags_that_are_wrong_are_caught_by_the_slots() {
    let protocol = Protocol {
        drain: false,
        ..Protocol::default()
    };
    let (mut channel, mut clock) = (channel(2, &protocol), VectorClock::default());
    // The second launch adds its credits to those the first one left.
    channel.launch(&protocol).unwrap();
    channel.push(0, &mut clock, &protocol).unwrap();
    channel.push(1, &mut clock, &protocol).unwrap();
    assert!(channel.can_push());
    let overwrite = Reason::Overwrite {
        slot: 0,
        owner: Owner::Ready(0),
    };
    assert_eq!(channel.push(2, &mut clock, &protocol), Err(overwrite));
}

#[test]
fn flags_count_so_far_and_no_further() {
    let protocol = Protocol {
        most: 15,
        ..Protocol::default()
    };
    let mut channel = Channel::<()>::new(16);
    assert_eq!(
        channel.launch(&protocol),
        Err(Reason::Saturated { most: 15 })
    );
}
