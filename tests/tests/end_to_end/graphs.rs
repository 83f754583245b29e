//! Random graphs of operations on both chips, with every fusion mode. Each operation is within the
//! error bound of its chip.
//!
//! `TESSERA_LONG_TESTS=1` tests many more.

mod generate;

use tessera_program::Binary;
use tessera_reference::Tensor;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions, Model};
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::Device;
use tessera_test_support::is_long_run;

use self::generate::{graph, Elements};
use crate::bench::{inputs, judge_on, lower, translate};

/// Graphs in one file.
const BATCH: u64 = 10;

/// The fusion modes.
const FUSIONS: [&str; 3] = ["epilogue", "auto", "none"];

/// Returns the numbers of the files of graphs: one file, or `long` in a long run.
fn batches(long: u64) -> std::ops::Range<u64> {
    if is_long_run() {
        0..long
    } else {
        0..1
    }
}

/// Returns the graphs of a batch, compiled.
fn compiled((chip, options): (&str, &str), elements: Elements, batch: u64) -> Binary {
    let seeds = batch * BATCH..(batch + 1) * BATCH;
    let graphs: String = seeds.map(|seed| graph(seed, elements)).collect();
    let fusion = FUSIONS[batch as usize % FUSIONS.len()];
    let kind = options.replace([' ', '='], "_");
    let name = format!("graphs_{chip}_{kind}{elements:?}_{batch}_{fusion}");
    let pipeline = format!("--ttir-to-{chip}-pipeline={options}fusion={fusion}");
    translate(&name, &lower(&[&pipeline], &name, &graphs))
}

/// Runs each program on a device and checks that every operation is within its bound.
fn judged<'a, D: Device + 'a>(
    binary: &'a Binary,
    mut device: impl FnMut(&'a tessera_program::Program) -> D,
) -> Vec<Vec<Tensor>> {
    let programs = binary.programs.iter();
    programs
        .map(|program| {
            let mut device = device(program);
            judge_on(&mut device, program, &inputs(program, 1))
        })
        .collect()
}

fn on_mncore(binary: &Binary, model: Model) -> Vec<Vec<Tensor>> {
    judged(binary, |program| {
        let options = MncoreOptions {
            model,
            memory_canaries: true,
            ..MncoreOptions::default()
        };
        MncoreDevice::new(binary, program, options)
    })
}

/// The timed model traps on data that has not arrived yet; its results equal those of the fast
/// model.
fn check_mncore(elements: Elements) {
    for batch in batches(7) {
        let binary = compiled(("mncore", ""), elements, batch);
        let found = on_mncore(&binary, Model::Timed);
        let same = found == on_mncore(&binary, Model::Fast);
        assert!(same, "{elements:?} {batch}");
    }
}

#[test]
fn graphs_of_bf16_on_mncore() {
    check_mncore(Elements::Bf16);
}

#[test]
fn graphs_of_singles_on_mncore() {
    check_mncore(Elements::F32);
}

#[test]
fn graphs_with_casts_on_mncore() {
    check_mncore(Elements::Both);
}

#[test]
fn graphs_of_bf16_on_tensix() {
    check_tensix("");
}

#[test]
fn graphs_of_bf16_on_blackhole() {
    check_tensix("mock-system-desc-arch=blackhole ");
}

fn check_tensix(options: &str) {
    for batch in batches(20) {
        let binary = compiled(("tensix", options), Elements::Bf16, batch);
        judged(&binary, |program| {
            let options = TensixOptions {
                padding_canaries: true,
                ..TensixOptions::default()
            };
            TensixDevice::new(&binary, program, options)
                .unwrap_or_else(|error| panic!("{}: {error}", program.name))
        });
    }
}
