//! A program of one matrix product, by hand: two inputs moved to the device, a kernel group, its result moved back.
#![allow(dead_code)] // no test uses everything

pub mod mncore;

use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Arch;
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

pub fn operation(op: Op) -> Operation {
    Operation {
        op,
        debug_info: String::new(),
        loc: "loc(\"m.mlir\":1:1)".into(),
    }
}

/// The kernel written by hand for one tile.
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
    let product = Op::Matmul(Matmul {
        a: A_DEVICE,
        b: B_DEVICE,
        transpose_a: false,
        transpose_b: false,
        compute_config: Some(ComputeConfig {
            math_fidelity: MathFidelity::HiFi4,
            fp32_dest_acc: true,
        }),
        out: C_DEVICE,
    });
    let mut binary = Binary::new(Arch::WormholeB0);
    let kernel = binary.intern_kernel(Kernel {
        name: "matmul".into(),
        body: KernelBody::Tensix(kernel()),
    });
    let operations = [
        Op::Move {
            kind: MoveKind::ToDevice,
            input: A,
            out: A_DEVICE,
        },
        Op::Move {
            kind: MoveKind::ToDevice,
            input: B,
            out: B_DEVICE,
        },
        Op::Kernel {
            operations: vec![operation(product)],
            outputs: vec![C_DEVICE],
            kernels: vec![KernelRef {
                kernel,
                args: vec![A_DEVICE, B_DEVICE, C_DEVICE],
            }],
        },
        Op::Deallocate { input: A_DEVICE },
        Op::Move {
            kind: MoveKind::FromDevice,
            input: C_DEVICE,
            out: C,
        },
    ];
    binary.programs.push(Program {
        name: "forward".into(),
        private: false,
        tensors,
        inputs: vec![A, B],
        outputs: vec![C],
        operations: operations.into_iter().map(operation).collect(),
    });
    binary.validate().unwrap();
    binary
}

/// The lists of the only kernel.
pub fn lists(binary: &mut Binary) -> &mut Lists {
    let KernelBody::Tensix(body) = &mut binary.kernels[0].body else {
        panic!("the kernel is not one of lists")
    };
    &mut body.lists
}

/// Inputs of a program from a seed.
pub fn inputs(program: &Program, seed: u64) -> Vec<Tensor> {
    let mut source = tessera_runtime::Source::new(tessera_runtime::Init::Randn, seed);
    program
        .inputs
        .iter()
        .map(|&id| source.tensor(program.tensor(id).unwrap()).unwrap())
        .collect()
}
