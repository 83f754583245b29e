//! Every element-wise function as tile kernels on the interpreter, with every fusion mode: floats
//! within their bounds, integers bit for bit as on the reference device.
//!
//! `TESSERA_LONG_TESTS=1` tests every mode and type instead of a few.

use tessera_program::{Binary, DataType, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::run;

use crate::bench::{inputs, judge_on, lower, on_reference, translate};
use crate::models::some;
use tessera_test_support::random::Rng;

pub const FUNCTIONS: &str = include_str!("../../data/functions.mlir");
pub const INTEGERS: &str = include_str!("../../data/integers.mlir");
pub const TRANSPOSED: &str = include_str!("../../data/transposed.mlir");

/// The fusion modes.
const FUSIONS: &[&str] = &["all", "epilogue", "auto", "none"];

/// Element types. The first is not rounded between kernels.
const ELEMENTS: &[&str] = &["f32", "bf16"];

/// Compiles functions for the interpreter, and a chip that supports all element types.
fn compile(name: &str, ttir: &str, fusion: &str) -> Binary {
    let name = format!("functions_{name}_{fusion}");
    let pto = format!("--convert-ttnn-to-pto=target=mncore fusion={fusion}");
    let flags = [
        "--ttir-to-ttnn-runtime-pipeline",
        &pto,
        "--pto-expand-mixed-kernel",
        "--pto-check-pipes",
    ];
    translate(&name, &lower(&flags, &name, ttir))
}

#[test]
fn functions_are_within_their_bounds() {
    for fusion in some(FUSIONS, 2) {
        for element in some(ELEMENTS, 2) {
            let ttir = FUNCTIONS.replace("x?>", &format!("x{element}>"));
            let binary = compile(element, &ttir, fusion);
            for program in &binary.programs {
                let mut device = InterpreterDevice::new(&binary, program, None);
                judge_on(&mut device, program, &inputs(program, 1));
            }
        }
    }
}

/// Returns integers of the whole range, small ones, and shift amounts.
pub fn integers(program: &Program, seed: u64) -> Vec<Tensor> {
    let mut rng = Rng::new(seed);
    let descs = program.inputs.iter().filter_map(|&id| program.tensor(id));
    descs
        .map(|desc| {
            let mut element = || match (desc.data_type, rng.below(3)) {
                (DataType::F32, _) => rng.below(4001) as f64 / 1000.0 - 2.0,
                (_, 0) => f64::from(rng.below(1 << 32) as u32 as i32),
                (_, 1) => f64::from(rng.below(5) as i32 - 2),
                _ => f64::from(rng.below(34) as i32),
            };
            let elements = desc.shape.iter().product::<u64>();
            let values: Vec<f64> = (0..elements).map(|_| element()).collect();
            Tensor::from_f64s(desc.shape.clone(), desc.data_type, &values)
                .expect("the values are such as the type has")
        })
        .collect()
}

#[test]
fn integers_match_the_reference() {
    for fusion in some(FUSIONS, 1) {
        let binary = compile("integers", INTEGERS, fusion);
        for program in &binary.programs {
            let given = integers(program, 1);
            let expect = on_reference(program, &given);
            let mut device = InterpreterDevice::new(&binary, program, None);
            judge_on(&mut device, program, &given);
            if expect.iter().all(|one| one.data_type() == DataType::SI32) {
                let found = run(&mut device, program, given, None);
                let found = found.unwrap_or_else(|error| panic!("{}: {error}", program.name));
                assert!(found == expect, "{}", program.name);
            }
        }
    }
}
