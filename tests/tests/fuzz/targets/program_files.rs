//! Program files, damaged after their hashes are computed, so that the damage reaches later checks.

use std::panic::{catch_unwind, AssertUnwindSafe};

use tessera_program::{Binary, ReadError};

use crate::devices::{self, Ttrt};
use crate::listing;
use crate::mutate::{bytes, numbers};
use crate::runner::{Bench, FuzzTarget};
use tessera_test_support::random::Rng;

/// Programs that compile for every chip.
const SEEDS: &[(&str, &str)] = &[
    (
        "relu",
        "func.func @forward(%a: tensor<33x2xbf16>) -> tensor<33x2xbf16> {
  %0 = \"ttir.relu\"(%a) : (tensor<33x2xbf16>) -> tensor<33x2xbf16>
  return %0 : tensor<33x2xbf16>
}
",
    ),
    (
        "softmax",
        "func.func @forward(%a: tensor<7x9xf32>, %b: tensor<9x5xf32>) -> tensor<7x5xf32> {
  %0 = \"ttir.matmul\"(%a, %b) : (tensor<7x9xf32>, tensor<9x5xf32>) -> tensor<7x5xf32>
  %1 = \"ttir.softmax\"(%0) <{dimension = 1 : si32}> : (tensor<7x5xf32>) -> tensor<7x5xf32>
  return %1 : tensor<7x5xf32>
}
",
    ),
    (
        "movements",
        "func.func @forward(%a: tensor<3x4x5xf32>, %b: tensor<6x7xf32>) -> tensor<6x17xf32> {
  %0 = \"ttir.permute\"(%a) <{permutation = array<i64: 1, 0, 2>}>
    : (tensor<3x4x5xf32>) -> tensor<4x3x5xf32>
  %1 = \"ttir.reshape\"(%0) <{shape = [6 : i32, 10 : i32]}>
    : (tensor<4x3x5xf32>) -> tensor<6x10xf32>
  %2 = \"ttir.concat\"(%1, %b) <{dim = 1 : si32}>
    : (tensor<6x10xf32>, tensor<6x7xf32>) -> tensor<6x17xf32>
  return %2 : tensor<6x17xf32>
}
",
    ),
    ("matmul", include_str!("../../../data/matmul.mlir")),
];

struct ProgramFiles {
    whole: Vec<Vec<u8>>,
    ttrt: Ttrt,
}

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let target = ProgramFiles {
        whole: whole(bench),
        ttrt: Ttrt::new(bench),
    };
    Box::new(move |bench, rng| target.case(bench, rng))
}

/// Returns the program files of all seeds, for every pipeline from TTIR that makes one.
pub fn whole(bench: &mut Bench) -> Vec<Vec<u8>> {
    let passes = listing::parse(&bench.printed("ttmlir-opt", &["--list-passes"]));
    let is_pipeline = |name: &str| name.starts_with("ttir-to-") && name.ends_with("-pipeline");
    let pipelines: Vec<_> = passes
        .iter()
        .filter(|pass| is_pipeline(&pass.name))
        .collect();
    let mut found = Vec::new();
    for pipeline in pipelines {
        for (name, text) in SEEDS {
            let [module, compiled, file] =
                ["mlir", "compiled.mlir", "ttnn"].map(|end| format!("{name}.{end}"));
            bench.write(&module, text.as_bytes());
            let flag = format!("--{}", pipeline.name);
            bench.prepare("ttmlir-opt", &[&flag, &module, "-o", &compiled]);
            bench.prepare(
                "ttmlir-translate",
                &["--ttnn-to-flatbuffer", &compiled, "-o", &file],
            );
            let file = bench.read(&file).expect("it was written");
            found.push(without_texts(bench, &file));
        }
    }
    assert!(found.len() > 5, "{} program files", found.len());
    found
}

/// Returns the file without its descriptive texts, where damage is seldom more than invalid UTF-8.
fn without_texts(bench: &mut Bench, file: &[u8]) -> Vec<u8> {
    let mut binary = devices::read(bench, file).expect("it is whole");
    binary.mlir = None;
    for program in &mut binary.programs {
        for operation in &mut program.operations {
            operation.debug_info.clear();
            operation.loc.clear();
        }
    }
    binary.to_bytes().expect("no text is needed")
}

impl ProgramFiles {
    fn case(&self, bench: &mut Bench, rng: &mut Rng) {
        let mut file = self.whole[rng.below(self.whole.len())].clone();
        if rng.percent(40) {
            file = rearranged(bench, rng, &file).unwrap_or(file);
        }
        if rng.percent(75) {
            damage(rng, &mut file);
            if rng.percent(95) {
                mend_hashes(&mut file);
            }
        }
        bench.write("in.ttnn", &file);
        match rng.percent(10) {
            true => {
                let arguments = ["--flatbuffer-to-json", "in.ttnn"].map(str::to_owned);
                bench.run("ttmlir-translate", &arguments);
            }
            false => self.ttrt.on(bench, rng, "in.ttnn"),
        }
    }
}

/// Returns a file with its tensors, operations and kernels changed as values, or `None` if the
/// writer refuses it.
fn rearranged(bench: &mut Bench, rng: &mut Rng, file: &[u8]) -> Option<Vec<u8>> {
    let mut binary = devices::read(bench, file)?;
    for _ in 0..=rng.below(2) {
        let program = rng.below(binary.programs.len());
        let kernels = binary.kernels.len();
        let program = &mut binary.programs[program];
        let tensor = rng.below(program.tensors.len());
        let (one, other) = (
            rng.below(program.operations.len()),
            rng.below(program.operations.len()),
        );
        match rng.below(8) {
            0 => program.operations.swap(one, other),
            1 => drop(program.operations.remove(one)),
            2 => program
                .operations
                .insert(one, program.operations[other].clone()),
            3 => {
                let shape = &mut program.tensors[tensor].shape;
                let at = rng.below(shape.len() + 1);
                let extent = numbers::small(rng).parse().unwrap_or(1);
                match shape.get_mut(at) {
                    Some(place) => *place = extent,
                    None => shape.push(extent),
                }
            }
            4 => {
                let other = rng.below(program.tensors.len());
                program.tensors.swap(tensor, other);
            }
            5 => {
                let other = rng.below(program.tensors.len());
                program.tensors[tensor].data_type = program.tensors[other].data_type;
            }
            6 if kernels > 1 => {
                let (one, other) = (rng.below(kernels), rng.below(kernels));
                binary.kernels.swap(one, other);
            }
            _ => program.outputs.reverse(),
        }
        if program_is_empty(&binary) {
            break;
        }
    }
    match catch_unwind(AssertUnwindSafe(|| binary.to_bytes())) {
        Ok(bytes) => bytes.ok(),
        Err(_) => {
            bench.fail("Binary::to_bytes", "it panicked on a change of in.ttnn");
            None
        }
    }
}

fn program_is_empty(binary: &Binary) -> bool {
    let mut programs = binary.programs.iter();
    programs.any(|program| program.operations.is_empty() || program.tensors.is_empty())
}

/// Bytes of the size prefix, the root offset and the identifier.
const ENVELOPE: usize = 12;

/// Damages a file, mostly without a change of its length, which the size prefix states.
fn damage(rng: &mut Rng, file: &mut Vec<u8>) {
    match rng.percent(92) {
        true => bytes::damage_in_place(rng, &mut file[ENVELOPE..]),
        false => {
            bytes::damage(rng, file);
            if rng.percent(80) && file.len() > ENVELOPE {
                let size = (file.len() - 4) as u32;
                file[..4].copy_from_slice(&size.to_le_bytes());
            }
        }
    }
}

/// Recomputes the content hash of every kernel.
fn mend_hashes(file: &mut [u8]) {
    // One kernel is found wrong at a time, and a file has few.
    for _ in 0..8 {
        let Err(ReadError::KernelHash { named, found, .. }) = Binary::read(file) else {
            return;
        };
        let places = file.windows(named.len().max(1)).enumerate();
        let mut places = places.filter(|(_, part)| *part == named).map(|(at, _)| at);
        match places.next() {
            Some(at) if named.len() == found.0.len() => {
                file[at..][..named.len()].copy_from_slice(&found.0)
            }
            _ => return,
        }
    }
}
