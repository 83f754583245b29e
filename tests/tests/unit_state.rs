//! The parts of a Tensix core's state that each unit uses.
//!
//! Most units receive a view: a struct of the parts that they use. Many instructions of the others
//! receive the whole `CoreState`; a table says what they use of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tessera_tests::imports::{is_test, names_after, sources};

/// The folder or file below `runtime/tensix/src/insn` of each unit that does not receive the whole
/// state, and the file of its view, if it does not receive a few parts as they are.
const WITH_VIEW: [(&str, Option<&str>); 8] = [
    ("pack", Some("pack/unit.rs")),
    ("unpack", Some("unpack/unit.rs")),
    ("scalar", Some("scalar/unit.rs")),
    ("config.rs", Some("config.rs")),
    ("mover.rs", Some("mover.rs")),
    ("frontend.rs", None),
    ("misc.rs", None),
    ("sync.rs", None),
];

/// The folder of each other unit, and the fields of `CoreState` and of its registers that it names,
/// besides the chip and the model.
const UNITS: [(&str, &[&str]); 2] = [
    (
        "matrix",
        &[
            "access",
            "arithmetic_cache",
            "banks",
            "check_policy",
            "config",
            "dst",
            "last_src_a_row",
            "operand_cache",
            "packers",
            "rwcs",
            "src",
            "vector",
        ],
    ),
    (
        "vector",
        &[
            "access",
            "check_policy",
            "config",
            "dst",
            "rwcs",
            "slot",
            "vector",
        ],
    ),
];

/// Returns the state that a name after `core.` belongs to; `None` for what all units use.
fn state_of(name: &str) -> Option<&str> {
    match name {
        "arch" | "model" | "regs" | "clone" => None,
        "dst_rows" => Some("dst"),
        "src_mut" => Some("src"),
        _ => Some(name),
    }
}

/// Returns the folder of the units.
fn insn() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tensix/src/insn")
}

/// Returns the lines of code that name `CoreState`, except for imports, of a text in lower case.
fn naming_core(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| line.contains("corestate") && !line.starts_with("//"))
        .filter(|line| !line.starts_with("use "))
}

#[test]
fn only_the_constructor_of_a_view_sees_the_core() {
    let insn = insn();
    let all = sources(&insn);
    for (unit, view) in WITH_VIEW {
        let mut named = Vec::new();
        for (path, text) in &all {
            let place = path.strip_prefix(&insn).expect("a source of the folder");
            if place.starts_with(unit) && !is_test(place) {
                named.extend(naming_core(text).map(|line| (place, line)));
            }
        }
        let places: Vec<&Path> = named.iter().map(|(place, _)| *place).collect();
        let expect: Vec<&Path> = view.map(Path::new).into_iter().collect();
        assert_eq!(places, expect, "{unit}: {named:#?}");
        let is_constructor = |line: &str| line.contains("fn of(core: ");
        assert!(
            named.iter().all(|(_, line)| is_constructor(line)),
            "{named:#?}"
        );
    }
}

#[test]
fn units_use_the_state_in_their_row() {
    let insn = insn();
    let all = sources(&insn);
    for (unit, expect) in UNITS {
        let mut used = BTreeSet::new();
        for (path, text) in &all {
            let place = path.strip_prefix(&insn).expect("a source of the folder");
            if place.starts_with(unit) && !is_test(place) {
                let names = names_after(text, "core.");
                let registers = names_after(text, "core.regs.");
                used.extend(names.into_iter().chain(registers).filter_map(state_of));
            }
        }
        let expect: BTreeSet<&str> = expect.iter().copied().collect();
        assert_eq!(used, expect, "{unit}");
    }
}
