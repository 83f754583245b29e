//! Padding: a result is the same whatever lay in its memory before, and a kernel that leaves something in the padding is
//! caught.

use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::{cfg, Arch, Instruction};
use tessera_program::{Binary, KernelBody};
use tessera_runtime::TensixOptions;

use crate::bench::{compile_operation, inputs, on_tensix, only};
use crate::numerics::operations;

const CANARIES: TensixOptions = TensixOptions {
    schedule_seed: 0,
    padding_canaries: true,
    order_seed: None,
    workers: None,
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

/// Runs an operation whose kernel was changed.
fn run_changed(
    op: &str,
    operands: &[&str],
    result: &str,
    change: impl Fn(&mut Lists),
) -> Result<(), String> {
    let mut binary = compile_operation(&format!("changed_{op}"), op, operands, result);
    let KernelBody::Tensix(kernel) = &mut binary.kernels[0].body else {
        panic!("the kernel is not one of lists")
    };
    change(&mut kernel.lists);
    let binary =
        Binary::read(&binary.to_bytes().expect("it can be written")).expect("it can be read");
    let inputs = inputs(only(&binary), 1);
    on_tensix(&binary, only(&binary), &inputs, CANARIES).map(|_| ())
}

#[track_caller]
fn check_caught(op: &str, operands: &[&str], result: &str, change: impl Fn(&mut Lists)) {
    let error = run_changed(op, operands, result, change).expect_err("padding is not zero");
    assert!(error.contains("in the padding of tensor"), "{op}: {error}");
}

/// Whether a word writes an edge mask or a row map of the packers.
fn masks_edges(entry: &Entry) -> bool {
    let Entry::Push(word) = *entry else {
        return false;
    };
    let masks = [0, 1, 2].map(|mask| cfg::PCK_EDGE_OFFSET_mask.at(mask).addr32());
    let maps = [0, 1, 2, 3].map(|face| cfg::TILE_ROW_SET_MAPPING.at(face).at(0).addr32());
    match Instruction::decode(Arch::WormholeB0, word) {
        Ok(Instruction::Wrcfg(write)) => {
            masks.contains(&write.cfg_reg) || maps.contains(&write.cfg_reg)
        }
        _ => false,
    }
}

/// The masks that the kernel begins with keep whole tiles; without the words that change them, so do all tiles.
#[test]
fn a_kernel_that_does_not_mask_is_caught() {
    let keep_whole_tiles = |lists: &mut Lists| {
        let is_pack = |entry: &Entry| {
            matches!(entry, Entry::Push(word)
            if matches!(Instruction::decode(Arch::WormholeB0, *word), Ok(Instruction::Pacr(_))))
        };
        let first = lists.pack.iter().position(is_pack).expect("it packs");
        let count = lists.pack.len();
        let mut at = 0;
        lists.pack.retain(|entry| {
            at += 1;
            at <= first || !masks_edges(entry)
        });
        assert!(lists.pack.len() < count, "it masked");
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

/// A page of the result that is not written still holds the canaries.
#[test]
fn a_kernel_that_leaves_out_a_page_is_caught() {
    check_caught("multiply", &["33x97", "33x97"], "33x97", |lists| {
        let last = lists
            .dm
            .iter()
            .rposition(|entry| matches!(entry, DmEntry::Write { .. }));
        lists.dm.remove(last.expect("it writes"));
    });
}
