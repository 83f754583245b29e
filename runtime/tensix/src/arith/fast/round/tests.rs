//! Roundings of vectors equal those of single numbers, at every level.

use tessera_test_support::is_long_run;
use tessera_test_support::random::Rng;

use super::*;
use crate::arith::spec::sfpu::{self, HALF};

/// Returns numbers around one and the ends of the integer formats, and others.
fn numbers(random: &mut Rng) -> Lanes {
    std::array::from_fn(|_| {
        let x = random.next_u64();
        let number = (x >> 32) as u32;
        match x % 8 {
            0 => number,
            1 => number & 0x807F_FFFF,
            2 => number | 0x7F80_0000,
            // Few bits of the mantissa are set, or few are not.
            3 => number & 0x8FFF_0000 | 0x4000_0000,
            4 => number & 0x8F8F_0000 | 0x3070_FFFF,
            _ => number & 0x83FF_FFFF | 0x3E00_0000 | number >> 5 & 0x0400_0000,
        }
    })
}

fn thresholds(random: &mut Rng) -> Lanes {
    match random.next_u64() % 3 {
        0 => [HALF; LANES],
        1 => [THRESHOLD_BITS; LANES],
        _ => std::array::from_fn(|_| random.next_u64() as u32 & THRESHOLD_BITS),
    }
}

#[test]
fn roundings_equal_the_specification() {
    let mut random = Rng::new(7);
    let integers = [Integer::U8, Integer::I8, Integer::U16, Integer::I16];
    for _ in 0..if is_long_run() { 4_000_000 } else { 2_000 } {
        let (values, thresholds) = (numbers(&mut random), thresholds(&mut random));
        let with = |of: &dyn Fn(u32, u32) -> u32| -> Lanes {
            std::array::from_fn(|lane| of(values[lane], thresholds[lane]))
        };
        for level in Level::all() {
            let floats = [13, 16].map(|discarded| {
                let target = Target::Float { discarded };
                checked(level, target, &values, &thresholds, random.next_u64())
            });
            let expected = [with(&sfpu::round_tf32), with(&sfpu::round_bf16)];
            assert_eq!(floats, expected, "{level:?} {values:x?} {thresholds:x?}");
            for to in integers {
                let target = Target::Integer(to);
                let rounded = checked(level, target, &values, &thresholds, random.next_u64());
                let expected = with(&|x, threshold| sfpu::integer_of_float(x, to, threshold));
                assert_eq!(
                    rounded, expected,
                    "{to:?} {level:?} {values:x?} {thresholds:x?}"
                );
            }
        }
    }
}

/// Rounds numbers by [`all`]. Compares that with [`registers`] for the first threshold, in all
/// lanes or in some, in place or not.
fn checked(level: Level, target: Target, values: &Lanes, thresholds: &Lanes, random: u64) -> Lanes {
    let same = all(level, target, values, &[thresholds[0]; LANES]);
    let lanes = (random >> 32) as u32 | if random & 1 == 0 { u32::MAX } else { 0 };
    for to in 0..2 {
        let mut held = [*values, [7; LANES]];
        let before = held[to];
        registers(level, (target, thresholds[0]), &mut held, [0, to], lanes);
        let expected = |lane: usize| match lanes >> lane & 1 {
            0 => before[lane],
            _ => same[lane],
        };
        assert_eq!(
            held[to],
            std::array::from_fn(expected),
            "{target:?} {lanes:#x}"
        );
    }
    all(level, target, values, thresholds)
}
