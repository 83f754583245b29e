//! `tensix-emu`: runs Tensix instructions, RISC-V images and recorded hosts.
//!
//! Only arguments and output; `tessera_tensix` implements the machine. Exit codes: 0 on success, 1
//! if the input is invalid, traps or misses its expectations, 2 for an invalid command line.

mod arguments;
mod memory;
mod words;

use std::fmt::{self, Write};
use std::fs::{self, File};
use std::io::BufWriter;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{anyhow, bail, Context, Result};
use clap::error::ErrorKind;
use clap::CommandFactory;
use tessera_cli::{Lines, Progress};
use tessera_tensix::chip::{ChipTrap, Stop};
use tessera_tensix::host::{Dump, Executable};
use tessera_tensix::issue::cycles::{self, Busy};
use tessera_tensix::trace::{Limits, Replay, ReplayError, Trace};
use tessera_tensix::{issue::timeline, Device};

use arguments::{Cli, Common, Images, Recording, What};

fn main() -> ExitCode {
    tessera_cli::main(|cli: Cli| {
        tessera_cli::finish(match cli.what {
            What::Trace(arguments) => trace(&arguments),
            What::Words(arguments) => words::run_words(&arguments),
            What::Images(arguments) => images(&arguments),
        })
    })
}

/// Returns a chip in reset.
fn chip(common: &Common) -> Device {
    let making = match common.strict {
        true => Device::strict,
        false => Device::with_model,
    };
    making(common.arch, common.model.into(), common.seed)
}

/// Configures a chip before it runs. Returns the files that were loaded into the shown tile, with
/// their addresses.
fn prepare<'a>(device: &mut Device, common: &'a Common) -> Result<Vec<(&'a Path, Range<u64>)>> {
    let at = common.tile();
    for &dump in &common.dump {
        if let Dump::L1(addr, count) = dump {
            device.check_range(at, addr.into(), count)?;
        }
    }
    for save in &common.save {
        save.check(device, at)?;
    }
    let mut loaded = Vec::new();
    for load in &common.load {
        let bytes = load.run(device, at)?;
        loaded.extend(bytes.map(|bytes| (&*load.file, bytes)));
    }
    for &stop in &common.stop {
        device.stop_at(at, stop)?;
    }
    if common.trace.is_some() {
        device.record(at)?;
    }
    Ok(loaded)
}

/// Prints and writes what was requested after the run.
fn show(mut device: Device, common: &Common) -> Result<()> {
    let arch = common.arch;
    let mut out = String::new();
    for &dump in &common.dump {
        write!(out, "{}", device.dump(common.tile(), dump)?)?;
    }
    for save in &common.save {
        save.run(&mut device, common.tile())?;
    }
    if let (Some(path), Some(line)) = (&common.trace, device.timeline(common.tile())) {
        let written =
            File::create(path).and_then(|file| timeline::write(line, BufWriter::new(file)));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    if !common.stats {
        // The process ends. To free the memory of all tiles takes as long as a small program.
        std::mem::forget(device);
    } else {
        for ((x, y), stats) in device.stats() {
            let retired = stats.retired();
            writeln!(
                out,
                "tile ({x}, {y}): RISC-V instructions of B, T0, T1, T2, NC: {retired:?}"
            )?;
            for (mnemonic, count) in stats.by_mnemonic() {
                writeln!(out, "  {mnemonic:<16}{count:>10}")?;
            }
            for (cause, counts) in stats.stalls() {
                let name = cause.name();
                writeln!(out, "  of T0, T1, T2 {counts:?} waited for {name}")?;
            }
            for Busy { part, cycles, rate } in cycles::busy(arch, &stats) {
                match cycles {
                    Some(0) => {}
                    Some(cycles) => {
                        writeln!(out, "  {part:<16}{cycles:>10} cycles busy: {rate}")?;
                    }
                    None => writeln!(
                        out,
                        "  {part:<16} busy; its rate is not documented on {arch}"
                    )?,
                }
            }
        }
    }
    tessera_cli::write(None, out.as_bytes())
}

/// Reads a trace; returns its name in diagnostics, too.
fn read_trace(input: Option<&Path>) -> Result<(String, Trace)> {
    let mut lines = Lines::open(input)?;
    let name = lines.name().to_owned();
    let mut trace = Trace::default();
    while let Some((number, line)) = lines.read()? {
        let added = trace.add_line(number, line);
        added.with_context(|| name.clone())?;
    }
    Ok((name, trace))
}

fn trace(arguments: &Recording) -> Result<()> {
    let common = &arguments.common;
    let (name, trace) = read_trace(arguments.input.as_deref())?;
    let limits = Limits {
        read: arguments.read_limit,
        total: common.limit,
    };
    let mut replay = Replay::new(chip(common), limits);
    prepare(replay.device(), common)?;
    let progress = Progress::start(None);
    progress.set_message(name.clone());
    let ran = replay.run(trace);
    drop(progress);
    match ran {
        Err(stopped @ ReplayError::Break { .. }) => print(format_args!("{name}: {stopped}"))?,
        other => other.with_context(|| name.clone())?,
    }
    let outcome = replay.outcome().clone();
    let races = replay.device().races();
    show(replay.into_device(), common)?;
    if let Some(first) = &outcome.first {
        bail!(
            "{name}: {} of {} replies differ; {first}",
            outcome.mismatches,
            outcome.replies
        );
    }
    print(format_args!(
        "{name}: {} lines, {} replies as recorded, {} steps, {races} races",
        outcome.events, outcome.replies, outcome.steps
    ))
}

/// Prints a line.
fn print(line: fmt::Arguments) -> Result<()> {
    tessera_cli::write(None, format!("{line}\n").as_bytes())
}

fn images(arguments: &Images) -> Result<()> {
    let common = &arguments.common;
    if let Some(core) = arguments.duplicate_core() {
        let message = format!("core {core} is given two images; give it one");
        Cli::command()
            .error(ErrorKind::ArgumentConflict, message)
            .exit()
    }
    let mut device = chip(common);
    for image in &arguments.images {
        let read = fs::read(&image.file);
        let bytes = read.with_context(|| format!("cannot read {}", image.file.display()))?;
        if Executable::is_one(&bytes) {
            let executable = Executable::parse(&bytes);
            let executable = executable.with_context(|| image.file.display().to_string())?;
            device.load_executable(common.tile(), image.core, &executable)?;
        } else {
            device.load_image(common.tile(), image.core, &bytes)?;
        }
    }
    prepare(&mut device, common)?;
    let cores: Vec<usize> = arguments.images.iter().map(|image| image.core).collect();
    device.release(common.tile(), &cores)?;
    run(device, common, anyhow::Error::from)
}

/// Runs a chip until it is idle or reaches a breakpoint. Any other end is an error, whose location
/// `placed` formats.
fn run(
    mut device: Device,
    common: &Common,
    placed: impl FnOnce(ChipTrap) -> anyhow::Error,
) -> Result<()> {
    let at = common.tile();
    let progress = Progress::start(None);
    progress.set_message(format!("{} until it is idle", common.arch));
    let ran = device.run(common.limit);
    drop(progress);
    let ended = match ran.map_err(placed)? {
        Stop::Quiescent => "idle",
        Stop::Break(_) => "stopped",
        Stop::StepLimit => "not idle within the step limit",
    };
    let waiting = device.waiting(at);
    let races = device.races();
    show(device, common)?;
    if races > 0 {
        tessera_cli::print_message(format_args!(
            "note: {races} times two units accessed the same data at once; another --seed may give \
             other results, and --strict reports the place"
        ));
    }
    match (ended, waiting.is_empty()) {
        ("idle", true) => Ok(()),
        ("stopped", _) => {
            let waiting = match waiting.is_empty() {
                true => "nothing waits".to_owned(),
                false => waiting.join("; "),
            };
            print(format_args!("stopped: {waiting}"))
        }
        _ => Err(anyhow!("{ended}: {}", waiting.join("; "))),
    }
}
