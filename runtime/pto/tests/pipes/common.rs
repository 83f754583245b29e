//! Helpers of the tests: groups of a cube kernel and vector kernels, and their launches.

use tessera_pto::builder::Builder;
use tessera_pto::explore::{explore, Verdict};
use tessera_pto::kernel::{Direction, Element, Group, Kernel, Pipe, Split, TileType};
use tessera_pto::machine::{Machine, Outcome, LIMIT};
use tessera_pto::ring::Protocol;
use tessera_pto::schedule::Schedule;
use tessera_pto::semantics::Tokens;
use tessera_pto::target::Ring;
use tessera_pto::trap::Trap;

/// The tile type of these tests.
pub const TILE: TileType = TileType::full(4, 4, Element::F32);
/// The pipe from the cube kernel, and the pipe to it.
pub const DOWN: usize = 0;
pub const UP: usize = 1;

/// Returns a pipe between kernels 0 and 1.
pub fn pipe(direction: Direction, slots: u32) -> Pipe {
    Pipe {
        name: match direction {
            Direction::CubeToVector => "down".to_owned(),
            Direction::VectorToCube => "up".to_owned(),
        },
        direction,
        slots,
        split: Split::None,
        cube: 0,
        vector: vec![1],
        ring: Ring::default(),
    }
}

/// Returns a group of a cube kernel and a vector kernel, with a ring of this many slots in each
/// direction.
pub fn pair(
    slots: [u32; 2],
    cube: impl FnOnce(&mut Builder),
    vector: impl FnOnce(&mut Builder),
) -> Group {
    Group {
        pipes: vec![
            pipe(Direction::CubeToVector, slots[DOWN]),
            pipe(Direction::VectorToCube, slots[UP]),
        ],
        kernels: vec![
            Builder::kernel("cube", cube),
            Builder::kernel("vector", vector),
        ],
        locations: vec!["somewhere".to_owned()],
        ..Group::default()
    }
}

/// Pushes a tile of zeros.
pub fn push(builder: &mut Builder, pipe: usize) {
    let tile = builder.compute(tessera_pto::kernel::Compute::Fill(0.0), &[], TILE);
    builder.push(pipe, tile);
}

/// Pops a tile and frees its slot.
pub fn pop_and_free(builder: &mut Builder, pipe: usize) {
    let tile = builder.pop(pipe, TILE);
    builder.free(pipe, tile);
}

/// Returns the schedules to test.
pub fn schedules() -> impl Iterator<Item = Schedule> {
    std::iter::once(Schedule::Greedy).chain((0..30).map(Schedule::Seed))
}

/// Launches a group `times` times without numbers, and checks that all schedules have the same
/// outcome.
#[track_caller]
pub fn launches(group: &Group, protocol: Protocol, times: usize) -> Result<Outcome, Trap> {
    let run = |schedule| {
        let mut machine = Machine::<Tokens>::new(group, protocol).expect("a valid group");
        let mut last = Ok(Outcome::default());
        for _ in 0..times {
            last = machine.launch(schedule, LIMIT);
            if last.is_err() {
                break;
            }
        }
        last
    };
    let greedy = run(Schedule::Greedy);
    for schedule in schedules() {
        let other = run(schedule);
        match (&greedy, &other) {
            (Ok(_), Ok(_)) => {}
            // The progress before a deadlock may depend on the schedule; the deadlock does not.
            (Err(Trap::Deadlock(_)), Err(Trap::Deadlock(_))) => {}
            (Err(Trap::Operation(_)), Err(Trap::Operation(_))) => {}
            _ => assert_eq!(greedy, other, "{schedule:?}"),
        }
    }
    greedy
}

/// Launches a group once.
#[track_caller]
pub fn launch(group: &Group) -> Result<Outcome, Trap> {
    launches(group, Protocol::default(), 1)
}

/// Returns the outcomes of all schedules of a small group.
#[track_caller]
pub fn all(group: &Group) -> Verdict {
    let explored = explore(group, Protocol::default(), 1_000_000).expect("a valid group");
    explored.expect("a small group")
}

/// Checks that a group terminates.
#[track_caller]
pub fn completes(group: &Group) {
    launch(group).unwrap_or_else(|trap| panic!("{trap}"));
}

/// Checks that every schedule deadlocks, and returns the message.
#[track_caller]
pub fn deadlocks(group: &Group) -> String {
    match launch(group) {
        Err(trap @ Trap::Deadlock(_)) => trap.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Returns a kernel of a group, to be changed.
pub fn kernel(group: &mut Group, number: usize) -> &mut Kernel {
    &mut group.kernels[number]
}
