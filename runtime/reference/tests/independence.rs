//! The reference judges the models, so it must not be built on them.

use std::collections::BTreeSet;
use std::process::Command;

/// Names of all packages that `package` is built from, with itself.
fn built_from(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--package",
            package,
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let tree = String::from_utf8(output.stdout).unwrap();
    tree.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn reference_shares_nothing_with_the_models() {
    let reference = built_from("tessera-reference");
    assert!(reference.contains("tessera-program"), "{reference:?}");
    for model in ["tessera-tensix", "tessera-isa-tensix", "tessera-runtime"] {
        assert!(!reference.contains(model), "{reference:?}");
    }
}

/// The check above would find a model if there were one.
#[test]
fn runtime_is_built_on_a_model() {
    assert!(built_from("tessera-runtime").contains("tessera-tensix"));
}
