//! Runs on the reference device: inputs, programs, comparisons.

mod common;

use common::*;
use tessera_ops::MathFidelity;
use tessera_program::*;
use tessera_reference::Tensor;
use tessera_runtime::devices::reference::ReferenceDevice;
use tessera_runtime::golden::Bound;
use tessera_runtime::{run, select_program, Golden};

fn refusal(binary: &Binary, inputs: Vec<Tensor>) -> String {
    let program = &binary.programs[0];
    run(&mut ReferenceDevice::new(program), program, inputs, None)
        .unwrap_err()
        .to_string()
}

#[test]
fn inputs_are_checked() {
    let binary = matmul(2, 3, 4);
    let tensor = |shape: &[u64], data_type| {
        Tensor::new(
            shape.to_vec(),
            data_type,
            vec![0; shape.iter().product::<u64>() as usize * data_type.size()],
        )
        .unwrap()
    };
    let a = tensor(&[2, 3], DataType::BF16);
    assert_eq!(
        refusal(&binary, vec![a.clone()]),
        "program 'forward': it takes 2 inputs, but 1 were given: 2x3xbf16, 3x4xbf16"
    );
    assert_eq!(
        refusal(&binary, vec![a.clone(), tensor(&[4, 3], DataType::BF16)]),
        "program 'forward', input 1: it is a 3x4xbf16 tensor, but a 4x3xbf16 tensor was given"
    );
    assert_eq!(
        refusal(&binary, vec![a, tensor(&[3, 4], DataType::F32)]),
        "program 'forward', input 1: it is a 3x4xbf16 tensor, but a 3x4xf32 tensor was given"
    );
}

#[test]
fn programs_are_chosen() {
    let mut binary = matmul(2, 3, 4);
    assert_eq!(select_program(&binary, None).unwrap().name, "forward");
    let second = Program {
        name: "second".into(),
        ..binary.programs[0].clone()
    };
    let hidden = Program {
        name: "hidden".into(),
        private: true,
        ..second.clone()
    };
    binary.programs.extend([second, hidden]);
    assert_eq!(
        select_program(&binary, Some("second")).unwrap().name,
        "second"
    );
    let text = |name| select_program(&binary, name).unwrap_err();
    assert_eq!(
        text(None),
        "the file has several programs, 'forward', 'second': choose one with --program"
    );
    assert_eq!(
        text(Some("hidden")),
        "the file has no program 'hidden' that can be run; it has: 'forward', 'second'"
    );
    binary.programs.clear();
    assert_eq!(
        select_program(&binary, None).unwrap_err(),
        "the file has no program that can be run"
    );
}

/// The reference agrees with itself except for rounding, which the bound of a product allows.
#[test]
fn reference_keeps_its_own_bounds() {
    let mut binary = matmul(20, 30, 10);
    let program = &mut binary.programs[0];
    let shape = [20, 10];
    let mut next = |name, inputs: &[GlobalId]| {
        let out = program.add_tensor(tensor(&shape, MemorySpace::System));
        program.operations.push(operation(op(name, inputs, &[out])));
        out
    };
    let negated = next("neg", &[C]);
    next("add", &[negated, C]);
    next("empty", &[]);
    let program = &binary.programs[0];
    let mut golden = Golden::new(program);
    run(
        &mut ReferenceDevice::new(program),
        program,
        inputs(program, 5),
        Some(&mut golden),
    )
    .unwrap();
    let reports: Vec<_> = golden
        .reports()
        .iter()
        .map(|report| (report.name.as_str(), report.bound, report.pass))
        .collect();
    assert_eq!(
        reports,
        [
            ("to_device", Bound::Exact, true),
            ("to_device", Bound::Exact, true),
            ("matmul", Bound::Matmul, true),
            ("from_device", Bound::Exact, true),
            ("neg", Bound::OneUlp, true),
            ("add", Bound::OneUlp, true),
        ]
    );
    let sum = &golden.reports()[5];
    assert!(sum.isolated.equal && sum.chained.equal && sum.used == 0.0);
    assert_eq!(sum.isolated.pcc, None, "the sum is 0 everywhere");
}

#[test]
fn operations_without_a_bound_are_not_compared() {
    let judge = |binary: &Binary| {
        let program = &binary.programs[0];
        let mut golden = Golden::new(program);
        let error = run(
            &mut ReferenceDevice::new(program),
            program,
            inputs(program, 5),
            Some(&mut golden),
        );
        error.unwrap_err().to_string()
    };
    let mut binary = matmul(2, 3, 4);
    let local = binary.programs[0].add_tensor(tensor(&[2, 3], MemorySpace::Dram));
    let operations = &mut group(&mut binary.programs[0].operations[GROUP]).operations;
    let product = op("matmul", &[local, B_DEVICE], &[C_DEVICE]);
    let product = product.with("compute_config", compute_config(MathFidelity::LoFi));
    *operations = vec![
        operation(op("relu", &[A_DEVICE], &[local])),
        operation(product),
    ];
    let place = "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): ";
    assert_eq!(
        judge(&binary),
        format!(
            "{place}a matrix product at lofi of what its own kernel computes has no error bound: \
             compile it with hifi4 or fusion=none, or run without --golden"
        )
    );
}

#[test]
fn groups_are_judged_by_what_is_in_them() {
    let mut binary = matmul(2, 3, 4);
    let local = binary.programs[0].add_tensor(tensor(&[2, 4], MemorySpace::Dram));
    let operations = &mut group(&mut binary.programs[0].operations[GROUP]).operations;
    operations.push(operation(op("relu", &[C_DEVICE], &[local])));
    let program = &binary.programs[0];
    let mut golden = Golden::new(program);
    let mut device = ReferenceDevice::new(program);
    run(&mut device, program, inputs(program, 5), Some(&mut golden)).unwrap();
    let report = golden
        .reports()
        .iter()
        .find(|report| report.operation == GROUP)
        .unwrap();
    assert_eq!(report.name, "matmul + relu");
    assert_eq!((report.bound, report.pass), (Bound::Group, true));
    assert!(report.used > 0.0, "bf16 rounds something");
}
