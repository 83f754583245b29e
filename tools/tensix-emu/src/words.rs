//! `words`: instructions for the threads of a tile, with their source locations.

use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::CommandFactory;
use tessera_cli::Findings;
use tessera_isa_tensix::asm;
use tessera_isa_tensix::Arch;
use tessera_tensix::chip::ChipTrap;
use tessera_tensix::trap::{Source, TrapLocation};

use crate::arguments::{Cli, Common, Words};
use crate::{chip, memory, prepare, run};

/// The instruction stream of a thread.
#[derive(Default)]
struct Stream {
    name: String,
    words: Vec<u32>,
    /// The source line of each word, for assembly.
    lines: Option<Vec<usize>>,
}

impl Stream {
    fn read(arguments: &Words, input: Option<&Path>) -> Result<Stream> {
        let (name, bytes) = tessera_cli::read(input)?;
        if arguments.binary {
            let words = tessera_cli::words(&name, &bytes)?;
            let lines = None;
            return Ok(Stream { name, words, lines });
        }
        let arch = arguments.common.arch;
        let text = tessera_cli::text(&name, bytes)?;
        let words = assembled(arch, &name, &text)?;
        let has_one = |line: &str| asm::assemble(arch, line).is_ok_and(|words| !words.is_empty());
        let lines = (1..).zip(text.lines()).filter(|(_, line)| has_one(line));
        let lines = Some(lines.map(|(number, _)| number).collect());
        Ok(Stream { name, words, lines })
    }

    /// Returns the source location of a word.
    fn place(&self, word: usize) -> String {
        let name = &self.name;
        match self.lines.as_ref().and_then(|lines| lines.get(word)) {
            Some(line) => format!("{name}:{line}"),
            None => format!("{name}: word {word}"),
        }
    }
}

fn assembled(arch: Arch, name: &str, text: &str) -> Result<Vec<u32>> {
    asm::assemble(arch, text)
        .map_err(|errors| Findings::from_first(&errors, |one| one.render(name, text)).into())
}

/// Returns the streams of the three threads.
fn streams(arguments: &Words) -> Result<[Stream; 3]> {
    let mut streams: [Option<Stream>; 3] = Default::default();
    let own = usize::from(arguments.thread);
    if arguments.inputs.is_empty() {
        streams[own] = Some(Stream::read(arguments, None)?);
    }
    for input in &arguments.inputs {
        let thread = input.thread.unwrap_or(own);
        let stream = Stream::read(arguments, Some(&input.file))?;
        if streams[thread].replace(stream).is_some() {
            let message = format!("thread {thread} is given two files; give it one");
            Cli::command()
                .error(ErrorKind::ArgumentConflict, message)
                .exit()
        }
    }
    Ok(streams.map(Option::unwrap_or_default))
}

/// Adds the source location of an instruction to an error, if known.
fn with_place(
    error: ChipTrap,
    common: &Common,
    streams: &[Stream; 3],
    places: &[Range<u32>; 3],
) -> anyhow::Error {
    let pc = match error.trap.place {
        Some(TrapLocation::Pc(pc)) if error.tile == Some(common.tile()) => pc,
        _ => return error.into(),
    };
    let is_its = |&thread: &usize| {
        error.trap.source == Some(Source::of_thread(thread)) && places[thread].contains(&pc)
    };
    match (0..3).find(is_its) {
        None => error.into(),
        Some(thread) => {
            let word = (pc - places[thread].start) as usize / 4;
            Findings::from_places([(streams[thread].place(word), error)]).into()
        }
    }
}

/// Executes instructions on threads of a tile.
pub fn run_words(arguments: &Words) -> Result<()> {
    let common = &arguments.common;
    let streams = streams(arguments)?;
    let mut device = chip(common);
    let loaded = prepare(&mut device, common)?;
    let at = common.tile();
    let places = device.load_words(at, streams.each_ref().map(|stream| &stream.words[..]))?;
    let threads: Vec<usize> = (0..3).filter(|&k| !places[k].is_empty()).collect();
    for (file, bytes) in &loaded {
        for &thread in &threads {
            memory::check_apart(file, bytes, &places[thread])?;
        }
    }
    device.release_words(at, &threads)?;
    run(device, common, |error| {
        with_place(error, common, &streams, &places)
    })
}
