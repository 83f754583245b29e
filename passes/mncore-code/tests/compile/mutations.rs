//! Mutation tests: compiled kernels with an item moved, a `wait` removed or a slot removed. Some
//! check must reject the kernel, or the result must be the same.
//!
//! `TESSERA_LONG_TESTS=1` makes many more mutations.

use tessera_mncore::machine::Model;
use tessera_mncore_code::check::verify;
use tessera_mncore_code::compile::Kernel;
use tessera_mncore_code::program::{self, CheckedProgram, IssueOrder};
use tessera_mncore_ir::item::Op;
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::Register;
use tessera_test_support::is_long_run;
use tessera_test_support::random::Rng;

use crate::board::{execute, kernel_with};
use crate::cases::{cases, inputs_of};

/// The maximum distance by which an item is moved, in steps.
const MOST_STEPS: usize = 9;

/// Outcomes of mutated kernels.
#[derive(Clone, Copy, Debug, Default)]
struct Changed {
    kernels: usize,
    /// Both the check of the loop and the log of the whole program reject it.
    both: usize,
    verify_alone: usize,
    log_alone: usize,
    /// Only the assembler's rules reject it.
    rules: usize,
    /// Only the model traps.
    model: usize,
    /// No check rejects it, and the result is the same.
    harmless: usize,
}

/// Collects the loops of a program.
fn parts<'p>(nodes: &'p mut [Node], found: &mut Vec<&'p mut ScheduledLoop>) {
    for node in nodes {
        match node {
            Node::Loop(part) => found.push(part),
            Node::Repeat(_, nodes) => parts(nodes, found),
        }
    }
}

/// Mutates one loop. Returns a description of the mutation, or `None` if it does not apply.
fn change(program: &mut Program, rng: &mut Rng) -> Option<String> {
    let mut found = Vec::new();
    parts(&mut program.nodes, &mut found);
    let part = rng.below(found.len());
    let part = &mut *found[part];
    let what = match rng.below(10) {
        0 => drop_wait(part, rng),
        1 => take_slot(part, rng),
        _ => move_item(part, rng),
    };
    what.map(|what| format!("{}: {what}", part.name))
}

/// Advances or delays an item.
fn move_item(part: &mut ScheduledLoop, rng: &mut Rng) -> Option<String> {
    let item = rng.below(part.body.items.len());
    let by = 1 + rng.below(MOST_STEPS) as u32;
    let at = &mut part.schedule.at[item];
    let before = *at;
    *at = if rng.percent(50) {
        before + by
    } else {
        before.saturating_sub(by)
    };
    (*at != before).then(|| format!("item {item} from {before} to {at}"))
}

/// Removes a `wait`.
fn drop_wait(part: &mut ScheduledLoop, rng: &mut Rng) -> Option<String> {
    let items = part.body.items.iter().enumerate();
    let waits: Vec<usize> = items
        .filter(|(_, item)| matches!(item.op, Op::Wait(_)))
        .map(|(number, _)| number)
        .collect();
    let item = *waits.get(rng.below(waits.len().max(1)))?;
    part.body.items.remove(item);
    part.schedule.at.remove(item);
    Some(format!("without item {item}, a wait"))
}

/// Gives a value fewer slots, or another address.
fn take_slot(part: &mut ScheduledLoop, rng: &mut Rng) -> Option<String> {
    let places = &mut part.schedule.places;
    let value = rng.below(places.len().max(1));
    match places.get_mut(value)? {
        Some(Register::Words { slots, .. }) if *slots > 1 => *slots -= 1,
        Some(Register::Words { first, .. }) if *first >= 8 => *first -= 8,
        _ => return None,
    }
    Some(format!("value {value} at {:?}", places[value]))
}

/// Returns whether the verifier rejects any loop.
fn is_refused(program: &mut Program) -> bool {
    let mut found = Vec::new();
    parts(&mut program.nodes, &mut found);
    found
        .iter()
        .any(|part| verify(&part.schedule, &part.body).is_err())
}

/// Applies mutations to a kernel, one at a time.
fn mutate(name: &str, kernel: &Kernel, inputs: &[Vec<f32>], count: u64, changed: &mut Changed) {
    let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
    let right = program::statements(&program, IssueOrder::Scheduled);
    let right = right.unwrap_or_else(|error| panic!("{error}"));
    let expect = execute(kernel, inputs, &right, Model::Timed);
    let expect = expect.unwrap_or_else(|trap| panic!("{name}: {trap}"));
    for seed in 0..count {
        let rng = &mut Rng::new(seed);
        let mut other = program.clone();
        let Some(what) = change(&mut other, rng) else {
            continue;
        };
        changed.kernels += 1;
        let refused = is_refused(&mut other);
        let checked = match (refused, CheckedProgram::new(&other, IssueOrder::Scheduled)) {
            (true, Err(_)) => {
                changed.both += 1;
                continue;
            }
            (true, Ok(_)) => {
                changed.verify_alone += 1;
                continue;
            }
            (false, Err(_)) => {
                changed.log_alone += 1;
                continue;
            }
            (false, Ok(checked)) => checked,
        };
        let Ok(statements) = checked.statements() else {
            changed.rules += 1;
            continue;
        };
        match execute(kernel, inputs, &statements, Model::Timed) {
            Err(_) => changed.model += 1,
            Ok(found) => {
                assert!(
                    found == expect,
                    "{name}, seed {seed}: {what} is wrong, but no check fails"
                );
                changed.harmless += 1;
            }
        }
    }
}

#[test]
fn changed_kernels_are_found() {
    let long = is_long_run();
    let mut all = Changed::default();
    for case in cases().into_iter().take(if long { usize::MAX } else { 8 }) {
        let mut changed = Changed::default();
        let kernel = kernel_with(&case.group, &case.options);
        let count = if long { 300 } else { 3 };
        mutate(
            case.name,
            &kernel,
            &inputs_of(&case.group),
            count,
            &mut changed,
        );
        println!("{}: {changed:?}", case.name);
        all.kernels += changed.kernels;
        all.both += changed.both;
    }
    assert!(all.kernels > 0 && all.both > 0, "{all:?}");
}
