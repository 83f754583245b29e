//! Seeds: every module of `tests/data` and of the lit tree, with the flags that its tests use; and
//! programs of StableHLO, one by one.

use std::fs;
use std::path::{Path, PathBuf};

use tessera_tests::lit;

/// The largest seed. A larger text is mostly constants, whose mutants find little.
const MOST_BYTES: usize = 64 << 10;

/// What separates the parts of a file that are compiled one by one.
const SEPARATOR: &str = "// -----";

/// A module of a test.
pub struct Module {
    /// Its text, without comments.
    pub text: String,
    /// Whether its tests expect an error.
    pub is_bad: bool,
    /// The flags of each run of `ttmlir-opt` that its file asks for.
    pub flags: Vec<Vec<String>>,
}

/// Returns all modules, in an order that does not depend on the machine.
pub fn modules() -> Vec<Module> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lit = lit::discover(&root.join("lit")).expect("the lit tree is there");
    let mut files: Vec<PathBuf> = lit.into_iter().map(|file| file.path).collect();
    for folder in [
        "data",
        "data/models",
        "data/digits",
        "lit/passes/Inputs",
        "lit/opt/Inputs",
    ] {
        let entries = fs::read_dir(root.join(folder)).expect("the folder is there");
        files.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "mlir")
    });
    files.sort();
    files.dedup();
    files.iter().flat_map(|path| modules_of(path)).collect()
}

/// What precedes each program in a file of several.
const PROGRAM: &str = "// CHECK-LABEL: program";

/// Returns the programs of StableHLO, of this package and those that the Python package keeps.
pub fn stablehlo() -> Vec<Module> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["data", "lit/stablehlo", "../tools/python/tests/golden"];
    let mut files = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(root.join(folder)).expect("the folder is there");
        files.extend(entries.map(|entry| entry.expect("it can be read").path()));
    }
    files.sort();
    let texts = files.iter().filter_map(|path| {
        let is_module = path
            .extension()
            .is_some_and(|extension| extension == "mlir");
        let text = is_module.then(|| fs::read_to_string(path).expect("a seed is text"))?;
        text.contains("\"stablehlo.").then_some((path, text))
    });
    texts
        .flat_map(|(path, text)| {
            let text = text.replace(PROGRAM, &format!("{SEPARATOR}\n//"));
            parts(path, &text)
        })
        .collect()
}

fn modules_of(path: &Path) -> Vec<Module> {
    parts(path, &fs::read_to_string(path).expect("a seed is text"))
}

/// Returns the parts of a text as modules.
fn parts(path: &Path, text: &str) -> Vec<Module> {
    let flags = flags(text);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_bad = name.ends_with("negative") || name.ends_with("errors");
    let parts = text.split(SEPARATOR).map(without_comments);
    let parts = parts.filter(|part| !part.trim().is_empty() && part.len() <= MOST_BYTES);
    let module = |text| Module {
        text,
        is_bad,
        flags: flags.clone(),
    };
    parts.map(module).collect()
}

fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns the flags after each `ttmlir-opt` of the `RUN:` lines that name passes only.
fn flags(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| line.contains("RUN:"));
    let commands = lines
        .flat_map(|line| line.split('|'))
        .filter_map(|command| {
            let (_, arguments) = command.split_once("ttmlir-opt ")?;
            let flags = words(arguments).into_iter().filter(|word| {
                word.starts_with("--")
                    && !word.contains('%')
                    && !CHANGES_INPUT.contains(&word.as_str())
            });
            Some(flags.collect::<Vec<_>>())
        });
    let mut all: Vec<_> = commands.filter(|flags| !flags.is_empty()).collect();
    all.dedup();
    all
}

/// Flags that change how a whole file is read.
const CHANGES_INPUT: [&str; 2] = ["--split-input-file", "--verify-diagnostics"];

/// Splits a shell command into words, without quotes.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in text.chars() {
        let last = words.last_mut().expect("there is one");
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, ' ') => words.push(String::new()),
            _ => last.push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn programs_of_stablehlo_are_split() {
    let programs = stablehlo();
    assert!(programs.len() > 100, "{}", programs.len());
    let longest = programs.iter().map(|program| program.text.len()).max();
    assert!(
        longest.is_some_and(|longest| longest < 16 << 10),
        "{longest:?}"
    );
}

#[test]
fn flags_are_those_of_run_lines() {
    let text = "// RUN: ttmlir-opt --split-input-file --a=\"b=c d=e\" %s | FileCheck %s\n// RUN: \
                ttmlir-opt --x=%t %s\n";
    assert_eq!(flags(text), [["--a=b=c d=e"]]);
    assert!(modules().len() > 300, "{}", modules().len());
}
