//! `.npy` files as inputs of programs of every element type.

use tessera_tests::process::Ending;

use crate::devices::Ttrt;
use crate::mutate::{array_header, bytes};
use crate::runner::{Bench, FuzzTarget};
use tessera_test_support::random::Rng;

/// Element types of TTIR; some are stored as other types.
const TYPES: [&str; 5] = ["bf16", "f32", "i32", "ui16", "ui8"];

const SHAPE: [u64; 2] = [5, 3];

/// Pipelines that together have kernels for every device.
const PIPELINES: [&str; 3] = [
    "--ttir-to-ttnn-runtime-pipeline",
    "--ttir-to-tensix-pipeline",
    "--ttir-to-mncore-pipeline",
];

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let mut files = Vec::new();
    for element in TYPES {
        for (number, pipeline) in PIPELINES.into_iter().enumerate() {
            let name = format!("{element}_{number}");
            files.extend(compiled(bench, &name, element, pipeline));
        }
    }
    assert!(files.len() > 9, "{} programs", files.len());
    let ttrt = Ttrt::new(bench);
    Box::new(move |bench, rng| case(bench, rng, &files, &ttrt))
}

/// Returns a program and an array that it takes, or `None` if the pipeline has no kernel for the
/// type.
fn compiled(
    bench: &mut Bench,
    name: &str,
    element: &str,
    pipeline: &str,
) -> Option<(String, Vec<u8>)> {
    let [module, compiled, file, array] =
        ["mlir", "compiled.mlir", "ttnn", "npy"].map(|end| format!("{name}.{end}"));
    let [rows, columns] = SHAPE;
    let r#type = format!("tensor<{rows}x{columns}x{element}>");
    let text = format!(
        "func.func @forward(%a: {type}) -> {type} {{\n  \
         %0 = \"ttir.add\"(%a, %a) : ({type}, {type}) -> {type}\n  return %0 : {type}\n}}\n"
    );
    bench.write(&module, text.as_bytes());
    let flags = [pipeline, &module, "-o", &compiled].map(str::to_owned);
    if bench.run("ttmlir-opt", &flags) != Some(Ending::Done) {
        return None;
    }
    bench.prepare(
        "ttmlir-translate",
        &["--ttnn-to-flatbuffer", &compiled, "-o", &file],
    );
    bench.prepare(
        "ttrt",
        &["run", "--device", "reference", &file, "-o", &array],
    );
    let array = bench.read(&array).expect("it was written");
    Some((file, array))
}

fn case(bench: &mut Bench, rng: &mut Rng, files: &[(String, Vec<u8>)], ttrt: &Ttrt) {
    let (program, array) = &files[rng.below(files.len())];
    let mut array = match rng.percent(50) {
        true => {
            let count = SHAPE.iter().product::<u64>() as usize * rng.pick(&[4, 4, 4, 2, 1]);
            let data: Vec<u8> = (0..count).map(|_| rng.next_u64() as u8).collect();
            array_header::made_up(rng, &SHAPE, &data)
        }
        false => array.clone(),
    };
    if rng.percent(35) {
        bytes::damage(rng, &mut array);
    }
    bench.write("in.npy", &array);
    let mut more = vec!["--input=in.npy".to_owned()];
    if rng.percent(20) {
        more.push("--raw-bits".into());
    }
    ttrt.run(bench, rng, program, &more);
}
