//! Cached calls: they are read back, checked, and linked.

mod common;

use common::{op, operation, sample, tensor};
use tessera_program::{Binary, CachedCall, DataType, MemorySpace, Op, Program, TensorDesc};

const NAME: &str = "forward_const_eval_0";

/// Returns the sample with a private program that negates the weights twice, and its call.
fn calling() -> Binary {
    let mut binary = sample();
    let weights = tensor(&[5, 3], DataType::BF16, MemorySpace::System);
    binary.programs.push(Program {
        name: NAME.into(),
        private: true,
        tensors: vec![weights.clone(), weights.clone(), weights.clone()],
        inputs: vec![0],
        cached: vec![],
        outputs: vec![2],
        operations: vec![
            operation(op("neg", &[0], &[1])),
            operation(op("neg", &[1], &[2])),
        ],
    });
    let program = &mut binary.programs[0];
    let weight = program.inputs[1];
    let result = program.add_tensor(weights);
    program.outputs.push(result);
    program.cached.push(CachedCall {
        program: NAME.into(),
        inputs: vec![weight],
        outputs: vec![result],
    });
    binary
}

#[test]
fn calls_are_read_back() {
    let binary = calling();
    let bytes = binary.to_bytes().expect("it is consistent");
    assert_eq!(Binary::read(&bytes).expect("it was written"), binary);
    let json = binary.to_json(tessera_program::Section::All);
    let call = &json["programs"][0]["cached"][0];
    assert_eq!(call["program"], NAME);
    assert_eq!(call["inputs"][0], 1);
}

/// Checks the validation error after a change.
fn check(change: impl FnOnce(&mut Binary), problem: &str) {
    let mut binary = calling();
    change(&mut binary);
    let error = binary.validate().expect_err(problem);
    let name = &binary.programs[0].cached[0].program;
    assert_eq!(
        error.to_string(),
        format!("program 'forward', call of '{name}': {problem}")
    );
}

fn call(binary: &mut Binary) -> &mut CachedCall {
    &mut binary.programs[0].cached[0]
}

#[test]
fn callees_are_checked() {
    check(
        |b| call(b).program = "other".into(),
        "there is no program of this name",
    );
    check(
        |b| call(b).program = "forward".into(),
        "only private programs can be called",
    );
    check(
        |b| b.programs[1].private = false,
        "only private programs can be called",
    );
    check(
        |b| {
            let recursive = call(b).clone();
            b.programs[1].cached.push(recursive);
        },
        "the program makes calls; only programs without calls can be called",
    );
    check(
        |b| {
            b.programs[1]
                .operations
                .push(operation(op("deallocate", &[0], &[])))
        },
        "the program deallocates its input 0, which belongs to the caller",
    );
    for result in [0, 2] {
        check(
            |b| b.programs[1].outputs.push(result),
            &format!(
                "the program returns tensor {result}, which is an input or another result of it"
            ),
        );
    }
}

#[test]
fn tensors_of_calls_are_checked() {
    check(
        |b| call(b).inputs[0] = 2,
        "tensor 2 is no input of the calling program",
    );
    check(
        |b| call(b).inputs.clear(),
        "the program has 1 inputs, but the call has 0",
    );
    check(
        |b| call(b).outputs.push(13),
        "the program has 1 results, but the call has 2",
    );
    check(
        |b| call(b).inputs[0] = 0,
        "tensor 0 is of another type than tensor 0 of the program",
    );
    check(
        |b| b.programs[1].tensors[2].memory = MemorySpace::Dram,
        "tensor 14 is of another type than tensor 2 of the program",
    );
    check(|b| call(b).outputs[0] = 99, "tensor 99 is not declared");
    check(
        |b| {
            let again = call(b).clone();
            b.programs[0].cached.push(again);
        },
        "tensor 14 is defined a second time",
    );
}

#[test]
fn linked_programs_are_bounded() {
    let desc = tensor(&[1], DataType::BF16, MemorySpace::System);
    check(
        |b| b.programs[1].tensors.resize(1 << 20, desc),
        "the calls of the program add more than 1048576 operations and tensors to it",
    );
}

#[test]
fn linking_puts_the_operations_first() {
    let mut binary = calling();
    binary.programs[0].tensors[14].name = Some("cached".into());
    let program = &binary.programs[0];
    let linked = binary.link(program);
    assert!(linked.cached.is_empty());
    assert_eq!(linked.inputs, program.inputs);
    assert_eq!(linked.outputs, program.outputs);
    assert_eq!(linked.first_own_operation(), 2);
    assert_eq!(linked.calls()[0].operations, 0..2);
    assert_eq!(linked.calls()[0].call, program.cached[0]);
    let ids = |op: &Op| (op.inputs(), op.outputs().to_vec());
    assert_eq!(ids(&linked.operations[0].op), (vec![1], vec![15]));
    assert_eq!(ids(&linked.operations[1].op), (vec![15], vec![14]));
    assert_eq!(linked.operations[2..], program.operations);
    let TensorDesc { name, .. } = &linked.tensors[14];
    assert_eq!(name.as_deref(), Some("cached"));

    let own = linked.into_owned();
    binary.programs = vec![(*own).clone()];
    binary.validate().expect("a linked program is consistent");
}

#[test]
fn programs_without_calls_are_not_copied() {
    let binary = sample();
    let linked = binary.link(&binary.programs[0]);
    assert!(std::ptr::eq(&*linked, &binary.programs[0]));
    assert_eq!(linked.first_own_operation(), 0);
}

/// Damage gives an error or a consistent file, whose programs can be linked.
#[test]
fn damaged_calls_never_panic() {
    let bytes = calling().to_bytes().expect("it is consistent");
    let name = NAME.as_bytes();
    let places = bytes.windows(name.len()).enumerate();
    let places: Vec<_> = places
        .filter(|(_, window)| *window == name)
        .map(|(at, _)| at)
        .collect();
    let (mut refused, mut survived) = (0, 0);
    for at in places {
        for byte in at.saturating_sub(96)..(at + 96).min(bytes.len()) {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[byte] ^= 1 << bit;
                match Binary::read(&damaged) {
                    Err(_) => refused += 1,
                    Ok(binary) => {
                        survived += 1;
                        for program in &binary.programs {
                            let _ = binary.link(program);
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 500 && survived > 20, "{refused} {survived}");
}
