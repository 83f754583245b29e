//! The lit runner judged from outside: what must fail does fail. Without this, a green lit tree
//! would prove nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tessera_tests::lit::{self, Failure, TestFile};
use tessera_tests::tools::Tools;

fn run(name: &str) -> Result<(), Failure> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("lit/runner/Inputs")
        .join(name);
    let tools = Tools::build().expect("the tools build and FileCheck is installed");
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("runner");
    lit::run(
        &TestFile {
            name: name.into(),
            path,
        },
        &tools,
        &scratch,
        Duration::from_secs(2),
    )
}

/// The file fails, and the failure's text holds `expect`.
fn check_fails(name: &str, expect: &str) {
    match run(name) {
        Ok(()) => panic!("{name} passed"),
        Err(failure) => assert!(failure.to_string().contains(expect), "{name}: {failure}"),
    }
}

#[test]
fn invalid_tests_fail() {
    check_fails(
        "wrong-check.test",
        "CHECK: expected string not found in input",
    );
    check_fails("first-of-pipe.test", "exit status: 3");
    check_fails("first-of-two.test", "exit status: 1");
    check_fails("unknown-program.test", "no-such-program: command not found");
    check_fails("not-of-success.test", "exit status: 1");
    check_fails("endless.test", "no end after 2s");
    check_fails("no-run.test", "no RUN: line");
}

#[test]
fn a_right_check_passes() {
    run("right-check.test").expect("the twin of wrong-check.test passes");
}

#[test]
fn the_tree_is_found_without_its_inputs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("lit");
    let names: Vec<_> = lit::discover(&root)
        .expect("readable")
        .into_iter()
        .map(|t| t.name)
        .collect();
    assert!(
        names.contains(&"runner/filecheck.test".to_owned()),
        "{names:?}"
    );
    assert!(
        !names.iter().any(|name| name.contains("Inputs/")),
        "{names:?}"
    );
}
