use super::*;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tessera_test_support::check_generated_page;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn ids_are_unique_and_fit_a_set() {
    let ids: HashSet<_> = POINTS.iter().map(|point| point.id).collect();
    assert_eq!(ids.len(), POINTS.len());
    assert!(POINTS.len() <= 64);
    for (index, point) in POINTS.iter().enumerate() {
        assert_eq!(point.kind as usize, index);
    }
}

#[test]
fn every_test_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for folder in ["src", "tests"] {
        for file in sources(&root.join(folder)) {
            text += &std::fs::read_to_string(file).expect("a text file");
        }
    }
    for point in POINTS {
        let test = point.test;
        assert!(text.contains(&format!("fn {test}()")), "{point}: {test}");
    }
}

const PREFACE: &str = "<!-- Generated from runtime/mncore/src/undetermined.rs:\n\
         TESSERA_BLESS=1 cargo test -p tessera-mncore. -->\n\n\
    # What the manual of MN-Core 2 leaves open\n\n";

/// The committed page matches the table; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_matches_the_table() {
    let page = format!("{PREFACE}{}", markdown());
    check_generated_page("docs/reference/mncore/undetermined.md", &page);
    assert_eq!(markdown().lines().count(), POINTS.len() + 2);
}

#[test]
fn sets() {
    let mut undetermined = UndeterminedSet::NONE;
    undetermined.add_if(false, Undetermined::LeakyZero);
    assert!(undetermined.is_empty());
    undetermined.add(Undetermined::LeakyZero);
    undetermined.add(Undetermined::ReductionGrouping);
    assert_eq!(undetermined.trap(), None);
    let mut more = UndeterminedSet::NONE;
    more.add(Undetermined::InfiniteBlock);
    undetermined.merge(more);
    let met: Vec<_> = undetermined.iter().map(|point| point.to_string()).collect();
    assert_eq!(met, ["rrn-grouping", "block-infinite", "leaky-relu-zero"]);
    assert_eq!(
        UndeterminedPolicy::Trap.stop(undetermined),
        Some(Undetermined::InfiniteBlock)
    );
    assert_eq!(UndeterminedPolicy::Mark.stop(undetermined), None);
    assert_eq!(
        Undetermined::InfiniteBlock.point().to_string(),
        "block-infinite (traps; section 4.5): Matrix-vector operations on blocks whose common \
         exponent is that of infinity. Here: +infinity [--undetermined mark]"
    );
}
