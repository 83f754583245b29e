//! Helpers for the tests of whole programs.

use tessera_mncore::machine::{Event, Machine, Options};

/// Parses and runs a program on `machine`; returns the lines of its dumps, or the trap.
pub fn run_on(machine: &mut Machine, program: &str) -> Result<Vec<String>, String> {
    let parsed = tessera_isa_mncore::parse(program).map_err(|found| found[0].message.clone())?;
    let mut lines = Vec::new();
    let ran = machine.run(&parsed, &mut |event| {
        if let Event::Dump(line) = event {
            lines.push(line.to_owned());
        }
    });
    ran.map_err(|trap| trap.to_string()).map(|()| lines)
}

/// As [`run_on`], on a full board with zeroed DRAM.
pub fn run(program: &str) -> Result<Vec<String>, String> {
    let options = Options {
        zero_dram: true,
        ..Options::default()
    };
    run_on(&mut Machine::new(options), program)
}

/// Checks that the dumps of a program are `expect`, ignoring the repeated statements.
#[track_caller]
pub fn check(program: &str, expect: &[&str]) {
    let lines = run(program).unwrap_or_else(|error| panic!("{program}\n{error}"));
    let shown: Vec<_> = lines
        .iter()
        .map(|line| line.split(" #").next().unwrap_or(line))
        .map(|line| line.strip_prefix("DEBUG-").unwrap_or(line))
        .collect();
    assert_eq!(shown, expect, "{program}");
}
