//! Runs a tool in tests: arguments and input in, streams and exit code out.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs a tool with these arguments and this input.
///
/// # Panics
/// If it cannot be started.
pub fn run(tool: &str, arguments: &[&str], input: &[u8]) -> Output {
    run_to(Stdio::piped(), tool, arguments, input)
}

fn run_to(stdout: Stdio, tool: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A tool that only prints does not read.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the tool ends")
}

/// Runs a tool twice: with closed output streams, and with a full device as output. Returns exit
/// codes and standard errors.
///
/// # Panics
/// If it cannot be started.
pub fn run_unread(tool: &str, arguments: &[&str], input: &[u8]) -> [(Option<i32>, String); 2] {
    let (reader, closed) = std::io::pipe().expect("there are pipes");
    drop(reader);
    let full = OpenOptions::new().write(true).open("/dev/full");
    [closed.into(), full.expect("Linux has it").into()].map(|stdout: Stdio| {
        let output = run_to(stdout, tool, arguments, input);
        let stderr = String::from_utf8_lossy(&output.stderr);
        (output.status.code(), stderr.into_owned())
    })
}

/// Returns the expected result of [`run_unread`].
pub fn expected_unread() -> [(Option<i32>, String); 2] {
    let full = "error: cannot write the standard output: No space left on device (os error 28)\n";
    [(Some(0), String::new()), (Some(1), full.into())]
}

/// Checks that a tool prints its completions for each shell.
///
/// # Panics
/// If it does not.
#[track_caller]
pub fn check_completions(tool: &str, name: &str) {
    for (shell, expect) in [
        ("bash", format!("-o default {name}\n")),
        ("zsh", format!("#compdef {name}\n")),
        ("fish", format!("complete -c {name} ")),
    ] {
        let (code, stdout, stderr) = run_text(tool, &["--completions", shell], b"");
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(stdout.contains(&expect), "{shell}: no {expect:?}");
    }
    let (code, _, stderr) = run_text(tool, &["--completions", "cmd"], b"");
    assert_eq!(code, Some(2));
    assert!(stderr.contains("invalid value 'cmd' for '--completions <SHELL>'"));
}

/// Runs a tool and returns its exit code and both streams as text.
///
/// # Panics
/// If it cannot be started.
pub fn run_text(tool: &str, arguments: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let output = run(tool, arguments, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}
