//! A timeline of a program in the Trace Event Format, for Perfetto and chrome://tracing.
//!
//! Each unit of the PE instructions has a track, with one slice per expression, named by its text.
//! Each tag of MV instructions has a track, with one slice from the issue to the `wait` that covers
//! it, or to the end. The viewers require that slices of a track do not overlap, so transfers
//! without a tag use as many tracks as are in flight at a time. A microsecond of the viewer is a
//! cycle. Times are estimates from [`crate::timeline`].
//!
//! The output uses complete events (`X`) and track names (`M`).

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{json, Map, Value};
use tessera_isa_mncore::ast::{Statement, StatementKind};
use tessera_isa_mncore::table::Group;

use crate::timeline::{Pending, Timeline, Timing};

/// The tracks of PE instructions, in display order.
const TRACKS: [Group; 11] = [
    Group::L2bm,
    Group::L2bmdarw,
    Group::L1bm,
    Group::Turnaround,
    Group::MauCalc,
    Group::Mwrite,
    Group::Mread,
    Group::Alu,
    Group::Wait,
    Group::Noforward,
    Group::Nop,
];

/// The process ids of the track groups. They start at 1, since viewers reserve 0.
const UNITS: usize = 1;
const TRANSFERS: usize = 2;
const PROGRAMS: usize = 3;

/// The base of the tracks of transfers without a tag. A transfer with a tag uses the tag as track
/// number.
const UNTAGGED: usize = 255;

/// Writes the trace of executed statements.
pub fn write(statements: &[Statement], out: impl Write) -> io::Result<()> {
    let mut trace = TraceWriter::new(out)?;
    for statement in statements {
        trace.statement(statement, None)?;
    }
    trace.end_program(None)?;
    trace.finish()
}

/// Writes a trace of consecutive programs, statement by statement.
pub struct TraceWriter<W: Write> {
    events: Events<W>,
    /// The cycle in which the current program starts.
    start: u64,
    clock: Timeline,
    tracks: Tracks,
    /// The transfers issued by the current program.
    issued: Vec<Issued>,
}

/// Writes a JSON array of events.
struct Events<W: Write> {
    out: W,
    empty: bool,
}

/// An issued transfer.
struct Issued {
    text: String,
    args: Map<String, Value>,
    /// The issue cycle, relative to the start of the program.
    at: u64,
    track: usize,
}

/// Allocates the tracks of transfers.
#[derive(Default)]
struct Tracks {
    named: BTreeSet<usize>,
    /// The tracks without a tag that are in use.
    untagged: Vec<bool>,
    /// Whether the track of programs exists.
    has_programs: bool,
}

impl Tracks {
    /// Allocates a track for a transfer.
    fn allocate(&mut self, tag: u8) -> usize {
        if tag != 0 {
            return tag.into();
        }
        let free = self.untagged.iter().position(|used| !used);
        let place = free.unwrap_or_else(|| {
            self.untagged.push(true);
            self.untagged.len() - 1
        });
        self.untagged[place] = true;
        UNTAGGED + 1 + place
    }

    /// Releases the track of a completed transfer.
    fn release(&mut self, track: usize) {
        if let Some(used) = track
            .checked_sub(UNTAGGED + 1)
            .and_then(|place| self.untagged.get_mut(place))
        {
            *used = false;
        }
    }
}

impl<W: Write> Events<W> {
    fn push(&mut self, event: &Value) -> io::Result<()> {
        self.out
            .write_all(if self.empty { b"\n" } else { b",\n" })?;
        self.empty = false;
        Ok(serde_json::to_writer(&mut self.out, event)?)
    }

    fn name(&mut self, what: &str, process: usize, track: usize, name: &str) -> io::Result<()> {
        let event =
            json!({"name": what, "ph": "M", "pid": process, "tid": track, "args": {"name": name}});
        self.push(&event)
    }

    fn slice(
        &mut self,
        name: &str,
        (process, track): (usize, usize),
        (start, end): (u64, u64),
        args: &Map<String, Value>,
    ) -> io::Result<()> {
        self.push(&json!({
            "name": name, "ph": "X", "pid": process, "tid": track,
            "ts": start, "dur": end - start, "args": args,
        }))
    }
}

impl<W: Write> TraceWriter<W> {
    /// Starts a trace.
    pub fn new(out: W) -> io::Result<Self> {
        let mut events = Events { out, empty: true };
        let header =
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"time unit\":\"1 us is a cycle\"},\
                      \"traceEvents\":[";
        events.out.write_all(header.as_bytes())?;
        events.name("process_name", UNITS, 0, "units")?;
        events.name("process_name", TRANSFERS, 0, "MV instructions")?;
        for (track, group) in TRACKS.iter().enumerate() {
            events.name("thread_name", UNITS, track + 1, group.name())?;
        }
        Ok(TraceWriter {
            events,
            start: 0,
            clock: Timeline::default(),
            tracks: Tracks::default(),
            issued: Vec::new(),
        })
    }

    /// Adds the next statement of the program, with its source location.
    pub fn statement(&mut self, statement: &Statement, source: Option<&str>) -> io::Result<()> {
        let mut args = Map::new();
        args.insert("line".into(), statement.span.line.into());
        args.extend(source.map(|source| ("source".to_owned(), source.into())));
        match self.clock.advance(statement, self.issued.len()) {
            Timing::Nothing => Ok(()),
            Timing::Transfer(at, pending) => {
                let track = self.tracks.allocate(pending.tag);
                if self.tracks.named.insert(track) {
                    let name = match pending.tag {
                        0 => format!("no tag {}", track - UNTAGGED),
                        tag => format!("i{tag:02x}"),
                    };
                    self.events.name("thread_name", TRANSFERS, track, &name)?;
                }
                self.issued.push(Issued {
                    text: statement.to_string(),
                    args,
                    at,
                    track,
                });
                Ok(())
            }
            Timing::Step(when, covered) => {
                for pending in covered {
                    self.transfer(&pending, when.start)?;
                    self.tracks.release(self.issued[pending.number].track);
                }
                let StatementKind::Step(step) = &statement.kind else {
                    return Ok(());
                };
                let span = (self.start + when.start, self.start + when.end);
                for expression in &step.expressions {
                    let group = expression.op.group();
                    let track = TRACKS.iter().position(|track| *track == group);
                    let track = (UNITS, track.map_or(0, |track| track + 1));
                    self.events
                        .slice(&expression.to_string(), track, span, &args)?;
                }
                Ok(())
            }
        }
    }

    /// Ends the current program. The next statement starts another program, after all transfers of
    /// this one have completed. A program with a name gets a slice on the track of programs.
    pub fn end_program(&mut self, name: Option<&str>) -> io::Result<()> {
        let end = self.clock.end();
        for pending in self.clock.pending().to_vec() {
            self.transfer(&pending, end)?;
            self.tracks.release(self.issued[pending.number].track);
        }
        if let Some(name) = name {
            if !self.tracks.has_programs {
                self.events.name("process_name", PROGRAMS, 0, "kernels")?;
                self.tracks.has_programs = true;
            }
            let span = (self.start, self.start + end);
            self.events.slice(name, (PROGRAMS, 1), span, &Map::new())?;
        }
        self.start += end;
        self.clock = Timeline::default();
        self.issued.clear();
        Ok(())
    }

    /// Ends the trace.
    pub fn finish(self) -> io::Result<()> {
        let mut out = self.events.out;
        out.write_all(b"\n]}\n")?;
        out.flush()
    }

    /// Writes the slice of a transfer that ends in this cycle.
    fn transfer(&mut self, pending: &Pending, until: u64) -> io::Result<()> {
        let Issued {
            text,
            args,
            at,
            track,
        } = &mut self.issued[pending.number];
        let moves = pending.moves;
        args.insert("moves from".into(), (self.start + moves.start).into());
        args.insert("moves until".into(), (self.start + moves.end).into());
        let span = (self.start + *at, self.start + until);
        self.events.slice(text, (TRANSFERS, *track), span, args)
    }
}

#[cfg(test)]
mod tests;
