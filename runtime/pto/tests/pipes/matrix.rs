//! The test matrix: depth, holds, order, balance, relaunches, splits.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Compute, Direction, Element, Group, OpKind, Pipe, ScalarOp, Split, TileType,
};
use tessera_pto::machine::{Machine, LIMIT};
use tessera_pto::ring::Protocol;
use tessera_pto::semantics::Tokens;
use tessera_pto::trap::{Reason, Trap};

use super::common::*;

/// T-UNI.
#[test]
fn one_way_any_number_of_tiles_fits_any_ring() {
    for slots in [1, 2, 4, 8] {
        for trips in [0, 1, slots - 1, slots, slots + 1, 3 * slots + 1] {
            let group = pair(
                [slots, 1],
                |cube| cube.repeat(trips.into(), |cube, _| push(cube, DOWN)),
                |vector| vector.repeat(trips.into(), |vector, _| pop_and_free(vector, DOWN)),
            );
            let outcome = launch(&group).unwrap_or_else(|trap| panic!("{slots} {trips}: {trap}"));
            assert!(outcome.watermarks[DOWN] <= slots.into());
        }
    }
}

/// Returns a group whose consumer pops `hold` tiles, then frees them, until all tiles are popped.
pub fn holding(slots: u32, hold: u32) -> Group {
    let rounds = 6;
    pair(
        [slots, 1],
        |cube| cube.repeat((rounds * hold).into(), |cube, _| push(cube, DOWN)),
        |vector| {
            vector.repeat(rounds.into(), |vector, _| {
                let held: Vec<_> = (0..hold).map(|_| vector.pop(DOWN, TILE)).collect();
                held.into_iter().for_each(|tile| vector.free(DOWN, tile));
            });
        },
    )
}

/// T-HOLD.
#[test]
fn every_slot_can_hold_a_popped_tile() {
    for slots in [1, 2, 4, 8] {
        for hold in 1..=slots {
            completes(&holding(slots, hold));
        }
        let found = deadlocks(&holding(slots, slots + 1));
        let expect = format!(
            "kernel vector at somewhere, iteration [0] waits for a tile of pipe down from cube \
             ({slots} pushed, {slots} popped, 0 freed, {slots} slots)"
        );
        assert!(found.contains(&expect), "{found}");
    }
}

/// T-HOLD: with one counter for pops and frees, two tiles can never be held.
#[test]
fn with_one_counter_a_second_pop_waits_for_ever() {
    let one = Protocol {
        pops_are_counted: false,
        ..Protocol::default()
    };
    assert!(launches(&holding(8, 1), one, 1).is_ok());
    assert!(matches!(
        launches(&holding(8, 2), one, 1),
        Err(Trap::Deadlock(_))
    ));
}

/// T-HOLD: credits in batches cost slots.
#[test]
fn batched_credits_limit_what_can_be_held() {
    for (slots, batch, most) in [(2, 2, 1), (4, 2, 3), (8, 4, 5)] {
        let protocol = Protocol {
            batch,
            drain: false,
            ..Protocol::default()
        };
        for hold in 1..=slots {
            // A hold of its own each time: one tile more is popped before one is freed.
            let group = pair(
                [slots, 1],
                |cube| cube.repeat(24, |cube, _| push(cube, DOWN)),
                |vector| {
                    let first: Vec<_> = (1..hold).map(|_| vector.pop(DOWN, TILE)).collect();
                    let held =
                        vector.repeat_carrying(i64::from(25 - hold), &first, |vector, _, held| {
                            let mut held = held.to_vec();
                            held.push(vector.pop(DOWN, TILE));
                            let oldest = held.remove(0);
                            vector.free(DOWN, oldest);
                            held
                        });
                    held.into_iter().for_each(|tile| vector.free(DOWN, tile));
                },
            );
            let ran = launches(&group, protocol, 1);
            assert_eq!(
                ran.is_ok(),
                hold <= most,
                "{slots} slots, hold {hold}: {ran:?}"
            );
        }
    }
}

/// A round trip: the cube kernel pushes `ahead` tiles before it pops the first answer.
pub fn round_trip(slots: u32, ahead: u32) -> Group {
    const TRIPS: u32 = 20;
    pair(
        [slots, slots],
        |cube| {
            (0..ahead).for_each(|_| push(cube, DOWN));
            cube.repeat((TRIPS - ahead).into(), |cube, _| {
                pop_and_free(cube, UP);
                push(cube, DOWN);
            });
            (0..ahead).for_each(|_| pop_and_free(cube, UP));
        },
        |vector| {
            vector.repeat(TRIPS.into(), |vector, _| {
                let tile = vector.pop(DOWN, TILE);
                vector.push(UP, tile);
                vector.free(DOWN, tile);
            });
        },
    )
}

/// T-DEPTH.
#[test]
fn a_round_trip_may_be_two_rings_ahead() {
    for slots in [1, 2, 4] {
        for ahead in 1..=2 * slots {
            completes(&round_trip(slots, ahead));
        }
        deadlocks(&round_trip(slots, 2 * slots + 1));
    }
}

/// T-DEPTH.
#[test]
fn both_may_push_first_as_much_as_fits() {
    for slots in [1, 2, 4] {
        for ahead in 1..=slots + 1 {
            let side = |own: usize, other: usize| {
                move |builder: &mut Builder| {
                    builder.repeat(5, |builder, _| {
                        (0..ahead).for_each(|_| push(builder, own));
                        (0..ahead).for_each(|_| pop_and_free(builder, other));
                    });
                }
            };
            let group = pair([slots, slots], side(DOWN, UP), side(UP, DOWN));
            if ahead <= slots {
                completes(&group);
            } else {
                deadlocks(&group);
            }
        }
    }
}

/// T-BIDIR: one pool of slots for both directions deadlocks where two rings do not.
#[test]
fn a_shared_pool_deadlocks_a_pipelined_task() {
    let pool = Protocol {
        shared_pool: true,
        ..Protocol::default()
    };
    for slots in [2, 4] {
        let run = |ahead| launches(&round_trip(slots, ahead), pool, 1);
        assert!(run(slots - 1).is_ok(), "{slots}");
        assert!(matches!(run(slots), Err(Trap::Deadlock(_))), "{slots}");
    }
}

/// T-MISS: every third tile is not freed, which short runs do not reveal.
#[test]
fn a_missing_free_stops_the_ring() {
    let group = |trips| {
        pair(
            [4, 1],
            |cube| cube.repeat(trips, |cube, _| push(cube, DOWN)),
            |vector| {
                vector.repeat(trips, |vector, counter| {
                    let tile = vector.pop(DOWN, TILE);
                    let three = vector.constant(3);
                    let rest = vector.scalar(ScalarOp::Remainder, counter, three);
                    let (free, keep) = (
                        |vector: &mut Builder| {
                            vector.free(DOWN, tile);
                            vec![]
                        },
                        |_: &mut Builder| vec![],
                    );
                    vector.branch(rest, &[], free, keep);
                });
            },
        )
    };
    // The first tile is kept, so freeing the second one is out of order: said at once.
    let found = launch(&group(9)).expect_err("a tile is not freed");
    assert_eq!(
        found.to_string(),
        "kernel vector at somewhere, iteration [1]: tile 1 is freed before tile 0; slots are freed \
         in the order of their pops"
    );
    // Nothing is freed at all.
    let never = pair(
        [4, 1],
        |cube| cube.repeat(5, |cube, _| push(cube, DOWN)),
        |vector| {
            vector.repeat(5, |vector, _| {
                vector.pop(DOWN, TILE);
            });
        },
    );
    deadlocks(&never);
}

/// T-MISS: pushes without a pop.
#[test]
fn surplus_pushes_are_left_or_hang() {
    let group = |slots| {
        pair(
            [slots, 1],
            |cube| cube.repeat(6, |cube, _| push(cube, DOWN)),
            |vector| vector.repeat(3, |vector, _| pop_and_free(vector, DOWN)),
        )
    };
    let found = deadlocks(&group(4));
    assert!(
        found.contains("its end waits for all slots to be free again"),
        "{found}"
    );
    deadlocks(&group(2));
    let find_undrained_pipe = Protocol {
        drain: false,
        ..Protocol::default()
    };
    let left = launches(&group(4), find_undrained_pipe, 1).expect_err("three tiles are left");
    assert_eq!(
        left.to_string(),
        "pipe down still has 3 tiles when all kernels have ended: pushed 6, popped 3; every push \
         needs a pop"
    );
}

/// T-ORDER.
#[test]
fn frees_that_are_wrong_trap() {
    let check = |vector: fn(&mut Builder), expect: &str| {
        let group = pair([4, 4], |cube| (0..2).for_each(|_| push(cube, DOWN)), vector);
        let found = launch(&group).expect_err(expect).to_string();
        assert_eq!(found, format!("kernel vector at somewhere: {expect}"));
    };
    check(
        |vector| {
            let _first = vector.pop(DOWN, TILE);
            let second = vector.pop(DOWN, TILE);
            vector.free(DOWN, second);
        },
        "tile 1 is freed before tile 0; slots are freed in the order of their pops",
    );
    check(
        |vector| {
            let tile = vector.pop(DOWN, TILE);
            vector.free(DOWN, tile);
            vector.free(DOWN, tile);
        },
        "tile 0 is freed a second time",
    );
    check(
        |vector| {
            let tile = vector.compute(Compute::Fill(1.0), &[], TILE);
            vector.free(DOWN, tile);
        },
        "the freed value was not popped from this pipe",
    );
    check(
        |vector| {
            let tile = vector.pop(DOWN, TILE);
            vector.free(DOWN, tile);
            vector.push(UP, tile);
        },
        "tile 0 of pipe down is used after its slot was freed",
    );
    check(
        |vector| {
            vector.pop(DOWN, TileType::full(4, 4, Element::Bf16));
        },
        "tile 0 was pushed as 4x4xf32 and is popped as 4x4xbf16; pushes and pops must come in the \
         same order",
    );
}

/// T-YIELD: a popped tile that a loop carries is used in the next iteration.
#[test]
fn a_popped_tile_may_be_carried_while_it_is_held() {
    let group = |too_early: bool| {
        pair(
            [4, 4],
            |cube| {
                (0..6).for_each(|_| push(cube, DOWN));
                cube.repeat(5, |cube, _| pop_and_free(cube, UP));
            },
            |vector| {
                let first = vector.pop(DOWN, TILE);
                let last = vector.repeat_carrying(5, &[first], |vector, _, carried| {
                    if too_early {
                        vector.free(DOWN, carried[0]);
                    }
                    vector.push(UP, carried[0]);
                    if !too_early {
                        vector.free(DOWN, carried[0]);
                    }
                    vec![vector.pop(DOWN, TILE)]
                });
                vector.free(DOWN, last[0]);
            },
        )
    };
    completes(&group(false));
    let found = launch(&group(true)).expect_err("it is used after its free");
    assert!(
        found.to_string().contains("used after its slot was freed"),
        "{found}"
    );
}

/// T-PATH: a push in one branch only.
#[test]
fn paths_that_do_not_balance_hang() {
    let group = |both: bool| {
        pair(
            [2, 1],
            |cube| {
                cube.repeat(6, |cube, counter| {
                    let two = cube.constant(2);
                    let odd = cube.scalar(ScalarOp::Remainder, counter, two);
                    let pushing = |cube: &mut Builder| {
                        push(cube, DOWN);
                        vec![]
                    };
                    if both {
                        cube.branch(odd, &[], pushing, pushing);
                    } else {
                        cube.branch(odd, &[], pushing, |_| vec![]);
                    }
                });
            },
            |vector| vector.repeat(6, |vector, _| pop_and_free(vector, DOWN)),
        )
    };
    completes(&group(true));
    let found = deadlocks(&group(false));
    assert!(
        found.contains("kernel vector at somewhere, iteration [3] waits for a tile"),
        "{found}"
    );
}

/// Returns a cube kernel and two vector kernels, the first of which is slowed down by extra
/// operations.
fn split(split: Split, direction: Direction, slow: i64) -> Group {
    let trips = 9;
    let lane = |number: usize| {
        Builder::kernel(&format!("vector {number}"), |vector| {
            vector.repeat(trips, |vector, _| {
                let part = split.lane_tile(TILE, number);
                if number == 0 {
                    vector.repeat(slow, |vector, _| {
                        vector.constant(0);
                    });
                }
                if direction == Direction::CubeToVector {
                    let tile = vector.pop(0, part);
                    vector.free(0, tile);
                } else {
                    let tile = vector.compute(Compute::Fill(1.0), &[], part);
                    vector.push(0, tile);
                }
            });
        })
    };
    let cube = Builder::kernel("cube", |cube| {
        cube.repeat(trips, |cube, _| match direction {
            Direction::CubeToVector => push(cube, 0),
            Direction::VectorToCube => pop_and_free(cube, 0),
        });
    });
    Group {
        pipes: vec![Pipe {
            split,
            vector: vec![1, 2],
            ..pipe(direction, 2)
        }],
        kernels: vec![cube, lane(0), lane(1)],
        locations: vec!["somewhere".to_owned()],
        ..Group::default()
    }
}

/// T-SPLIT2.
#[test]
fn lanes_of_a_split_may_run_at_different_speeds() {
    for direction in [Direction::CubeToVector, Direction::VectorToCube] {
        for way in [Split::UpDown, Split::LeftRight] {
            for slow in [0, 100] {
                let outcome = launch(&split(way, direction, slow)).expect("it comes to its end");
                assert!(
                    outcome.watermarks[0] <= 2,
                    "a slot is free when both lanes freed it"
                );
            }
        }
    }
}

/// T-RELAUNCH.
#[test]
fn launches_follow_each_other_if_they_are_drained() {
    let group = |trips| {
        pair(
            [4, 1],
            |cube| cube.repeat(trips, |cube, _| push(cube, DOWN)),
            |vector| vector.repeat(trips, |vector, _| pop_and_free(vector, DOWN)),
        )
    };
    for trips in [3, 4, 5, 9] {
        launches(&group(trips), Protocol::default(), 3).unwrap_or_else(|trap| panic!("{trap}"));
    }
    // Without the drain, what a launch begins with is added to what the last one left.
    let find_undrained_pipe = Protocol {
        drain: false,
        ..Protocol::default()
    };
    assert!(launches(&group(4), find_undrained_pipe, 3).is_ok());
    let mut corrupt = 0;
    for schedule in schedules() {
        let group = group(9);
        let mut machine =
            Machine::<Tokens>::new(&group, find_undrained_pipe).expect("a valid group");
        machine.launch(schedule, LIMIT).expect("the first is fine");
        if let Err(Trap::Operation(stop)) = machine.launch(schedule, LIMIT) {
            assert!(matches!(stop.reason, Reason::Overwrite { .. }), "{stop}");
            corrupt += 1;
        }
    }
    assert!(corrupt > 0, "some schedule lets the producer run ahead");
}

/// T-GROUP: the other side was not started, which is modelled as an empty kernel.
#[test]
fn a_side_that_is_not_there_is_reported() {
    let group = pair(
        [2, 1],
        |cube| cube.repeat(3, |cube, _| push(cube, DOWN)),
        |_| (),
    );
    let found = deadlocks(&group);
    let expect = "deadlock:\n  kernel cube at somewhere, iteration [2] waits for a free slot of \
                  pipe down from vector (2 pushed, 0 popped, 0 freed, 2 slots)";
    assert_eq!(found, expect);
}

/// T-TGT: a flag that counts to fifteen.
#[test]
fn a_ring_of_sixteen_saturates_small_flags() {
    let small = Protocol {
        most: 15,
        ..Protocol::default()
    };
    let group = |slots| {
        pair(
            [slots, 1],
            |cube| push(cube, DOWN),
            |vector| pop_and_free(vector, DOWN),
        )
    };
    assert!(launches(&group(15), small, 1).is_ok());
    let found = launches(&group(16), small, 1).expect_err("sixteen credits");
    assert!(
        found
            .to_string()
            .ends_with("a flag would count beyond 15, the maximum of the target"),
        "{found}"
    );
}

/// A mixed kernel is both ends of a pipe.
#[test]
fn a_kernel_may_push_to_itself_as_much_as_fits() {
    let group = |ahead: u32| {
        let mut group = pair(
            [2, 1],
            |mixed| {
                (0..ahead).for_each(|_| push(mixed, DOWN));
                mixed.repeat(5, |mixed, _| {
                    pop_and_free(mixed, DOWN);
                    push(mixed, DOWN);
                });
                (0..ahead).for_each(|_| pop_and_free(mixed, DOWN));
            },
            |_| (),
        );
        group.kernels.pop();
        group
            .pipes
            .iter_mut()
            .for_each(|pipe| pipe.vector = vec![0]);
        group
    };
    completes(&group(1));
    completes(&group(2));
    deadlocks(&group(3));
}

/// T-DEAD: a pop whose tile is not used still consumes a tile.
#[test]
fn a_dead_pop_counts() {
    let group = pair(
        [2, 1],
        |cube| cube.repeat(4, |cube, _| push(cube, DOWN)),
        |vector| vector.repeat(4, |vector, _| pop_and_free(vector, DOWN)),
    );
    let mut without = group.clone();
    let body = &mut kernel(&mut without, 1).body;
    let OpKind::For(region) = &mut body.ops[3].kind else {
        panic!("the loop comes after its bounds");
    };
    region.ops.clear();
    completes(&group);
    deadlocks(&without);
}
