//! Damaged files that still read: running them gives outputs or an error, never a panic.

mod common;

use std::collections::HashSet;

use tessera_program::*;
use tessera_runtime::{run, Golden, ReferenceDevice, TensixDevice, TensixOptions};

#[test]
fn random_flips_never_panic_a_device() {
    let bytes = common::matmul(17, 5, 31).to_bytes().unwrap();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut seen = HashSet::new();
    let (mut ran, mut failed) = (0, 0);
    for _ in 0..20_000 {
        let mut damaged = bytes.clone();
        let at = random(bytes.len());
        damaged[at] ^= 1 << random(8);
        let Ok(mut binary) = Binary::read(&damaged) else {
            continue;
        };
        forget_texts(&mut binary);
        if !seen.insert(format!("{:?}{:?}", binary.programs, binary.system_desc)) {
            continue;
        }
        for program in &binary.programs {
            let inputs = || common::inputs(program, 1);
            let mut golden = Golden::new(program);
            let results = [
                run(
                    &mut ReferenceDevice::new(program),
                    program,
                    inputs(),
                    Some(&mut golden),
                )
                .is_ok(),
                TensixDevice::new(&binary, program, TensixOptions::default())
                    .is_ok_and(|mut device| run(&mut device, program, inputs(), None).is_ok()),
            ];
            for result in results {
                *(if result { &mut ran } else { &mut failed }) += 1;
            }
        }
    }
    assert!(ran > 4 && failed > 4, "{ran} ran, {failed} failed");
}

/// Without what has no effect on a run.
fn forget_texts(binary: &mut Binary) {
    for operation in binary
        .programs
        .iter_mut()
        .flat_map(|program| &mut program.operations)
    {
        operation.loc.clear();
        operation.debug_info.clear();
        if let Op::Kernel { operations, .. } = &mut operation.op {
            for operation in operations {
                operation.loc.clear();
                operation.debug_info.clear();
            }
        }
    }
    for program in &mut binary.programs {
        program.name.clear();
        for desc in &mut program.tensors {
            desc.name = None;
        }
    }
}
