//! `ttmlir-opt`: parses MLIR, verifies it, prints it.

use anyhow::{Context as _, Result};
use clap::Parser;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tessera_dialects::mlir::{Context, Diagnostic, Module, PrintOptions, Source};

/// Runs passes over MLIR text.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The file to read; standard input if absent or `-`.
    #[arg(default_value = "-")]
    input: PathBuf,
    /// The file to write; standard output if `-`.
    #[arg(short, default_value = "-")]
    output: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (name, bytes) = read(&arguments.input)?;
    let context = Context::new();
    let source = match Source::new(&name, bytes) {
        Ok(source) => source,
        Err(diagnostic) => {
            print_diagnostics(&[diagnostic], "");
            return Ok(ExitCode::FAILURE);
        }
    };
    let module = Module::parse(&context, &source);
    print_diagnostics(&context.diagnostics().take(), source.text());
    let Ok(module) = module else {
        return Ok(ExitCode::FAILURE);
    };
    let text = module.op().print(PrintOptions::default());
    write(&arguments.output, &format!("{text}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn print_diagnostics(diagnostics: &[Diagnostic], source: &str) {
    diagnostics
        .iter()
        .for_each(|diagnostic| eprint!("{}", diagnostic.render(source)));
}

fn read(path: &Path) -> Result<(String, Vec<u8>)> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
        return Ok(("<stdin>".into(), bytes));
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((path.display().to_string(), bytes))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if path == Path::new("-") {
        return std::io::stdout()
            .write_all(text.as_bytes())
            .context("cannot write standard output");
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
