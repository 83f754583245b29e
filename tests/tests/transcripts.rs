//! Executes the transcripts of the README and of all pages below `docs`. Each must print what its
//! page says.
//!
//! Every page has a directory of its own and runs from top to bottom, so a command can read what an
//! earlier one of the same page wrote. Pages run in parallel.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use tessera_tests::pages;
use tessera_tests::tools::Tools;
use tessera_tests::transcript::{self, Step};

/// Pages that must have transcripts, from the top of the repository.
const WITH_TRANSCRIPTS: [&str; 8] = [
    "README.md",
    "docs/tools/ttmlir-opt.md",
    "docs/tools/ttmlir-translate.md",
    "docs/tools/ttrt.md",
    "docs/tools/tensix-as.md",
    "docs/tools/tensix-emu.md",
    "docs/tools/mncore-as.md",
    "docs/tools/mncore-emu.md",
];

/// Makes a directory that looks like the top of the repository to a reader of `tests/…`, and takes
/// what the commands of a page write.
fn make_scratch(page: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("transcripts")
        .join(page.replace('/', "-"));
    if dir.exists() {
        fs::remove_dir_all(&dir).expect("the directory of an earlier run can be emptied");
    }
    fs::create_dir_all(&dir).expect("a directory below target can be made");
    symlink(env!("CARGO_MANIFEST_DIR"), dir.join("tests")).expect("a link can be made in it");
    dir
}

/// Runs the steps of a page in order. Returns a message for each that prints something else.
fn run(page: &str, steps: &[Step], tools: &Tools) -> Vec<String> {
    let dir = make_scratch(page);
    let mut mismatches = Vec::new();
    for step in steps {
        let output = Command::new("timeout")
            .args(["120", "bash", "-c", &format!("exec 2>&1; {}", step.command)])
            .env("PATH", tools.search_path())
            .current_dir(&dir)
            .output()
            .expect("bash runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        if let Err(mismatch) = transcript::compare(&step.expect, &printed) {
            mismatches.push(format!(
                "{page}:{}: `{}`: {mismatch}; it printed\n{printed}",
                step.line, step.command
            ));
        }
    }
    mismatches
}

#[test]
fn transcripts_match_the_pages() {
    let pages = pages::all().into_iter().filter_map(|page| {
        let steps = transcript::parse(&page.text);
        (!steps.is_empty()).then_some((page.path, steps))
    });
    let pages: Vec<_> = pages.collect();
    for path in WITH_TRANSCRIPTS {
        assert!(
            pages.iter().any(|(found, _)| found == path),
            "{path} has no transcript"
        );
    }
    let tools = Tools::build().expect("the tools build and FileCheck is installed");
    let mismatches: Vec<_> = thread::scope(|scope| {
        let runs = pages
            .iter()
            .map(|(path, steps)| scope.spawn(|| run(path, steps, &tools)));
        let runs: Vec<_> = runs.collect();
        let found = runs.into_iter().map(|run| run.join().expect("bash runs"));
        found.flatten().collect()
    });
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}
