//! Compiling a module with the tools, and running it on the Tensix model.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tessera_program::Binary;
use tessera_runtime::devices::tensix::{KernelRun, TensixDevice, TensixOptions};
use tessera_runtime::{run, Init, Source};
use tessera_tests::process::{Run, Verdict};
use tessera_tests::tools::Tools;

/// The tools, and a directory for their files.
pub struct Bench {
    tools: Tools,
    dir: PathBuf,
}

impl Bench {
    /// Builds the tools, and creates a directory below that of Cargo for temporary files.
    pub fn new(name: &str) -> Bench {
        let bench = Bench {
            tools: Tools::build().expect("the tools build"),
            dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join(name),
        };
        fs::create_dir_all(&bench.dir).expect("a directory below target can be made");
        bench
    }

    /// Runs a tool; returns the elapsed time.
    fn tool(&self, tool: &str, arguments: &[&str]) -> Duration {
        let start = Instant::now();
        let run =
            Run::execute(&self.tools.path(tool), arguments, &self.dir).expect("the tool starts");
        let time = start.elapsed();
        assert_eq!(run.verdict(), Ok(Verdict::Accepted), "{}", run.stderr());
        time
    }

    /// Compiles TTIR; returns the program file and the times of both tools.
    pub fn compile(&self, ttir: &str, options: &str) -> (Binary, [Duration; 2]) {
        fs::write(self.dir.join("model.mlir"), ttir).expect("the directory can be written to");
        let pipeline = format!("--ttir-to-tensix-pipeline={options}");
        let first = self.tool(
            "ttmlir-opt",
            &[&pipeline, "model.mlir", "-o", "lowered.mlir"],
        );
        let translate = ["--ttnn-to-flatbuffer", "lowered.mlir", "-o", "model.ttnn"];
        let second = self.tool("ttmlir-translate", &translate);
        let bytes = fs::read(self.dir.join("model.ttnn")).expect("the translator wrote it");
        let binary = Binary::read(&bytes).expect("what the translator writes can be read");
        (binary, [first, second])
    }
}

/// Runs the only program of a file on random inputs, with so many workers (all by default) and host
/// threads. Returns the time in seconds, and what the kernels did.
pub fn run_on_tensix(
    binary: &Binary,
    workers: Option<u32>,
    threads: usize,
) -> (f64, Vec<KernelRun>) {
    let program = &binary.programs[0];
    let mut source = Source::new(Init::Randn, 1);
    let descs = program.inputs.iter().filter_map(|&id| program.tensor(id));
    let inputs = descs.map(|desc| source.tensor(desc).expect("inputs fit in memory"));
    let inputs: Vec<_> = inputs.collect();
    let options = TensixOptions {
        workers,
        ..TensixOptions::default()
    };
    let mut device = TensixDevice::new(binary, program, options).expect("there is such a device");
    device.set_threads(NonZero::new(threads).expect("there is a thread"));
    let start = Instant::now();
    run(&mut device, program, inputs, None).unwrap_or_else(|error| panic!("{error}"));
    let seconds = start.elapsed().as_secs_f64();
    (seconds, device.kernel_runs().to_vec())
}
