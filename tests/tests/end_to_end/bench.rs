//! Helpers for end-to-end tests: compiling, running, generated inputs, and TTIR of single
//! operations.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tessera_isa_tensix::Arch;
use tessera_program::{Binary, KernelBody, Linked, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::reference::ReferenceDevice;
use tessera_runtime::devices::tensix::{KernelRun, TensixDevice, TensixOptions};
use tessera_runtime::golden::Report;
use tessera_runtime::{run, select_program, Device, Golden, Init, Source};
use tessera_tests::process::{Run, Verdict};
use tessera_tests::tools::Tools;

/// Returns the tools, built once for all tests.
fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| Tools::build().expect("the tools build"))
}

/// Passes that lower to Tensix programs without MOP and REPLAY.
pub const UNFORMED: [&str; 3] = [
    "--ttir-to-ttnn-backend-pipeline",
    "--convert-ttnn-to-pto",
    "--convert-pto-to-tensix",
];

/// Compiles TTIR to a program file, with a kernel for every operation that computes.
pub fn compile(name: &str, ttir: &str) -> Binary {
    compile_with("--ttir-to-tensix-pipeline", name, ttir)
}

/// Does the same for a generation of Tensix, with options of the pipeline.
pub fn compile_for(arch: Arch, options: &str, name: &str, ttir: &str) -> Binary {
    let pipeline = format!("--ttir-to-tensix-pipeline=mock-system-desc-arch={arch} {options}");
    compile_with(&pipeline, &format!("{name}_{arch}"), ttir)
}

/// Compiles TTIR to a program file by a pipeline. The files stay in the target directory, under
/// `name`.
pub fn compile_with(pipeline: &str, name: &str, ttir: &str) -> Binary {
    let binary = translate(name, &lower(&[pipeline], name, ttir));
    assert_no_comparisons(name, &binary);
    binary
}

/// Asserts that no core checks ranges at run time, because the compiler proves them.
fn assert_no_comparisons(name: &str, binary: &Binary) {
    for kernel in &binary.kernels {
        let KernelBody::TensixImages(images) = &kernel.body else {
            continue;
        };
        for (tile, core) in images.tiles.iter().flatten().enumerate() {
            let mut words = core.image.words().iter();
            let stops = words.position(|word| *word == EBREAK);
            let core = tile % 5;
            assert_eq!(stops, None, "{name}: {} on core {core}", kernel.name);
        }
    }
}

/// The RISC-V instruction `ebreak`.
const EBREAK: u32 = 0x0010_0073;

/// Returns the output of `ttmlir-opt` for TTIR.
pub fn lower(flags: &[&str], name: &str, ttir: &str) -> String {
    let lowered = try_lower(flags, name, ttir);
    lowered.unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

/// Returns the output of `ttmlir-opt` for TTIR, or its diagnostics.
pub fn try_lower(flags: &[&str], name: &str, ttir: &str) -> Result<String, String> {
    let [source, lowered] = ["mlir", "lowered.mlir"].map(|end| format!("{name}.{end}"));
    write(&source, ttir);
    try_tool("ttmlir-opt", &[flags, &[&source, "-o", &lowered]].concat())?;
    Ok(fs::read_to_string(dir().join(&lowered)).expect("the tool wrote it"))
}

/// Returns the program file of a compiled module.
pub fn translate(name: &str, module: &str) -> Binary {
    let [source, file] = ["tensix.mlir", "ttnn"].map(|end| format!("{name}.{end}"));
    write(&source, module);
    tool(
        "ttmlir-translate",
        &["--ttnn-to-flatbuffer", &source, "-o", &file],
    );
    let bytes = fs::read(dir().join(&file)).expect("the translator wrote it");
    Binary::read(&bytes).expect("what the translator writes can be read")
}

fn dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("end_to_end")
}

fn write(file: &str, text: &str) {
    fs::create_dir_all(dir()).expect("a directory below target can be made");
    fs::write(dir().join(file), text).expect("a file below target can be written");
}

fn tool(tool: &str, arguments: &[&str]) {
    let accepted = try_tool(tool, arguments);
    accepted.unwrap_or_else(|refusal| panic!("{tool} {arguments:?}: {refusal}"));
}

/// Runs a tool; returns its diagnostics if it fails.
fn try_tool(tool: &str, arguments: &[&str]) -> Result<(), String> {
    let run = Run::execute(&tools().path(tool), arguments, &dir()).expect("the tool starts");
    match run.verdict() {
        Ok(Verdict::Accepted) => Ok(()),
        Ok(Verdict::Refused) => Err(run.stderr()),
        Err(error) => panic!("{tool} {arguments:?}: {error}"),
    }
}

/// Returns the only program of a file.
pub fn only(binary: &Binary) -> &Program {
    select_program(binary, None).expect("one program")
}

/// Returns the programs of a file that can be run, linked with those that they call.
pub fn linked(binary: &Binary) -> Vec<Linked<'_>> {
    let public = binary.programs.iter().filter(|program| !program.private);
    public.map(|program| binary.link(program)).collect()
}

/// Runs a program on the Tensix device; errors are formatted.
pub fn on_tensix(
    binary: &Binary,
    program: &Program,
    inputs: &[Tensor],
    options: TensixOptions,
) -> Result<(Vec<Tensor>, Vec<KernelRun>), String> {
    let mut device =
        TensixDevice::new(binary, program, options).map_err(|error| error.to_string())?;
    let outputs =
        run(&mut device, program, inputs.to_vec(), None).map_err(|error| error.to_string())?;
    Ok((outputs, device.kernel_runs().to_vec()))
}

/// Runs a program on the Tensix device; panics unless every operation is within its bound.
#[track_caller]
pub fn judge(binary: &Binary, program: &Program, inputs: &[Tensor]) -> Vec<KernelRun> {
    let mut device = tensix(binary, program);
    judge_on(&mut device, program, inputs);
    device.kernel_runs().to_vec()
}

/// Runs a program on a device; panics unless every operation is within its bound.
#[track_caller]
pub fn judge_on(device: &mut dyn Device, program: &Program, inputs: &[Tensor]) -> Vec<Tensor> {
    let (reports, outputs) = judged(device, program, inputs);
    for report in reports {
        assert!(
            report.pass,
            "{}, {} at {} on {}: uses {} of its bound",
            program.name,
            report.name,
            report.loc,
            device.name(),
            report.used
        );
    }
    outputs
}

/// Returns whether all operations are within their bounds on the Tensix device.
pub fn keeps_bounds(binary: &Binary, program: &Program, inputs: &[Tensor]) -> bool {
    let (reports, _) = judged(&mut tensix(binary, program), program, inputs);
    reports.iter().all(|report| report.pass)
}

fn tensix<'a>(binary: &'a Binary, program: &'a Program) -> TensixDevice<'a> {
    TensixDevice::new(binary, program, TensixOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", program.name))
}

fn judged(
    device: &mut dyn Device,
    program: &Program,
    inputs: &[Tensor],
) -> (Vec<Report>, Vec<Tensor>) {
    let mut golden = Golden::new(program);
    let outputs = run(device, program, inputs.to_vec(), Some(&mut golden))
        .unwrap_or_else(|error| panic!("{error}"));
    (golden.reports().to_vec(), outputs)
}

/// Runs a program on the reference device.
pub fn on_reference(program: &Program, inputs: &[Tensor]) -> Vec<Tensor> {
    run(
        &mut ReferenceDevice::new(program),
        program,
        inputs.to_vec(),
        None,
    )
    .unwrap_or_else(|error| panic!("{error}"))
}

/// Returns normally distributed inputs for a program.
pub fn inputs(program: &Program, seed: u64) -> Vec<Tensor> {
    let mut source = Source::new(Init::Randn, seed);
    let descs = program.inputs.iter().filter_map(|&id| program.tensor(id));
    descs
        .map(|desc| source.tensor(desc).expect("inputs fit in memory"))
        .collect()
}

/// Returns the TTIR of a function with one operation. Shapes are written `2x3`; all elements have
/// type `element`.
pub fn function(name: &str, op: &str, operands: &[&str], result: &str, element: &str) -> String {
    let r#type = |shape: &&str| format!("tensor<{shape}x{element}>");
    let (types, result): (Vec<_>, _) = (operands.iter().map(r#type).collect(), r#type(&result));
    let numbered = types.iter().enumerate();
    let arguments: Vec<_> = numbered
        .map(|(n, r#type)| format!("%{n}: {type}"))
        .collect();
    let names: Vec<_> = (0..types.len()).map(|n| format!("%{n}")).collect();
    format!(
        "func.func @{name}({}) -> {result} {{\n  \
           %result = \"ttir.{op}\"({}) : ({}) -> {result}\n  \
           return %result : {result}\n}}\n",
        arguments.join(", "),
        names.join(", "),
        types.join(", ")
    )
}

/// Compiles one such function over bf16.
pub fn compile_operation(name: &str, op: &str, operands: &[&str], result: &str) -> Binary {
    compile(name, &function(name, op, operands, result, "bf16"))
}
