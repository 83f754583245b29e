//! Code blocks of Markdown: a program, and in the next block its output.
//!
//! Some programs contain tasks for the reader. [`TASKS`] contains answers for the emulator's
//! tutorial; a task without an answer is skipped.

use std::path::Path;

use tessera_mncore::machine::{Machine, Options};

use crate::{run, Case};

/// Answers: the beginning of the line to replace, and a program for each block of dumps that
/// follows.
const TASKS: [(&str, &[&str]); 2] = [
    // Products, and products plus ones: as halves, then with the halves of wide results.
    (
        "# (optional",
        &[
            "hvmulr $lm0v $ln0v $ls0v\nd geth $ls0n0c0b0m0 1\n\
             hvfmar $lm0v $ln0v $lr0ve $ls0v\nd geth $ls0n0c0b0m0 1",
            "hvmul $lm0v $ln0v $ls0v\nd geth $ls0n0c0b0m0 1\n\
             hvfma $lm0v $ln0v $lr0v $ls0v\nd geth $ls0n0c0b0m0 1",
        ],
    ),
    // A times B: B transposed is the matrix, the rows of A are the vectors.
    (
        "# (write vsm here",
        &["hmwrite $lln0v $llx0\nhmwrite $lln16v $llx8\n\
           hmread $llx0 $llr0v\nhmread $llx8 $llr16v\n\
           hbfn/9 $llr0v $nowrite\nhmwrite $aluf $lly0; hbfn/9 $llr16v $nowrite\n\
           hmwrite $aluf $lly8\n\
           hbfn/9 $llm0v $lls0v\nhbfn/9 $llm16v $lls16v\nnop/2\n\
           hmmulr $ly $ls0v $ln32v\nhmmulr $ly $ls8v $ln40v\n\
           hmmulr $ly $ls16v $ln48v\nhmmulr $ly $ls24v $ln56v"],
    ),
];

/// Returns the answers to the task in a program.
fn answers(program: &str) -> Option<(&str, &'static [&'static str])> {
    let task = |line| {
        let found = TASKS
            .iter()
            .find(|(begin, _)| str::starts_with(line, begin));
        found.map(|(_, answers)| (line, *answers))
    };
    program.lines().find_map(task)
}

/// Returns the fenced code blocks, each with its first line.
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

/// Returns a line of a dump without the remark after the repeated statement.
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

/// Returns a case for every program followed by a dump, and for every task with an answer.
pub fn cases(path: &Path, text: &str) -> Vec<Case> {
    let is_dump = |block: &str| block.contains("DEBUG-");
    let is_statement = |line: &str| line.starts_with("d get") || line.starts_with("d set");
    let blocks = blocks(text);
    let mut cases = Vec::new();
    for (index, (line, program)) in blocks.iter().enumerate() {
        if is_dump(program) || !program.lines().any(is_statement) {
            continue;
        }
        let dumps: Vec<_> = blocks[index + 1..]
            .iter()
            .map(|(_, block)| block)
            .take_while(|block| is_dump(block))
            .collect();
        let name = |number: usize| match number {
            0 => format!("{}:{line}", path.display()),
            _ => format!("{}:{line}, dump {}", path.display(), number + 1),
        };
        if let Some((task, answers)) = answers(program) {
            for (number, (answer, dump)) in answers.iter().zip(dumps).enumerate() {
                cases.push(case(name(number), &program.replace(task, answer), dump));
            }
        } else if let Some(dump) = dumps.first() {
            cases.push(case(name(0), program, dump));
        }
    }
    cases
}

fn case(name: String, program: &str, dump: &str) -> Case {
    let expect: Vec<_> = dump
        .lines()
        .filter(|line| line.starts_with("DEBUG-"))
        .map(without_remark)
        .collect();
    let mut machine = Machine::new(Options::default());
    let outcome = run(&mut machine, &name, program).and_then(|lines| compare(&lines, &expect));
    Case {
        group: "tutorial",
        name,
        outcome,
    }
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
mod tests;
