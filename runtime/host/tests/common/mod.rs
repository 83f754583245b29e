//! A hand-written program of one matrix product: two inputs moved to the device, a kernel group,
//! its result moved back.
#![allow(dead_code)] // no test uses everything

pub mod mncore;

use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Arch;
use tessera_ops::{AttributeValue, ComputeConfig, MathFidelity};
use tessera_program::*;
use tessera_reference::Tensor;

/// Ids of [`matmul`]: inputs, their copies on the device, the product there and on the host.
pub const A: GlobalId = 0;
pub const B: GlobalId = 1;
pub const A_DEVICE: GlobalId = 2;
pub const B_DEVICE: GlobalId = 3;
pub const C_DEVICE: GlobalId = 4;
pub const C: GlobalId = 5;
/// Index of the kernel group.
pub const GROUP: usize = 2;

pub fn tensor(shape: &[u64], memory: MemorySpace) -> TensorDesc {
    let layout = if memory == MemorySpace::System {
        Layout::RowMajor
    } else {
        Layout::Tile
    };
    TensorDesc {
        name: None,
        shape: shape.to_vec(),
        data_type: DataType::BF16,
        layout,
        memory,
    }
}

/// Returns an operation of the table.
pub fn op(name: &str, inputs: &[GlobalId], outputs: &[GlobalId]) -> TensorOp {
    TensorOp::new(name, inputs, outputs).expect(name)
}

pub fn operation(op: impl Into<Op>) -> Operation {
    Operation {
        op: op.into(),
        debug_info: String::new(),
        loc: "loc(\"m.mlir\":1:1)".into(),
    }
}

/// Returns the hand-written kernel for one tile.
pub fn kernel() -> TensixLists {
    let text = include_str!("../../../tensix/tests/programs/matmul_one_tile.tensix");
    TensixLists {
        arch: Arch::WormholeB0,
        inputs: 2,
        outputs: 1,
        l1_end: 0x1b000,
        lists: text.parse().unwrap(),
    }
}

/// `C = A @ B` of `m` by `k` and `k` by `n`, each at most 32, on the kernel above.
pub fn matmul(m: u64, k: u64, n: u64) -> Binary {
    use MemorySpace::{Dram, System};
    let shapes = [[m, k], [k, n], [m, k], [k, n], [m, n], [m, n]];
    let memories = [System, System, Dram, Dram, Dram, System];
    let tensors = shapes
        .iter()
        .zip(memories)
        .map(|(shape, memory)| tensor(shape, memory))
        .collect();
    let product = op("matmul", &[A_DEVICE, B_DEVICE], &[C_DEVICE]);
    let product = product.with("compute_config", compute_config(MathFidelity::HiFi4));
    let mut binary = Binary::new(Arch::WormholeB0);
    let kernel = binary.intern_kernel(Kernel {
        name: "matmul".into(),
        body: KernelBody::Tensix(kernel()),
    });
    let operations = vec![
        operation(op("to_device", &[A], &[A_DEVICE])),
        operation(op("to_device", &[B], &[B_DEVICE])),
        operation(KernelOp {
            operations: vec![operation(product)],
            outputs: vec![C_DEVICE],
            kernels: vec![KernelRef {
                kernel,
                args: vec![A_DEVICE, B_DEVICE, C_DEVICE],
            }],
        }),
        operation(op("deallocate", &[A_DEVICE], &[])),
        operation(op("from_device", &[C_DEVICE], &[C])),
    ];
    binary.programs.push(Program {
        name: "forward".into(),
        private: false,
        tensors,
        inputs: vec![A, B],
        cached: vec![],
        outputs: vec![C],
        operations,
    });
    binary.validate().unwrap();
    binary
}

/// Returns the kernel group of an operation.
pub fn group(operation: &mut Operation) -> &mut KernelOp {
    match &mut operation.op {
        Op::Kernel(group) => group,
        Op::Tensor(op) => panic!("'{}' is not a group", op.op),
    }
}

/// Returns the attribute for the precision of a matrix product.
pub fn compute_config(math_fidelity: MathFidelity) -> AttributeValue {
    AttributeValue::ComputeConfig(ComputeConfig {
        math_fidelity,
        fp32_dest_acc: true,
    })
}

/// Returns the instruction lists of the only kernel.
pub fn lists(binary: &mut Binary) -> &mut Lists {
    let KernelBody::Tensix(body) = &mut binary.kernels[0].body else {
        panic!("the kernel is not one of lists")
    };
    &mut body.lists
}

/// Returns random inputs of a program.
pub fn inputs(program: &Program, seed: u64) -> Vec<Tensor> {
    let mut source = tessera_runtime::Source::new(tessera_runtime::Init::Randn, seed);
    program
        .inputs
        .iter()
        .map(|&id| source.tensor(program.tensor(id).unwrap()).unwrap())
        .collect()
}
