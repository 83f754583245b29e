//! Fuzz tests: sources and units with random damage never cause a panic, and every error has a
//! location in the source.
//!
//! The number of cases is small by default. `TESSERA_LONG_TESTS=1` runs a million sources and a
//! hundred thousand units.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tessera_isa_mncore::word::Mode;
use tessera_isa_mncore::{check, hazards, parse, text_form, unit, Program};
use tessera_test_support::is_long_run;

/// Statements of every kind, one a line.
const STATEMENTS: &str = include_str!("statements.vsm");

fn cases(short: u32, long: u32) -> u32 {
    if is_long_run() {
        long
    } else {
        short
    }
}

/// Runs a property on a fixed sequence of cases.
fn run<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value)) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let done = runner.run(&strategy, |value| {
        property(value);
        Ok(())
    });
    done.expect("the property holds");
}

/// Checks that every error of a source is reported with a valid location.
fn judge(source: &str) {
    let located = |found: &tessera_isa_mncore::Diagnostic| {
        let line = source.lines().nth(found.span.line as usize - 1);
        let line = line.expect("the line exists");
        assert!(
            found.span.column as usize <= line.chars().count() + 1,
            "{found:?}: {line}"
        );
        assert!(!found.render("f", source).is_empty());
    };
    let program: Program = match parse(source) {
        Ok(program) => program,
        Err(errors) => return errors.iter().for_each(located),
    };
    let found = check(&program);
    found.iter().for_each(located);
    hazards(&program)
        .iter()
        .for_each(|hazard| located(&hazard.diagnostic));
    if !found.is_empty() {
        return;
    }
    let printed = program.to_string();
    assert_eq!(
        parse(&printed).expect("it was printed").to_string(),
        printed
    );
    for mode in [Mode::AutoStride, Mode::Flat] {
        match text_form::write(&program, mode) {
            Ok(text) => {
                let again = text_form::read(&text).expect("it was written");
                assert_eq!(text_form::write(&again, mode).as_ref(), Ok(&text));
            }
            Err(errors) => errors.iter().for_each(located),
        }
    }
}

/// A change to a text.
fn change(
    source: &mut Vec<char>,
    kind: u8,
    at: prop::sample::Index,
    from: prop::sample::Index,
    new: char,
) {
    if source.is_empty() {
        return;
    }
    let (at, from) = (at.index(source.len()), from.index(source.len()));
    match kind {
        0 => source[at] = new,
        1 => source.insert(at, new),
        2 => drop(source.remove(at)),
        3 => source.swap(at, from),
        _ => {
            let part: Vec<char> = source[at.min(from)..at.max(from)]
                .iter()
                .copied()
                .take(12)
                .collect();
            source.splice(from..from, part);
        }
    }
}

#[test]
fn damaged_sources() {
    let statements: Vec<&str> = STATEMENTS.lines().collect();
    let lines = prop::collection::vec(prop::sample::select(statements), 1..5);
    let letters: Vec<char> = "$lmnrstvbcdxyfe0123456789@./;[],-+\"'# \tiqé"
        .chars()
        .collect();
    let one = (
        0u8..5,
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        prop::sample::select(letters),
    );
    let changes = prop::collection::vec(one, 0..6);
    run(
        cases(3_000, 1_000_000),
        (lines, changes),
        |(lines, changes)| {
            let mut source: Vec<char> = lines.join("\n").chars().collect();
            for (kind, at, from, new) in changes {
                change(&mut source, kind, at, from, new);
            }
            judge(&source.into_iter().collect::<String>());
        },
    );
}

#[test]
fn damaged_units() {
    let source = "mvp/n64i01 $p0@0 $lc0@2.1\nlpassa $lm0v $lr0v/1100 $t\n\
                  imm i\"7\" $ls0v\nl1bmm $lbi $lr0v; l1bmrdfadd $lr8v $lb256";
    let bits = prop::collection::vec(0usize..1024, 0..6);
    run(
        cases(1_000, 100_000),
        (bits, any::<bool>()),
        |(bits, flat)| {
            let mode = if flat { Mode::Flat } else { Mode::AutoStride };
            let program = parse(source).expect("it is in the language");
            let mut bytes = unit::pack(&program, mode).expect("there is room");
            for bit in bits {
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            match unit::unpack(&bytes) {
                Ok((program, mode)) => assert_eq!(unit::pack(&program, mode), Ok(bytes)),
                Err(error) => assert!(error.to_string().starts_with("unit ")),
            }
        },
    );
}
