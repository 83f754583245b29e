//! A tool from outside, for tests: arguments and input in, streams and exit code out.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// What a tool does with these arguments and this input.
///
/// # Panics
/// If it cannot be started.
pub fn run(tool: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A tool that only prints does not read.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the tool ends")
}

/// Its exit code and both streams, as text.
///
/// # Panics
/// If it cannot be started.
pub fn told(tool: &str, arguments: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let output = run(tool, arguments, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}
