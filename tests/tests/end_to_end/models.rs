//! Small models whose operations share kernels, with every fusion mode, on the chip and on the
//! interpreter.
//!
//! `TESSERA_LONG_TESTS=1` tests every size, option and seed instead of a few.

use tessera_program::{Binary, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_test_support::is_long_run;

use crate::bench::{inputs, judge_on, lower, on_tensix, translate};

/// The models, for inputs of 33 rows of 65 elements, and hidden layers of 97.
const MODELS: [&str; 6] = [
    include_str!("../../data/models/cast_matmul.mlir"),
    include_str!("../../data/models/gated_mlp.mlir"),
    include_str!("../../data/models/linear_relu.mlir"),
    include_str!("../../data/models/preactivation_block.mlir"),
    include_str!("../../data/models/residual_block.mlir"),
    include_str!("../../data/models/scores.mlir"),
];

/// The extents in the text of the models.
const WRITTEN: [u64; 3] = [33, 65, 97];

/// The extents to test.
pub const SIZES: &[[u64; 3]] = &[
    WRITTEN,
    [64, 32, 96],
    [32, 32, 32],
    [1, 512, 31],
    [100, 300, 77],
    [160, 129, 511],
    [512, 256, 512],
];

/// The fusion modes.
const FUSIONS: &[&str] = &["all", "epilogue", "auto", "none"];

/// Block shapes, in tiles.
const BLOCKS: &[&str] = &["auto", "2x2", "1x1", "4x1", "1x2", "2x1", "1x4"];

/// Options of the pass that expands mixed kernels.
const EXPANSIONS: &[&str] = &["none", "up_down", "left_right"];

/// Returns the block shapes to test at a size: all only at the first size.
fn blocks(extents: [u64; 3]) -> &'static [&'static str] {
    match extents == SIZES[0] {
        true => some(BLOCKS, 1),
        false => &BLOCKS[..2],
    }
}

/// Returns the first `few` cases, or all in a long run.
pub fn some<T>(all: &[T], few: usize) -> &[T] {
    if is_long_run() {
        all
    } else {
        &all[..few]
    }
}

/// Returns the TTIR of all models with these extents.
pub fn models(extents: [u64; 3]) -> String {
    let resized = |shape: &str| {
        let extent = |text: &str| {
            let written = WRITTEN
                .iter()
                .position(|extent| *extent.to_string() == *text);
            written.map_or(text.to_owned(), |which| extents[which].to_string())
        };
        shape.split('x').map(extent).collect::<Vec<_>>().join("x")
    };
    let mut text = String::new();
    for (number, part) in MODELS.concat().split("tensor<").enumerate() {
        match part.split_once('>') {
            Some((shape, rest)) if number > 0 => {
                text += &format!("tensor<{}>{rest}", resized(shape));
            }
            _ => text += part,
        }
    }
    text
}

fn file_name(parts: &[&str]) -> String {
    format!("models_{}", parts.join("_"))
}

/// Compiles the models for Tensix.
fn for_tensix(extents: [u64; 3], fusion: &str, block: &str, placement: &str) -> Binary {
    let name = file_name(&["tensix", &format!("{extents:?}"), fusion, block, placement]);
    let pipeline =
        format!("--ttir-to-tensix-pipeline=fusion={fusion} block={block} placement={placement}");
    translate(&name, &lower(&[&pipeline], &name, &models(extents)))
}

/// Compiles the models for the interpreter, with mixed kernels kept or expanded.
fn for_interpreter(
    extents: [u64; 3],
    fusion: &str,
    block: &str,
    expansion: Option<&str>,
) -> Binary {
    let name = file_name(&[
        "interpreter",
        &format!("{extents:?}"),
        fusion,
        block,
        expansion.unwrap_or("mixed"),
    ]);
    let pto = format!("--convert-ttnn-to-pto=fusion={fusion} block={block}");
    let expand = expansion.map(|split| format!("--pto-expand-mixed-kernel=split={split}"));
    let mut flags = vec!["--ttir-to-ttnn-runtime-pipeline", &*pto];
    if let Some(expand) = &expand {
        flags.extend([&**expand, "--pto-check-pipes"]);
    }
    translate(&name, &lower(&flags, &name, &models(extents)))
}

/// Runs the programs of a file on the interpreter, checks error bounds, and returns the results.
fn on_interpreter(binary: &Binary, schedule_seed: Option<u64>) -> Vec<Vec<Tensor>> {
    let programs = binary.programs.iter();
    programs
        .map(|program| {
            let mut device = InterpreterDevice::new(binary, program, schedule_seed);
            judge_on(&mut device, program, &inputs(program, 1))
        })
        .collect()
}

/// Runs the programs of a file on Tensix, checks error bounds, and returns the results.
fn on_chip(binary: &Binary) -> Vec<Vec<Tensor>> {
    assert_eq!(binary.programs.len(), MODELS.len());
    let programs = binary.programs.iter();
    programs
        .map(|program| {
            let options = TensixOptions {
                padding_canaries: true,
                ..TensixOptions::default()
            };
            let mut device = TensixDevice::new(binary, program, options)
                .unwrap_or_else(|error| panic!("{}: {error}", program.name));
            judge_on(&mut device, program, &inputs(program, 1))
        })
        .collect()
}

/// Kernels on a cluster of tiles give the same bits as on one tile. The bits do not depend on the
/// block shape either, except with `auto` fusion, which chooses by cost.
#[test]
fn models_are_within_their_bounds_on_tensix() {
    for extents in some(SIZES, 1) {
        for fusion in some(FUSIONS, 2) {
            let mut first: Option<Vec<Vec<Tensor>>> = None;
            for block in blocks(*extents) {
                let found = on_chip(&for_tensix(*extents, fusion, block, "auto"));
                let on_cluster = on_chip(&for_tensix(*extents, fusion, block, "cluster"));
                assert!(found == on_cluster, "{extents:?} {fusion} {block}");
                let first = first.get_or_insert_with(|| found.clone());
                assert!(
                    *fusion == "auto" || *first == found,
                    "{extents:?} {fusion} {block}"
                );
            }
        }
    }
}

/// The error bounds are those of the chip. The kernels of an expanded group give the same bits as
/// the mixed kernel.
#[test]
fn models_are_within_their_bounds_on_the_interpreter() {
    for extents in some(SIZES, 1) {
        for fusion in some(FUSIONS, 2) {
            for block in blocks(*extents) {
                let binary = for_interpreter(*extents, fusion, block, None);
                let mixed = on_interpreter(&binary, None);
                for split in some(EXPANSIONS, 1) {
                    let binary = for_interpreter(*extents, fusion, block, Some(split));
                    for seed in [None, Some(1), Some(2)] {
                        let found = on_interpreter(&binary, seed);
                        assert!(
                            found == mixed,
                            "{extents:?} {fusion} {block} {split} {seed:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn models_do_not_depend_on_schedules() {
    // Seeds of schedules, and of orders of memory requests.
    let seeds = some(&[[4, 2], [100, 20]], 1);
    let seeds = seeds[seeds.len() - 1];
    // One tile, or cluster, does everything, so that slots are used again.
    for (fusion, placement, workers) in [("epilogue", "same_core", 1), ("all", "cluster", 3)] {
        let binary = for_tensix(WRITTEN, fusion, "auto", placement);
        for program in &binary.programs {
            schedules_agree(&binary, program, workers, seeds);
        }
    }
}

/// Checks that a program gives the same bits under `seeds[0]` random schedules, and `seeds[1]`
/// random schedules with random memory orders.
fn schedules_agree(binary: &Binary, program: &Program, workers: u32, seeds: [u64; 2]) {
    let [schedules, orders] = seeds;
    let inputs = inputs(program, 5);
    let bits = |schedule_seed, order_seed| {
        let options = TensixOptions {
            schedule_seed,
            order_seed,
            workers: Some(workers),
            ..TensixOptions::default()
        };
        let run = on_tensix(binary, program, &inputs, options);
        run.map(|(outputs, _)| outputs)
    };
    let name = &program.name;
    let expect = bits(None, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    for seed in 1..schedules {
        let found = bits(Some(seed), None);
        assert!(found.as_ref() == Ok(&expect), "{name}, seed {seed}");
    }
    for seed in 0..orders {
        let found = bits(Some(seed), Some(seed));
        assert!(found.as_ref() == Ok(&expect), "{name}, order seed {seed}");
    }
}
