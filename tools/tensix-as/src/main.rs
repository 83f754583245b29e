//! `tensix-as`: assembles instructions of the Tensix coprocessor.
//!
//! Only arguments and output; `tessera_isa_tensix` implements the language. Exit codes: 0 on
//! success, 1 for invalid input, 2 for an invalid command line.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, Context, Result};
use clap::{Parser, ValueEnum};
use tessera_cli::Findings;
use tessera_isa_tensix::{asm, doc, explain, Arch};
use tessera_riscv::Op;

/// Assembles, disassembles and explains instructions of the Tensix coprocessor.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The assembly file, one instruction per line; standard input if absent.
    input: Option<PathBuf>,
    /// The output file; standard output if absent.
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// The chip: wormhole_b0 or blackhole.
    #[arg(long, default_value = "wormhole_b0", value_name = "CHIP")]
    arch: Arch,
    /// The output format.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "words")]
    emit: Emit,
    /// Read or write words as in RISC-V code: rotated left by two bits.
    #[arg(long)]
    rotated: bool,
    /// Disassemble words, in hexadecimal digits by default.
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "words",
        conflicts_with = "emit"
    )]
    disassemble: Option<Form>,
    /// Print the documentation of an instruction.
    #[arg(long, value_name = "MNEMONIC", exclusive = true)]
    explain: Option<String>,
    /// List all instructions.
    #[arg(long, exclusive = true)]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Form {
    /// Text: `0x…` words, separated by white space.
    Words,
    /// Bytes, little-endian.
    Bytes,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Emit {
    /// Text: a line `0x…` for each word.
    Words,
    /// The words, little-endian.
    Bytes,
    /// Canonical assembly.
    Asm,
}

fn main() -> ExitCode {
    tessera_cli::main(|cli: Cli| tessera_cli::finish(run(&cli)))
}

fn run(cli: &Cli) -> Result<()> {
    let result = if let Some(mnemonic) = &cli.explain {
        let page = explain::page(mnemonic);
        page.with_context(|| no_page(mnemonic))?.into_bytes()
    } else if cli.list {
        doc::markdown().into_bytes()
    } else {
        let (name, bytes) = tessera_cli::read(cli.input.as_deref())?;
        match cli.disassemble {
            Some(form) => disassemble(cli, form, &name, bytes)?.into_bytes(),
            None => assemble(cli, &name, bytes)?,
        }
    };
    tessera_cli::write(cli.output.as_deref(), &result)
}

/// Returns the message for a mnemonic without a page.
fn no_page(mnemonic: &str) -> String {
    let mut chips = Arch::ALL.into_iter();
    let nearest = chips.find_map(|arch| asm::nearest(arch, mnemonic));
    tessera_cli::no_page("instruction", mnemonic, nearest)
}

fn assemble(cli: &Cli, name: &str, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let text = tessera_cli::text(name, bytes)?;
    let mut words = match asm::assemble(cli.arch, &text) {
        Ok(words) => words,
        Err(errors) => bail!(Findings::from_first(&errors, |one| one.render(name, &text))),
    };
    if cli.emit == Emit::Asm {
        return Ok(asm::disassemble(cli.arch, words).into_bytes());
    }
    if cli.rotated {
        let rotated = words.iter().map(|word| rotated(name, *word));
        words = rotated.collect::<Result<_>>()?;
    }
    Ok(match cli.emit {
        Emit::Bytes => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        _ => {
            let lines = words.iter().map(|word| format!("{word:#010x}\n"));
            lines.collect::<String>().into_bytes()
        }
    })
}

fn disassemble(cli: &Cli, form: Form, name: &str, bytes: Vec<u8>) -> Result<String> {
    let mut words = match form {
        Form::Words => in_digits(name, bytes)?,
        Form::Bytes => tessera_cli::words(name, &bytes)?,
    };
    if cli.rotated {
        let unrotated = words.iter().map(|word| unrotated(name, *word));
        words = unrotated.collect::<Result<_>>()?;
    }
    Ok(asm::disassemble(cli.arch, words))
}

/// Rotates a word to its form in RISC-V code.
fn rotated(name: &str, word: u32) -> Result<u32> {
    let pushed = tessera_riscv::Instruction::push(word).encode();
    pushed.with_context(|| format!("{name}: {word:#010x} cannot be pushed by RISC-V code"))
}

/// Rotates a word back from its form in RISC-V code.
fn unrotated(name: &str, word: u32) -> Result<u32> {
    match tessera_riscv::Instruction::decode(word) {
        Ok(instruction) if instruction.op == Op::Ttinsn => Ok(instruction.imm as u32),
        _ => bail!("{name}: {word:#010x} pushes nothing: its lowest two bits are set"),
    }
}

/// Formats words in hexadecimal digits.
fn in_digits(name: &str, bytes: Vec<u8>) -> Result<Vec<u32>> {
    let text = tessera_cli::text(name, bytes)?;
    let word = |piece: &str| {
        let digits = piece.strip_prefix("0x").unwrap_or(piece);
        let signed = digits.starts_with('+');
        let word = u32::from_str_radix(digits, 16).ok().filter(|_| !signed);
        word.with_context(|| {
            format!("{name}: `{piece}` is not a word of up to eight hexadecimal digits")
        })
    };
    text.split_whitespace().map(word).collect()
}
