//! The parts of a Tensix core's state that each unit uses.
//!
//! Some units receive a view: a struct of the parts that they use. Many instructions of the others
//! receive the whole `CoreState`; a table says what they use of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tessera_tests::imports::{is_test, names_after, sources};

/// The folder or file below `runtime/tensix/src/insn` of each unit that receives a view, and the
/// file of the view.
const WITH_VIEW: [(&str, &str); 2] = [("pack", "pack/unit.rs"), ("unpack", "unpack/unit.rs")];

/// The folder or file of each other unit, and the fields of `CoreState` and
/// of its registers that it names, besides the chip and the model.
const UNITS: [(&str, &[&str]); 7] = [
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
    (
        "scalar",
        &[
            "adcs", "banks", "config", "gprs", "l1", "packers", "request", "src",
        ],
    ),
    (
        "config.rs",
        &["access", "config", "context_counter", "gprs", "streams"],
    ),
    ("sync.rs", &["config", "streams"]),
    ("misc.rs", &["adcs", "banks", "config"]),
    ("mover.rs", &["access", "config", "l1", "request"]),
];

/// Returns the state that a name after `core.` belongs to; `None` for what all units use.
fn state_of(name: &str) -> Option<&str> {
    match name {
        "arch" | "model" | "regs" | "clone" => None,
        "dst_rows" => Some("dst"),
        "src_mut" => Some("src"),
        "stream" => Some("streams"),
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
        let [(place, line)] = named[..] else {
            panic!("{unit} names CoreState not once: {named:#?}");
        };
        assert_eq!(place, Path::new(view), "{line}");
        assert!(line.starts_with("pub fn of(core: "), "{view}: {line}");
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
