//! Code blocks of Markdown: a program, and in the next block what it prints.

use std::path::Path;

use tessera_mncore::machine::{Machine, Options};

use crate::{run, Case};

/// The fenced code blocks, each with the line it begins in.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(block) => blocks.push(block),
                None => open = Some((number + 2, String::new())),
            }
        } else if let Some((_, block)) = &mut open {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

/// A line of a dump without a remark after the statement that it repeats.
fn without_remark(line: &str) -> &str {
    let Some((_, statement)) = line.split_once(" #") else {
        return line;
    };
    let words: usize = statement
        .split_inclusive(' ')
        // `d get`, the place, the count
        .take(4)
        .map(str::len)
        .sum();
    line[..line.len() - statement.len() + words].trim_end()
}

/// A case for every program that a dump follows. A program in which the reader has to write something is none.
pub fn cases(path: &Path, text: &str) -> Vec<Case> {
    let is_dump = |block: &str| block.contains("DEBUG-");
    let is_statement = |line: &str| line.starts_with("d get") || line.starts_with("d set");
    let blocks = blocks(text);
    let mut cases = Vec::new();
    for pair in blocks.windows(2) {
        let [(line, program), (_, dump)] = pair else {
            continue;
        };
        let is_program = !is_dump(program) && program.lines().any(is_statement);
        // A reader's task: nothing computes, or nothing prints.
        let acts =
            |line: &str| !line.trim().is_empty() && !line.starts_with('#') && !is_statement(line);
        let prints = program.lines().any(|line| line.starts_with("d get"));
        let moves =
            program.lines().any(|line| line.starts_with("d set")) && program.lines().count() > 8;
        if !is_program || !is_dump(dump) || !prints || moves && !program.lines().any(acts) {
            continue;
        }
        let name = format!("{}:{line}", path.display());
        let expect: Vec<_> = dump
            .lines()
            .filter(|line| line.starts_with("DEBUG-"))
            .map(without_remark)
            .collect();
        let mut machine = Machine::new(Options::default());
        let outcome = run(&mut machine, &name, program).and_then(|lines| compare(&lines, &expect));
        cases.push(Case {
            group: "tutorial",
            name,
            outcome,
        });
    }
    cases
}

fn compare(lines: &[String], expect: &[&str]) -> Result<(), String> {
    for (line, expect) in lines.iter().zip(expect) {
        if line != expect {
            return Err(format!("prints\n  {line}\ninstead of\n  {expect}"));
        }
    }
    if lines.len() == expect.len() {
        return Ok(());
    }
    Err(format!(
        "prints {} lines instead of {}",
        lines.len(),
        expect.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_their_dumps_are_found() {
        let text = "a\n```\nlinc $lr0 $lr0\nd get $lr0n0c0b0m0p0 1\n```\nb\n```\nDEBUG-GREG0(n0c0b0m0p0,0):(f:0, \
                    i:{{0x0,0x0},{0x0,0x1}}, v:0x1) #d get $lr0n0c0b0m0p0 1  a remark\n```\n\
                    ```\nd get $lr0n0c0b0m0p0 1\n```\n```\nDEBUG-GREG0 #d get $lr0n0c0b0m0p0 1\n```\n";
        let cases = cases(Path::new("a.md"), text);
        let names: Vec<_> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["a.md:3", "a.md:11"]);
        assert_eq!(cases[0].outcome, Ok(()));
        let why = cases[1].outcome.as_ref().unwrap_err();
        assert!(
            why.starts_with("prints\n  DEBUG-GREG0(n0c0b0m0p0,0)"),
            "{why}"
        );
    }
}
