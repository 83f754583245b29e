//! A small file that uses every table of the schema.

mod groups;
pub mod mncore;

use std::sync::Arc;

use tessera_isa_tensix::tile::Argument;
use tessera_isa_tensix::Arch;
use tessera_ops::{AttributeValue, ComputeConfig, MathFidelity};
use tessera_program::*;

pub use groups::groups;
pub use mncore::mncore;

pub fn tensor(shape: &[u64], data_type: DataType, memory: MemorySpace) -> TensorDesc {
    let layout = if memory == MemorySpace::System {
        Layout::RowMajor
    } else {
        Layout::Tile
    };
    TensorDesc {
        name: None,
        shape: shape.to_vec(),
        data_type,
        layout,
        memory,
    }
}

/// Returns an operation of the table.
pub fn op(name: &str, inputs: &[GlobalId], outputs: &[GlobalId]) -> TensorOp {
    TensorOp::new(name, inputs, outputs).expect(name)
}

pub fn operation(op: impl Into<Op>) -> Operation {
    let op = op.into();
    let debug_info = format!("\"ttnn.{}\"()", op.name());
    Operation {
        op,
        debug_info,
        loc: "loc(\"model.mlir\":3:8)".into(),
    }
}

pub fn lists() -> TensixLists {
    TensixLists {
        arch: Arch::WormholeB0,
        inputs: 3,
        outputs: 1,
        l1_end: 0x1a000,
        lists: "
            .unpack
                .wait 0, 3
                ttreplay 16, 16, 0, 1
                .mopcfg 8, 0xffffffff
                .wait_mop
            .math
                .sem_poll 1, 2
                .sem_get 7
                .word 0
            .pack
                .sem_post 1
                .wait_idle
                .post 1
            .dm
                .read 0, 5, 0x18000
                .post 0
                .wait 1, 1
                .write 3, 0, 0x19000
            "
        .parse()
        .unwrap(),
    }
}

pub fn kernel() -> Kernel {
    Kernel {
        name: "linear_relu".into(),
        body: KernelBody::Tensix(lists()),
    }
}

/// Returns a kernel of RISC-V images on a cluster of two tiles, with every kind of argument, a
/// pushed word, and an image that several cores share.
pub fn images() -> TensixImages {
    let image = |words: &[u32], steps: &[(u32, u32)]| {
        let steps = steps
            .iter()
            .map(|&(word, operation)| Step { word, operation });
        Arc::new(Image::new(words.to_vec(), steps.collect()))
    };
    let halt = image(&[0x0000_006f], &[]);
    let core = |image: &Arc<Image>, arguments: &[Argument], places: &[u32]| CoreImage {
        image: image.clone(),
        arguments: arguments.to_vec(),
        places: places.to_vec(),
    };
    // `addi x10, x0, 1`; what pushes the word of the lists' replay; a jump to itself.
    let pushes = image(
        &[0x0010_0513, 0x0404_0101_u32.rotate_left(2), 0x0000_006f],
        &[(0, 0), (1, 1)],
    );
    let last = image(&[0xffff_ffff, 0x0000_006f], &[(0, 0)]);
    let everything = [
        Argument::Base(3),
        Argument::Imm(17),
        Argument::First,
        Argument::Last,
        Argument::Peer(1),
    ];
    TensixImages {
        arch: Arch::WormholeB0,
        inputs: 3,
        outputs: 1,
        work: 12,
        tiles: vec![
            [
                core(&halt, &[], &[]),
                core(&pushes, &everything, &[1, 0]),
                core(&halt, &[Argument::First], &[]),
                core(&halt, &[], &[]),
                core(&last, &[], &[1]),
            ],
            std::array::from_fn(|_| core(&halt, &[], &[])),
        ],
        rings: vec![TileRing {
            consumer: 1,
            ready: 4,
            producer: 0,
            freed: 6,
        }],
        grid: None,
        places: vec!["model.mlir:3:8".into(), "model.mlir:1:1".into()],
    }
}

/// `y = relu(x @ w + b)` as a kernel group, with every other operation around it.
pub fn sample() -> Binary {
    use DataType::{BF16, SI32};
    use MemorySpace::{Dram, System, L1};
    let mut program = Program {
        name: "forward".into(),
        private: false,
        tensors: vec![],
        inputs: vec![],
        cached: vec![],
        outputs: vec![],
        operations: vec![],
    };
    let host = |shape: &[u64]| tensor(shape, BF16, System);
    let x = program.add_tensor(TensorDesc {
        name: Some("x".into()),
        ..host(&[2, 3])
    });
    let w = program.add_tensor(host(&[5, 3]));
    let x_device = program.add_tensor(tensor(&[2, 3], BF16, Dram));
    let w_device = program.add_tensor(tensor(&[5, 3], BF16, Dram));
    let bias = program.add_tensor(tensor(&[5], BF16, Dram));
    let sum = program.add_tensor(tensor(&[2, 5], BF16, Dram));
    let y = program.add_tensor(tensor(&[2, 5], BF16, Dram));
    let y_l1 = program.add_tensor(tensor(&[2, 5], BF16, L1));
    let y_tiled = program.add_tensor(tensor(&[2, 5], BF16, System));
    let one = program.add_tensor(host(&[]));
    let plus = program.add_tensor(host(&[2, 5]));
    let plain = program.add_tensor(host(&[2, 2]));
    let ints = program.add_tensor(tensor(&[2, 5], SI32, System));
    let scratch = program.add_tensor(host(&[1]));
    program.inputs = vec![x, w];
    program.outputs = vec![plus, ints, plain];
    let config = AttributeValue::ComputeConfig(ComputeConfig {
        math_fidelity: MathFidelity::HiFi4,
        fp32_dest_acc: true,
    });
    let linear = op("linear", &[x_device, w_device, bias], &[sum]);
    let linear = linear.with_flag("transpose_b");
    let group = vec![
        operation(linear.with("compute_config", config)),
        operation(op("relu", &[sum], &[y])),
    ];
    let mut binary = Binary::new(Arch::WormholeB0);
    let kernel = binary.intern_kernel(kernel());
    binary.intern_kernel(Kernel {
        name: "images".into(),
        body: KernelBody::TensixImages(Box::new(images())),
    });
    let tiles = binary.intern_kernel(Kernel {
        name: "tiles".into(),
        body: KernelBody::Pto(groups()),
    });
    let board = binary.intern_kernel(Kernel {
        name: "board".into(),
        body: KernelBody::Mncore(mncore()),
    });
    let data = vec![0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xbf];
    let kernel_refs = [kernel, tiles, board].map(|kernel| KernelRef {
        kernel,
        args: vec![x_device, w_device, bias, y],
    });
    program.operations = vec![
        operation(op("get_device", &[], &[])),
        operation(op("to_device", &[x], &[x_device])),
        operation(op("to_device", &[w], &[w_device])),
        operation(op("constant", &[], &[bias]).with("value", AttributeValue::Bytes(data))),
        operation(KernelOp {
            operations: group,
            outputs: vec![y],
            kernels: kernel_refs.to_vec(),
        }),
        operation(op("deallocate", &[x_device], &[])),
        operation(op("to_memory_config", &[y], &[y_l1])),
        operation(op("from_device", &[y_l1], &[y_tiled])),
        operation(op("full", &[], &[one]).with("fill_value", AttributeValue::Float(1.0))),
        operation(op("add", &[y_tiled, one], &[plus])),
        operation(op("matmul", &[x, x], &[plain]).with_flag("transpose_b")),
        operation(op("typecast", &[plus], &[ints])),
        operation(op("empty", &[], &[scratch])),
    ];
    binary.mlir = Some(Mlir {
        name: "ttnn".into(),
        source: "module {}\n".into(),
    });
    binary.programs.push(program);
    binary
}
