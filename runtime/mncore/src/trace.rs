//! A program on a time line, as JSON that Perfetto and chrome://tracing show.
//!
//! One track for each unit of the PE instructions, a slice for each expression, named by its text; one track for each tag of MV
//! instructions, a slice from the issue to the wait that covers it, or to the end. Slices of a track do not overlap, as the
//! viewers want it: transfers without a tag have as many tracks as are under way at a time. A microsecond of the viewer is a
//! cycle. Times are those of [`crate::timeline`]: an estimate.
//!
//! Source: the Trace Event Format, as both viewers read it: complete events (`X`) and names of tracks (`M`).

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{json, Value};
use tessera_isa_mncore::ast::{Statement, StatementKind};
use tessera_isa_mncore::table::Group;

use crate::timeline::{Clock, Pending, Tick};

/// The tracks of PE instructions, in the order they are shown.
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

/// The numbers of the two groups of tracks. Tracks count from 1: viewers keep 0 for themselves.
const UNITS: usize = 1;
const TRANSFERS: usize = 2;

/// Before the tracks of transfers without a tag; those of tags have the tag's number.
const UNTAGGED: usize = 255;

/// Writes the trace of statements that were executed.
pub fn write(statements: &[Statement], out: impl Write) -> io::Result<()> {
    let mut events = Events { out, empty: true };
    events.out.write_all(b"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"time unit\":\"1 us is a cycle\"},\"traceEvents\":[")?;
    events.name("process_name", UNITS, 0, "units")?;
    events.name("process_name", TRANSFERS, 0, "MV instructions")?;
    for (track, group) in TRACKS.iter().enumerate() {
        events.name("thread_name", UNITS, track + 1, group.name())?;
    }
    events.slices(statements)?;
    events.out.write_all(b"\n]}\n")?;
    events.out.flush()
}

/// An array of events being written.
struct Events<W: Write> {
    out: W,
    empty: bool,
}

/// A transfer that was issued.
struct Issued<'a> {
    statement: &'a Statement,
    /// The cycle.
    at: u64,
    track: usize,
}

/// The tracks of transfers.
#[derive(Default)]
struct Tracks {
    named: BTreeSet<usize>,
    /// Those without a tag that are in use.
    untagged: Vec<bool>,
}

impl Tracks {
    /// The track of a transfer being issued.
    fn take(&mut self, tag: u8) -> usize {
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

    /// Its transfer is complete.
    fn give_back(&mut self, track: usize) {
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

    fn slices(&mut self, statements: &[Statement]) -> io::Result<()> {
        let (mut clock, mut tracks) = (Clock::default(), Tracks::default());
        let mut issued: Vec<Issued> = Vec::new();
        for statement in statements {
            match clock.statement(statement, issued.len()) {
                Tick::Nothing => {}
                Tick::Transfer(at, pending) => {
                    let track = tracks.take(pending.tag);
                    if tracks.named.insert(track) {
                        let name = match pending.tag {
                            0 => format!("no tag {}", track - UNTAGGED),
                            tag => format!("i{tag:02x}"),
                        };
                        self.name("thread_name", TRANSFERS, track, &name)?;
                    }
                    issued.push(Issued {
                        statement,
                        at,
                        track,
                    });
                }
                Tick::Step(when, covered) => {
                    for pending in covered {
                        let issued = &issued[pending.number];
                        self.transfer(issued, &pending, when.start)?;
                        tracks.give_back(issued.track);
                    }
                    let StatementKind::Step(step) = &statement.kind else {
                        continue;
                    };
                    for expression in &step.expressions {
                        let group = expression.op.group();
                        let track = TRACKS.iter().position(|track| *track == group);
                        self.push(&json!({
                            "name": expression.to_string(), "ph": "X", "pid": UNITS, "tid": track.map(|track| track + 1),
                            "ts": when.start, "dur": when.end - when.start,
                            "args": {"line": statement.span.line},
                        }))?;
                    }
                }
            }
        }
        let end = clock.end();
        for pending in clock.pending() {
            self.transfer(&issued[pending.number], pending, end)?;
        }
        Ok(())
    }

    /// A transfer, until a cycle.
    fn transfer(&mut self, issued: &Issued, pending: &Pending, until: u64) -> io::Result<()> {
        let (moves, statement) = (pending.moves, issued.statement);
        self.push(&json!({
            "name": statement.to_string(), "ph": "X", "pid": TRANSFERS, "tid": issued.track,
            "ts": issued.at, "dur": until - issued.at,
            "args": {"line": statement.span.line, "moves from": moves.start, "moves until": moves.end},
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_transfers_on_their_tracks() {
        let source =
            "mvp/n640i01 $p0@0 $lc0@0.0\nmvp/n64 $p0@0 $d0@0\nnop\nlpassa $lm0v $lr0v; wait i01\n\
                      mvp/n64 $p0@0 $d0@0\nmvp/n64i02 $p0@0 $d0@0\nnop; wait i02\n";
        let program = tessera_isa_mncore::parse(source).expect("it is in the language");
        let mut bytes = Vec::new();
        write(&program.statements, &mut bytes).expect("memory takes it");
        let trace: Value = serde_json::from_slice(&bytes).expect("it is JSON");
        let events = trace["traceEvents"].as_array().expect("it is an array");
        let track = |event: &Value| {
            let named = events.iter().find(|name| {
                name["name"] == "thread_name"
                    && name["pid"] == event["pid"]
                    && name["tid"] == event["tid"]
            });
            named.expect("every track has a name")["args"]["name"].clone()
        };
        let slices: Vec<_> = events
            .iter()
            .filter(|event| event["ph"] == "X")
            .map(|event| {
                let number = |key: &str| event[key].as_u64().expect("a number");
                let text = event["name"].as_str().expect("a text");
                let line = event["args"]["line"].as_u64().expect("a number");
                (text, track(event), line, number("ts"), number("dur"))
            })
            .collect();
        assert_eq!(
            slices,
            [
                ("nop", json!("nop"), 3, 0, 4),
                ("mvp/n640i01 $p0@0 $lc0@0.0", json!("i01"), 1, 0, 40),
                ("lpassa $lm0v $lr0v", json!("alu"), 4, 40, 4),
                ("wait i01", json!("wait"), 4, 40, 4),
                ("mvp/n64 $p0@0 $d0@0", json!("no tag 1"), 2, 0, 52),
                ("mvp/n64 $p0@0 $d0@0", json!("no tag 2"), 5, 44, 8),
                ("mvp/n64i02 $p0@0 $d0@0", json!("i02"), 6, 44, 8),
                ("nop", json!("nop"), 7, 52, 4),
                ("wait i02", json!("wait"), 7, 52, 4),
            ]
        );
    }

    #[test]
    fn every_unit_has_a_track() {
        let mut tracks = TRACKS.to_vec();
        tracks.sort();
        tracks.dedup();
        assert_eq!(tracks.len(), TRACKS.len());
        // The last of the groups.
        assert_eq!(Group::Wait as usize + 1, TRACKS.len());
    }
}
