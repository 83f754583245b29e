//! Runs public MN-Core 2 programs and compares their output with the expected output.
//!
//! `mncore.sh PATH…` searches folders that the user provides; their files are not part of this
//! repository.
//!
//! | group | what it finds | what must agree |
//! |---|---|---|
//! | tutorial | Markdown whose code blocks are programs followed by their dumps | every line of the dumps |
//! | judge | test cases with `expect=` comments, and answers: see `judge.rs` | every expected value, within its tolerance |
//! | libmnc2 | the folders that `libmnc2.txt` describes | the words that the host programs expect |
//! | assemble | every other `.vsm` file | that it is accepted |
//!
//! Prints group, cases, passed, explained, failed, and the reason of every failure. The exit code
//! is 1 if a case failed that `explained.txt` does not list.
//!
//! The suites and how to obtain them:
//!
//! | suite | how |
//! |---|---|
//! | open-mncore2-sdk: tutorial, libmnc2, 114 programs | a copy of the repository |
//! | nsfisis/mncore-challenge: test cases and answers, attempts | a copy of the repository |
//! | the graph compiler for education: 29 test cases in `testcases` | a copy, and a folder with their answers |
//!
//! The last one's answers are not files: they are the lines that `generate_vsm` of its operators
//! returns, for the shapes and layouts that the head of a test case names. Written to a file with
//! the test case's name, they are found in any folder; for `dram_ul_*` its own `converter` moves
//! the inputs of the test case to LM1 first, where the generators expect them. It has no generator
//! for `dram_dl_1024_16` and `gather_sum`.

mod explained;
mod expression;
mod judge;
mod libmnc2;
mod tutorial;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, Context, Result};
use tessera_mncore::machine::{Event, Machine};

/// The result of a case: its name, and the failure if any.
struct Case {
    group: &'static str,
    name: String,
    outcome: Result<(), String>,
}

/// Returns the files below some folders, in order.
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

/// Returns the text of a file, with invalid UTF-8 replaced.
fn text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs a program; returns the lines of its dumps, or why it was rejected or trapped.
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

/// Checks that a program is accepted: valid syntax, no violated rule, no hazard.
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

/// The numbers of cases of a group that passed, failed as explained, and failed.
#[derive(Default)]
struct Count {
    passed: usize,
    explained: usize,
    failed: usize,
}

fn report(cases: &[Case]) -> bool {
    let mut groups: BTreeMap<&str, Count> = BTreeMap::new();
    for Case {
        group,
        name,
        outcome,
    } in cases
    {
        let count = groups.entry(group).or_default();
        match (outcome, explained::reason(group, name)) {
            (Ok(()), _) => count.passed += 1,
            (Err(_), Some(reason)) => {
                count.explained += 1;
                println!("{group}: {name}: explained: {reason}");
            }
            (Err(why), None) => {
                count.failed += 1;
                println!("{group}: {name}: {why}");
            }
        }
    }
    println!("group       cases passed explained failed");
    for (group, count) in &groups {
        let Count {
            passed,
            explained,
            failed,
        } = count;
        let all = passed + explained + failed;
        println!("{group:<10} {all:>6} {passed:>6} {explained:>9} {failed:>6}");
    }
    groups.values().all(|count| count.failed == 0)
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
