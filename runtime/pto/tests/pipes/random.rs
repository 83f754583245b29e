//! Random programs of two kernels and two pipes: one schedule determines the outcome of all.
//!
//! `TESSERA_LONG_TESTS=1` tries ten thousand instead of a few hundred.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::Group;
use tessera_pto::machine::{Machine, LIMIT};
use tessera_pto::ring::Protocol;
use tessera_pto::schedule::{Random, Schedule};
use tessera_pto::semantics::Tokens;
use tessera_pto::trap::Trap;
use tessera_test_support::is_long_run;

use super::common::*;

/// An operation of one side of a program.
#[derive(Clone, Debug)]
pub enum Token {
    /// Pushes to the pipe that it produces for.
    Push,
    /// Pops from the other pipe, and frees the tile at once.
    Take,
    /// Pops two tiles, then frees both.
    TakeTwo,
    /// Repeats operations.
    Loop(i64, Vec<Token>),
}

pub fn tokens(random: &mut Random, most: u64, depth: u32) -> Vec<Token> {
    let count = 1 + random.below(most);
    (0..count)
        .map(|_| match random.below(if depth > 0 { 9 } else { 7 }) {
            0..=2 => Token::Push,
            3..=5 => Token::Take,
            6 => Token::TakeTwo,
            _ => Token::Loop(random.below(4) as i64, tokens(random, 2, depth - 1)),
        })
        .collect()
}

pub fn build(builder: &mut Builder, tokens: &[Token], own: usize, other: usize) {
    for token in tokens {
        match token {
            Token::Push => push(builder, own),
            Token::Take => pop_and_free(builder, other),
            Token::TakeTwo => {
                let [first, second] = [0, 1].map(|_| builder.pop(other, TILE));
                builder.free(other, first);
                builder.free(other, second);
            }
            Token::Loop(times, body) => {
                builder.repeat(*times, |builder, _| build(builder, body, own, other));
            }
        }
    }
}

/// Returns the matching other side, which pops where this side pushes, so that many programs
/// terminate.
pub fn answer(tokens: &[Token]) -> Vec<Token> {
    tokens
        .iter()
        .flat_map(|token| match token {
            Token::Push => vec![Token::Take],
            Token::Take => vec![Token::Push],
            Token::TakeTwo => vec![Token::Push, Token::Push],
            Token::Loop(times, body) => vec![Token::Loop(*times, answer(body))],
        })
        .collect()
}

fn group(random: &mut Random) -> Group {
    let cube = tokens(random, 4, 2);
    let mut vector = match random.below(3) {
        0 => tokens(random, 4, 2),
        _ => answer(&cube),
    };
    if random.below(3) == 0 {
        let (one, other) = (
            random.below(vector.len() as u64),
            random.below(vector.len() as u64),
        );
        vector.swap(one as usize, other as usize);
    }
    let slots = [0, 1].map(|_| 1 + random.below(3) as u32);
    pair(
        slots,
        |builder| build(builder, &cube, DOWN, UP),
        |builder| build(builder, &vector, UP, DOWN),
    )
}

/// The outcome of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScheduleOutcome {
    Completes,
    Deadlocks,
}

fn outcome(group: &Group, schedule: Schedule) -> ScheduleOutcome {
    let mut machine = Machine::<Tokens>::new(group, Protocol::default()).expect("a valid group");
    match machine.launch(schedule, LIMIT) {
        Ok(_) => ScheduleOutcome::Completes,
        Err(Trap::Deadlock(_)) => ScheduleOutcome::Deadlocks,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn one_schedule_tells_what_all_come_to() {
    let programs = if is_long_run() { 10_000 } else { 300 };
    let mut fates = [0; 2];
    for seed in 0..programs {
        let group = group(&mut Random(seed));
        let one = outcome(&group, Schedule::Greedy);
        fates[one as usize] += 1;
        let all = all(&group);
        assert_eq!(
            (all.completes, all.deadlocks, all.traps, all.leaves),
            (
                one == ScheduleOutcome::Completes,
                one == ScheduleOutcome::Deadlocks,
                false,
                false
            ),
            "seed {seed}"
        );
        assert_eq!(outcome(&group, Schedule::Seed(seed)), one, "seed {seed}");
    }
    assert!(fates.iter().all(|count| *count > programs / 5), "{fates:?}");
}
