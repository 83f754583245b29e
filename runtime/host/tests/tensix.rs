//! Programs on the Tensix model, and errors of the device.

mod common;

use common::*;
use tessera_isa_tensix::list::{Entry, Lists};
use tessera_isa_tensix::Arch;
use tessera_isa_tensix::Opcode;
use tessera_ops::AttributeValue;
use tessera_program::*;
use tessera_reference::Tensor;
use tessera_runtime::devices::reference::ReferenceDevice;
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::{run, Device, Golden};

/// Runs the only program on the model.
fn tensix(binary: &Binary, options: TensixOptions) -> Result<Vec<Tensor>, String> {
    let program = &binary.programs[0];
    let mut device =
        TensixDevice::new(binary, program, options).map_err(|error| error.to_string())?;
    run(&mut device, program, inputs(program, 1), None).map_err(|error| error.to_string())
}

fn refusal(binary: &Binary) -> String {
    tensix(binary, TensixOptions::default()).unwrap_err()
}

#[test]
fn matmul_keeps_the_bound() {
    let binary = matmul(32, 32, 32);
    let program = &binary.programs[0];
    let mut device = TensixDevice::new(&binary, program, TensixOptions::default()).unwrap();
    let mut golden = Golden::new(program);
    run(&mut device, program, inputs(program, 1), Some(&mut golden)).unwrap();
    let [run] = device.kernel_runs() else {
        panic!()
    };
    assert_eq!(
        (run.kernel.as_str(), run.stats.count(Opcode::Mvmul)),
        ("matmul", 64)
    );
    let names: Vec<_> = golden
        .reports()
        .iter()
        .map(|report| report.name.as_str())
        .collect();
    assert_eq!(names, ["to_device", "to_device", "matmul", "from_device"]);
    assert!(golden.pass(), "{:#?}", golden.reports());
    let used = golden.reports()[2].used;
    assert!(used > 0.0 && used < 1.0, "{used}");
}

/// The golden comparison detects a kernel with wrong instruction words.
#[test]
fn golden_sees_a_wrong_kernel() {
    let mut binary = matmul(32, 32, 32);
    // One fidelity phase instead of four: the products lose their low bits.
    for entry in &mut lists(&mut binary).math {
        if let Entry::MopCfg { index: 1, value } = entry {
            *value = 1;
        }
    }
    let program = &binary.programs[0];
    let mut device = TensixDevice::new(&binary, program, TensixOptions::default()).unwrap();
    let mut golden = Golden::new(program);
    run(&mut device, program, inputs(program, 1), Some(&mut golden)).unwrap();
    assert!(!golden.pass());
    let report = &golden.reports()[2];
    assert!(
        report.used > 1.0 && report.isolated.pcc.unwrap() > 0.99,
        "{report:#?}"
    );
}

#[test]
fn partial_tiles_give_the_same_with_canaries() {
    for [m, k, n] in [[32, 32, 32], [1, 1, 1], [17, 5, 31], [32, 20, 3]] {
        let binary = matmul(m, k, n);
        let plain = tensix(&binary, TensixOptions::default()).unwrap();
        for schedule_seed in [None, Some(0), Some(1), Some(2)] {
            let options = TensixOptions {
                schedule_seed,
                padding_canaries: true,
                ..TensixOptions::default()
            };
            assert_eq!(
                tensix(&binary, options).unwrap(),
                plain,
                "{m} {k} {n} {schedule_seed:?}"
            );
        }
        let program = &binary.programs[0];
        let reference = run(
            &mut ReferenceDevice::new(program),
            program,
            inputs(program, 1),
            None,
        )
        .unwrap();
        assert_eq!(plain[0].shape(), reference[0].shape());
    }
}

#[test]
fn dirty_padding_is_found() {
    let mut binary = matmul(32, 32, 32);
    // The group says that a 20x20 tensor is filled, but its kernel still writes a whole tile.
    let program = &mut binary.programs[0];
    let local = program.add_tensor(tensor(&[32, 32], MemorySpace::Dram));
    program.tensors[C_DEVICE as usize].shape = vec![20, 20];
    program.tensors[C as usize].shape = vec![20, 20];
    let operations = &mut group(&mut program.operations[GROUP]).operations;
    *operations = vec![
        operation(op("matmul", &[A_DEVICE, B_DEVICE], &[local])),
        operation(op("zeros", &[], &[C_DEVICE])),
    ];
    let text = refusal(&binary);
    let start =
        "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): the kernel left 0x";
    let end = " in the padding of tensor 4, at row 0 and column 20 of its tiles: padding must be \
               +0 at every operation's end";
    assert!(text.starts_with(start) && text.ends_with(end), "{text}");
}

#[test]
fn operations_need_kernels() {
    let mut binary = matmul(32, 32, 32);
    let operations = &mut binary.programs[0].operations;
    operations[GROUP] = group(&mut operations[GROUP]).operations[0].clone();
    assert_eq!(
        refusal(&binary),
        "program 'forward', operation 2 (matmul) at loc(\"m.mlir\":1:1): matmul has no kernel: \
         this device runs kernels and moves tensors, nothing else; compile the module with \
         ttmlir-opt --ttir-to-tensix-pipeline, or run it with --device reference"
    );
    let mut binary = matmul(32, 32, 32);
    group(&mut binary.programs[0].operations[GROUP])
        .kernels
        .clear();
    let text = "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): the group has no \
                kernel for tensix on wormhole_b0: compile the module for that system, or run it \
                with --device reference";
    assert_eq!(refusal(&binary), text);
    let mut binary = matmul(32, 32, 32);
    let KernelBody::Tensix(body) = &mut binary.kernels[0].body else {
        panic!("the kernel is not one of lists")
    };
    body.arch = Arch::Blackhole;
    assert_eq!(refusal(&binary), text);
}

#[test]
fn tensors_the_device_cannot_hold() {
    let with = |change: fn(&mut TensorDesc)| {
        let mut binary = matmul(32, 32, 32);
        binary.programs[0].tensors.iter_mut().for_each(change);
        refusal(&binary)
    };
    assert_eq!(
        with(|desc| desc.data_type = DataType::UI16),
        "tensor 2 is ui16, but this device holds bf16, f32 and si32 only; compile the model with \
         such tensors, or run it with --device reference"
    );
    // Kernels of images may be made for f32 and si32, those of lists are not.
    for (data_type, refused) in [
        ("f32", with(|desc| desc.data_type = DataType::F32)),
        ("si32", with(|desc| desc.data_type = DataType::SI32)),
    ] {
        assert_eq!(
            refused,
            format!(
                "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel 'matmul' \
                 is given tensor 2 of {data_type}, but kernels of lists move bf16 tiles: give it a \
                 bf16 tensor"
            )
        );
    }
    let mut binary = matmul(32, 32, 32);
    binary.programs[0].tensors[C_DEVICE as usize].memory = MemorySpace::L1;
    assert_eq!(
        refusal(&binary),
        "tensor 4 lies in l1, but the runtime places tensors in DRAM and host memory only: give it \
         a dram memory config"
    );
    let mut binary = matmul(32, 32, 32);
    binary.programs[0].tensors[C_DEVICE as usize].memory = MemorySpace::System;
    binary.programs[0].operations.truncate(4);
    binary.programs[0].outputs = vec![C_DEVICE];
    assert_eq!(
        refusal(&binary),
        "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel 'matmul' is given \
         tensor 4, which lies in host memory: kernels read and write DRAM only, so give it a dram \
         memory config"
    );
    let mut binary = matmul(32, 32, 32);
    binary.system_desc = Arch::Blackhole.into();
    assert_eq!(
        refusal(&binary),
        "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): the group has no kernel \
         for tensix on blackhole: compile the module for that system, or run it with --device \
         reference"
    );
}

#[test]
fn kernels_the_core_cannot_run() {
    let with = |change: fn(&mut Lists)| {
        let mut binary = matmul(32, 32, 32);
        change(lists(&mut binary));
        let text = refusal(&binary);
        let place =
            "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel 'matmul'";
        text.strip_prefix(place)
            .unwrap_or_else(|| panic!("{text}"))
            .to_owned()
    };
    let text = with(|lists| lists.pack[1] = Entry::SemPost(8));
    assert_eq!(
        text,
        " (entry numbers count from 0 in its list): pack (T2), entry 1: the entry names semaphore \
         8; there are semaphores 0 to 7"
    );
    let text = with(|lists| lists.math[0] = Entry::Push(u32::MAX));
    assert!(
        text.starts_with(" (entry numbers count from 0 in its list): math (T1), entry 0"),
        "{text}"
    );
    let text = with(|lists| lists.dm.truncate(2));
    assert!(text.contains("deadlock: "), "{text}");
}

#[test]
fn data_movement_is_the_hosts() {
    use MemorySpace::{Dram, System};
    let shape = [2, 3];
    let mut program = Program {
        name: "f".into(),
        private: false,
        tensors: vec![
            tensor(&shape, System),
            TensorDesc {
                layout: Layout::RowMajor,
                ..tensor(&shape, Dram)
            },
            tensor(&shape, Dram),
            tensor(&shape, Dram),
            tensor(&shape, Dram),
            tensor(&shape, Dram),
        ],
        inputs: vec![0],
        cached: vec![],
        outputs: vec![0, 1, 2, 3, 4],
        operations: vec![],
    };
    let constant: Vec<u8> = (0..12).collect();
    let bytes = AttributeValue::Bytes(constant.clone());
    program.operations = vec![
        operation(op("get_device", &[], &[])),
        operation(op("to_device", &[0], &[1])),
        operation(op("to_layout", &[1], &[2])),
        operation(op("constant", &[], &[3]).with("value", bytes)),
        operation(op("full", &[], &[4]).with("fill_value", AttributeValue::Float(2.0))),
        operation(op("empty", &[], &[5])),
    ];
    let mut binary = Binary::new(Arch::WormholeB0);
    binary.programs.push(program);
    binary.validate().unwrap();
    let outputs = tensix(&binary, TensixOptions::default()).unwrap();
    let input = &inputs(&binary.programs[0], 1)[0];
    assert!(outputs[..3].iter().all(|output| output == input));
    assert_eq!(outputs[3].data(), constant);
    assert_eq!(outputs[4].to_f64s(), [2.0; 6]);
    binary.programs[0].outputs = vec![5];
    assert_eq!(
        refusal(&binary),
        "program 'f': tensor 5: DRAM bank 0 was never written at 0x1840"
    );
}

#[test]
fn dram_ends() {
    // 2 GiB each; 1 GiB in each of 12 banks.
    let shape = [1 << 15, 1 << 15];
    let program = Program {
        name: "f".into(),
        private: false,
        tensors: (0..6).map(|_| tensor(&shape, MemorySpace::Dram)).collect(),
        inputs: vec![],
        cached: vec![],
        outputs: vec![],
        operations: (0..6)
            .map(|out| operation(op("empty", &[], &[out])))
            .collect(),
    };
    let mut binary = Binary::new(Arch::WormholeB0);
    binary.programs.push(program);
    assert_eq!(
        refusal(&binary),
        "program 'f', operation 5 (empty) at loc(\"m.mlir\":1:1): tensor 5 needs 178958336 bytes \
         in a row in each DRAM bank of 1073741824 bytes, and there are not that many free: \
         deallocate tensors earlier"
    );
    let operations = &mut binary.programs[0].operations;
    operations.insert(3, operation(op("deallocate", &[1], &[])));
    assert_eq!(tensix(&binary, TensixOptions::default()).unwrap(), []);
}

#[test]
fn unknown_tensors_are_errors() {
    let binary = matmul(2, 3, 4);
    let program = &binary.programs[0];
    let mut device = TensixDevice::new(&binary, program, TensixOptions::default()).unwrap();
    assert_eq!(
        device.read(A).unwrap_err().to_string(),
        "tensor 0 has no value"
    );
    assert_eq!(
        device.read(9).unwrap_err().to_string(),
        "tensor 9 is not declared"
    );
    let group = &program.operations[GROUP];
    assert_eq!(
        device.execute(group).unwrap_err().to_string(),
        "tensor 2 has no value"
    );
    let mut reference = ReferenceDevice::new(program);
    assert_eq!(
        reference.read(A).unwrap_err().to_string(),
        "tensor 0 has no value"
    );
    assert_eq!(
        reference.execute(group).unwrap_err().to_string(),
        "tensor 2 has no value"
    );
}
