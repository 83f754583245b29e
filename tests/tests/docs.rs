//! The pages of `docs` say what is true of the tools, the tree and its history.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tessera_tests::tools::Tools;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(name: &str) -> String {
    let path = root().join("docs").join(name);
    fs::read_to_string(path).expect("the page is there")
}

/// Returns the blocks of a page in a language, without their fences.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let begin = format!("```{language}\n");
    let after = page.split(&begin).skip(1);
    let block = after.map(|text| text.split("```").next().unwrap_or_default());
    block.map(str::to_owned).collect()
}

/// Returns a function of one operation, whose operands are its arguments.
fn function(number: usize, example: &str) -> String {
    let (names, rest) = match example.split_once("\"(") {
        Some((_, call)) => call.split_once(')').expect("operands end"),
        None => ("", example),
    };
    let r#type = rest.rsplit_once(": ").expect("there is a type").1.trim();
    let (types, result) = r#type.split_once(" -> ").unwrap_or(("()", r#type));
    let types = types.trim_matches(['(', ')']).split(", ");
    let arguments = names.split(", ").filter(|name| !name.is_empty()).zip(types);
    let arguments = arguments.map(|(name, r#type)| format!("{name}: {type}"));
    format!(
        "func.func @f{number}({}) -> {result} {{\n  {example}\n  return %0 : {result}\n}}\n",
        arguments.collect::<Vec<_>>().join(", ")
    )
}

/// Every example of the page of operations is accepted.
#[test]
fn examples_of_operations_are_verified() {
    let examples = blocks(&page("reference/operations.md"), "mlir");
    assert!(examples.len() > 15, "{examples:?}");
    let functions = examples.iter().enumerate();
    let module: String = functions
        .map(|(number, example)| function(number, example.trim()))
        .collect();
    let input = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operations.mlir");
    fs::write(&input, &module).expect("a file below target can be written");
    let tools = Tools::build().expect("the tools build");
    let output = Command::new(tools.path("ttmlir-opt"))
        .arg(&input)
        .output()
        .expect("ttmlir-opt starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}{module}");
}

/// The width in which the page quotes what git says of a commit.
const STAT: &str = "--stat=90";

/// What git says, or `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        // The owner of the tree may be another one than whoever runs the tests.
        .args(["-c", "safe.directory=*"])
        .args(arguments)
        .current_dir(root())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// Why the history cannot be read, if it cannot: only a copy of the tree without it, and a clone
/// without all of it, have a reason.
fn no_history() -> Option<&'static str> {
    if !root().join(".git").exists() {
        return Some("this is no clone");
    }
    let shallow = git(&["rev-parse", "--is-shallow-repository"]);
    let shallow = shallow.expect("git reads the clone");
    (shallow.trim() == "true").then_some("the clone is shallow")
}

/// What the page quotes of a commit is what git says of the commit with that subject. Without the
/// history, the files are at least there.
#[test]
fn quoted_commits_are_those_of_the_history() {
    let quoted = blocks(&page("adding-an-operation.md"), "text");
    assert!(quoted.len() > 3, "{quoted:?}");
    if let Some(reason) = no_history() {
        println!("commits are not compared with the history: {reason}");
        for block in &quoted {
            let files = block.lines().filter_map(|line| line.split_once(" | "));
            for (file, _) in files {
                let file = file.trim();
                assert!(root().join(file).exists(), "there is no {file}");
            }
        }
        return;
    }
    let log = git(&["log", "--format=%H %s"]).expect("there is a history");
    for block in &quoted {
        let (subject, stat) = block.split_once("\n\n").expect("a subject and its files");
        let mut commits = log.lines().filter_map(|line| line.split_once(' '));
        let commit = commits.find(|(_, found)| *found == subject);
        let (commit, _) = commit.unwrap_or_else(|| panic!("no commit is called '{subject}'"));
        let said = git(&["show", STAT, "--format=", commit]).expect("git shows the commit");
        assert_eq!(stat.trim_end(), said.trim_end(), "git show {STAT} {commit}");
    }
}

/// The files and folders that the tables of a page name are there. A file without a folder is in
/// the folder of the one before.
#[test]
fn files_in_tables_are_there() {
    let page = page("adding-an-operation.md");
    let mut found = 0;
    for row in page.lines().filter(|line| line.starts_with('|')) {
        let mut folder = root();
        for name in row.split('`').skip(1).step_by(2) {
            let path = match name.contains('/') {
                true => root().join(name),
                false if name.ends_with(".rs") => folder.join(name),
                false => continue,
            };
            assert!(path.exists(), "there is no {}: {row}", path.display());
            folder = path.parent().expect("it is in the tree").to_owned();
            found += 1;
        }
    }
    assert!(found > 4, "{found} files");
}
