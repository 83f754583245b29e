//! Allowed dependencies between crates: the architecture's invariants, checked by cargo's own
//! resolution.

use std::fs;
use std::path::{Path, PathBuf};

use tessera_tests::figure::rows;
use tessera_tests::imports::{
    cargo_tree, folder, imports_between_modules, is_test, names_after, sources,
};

/// Returns the packages that `package` depends on, including itself; dev-dependencies are excluded.
fn built_from(package: &str) -> Vec<String> {
    tree(package, &[], name)
}

/// Returns the folders of workspace packages that `package` depends on.
fn folders_built_from(package: &str) -> Vec<PathBuf> {
    tree(package, &[], folder)
}

/// Returns the direct dependencies of `package`, including itself.
fn names(package: &str) -> Vec<String> {
    tree(package, &["--depth=1"], name)
}

/// Returns the name in a line such as `tessera-ops v0.1.0 (/repository/runtime/ops)`.
fn name(line: &str) -> Option<String> {
    line.split(' ').next().map(str::to_owned)
}

/// Returns a part of each line of `cargo tree` for `package`.
fn tree<T>(package: &str, more: &[&str], part: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let own = ["--package", package, "--prefix=none", "--format={p}"];
    let lines = cargo_tree(&[&own, more].concat());
    lines.iter().filter_map(|line| part(line)).collect()
}

/// Checks that `package` depends on none of `forbidden`. A name that ends in a hyphen stands for
/// all packages with that prefix.
#[track_caller]
fn check(package: &str, forbidden: &[&str]) {
    check_none(package, &built_from(package), forbidden);
}

/// Checks that `known` are the only workspace packages that `package` depends on.
#[track_caller]
fn check_ours(package: &str, known: &[&str]) {
    let mut found = built_from(package);
    found.retain(|name| name.starts_with("tessera-") && name != package);
    assert_eq!(found, known, "what {package} knows");
}

#[track_caller]
fn check_none(package: &str, packages: &[String], forbidden: &[&str]) {
    assert!(
        packages.iter().any(|name| name == package),
        "{package}: {packages:?}"
    );
    for stranger in forbidden {
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
        "tessera-mncore-ir",
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
fn crates_have_allowed_dependencies() {
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
    check_ours(
        "tessera-mncore",
        &["tessera-isa-mncore", "tessera-diagnostic"],
    );
    check(
        "tessera-mncore-ir",
        &["tessera-mncore", "tessera-mncore-code"],
    );
    check(
        "tessera-program",
        &[
            "tessera-tensix",
            "tessera-mncore",
            "tessera-reference",
            "tessera-runtime",
        ],
    );
    // The judge of the models does not depend on them. It depends on the instruction sets only
    // through the program file, which holds kernels beside operations; it does not name them.
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
        &[
            "tessera-tensix",
            "tessera-mncore",
            "tessera-runtime",
            "tessera-reference",
        ],
    );
    check("tessera-tests", &["tessera-", "ttrt", "ttmlir-"]);
}

/// The dialects and the loop IR that they read and write are below the passes and code generators.
#[test]
fn dialects_do_not_depend_on_passes_or_targets() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let passes = repository.expect("tests have a parent").join("passes");
    let below_passes = |package| {
        let folders = folders_built_from(package).into_iter();
        let below: Vec<_> = folders.filter(|path| path.starts_with(&passes)).collect();
        below
    };
    for package in ["tessera-dialects", "tessera-mncore-ir"] {
        let found = below_passes(package);
        assert!(found.is_empty(), "{package} knows {found:?}");
    }
    let found = below_passes("tessera-passes");
    assert!(found.contains(&passes.join("mncore-code")), "{found:?}");
}

#[test]
fn the_check_finds_known_dependencies() {
    let packages = built_from("ttmlir-opt");
    assert!(
        packages.iter().any(|name| name == "mlir-sys"),
        "{packages:?}"
    );
}

/// The words by which code names a target.
const TARGETS: [(&str, &[&str]); 2] = [("tensix", &["tensix"]), ("mncore", &["mncore", "mn-core"])];

/// Returns the lines of sources with one of these words, except those that register a target.
fn lines_with(sources: &[(PathBuf, String)], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources {
        for (number, line) in (1..).zip(text.lines()) {
            if words.iter().any(|word| line.contains(word)) && !line.contains("::registered") {
                found.push(format!("{}:{number}: {line}", path.display()));
            }
        }
    }
    found
}

/// Passes work for every target and query properties of one through the `Target` trait. Targets do
/// not depend on each other.
#[test]
fn passes_name_no_target() {
    let passes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../passes/src");
    let targets = passes.join("targets");
    let (below, above): (Vec<_>, Vec<_>) = sources(&passes)
        .into_iter()
        .partition(|(path, _)| path.starts_with(&targets));
    for (target, words) in TARGETS {
        let named = lines_with(&above, words);
        assert!(
            named.is_empty(),
            "target-independent passes:\n{}",
            named.join("\n")
        );
        let own = targets.join(target);
        let of_others = below
            .iter()
            .filter(|(path, _)| path.parent() != Some(&targets) && !path.starts_with(&own));
        let of_others: Vec<_> = of_others.cloned().collect();
        assert!(!of_others.is_empty(), "no target but {target}");
        let named = lines_with(&of_others, words);
        assert!(named.is_empty(), "in another target:\n{}", named.join("\n"));
        let own: Vec<_> = below
            .iter()
            .filter(|(path, _)| path.starts_with(&own))
            .cloned()
            .collect();
        assert!(
            !lines_with(&own, words).is_empty(),
            "{target} is named differently"
        );
    }
}

/// The dialects whose operations have views (`dialects/build/views.rs`).
const VIEWED: [&str; 12] = [
    "arith", "builtin", "func", "llvm", "mncore", "pto", "scf", "tensix", "tensor", "ttcore",
    "ttir", "ttnn",
];

/// The most names of operations and attributes of dialects that compiler sources may spell out:
/// attributes that no operation declares, words of enumerations, what tests parse.
const MOST_NAMES: usize = 56;

/// The most attributes that compiler sources may look up by a name they spell out.
const MOST_LOOK_UPS: usize = 22;

/// Returns the text literals of a source that are a name in one of the dialects, such as
/// `"pto.tload"`.
fn dialect_names(text: &str) -> Vec<&str> {
    let is_name = |literal: &&str| {
        let parts = literal.split_once('.');
        parts.is_some_and(|(dialect, name)| {
            let in_name = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
            VIEWED.contains(&dialect) && !name.is_empty() && name.chars().all(in_name)
        })
    };
    text.split('"').filter(is_name).collect()
}

/// Compiler sources access names, operands and attributes of operations through generated views.
/// Few places spell names out.
#[test]
fn operations_are_named_by_their_views() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = sources(&repository.join("dialects/src"));
    all.extend(sources(&repository.join("passes/src")));
    let named: Vec<String> = all
        .iter()
        .flat_map(|(path, text)| {
            let names = dialect_names(text).into_iter();
            names.map(|name| format!("{}: {name}", path.display()))
        })
        .collect();
    assert!(
        named.len() <= MOST_NAMES,
        "{} names in dialects, more than {MOST_NAMES}; use the constants of views:\n{}",
        named.len(),
        named.join("\n")
    );
    let looked_up = lines_with(&all, &["attribute(\""]);
    assert!(
        looked_up.len() <= MOST_LOOK_UPS,
        "{} attributes are looked up by name, more than {MOST_LOOK_UPS}; use the accessors and \
         keys of views:\n{}",
        looked_up.len(),
        looked_up.join("\n")
    );
    assert_eq!(
        dialect_names("x(\"pto.tload\") y(\"pto. tload\", \"other.tload\", \"pto.\") \"ttir.add\""),
        ["pto.tload", "ttir.add"]
    );
}

/// The words by which code names a device. The reference device shares its name with the golden
/// comparison, so its type is listed.
const DEVICES: [(&str, &[&str]); 4] = [
    ("tensix", &["tensix", "wormhole", "blackhole"]),
    ("mncore", &["mncore", "mn-core"]),
    ("interpreter", &["interpreter"]),
    ("reference", &["referencedevice", "--device reference"]),
];

/// The crates of instruction sets, besides those that are named after a chip.
const INSTRUCTION_SETS: [&str; 2] = ["tessera_isa", "tessera_riscv"];

/// The files of the runtime and of `ttrt` that may name devices although they belong to none.
const REGISTRIES: [(&str, &str); 1] = [(
    "runtime/host/src/devices/mod.rs",
    "the registry has a module and a line for each device, and says which is the default",
)];

/// The runtime and `ttrt` work for every device and look devices up in the registry. Devices that
/// model chips do not depend on each other.
#[test]
fn the_runtime_names_no_device() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let devices = root.join("runtime/host/src/devices");
    let registries = REGISTRIES.map(|(path, why)| {
        let source = fs::read_to_string(root.join(path)).expect(why);
        for (device, _) in DEVICES {
            assert!(source.contains(device), "{path} has no {device}, but {why}");
        }
        root.join(path)
    });
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for folder in ["runtime/host/src", "tools/ttrt/src"] {
        for source in sources(&root.join(folder)) {
            match source.0.starts_with(&devices) {
                _ if registries.contains(&source.0) => {}
                true => below.push(source),
                false => above.push(source),
            }
        }
    }
    assert!(above.len() > 30, "{above:?}");
    let named = lines_with(&above, &INSTRUCTION_SETS);
    assert!(named.is_empty(), "instruction sets:\n{}", named.join("\n"));
    for (device, words) in DEVICES {
        let named = lines_with(&above, words);
        assert!(
            named.is_empty(),
            "outside of devices:\n{}",
            named.join("\n")
        );
        let own = [devices.join(device), devices.join(format!("{device}.rs"))];
        let is_own = |path: &Path| own.iter().any(|own| path.starts_with(own));
        let (own, others): (Vec<_>, Vec<_>) =
            below.iter().cloned().partition(|(path, _)| is_own(path));
        assert!(
            !lines_with(&own, words).is_empty(),
            "{device} is named differently"
        );
        if TARGETS.iter().any(|(target, _)| *target == device) {
            let named = lines_with(&others, words);
            assert!(named.is_empty(), "in another device:\n{}", named.join("\n"));
        }
    }
    for stranger in ["ttrt", "tessera-tests"] {
        let crates = [
            "tessera-isa-",
            "tessera-tensix",
            "tessera-mncore",
            "tessera-riscv",
        ];
        check_none(stranger, &names(stranger), &crates);
    }
}

/// Sources in layers: the folder, its modules from the bottom up, and the least number of imports
/// that the check must find there.
const LAYERS: [(&str, &[&str], usize); 2] = [
    (
        "runtime/tensix/src",
        &[
            "trap",
            "arith",
            "state",
            "insn",
            "issue",
            "dram",
            "data_movement",
            "map",
            "noc",
            "tile",
            "chip",
            "host",
            "machine",
            "trace",
        ],
        400,
    ),
    (
        "passes/mncore-code/src",
        &[
            "ir",
            "emit",
            "analysis",
            "check",
            "sched",
            "program",
            "functions",
            "raise",
            "compile",
        ],
        60,
    ),
];

/// A module imports only modules below it, and each module is in the table.
#[test]
fn modules_import_only_lower_layers() {
    for (folder, layers, least) in LAYERS {
        check_layers(folder, layers, least);
    }
}

#[track_caller]
fn check_layers(folder: &str, layers: &[&str], least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let layer = |module: &str| {
        let found = layers.iter().position(|layer| *layer == module);
        found.unwrap_or_else(|| panic!("`{module}` is not in the list of layers of {folder}"))
    };
    let (mut wrong, mut imports) = (Vec::new(), 0);
    for (path, text) in sources(&root) {
        let place = path.strip_prefix(&root).expect("a source of the folder");
        let own = place.iter().next().expect("a file").to_string_lossy();
        let own = own.trim_end_matches(".rs");
        if own == "lib" || is_test(place) {
            continue;
        }
        let own_layer = layer(own);
        for module in imported_modules(&text) {
            imports += 1;
            if layer(module) > own_layer {
                wrong.push(format!("{} imports `{module}`", place.display()));
            }
        }
    }
    assert!(imports > least, "{folder}: {imports}");
    assert!(wrong.is_empty(), "{folder}:\n{}", wrong.join("\n"));
}

/// Folders whose modules do not import each other in circles, and how a module names another.
const FOLDERS_WITHOUT_CIRCLES: [(&str, &str); 29] = [
    ("runtime/tensix/src/arith", "crate::arith::"),
    ("runtime/tensix/src/state", "crate::state::"),
    ("runtime/tensix/src/insn", "crate::insn::"),
    ("runtime/tensix/src/insn/matrix", "crate::insn::matrix::"),
    ("runtime/tensix/src/insn/pack", "crate::insn::pack::"),
    ("runtime/tensix/src/insn/scalar", "crate::insn::scalar::"),
    ("runtime/tensix/src/insn/unpack", "crate::insn::unpack::"),
    ("runtime/tensix/src/issue", "crate::issue::"),
    ("runtime/tensix/src/noc", "crate::noc::"),
    ("runtime/tensix/src/tile", "crate::tile::"),
    ("runtime/tensix/src/chip", "crate::chip::"),
    ("runtime/tensix/src/host", "crate::host::"),
    ("runtime/mncore/src", "crate::"),
    ("passes/mncore-code/src", "crate::"),
    ("passes/mncore-code/src/analysis", "crate::analysis::"),
    ("passes/mncore-code/src/check", "crate::check::"),
    ("passes/mncore-code/src/emit", "crate::emit::"),
    ("passes/mncore-code/src/program", "crate::program::"),
    ("passes/mncore-code/src/sched", "crate::sched::"),
    ("passes/mncore-code/src/compile", "crate::compile::"),
    (
        "passes/mncore-code/src/compile/data",
        "crate::compile::data::",
    ),
    (
        "passes/mncore-code/src/compile/elementwise",
        "crate::compile::elementwise::",
    ),
    (
        "passes/mncore-code/src/compile/gemm",
        "crate::compile::gemm::",
    ),
    (
        "passes/mncore-code/src/compile/gemm/k_over_mabs",
        "crate::compile::gemm::k_over_mabs::",
    ),
    (
        "passes/mncore-code/src/compile/gemm/pipelined",
        "crate::compile::gemm::pipelined::",
    ),
    (
        "passes/mncore-code/src/compile/gemm/split_k",
        "crate::compile::gemm::split_k::",
    ),
    (
        "passes/mncore-code/src/compile/layout_assignment",
        "crate::compile::layout_assignment::",
    ),
    (
        "passes/mncore-code/src/compile/reduce",
        "crate::compile::reduce::",
    ),
    (
        "passes/mncore-code/src/compile/scratchpad",
        "crate::compile::scratchpad::",
    ),
];

#[test]
fn modules_do_not_import_each_other_in_circles() {
    for (folder, prefix) in FOLDERS_WITHOUT_CIRCLES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(folder);
        let imports = imports_between_modules(&path, prefix);
        if let Err(modules) = rows(&imports) {
            panic!("{folder}: {modules:?} are on circles or imported by them: {imports:?}");
        }
    }
}

/// Returns the top-level modules of its crate that a source names outside of comments.
fn imported_modules(text: &str) -> Vec<&str> {
    let names = names_after(text, "crate::");
    // The members of a group would not be seen.
    assert!(
        !names.contains(&""),
        "import one module of the crate at a time"
    );
    names
}
