//! The libmnc2 examples: kernels that a host program feeds and judges, the host programs re-expressed in `libmnc2.txt`.
//!
//! ```text
//! 02-roundtrip                      a folder, and in what follows its host program:
//!   arm i10                         the host completes a tag
//!   send 0 4096 halves 3 * (i + 1)  long words of the PDM of group 0 from address 0 on
//!   run roundtrip.vsm               a kernel of the folder's data; memories keep what they hold
//!   run add1.vsm 5                  five times
//!   expect 131072 4096 halves 3 * (i + 1)
//! ```
//!
//! Values are `words`, or double precision numbers given in wholes (`doubles`) or halves. `expect` looks at the PDM of
//! group 0. Races are told, not raised: an example lets them happen and passes on the board.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, Context, Result};
use tessera_mncore::board::{read_around, write_around};
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::race::Races;

use crate::expression::Expression;
use crate::{run, text, Case};

const EXAMPLES: &str = include_str!("../libmnc2.txt");

/// A statement of a host program.
enum Statement {
    Arm(u8),
    Send(Words),
    Run(String, usize),
    Expect(Words),
}

/// Long words of the PDM.
struct Words {
    address: usize,
    count: usize,
    kind: Kind,
    value: Expression,
}

#[derive(Clone, Copy)]
enum Kind {
    Words,
    Doubles,
    Halves,
}

impl Words {
    fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.trim().splitn(4, ' ');
        let mut next = || parts.next().ok_or_else(|| format!("{text:?} is too short"));
        let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
        Ok(Words {
            address: number(next()?)?,
            count: number(next()?)?,
            kind: match next()? {
                "words" => Kind::Words,
                "doubles" => Kind::Doubles,
                "halves" => Kind::Halves,
                kind => return Err(format!("{kind:?} is none of words, doubles, halves")),
            },
            value: Expression::parse(next()?)?,
        })
    }

    fn words(&self) -> Result<Vec<u64>, String> {
        let word = |index: usize| {
            let value = self.value.value(index as i128);
            let value = value.ok_or_else(|| format!("there is no value at {index}"))?;
            Ok(match self.kind {
                Kind::Words => value as u64,
                Kind::Doubles => (value as f64).to_bits(),
                Kind::Halves => (value as f64 / 2.0).to_bits(),
            })
        };
        (0..self.count).map(word).collect()
    }
}

impl Statement {
    fn parse(line: &str) -> Result<Self, String> {
        let (verb, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match verb {
            "arm" => rest
                .strip_prefix('i')
                .and_then(|tag| u8::from_str_radix(tag, 16).ok())
                .map(Statement::Arm)
                .ok_or_else(|| format!("{rest:?} is no tag")),
            "send" => Words::parse(rest).map(Statement::Send),
            "expect" => Words::parse(rest).map(Statement::Expect),
            "run" => match rest.split_once(' ') {
                None => Ok(Statement::Run(rest.into(), 1)),
                Some((kernel, times)) => times
                    .parse()
                    .map(|times| Statement::Run(kernel.into(), times))
                    .map_err(|_| format!("{times:?} is no number")),
            },
            _ => Err(format!("{verb:?} is none of arm, send, run, expect")),
        }
    }
}

/// The examples: folder and host program.
fn examples(text: &str) -> Result<Vec<(&str, Vec<Statement>)>, String> {
    let mut examples: Vec<(&str, Vec<Statement>)> = Vec::new();
    let lines = text.lines().enumerate();
    for (number, line) in
        lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
    {
        if !line.starts_with(' ') {
            examples.push((line.trim(), Vec::new()));
            continue;
        }
        let statement =
            Statement::parse(line).map_err(|why| format!("line {}: {why}", number + 1))?;
        let (_, statements) = examples
            .last_mut()
            .ok_or("a statement before the first folder")?;
        statements.push(statement);
    }
    Ok(examples)
}

/// A case for every example whose folder is among the files.
pub fn cases(files: &[PathBuf]) -> Result<Vec<Case>> {
    let examples = examples(EXAMPLES).map_err(|why| anyhow!("libmnc2.txt: {why}"))?;
    let mut cases = Vec::new();
    for (folder, statements) in examples {
        let data = Path::new(folder).join("data");
        let found = files.iter().filter_map(|file| file.parent());
        let Some(folder) = found.into_iter().find(|parent| parent.ends_with(&data)) else {
            continue;
        };
        let outcome = host(&statements, folder).with_context(|| folder.display().to_string())?;
        cases.push(Case {
            group: "libmnc2",
            name: folder.display().to_string(),
            outcome,
        });
    }
    Ok(cases)
}

/// Carries a host program out.
fn host(statements: &[Statement], data: &Path) -> Result<Result<(), String>> {
    let mut machine = Machine::new(Options {
        zero_dram: true,
        races: Races::Warn,
        ..Options::default()
    });
    for statement in statements {
        let outcome = match statement {
            Statement::Arm(tag) => {
                machine.arm(*tag);
                Ok(())
            }
            Statement::Send(words) => words.words().map(|all| {
                write_around(&mut machine.board.groups[0].pdm, words.address, &all);
            }),
            Statement::Run(kernel, times) => {
                let path = data.join(kernel);
                let source = text(&path)?;
                (0..*times).try_for_each(|_| {
                    run(&mut machine, &path.display().to_string(), &source).map(|_| ())
                })
            }
            Statement::Expect(words) => words
                .words()
                .and_then(|all| compare(&machine, words.address, &all)),
        };
        if outcome.is_err() {
            return Ok(outcome);
        }
    }
    Ok(Ok(()))
}

fn compare(machine: &Machine, address: usize, expect: &[u64]) -> Result<(), String> {
    let mut words = vec![0; expect.len()];
    read_around(&machine.board.groups[0].pdm, address, &mut words);
    let differs = words
        .iter()
        .zip(expect)
        .position(|(word, expect)| word != expect);
    differs.map_or(Ok(()), |index| {
        let (word, expect) = (words[index], expect[index]);
        let address = address + index;
        Err(format!(
            "long word {address} of the PDM is {word:#018x} instead of {expect:#018x}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_well_formed() {
        let examples = examples(EXAMPLES).unwrap();
        for (folder, statements) in &examples {
            let expects = |statement: &Statement| matches!(statement, Statement::Expect(_));
            assert!(statements.iter().any(expects), "{folder} expects nothing");
            for statement in statements {
                if let Statement::Send(words) | Statement::Expect(words) = statement {
                    assert!(words.words().is_ok(), "{folder}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_statement() {
        for (line, expect) in [
            (" jump 3", "none of arm"),
            (" arm 10", "no tag"),
            (" send 0 4 words", "too short"),
            (" send 0 4 floats i", "none of words"),
            (" send a 4 words i", "no number"),
            (" run a.vsm many", "no number"),
        ] {
            let error = examples(&format!("a\n{line}")).map(|_| ()).expect_err(line);
            assert!(error.contains(expect), "{line}: {error}");
        }
        assert!(examples(" arm i01").is_err());
    }
}
