//! Groups compiled for MN-Core 2, written to a program file, read back, and run on the timed model.
//! Every kernel is within the error bounds of its operations, and all models give the same results.

#[path = "../../../passes/mncore-code/tests/compile/groups.rs"]
#[allow(dead_code)]
mod groups;

mod common;

use common::{inputs, op, operation, tensor};
use groups::{matrices, over_tiles, product, singles, TILE};
use tessera_isa_mncore::layout::ElementBits;
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::word::Mode;
use tessera_isa_tensix::Arch;
use tessera_mncore_code::compile::{compile, Options, PrecisionChoice};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_program::{
    Binary, GlobalId, Kernel, KernelBody, KernelOp, KernelRef, MemorySpace, MncoreProgram,
    MncoreStorage, MncoreTensor, Program, TensorDesc, TensorOp,
};
use tessera_pto::kernel::{self as pto, Broadcast, Compute, Element, Group, TensorType, Unary};
use tessera_runtime::devices::mncore::{Figures, MncoreDevice, MncoreOptions, Model};
use tessera_runtime::{run, Golden};
use tessera_test_support::is_long_run;

const PRECISIONS: [Precision; 4] = [
    Precision::Half,
    Precision::Pseudo,
    Precision::Single,
    Precision::Double,
];

/// Compiles a group for MN-Core 2; returns the kernel and its arguments.
fn kernel(group: &Group, options: &Options) -> (Kernel, Vec<GlobalId>) {
    let kernel = compile(group, options).unwrap_or_else(|error| panic!("{error}"));
    let (program, _) = kernel.program().unwrap_or_else(|error| panic!("{error}"));
    let statements = program::statements(&program, IssueOrder::Scheduled);
    let statements = statements.unwrap_or_else(|error| panic!("{error}"));
    let tensors = kernel.tensors.iter().map(|tensor| MncoreTensor {
        tensor: tensor.kind,
        layout: tensor.layout.clone(),
        storage: match tensor.layout.element() {
            ElementBits::Sixteen => MncoreStorage::Bf16,
            _ => MncoreStorage::Single,
        },
        view: tensor.view.clone(),
    });
    let places = vec!["here"; statements.statements.len()];
    let inputs = kernel.inputs as u16;
    let body = MncoreProgram::pack(
        inputs,
        tensors.collect(),
        &statements,
        &places,
        Mode::AutoStride,
    );
    let kernel_of = |body| Kernel {
        name: "compiled".into(),
        body: KernelBody::Mncore(body),
    };
    let ids = kernel.tensors.iter().map(|one| one.argument as GlobalId);
    (kernel_of(body.expect("it has words")), ids.collect())
}

/// Returns a program of the operations that a group implements. Its tensors are those of the group,
/// the last of which is the result, and the intermediate ones of the operations.
fn binary(group: &Group, options: &Options, operations: Vec<TensorOp>) -> Binary {
    let (kernel, args) = kernel(group, options);
    let desc = |tensor: &TensorType| {
        let [matrices, rows, columns] =
            [tensor.matrices, tensor.rows, tensor.columns].map(u64::from);
        let shape = match matrices {
            1 => vec![rows, columns],
            _ => vec![matrices, rows, columns],
        };
        TensorDesc {
            data_type: tensor.element.into(),
            ..tensor_of(&shape)
        }
    };
    let mut tensors: Vec<_> = group.tensors.iter().map(desc).collect();
    let out = tensors.len() as GlobalId - 1;
    let between = operations.len() - 1;
    tensors.extend(vec![tensors[out as usize].clone(); between]);
    let mut binary = Binary::new(Arch::WormholeB0);
    let kernel = binary.intern_kernel(kernel);
    let group = KernelOp {
        operations: operations.into_iter().map(operation).collect(),
        outputs: vec![out],
        kernels: vec![KernelRef { kernel, args }],
    };
    binary.programs.push(Program {
        name: "forward".into(),
        private: false,
        tensors,
        inputs: (0..out).collect(),
        cached: vec![],
        outputs: vec![out],
        operations: vec![operation(group)],
    });
    let bytes = binary.to_bytes().unwrap_or_else(|error| panic!("{error}"));
    Binary::read(&bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn tensor_of(shape: &[u64]) -> TensorDesc {
    tensor(shape, MemorySpace::Dram)
}

/// Runs a program on every model except the slow one, on empty and on filled memories, and checks
/// error bounds.
fn check(name: &str, binary: &Binary) {
    let program = &binary.programs[0];
    let run_on = |model, memory_canaries, golden: Option<&mut Golden<'_>>| {
        let options = MncoreOptions {
            model,
            memory_canaries,
            ..MncoreOptions::default()
        };
        let mut device = MncoreDevice::new(binary, program, options);
        let found = run(&mut device, program, inputs(program, 1), golden);
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        (found, Figures::from_run(&device.kernel_runs()[0]))
    };
    let mut golden = Golden::new(program);
    let (timed, figures) = run_on(Model::Timed, true, Some(&mut golden));
    let report = &golden.reports()[0];
    assert!(report.pass, "{name}: {report:#?}");
    assert_eq!(run_on(Model::Fast, false, None).0, timed, "{name}");
    println!(
        "{name}: {:.3} of the bound, {} cycles, {} steps",
        report.used, figures.cycles, figures.steps
    );
}

/// Checks a product, optionally followed by a bias and a relu.
fn check_product([m, k, n]: [u32; 3], element: Element, relu: bool, precision: Precision) {
    let of = |rows, columns| TensorType {
        element,
        ..singles(rows, columns)
    };
    let mut tensors = vec![of(m, k), of(k, n)];
    if relu {
        tensors.push(of(1, n));
    }
    tensors.push(of(m, n));
    let out = tensors.len() as GlobalId - 1;
    let operations = match relu {
        false => vec![op("matmul", &[0, 1], &[out])],
        true => vec![
            op("linear", &[0, 1, 2], &[out + 1]),
            op("relu", &[out + 1], &[out]),
        ],
    };
    let group = over_tiles(&tensors, |builder, row, column| {
        let sum = product(builder, row, column, k);
        if !relu {
            return sum;
        }
        let zero = builder.constant(0);
        let bias = builder.load(2, zero, column, TILE);
        let add = Compute::Binary(pto::Binary::Add, Broadcast::Row);
        let sum = builder.compute(add, &[sum, bias], TILE);
        builder.unary(Unary::Relu, sum)
    });
    let options = Options {
        precision: PrecisionChoice::Fixed(precision),
        ..Options::default()
    };
    let name = format!(
        "{m}x{k}x{n} {element}{} {}",
        if relu { " + bias, relu" } else { "" },
        options.precision
    );
    check(&name, &binary(&group, &options, operations));
}

#[test]
fn products_keep_their_bound() {
    let long = is_long_run();
    let extents = [1, 3, 16, 31, 32, 100, 256, 1000];
    let all = extents.iter().flat_map(|m| {
        let of_k = extents.iter().map(move |k| (m, k));
        of_k.flat_map(|(m, k)| extents.iter().map(move |n| [*m, *k, *n]))
    });
    let few = [[1, 1, 1], [3, 31, 100], [32, 256, 16], [100, 32, 31]];
    let chosen: Vec<_> = if long { all.collect() } else { few.to_vec() };
    let kinds =
        [Element::F32, Element::Bf16].map(|element| [false, true].map(|relu| (element, relu)));
    let kinds = kinds.as_flattened();
    for (number, extents) in chosen.into_iter().enumerate() {
        for (kind, (element, relu)) in kinds.iter().enumerate() {
            for (which, precision) in PRECISIONS.into_iter().enumerate() {
                // Each is of one kind in each precision, of the few of each kind in one.
                let turn = number + kind + which;
                if turn % 4 == 0 {
                    check_product(extents, *element, *relu, precision);
                }
            }
        }
    }
}

/// relu(x - y) * x, y of one row, one column, one element or as many as x.
#[test]
fn elements_keep_theirs() {
    for (rows, columns, [down, across], broadcast) in [
        (1, 1, [1, 1], Broadcast::None),
        (33, 65, [33, 65], Broadcast::None),
        (100, 31, [1, 31], Broadcast::Row),
        (31, 100, [31, 1], Broadcast::Column),
        (256, 16, [1, 1], Broadcast::Scalar),
    ] {
        for element in [Element::F32, Element::Bf16] {
            let of = |rows, columns| TensorType {
                element,
                ..singles(rows, columns)
            };
            let tensors = [of(rows, columns), of(down, across), of(rows, columns)];
            let group = over_tiles(&tensors, |builder, row, column| {
                let zero = builder.constant(0);
                let x = builder.load(0, row, column, TILE);
                let own = [(down, row), (across, column)];
                let [row, column] = own.map(|(extent, own)| if extent == 1 { zero } else { own });
                let y = builder.load(1, row, column, TILE);
                let subtract = Compute::Binary(pto::Binary::Subtract, broadcast);
                let less = builder.compute(subtract, &[x, y], TILE);
                let less = builder.unary(Unary::Relu, less);
                builder.binary(pto::Binary::Multiply, less, x)
            });
            let operations = vec![
                op("subtract", &[0, 1], &[3]),
                op("relu", &[3], &[4]),
                op("multiply", &[4, 0], &[2]),
            ];
            let name = format!("{rows}x{columns} {element}, {broadcast:?}");
            check(&name, &binary(&group, &Options::default(), operations));
        }
    }
}

/// A single operation on several matrices, whose result equals the reference's in every bit.
#[test]
fn single_operations_are_exact_to_the_last_place() {
    for kind in [
        pto::Binary::Add,
        pto::Binary::Subtract,
        pto::Binary::Multiply,
    ] {
        let tensors = [matrices(3, 17, 40); 3];
        let group = over_tiles(&tensors, |builder, row, column| {
            let [x, y] = [0, 1].map(|tensor| builder.load(tensor, row, column, TILE));
            builder.binary(kind, x, y)
        });
        let operation = op(kind.name(), &[0, 1], &[2]);
        check(
            &kind.to_string(),
            &binary(&group, &Options::default(), vec![operation]),
        );
    }
}
