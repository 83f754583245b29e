//! The sources of a folder, which modules they import, and what crates depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Returns the files of `folder` and below that end in `.rs`, with their text in lower case.
pub fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            found.push((path, text.to_lowercase()));
        }
    }
    found
}

/// Returns whether a source at a place below a folder belongs to tests.
pub fn is_test(place: &Path) -> bool {
    place.iter().any(|part| {
        let part = part.to_string_lossy();
        ["tests", "testing"].contains(&part.trim_end_matches(".rs"))
    })
}

/// Returns for each module of a folder which others its sources name, after `prefix` or, in a file
/// of the folder itself, after `super::`.
pub fn imports_between_modules(folder: &Path, prefix: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut imports = BTreeMap::<_, BTreeSet<_>>::new();
    for (path, text) in sources(folder) {
        let place = path.strip_prefix(folder).expect("a source of the folder");
        let module = |part: &std::ffi::OsStr| {
            let part = part.to_string_lossy();
            part.trim_end_matches(".rs").to_owned()
        };
        let parts: Vec<_> = place.iter().map(module).collect();
        if is_test(place) || parts == ["mod"] || parts == ["lib"] {
            continue;
        }
        let mut named = names_after(&text, prefix);
        if parts.len() == 1 {
            named.extend(names_after(&text, "super::"));
        }
        let own = imports.entry(parts[0].clone()).or_default();
        own.extend(
            named
                .into_iter()
                .map(str::to_owned)
                .filter(|name| *name != parts[0]),
        );
    }
    assert!(!imports.is_empty(), "{}", folder.display());
    imports
}

/// Returns the folder in a line of `cargo tree` such as
/// `tessera-ops v0.1.0 (/repository/runtime/ops)`, or `None` for a package from a registry.
pub fn folder(line: &str) -> Option<PathBuf> {
    let folder = line.split_once(" (")?.1.split_once(')')?.0;
    folder.starts_with('/').then(|| folder.into())
}

/// Returns the lines of `cargo tree`, without dev-dependencies.
///
/// # Panics
/// Cargo fails.
pub fn cargo_tree(arguments: &[&str]) -> Vec<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--edges=normal,build"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let tree = String::from_utf8(output.stdout).expect("package names are UTF-8");
    tree.lines().map(str::to_owned).collect()
}

/// Returns the names that follow `prefix` outside of comments.
pub fn names_after<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code = text.lines().filter(is_code);
    let paths = code.flat_map(|line| line.split(prefix).skip(1).collect::<Vec<_>>());
    paths
        .map(|path| {
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
            &path[..end.unwrap_or(path.len())]
        })
        .collect()
}
