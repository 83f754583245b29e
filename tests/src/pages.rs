//! Finds the Markdown pages of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// A Markdown page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The path from the top of the repository, such as `docs/README.md`.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Returns the top folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the pages of the top folder and all pages below `docs`, ordered by path.
///
/// # Panics
/// A page cannot be read.
pub fn all() -> Vec<Page> {
    let mut paths = Vec::new();
    list(&root(), "", false, &mut paths);
    list(&root(), "docs", true, &mut paths);
    paths.sort();
    let page = |path: String| {
        let text = fs::read_to_string(root().join(&path));
        let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
        Page { path, text }
    };
    paths.into_iter().map(page).collect()
}

/// Appends the paths of the pages in `folder`, and in folders below it if `deep`.
fn list(root: &Path, folder: &str, deep: bool, paths: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(folder)).expect("the folder is there") {
        let entry = entry.expect("the folder can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = match folder {
            "" => name,
            folder => format!("{folder}/{name}"),
        };
        if entry.path().is_dir() {
            if deep {
                list(root, &path, deep, paths);
            }
        } else if path.ends_with(".md") {
            paths.push(path);
        }
    }
}
