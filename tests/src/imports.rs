//! The sources of a folder, and which modules they import.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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
        let is_test = parts
            .iter()
            .any(|part| part == "tests" || part == "testing");
        if is_test || parts == ["mod"] || parts == ["lib"] {
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
