//! `ttrt read`.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use tessera_program::Section as FileSection;

use crate::{print, read_binary, Verdict};

/// Prints a program file, or a section of it, as JSON.
#[derive(clap::Args)]
pub struct Arguments {
    /// The program file; one file, not a directory.
    file: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Section::All)]
    section: Section,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Section {
    /// The whole file.
    All,
    /// Version of the writer, schema hash.
    Version,
    /// The system the program was compiled for.
    SystemDesc,
    /// The module the program was translated from.
    Mlir,
    /// Inputs of each program.
    Inputs,
    /// Outputs of each program.
    Outputs,
    /// Each kernel with its lists as assembly.
    Kernels,
    /// How many operations of each kind each program has.
    OpStats,
}

/// Reads the file and prints the section.
pub fn read(arguments: &Arguments) -> Result<Verdict> {
    let binary = read_binary(&arguments.file)?;
    let json = match arguments.section {
        Section::All => binary.to_json(),
        Section::Version => binary.section(FileSection::Version),
        Section::SystemDesc => binary.section(FileSection::SystemDesc),
        Section::Mlir => binary.section(FileSection::Mlir),
        Section::Inputs => binary.section(FileSection::Inputs),
        Section::Outputs => binary.section(FileSection::Outputs),
        Section::Kernels => binary.section(FileSection::Kernels),
        Section::OpStats => binary.section(FileSection::OpStats),
    };
    print(&format!("{json:#}\n"))?;
    Ok(Verdict::Pass)
}
