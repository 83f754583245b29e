//! Which crate may know which: the architecture's invariants, read from cargo's own resolution.

use std::env;
use std::process::Command;

/// The packages `package` is built from, itself among them; test-only dependencies are not.
fn built_from(package: &str) -> Vec<String> {
    tree(package, &[])
}

/// The packages `package` names in its manifest, itself among them.
fn names(package: &str) -> Vec<String> {
    tree(package, &["--depth=1"])
}

/// What cargo lists below `package`.
fn tree(package: &str, more: &[&str]) -> Vec<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "tree",
            "--package",
            package,
            "--edges=normal,build",
            "--prefix=none",
            "--format={p}",
        ])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let tree = String::from_utf8(output.stdout).expect("package names are UTF-8");
    tree.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// `package` is not built from any of `strangers`; one that ends in a hyphen stands for all packages whose names begin with it.
#[track_caller]
fn check(package: &str, strangers: &[&str]) {
    check_none(package, &built_from(package), strangers);
}

/// Of our own crates, `package` is built from `known` only.
#[track_caller]
fn check_ours(package: &str, known: &[&str]) {
    let mut found = built_from(package);
    found.retain(|name| name.starts_with("tessera-") && name != package);
    assert_eq!(found, known, "what {package} knows");
}

#[track_caller]
fn check_none(package: &str, packages: &[String], strangers: &[&str]) {
    assert!(
        packages.iter().any(|name| name == package),
        "{package}: {packages:?}"
    );
    for stranger in strangers {
        let found: Vec<_> = packages
            .iter()
            .filter(|name| *name != package)
            .filter(|name| {
                *name == stranger || stranger.ends_with('-') && name.starts_with(stranger)
            })
            .collect();
        assert!(found.is_empty(), "{package} knows {found:?}");
    }
}

/// Everything that needs an installed LLVM, and our crates on top of it.
const MLIR: [&str; 6] = [
    "melior",
    "mlir-sys",
    "llvm-sys",
    "tblgen",
    "tessera-dialects",
    "tessera-passes",
];

#[test]
fn the_runtime_is_free_of_mlir() {
    for package in [
        "ttrt",
        "tessera-runtime",
        "tessera-tensix",
        "tessera-isa-tensix",
        "tessera-mncore",
        "mncore-emu",
        "tessera-program",
        "tessera-ops",
        "tessera-pto",
        "tessera-tensix-code",
        "tessera-mncore-code",
        "tessera-riscv",
        "tessera-isa-mncore",
        "mncore-as",
        "tensix-as",
        "tensix-emu",
        "xtask",
    ] {
        check(package, &MLIR);
    }
}

#[test]
fn who_does_not_know_whom() {
    check("tessera-diagnostic", &["tessera-"]);
    check_ours("tessera-isa-tensix", &["tessera-diagnostic"]);
    check_ours("tessera-isa-mncore", &["tessera-diagnostic"]);
    check("tessera-ops", &["tessera-"]);
    check_ours("tessera-pto", &["tessera-ops"]);
    check("tessera-riscv", &["tessera-"]);
    check(
        "mncore-as",
        &[
            "tessera-mncore",
            "tessera-mncore-code",
            "tessera-isa-tensix",
        ],
    );
    check("tensix-as", &["tessera-tensix", "tessera-isa-mncore"]);
    check(
        "tessera-tensix",
        &["tessera-program", "tessera-reference", "flatbuffers"],
    );
    check("tessera-mncore", &["tessera-tensix", "tessera-isa-tensix"]);
    check(
        "tessera-program",
        &[
            "tessera-tensix",
            "tessera-mncore",
            "tessera-reference",
            "tessera-runtime",
        ],
    );
    // What judges the models is not built from them. The instruction set is in its build, since a program file holds
    // kernels beside operations; but it cannot name it.
    check("tessera-reference", &["tessera-tensix", "tessera-runtime"]);
    check_none(
        "tessera-reference",
        &names("tessera-reference"),
        &["tessera-isa-"],
    );
    check(
        "tessera-tensix-code",
        &["tessera-tensix", "tessera-program"],
    );
    check(
        "tessera-passes",
        &["tessera-tensix", "tessera-runtime", "tessera-reference"],
    );
    check("tessera-tests", &["tessera-", "ttrt", "ttmlir-"]);
}

#[test]
fn the_check_sees_what_is_there() {
    let packages = built_from("ttmlir-opt");
    assert!(
        packages.iter().any(|name| name == "mlir-sys"),
        "{packages:?}"
    );
}
