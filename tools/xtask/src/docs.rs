//! Builds the pages below `docs` as a book.
//!
//! mdBook is a program of its own, installed into the target directory when it is missing. So no
//! crate of the workspace depends on it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::process::{cargo, run, target_dir};

/// The version of mdBook. It needs no newer Rust than the workspace.
const MDBOOK: &str = "0.5.4";

/// Builds the book in `target/book` and prints where it begins.
///
/// # Errors
/// mdBook cannot be installed, or a page cannot be rendered.
pub fn docs() -> Result<()> {
    let target = target_dir()?;
    let mdbook = install(&target)?;
    let book = target.join("book");
    run(Command::new(mdbook)
        .current_dir(crate::root())
        .arg("build")
        .arg("docs")
        .arg("--dest-dir")
        .arg(&book))?;
    println!("{}", book.join("index.html").display());
    Ok(())
}

/// Returns the path of mdBook, after installing it if it is missing.
fn install(target: &Path) -> Result<PathBuf> {
    let root = target.join(format!("mdbook-{MDBOOK}"));
    let mdbook = root.join("bin/mdbook");
    if !mdbook.exists() {
        let version = format!("mdbook@{MDBOOK}");
        let options = ["--locked", "--no-default-features", "--features=search"];
        run(cargo(["install", &version])
            .args(options)
            .arg("--root")
            .arg(&root))?;
    }
    Ok(mdbook)
}
