//! Hoisting what depends on weights alone does not change results: neither in one run, nor in runs
//! with the weights bound, in any order.

use tessera_program::{Binary, Linked};
use tessera_reference::Tensor;
use tessera_runtime::devices::{interpreter, mncore, reference, tensix};
use tessera_runtime::{run_linked, Device, DeviceInfo, Options, Prepared};

use crate::bench::{compile_with, inputs, only};

/// Factors of both kinds that are transposed or computed, a scaled bias, a constant, and a result
/// that depends on weights alone.
const TTIR: &str = r#"
func.func @layer(%x: tensor<40x32xTYPE>,
                 %w: tensor<48x32xTYPE> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                 %b: tensor<48xTYPE> {ttcore.argument_type = #ttcore.argument_type<constant>})
    -> (tensor<40x48xTYPE>, tensor<40x40xTYPE>, tensor<48xTYPE>) {
  %half = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 48>}> : () -> tensor<48xTYPE>
  %bias = "ttir.multiply"(%b, %half) : (tensor<48xTYPE>, tensor<48xTYPE>) -> tensor<48xTYPE>
  %e = "ttir.exp"(%bias) : (tensor<48xTYPE>) -> tensor<48xTYPE>
  %y = "ttir.matmul"(%x, %w) <{transpose_b = true}> : (tensor<40x32xTYPE>, tensor<48x32xTYPE>) -> tensor<40x48xTYPE>
  %z = "ttir.add"(%y, %e) : (tensor<40x48xTYPE>, tensor<48xTYPE>) -> tensor<40x48xTYPE>
  %g = "ttir.matmul"(%w, %w) <{transpose_a = true}> : (tensor<48x32xTYPE>, tensor<48x32xTYPE>) -> tensor<32x32xTYPE>
  %v = "ttir.matmul"(%x, %g) : (tensor<40x32xTYPE>, tensor<32x32xTYPE>) -> tensor<40x32xTYPE>
  %u = "ttir.matmul"(%v, %x) <{transpose_b = true}> : (tensor<40x32xTYPE>, tensor<40x32xTYPE>) -> tensor<40x40xTYPE>
  %half_again = "ttir.add"(%u, %u) : (tensor<40x40xTYPE>, tensor<40x40xTYPE>) -> tensor<40x40xTYPE>
  return %z, %half_again, %e : tensor<40x48xTYPE>, tensor<40x40xTYPE>, tensor<48xTYPE>
}
"#;

/// A program compiled for a chip with and without hoisting, and its devices.
struct Case {
    pipeline: &'static str,
    devices: &'static [&'static DeviceInfo],
}

const CASES: [Case; 2] = [
    Case {
        pipeline: "--ttir-to-tensix-pipeline",
        devices: &[&tensix::INFO, &interpreter::INFO, &reference::INFO],
    },
    Case {
        pipeline: "--ttir-to-mncore-pipeline",
        devices: &[&mncore::INFO, &interpreter::INFO, &reference::INFO],
    },
];

fn compile(pipeline: &str, r#type: &str, options: &str) -> Binary {
    let target = pipeline.replace("--", "_");
    let name = format!("const_eval{target}_{type}_{}", options.len());
    let pipeline = format!("{pipeline}={options}");
    compile_with(&pipeline, &name, &TTIR.replace("TYPE", r#type))
}

fn open<'a>(
    device: &DeviceInfo,
    binary: &'a Binary,
    program: &'a Linked<'_>,
) -> Box<dyn Device + 'a> {
    let opened = (device.open)(binary, program, &Options::default());
    opened.unwrap_or_else(|error| panic!("{}: {error}", device.name))
}

/// Runs a program from its beginning; returns the outputs and how many kernels ran for cached calls
/// and for all others.
fn run(device: &DeviceInfo, binary: &Binary, given: &[Tensor]) -> (Vec<Tensor>, [usize; 2]) {
    let program = binary.link(only(binary));
    let mut model = open(device, binary, &program);
    let outcome = run_linked(&mut *model, &program, given.to_vec(), None);
    let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error}", device.name));
    let kernels = [&outcome.cached_kernels, &outcome.kernels];
    let counts = kernels.map(|runs| runs.as_ref().map_or(0, |runs| runs.to_json().len()));
    (outcome.outputs, counts)
}

/// Checks runs with some inputs bound: each gives the expected outputs, after any other.
fn check_bound(device: &DeviceInfo, binary: &Binary, bound: usize, cases: &[[Vec<Tensor>; 2]]) {
    let program = binary.link(only(binary));
    let weights = cases[0][0].iter().enumerate();
    let weights: Vec<_> = weights
        .map(|(index, tensor)| (index >= bound).then(|| tensor.clone()))
        .collect();
    let prepared = Prepared::new(&mut *open(device, binary, &program), &program, weights)
        .unwrap_or_else(|error| panic!("{}: {error}", device.name));
    for [given, expected] in cases.iter().chain(cases) {
        let mut model = open(device, binary, &program);
        let found = prepared.run(&mut *model, &program, given[..bound].to_vec());
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", device.name));
        assert!(found == *expected, "{}, {bound} inputs given", device.name);
    }
}

#[test]
fn hoisting_gives_the_same_bits() {
    for Case { pipeline, devices } in CASES {
        for r#type in ["f32", "bf16"] {
            let plain = compile(pipeline, r#type, "enable-const-eval=false");
            let hoisted = compile(pipeline, r#type, "enable-const-eval=true");
            let weights = inputs(only(&plain), 7);
            for device in devices {
                let cases: Vec<_> = (1..3)
                    .map(|seed| {
                        let x = inputs(only(&plain), seed).swap_remove(0);
                        let given = vec![x, weights[1].clone(), weights[2].clone()];
                        let (expected, [none, all]) = run(device, &plain, &given);
                        let (found, [cached, own]) = run(device, &hoisted, &given);
                        assert!(found == expected, "{type} on {}", device.name);
                        assert_eq!((none, all), (0, cached + own), "{type} on {}", device.name);
                        let is_chip = device.chip.is_some();
                        assert_eq!(cached > 0, is_chip, "{type} on {}", device.name);
                        [given, expected]
                    })
                    .collect();
                check_bound(device, &hoisted, 1, &cases);
                check_bound(device, &hoisted, 3, &cases);
                check_bound(device, &plain, 1, &cases);
            }
        }
    }
}

#[test]
fn bound_and_free_inputs_are_checked() {
    let binary = compile(CASES[0].pipeline, "bf16", "enable-const-eval=true");
    let program = binary.link(only(&binary));
    let given = inputs(&program, 1);
    let prepare = |inputs: Vec<Option<Tensor>>| {
        Prepared::new(
            &mut *open(&tensix::INFO, &binary, &program),
            &program,
            inputs,
        )
    };
    let text = |inputs| prepare(inputs).err().map(|error| error.to_string());
    assert_eq!(
        text(vec![Some(given[1].clone()), None, None]).as_deref(),
        Some(
            "program 'layer', input 0: it is a 40x32xbf16 tensor, but a 48x32xbf16 tensor was given"
        )
    );
    assert_eq!(
        text(vec![None]).as_deref(),
        Some(
            "program 'layer': it takes 3 inputs, but 1 were given: 40x32xbf16, 48x32xbf16, 48xbf16"
        )
    );
    let prepared = prepare(vec![None, Some(given[1].clone()), None]).expect("the input fits");
    let run = |device: &DeviceInfo, inputs: Vec<Tensor>| {
        let mut model = open(device, &binary, &program);
        let outputs = prepared.run(&mut *model, &program, inputs);
        outputs.map_err(|error| error.to_string())
    };
    assert_eq!(
        run(&tensix::INFO, given.clone()).expect_err("an input is bound"),
        "program 'layer': it takes 2 inputs, but 3 were given: 40x32xbf16, 48xbf16"
    );
    let free = vec![given[0].clone(), given[2].clone()];
    assert!(run(&tensix::INFO, free.clone()).is_ok());
    assert_eq!(
        run(&reference::INFO, free).expect_err("another device saved the inputs"),
        "program 'layer': the tensors were saved by another kind of device"
    );
}

#[test]
fn calls_have_to_be_linked() {
    let binary = compile(CASES[0].pipeline, "bf16", "enable-const-eval=true");
    let program = only(&binary);
    let mut device = reference::ReferenceDevice::new(program);
    let run = tessera_runtime::run(&mut device, program, inputs(program, 1), None);
    assert_eq!(
        run.expect_err("it has calls").to_string(),
        "program 'layer': it calls 'layer_const_eval_0'; link it with the other programs of its \
         file first"
    );
}
