//! Replay of a trace on a modelled chip.
//!
//! Writes and resets take effect at once. Hosts poll, and the number of polls depends on timing.
//! Before a read is answered, the chip therefore runs until the location has the recorded value,
//! until it is quiescent, or for [`Limits::read`] steps. The answer is the value at that time.
//!
//! The modelled chip may also be faster than the recorded one. A reply therefore also counts as
//! correct if it was recorded for a later read of the same location, with no write to or reset of
//! that tile in between. Other replies are counted as mismatches, and the first one is kept.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use super::parse::{Command, Event, Trace};
use crate::chip::{ChipTrap, Stop};
use crate::host::Device;
use crate::map::Coordinate;

/// Limits of the chip's running time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of steps before a read.
    pub read: u64,
    /// Maximum number of steps in total.
    pub total: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            read: 10_000_000,
            total: 1_000_000_000,
        }
    }
}

/// A reply that differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line.
    pub line: usize,
    /// The tile.
    pub tile: Coordinate,
    /// The first address that differs.
    pub addr: u64,
    /// The recorded byte and the actual byte there.
    pub bytes: (u8, u8),
    /// Number of bytes of the reply that differ.
    pub count: usize,
    /// What the cores of the tile wait for.
    pub waiting: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            line,
            tile: (x, y),
            addr,
            bytes: (expect, got),
            count,
            waiting,
        } = self;
        write!(
            f,
            "line {line}: {count} bytes of the reply of tile ({x}, {y}) differ, first {addr:#x}: \
             {got:#04x}, not {expect:#04x}"
        )?;
        match waiting.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", waiting.join("; ")),
        }
    }
}

/// The result of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of lines executed.
    pub events: usize,
    /// Number of replies compared.
    pub replies: usize,
    /// Number of replies that differ.
    pub mismatches: usize,
    /// The first of them.
    pub first: Option<Mismatch>,
    /// Number of steps of the chip.
    pub steps: u64,
}

/// Why a replay stops.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The chip trapped.
    #[error("line {line}: {trap}")]
    Trap {
        /// The line during or before which it trapped.
        line: usize,
        /// The trap.
        trap: ChipTrap,
    },
    /// The chip hit a break.
    #[error("line {line}: stopped in tile {tile:?}")]
    Break {
        /// The line before which it stopped.
        line: usize,
        /// The tile.
        tile: Coordinate,
    },
    /// The chip exceeded the limit.
    #[error(
        "line {line}: the chip has run {steps} steps, which is the limit; running tiles: {live}{}",
        first.map_or(String::new(), |(x, y)| format!(", first ({x}, {y}): {}", waiting.join("; ")))
    )]
    Endless {
        /// The line before which it stopped.
        line: usize,
        /// The limit.
        steps: u64,
        /// Number of tiles that are not blocked.
        live: usize,
        /// The first of them.
        first: Option<Coordinate>,
        /// What its cores wait for.
        waiting: Vec<String>,
    },
}

/// Returns for each event the replies that count as correct: those recorded for later reads of the
/// location, up to the host's next write to the tile or its reset.
fn accepted(trace: &Trace) -> Vec<Vec<Rc<[u8]>>> {
    let mut later: HashMap<Coordinate, HashMap<(u64, u32), Vec<Rc<[u8]>>>> = HashMap::new();
    let mut out: Vec<Vec<Rc<[u8]>>> = Vec::new();
    for event in trace.events.iter().rev() {
        let Command::Read(length, Some(reply)) = &event.command else {
            if !matches!(event.command, Command::Read(..)) {
                later.remove(&event.tile);
            }
            out.push(Vec::new());
            continue;
        };
        let of_tile = later.entry(event.tile).or_default();
        let replies = of_tile.entry((event.addr, *length)).or_default();
        if !is_among(reply, replies) {
            replies.push(reply.as_slice().into());
        }
        out.push(replies.clone());
    }
    out.reverse();
    out
}

/// Returns whether a reply is one of those.
fn is_among(reply: &[u8], replies: &[Rc<[u8]>]) -> bool {
    replies.iter().any(|known| **known == *reply)
}

/// Number of steps between two reads of a polled location.
const SLICE: u64 = 8_000;

/// A chip with the comparison so far.
pub struct Replay {
    device: Device,
    limits: Limits,
    outcome: Outcome,
    is_quiescent: bool,
}

impl Replay {
    /// Creates a replay before its first line, on a chip whose cores are in reset.
    #[must_use]
    pub fn new(device: Device, limits: Limits) -> Self {
        Replay {
            device,
            limits,
            outcome: Outcome::default(),
            is_quiescent: true,
        }
    }

    /// Executes a trace up to its end or its `EXIT`. Each event is freed after it, because the
    /// tiles that it starts need about as much memory.
    ///
    /// # Errors
    /// [`ReplayError`]; [`Self::outcome`] has the comparison up to then.
    pub fn run(&mut self, trace: Trace) -> Result<(), ReplayError> {
        let accepted = accepted(&trace);
        for (event, accepted) in trace.events.into_iter().zip(accepted) {
            if event.command == Command::Exit {
                break;
            }
            self.step(&event, &accepted)?;
            self.outcome.events += 1;
        }
        Ok(())
    }

    /// Returns the comparison so far.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the chip.
    pub fn device(&mut self) -> &mut Device {
        &mut self.device
    }

    /// Returns the chip, ending the replay.
    #[must_use]
    pub fn into_device(self) -> Device {
        self.device
    }

    fn step(&mut self, event: &Event, accepted: &[Rc<[u8]>]) -> Result<(), ReplayError> {
        let line = event.line;
        let at_line = |trap| ReplayError::Trap { line, trap };
        let device = &mut self.device;
        match &event.command {
            Command::Write(bytes) => device.write(event.tile, event.addr, bytes),
            Command::ResetAssert => device.assert_reset(event.tile),
            Command::ResetDeassert => device.deassert_reset(event.tile),
            Command::Exit => Ok(()),
            Command::Read(length, expect) => {
                return self.read(event, (*length, expect.as_deref()), accepted)
            }
        }
        .map_err(at_line)?;
        self.is_quiescent = false;
        Ok(())
    }

    fn read(
        &mut self,
        event: &Event,
        (length, expect): (u32, Option<&[u8]>),
        accepted: &[Rc<[u8]>],
    ) -> Result<(), ReplayError> {
        let line = event.line;
        let mut steps = 0;
        let reply = loop {
            let reply = self
                .device
                .read(event.tile, event.addr, length)
                .map_err(|trap| ReplayError::Trap { line, trap })?;
            if is_among(&reply, accepted) || self.is_quiescent || steps >= self.limits.read {
                break reply;
            }
            self.give_time(line, SLICE)?;
            steps += SLICE;
        };
        let Some(expect) = expect else {
            return Ok(());
        };
        self.outcome.replies += 1;
        if !is_among(&reply, accepted) {
            self.note_mismatch(event, &reply, expect);
        }
        Ok(())
    }

    fn give_time(&mut self, line: usize, steps: u64) -> Result<(), ReplayError> {
        if self.outcome.steps >= self.limits.total {
            let live = self.device.live();
            let first = live.first().copied();
            return Err(ReplayError::Endless {
                line,
                steps: self.limits.total,
                live: live.len(),
                first,
                waiting: first.map_or(Vec::new(), |at| self.device.waiting(at)),
            });
        }
        let stop = self
            .device
            .run(steps)
            .map_err(|trap| ReplayError::Trap { line, trap })?;
        if let Stop::Break(tile) = stop {
            return Err(ReplayError::Break { line, tile });
        }
        self.is_quiescent = stop == Stop::Quiescent;
        self.outcome.steps += steps;
        Ok(())
    }

    fn note_mismatch(&mut self, event: &Event, reply: &[u8], expect: &[u8]) {
        self.outcome.mismatches += 1;
        if self.outcome.first.is_some() {
            return;
        }
        let differs = |&k: &usize| reply[k] != expect[k];
        let Some(first) = (0..reply.len()).find(differs) else {
            return;
        };
        self.outcome.first = Some(Mismatch {
            line: event.line,
            tile: event.tile,
            addr: event.addr + first as u64,
            bytes: (expect[first], reply[first]),
            count: (0..reply.len()).filter(differs).count(),
            waiting: self.device.waiting(event.tile),
        });
    }
}
