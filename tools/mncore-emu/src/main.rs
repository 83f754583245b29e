//! `mncore-emu`: runs MN-Core 2 assembly, as it is written or as `mncore-as` leaves it.
//!
//! Only arguments and output; `tessera_mncore` implements the machine. Dumps and data for the host
//! go to standard output or the file given with `-d`, everything else to standard error. Exit
//! codes: 0 on success, 1 for an invalid or trapped program, 2 for an invalid command line.

mod arguments;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use tessera_cli::{Findings, Progress};
use tessera_isa_mncore::{text_form, unit, Diagnostic, Program};
use tessera_mncore::machine::{Event, Machine};
use tessera_mncore::stats::Stats;
use tessera_mncore::undetermined::POINTS;
use tessera_mncore::{image, timeline, trace};

use arguments::Cli;

fn main() -> ExitCode {
    tessera_cli::main(|cli: Cli| {
        let result = if cli.version {
            print_version(cli.verbose)
        } else {
            run(&cli)
        };
        tessera_cli::finish(result)
    })
}

fn print_version(verbose: bool) -> Result<()> {
    let mut text = format!("mncore-emu {}\n", env!("CARGO_PKG_VERSION"));
    for point in POINTS.iter().filter(|_| verbose) {
        text += &format!("{point}\n");
    }
    tessera_cli::write(None, text.as_bytes())
}

/// Returns the name and the text of a program. Units of packed instructions, which no text looks
/// like as they have bytes of zero, are disassembled, so that messages can show lines of them.
fn source(name: String, bytes: Vec<u8>) -> Result<(String, String)> {
    if !bytes.contains(&0) {
        let text = tessera_cli::text(&name, bytes)?;
        return Ok((name, text));
    }
    let (program, _) =
        unit::unpack(&bytes).with_context(|| format!("{name} is neither text nor packed units"))?;
    Ok((format!("{name} (disassembled)"), program.to_string()))
}

/// Returns the program of a text: assembly, or what `mncore-as` made of it.
fn parse(name: &str, text: &str) -> Result<Program> {
    let loaded = text_form::load(text).and_then(|program| {
        let found = tessera_isa_mncore::check(&program);
        if found.is_empty() {
            Ok(program)
        } else {
            Err(found)
        }
    });
    loaded.map_err(|found| Findings::from_first(&found, |one| one.render(name, text)).into())
}

fn run(cli: &Cli) -> Result<()> {
    let (name, bytes) = tessera_cli::read(cli.input.as_deref())?;
    let (name, text) = source(name, bytes)?;
    let program = parse(&name, &text)?;
    let mut out: BufWriter<Box<dyn Write>> = match &cli.dump {
        Some(path) => BufWriter::new(Box::new(create(path)?)),
        None => BufWriter::new(Box::new(io::stdout().lock())),
    };
    let mut machine = Machine::new(cli.options());
    for load in &cli.load {
        // A long word more than there is room for is refused by the memory.
        let room = load.memory.size() - load.offset;
        let bytes = tessera_cli::read_up_to(&load.file, room + 8)?;
        image::load(&mut machine.board, load.memory, load.offset, &bytes)
            .with_context(|| format!("cannot load {}", load.file.display()))?;
    }
    cli.armed_tags.iter().for_each(|tag| machine.arm(*tag));
    let progress = Progress::start(None);
    progress.set_message(format!("{} statements of {name}", program.statements.len()));
    let mut written = Ok(());
    let ran = machine.run_while(&program, &mut |event| {
        let result = progress.suspend(|| match event {
            Event::Dump(line) => writeln!(out, "{line}"),
            Event::ToHost(address, word) => writeln!(out, "{address:09x}: {word:016x}"),
            Event::Race(span, reason) => {
                tessera_cli::print_message(format_args!(
                    "{}",
                    Diagnostic::new(span, reason.to_string())
                        .render(&name, &text)
                        .replacen("error: ", "warning: ", 1)
                ));
                Ok(())
            }
        });
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                written = Err(error);
                ControlFlow::Break(())
            }
        }
    });
    drop(progress);
    written
        .and_then(|()| out.flush())
        .with_context(|| match &cli.dump {
            Some(path) => format!("cannot write {}", path.display()),
            None => "cannot write the standard output".into(),
        })?;
    let executed = timeline::executed(&program, ran.as_ref().err());
    if let Some(path) = &cli.trace {
        let written = trace::write(executed, BufWriter::new(create(path)?));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    if cli.stats {
        let mut stats = Stats::new(cli.options().geometry);
        stats.add(executed);
        tessera_cli::print_message(format_args!("{stats}"));
        for point in machine.undetermined_points().iter() {
            tessera_cli::print_message(format_args!("depends on: {}", point.point()));
        }
    }
    ran.map_err(|trap| Findings::from_text(&trap.render(&name, &text)))?;
    for save in &cli.save {
        image::check_written(&machine.board, &save.region)
            .with_context(|| format!("cannot save {}", save.file.display()))?;
        let mut file = BufWriter::new(create(&save.file)?);
        image::save(&machine.board, &save.region, &mut file)
            .with_context(|| format!("cannot save {}", save.file.display()))?;
    }
    Ok(())
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}
