//! Runs child processes: prints the command, measures the time, and turns failures into errors that
//! name the command.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, IsTerminal};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{bail, Context, Result};

/// Returns a `cargo` command of the same cargo that runs this program, at the top of the
/// repository.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::root()).args(arguments);
    command
}

/// Runs `command` with this program's own streams.
///
/// # Errors
/// It cannot be started or does not succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let text = text(command);
    eprintln!("+ {text}");
    let started = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("cannot start `{text}`"))?;
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    eprintln!("  {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs `command`, passing its output through, both streams in the order written, and showing each
/// line to `line`. Returns whether it succeeded.
///
/// # Errors
/// It cannot be started, or its output cannot be read.
pub fn watch(command: &Command, mut line: impl FnMut(&str)) -> Result<bool> {
    let text = text(command);
    eprintln!("+ {text}");
    // One pipe for both streams keeps them in order; the shell is what joins them.
    let mut joined = Command::new("sh");
    joined
        .args(["-c", "exec \"$@\" 2>&1", "sh"])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(dir) = command.get_current_dir() {
        joined.current_dir(dir);
    }
    if std::io::stdout().is_terminal() {
        joined.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = joined
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{text}`"))?;
    let output = child
        .stdout
        .take()
        .context("the child's output is not a pipe")?;
    let mut reader = BufReader::new(output);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        let read = String::from_utf8_lossy(&bytes);
        print!("{read}");
        line(read.trim_end());
        bytes.clear();
    }
    Ok(child.wait()?.success())
}

/// Returns the target directory that this program was built in.
///
/// # Errors
/// This program was not built by cargo.
pub fn target_dir() -> Result<PathBuf> {
    let exe = env::current_exe().context("cannot find the path of this program")?;
    let target = exe.ancestors().nth(2);
    Ok(target.context("not in a target directory")?.to_owned())
}

/// Returns whether `command` can be started and succeeds; its output is discarded.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Returns the command as one would type it.
fn text(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program
        .file_name()
        .unwrap_or(program.as_os_str())
        .to_string_lossy();
    command
        .get_args()
        .fold(name.into_owned(), |text, argument| {
            text + " " + &argument.to_string_lossy()
        })
}
