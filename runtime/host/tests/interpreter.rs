//! Tile kernels on the interpreter: a product whose sums a vector kernel rounds and stores.

mod common;

use common::*;
use tessera_program::*;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Compute, Direction, Element, Group, OpKind, Pipe, Split, TensorType, TileType,
};
use tessera_pto::target::{Placement, Ring};
use tessera_reference::Tensor;
use tessera_runtime::devices::interpreter::InterpreterDevice;
use tessera_runtime::{run, Golden, RunError};

const SUM: TileType = TileType::full(8, 8, Element::F32);
const BF16: TileType = TileType::full(8, 8, Element::Bf16);

/// `C = A @ B`: a cube kernel pushes sums, a vector kernel pops, rounds and stores them.
fn group(m: u64, k: u64, n: u64) -> Group {
    let tensors = [[m, k], [k, n], [m, n]].map(|shape| TensorType {
        matrices: 1,
        rows: shape[0] as u32,
        columns: shape[1] as u32,
        element: Element::Bf16,
    });
    let [rows, depth, columns] = [m, k, n].map(|extent| extent.div_ceil(8) as i64);
    let cube = Builder::kernel("cube", |cube| {
        cube.repeat(rows, |cube, row| {
            cube.repeat(columns, |cube, column| {
                let zero = cube.compute(Compute::Fill(0.0), &[], SUM);
                let sum = cube.repeat_carrying(depth, &[zero], |cube, k, sum| {
                    let a = cube.load(0, row, k, BF16);
                    let b = cube.load(1, k, column, BF16);
                    vec![cube.compute(Compute::MatmulAcc, &[sum[0], a, b], SUM)]
                });
                cube.push(0, sum[0]);
            });
        });
    });
    let vector = Builder::kernel("vector", |vector| {
        vector.repeat(rows, |vector, row| {
            vector.repeat(columns, |vector, column| {
                let sum = vector.pop(0, SUM);
                let rounded = vector.compute(Compute::Convert, &[sum], BF16);
                vector.free(0, sum);
                vector.store(2, rounded, row, column);
            });
        });
    });
    Group {
        tensors: tensors.to_vec(),
        pipes: vec![Pipe {
            name: "sums".into(),
            direction: Direction::CubeToVector,
            slots: 2,
            split: Split::None,
            cube: 0,
            vector: vec![1],
            ring: Ring::default(),
        }],
        kernels: vec![cube, vector],
        locations: vec!["m.mlir:7:1".into()],
        placement: Placement::default(),
    }
}

/// Returns the program of the product, after `change` of its group.
fn product(m: u64, k: u64, n: u64, change: impl FnOnce(&mut Group)) -> Binary {
    let mut binary = matmul(m, k, n);
    let mut group = group(m, k, n);
    change(&mut group);
    binary.kernels[0].body = KernelBody::Pto(PtoGroups {
        inputs: 2,
        groups: vec![group],
    });
    binary.validate().unwrap();
    binary
}

fn numbers(shape: [u64; 2]) -> Tensor {
    let values: Vec<f64> = (0..shape[0] * shape[1])
        .map(|index| ((index * 37 + 11) % 61) as f64 / 8.0 - 3.5)
        .collect();
    Tensor::from_f64s(shape.to_vec(), DataType::BF16, &values).unwrap()
}

fn run_product(
    binary: &Binary,
    [m, k, n]: [u64; 3],
    schedule_seed: Option<u64>,
) -> Result<(Tensor, bool), RunError> {
    let program = &binary.programs[0];
    let mut device = InterpreterDevice::new(binary, program, schedule_seed);
    let mut golden = Golden::new(program);
    let inputs = vec![numbers([m, k]), numbers([k, n])];
    let mut outputs = run(&mut device, program, inputs, Some(&mut golden))?;
    let pass = golden.pass() && !golden.reports().is_empty();
    Ok((outputs.remove(0), pass))
}

#[test]
fn products_keep_their_bounds_under_every_schedule() {
    for extents in [[1, 1, 1], [8, 8, 8], [20, 30, 9], [32, 17, 32]] {
        let [m, k, n] = extents;
        let binary = product(m, k, n, |_| ());
        let (greedy, pass) = run_product(&binary, extents, None).unwrap();
        assert!(pass, "{extents:?}");
        for seed in 0..100 {
            let (other, _) = run_product(&binary, extents, Some(seed)).unwrap();
            assert_eq!(other, greedy, "{extents:?} seed {seed}");
        }
    }
}

/// Checks the error of a run after `change` of the group.
#[track_caller]
fn check(change: impl FnOnce(&mut Group), expect: &str) {
    let binary = product(20, 8, 8, change);
    let error = run_product(&binary, [20, 8, 8], None).expect_err(expect);
    let place = "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel 'matmul': ";
    assert_eq!(error.to_string(), format!("{place}{expect}"));
}

/// Returns the operations of a kernel's innermost loop over the result.
fn innermost(group: &mut Group, kernel: usize) -> &mut Vec<tessera_pto::kernel::Op> {
    let mut region = &mut group.kernels[kernel].body;
    for _ in 0..2 {
        let last = region.ops.last_mut().unwrap();
        let OpKind::For(body) = &mut last.kind else {
            panic!("a kernel is two loops")
        };
        region = body;
    }
    &mut region.ops
}

#[test]
fn errors_of_a_run_name_their_locations() {
    check(
        |group| {
            innermost(group, 1).retain(|op| !matches!(op.kind, OpKind::Free { .. }));
        },
        "deadlock:\n  kernel cube at m.mlir:7:1, iteration [2, 0] waits for a free slot of pipe \
         sums from vector (2 pushed, 2 popped, 0 freed, 2 slots)\n  kernel vector at m.mlir:7:1, \
         iteration [2, 0] waits for a tile of pipe sums from cube (2 pushed, 2 popped, 0 freed, 2 \
         slots)",
    );
    check(
        |group| {
            let ops = innermost(group, 1);
            let free = ops.iter().position(|op| matches!(op.kind, OpKind::Free { .. }));
            ops.swap(free.unwrap() - 1, free.unwrap());
        },
        "kernel vector at m.mlir:7:1, iteration [0, 0]: tile 0 of pipe sums is used after its slot \
         was freed",
    );
}

#[test]
fn unwritten_elements_are_nan() {
    let binary = product(20, 8, 8, |group| {
        innermost(group, 1).retain(|op| !matches!(op.kind, OpKind::Store { .. }));
    });
    let (result, pass) = run_product(&binary, [20, 8, 8], None).unwrap();
    assert!(!pass && result.to_f64s().iter().all(|value| value.is_nan()));
}

#[test]
fn other_kernels_are_not_run() {
    let binary = matmul(8, 8, 8);
    let error = run_product(&binary, [8, 8, 8], None).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "the group has no kernels over tiles: compile the module with ttmlir-opt \
             --ttir-to-tensix-pipeline, or run it with --device reference"
        ),
        "{error}"
    );
    let mut binary = product(8, 8, 8, |_| ());
    let program = &mut binary.programs[0];
    let operations = &mut program.operations;
    operations[GROUP] = common::group(&mut operations[GROUP]).operations[0].clone();
    let error = run_product(&binary, [8, 8, 8], None).unwrap_err();
    assert!(
        error.to_string().contains("matmul has no kernel"),
        "{error}"
    );
}
