//! The lit runner judged from outside: what must fail does fail. Without this, a green lit tree
//! would prove nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tessera_tests::lit::{self, Failure, TestFile};
use tessera_tests::tools::Tools;

fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lit/runner/Inputs")
}

/// Runs the test file called `name` in `directory`.
fn run(directory: &Path, name: &str, accept: bool) -> Result<(), Failure> {
    let tools = Tools::build().expect("the tools build and FileCheck is installed");
    let runner = lit::Runner {
        tools: &tools,
        scratch: Path::new(env!("CARGO_TARGET_TMPDIR")).join("runner"),
        limit: Duration::from_secs(2),
        accept,
    };
    runner.run(&TestFile {
        name: name.into(),
        path: directory.join(name),
    })
}

/// The file fails, and the failure's text holds `expect`.
fn check_fails(name: &str, expect: &str) {
    match run(&inputs(), name, false) {
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
    run(&inputs(), "right-check.test", false).expect("the twin of wrong-check.test passes");
}

#[test]
fn precise_outputs_are_compared() {
    run(&inputs(), "precise-right.test", false).expect("the twin of precise-wrong.test passes");
    check_fails(
        "precise-wrong.test",
        "precise-wrong.test:4: the output differs; run with TESSERA_BLESS=1 to accept\n",
    );
    check_fails("precise-wrong.test", "\n-//   relu\n+//   sub\n");
    check_fails("precise-failing.test", "exit status: 3");
    check_fails("precise-unused.test", "line 2: nothing is compared");
}

/// Accepting rewrites what differs, once; but not if a command fails.
#[test]
fn precise_outputs_are_accepted() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("accepted");
    fs::create_dir_all(&directory).expect("writable");
    let read = |directory: &Path, name: &str| {
        fs::read_to_string(directory.join(name)).expect("the file is readable")
    };
    for name in ["precise-wrong.test", "precise-failing.test"] {
        fs::copy(inputs().join(name), directory.join(name)).expect("writable");
    }
    for _ in 0..2 {
        run(&directory, "precise-wrong.test", true).expect("accepts the output");
        let (accepted, expect) = (
            read(&directory, "precise-wrong.test"),
            read(&inputs(), "precise-right.test"),
        );
        assert_eq!(accepted, expect);
    }
    run(&directory, "precise-failing.test", true).expect_err("its command fails");
    assert_eq!(
        read(&directory, "precise-failing.test"),
        read(&inputs(), "precise-failing.test")
    );
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
