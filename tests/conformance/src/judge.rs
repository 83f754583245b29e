//! Test cases of the MN-Core Challenge: statements before and after an answer, and the expected
//! final dumps.
//!
//! | test case | its answers |
//! |---|---|
//! | `testcase.vsm` | the files beside it with a number for a name |
//! | `testcase_NAME.vsm` | `answer_NAME.vsm` beside it |
//! | `NAME.vsm` that says where an answer is to be inserted | any other `NAME.vsm`, in whatever folder |
//!
//! A value is correct if it is within the absolute or relative tolerance, or equal if no tolerance
//! is given. Zeros of both signs are equal.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::race::RacePolicy;
use tessera_mncore::undetermined::UndeterminedPolicy;

use crate::{run, text, Case};

/// The text that marks where an answer is inserted.
const HERE: &str = "INSERTED HERE";

/// Returns a case for every answer that has a test case.
pub fn cases(files: &[PathBuf]) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let programs = files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "vsm"));
    let programs: Vec<_> = programs
        .map(|path| Ok((path.as_path(), text(path)?)))
        .collect::<Result<_>>()?;
    let (tests, answers): (Vec<_>, Vec<_>) =
        programs.iter().partition(|(_, text)| text.contains(HERE));
    for (path, answer) in answers {
        let beside = test_beside(path).map(|test| path.with_file_name(test));
        let is_its_own = |test: &Path| match &beside {
            Some(beside) => test == beside,
            None => test.file_name() == path.file_name(),
        };
        for (test, source) in &tests {
            if is_its_own(test) {
                let name = path.display().to_string();
                let outcome = judge(&name, source, answer);
                cases.push(Case {
                    group: "judge",
                    name,
                    outcome,
                });
            }
        }
    }
    Ok(cases)
}

/// Returns the name of the test case in the folder of an answer, if the answer's name implies one.
fn test_beside(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    match stem.strip_prefix("answer_") {
        Some(name) => Some(format!("testcase_{name}.vsm")),
        None if stem.bytes().all(|byte| byte.is_ascii_digit()) => Some("testcase.vsm".into()),
        None => None,
    }
}

fn judge(name: &str, test: &str, answer: &str) -> Result<(), String> {
    let is_answer_here = |line: &&str| line.contains(HERE) || line.starts_with("d get");
    let place = test
        .lines()
        .position(|line| is_answer_here(&line))
        .unwrap_or(0);
    let debug = |line: &&str| !line.trim_start().starts_with("d ");
    let lines = test.lines().take(place);
    let lines = lines
        .chain(answer.lines().filter(debug))
        .chain(test.lines().skip(place));
    let program = lines.collect::<Vec<_>>().join("\n");
    let mut machine = Machine::new(Options {
        zero_dram: true,
        // Answers need not wait: the contest's emulator does not notice.
        races: RacePolicy::Off,
        // Places that no value is expected of may come to anything.
        undetermined: UndeterminedPolicy::Mark,
        ..Options::default()
    });
    let printed = run(&mut machine, name, &program)?;
    let expected: Vec<_> = test.lines().filter_map(Expect::parse).collect();
    if expected.is_empty() || printed.len() < expected.len() {
        return Err(format!(
            "{} values are expected, {} lines printed",
            expected.len(),
            printed.len()
        ));
    }
    let last = &printed[printed.len() - expected.len()..];
    last.iter()
        .zip(&expected)
        .try_for_each(|(line, expect)| expect.check(line))
}

/// The expectation for a dump: `# expect=[1, 2] / Float @[0],[1] atol=0.1 rtol=0.01`.
struct Expect<'a> {
    values: Vec<&'a str>,
    kind: &'a str,
    absolute: f64,
    relative: f64,
}

impl<'a> Expect<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (values, rest) = line.split_once("expect=[")?.1.split_once("] / ")?;
        let tolerance = |name: &str| {
            let word = rest
                .split_whitespace()
                .find_map(|word| word.strip_prefix(name));
            word.and_then(|number| number.parse().ok()).unwrap_or(0.0)
        };
        Some(Expect {
            values: values.split(',').map(str::trim).collect(),
            kind: rest.split_whitespace().next()?,
            absolute: tolerance("atol="),
            relative: tolerance("rtol="),
        })
    }

    fn check(&self, line: &str) -> Result<(), String> {
        let words: String = line
            .split(" (0x")
            .nth(1)
            .and_then(|words| words.split(')').next())
            .map(|words| words.replace(", 0x", ""))
            .ok_or_else(|| format!("no words in {line}"))?;
        let digits = match self.kind {
            "Double" | "ULong" | "Long" => 16,
            "Float" | "UInt" | "Int" => 8,
            "Half" | "UShort" | "Short" => 4,
            "UByte" | "Byte" => 2,
            kind => return Err(format!("values of type {kind} are not known")),
        };
        for (index, value) in self.values.iter().enumerate() {
            let word = words.get(index * digits..(index + 1) * digits);
            let word = word.and_then(|word| u64::from_str_radix(word, 16).ok());
            let word = word.ok_or_else(|| format!("too few words in {line}"))?;
            if !self.agrees(word, value)? {
                return Err(format!("{line}\n  {value} is expected"));
            }
        }
        Ok(())
    }

    fn agrees(&self, word: u64, value: &str) -> Result<bool, String> {
        let bad = || format!("{value} is no {}", self.kind);
        let got = match self.kind {
            "Double" => f64::from_bits(word),
            "Float" => f64::from(f32::from_bits(word as u32)),
            "Half" => half(word),
            kind => {
                let expect: i128 = value.parse().map_err(|_| bad())?;
                let bits = match kind {
                    "ULong" | "Long" => 64,
                    "UInt" | "Int" => 32,
                    "UShort" | "Short" => 16,
                    _ => 8,
                };
                return Ok(expect.rem_euclid(1 << bits) == i128::from(word));
            }
        };
        let expect: f64 = value.parse().map_err(|_| bad())?;
        let difference = (got - expect).abs();
        Ok(got == expect
            || difference <= self.absolute
            || difference <= self.relative * expect.abs())
    }
}

/// Returns the value of a half precision word: 6 exponent bits, 9 mantissa bits.
fn half(word: u64) -> f64 {
    let (exponent, fraction) = ((word >> 9 & 0x3f) as i32, (word & 0x1ff) as f64);
    let magnitude = match exponent {
        0 => 0.0,
        0x3f => f64::INFINITY,
        _ => (1.0 + fraction / 512.0) * f64::from(2).powi(exponent - 31),
    };
    if word >> 15 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

#[cfg(test)]
mod tests;
