//! `mncore-as`: assembles MN-Core 2 assembly.
//!
//! Arguments and printing only; the language is `tessera_isa_mncore`. Exit codes: 0 done, 1 the
//! program is wrong, 2 the command line is bad.

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
/// Words are not those of the vendor's assembler, whose layout is not published.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The assembly; the standard input without it.
    input: Option<PathBuf>,
    /// Where the result goes; the standard output without it.
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// How addresses are encoded.
    #[arg(long, value_enum, default_value = "auto-stride", value_name = "MODE")]
    instruction_mode: ModeArgument,
    /// What to write.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "asm")]
    emit: Emit,
    /// Does not look for statements that follow one another too closely.
    #[arg(long, conflicts_with = "fix_hazards")]
    no_hazard_check: bool,
    /// Puts the fewest `nop`s between statements that follow one another too closely.
    #[arg(long)]
    fix_hazards: bool,
    /// Reads what --emit asm or --emit packed wrote, and writes assembly.
    #[arg(long, conflicts_with_all = ["emit", "instruction_mode", "no_hazard_check", "fix_hazards"])]
    disassemble: bool,
    /// Prints the page of an opcode or a control statement.
    #[arg(long, value_name = "OPCODE", exclusive = true)]
    explain: Option<String>,
    /// Prints all opcodes and control statements.
    #[arg(long, exclusive = true)]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ModeArgument {
    /// First address and increment; three steps to an MV instruction.
    AutoStride,
    /// The addresses of all four cycles; two steps to an MV instruction.
    Flat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Emit {
    /// A line for each instruction, control statements as they are.
    Asm,
    /// Units of 1024 bits.
    Packed,
    /// Assembly in one canonical spelling.
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
        page.with_context(|| no_page(opcode))?.into_bytes()
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

/// Returns the message for an opcode without a page.
fn no_page(opcode: &str) -> String {
    let meant = explain::nearest_mnemonic(opcode).map(|known| format!("did you mean `{known}`? "));
    format!(
        "no opcode `{opcode}`; {}--list prints all",
        meant.unwrap_or_default()
    )
}

/// Findings as one error.
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

/// Returns the program in the form wanted.
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

/// Returns the assembly of what was assembled, in either form.
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
