//! MOP and REPLAY change how instruction words reach a thread, not which ones. Programs with and
//! without them execute the same words in the same order; with them the RISC-V cores execute fewer
//! instructions.

use tessera_program::{Binary, Program};
use tessera_runtime::devices::tensix::{Figures, KernelRun, TensixOptions};

use crate::bench::{compile_with, function, inputs, on_tensix};

/// Returns the passes of the pipeline that lowers to RISC-V images, without those that form MOP and
/// REPLAY.
fn unformed(fidelity: &str) -> String {
    format!(
        "--pass-pipeline=builtin.module(\
         ttir-to-ttnn-backend-pipeline{{compute-cfg-math-fidelity={fidelity}}},convert-ttnn-to-pto,\
         pto-expand-mixed-kernel,pto-allocate-memory-addr,convert-pto-to-tensix,canonicalize,cse)"
    )
}

fn formed(fidelity: &str) -> String {
    format!("--ttir-to-tensix-pipeline=compute-cfg-math-fidelity={fidelity}")
}

fn runs(binary: &Binary, program: &Program, workers: Option<u32>) -> Vec<KernelRun> {
    let options = TensixOptions {
        workers,
        ..TensixOptions::default()
    };
    let run = on_tensix(binary, program, &inputs(program, 1), options);
    run.unwrap_or_else(|error| panic!("{}: {error}", program.name))
        .1
}

/// Returns the name of each model, the fidelity of its products, and its TTIR.
fn models() -> Vec<(&'static str, &'static str, String)> {
    let chains = include_str!("../../data/chains.mlir");
    let digits = include_str!("../../data/digits/mlp.mlir");
    let gated = include_str!("../../data/models/gated_mlp.mlir");
    let residual = include_str!("../../data/models/residual_block.mlir");
    let product = |a, b, result| function("product", "matmul", &[a, b], result, "bf16");
    vec![
        ("chains", "hifi4", chains.to_owned()),
        ("digits", "hifi4", digits.to_owned()),
        ("gated", "hifi2", gated.to_owned()),
        ("residual", "lofi", residual.to_owned()),
        ("deep", "hifi3", product("64x512", "512x64", "64x64")),
        ("wide", "lofi", product("33x65", "65x257", "33x257")),
        (
            "negation",
            "hifi4",
            function("negation", "neg", &["97x97"], "97x97", "bf16"),
        ),
    ]
}

#[test]
fn formed_programs_execute_the_same_words() {
    for (name, fidelity, ttir) in models() {
        let [with, without] = [
            ("formed", formed(fidelity)),
            ("unformed", unformed(fidelity)),
        ]
        .map(|(how, pipeline)| compile_with(&pipeline, &format!("{how}_{name}"), &ttir));
        for (formed, unformed) in with.programs.iter().zip(&without.programs) {
            if formed.private {
                continue;
            }
            for workers in [None, Some(1)] {
                let formed = runs(&with, formed, workers);
                let unformed = runs(&without, unformed, workers);
                assert_eq!(formed.len(), unformed.len(), "{name}");
                for (formed, unformed) in formed.iter().zip(&unformed) {
                    same_words(name, formed, unformed);
                }
            }
        }
    }
}

fn same_words(name: &str, formed: &KernelRun, unformed: &KernelRun) {
    assert_eq!(formed.workers.len(), unformed.workers.len(), "{name}");
    for (tile, (formed, unformed)) in formed.workers.iter().zip(&unformed.workers).enumerate() {
        for thread in 0..3 {
            let of = |stats: &tessera_runtime::devices::tensix::Stats| {
                (stats.by_thread(thread), stats.words(thread))
            };
            assert_eq!(of(formed), of(unformed), "{name}, tile {tile}, T{thread}");
        }
    }
}

/// 64 MVMULs of a product of tiles at full fidelity from at most four RISC-V instructions.
#[test]
fn products_take_few_instructions() {
    let ttir = function(
        "forward",
        "matmul",
        &["512x512", "512x512"],
        "512x512",
        "bf16",
    );
    for (fidelity, least) in [("hifi4", 16.0), ("hifi2", 8.0), ("lofi", 4.0)] {
        let binary = compile_with(&formed(fidelity), &format!("few_{fidelity}"), &ttir);
        let runs = runs(&binary, &binary.programs[0], Some(1));
        let figures = Figures::from_run(&runs[0]);
        let ratio = figures.words_per_instruction(1).expect("T1 ran");
        assert!(
            ratio >= least,
            "{fidelity}: {ratio} words for each instruction of T1"
        );
    }
}

/// Tests the share of the matrix unit's peak that products reach without stalls, on one tile and on
/// all.
#[test]
fn products_are_not_bound_by_instruction_issue() {
    let ttir = function(
        "forward",
        "matmul",
        &["1024x256", "256x1024"],
        "1024x1024",
        "bf16",
    );
    for (fidelity, least) in [("lofi", 0.40), ("hifi2", 0.75), ("hifi4", 0.88)] {
        let binary = compile_with(&formed(fidelity), &format!("fed_{fidelity}"), &ttir);
        let [one, all] = [1, 64].map(|workers| {
            let runs = runs(&binary, &binary.programs[0], Some(workers));
            Figures::from_run(&runs[0])
                .share_of_peak()
                .expect("it computes products")
        });
        assert!(one >= least, "{fidelity}: {one} of the peak on one tile");
        assert!(
            all >= 0.85 * one,
            "{fidelity}: {all} of the peak on 64, {one} on one"
        );
    }
}
