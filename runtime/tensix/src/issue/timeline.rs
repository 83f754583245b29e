//! A time line of the coprocessor's activity, as JSON for Perfetto and chrome://tracing.
//!
//! There is one track per unit and thread, and one per thread for instructions that occupy no unit.
//! Each instruction is a slice from its issue until it leaves the unit. A microsecond in the viewer
//! is a step of the coprocessor: the issue or the end of an instruction. The order is thus that of
//! the run, while lengths are not times.
//!
//! Source: the Trace Event Format as both viewers read it: complete events (`X`) and names of
//! tracks (`M`).

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write};

use serde_json::json;
use tessera_isa_tensix::tile::Coordinate;
use tessera_isa_tensix::{Arch, Instruction};

use crate::issue::flight::UNIT_NAMES;
use crate::state::units::UNITS;

/// An instruction on the time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Its thread; the number after the last thread is TDMA-RISC.
    pub thread: usize,
    /// The number of its unit, if it occupies one.
    pub unit: Option<usize>,
    /// The instruction; `None` for the mover's tasks for TDMA-RISC.
    pub instruction: Option<Instruction>,
    /// The step of its issue.
    pub start: u64,
    /// The step of its end.
    pub end: u64,
}

/// A time line being recorded.
#[derive(Clone, Debug)]
pub struct Timeline {
    arch: Arch,
    step: u64,
    open: [VecDeque<Slice>; UNITS],
    done: Vec<Slice>,
}

impl Timeline {
    /// Creates an empty time line of a coprocessor.
    pub(crate) fn new(arch: Arch) -> Timeline {
        Timeline {
            arch,
            step: 0,
            open: Default::default(),
            done: Vec::new(),
        }
    }

    /// Records the issue of an instruction to the units of a mask.
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

    /// Records the current number of instructions in each unit.
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

    /// Returns the instructions that have ended, in the order of their ends.
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

/// Returns the track of a slice: its unit, or the track after the units. Its process is the thread.
fn track(slice: &Slice) -> usize {
    slice.unit.map_or(UNITS + 1, |unit| unit + 1)
}

fn track_name(track: usize) -> &'static str {
    UNIT_NAMES.get(track - 1).copied().unwrap_or("no unit")
}

/// Writes the time line of one coprocessor.
///
/// # Errors
/// Those of `out`.
pub fn write(line: &Timeline, out: impl Write) -> io::Result<()> {
    let mut events = Events::new(out)?;
    events.name_tracks(1, "", [line])?;
    events.slices(1, 0, line)?;
    events.finish()
}

/// The run of a kernel: its name, and the recorded time line of each tile.
pub type Kernel<'a> = (&'a str, &'a [(Coordinate, Timeline)]);

/// Writes the time lines of kernels that ran one after the other. The first track has a slice per
/// kernel; a tile has the same tracks in all of them.
///
/// # Errors
/// Those of `out`.
pub fn write_kernels(kernels: &[Kernel], out: impl Write) -> io::Result<()> {
    let mut events = Events::new(out)?;
    let tiles = kernels.iter().flat_map(|(_, tiles)| *tiles);
    let places: BTreeSet<Coordinate> = tiles.clone().map(|(at, _)| *at).collect();
    let places: Vec<Coordinate> = places.into_iter().collect();
    events.name("process_name", 1, None, "kernels")?;
    for (k, &(x, y)) in places.iter().enumerate() {
        let lines = tiles.clone().filter(|(at, _)| *at == (x, y));
        let prefix = format!("tile ({x}, {y}), ");
        events.name_tracks(first_process(k), &prefix, lines.map(|(_, line)| line))?;
    }
    let mut start = 0;
    for (name, tiles) in kernels {
        let steps = tiles.iter().map(|(_, line)| line.step).max();
        let steps = steps.unwrap_or_default();
        events.push(&json!({
            "ph": "X", "pid": 1, "tid": 1, "ts": start, "dur": steps, "name": name,
        }))?;
        for (at, line) in *tiles {
            let k = places.iter().position(|place| place == at);
            events.slices(first_process(k.unwrap_or_default()), start, line)?;
        }
        start += steps;
    }
    events.finish()
}

/// Returns the process number of thread 0 of tile `k`; process 1 shows the kernels.
fn first_process(k: usize) -> usize {
    2 + k * PROCESSES
}

/// Processes per tile: three threads and TDMA-RISC.
const PROCESSES: usize = 4;

/// A JSON array of events being written.
struct Events<W: Write> {
    out: W,
    separator: &'static str,
}

impl<W: Write> Events<W> {
    fn new(mut out: W) -> io::Result<Self> {
        let header =
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"time unit\":\"1 us is a step of the \
                      coprocessor, not a time\"},\"traceEvents\":[";
        out.write_all(header.as_bytes())?;
        let separator = "\n";
        Ok(Events { out, separator })
    }

    fn push(&mut self, event: &serde_json::Value) -> io::Result<()> {
        write!(self.out, "{}{event}", self.separator)?;
        self.separator = ",\n";
        Ok(())
    }

    fn name(
        &mut self,
        what: &str,
        process: usize,
        track: Option<usize>,
        name: &str,
    ) -> io::Result<()> {
        let mut event = json!({"ph": "M", "pid": process, "name": what, "args": {"name": name}});
        if let Some(track) = track {
            event["tid"] = track.into();
        }
        self.push(&event)
    }

    /// Names the processes and tracks of a coprocessor, from process `first` on.
    fn name_tracks<'a>(
        &mut self,
        first: usize,
        prefix: &str,
        lines: impl IntoIterator<Item = &'a Timeline>,
    ) -> io::Result<()> {
        let slices = lines.into_iter().flat_map(Timeline::slices);
        let tracks: BTreeSet<(usize, usize)> = slices.map(|s| (s.thread, track(s))).collect();
        let threads: BTreeSet<usize> = tracks.iter().map(|(thread, _)| *thread).collect();
        for thread in threads {
            let name = match thread {
                0..3 => format!("{prefix}thread {thread}"),
                _ => format!("{prefix}TDMA-RISC"),
            };
            self.name("process_name", first + thread, None, &name)?;
        }
        for (thread, track) in tracks {
            self.name(
                "thread_name",
                first + thread,
                Some(track),
                track_name(track),
            )?;
        }
        Ok(())
    }

    /// Writes the slices of a coprocessor, from process `first` and step `start` on.
    fn slices(&mut self, first: usize, start: u64, line: &Timeline) -> io::Result<()> {
        for slice in line.slices() {
            self.push(&json!({
                "ph": "X",
                "pid": first + slice.thread,
                "tid": track(slice),
                "ts": start + slice.start,
                "dur": slice.end - slice.start,
                "name": line.name_of(slice),
            }))?;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests;
