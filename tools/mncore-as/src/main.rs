//! `mncore-as`: assembles MN-Core 2 assembly.
//!
//! Only arguments and output; `tessera_isa_mncore` implements the language. Exit codes: 0 on
//! success, 1 for an invalid program, 2 for an invalid command line.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, Context, Result};
use clap::{Parser, ValueEnum};
use tessera_cli::Findings;
use tessera_isa_mncore::check::hazard;
use tessera_isa_mncore::word::Mode;
use tessera_isa_mncore::{explain, text_form, unit, Diagnostic, Program};

/// Assembles, checks, disassembles and explains MN-Core 2 assembly.
///
/// The encoding differs from that of the vendor's assembler, which is not published.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The assembly file; standard input if absent.
    input: Option<PathBuf>,
    /// The output file; standard output if absent.
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// The encoding of addresses.
    #[arg(long, value_enum, default_value = "auto-stride", value_name = "MODE")]
    instruction_mode: ModeArgument,
    /// The output format.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "asm")]
    emit: Emit,
    /// Skip the check for statements that are too close to each other.
    #[arg(long, conflicts_with = "fix_hazards")]
    no_hazard_check: bool,
    /// Insert the fewest `nop`s between statements that are too close to each other.
    #[arg(long)]
    fix_hazards: bool,
    /// Disassemble the output of --emit asm or --emit packed.
    #[arg(
        long,
        conflicts_with_all = ["emit", "instruction_mode", "no_hazard_check", "fix_hazards"]
    )]
    disassemble: bool,
    /// Print the documentation of an opcode or a control statement.
    #[arg(long, value_name = "OPCODE", exclusive = true)]
    explain: Option<String>,
    /// List all opcodes and control statements.
    #[arg(long, exclusive = true)]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ModeArgument {
    /// First address and increment; three steps per MV instruction.
    AutoStride,
    /// The addresses of all four cycles; two steps per MV instruction.
    Flat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Emit {
    /// One line for each instruction; control statements are unchanged.
    Asm,
    /// Units of 1024 bits.
    Packed,
    /// Canonical assembly.
    Vsm,
    /// Nothing.
    Nothing,
}

fn main() -> ExitCode {
    tessera_cli::main(|cli: Cli| tessera_cli::finish(run(&cli)))
}

fn run(cli: &Cli) -> Result<()> {
    let result = if let Some(opcode) = &cli.explain {
        let page = explain::render_page(opcode);
        let nearest = || explain::nearest_mnemonic(opcode);
        page.with_context(|| tessera_cli::no_page("opcode", opcode, nearest()))?
            .into_bytes()
    } else if cli.list {
        explain::render_list().into_bytes()
    } else {
        let (name, bytes) = tessera_cli::read(cli.input.as_deref())?;
        if cli.disassemble {
            disassemble(&name, bytes)?.into_bytes()
        } else {
            assemble(cli, &name, bytes)?
        }
    };
    tessera_cli::write(cli.output.as_deref(), &result)
}

/// Combines findings into one error.
fn refuse<T>(name: &str, text: &str, found: &[Diagnostic]) -> Result<T> {
    bail!(Findings::from_first(found, |one| one.render(name, text)))
}

fn assemble(cli: &Cli, name: &str, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let text = tessera_cli::text(name, bytes)?;
    let mut program = match tessera_isa_mncore::parse(&text) {
        Ok(program) => program,
        Err(found) => return refuse(name, &text, &found),
    };
    let found = tessera_isa_mncore::check(&program);
    if !found.is_empty() {
        return refuse(name, &text, &found);
    }
    if cli.fix_hazards {
        hazard::insert_nops(&mut program);
    } else if !cli.no_hazard_check {
        let hazards = hazard::hazards(&program);
        let found: Vec<Diagnostic> = hazards
            .into_iter()
            .map(|hazard| hazard.diagnostic)
            .collect();
        if !found.is_empty() {
            return refuse(name, &text, &found);
        }
    }
    emit(cli, &program).or_else(|found| refuse(name, &text, &found))
}

/// Formats the program in the requested form.
fn emit(cli: &Cli, program: &Program) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mode = match cli.instruction_mode {
        ModeArgument::AutoStride => Mode::AutoStride,
        ModeArgument::Flat => Mode::Flat,
    };
    match cli.emit {
        Emit::Asm => text_form::write(program, mode).map(String::into_bytes),
        Emit::Packed => unit::pack(program, mode),
        Emit::Vsm => Ok(program.to_string().into_bytes()),
        Emit::Nothing => Ok(Vec::new()),
    }
}

/// Disassembles a program, as text or packed.
fn disassemble(name: &str, bytes: Vec<u8>) -> Result<String> {
    let text = std::str::from_utf8(&bytes)
        .ok()
        .filter(|text| text_form::may_be_text_form(text));
    let program = match text {
        Some(text) => match text_form::read(text) {
            Ok(program) => program,
            Err(found) => return refuse(name, text, &found),
        },
        None => unit::unpack(&bytes).with_context(|| name.to_owned())?.0,
    };
    Ok(program.to_string())
}
