//! The figure of dependencies in `docs/architecture.md`, drawn from the code.

use std::collections::BTreeSet;
use std::path::Path;

use tessera_test_support::check_generated_page;
use tessera_tests::figure::{svg, Graph};
use tessera_tests::imports::{cargo_tree, folder, imports_between_modules};

/// The folders with crates that the first panel shows.
const FOLDERS: [&str; 3] = ["runtime", "passes", "dialects"];

/// Returns the crates in [`FOLDERS`] and the ones of them that each depends on, named by
/// their folders; dev-dependencies are excluded.
fn crates(root: &Path) -> Graph {
    let root = root.canonicalize().expect("the repository is there");
    let name = |line: &str| {
        let path = folder(line)?;
        let place = path.strip_prefix(&root).ok()?;
        let is_shown = FOLDERS.iter().any(|folder| place.starts_with(folder));
        let name = place.file_name()?.to_str()?.to_owned();
        is_shown.then_some(name)
    };
    let (mut graph, mut current) = (Graph::new(), None);
    for line in cargo_tree(&[
        "--workspace",
        "--depth=1",
        "--prefix=depth",
        "--format=\t{p}",
    ]) {
        match line.split_once('\t') {
            Some(("0", package)) => {
                current = name(package);
                current.clone().map(|name| graph.entry(name).or_default());
            }
            Some(("1", package)) => {
                if let (Some(user), Some(used)) = (&current, name(package)) {
                    graph.entry(user.clone()).or_default().insert(used);
                }
            }
            _ => {}
        }
    }
    graph
}

/// Returns the modules of a crate that are folders or files below `src`, and their imports.
fn modules(root: &Path, folder: &str) -> Graph {
    let mut graph = imports_between_modules(&root.join(folder), "crate::");
    let all: BTreeSet<String> = graph.keys().cloned().collect();
    for uses in graph.values_mut() {
        uses.retain(|used| all.contains(used));
    }
    graph
}

/// The committed figure matches the code, and no folder is on a circle; `TESSERA_BLESS=1` redraws
/// it.
#[test]
fn the_figure_is_drawn_from_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tensix = "runtime/tensix/src";
    let mncore = "passes/mncore-code/src";
    let panels = [
        ("Crates of the compiler and the runtime", crates(&root)),
        (tensix, modules(&root, tensix)),
        (mncore, modules(&root, mncore)),
    ];
    assert!(
        panels.iter().all(|(_, graph)| graph.len() > 5),
        "{panels:?}"
    );
    let title = "Dependencies between crates, and between the folders of two of them";
    let figure = svg(title, &panels).unwrap_or_else(|circle| panic!("a circle: {circle}"));
    check_generated_page("docs/figures/dependencies.svg", &figure);
}
