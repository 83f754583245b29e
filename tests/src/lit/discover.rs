//! The test files of a tree.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The extensions of test files.
const EXTENSIONS: [&str; 3] = ["mlir", "test", "tensix"];

/// The name of directories that contain inputs of tests instead of tests.
const INPUTS: &str = "Inputs";

/// One test file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestFile {
    /// Its path below the root of the tree, with `/`: the test's name.
    pub name: String,
    /// Its full path.
    pub path: PathBuf,
}

/// Returns all test files below `root`, sorted by name; files below a directory `Inputs` are not
/// tests.
///
/// # Errors
/// A directory cannot be read.
pub fn discover(root: &Path) -> io::Result<Vec<TestFile>> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.is_dir() {
                if !path.ends_with(INPUTS) {
                    pending.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|ext| EXTENSIONS.iter().any(|known| ext == *known))
            {
                let name = path
                    .strip_prefix(root)
                    .unwrap_or(&path)
                    .to_string_lossy()
                    .replace('\\', "/");
                found.push(TestFile { name, path });
            }
        }
    }
    found.sort();
    Ok(found)
}
