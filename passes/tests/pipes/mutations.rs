//! Mutation tests of pipes: a push, pop or free is removed, duplicated or exchanged with another of
//! its kind. A verifier, the checker or the results must detect it.

use tessera_pto::schedule::Schedule;

use super::common::{groups, run};

/// A mutation of a module.
struct Mutation {
    what: String,
    text: String,
}

/// Returns the lines with operations of a kind: push, pop or free.
fn lines(lines: &[&str], kind: &str) -> Vec<usize> {
    let found = lines.iter().enumerate();
    let found =
        found.filter(|(_, line)| !line.trim_start().starts_with("//") && line.contains(kind));
    found.map(|(number, _)| number).collect()
}

/// Returns the text with changed lines; an empty list removes a line.
fn with(lines: &[&str], change: impl Fn(usize, &str) -> Vec<String>) -> String {
    let lines = lines.iter().enumerate();
    let lines: Vec<String> = lines
        .flat_map(|(number, line)| change(number, line))
        .collect();
    lines.join("\n")
}

fn mutations(text: &str) -> Vec<Mutation> {
    let all: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let original = all.join("\n");
    let mut add = |what: &str, line: usize, text: String| {
        let what = format!("{what} {}: {}", line + 1, all[line].trim());
        // Two pushes of one tile may be exchanged.
        if text != original {
            found.push(Mutation { what, text });
        }
    };
    for kind in ["pto.tpush ", "pto.tfree "] {
        for line in lines(&all, kind) {
            let drop = |number, text: &str| match number == line {
                true => vec![],
                false => vec![text.to_owned()],
            };
            add("drop", line, with(&all, drop));
            let double =
                |number, text: &str| vec![text.to_owned(); 1 + usize::from(number == line)];
            add("double", line, with(&all, double));
        }
    }
    for line in lines(&all, "pto.tpop ") {
        let (tile, _) = all[line].split_once(" = ").expect("a pop has a result");
        let tile = tile.trim();
        let double = |number, text: &str| {
            let again = text.replacen(tile, "%again", 1);
            match number == line {
                true => vec![again, text.to_owned()],
                false => vec![text.to_owned()],
            }
        };
        add("double", line, with(&all, double));
    }
    // Neighbours of a kind in a kernel, at the same depth.
    for kind in ["pto.tpush ", "pto.tpop ", "pto.tfree "] {
        for pair in lines(&all, kind).windows(2) {
            let &[first, second] = pair else { continue };
            let indent = |line: usize| all[line].len() - all[line].trim_start().len();
            let between = &all[first..second];
            if indent(first) != indent(second)
                || between.iter().any(|line| {
                    line.contains("scf.")
                        || line.contains("pto.func")
                        || line.trim().starts_with('}')
                })
            {
                continue;
            }
            let swap = |number, text: &str| {
                vec![match number {
                    _ if number == first => all[second].to_owned(),
                    _ if number == second => all[first].to_owned(),
                    _ => text.to_owned(),
                }]
            };
            add("swap", first, with(&all, swap));
        }
    }
    found
}

/// Returns how a mutation was detected, or `None` if it was not.
fn noticed(mutation: &Mutation, kernel: &str, expect: &[Vec<u64>]) -> Option<&'static str> {
    let groups = match groups(&mutation.text, kernel) {
        Err(_) => return Some("by checks"),
        Ok(groups) => groups,
    };
    match run(&groups, Schedule::Greedy) {
        Err(_) => Some("when it ran"),
        Ok(numbers) if numbers != expect => Some("by numbers"),
        Ok(_) => None,
    }
}

/// Checks that every mutation of a module is detected. Returns their number.
#[track_caller]
pub fn check(text: &str, kernel: &str) -> usize {
    let expect = groups(text, kernel).unwrap_or_else(|error| panic!("{error}"));
    let expect = run(&expect, Schedule::Greedy).unwrap_or_else(|error| panic!("{error}"));
    let mutations = mutations(text);
    for mutation in &mutations {
        let noticed = noticed(mutation, kernel, &expect);
        assert!(noticed.is_some(), "not noticed: {}", mutation.what);
    }
    mutations.len()
}

#[test]
fn mutations_of_a_group_by_hand_are_noticed() {
    let text = include_str!("../../../tests/lit/run/interpreter.mlir");
    assert_eq!(check(text, "relu_product_relu"), 10);
}

/// Tests two rings in each direction, with two tiles held at once.
#[test]
fn mutations_of_two_tiles_at_once_are_noticed() {
    let text = include_str!("two_at_once.mlir");
    assert_eq!(check(text, "two_at_once"), 26);
}
