//! Checks the statements of the pages of `docs` about the tools and the tree.

mod chips;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tessera_test_support::check_generated_page;
use tessera_tests::pages::root;
use tessera_tests::tools::Tools;

fn page(name: &str) -> String {
    let path = root().join("docs").join(name);
    fs::read_to_string(path).expect("the page is there")
}

/// Returns the code blocks of a page in a language, without their fences.
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

/// The width in which a page quotes the files of a commit.
const STAT: &str = "--stat=90";

/// Returns the output of git, or `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        // The tree may belong to another user than the one who runs the tests.
        .args(["-c", "safe.directory=*"])
        .args(arguments)
        .current_dir(root())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// Returns why the whole history cannot be read, if that is so: the tree is a copy without it, or
/// a shallow clone.
fn missing_history() -> Option<&'static str> {
    if !root().join(".git").exists() {
        return Some("this is not a clone");
    }
    let shallow = git(&["rev-parse", "--is-shallow-repository"]);
    let shallow = shallow.expect("git reads the clone");
    (shallow.trim() == "true").then_some("the clone is shallow")
}

/// A quoted commit matches the output of git for the commit with that subject. In a tree without
/// the history, the quotations at least have subjects and files.
#[test]
fn quoted_commits_are_in_the_history() {
    let quoted = blocks(&page("adding-an-operation.md"), "text");
    assert!(quoted.len() > 3, "{quoted:?}");
    let missing = missing_history();
    if let Some(reason) = missing {
        println!("commits are not compared with the history: {reason}");
    }
    let log = git(&["log", "--format=%H %s"]).unwrap_or_default();
    for block in &quoted {
        let (subject, stat) = block.split_once("\n\n").expect("a subject and its files");
        assert!(stat.contains(" | "), "no file is listed: {block}");
        if missing.is_some() {
            continue;
        }
        let mut commits = log.lines().filter_map(|line| line.split_once(' '));
        let commit = commits.find(|(_, found)| *found == subject);
        let (commit, _) = commit.unwrap_or_else(|| panic!("no commit is called '{subject}'"));
        let shown = git(&["show", STAT, "--format=", commit]).expect("git shows the commit");
        assert_eq!(
            stat.trim_end(),
            shown.trim_end(),
            "git show {STAT} {commit}"
        );
    }
}

/// Returns the page of passes from the output of `ttmlir-opt --list-passes`: a section for each
/// group, an entry for each pass with a table of its options.
fn passes_page(list: &str) -> String {
    let mut page = "\
<!-- Generated from ttmlir-opt --list-passes: TESSERA_BLESS=1 cargo test -p tessera-tests --test docs. -->

# Passes

A pass is a flag of `ttmlir-opt`: `--name`, or `--name=option=value` with options. In the text of
`--pass-pipeline` it is `name{option=value}`. An option's default stands after its name.
"
    .to_owned();
    let mut has_table = false;
    let mut lines = list.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let mut describe = || lines.next().unwrap_or_default().trim().replace('|', "\\|");
        match line.len() - text.len() {
            0 => page += &format!("\n## {}\n", text.trim_end_matches(':')),
            2 => {
                page += &format!("\n### `{text}`\n\n{}.\n", describe());
                has_table = false;
            }
            _ => {
                if !has_table {
                    page += "\n| option | meaning |\n|---|---|\n";
                }
                page += &format!("| `{text}` | {} |\n", describe());
                has_table = true;
            }
        }
    }
    page
}

/// The committed page of passes matches the tool; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_of_passes_matches_the_tool() {
    let tools = Tools::build().expect("the tools build");
    let output = Command::new(tools.path("ttmlir-opt"))
        .arg("--list-passes")
        .output()
        .expect("ttmlir-opt starts");
    let list = String::from_utf8(output.stdout).expect("the list is UTF-8");
    let generated = passes_page(&list);
    assert!(generated.contains("### `ttnn-layout`\n"), "{generated}");
    check_generated_page("docs/reference/passes.md", &generated);
}

/// Pages of `docs` whose tables name files.
const GUIDES: [&str; 4] = [
    "adding-an-operation.md",
    "adding-an-instruction.md",
    "adding-a-pass.md",
    "adding-a-target.md",
];

/// Returns whether a name in a table is the path of a file or folder of the tree.
fn is_path(name: &str) -> bool {
    let folders = [
        "docs/",
        "dialects/",
        "passes/",
        "runtime/",
        "tests/",
        "tools/",
    ];
    folders.iter().any(|folder| name.starts_with(folder)) && !name.contains('<')
}

/// The files and folders that the tables of guides name exist. A file without a folder is in the
/// folder of the one before it in the row.
#[test]
fn files_in_tables_exist() {
    for guide in GUIDES {
        let page = page(guide);
        let mut found = 0;
        for row in page.lines().filter(|line| line.starts_with('|')) {
            let mut folder: Option<PathBuf> = None;
            for name in row.split('`').skip(1).step_by(2) {
                let path = match &folder {
                    _ if is_path(name) => root().join(name),
                    Some(folder) if name.ends_with(".rs") => folder.join(name),
                    _ => continue,
                };
                assert!(
                    path.exists(),
                    "{guide}: there is no {}: {row}",
                    path.display()
                );
                folder = path.parent().map(Path::to_owned);
                found += 1;
            }
        }
        assert!(found > 4, "{guide}: {found} files");
    }
}
