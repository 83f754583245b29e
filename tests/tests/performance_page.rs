//! `docs/performance.md` and its plot show the committed figures.
//!
//! With `TESSERA_BLESS` set, figures that benches have measured since replace the committed ones.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tessera_test_support::{check_generated_page, is_bless_run};
use tessera_tests::performance::{merge, plot, tables};

const FIGURES: &str = "docs/figures/performance.json";
const PLOT: &str = "docs/figures/performance.svg";
const PAGE: &str = "docs/performance.md";
/// The line of the page before the tables.
const MARK: &str = "<!-- The rest of this page is generated from figures/performance.json. -->\n";

/// Returns the figures that benches have written into the build's directory of temporary files.
fn measured() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench");
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    let texts = files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok());
    texts
        .map(|text| serde_json::from_str(&text).expect("a bench has written it"))
        .collect()
}

#[test]
fn the_page_shows_the_committed_figures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| fs::read_to_string(root.join(path));
    let committed = read(FIGURES).unwrap_or_else(|_| "[]".into());
    let mut results: Vec<Value> = serde_json::from_str(&committed).expect("it is an array");
    if is_bless_run() {
        measured()
            .into_iter()
            .for_each(|suite| merge(&mut results, suite));
    }
    let text = serde_json::to_string_pretty(&results).expect("these are numbers and texts") + "\n";
    check_generated_page(FIGURES, &text);
    check_generated_page(PLOT, &plot(&results));
    let page = read(PAGE).expect("the page exists");
    let (above, _) = page.split_once(MARK).expect("the page has the mark");
    check_generated_page(
        PAGE,
        &format!(
            "{above}{MARK}\n{}",
            tables(&results).trim_end().to_owned() + "\n"
        ),
    );
}
