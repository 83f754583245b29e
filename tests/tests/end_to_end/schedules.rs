//! Compiled kernels of several tiles: one result under every schedule, and nothing that synchronises could be left out.
//!
//! What a kernel of products only and an element-wise one need is shown in `runtime/tensix/tests`, on programs that equal
//! the compiled ones; here is what compiled kernels have beyond them.

use tessera_isa_tensix::list::Lists;
use tessera_program::KernelBody;
use tessera_runtime::TensixOptions;

use crate::bench::{compile_operation, inputs, on_tensix, only};
use crate::common::mutants::check_mutants;
use crate::common::{noise, run, tile, Tile};

#[test]
fn every_schedule_gives_the_same_bits() {
    for (op, operands, result) in [
        ("matmul", &["64x64", "64x64"][..], "64x64"),
        ("linear", &["33x65", "65x97", "97"][..], "33x97"),
        ("subtract", &["97x1", "97x33"][..], "97x33"),
        ("neg", &["97x97"][..], "97x97"),
    ] {
        let binary = compile_operation(&format!("schedules_{op}"), op, operands, result);
        let inputs = inputs(only(&binary), 5);
        let bits = |schedule_seed| {
            let options = TensixOptions {
                schedule_seed,
                ..TensixOptions::default()
            };
            let run = on_tensix(&binary, only(&binary), &inputs, options);
            run.map(|(outputs, _)| outputs)
        };
        let expect = bits(0).unwrap_or_else(|error| panic!("{op}: {error}"));
        for seed in 1..100 {
            assert_eq!(bits(seed).as_ref(), Ok(&expect), "{op}, seed {seed}");
        }
    }
}

/// Whole tiles of noise.
fn tiles(seed: u64, count: u64) -> Vec<Tile> {
    (seed..seed + count)
        .map(|seed| tile(|i, j| noise(seed, i, j)))
        .collect()
}

/// Products, recorded, and a bias, written out, take turns.
#[test]
fn nothing_that_synchronises_can_be_left_out_of_a_linear_layer() {
    let binary = compile_operation("mutants", "linear", &["33x64", "64x64", "64"], "33x64");
    let KernelBody::Tensix(kernel) = &binary.kernels[0].body else {
        panic!("the kernel is not one of lists")
    };
    let (a, b, bias) = (tiles(100, 4), tiles(200, 4), tiles(300, 2));
    let result = |lists: &Lists, seed| run(lists, &[&a, &b, &bias], 4, seed);
    let (expect, _) = result(&kernel.lists, 0).unwrap_or_else(|trap| panic!("{trap}"));
    check_mutants(&kernel.lists, &[], |mutant, seed| {
        result(mutant, seed).is_ok_and(|(out, _)| out == expect)
    });
}
