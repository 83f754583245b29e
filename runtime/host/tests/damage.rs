//! Damaged files that can still be read: running them gives outputs or an error, never a panic.

mod common;

use std::collections::HashSet;

use common::mncore;
use tessera_program::*;
use tessera_runtime::devices::mncore::{MncoreDevice, MncoreOptions};
use tessera_runtime::devices::reference::ReferenceDevice;
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::{run, Golden};
use tessera_test_support::is_long_run;

#[test]
fn no_flip_panics_a_device() {
    let bytes = common::matmul(17, 5, 31).to_bytes().unwrap();
    let mut seen = HashSet::new();
    let (mut ran, mut failed) = (0, 0);
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
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
    assert!(ran > 4 && failed > 3, "{ran} ran, {failed} failed");
}

/// Removes texts that have no effect on a run.
fn forget_texts(binary: &mut Binary) {
    for operation in binary
        .programs
        .iter_mut()
        .flat_map(|program| &mut program.operations)
    {
        operation.loc.clear();
        operation.debug_info.clear();
        if let Op::Kernel(group) = &mut operation.op {
            for operation in &mut group.operations {
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

/// Flips bits in units and layouts of a kernel for MN-Core 2, and updates the hash that would
/// reveal it.
#[test]
fn turned_bits_never_panic_the_board() {
    let form = mncore::Form::singles(
        &[7, 9],
        DataType::F32,
        "r[7]:(g:4,a:2) c[9]:(w:2,a:8*2) @DRAM+0",
    );
    let whole = mncore::binary_of(&form, &mncore::sum());
    let cases = if is_long_run() { 20_000 } else { 600 };
    let mut random = numbers(0x51ed_270b_9d2c_6a13);
    let (mut refused, mut ran, mut failed) = (0, 0, 0);
    for case in 0..cases {
        let mut binary = whole.clone();
        let KernelBody::Mncore(body) = &mut binary.kernels[0].body else {
            panic!("the kernel is not one for MN-Core 2")
        };
        if case % 3 == 0 {
            let tensor = &mut body.tensors[random(3)];
            let mut text = tensor.layout.to_string().into_bytes();
            let at = random(text.len());
            text[at] ^= 1 << random(6);
            match String::from_utf8(text).ok().and_then(|t| t.parse().ok()) {
                Some(layout) => tensor.layout = layout,
                None => continue,
            }
        } else {
            let at = random(body.units.len());
            body.units[at] ^= 1 << random(8);
        }
        if binary.validate().is_err() || moves_too_much(&binary) {
            refused += 1;
            continue;
        }
        let program = &binary.programs[0];
        let mut device = MncoreDevice::new(&binary, program, MncoreOptions::default());
        match run(&mut device, program, common::inputs(program, 1), None) {
            Ok(_) => ran += 1,
            Err(_) => failed += 1,
        }
    }
    assert!(
        refused > cases / 20 && ran > cases / 20 && failed > cases / 60,
        "{refused} refused, {ran} ran, {failed} failed"
    );
}

/// Returns whether a transfer accesses more memory than the test machine has: DRAM has 16 GiB.
fn moves_too_much(binary: &Binary) -> bool {
    use tessera_isa_mncore::StatementKind;
    let KernelBody::Mncore(body) = &binary.kernels[0].body else {
        return false;
    };
    let mut statements = body.statements().expect("it was validated");
    statements.any(
        |found| match found.expect("it was validated").statement.kind {
            StatementKind::Mv(mv) => mv.transfer.is_some_and(|transfer| transfer.words > 1 << 20),
            _ => false,
        },
    )
}

/// Returns a generator of random numbers below a bound.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}
