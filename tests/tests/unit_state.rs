//! The parts of a Tensix core's state that each unit uses.
//!
//! Many instructions of the large units receive the whole `CoreState`. This table says what they
//! use of it.

use std::collections::BTreeSet;
use std::path::Path;

use tessera_tests::imports::{is_test, names_after, sources};

/// The folder or file of a unit below `runtime/tensix/src/insn`, and the fields of `CoreState` and
/// of its registers that it names, besides the chip and the model.
const UNITS: [(&str, &[&str]); 9] = [
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
        "pack",
        &[
            "adcs",
            "config",
            "dst",
            "l1",
            "packers",
            "request",
            "set_register",
        ],
    ),
    (
        "unpack",
        &[
            "adcs",
            "banks",
            "config",
            "context_counter",
            "dst",
            "l1",
            "row_starts",
            "src",
            "unpacked_to_dst",
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

#[test]
fn units_use_the_state_in_their_row() {
    let insn = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tensix/src/insn");
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
