//! Padding: a result does not depend on what its memory held before, and a kernel that leaves
//! nonzero padding is detected.

use tessera_isa_tensix::cfg::{self, ConfigField, FieldPlace};
use tessera_isa_tensix::Arch;
use tessera_runtime::devices::tensix::TensixOptions;

use crate::bench::{function, inputs, lower, on_tensix, only, translate, UNFORMED};
use crate::numerics::operations;

const CANARIES: TensixOptions = TensixOptions {
    schedule_seed: None,
    padding_canaries: true,
    order_seed: None,
    workers: None,
    limit: None,
};

#[test]
fn canaries_change_no_result() {
    for binary in operations() {
        for (program, seed) in binary.programs.iter().zip(0..) {
            let inputs = inputs(program, seed);
            let run =
                |options| on_tensix(binary, program, &inputs, options).map(|(outputs, _)| outputs);
            let expect = run(TensixOptions::default());
            assert!(expect.is_ok(), "{}: {expect:?}", program.name);
            assert_eq!(run(CANARIES), expect, "{}", program.name);
        }
    }
}

/// Checks that an error is reported for an operation whose kernel's text was changed.
#[track_caller]
fn check_caught(op: &str, operands: &[&str], result: &str, change: impl Fn(&str) -> String) {
    let name = format!("changed_{op}");
    let module = lower(
        &UNFORMED,
        &name,
        &function(&name, op, operands, result, "bf16"),
    );
    let changed = change(&module);
    assert_ne!(module, changed, "{op}");
    let binary = translate(&name, &changed);
    let inputs = inputs(only(&binary), 1);
    let run = on_tensix(&binary, only(&binary), &inputs, CANARIES);
    let error = run.expect_err("padding is not zero");
    assert!(error.contains("in the padding of tensor"), "{op}: {error}");
}

/// Returns whether a line writes an edge mask or a row map of the packers.
fn masks_edges(line: &str) -> bool {
    let word_of = |field: ConfigField| {
        field
            .place_on(Arch::WormholeB0)
            .map(FieldPlace::addr32)
            .unwrap()
    };
    let masks = [0, 1, 2].map(|mask| word_of(cfg::PCK_EDGE_OFFSET_mask.nth(mask)));
    let maps = [0, 1, 2, 3].map(|face| word_of(cfg::TILE_ROW_SET_MAPPING.nth(face).nth(0)));
    let after = line.split("tensix.wrcfg  (cfg_reg ").nth(1);
    let register = after.and_then(|rest| rest.split([',', ')']).next()?.parse().ok());
    register.is_some_and(|register| masks.contains(&register) || maps.contains(&register))
}

/// The packing thread's initial masks keep whole tiles. Without the lines that change them, padding
/// is written.
#[test]
fn missing_edge_masks_are_detected() {
    let keep_whole_tiles = |module: &str| {
        let mut in_loop = false;
        let keeps = |line: &&str| {
            in_loop |= line.contains("scf.for");
            in_loop &= !line.contains("} pack {");
            !(in_loop && masks_edges(line))
        };
        module.lines().filter(keeps).collect::<Vec<_>>().join("\n")
    };
    check_caught("add", &["33x97", "1x97"], "33x97", keep_whole_tiles);
    check_caught("subtract", &["97x1", "97x33"], "97x33", keep_whole_tiles);
    check_caught(
        "linear",
        &["33x65", "65x97", "97"],
        "33x97",
        keep_whole_tiles,
    );
}

/// A page of the result that is not written still contains canaries.
#[test]
fn unwritten_pages_are_detected() {
    check_caught("multiply", &["33x97", "33x97"], "33x97", |module| {
        module.replace(" work 8 ", " work 7 ")
    });
}
