//! The libmnc2 examples: kernels whose host programs send inputs and check results. `libmnc2.txt`
//! restates the host programs.
//!
//! ```text
//! 02-roundtrip                      a folder, and in what follows its host program:
//!   arm i10                         the host completes a tag
//!   send 0 4096 halves 3 * (i + 1)  long words of the PDM of group 0 from address 0 on
//!   run roundtrip.vsm               a kernel of the folder's data; memories keep what they hold
//!   run add1.vsm 5                  five times
//!   expect 131072 4096 halves 3 * (i + 1)
//!   expect $lc0n0c0 4 words 9       long words of another place, as `d get` and `d set` name it
//!   reset                           the machine as it was in the beginning
//! ```
//!
//! Values are `words`, or double precision numbers given in wholes (`doubles`) or halves. Races are
//! reported but are not errors, because an example with races passes on the board.
//!
//! Tests of the host library itself are omitted: rejected arguments, the time-out of a transfer
//! whose tag is never completed (50), the byte order of the host's memory (52).

use std::path::{Path, PathBuf};

use anyhow::{anyhow, Context, Result};
use tessera_mncore::board::write_wrapping;
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::race::RacePolicy;

use crate::expression::Expression;
use crate::{run, text, Case};

const EXAMPLES: &str = include_str!("../libmnc2.txt");

/// A statement of a host program.
enum Statement {
    Arm(u8),
    Send(Words),
    Run(String, usize),
    Expect(Words),
    Reset,
}

/// The location of words that a host program writes or checks.
enum HostPlace {
    /// An address in the PDM of group 0.
    Pdm(usize),
    /// A location as `d get` and `d set` name it.
    Debug(String),
}

/// A sequence of long words.
struct Words {
    place: HostPlace,
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
        let number = |text: &str| -> Result<usize, String> {
            text.parse()
                .map_err(|_| format!("{text:?} is not a number"))
        };
        let place = next()?;
        Ok(Words {
            place: match place.starts_with('$') {
                true => HostPlace::Debug(place.into()),
                false => HostPlace::Pdm(number(place)?),
            },
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
                .ok_or_else(|| format!("{rest:?} is not a tag")),
            "send" => Words::parse(rest).map(Statement::Send),
            "expect" => Words::parse(rest).map(Statement::Expect),
            "run" => match rest.split_once(' ') {
                None => Ok(Statement::Run(rest.into(), 1)),
                Some((kernel, times)) => times
                    .parse()
                    .map(|times| Statement::Run(kernel.into(), times))
                    .map_err(|_| format!("{times:?} is not a number")),
            },
            "reset" => Ok(Statement::Reset),
            _ => Err(format!("{verb:?} is none of arm, send, run, expect, reset")),
        }
    }
}

/// Parses the examples: folder and host program.
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

/// Returns a case for every example whose folder is among the files.
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

/// Executes a host program.
fn host(statements: &[Statement], data: &Path) -> Result<Result<(), String>> {
    let options = Options {
        zero_dram: true,
        races: RacePolicy::Warn,
        ..Options::default()
    };
    let mut machine = Machine::new(options);
    for statement in statements {
        let outcome = match statement {
            Statement::Arm(tag) => {
                machine.arm(*tag);
                Ok(())
            }
            Statement::Send(words) => send(&mut machine, words),
            Statement::Run(kernel, times) => {
                let path = data.join(kernel);
                let source = text(&path)?;
                (0..*times).try_for_each(|_| {
                    run(&mut machine, &path.display().to_string(), &source).map(|_| ())
                })
            }
            Statement::Expect(words) => compare(&mut machine, words),
            Statement::Reset => {
                machine = Machine::new(options);
                Ok(())
            }
        };
        if outcome.is_err() {
            return Ok(outcome);
        }
    }
    Ok(Ok(()))
}

fn send(machine: &mut Machine, words: &Words) -> Result<(), String> {
    let all = words.words()?;
    match &words.place {
        HostPlace::Pdm(address) => write_wrapping(&mut machine.board.groups[0].pdm, *address, &all),
        HostPlace::Debug(place) => {
            let payload: String = all.iter().map(|word| format!("l{word:x}")).collect();
            let source = format!("d set {place} {} {payload}", all.len());
            run(machine, "send", &source)?;
        }
    }
    Ok(())
}

fn compare(machine: &mut Machine, words: &Words) -> Result<(), String> {
    let place = match &words.place {
        HostPlace::Pdm(address) => format!("$p{address}n0"),
        HostPlace::Debug(place) => place.clone(),
    };
    let source = format!("d getd {place} {}", words.count);
    let lines = run(machine, "expect", &source)?;
    let expect = words.words()?;
    if lines.len() != expect.len() {
        let (got, expect) = (lines.len(), expect.len());
        return Err(format!("{got} long words instead of {expect}"));
    }
    for (line, expect) in lines.iter().zip(expect) {
        if !line.contains(&format!(" ({expect:#018x})")) {
            return Err(format!("prints\n  {line}\ninstead of {expect:#018x}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
