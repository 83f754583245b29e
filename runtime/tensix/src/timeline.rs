//! What the coprocessor did, on a time line, as JSON that Perfetto and chrome://tracing show.
//!
//! One track for each unit of each thread, and one for what of a thread occupies none; a slice for each instruction, from its
//! issue to where it has left the unit, named as it is written. A microsecond of the viewer is a step of the coprocessor: an
//! instruction that is issued, or one that ends. So the order is that of the run; lengths are not times.
//!
//! Source: the Trace Event Format, as both viewers read it: complete events (`X`) and names of tracks (`M`).

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write};

use serde_json::json;
use tessera_isa_tensix::{Arch, Instruction};

use crate::flight::{UNITS, UNIT_NAMES};

/// An instruction on the time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Its thread; past the last, TDMA-RISC.
    pub thread: usize,
    /// The number of its unit, if it occupies one.
    pub unit: Option<usize>,
    /// The instruction; none for what TDMA-RISC lets the mover do.
    pub instruction: Option<Instruction>,
    /// The step of its issue.
    pub start: u64,
    /// The step in which it ended.
    pub end: u64,
}

/// A time line, as it grows.
#[derive(Clone, Debug)]
pub struct Timeline {
    arch: Arch,
    step: u64,
    open: [VecDeque<Slice>; UNITS],
    done: Vec<Slice>,
}

impl Timeline {
    /// An empty one of a coprocessor.
    pub(crate) fn new(arch: Arch) -> Timeline {
        Timeline {
            arch,
            step: 0,
            open: Default::default(),
            done: Vec::new(),
        }
    }

    /// An instruction was issued to the units of a mask.
    pub(crate) fn issued(&mut self, thread: usize, units: u32, instruction: Option<Instruction>) {
        self.step += 1;
        let slice = Slice {
            thread,
            unit: None,
            instruction,
            start: self.step,
            end: self.step + 1,
        };
        if units == 0 {
            self.done.push(slice);
        }
        for unit in (0..UNITS).filter(|unit| units >> unit & 1 != 0) {
            let unit_of = Some(unit);
            self.open[unit].push_back(Slice {
                unit: unit_of,
                ..slice
            });
        }
    }

    /// So many instructions are in each unit now.
    pub(crate) fn left(&mut self, in_flight: impl Fn(usize) -> usize) {
        self.step += 1;
        for (unit, open) in self.open.iter_mut().enumerate() {
            while open.len() > in_flight(unit) {
                let end = self.step;
                self.done
                    .extend(open.pop_front().map(|slice| Slice { end, ..slice }));
            }
        }
    }

    /// The instructions that have ended, in the order of their ends.
    pub fn slices(&self) -> &[Slice] {
        &self.done
    }

    fn name_of(&self, slice: &Slice) -> String {
        match &slice.instruction {
            Some(instruction) => instruction.text(self.arch).to_string(),
            None => "move".to_owned(),
        }
    }
}

/// The track of a slice: its unit, and behind the units what occupies none; its process is the thread.
fn track(slice: &Slice) -> usize {
    slice.unit.map_or(UNITS + 1, |unit| unit + 1)
}

fn track_name(track: usize) -> &'static str {
    UNIT_NAMES.get(track - 1).copied().unwrap_or("no unit")
}

/// Writes the time line.
///
/// # Errors
/// What `out` gives.
pub fn write(line: &Timeline, mut out: impl Write) -> io::Result<()> {
    let slices = line.slices();
    out.write_all(b"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"time unit\":\"1 us is a step of the coprocessor, not a time\"},\"traceEvents\":[")?;
    let mut separator = "\n";
    let mut event = |value: serde_json::Value| {
        let written = write!(out, "{separator}{value}");
        separator = ",\n";
        written
    };
    let processes: BTreeSet<usize> = slices.iter().map(|s| s.thread).collect();
    for process in processes {
        let name = match process {
            0..3 => format!("thread {process}"),
            _ => "TDMA-RISC".to_owned(),
        };
        event(
            json!({"ph": "M", "pid": process + 1, "name": "process_name", "args": {"name": name}}),
        )?;
    }
    let tracks: BTreeSet<(usize, usize)> = slices.iter().map(|s| (s.thread, track(s))).collect();
    for (process, track) in tracks {
        let name = track_name(track);
        event(
            json!({"ph": "M", "pid": process + 1, "tid": track, "name": "thread_name", "args": {"name": name}}),
        )?;
    }
    for slice in slices {
        event(json!({
            "ph": "X",
            "pid": slice.thread + 1,
            "tid": track(slice),
            "ts": slice.start,
            "dur": slice.end - slice.start,
            "name": line.name_of(slice),
        }))?;
    }
    out.write_all(b"\n]}\n")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_end_in_the_order_of_their_units() {
        let mut t = Timeline::new(Arch::WormholeB0);
        let nop = Instruction::parse(t.arch, "ttnop").unwrap();
        t.issued(0, 0, Some(nop));
        t.issued(1, 0b101, Some(nop));
        t.issued(1, 0b100, Some(nop));
        t.left(|unit| usize::from(unit == 2));
        t.left(|_| 0);
        let spans: Vec<_> = t
            .slices()
            .iter()
            .map(|s| (s.unit, s.start, s.end))
            .collect();
        assert_eq!(
            spans,
            [
                (None, 1, 2),
                (Some(0), 2, 4),
                (Some(2), 2, 4),
                (Some(2), 3, 5)
            ]
        );
        let mut text = Vec::new();
        write(&t, &mut text).unwrap();
        let parsed: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let events = parsed["traceEvents"].as_array().unwrap();
        let count = |ph: &str| events.iter().filter(|e| e["ph"] == ph).count();
        assert_eq!((count("X"), count("M")), (4, 2 + 3));
        assert_eq!(events[2]["args"]["name"], "no unit");
        assert_eq!(events[5]["name"], "ttnop");
    }
}
