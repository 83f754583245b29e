//! Translates `RUN:` lines to a bash script.
//!
//! Checked: there is at least one command, no dangling continuation, no unknown substitution and no
//! unsupported keyword. The commands themselves are not checked; bash reports their errors.

use std::fmt::Write as _;

/// Keywords of lit that this runner does not support.
const REFUSED: [&str; 7] = [
    "XFAIL:",
    "REQUIRES:",
    "UNSUPPORTED:",
    "ALLOW_RETRIES:",
    "DEFINE:",
    "REDEFINE:",
    "END.",
];

/// Why a file has no runnable script. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Nothing to run: the file would pass without testing anything.
    #[error("no RUN: line; a test without one checks nothing")]
    NoRun,
    /// `RUN:` without a command.
    #[error("line {line}: empty RUN: line")]
    Empty {
        /// The line.
        line: usize,
    },
    /// The last `RUN:` line ends in a backslash.
    #[error("line {line}: this RUN: line ends in `\\`, but no RUN: line follows")]
    Dangling {
        /// The line.
        line: usize,
    },
    /// `%x` with an unknown x.
    #[error(
        "line {line}: unknown substitution `{name}`; known are %s %S %p %t %T %output, and %% for \
         a percent sign"
    )]
    Substitution {
        /// The line.
        line: usize,
        /// As written.
        name: String,
    },
    /// A second `RUN:` line uses `%output`: it would overwrite what the first one wrote.
    #[error("line {line}: %output is used twice; one RUN: line writes it")]
    OutputTwice {
        /// The line.
        line: usize,
    },
    /// A keyword of lit that this runner does not support.
    #[error("line {line}: `{keyword}` is not implemented by this runner; see tests/src/lit")]
    Keyword {
        /// The line.
        line: usize,
        /// As written.
        keyword: &'static str,
    },
}

/// The values of the substitutions.
#[derive(Debug, Clone)]
pub struct Substitutions {
    /// `%s`: the test file.
    pub source: String,
    /// `%S` and `%p`: the directory of the test file.
    pub source_dir: String,
    /// `%t`: a file name of this test alone.
    pub temp: String,
    /// `%T`: the directory of `%t`.
    pub temp_dir: String,
    /// `%output`: the file for the output that is compared precisely.
    pub output: String,
}

/// The script of a test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The bash script.
    pub text: String,
    /// Whether it writes `%output`.
    pub writes_output: bool,
}

/// Translates the text of a test file to a bash script.
///
/// # Errors
/// The text holds no runnable script; see [`ScriptError`].
pub fn parse(text: &str, substitutions: &Substitutions) -> Result<Script, ScriptError> {
    let mut script = Script {
        text: "set -o pipefail\n".into(),
        writes_output: false,
    };
    for (line, command) in commands(text)? {
        script.text.push_str("{ ");
        substitute(&command, line, substitutions, &mut script)?;
        // As lit does it: the group's `}` on its own line, so that a trailing comment cannot
        // swallow it.
        script.text.push_str("\n} || exit $?\n");
    }
    Ok(script)
}

/// Returns the commands with the line each starts at, continuations joined.
fn commands(text: &str) -> Result<Vec<(usize, String)>, ScriptError> {
    let mut commands = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(keyword) = REFUSED.into_iter().find(|k| starts_comment(text, k)) {
            return Err(ScriptError::Keyword { line, keyword });
        }
        let Some((_, rest)) = text.split_once("RUN:") else {
            continue;
        };
        let rest = rest.trim();
        if rest.is_empty() {
            return Err(ScriptError::Empty { line });
        }
        let (start, mut command) = open.take().unwrap_or((line, String::new()));
        match rest.strip_suffix('\\') {
            Some(head) => {
                command.push_str(head);
                open = Some((start, command));
            }
            None => {
                command.push_str(rest);
                commands.push((start, command));
            }
        }
    }
    match open {
        Some((line, _)) => Err(ScriptError::Dangling { line }),
        None if commands.is_empty() => Err(ScriptError::NoRun),
        None => Ok(commands),
    }
}

/// Returns whether `text` is a comment that begins with `keyword`.
fn starts_comment(text: &str, keyword: &str) -> bool {
    let text = text.trim_start();
    ["//", "#", ";"].into_iter().any(|mark| {
        text.strip_prefix(mark)
            .is_some_and(|rest| rest.trim_start().starts_with(keyword))
    })
}

/// Appends `command` with its substitutions replaced to `script`.
fn substitute(
    command: &str,
    line: usize,
    substitutions: &Substitutions,
    script: &mut Script,
) -> Result<(), ScriptError> {
    let known = [
        ("output", &substitutions.output),
        ("s", &substitutions.source),
        ("S", &substitutions.source_dir),
        ("p", &substitutions.source_dir),
        ("t", &substitutions.temp),
        ("T", &substitutions.temp_dir),
    ];
    let mut rest = command;
    while let Some((head, tail)) = rest.split_once('%') {
        script.text.push_str(head);
        let found = known.iter().find(|(name, _)| tail.starts_with(name));
        rest = if let Some((name, value)) = found {
            if *name == "output" && std::mem::replace(&mut script.writes_output, true) {
                return Err(ScriptError::OutputTwice { line });
            }
            quote(value, &mut script.text);
            tail.strip_prefix(name).unwrap_or_default()
        } else if let Some(tail) = tail.strip_prefix('%') {
            script.text.push('%');
            tail
        } else {
            let name = tail
                .chars()
                .next()
                .map_or_else(|| "%".to_owned(), |x| format!("%{x}"));
            return Err(ScriptError::Substitution { line, name });
        };
    }
    script.text.push_str(rest);
    Ok(())
}

/// Appends `path` so that bash sees one word, also with text directly after it (`%t.ttnn`).
fn quote(path: &str, out: &mut String) {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=,@".contains(c);
    if path.chars().all(plain) {
        out.push_str(path);
    } else {
        let _ = write!(out, "'{}'", path.replace('\'', r"'\''"));
    }
}

#[cfg(test)]
mod tests;
