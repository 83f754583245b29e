//! `ttmlir-translate`: translates compiled MLIR to a program file or to assembly, and program files
//! to JSON.

use anyhow::{Context as _, Result};
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use tessera_cli::Progress;
use tessera_dialects::mlir::{crash, render, Context, Module, Reported, Source};
use tessera_passes::driver::files;
use tessera_passes::targets::mncore::mncore_to_vsm;
use tessera_passes::ttnn::ttnn_to_flatbuffer;
use tessera_program::{Binary, Section};

/// Translates compiled MLIR to a program file or to assembly, and program files to JSON.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The file to read; standard input if absent or `-`.
    #[arg(default_value = "-")]
    input: PathBuf,
    /// The file to write; standard output if `-`.
    #[arg(short, default_value = "-")]
    output: PathBuf,
    /// Print compilation statistics of the kernels to standard error.
    #[arg(long, conflicts_with_all = ["mncore_to_vsm", "flatbuffer_to_json"])]
    verbose: bool,
    /// The kernel to translate, if there are several.
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["ttnn_to_flatbuffer", "flatbuffer_to_json"]
    )]
    kernel: Option<String>,
    #[command(flatten)]
    translation: Translation,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Translation {
    /// Translate a module of the ttnn dialect and its kernels to a program file.
    #[arg(long)]
    ttnn_to_flatbuffer: bool,
    /// Translate a kernel for MN-Core 2 to assembly for mncore-as.
    #[arg(long)]
    mncore_to_vsm: bool,
    /// Print a program file as JSON.
    #[arg(long)]
    flatbuffer_to_json: bool,
}

fn main() -> ExitCode {
    crash::install();
    tessera_cli::main(|arguments: Arguments| {
        run(&arguments).unwrap_or_else(|error| {
            tessera_cli::print_message(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        })
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (name, bytes) = files::read(&arguments.input)?;
    let progress = Progress::start(None);
    progress.set_message(format!("reading {name}"));
    let translated = if arguments.translation.ttnn_to_flatbuffer {
        to_flatbuffer(&name, bytes, arguments.verbose, &progress)?
    } else if arguments.translation.mncore_to_vsm {
        translate_module(&name, bytes, &progress, |_, module| {
            progress.set_message("writing assembly");
            mncore_to_vsm::translate(module.op(), arguments.kernel.as_deref())
        })
        .map(String::into_bytes)
    } else {
        let binary = Binary::read(&bytes).with_context(|| name.clone())?;
        Some(format!("{:#}\n", binary.to_json(Section::All)).into_bytes())
    };
    drop(progress);
    let Some(translated) = translated else {
        return Ok(ExitCode::FAILURE);
    };
    files::write(&arguments.output, &translated)?;
    Ok(ExitCode::SUCCESS)
}

/// Parses and translates a module. Prints errors and returns `None` on failure.
fn translate_module<T>(
    name: &str,
    bytes: Vec<u8>,
    progress: &Progress,
    translate: impl FnOnce(&Context, &Module) -> Result<T, Reported>,
) -> Option<T> {
    let print =
        |text: String| progress.suspend(|| tessera_cli::print_message(format_args!("{text}")));
    let source = match Source::new(name, bytes) {
        Ok(source) => source,
        Err(diagnostic) => {
            print(diagnostic.render(""));
            return None;
        }
    };
    crash::guard_source("the translation", &source, || {
        let context = Context::new();
        let module = Module::parse(&context, &source);
        let translated = module.map(|module| translate(&context, &module));
        print(render(&context.diagnostics().drain(), source.text()));
        translated.ok()?.ok()
    })
}

/// Translates a module to a program file. Prints errors and returns `None` on failure.
fn to_flatbuffer(
    name: &str,
    bytes: Vec<u8>,
    verbose: bool,
    progress: &Progress,
) -> Result<Option<Vec<u8>>> {
    let translated = translate_module(name, bytes, progress, |context, module| {
        let name_kernel = |kernel: &str| progress.set_message(format!("compiling @{kernel}"));
        ttnn_to_flatbuffer::translate(context, module.op(), name, &name_kernel)
    });
    let Some((binary, summaries)) = translated else {
        return Ok(None);
    };
    for summary in summaries.iter().filter(|_| verbose) {
        progress.suspend(|| tessera_cli::print_message(format_args!("{summary}")));
    }
    progress.set_message("writing the program file");
    Ok(Some(ttnn_to_flatbuffer::encode(&binary)?))
}
