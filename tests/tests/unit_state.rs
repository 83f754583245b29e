//! The parts of a Tensix core's state that each unit uses.
//!
//! Most units receive a view: a struct of the parts that they use. The others receive a few parts
//! as they are.

use std::path::Path;

use tessera_tests::imports::{is_test, sources};

/// The files below `runtime/tensix/src/insn` with the views.
const VIEWS: [&str; 7] = [
    "config.rs",
    "matrix/unit.rs",
    "mover.rs",
    "pack/unit.rs",
    "scalar/unit.rs",
    "unpack/unit.rs",
    "vector/unit.rs",
];
/// The file with the function that divides the state among the units.
const DISPATCH: &str = "mod.rs";

/// Returns the lines of code that name `CoreState`, of a text in lower case.
fn naming_core(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| line.contains("corestate") && !line.starts_with("//"))
        .collect()
}

#[test]
fn only_the_constructor_of_a_view_sees_the_core() {
    let insn = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tensix/src/insn");
    let mut places = Vec::new();
    for (path, text) in sources(&insn) {
        let place = path.strip_prefix(&insn).expect("a source of the folder");
        let lines = naming_core(&text);
        if lines.is_empty() || is_test(place) || place == Path::new(DISPATCH) {
            continue;
        }
        let (imports, uses): (Vec<&str>, _) =
            lines.into_iter().partition(|line| line.starts_with("use "));
        assert!(
            matches!(uses[..], [line] if line.contains("fn of(core: ")),
            "{}: {uses:#?}",
            place.display()
        );
        assert_eq!(imports.len(), 1, "{}: {imports:#?}", place.display());
        places.push(place.to_owned());
    }
    places.sort();
    assert_eq!(places, VIEWS.map(Path::new));
}
