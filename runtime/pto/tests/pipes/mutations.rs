//! Mutation test: in terminating programs, a push, a pop or a free is removed or repeated, or two
//! frees are exchanged. Every mutant is detected.

use tessera_pto::kernel::{Kernel, Op, OpKind, Region, Type};
use tessera_pto::liveness::{check, Problem};
use tessera_pto::schedule::Random;

use super::common::*;
use super::random::{answer, build, tokens, Token};

/// A mutation of an operation, numbered over the pushes, pops and frees of a kernel.
#[derive(Clone, Copy, Debug)]
enum Damage {
    LeaveOut,
    Repeat,
    /// Exchanges the operation with the next one, if both are frees.
    Exchange,
}

/// Returns the same tokens with at least one iteration of every loop, so that every mutant is
/// executed.
fn at_least_once(tokens: Vec<Token>) -> Vec<Token> {
    tokens
        .into_iter()
        .map(|token| match token {
            Token::Loop(times, body) => Token::Loop(times.max(1), at_least_once(body)),
            other => other,
        })
        .collect()
}

/// Mutates a region. Returns the number of operations still to skip, or `None` once the mutation is
/// applied.
fn damage(
    (region, values): (&mut Region, &mut Vec<Type>),
    way: Damage,
    mut number: usize,
) -> Option<usize> {
    for index in 0..region.ops.len() {
        if let OpKind::For(body) = &mut region.ops[index].kind {
            number = damage((body, values), way, number)?;
        }
        let is = |op: &Op| {
            matches!(
                op.kind,
                OpKind::Push { .. } | OpKind::Pop { .. } | OpKind::Free { .. }
            )
        };
        if !is(&region.ops[index]) {
            continue;
        }
        if number > 0 {
            number -= 1;
            continue;
        }
        apply((region, values), way, index);
        return None;
    }
    Some(number)
}

fn apply((region, values): (&mut Region, &mut Vec<Type>), way: Damage, index: usize) {
    let is_free = |op: &Op| matches!(op.kind, OpKind::Free { .. });
    match way {
        Damage::LeaveOut => drop(region.ops.remove(index)),
        Damage::Repeat => {
            let mut again = region.ops[index].clone();
            for result in &mut again.results {
                values.push(values[*result]);
                *result = values.len() - 1;
            }
            region.ops.insert(index + 1, again);
        }
        Damage::Exchange => {
            let next = region.ops.get(index + 1);
            if is_free(&region.ops[index]) && next.is_some_and(is_free) {
                region.ops.swap(index, index + 1);
            }
        }
    }
}

#[test]
fn every_mutant_is_detected() {
    let (mut programs, mut damages, mut seed) = (0, [0; 3], 0);
    while programs < 60 {
        seed += 1;
        let random = &mut Random(seed);
        let cube = at_least_once(tokens(random, 4, 1));
        let vector = answer(&cube);
        let slots = [0, 1].map(|_| 2 + random.below(3) as u32);
        let group = pair(
            slots,
            |builder| build(builder, &cube, DOWN, UP),
            |builder| build(builder, &vector, UP, DOWN),
        );
        if check(&group, 100_000).is_err() {
            continue;
        }
        programs += 1;
        for kernel in 0..2 {
            for way in [Damage::LeaveOut, Damage::Repeat, Damage::Exchange] {
                for number in 0.. {
                    let mut damaged = group.clone();
                    let Kernel { body, values, .. } = &mut damaged.kernels[kernel];
                    if damage((body, values), way, number).is_some() {
                        break;
                    }
                    if damaged == group {
                        continue;
                    }
                    damages[way as usize] += 1;
                    let found = check(&damaged, 100_000).expect_err("it is noticed");
                    let place = format!("seed {seed}, kernel {kernel}, {way:?} {number}: {found}");
                    // Without its pop, a free has nothing to name. All else runs, and is noticed
                    // then.
                    let is_malformed = matches!(found, Problem::Invalid(_));
                    assert!(!is_malformed || matches!(way, Damage::LeaveOut), "{place}");
                }
            }
        }
    }
    let enough = damages[0] > 300 && damages[1] > 300 && damages[2] > 10;
    assert!(enough, "{damages:?}");
}
