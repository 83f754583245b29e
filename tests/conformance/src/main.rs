//! Runs public MN-Core 2 programs and compares what they print with what they should.
//!
//! `mncore.sh PATH…` looks through folders that the user has; nothing of theirs is part of this repository.
//!
//! | group | what it finds | what must agree |
//! |---|---|---|
//! | tutorial | Markdown whose code blocks are programs followed by their dumps | every line of the dumps |
//! | judge | `testcase*.vsm` with `expect=` comments, and answers beside them | every expected value, within its tolerance |
//! | libmnc2 | the folders that `libmnc2.txt` describes | the words that the host programs expect |
//! | assemble | every other `.vsm` file | that it is accepted |
//!
//! Prints group, cases, passed, failed, and for every failure why. Exit code 1 if anything failed.

mod expression;
mod judge;
mod libmnc2;
mod tutorial;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, Context, Result};
use tessera_mncore::machine::{Event, Machine};

/// What came of a case: its name, and what went wrong.
struct Case {
    group: &'static str,
    name: String,
    outcome: Result<(), String>,
}

/// The files below some folders, in order.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = paths.to_vec();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = path.read_dir();
            for entry in entries.with_context(|| format!("cannot read {}", path.display()))? {
                waiting.push(entry?.path());
            }
        } else if path.is_file() {
            found.push(path);
        } else {
            bail!("there is no {}", path.display());
        }
    }
    found.sort();
    Ok(found)
}

/// The text of a file; what is no UTF-8 in it does not matter.
fn text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs a program: the lines of its dumps, or why it is not accepted or stopped.
fn run(machine: &mut Machine, name: &str, source: &str) -> Result<Vec<String>, String> {
    let program = tessera_isa_mncore::parse(source)
        .map_err(|found| found[0].render(name, source).trim_end().to_owned())?;
    let mut lines = Vec::new();
    let ran = machine.run(&program, &mut |event| {
        if let Event::Dump(line) = event {
            lines.push(line.to_owned());
        }
    });
    ran.map_err(|trap| trap.render(name, source).trim_end().to_owned())?;
    Ok(lines)
}

/// Whether a program is accepted: in the language, breaking no rule, without hazards.
fn assemble(path: &Path) -> Result<Case> {
    let (name, source) = (path.display().to_string(), text(path)?);
    let first = match tessera_isa_mncore::parse(&source) {
        Err(found) => found.into_iter().next(),
        Ok(program) => {
            let broken = tessera_isa_mncore::check(&program).into_iter().next();
            let mut hazards = tessera_isa_mncore::hazards(&program).into_iter();
            broken.or_else(|| hazards.next().map(|hazard| hazard.diagnostic))
        }
    };
    let outcome = match first {
        None => Ok(()),
        Some(found) => Err(found.render(&name, &source).trim_end().to_owned()),
    };
    let group = "assemble";
    Ok(Case {
        group,
        name,
        outcome,
    })
}

fn cases(files: &[PathBuf]) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in files {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("md") => cases.extend(tutorial::cases(path, &text(path)?)),
            Some("vsm") => cases.push(assemble(path)?),
            _ => {}
        }
    }
    cases.extend(judge::cases(files)?);
    cases.extend(libmnc2::cases(files)?);
    Ok(cases)
}

fn report(cases: &[Case]) -> bool {
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for case in cases {
        let (passed, failed) = groups.entry(case.group).or_default();
        match &case.outcome {
            Ok(()) => *passed += 1,
            Err(why) => {
                *failed += 1;
                println!("{}: {}: {why}", case.group, case.name);
            }
        }
    }
    println!(
        "{:<10} {:>6} {:>6} {:>6}",
        "group", "cases", "passed", "failed"
    );
    for (group, (passed, failed)) in &groups {
        println!("{group:<10} {:>6} {passed:>6} {failed:>6}", passed + failed);
    }
    groups.values().all(|(_, failed)| *failed == 0)
}

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        eprintln!("usage: mncore.sh PATH…");
        return ExitCode::from(2);
    }
    match files(&paths).and_then(|files| cases(&files)) {
        Ok(cases) if cases.is_empty() => {
            eprintln!("error: no program and no tutorial below these paths");
            ExitCode::FAILURE
        }
        Ok(cases) if report(&cases) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
