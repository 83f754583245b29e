//! Assembly of MN-Core 2 and its encoding: `mncore-as` and `mncore-emu`.

use tessera_test_support::is_long_run;
use tessera_tests::process::Ending;

use crate::flags::{self, Flag};
use crate::mutate::{bytes, text};
use crate::runner::{Bench, FuzzTarget};
use tessera_test_support::random::Rng;

/// Statements of every kind.
const STATEMENTS: &str = include_str!("../../../../runtime/isa-mncore/tests/statements.vsm");

/// A product and a reduction, for kernels as the compiler writes them.
const MODULE: &str =
    "func.func @forward(%a: tensor<64x96xbf16>, %b: tensor<96x32xbf16>) -> tensor<64x1xbf16> {
  %0 = \"ttir.matmul\"(%a, %b) : (tensor<64x96xbf16>, tensor<96x32xbf16>) -> tensor<64x32xbf16>
  %1 = \"ttir.sum\"(%0) <{dim_arg = [1 : i32], keep_dim = true}>
    : (tensor<64x32xbf16>) -> tensor<64x1xbf16>
  return %1 : tensor<64x1xbf16>
}
";

/// Files that flags may name.
const FILES: &[&str] = &["in.bin", "out.bin", "nowhere/x", "."];

struct Mncore {
    /// Single statements.
    statements: Vec<String>,
    /// Lines of compiled kernels, and statements again.
    compiled: Vec<Vec<String>>,
    others: Vec<String>,
    assembler: Vec<Flag>,
    emulator: Vec<Flag>,
}

pub fn new(bench: &mut Bench) -> FuzzTarget {
    let mut statements: Vec<String> = STATEMENTS.lines().map(str::to_owned).collect();
    statements.extend(examples(bench));
    let compiled = compiled(bench);
    let others = vec![statements.join("\n")];
    let target = Mncore {
        statements,
        compiled,
        others,
        assembler: flags::parse(&bench.printed("mncore-as", &["-h"])),
        emulator: flags::parse(&bench.printed("mncore-emu", &["-h"])),
    };
    Box::new(move |bench, rng| target.case(bench, rng))
}

/// Returns the example on the page of each opcode, or of some of them in a sample.
fn examples(bench: &Bench) -> Vec<String> {
    let step = if is_long_run() { 1 } else { 7 };
    let list = bench.printed("mncore-as", &["--list"]);
    let opcodes = list
        .lines()
        .filter_map(|line| line.split("  ").next())
        .step_by(step);
    let pages = opcodes.map(|opcode| bench.printed("mncore-as", &[&format!("--explain={opcode}")]));
    let example = |page: String| {
        page.lines().find_map(|line| {
            line.strip_prefix("example")
                .map(|text| text.trim().to_owned())
        })
    };
    let found: Vec<_> = pages.filter_map(example).collect();
    assert!(found.len() > 20, "{found:?}");
    found
}

/// Returns the kernels of a module, in the text that the assembler takes.
fn compiled(bench: &mut Bench) -> Vec<Vec<String>> {
    bench.write("whole.mlir", MODULE.as_bytes());
    let kernels = ["epilogue", "none"].map(|fusion| {
        let pipeline = format!("--ttir-to-mncore-pipeline=fusion={fusion}");
        bench.prepare(
            "ttmlir-opt",
            &[&pipeline, "whole.mlir", "-o", "compiled.mlir"],
        );
        let module = bench.read("compiled.mlir").expect("it was written");
        let text = String::from_utf8_lossy(&module).into_owned();
        let names = text
            .lines()
            .filter(|line| line.contains("mncore."))
            .filter_map(|line| {
                let (_, rest) = line.split_once('@')?;
                Some(
                    rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                        .next()?
                        .to_owned(),
                )
            });
        let mut names: Vec<String> = names.collect();
        names.dedup();
        let translated = names.iter().filter_map(|name| {
            let flags = [
                "--mncore-to-vsm",
                "--kernel",
                name,
                "compiled.mlir",
                "-o",
                "whole.vsm",
            ];
            let done =
                bench.run("ttmlir-translate", &flags.map(str::to_owned)) == Some(Ending::Done);
            let text = bench.read("whole.vsm").filter(|_| done)?;
            Some(
                String::from_utf8_lossy(&text)
                    .lines()
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
        });
        translated.collect::<Vec<_>>()
    });
    let kernels = kernels.concat();
    assert!(!kernels.is_empty(), "no kernel was translated");
    kernels
}

impl Mncore {
    fn case(&self, bench: &mut Bench, rng: &mut Rng) {
        let source = self.source(rng);
        let source = match rng.percent(10) {
            true => source.into_bytes(),
            false => text::mutated(rng, &source, &self.others),
        };
        bench.write("in.vsm", &source);
        bench.write(
            "in.bin",
            &rng.next_u64().to_le_bytes().repeat(rng.below(64)),
        );
        let mut arguments = ["in.vsm", "-o", "out.bin"].map(str::to_owned).to_vec();
        arguments.extend(flags::some(&self.assembler, 2, rng, FILES));
        if bench.run("mncore-as", &arguments) == Some(Ending::Done) && rng.percent(60) {
            let mut made = bench.read("out.bin").unwrap_or_default();
            if rng.percent(70) {
                bytes::damage(rng, &mut made);
            }
            bench.write("made.bin", &made);
            bench.run(
                "mncore-as",
                &["--disassemble", "made.bin"].map(str::to_owned),
            );
            self.emulate(bench, rng, "made.bin");
        }
        self.emulate(bench, rng, "in.vsm");
    }

    /// Returns some statements, perhaps with a part of a compiled kernel among them.
    fn source(&self, rng: &mut Rng) -> String {
        let mut lines: Vec<String> = Vec::new();
        for _ in 0..1 + rng.below(6) {
            lines.push(self.statements[rng.below(self.statements.len())].clone());
        }
        if rng.percent(50) {
            let kernel = &self.compiled[rng.below(self.compiled.len())];
            let first = rng.below(kernel.len().max(1));
            let part = kernel[first.min(kernel.len())..].iter().take(40).cloned();
            let at = rng.below(lines.len() + 1);
            lines.splice(at..at, part);
        }
        lines.join("\n") + "\n"
    }

    fn emulate(&self, bench: &mut Bench, rng: &mut Rng, file: &str) {
        let mut arguments = ["-i", file, "--limit-steps=2000"]
            .map(str::to_owned)
            .to_vec();
        arguments.extend(flags::some(&self.emulator, 3, rng, FILES));
        bench.run("mncore-emu", &arguments);
    }
}
