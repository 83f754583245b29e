//! `tensix-emu`: runs Tensix instructions, RISC-V images and recorded hosts.
//!
//! Arguments and printing only; the machine is `tessera_tensix`. Exit codes: 0 done, 1 the input is wrong, trapped or does not
//! do what was expected, 2 the command line is bad.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, Context, Result};
use clap::{Parser, Subcommand};
use tessera_tensix::trace::{Limits, Replay, Trace};

/// Runs programs on a functional, bit-exact model of a Tensix chip (Wormhole).
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Does to a chip what a recorded host did, and compares the chip's replies with the recorded ones.
    Trace(TraceArguments),
}

#[derive(clap::Args)]
struct TraceArguments {
    /// The recording; the standard input without it.
    input: Option<PathBuf>,
    /// Which of the schedules that the chip allows.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The most turns that the chip takes before a read.
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().read)]
    read_limit: u64,
    /// The most turns that the chip takes in all.
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().total)]
    limit: u64,
}

fn main() -> ExitCode {
    let What::Trace(arguments) = Cli::parse().what;
    tessera_cli::finish(trace(&arguments))
}

fn trace(arguments: &TraceArguments) -> Result<()> {
    let (name, bytes) = tessera_cli::read(arguments.input.as_deref())?;
    let text = tessera_cli::text(&name, bytes)?;
    let trace = Trace::parse(&text).with_context(|| name.clone())?;
    let limits = Limits {
        read: arguments.read_limit,
        total: arguments.limit,
    };
    let mut replay = Replay::new(arguments.seed, limits);
    replay.run(&trace).with_context(|| name.clone())?;
    let outcome = replay.outcome();
    if let Some(first) = &outcome.first {
        bail!(
            "{name}: {} of {} replies differ; {first}",
            outcome.mismatches,
            outcome.replies
        );
    }
    println!(
        "{name}: {} lines, {} replies as recorded, {} turns",
        outcome.events, outcome.replies, outcome.turns
    );
    Ok(())
}
