//! Every transcript of the README is run and must print what the README says.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tessera_tests::tools::Tools;
use tessera_tests::transcript;

/// A directory that looks like the top of the repository to a reader of `tests/…`, and takes what
/// the commands write.
fn scratch(tests: &Path) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    if dir.exists() {
        fs::remove_dir_all(&dir).expect("the directory of an earlier run can be emptied");
    }
    fs::create_dir_all(&dir).expect("a directory below target can be made");
    symlink(tests, dir.join("tests")).expect("a link can be made in it");
    dir
}

#[test]
fn the_readme_is_true() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let markdown = fs::read_to_string(tests.join("../README.md")).expect("the README is there");
    let steps = transcript::parse(&markdown);
    assert!(!steps.is_empty(), "the README has no transcript");
    let tools = Tools::build().expect("the tools build and FileCheck is installed");
    let dir = scratch(tests);
    for step in steps {
        let output = Command::new("timeout")
            .args(["120", "bash", "-c", &format!("exec 2>&1; {}", step.command)])
            .env("PATH", tools.search())
            .current_dir(&dir)
            .output()
            .expect("bash runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        if let Err(mismatch) = transcript::compare(&step.expect, &printed) {
            panic!(
                "README.md:{}: `{}`: {mismatch}; it printed\n{printed}",
                step.line, step.command
            );
        }
    }
}
