//! A program on a time line, as JSON that Perfetto and chrome://tracing show.
//!
//! One track for each unit of the PE instructions, a slice for each expression, named by its text; one track for each tag of MV
//! instructions, a slice from the issue to the wait that covers it, or to the end. A microsecond of the viewer is a
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

/// The numbers of the two groups of tracks.
const UNITS: u32 = 1;
const TRANSFERS: u32 = 2;

/// Writes the trace of statements that were executed.
pub fn write(statements: &[Statement], out: impl Write) -> io::Result<()> {
    let mut events = Events { out, empty: true };
    events.out.write_all(b"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"time unit\":\"1 us is a cycle\"},\"traceEvents\":[")?;
    events.name("process_name", UNITS, 0, "units")?;
    events.name("process_name", TRANSFERS, 0, "MV instructions")?;
    for (track, group) in TRACKS.iter().enumerate() {
        events.name("thread_name", UNITS, track as u32, group.name())?;
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

/// A transfer until it is waited for: its text, line and cycle of issue.
struct Issued<'a> {
    statement: &'a Statement,
    at: u64,
}

impl<W: Write> Events<W> {
    fn push(&mut self, event: &Value) -> io::Result<()> {
        self.out
            .write_all(if self.empty { b"\n" } else { b",\n" })?;
        self.empty = false;
        Ok(serde_json::to_writer(&mut self.out, event)?)
    }

    fn name(&mut self, what: &str, process: u32, track: u32, name: &str) -> io::Result<()> {
        let event =
            json!({"name": what, "ph": "M", "pid": process, "tid": track, "args": {"name": name}});
        self.push(&event)
    }

    fn slices(&mut self, statements: &[Statement]) -> io::Result<()> {
        let (mut clock, mut issued, mut tags) = (Clock::default(), Vec::new(), BTreeSet::new());
        for statement in statements {
            match clock.statement(statement, issued.len()) {
                Tick::Nothing => {}
                Tick::Transfer(at, pending) => {
                    issued.push(Issued { statement, at });
                    if tags.insert(pending.tag) {
                        let name = match pending.tag {
                            0 => "no tag".to_owned(),
                            tag => format!("i{tag:02x}"),
                        };
                        self.name("thread_name", TRANSFERS, pending.tag.into(), &name)?;
                    }
                }
                Tick::Step(when, covered) => {
                    for pending in covered {
                        self.transfer(&issued[pending.number], &pending, when.start)?;
                    }
                    let StatementKind::Step(step) = &statement.kind else {
                        continue;
                    };
                    for expression in &step.expressions {
                        let group = expression.op.group();
                        let track = TRACKS.iter().position(|track| *track == group);
                        self.push(&json!({
                            "name": expression.to_string(), "ph": "X", "pid": UNITS, "tid": track,
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
            "name": statement.to_string(), "ph": "X", "pid": TRANSFERS, "tid": pending.tag,
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
            "mvp/n640i01 $p0@0 $lc0@0.0\nnop\nlpassa $lm0v $lr0v; wait i01\nmvp/n64 $p0@0 $d0@0\n";
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
                ("nop", json!("nop"), 2, 0, 4),
                ("mvp/n640i01 $p0@0 $lc0@0.0", json!("i01"), 1, 0, 40),
                ("lpassa $lm0v $lr0v", json!("alu"), 3, 40, 4),
                ("wait i01", json!("wait"), 3, 40, 4),
                ("mvp/n64 $p0@0 $d0@0", json!("no tag"), 4, 44, 4),
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
