//! Code that all command line tools share: command lines and shell completions ([`command_line`]),
//! input and output, progress bars ([`progress`]), exit codes, and helpers for tests ([`testing`]).
//!
//! Exit codes: 0 success, 1 invalid input, 2 invalid command line (by clap).

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::str::Utf8Error;

use anyhow::{bail, Context, Result};

pub mod command_line;
mod lines;
pub mod progress;
pub mod testing;

pub use command_line::main;
pub use lines::Lines;
pub use progress::Progress;

/// Reads a file, or the standard input without one. Returns its name in diagnostics and its
/// content.
pub fn read(input: Option<&Path>) -> Result<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    match input {
        Some(path) => {
            let name = path.display().to_string();
            let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
            read.with_context(|| format!("cannot read {name}"))?;
            Ok((name, bytes))
        }
        None => {
            let read = io::stdin().read_to_end(&mut bytes);
            read.context("cannot read the standard input")?;
            Ok(("<stdin>".into(), bytes))
        }
    }
}

/// Reads at most `limit` bytes of a file. Devices such as `/dev/zero` have no end.
pub fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(bytes)
}

/// Converts bytes to text; the error tells the position of the first invalid byte. A byte order
/// mark is refused, because it is invisible in diagnostics.
pub fn text(name: &str, bytes: Vec<u8>) -> Result<String> {
    let text = String::from_utf8(bytes)
        .map_err(|error| invalid_text(name, 1, error.as_bytes(), error.utf8_error()))?;
    refuse_mark(name, &text)?;
    Ok(text)
}

/// Refuses a byte order mark at the start of a text.
fn refuse_mark(name: &str, text: &str) -> Result<()> {
    if text.starts_with('\u{feff}') {
        let what = "begins with a byte order mark; save the text without one";
        return Err(Findings::from_places([(format!("{name}:1:1"), what)]).into());
    }
    Ok(())
}

/// Returns the error for bytes that are not text; they begin with line `first_line`.
fn invalid_text(name: &str, first_line: usize, bytes: &[u8], error: Utf8Error) -> anyhow::Error {
    let (before, wrong) = bytes.split_at(error.valid_up_to());
    let line = first_line + before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.rsplit(|&byte| byte == b'\n').next();
    let column = String::from_utf8_lossy(start.unwrap_or_default())
        .chars()
        .count()
        + 1;
    let byte = wrong[0];
    let what = format!("invalid UTF-8: byte {byte:#04x}; the input is text");
    Findings::from_places([(format!("{name}:{line}:{column}"), what)]).into()
}

/// Converts little-endian bytes to words.
pub fn words(name: &str, bytes: &[u8]) -> Result<Vec<u32>> {
    let (words, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        bail!(
            "{name} has {} bytes, which is not a whole number of words",
            bytes.len()
        );
    }
    Ok(words.iter().copied().map(u32::from_le_bytes).collect())
}

/// Returns the message that the name of a `kind` has no page of documentation. `nearest` is a known
/// name that is similar.
pub fn no_page(kind: &str, name: &str, nearest: Option<String>) -> String {
    let hint = nearest.map(|known| format!("did you mean `{known}`? "));
    format!(
        "no {kind} `{name}`; {}--list prints all",
        hint.unwrap_or_default()
    )
}

/// The greatest number of errors of a text that are shown. The time to render an error grows with
/// the text.
const MOST_SHOWN: usize = 100;

/// Rendered errors in a text, each with its location.
#[derive(Debug)]
pub struct Findings(String);

impl Findings {
    /// Wraps rendered errors.
    pub fn from_text(text: &str) -> Self {
        Findings(text.trim_end().to_owned())
    }

    /// Renders the first errors, and tells how many more there are.
    pub fn from_first<T>(all: &[T], render: impl Fn(&T) -> String) -> Self {
        let shown = all.iter().take(MOST_SHOWN).map(render);
        let mut text: String = shown.collect();
        if all.len() > MOST_SHOWN {
            let hidden = all.len() - MOST_SHOWN;
            text += &format!("note: {hidden} more errors are not shown\n");
        }
        Findings::from_text(&text)
    }

    /// Renders pairs of a place and a message.
    pub fn from_places<P: fmt::Display, W: fmt::Display>(
        all: impl IntoIterator<Item = (P, W)>,
    ) -> Self {
        let lines = all
            .into_iter()
            .map(|(place, what)| format!("{place}: error: {what}"));
        Findings(lines.collect::<Vec<_>>().join("\n"))
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Findings {}

/// Writes to a file, or to the standard output without one.
pub fn write(output: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match output {
        Some(path) => {
            std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
        }
        None => {
            let mut out = io::stdout().lock();
            let written = out.write_all(bytes).and_then(|()| out.flush());
            written.context("cannot write the standard output")
        }
    }
}

/// The standard error. Write errors are ignored.
pub struct Messages;

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = io::stderr().flush();
        Ok(())
    }
}

/// Writes lines to [`Messages`]; the final newline is optional.
pub fn print_message(text: fmt::Arguments) {
    let text = text.to_string();
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let _ = Messages.write_all(format!("{text}{end}").as_bytes());
}

/// Prints an error and returns the exit code. A broken pipe of the standard output is not an error.
pub fn finish(result: Result<()>) -> ExitCode {
    match result {
        Err(error) if !is_broken_pipe(&error) => {
            print_message(format_args!("{}", message(&error)));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Returns the text of an error with its causes.
fn message(error: &anyhow::Error) -> String {
    match error.downcast_ref::<Findings>() {
        Some(findings) => findings.to_string(),
        None => format!("error: {error:#}"),
    }
}

/// Returns whether an error is a broken pipe.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests;
