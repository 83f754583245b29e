//! Pages of `docs` that are generated from tables in the source.

use std::fs;
use std::path::Path;

/// Returns whether `TESSERA_BLESS` is set, so that tests write what they would compare.
pub fn is_bless_run() -> bool {
    std::env::var_os("TESSERA_BLESS").is_some()
}

/// Compares a committed page with its generated text. With `TESSERA_BLESS` set, writes it instead.
/// `path` is relative to the top of the repository.
///
/// # Panics
/// The committed page differs, or the file cannot be accessed.
#[track_caller]
pub fn check_generated_page(path: &str, page: &str) {
    check_generated_page_with_note(path, page, "");
}

/// Does the same as [`check_generated_page`], and ends the failure's message with a note.
///
/// # Panics
/// The committed page differs, or the file cannot be accessed.
#[track_caller]
pub fn check_generated_page_with_note(path: &str, page: &str, note: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if let Err(error) = write_or_compare(&root.join(path), page, is_bless_run()) {
        panic!("{path}: {error}{note}");
    }
}

/// Writes `page` to `path` if `bless`, or returns how the file there differs from it.
fn write_or_compare(path: &Path, page: &str, bless: bool) -> Result<(), String> {
    if bless {
        return fs::write(path, page).map_err(|error| error.to_string());
    }
    let committed = fs::read_to_string(path).map_err(|error| error.to_string())?;
    if committed == page {
        return Ok(());
    }
    let (mut old, mut new) = (committed.lines(), page.lines());
    let mut number = 1;
    let (old, new) = loop {
        match (old.next(), new.next()) {
            (Some(old), Some(new)) if old == new => number += 1,
            (old, new) => break (old.unwrap_or_default(), new.unwrap_or_default()),
        }
    };
    Err(format!(
        "the page is not up to date; TESSERA_BLESS=1 rewrites it\nline {number}\n\
         committed: {old}\ngenerated: {new}\n"
    ))
}

#[cfg(test)]
mod tests;
