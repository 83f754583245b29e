//! Mutation test: pipelined matrix products under the timed model, with one expression issued a
//! step early or late.
//!
//! Every mutant is checked by the assembler's rules, the hazard checker and the timed model. If an
//! expression, or all expressions of a unit, are issued at a wrong time, one of the checks must
//! fail, or C must be unchanged. If two expressions of a unit are exchanged, the same holds, or the
//! mutant keeps all distances and computes another matrix (for example, with the halves of a tile
//! exchanged), which no check can detect.

use std::collections::{BTreeMap, BTreeSet};

use tessera_isa_mncore::{check, hazards, parse};
use tessera_mncore::geometry::Geometry;
use tessera_mncore::machine::{Machine, Model, Options};
use tessera_mncore::trap::Reason;
use tessera_test_support::is_long_run;

use super::kernels::source::{Kernel, Loop};
use super::kernels::{load, result, size};

const GEOMETRY: Geometry = Geometry {
    groups: 1,
    l2bs: 1,
    l1bs: 1,
    mabs: 4,
};

/// The outcome of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The assembler's rules reject it.
    Refused,
    /// The hazard checker and the timed model report an error.
    TooEarly,
    /// A forwarding register no longer holds the value that is read.
    Stale,
    /// C is unchanged.
    Same,
    /// C is another matrix, and no check fails.
    Changed,
}
use Outcome::*;

/// Returns small whole numbers that differ enough to reveal a wrong order.
fn matrices(of: &Loop, geometry: &Geometry) -> [Vec<f32>; 2] {
    let [m, k, n] = size(of, geometry);
    let mut state = 1u32;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as f32 % 15.0 - 7.0
    };
    [m * k, k * n].map(|count| (0..count).map(|_| number()).collect())
}

/// Runs a product under the timed model.
fn run(of: &Loop, geometry: &Geometry, source: &str) -> Result<Vec<u32>, Reason> {
    let mut machine = Machine::new(Options {
        geometry: *geometry,
        model: Model::Timed,
        ..Options::default()
    });
    let [a, b] = matrices(of, geometry);
    load(of, geometry, &mut machine, &a, &b);
    let program = parse(source).expect("it is in the language");
    let ran = machine.run(&program, &mut |_| ());
    ran.map_err(|trap| trap.reason)?;
    Ok(result(of, geometry, &machine))
}

/// Returns the outcome of a mutant.
fn judge(of: &Loop, source: &str, expect: &[u32]) -> Outcome {
    let program = match parse(source) {
        Ok(program) if check(&program).is_empty() => program,
        _ => return Refused,
    };
    let hazard = !hazards(&program).is_empty();
    let outcome = match run(of, &GEOMETRY, source) {
        Err(Reason::LatencyViolation(_)) => TooEarly,
        Err(Reason::StaleForward { .. }) => Stale,
        Err(other) => panic!("{source}: {other}"),
        Ok(c) if c == expect => Same,
        Ok(_) => Changed,
    };
    // The earlier error stops the machine.
    assert!(
        hazard == (outcome == TooEarly) || outcome == Stale,
        "{outcome:?}\n{source}"
    );
    outcome
}

fn loops() -> [Loop; 3] {
    [
        (Kernel::Resident, 2, 3),
        (Kernel::StreamedHalf, 4, 3),
        (Kernel::StreamedPseudo, 4, 3),
    ]
    .map(|(kernel, row_tiles, k_blocks)| Loop {
        kernel,
        row_tiles,
        k_blocks,
    })
}

/// With `TESSERA_LONG_TESTS`, on the full board too.
#[test]
fn products_keep_all_times() {
    let long = is_long_run();
    let geometries = [GEOMETRY, Geometry::BOARD];
    for geometry in &geometries[..if long { 2 } else { 1 }] {
        for of in loops() {
            let [pipelined, sequential] = [of.pipelined(), of.sequential()].map(|source| {
                let c = run(&of, geometry, &source);
                c.unwrap_or_else(|early| panic!("{of:?}: {early}"))
            });
            assert!(pipelined == sequential, "{of:?}");
        }
    }
}

/// A program as lines of expressions.
type Lines = Vec<Vec<String>>;

fn text(lines: &Lines) -> String {
    let line = |line: &Vec<String>| match line[..] {
        [] => "nop\n".to_owned(),
        _ => line.join("; ") + "\n",
    };
    lines.iter().map(line).collect()
}

/// Returns the unit of an expression; no step has two expressions for one unit.
fn unit(expression: &str) -> &'static str {
    let units = ["mwrite", "mfma", "mmul", "bfn", "l1bm"];
    let opcode = expression.split(' ').next().unwrap_or_default();
    let found = units.into_iter().find(|unit| opcode.contains(unit));
    match found.expect("the loops have no others") {
        "mmul" => "mfma",
        unit => unit,
    }
}

/// A kind of mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    /// Moves it to the previous step.
    LatencyViolation,
    /// Moves it to the next step.
    Late,
    /// Exchanges it with the expression of its unit in the next step.
    Exchange,
    /// Moves all expressions of its unit to the previous step.
    AllEarly,
    /// Moves all expressions of its unit to the next step.
    AllLate,
}
use Damage::*;

/// Moves the expressions that `moves` selects by a step.
fn shift(lines: &Lines, late: bool, moves: impl Fn(usize, &str) -> bool) -> Lines {
    let mut shifted = vec![Vec::new(); lines.len() + 2];
    for (at, line) in lines.iter().enumerate() {
        for expression in line {
            let to = match (moves(at, expression), late) {
                (false, _) => at + 1,
                (true, false) => at,
                (true, true) => at + 2,
            };
            shifted[to].push(expression.clone());
        }
    }
    shifted
}

/// Exchanges the expressions of neighbouring steps, if both exist.
fn exchange(lines: &Lines, at: usize, unit_of: &str) -> Option<Lines> {
    let mut lines = lines.clone();
    let place = |line: &Vec<String>| line.iter().position(|one| unit(one) == unit_of);
    let (one, other) = (place(&lines[at])?, place(lines.get(at + 1)?)?);
    let moved = lines[at][one].clone();
    lines[at][one] = std::mem::replace(&mut lines[at + 1][other], moved);
    Some(lines)
}

/// The possible outcomes of mutations of a unit's expressions.
type Found = BTreeMap<(&'static str, Damage), BTreeSet<Outcome>>;

fn damage(of: &Loop) -> Found {
    let source = of.pipelined();
    let expressions = |line: &str| {
        line.split("; ")
            .filter(|one| *one != "nop")
            .map(str::to_owned)
            .collect()
    };
    let lines: Lines = source.lines().map(expressions).collect();
    let expect = run(of, &GEOMETRY, &source).expect("it runs");
    let mut found = Found::new();
    let mut note = |unit: &'static str, damage, damaged: &Lines| {
        let outcome = judge(of, &text(damaged), &expect);
        found.entry((unit, damage)).or_default().insert(outcome);
    };
    for (at, line) in lines.iter().enumerate() {
        for expression in line {
            let unit = unit(expression);
            let this = |line: usize, other: &str| line == at && other == expression;
            note(unit, LatencyViolation, &shift(&lines, false, this));
            note(unit, Late, &shift(&lines, true, this));
            if let Some(exchanged) = exchange(&lines, at, unit) {
                note(unit, Exchange, &exchanged);
            }
        }
    }
    for of_unit in ["mwrite", "mfma", "bfn", "l1bm"] {
        if lines.iter().flatten().any(|one| unit(one) == of_unit) {
            let all = |_: usize, one: &str| unit(one) == of_unit;
            note(of_unit, AllEarly, &shift(&lines, false, all));
            note(of_unit, AllLate, &shift(&lines, true, all));
        }
    }
    found
}

/// All outcomes of every kind of mutation.
#[rustfmt::skip]
const OUTCOMES: &[(Kernel, &str, Damage, &[Outcome])] = &[
    // Each tile is used for eight steps and takes two to load, so loads have slack. Products of a
    // tile with the same rows of A are independent.
    (Kernel::Resident, "mfma", LatencyViolation, &[Refused]),
    (Kernel::Resident, "mfma", Late, &[Refused, Same]),
    (Kernel::Resident, "mfma", Exchange, &[Refused, Same]),
    (Kernel::Resident, "mfma", AllEarly, &[Refused]),
    (Kernel::Resident, "mfma", AllLate, &[Refused]),
    (Kernel::Resident, "mwrite", LatencyViolation, &[Refused, Same]),
    (Kernel::Resident, "mwrite", Late, &[Refused, Same]),
    (Kernel::Resident, "mwrite", Exchange, &[Refused, Same]),
    (Kernel::Resident, "mwrite", AllEarly, &[Refused]),
    (Kernel::Resident, "mwrite", AllLate, &[Refused]),
    // A chain of forwarding registers is rigid. Two expressions that read the same register are
    // identical. Exchanging two loads or two halves of a tile gives another matrix in the same
    // time.
    (Kernel::StreamedHalf, "bfn", LatencyViolation, &[Refused, Stale]),
    (Kernel::StreamedHalf, "bfn", Late, &[Refused, Stale]),
    (Kernel::StreamedHalf, "bfn", Exchange, &[Same]),
    (Kernel::StreamedHalf, "bfn", AllEarly, &[Stale]),
    (Kernel::StreamedHalf, "bfn", AllLate, &[Stale]),
    (Kernel::StreamedHalf, "l1bm", LatencyViolation, &[Refused, Same]),
    (Kernel::StreamedHalf, "l1bm", Late, &[Refused, Stale]),
    (Kernel::StreamedHalf, "l1bm", Exchange, &[Changed]),
    (Kernel::StreamedHalf, "l1bm", AllEarly, &[Stale]),
    (Kernel::StreamedHalf, "l1bm", AllLate, &[Stale]),
    (Kernel::StreamedHalf, "mfma", LatencyViolation, &[Refused]),
    (Kernel::StreamedHalf, "mfma", Late, &[Refused, Same]),
    (Kernel::StreamedHalf, "mfma", Exchange, &[Refused, Same]),
    (Kernel::StreamedHalf, "mfma", AllEarly, &[Refused]),
    (Kernel::StreamedHalf, "mfma", AllLate, &[Refused]),
    (Kernel::StreamedHalf, "mwrite", LatencyViolation, &[Refused, Stale]),
    (Kernel::StreamedHalf, "mwrite", Late, &[Refused]),
    (Kernel::StreamedHalf, "mwrite", Exchange, &[Refused, Changed]),
    (Kernel::StreamedHalf, "mwrite", AllEarly, &[Refused]),
    (Kernel::StreamedHalf, "mwrite", AllLate, &[Refused]),
    // The ring buffer in GRF1 allows loads to move earlier but not later. LM1 is loaded for another
    // product.
    (Kernel::StreamedPseudo, "bfn", LatencyViolation, &[Refused, TooEarly]),
    (Kernel::StreamedPseudo, "bfn", Late, &[Refused, Stale]),
    (Kernel::StreamedPseudo, "bfn", Exchange, &[TooEarly, Changed]),
    (Kernel::StreamedPseudo, "bfn", AllEarly, &[TooEarly]),
    (Kernel::StreamedPseudo, "bfn", AllLate, &[Stale]),
    (Kernel::StreamedPseudo, "l1bm", LatencyViolation, &[Refused, Same]),
    (Kernel::StreamedPseudo, "l1bm", Late, &[Refused, TooEarly, Same]),
    (Kernel::StreamedPseudo, "l1bm", Exchange, &[TooEarly, Same]),
    (Kernel::StreamedPseudo, "l1bm", AllEarly, &[Same]),
    (Kernel::StreamedPseudo, "l1bm", AllLate, &[TooEarly]),
    (Kernel::StreamedPseudo, "mfma", LatencyViolation, &[Refused]),
    (Kernel::StreamedPseudo, "mfma", Late, &[Refused, Same]),
    (Kernel::StreamedPseudo, "mfma", Exchange, &[Refused, Same]),
    (Kernel::StreamedPseudo, "mfma", AllEarly, &[Refused]),
    (Kernel::StreamedPseudo, "mfma", AllLate, &[Refused]),
    (Kernel::StreamedPseudo, "mwrite", LatencyViolation, &[Refused, Stale]),
    (Kernel::StreamedPseudo, "mwrite", Late, &[Refused]),
    (Kernel::StreamedPseudo, "mwrite", Exchange, &[Refused, Changed]),
    (Kernel::StreamedPseudo, "mwrite", AllEarly, &[Refused]),
    (Kernel::StreamedPseudo, "mwrite", AllLate, &[Refused]),
];

#[test]
fn mutants_with_wrong_results_are_detected() {
    for of in loops() {
        let rows = OUTCOMES.iter().filter(|row| row.0 == of.kernel);
        let expect: Found = rows
            .map(|(_, unit, damage, outcomes)| {
                ((*unit, *damage), outcomes.iter().copied().collect())
            })
            .collect();
        assert_eq!(damage(&of), expect, "{of:?}");
    }
    // An undetected mutant with another matrix is a different program, not the same one with wrong
    // timing.
    let changed = OUTCOMES.iter().filter(|row| row.3.contains(&Changed));
    assert!(changed.clone().count() > 0 && changed.clone().all(|row| row.2 == Exchange));
}
