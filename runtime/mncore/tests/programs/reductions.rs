//! Every operation of the reduction network in every reducing instruction, on small whole numbers
//! (section 3.5.5).

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::rrn::RrnKind;
use tessera_isa_mncore::table::Rrn;
use tessera_mncore::geometry::PES;
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::race::RacePolicy;

use super::common::run_on;
use super::mau::{DOUBLE, HALF, SINGLE};

/// A reducing instruction: its text around the operation, the senders of one result, and the
/// locations of words.
struct Case {
    before: &'static str,
    after: &'static str,
    members: usize,
    /// The number of results, one long word each.
    results: usize,
    /// Stores the word of a sender for a result.
    put: fn(&mut Machine, member: usize, result: usize, word: u64),
    /// Returns the location of a result.
    get: fn(&Machine, result: usize) -> u64,
}

/// Returns the size of an element in bits.
fn bits(rrn: Rrn) -> u32 {
    match rrn.precision {
        Precision::Half | Precision::Short => 16,
        Precision::Single | Precision::Int => 32,
        _ => 64,
    }
}

/// Returns a long word of whole numbers.
fn word(rrn: Rrn, numbers: &[i32]) -> u64 {
    let element = |number: i32| match rrn.precision {
        Precision::Double => DOUBLE.word(number) as u64,
        Precision::Single => SINGLE.word(number) as u64,
        Precision::Half => HALF.word(number) as u64,
        _ => i64::from(number) as u64 & u64::MAX >> (64 - bits(rrn)),
    };
    let all = numbers.iter();
    all.fold(0, |long, number| {
        long << (bits(rrn) - 1) << 1 | element(*number)
    })
}

fn reduced(kind: RrnKind, numbers: impl Iterator<Item = i32> + Clone) -> i32 {
    let pairs = |operation: fn(i32, i32) -> i32| numbers.clone().reduce(operation);
    let result = match kind {
        RrnKind::FloatAdd | RrnKind::IntAdd => pairs(|a, b| a + b),
        RrnKind::Max => pairs(i32::max),
        RrnKind::Min => pairs(i32::min),
        RrnKind::BitAnd => pairs(|a, b| a & b),
        RrnKind::BitOr => pairs(|a, b| a | b),
        RrnKind::LogicalAnd => Some(i32::from(numbers.clone().all(|number| number != 0))),
        RrnKind::LogicalOr => Some(i32::from(numbers.clone().any(|number| number != 0))),
    };
    result.expect("somebody takes part")
}

impl Case {
    fn text(&self, rrn: Rrn) -> String {
        format!("{}{}{}", self.before, rrn.mnemonic(), self.after)
    }

    fn check(&self, machine: &mut Machine, rrn: Rrn, random: &mut impl FnMut() -> i32) {
        let per_long = 64 / bits(rrn) as usize;
        let mut number = || match rrn.kind {
            // Makes both results sufficiently frequent.
            RrnKind::LogicalOr => 3 * i32::from(random() > 6),
            RrnKind::LogicalAnd => 3 * i32::from(random() > -8),
            _ => random(),
        };
        let mut expected = Vec::new();
        for result in 0..self.results {
            let members: Vec<Vec<i32>> = (0..self.members)
                .map(|_| (0..per_long).map(|_| number()).collect())
                .collect();
            for (member, numbers) in members.iter().enumerate() {
                (self.put)(machine, member, result, word(rrn, numbers));
            }
            let element = |index: usize| reduced(rrn.kind, members.iter().map(|m| m[index]));
            expected.push((0..per_long).map(element).collect::<Vec<_>>());
        }
        let text = self.text(rrn);
        run_on(machine, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for (result, expect) in expected.iter().enumerate() {
            let got = (self.get)(machine, result);
            assert_eq!(got, word(rrn, expect), "{text}: {result} {expect:?}");
        }
    }
}

const CASES: &[Case] = &[
    Case {
        before: "l1bmr",
        after: " $lr0v $lb0",
        members: 16,
        results: 16,
        put: |machine, mab, result, word| {
            let plane = machine.blocks[0].memory[0].plane_mut(result / PES);
            plane[mab * PES + result % PES] = word;
        },
        get: |machine, result| machine.blocks[0].l1bm[result],
    },
    Case {
        before: "l1bmr4",
        after: " $lr0v $lb0",
        members: 4,
        results: 64,
        put: |machine, mab, result, word| {
            let plane = machine.blocks[0].memory[0].plane_mut(result / 16);
            let mab = result % 16 / PES * 4 + mab;
            plane[mab * PES + result % PES] = word;
        },
        get: |machine, result| machine.blocks[0].l1bm[result],
    },
    Case {
        before: "l2bmr",
        after: " $lb0 $lc0",
        members: 8,
        results: 64,
        put: |machine, l1b, result, word| machine.blocks[l1b].l1bm[result] = word,
        get: |machine, result| machine.board.l2bm[0][result],
    },
    Case {
        before: "l2bmr",
        after: "@[1,5] $lb0 $lc0",
        members: 2,
        results: 64,
        put: |machine, member, result, word| machine.blocks[1 + 4 * member].l1bm[result] = word,
        get: |machine, result| machine.board.l2bm[0][result],
    },
    Case {
        before: "l2bmr2",
        after: " $lb0 $lc0",
        members: 2,
        results: 256,
        put: |machine, member, result, word| {
            let address = result / 64 * 16 + result % 16;
            machine.blocks[result % 64 / 16 * 2 + member].l1bm[address] = word;
        },
        get: |machine, result| machine.board.l2bm[0][result],
    },
    Case {
        before: "mvr",
        after: "/n64 $lc0 $p0@0",
        members: 8,
        results: 64,
        put: |machine, l2, result, word| machine.board.l2bm[l2][result] = word,
        get: |machine, result| machine.board.groups[0].pdm[result],
    },
    Case {
        before: "mvr2",
        after: "/n64 $lc0@3 $p0@3",
        members: 2,
        results: 64,
        put: |machine, l2b, result, word| machine.board.l2bm[6 + l2b][result] = word,
        get: |machine, result| machine.board.groups[3].pdm[result],
    },
];

#[test]
fn every_operation_in_every_instruction() {
    let mut state = 21u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
        (state >> 60) as i32 - 8
    };
    let mut machine = Machine::new(Options {
        // Consecutive transfers use the same locations.
        races: RacePolicy::Off,
        ..Options::default()
    });
    for case in CASES {
        for rrn in Rrn::all() {
            case.check(&mut machine, rrn, &mut random);
        }
    }
}
