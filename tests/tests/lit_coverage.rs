//! The lit tree has a precise test of each function of the vector unit.

use std::fs;
use std::path::Path;

use tessera_ops::{Binary, Unary};

/// The tests of functions, in a folder of the lit tree.
const FOLDER: &str = "lit/passes/convert_pto_to_tensix_functions";

#[test]
fn every_function_has_a_precise_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let files = fs::read_dir(folder).expect("the folder is there");
    let text: String = files
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).expect("a test is text"))
        .collect();
    let unary = Unary::ALL.iter().map(|one| {
        let info = one.info();
        (one.mnemonic(), info.float.is_some(), info.integer.is_some())
    });
    let binary = Binary::ALL.iter().map(|one| {
        let info = one.info();
        (one.mnemonic(), info.float.is_some(), info.integer.is_some())
    });
    for (mnemonic, has_float, has_integer) in unary.chain(binary) {
        for (element, is_defined) in [("f32", has_float), ("i32", has_integer)] {
            let (operation, tile) = (format!("pto.t{mnemonic} "), format!("32x32x{element}>"));
            let is_use = |line: &str| line.contains(&operation) && line.contains(&tile);
            assert!(
                !is_defined || text.lines().any(is_use),
                "{FOLDER} lacks 'pto.t{mnemonic}' of {element}"
            );
        }
    }
}
