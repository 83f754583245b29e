//! Doing to a chip what a host did.
//!
//! Writes and resets happen at once. Hosts poll, and how often depends on how fast things are. So
//! before a read is answered, the chip gets time until it shows what the host was answered when the
//! trace was recorded; if it does not, until nothing can change any more, or for the turns of
//! [`Limits::read`]. The answer is what is there then. Our chip may also be faster: an answer
//! counts as the recorded one, too, if the host was given it by a later read of the same place, and
//! neither wrote to that tile nor reset it in between. Other answers are counted, and the first
//! such one kept.

use std::collections::HashMap;
use std::fmt;

use super::parse::{Command, Event, Trace};
use crate::tile::map::Coordinate;
use crate::tile::{ChipTrap, Device, Stop};

/// How much time a chip gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Turns of the scheduler before a read.
    pub read: u64,
    /// Turns in all.
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

/// A reply that is not the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line.
    pub line: usize,
    /// The tile.
    pub tile: Coordinate,
    /// The first address that differs.
    pub addr: u64,
    /// The byte that was recorded there, and the one that is there.
    pub bytes: (u8, u8),
    /// How many bytes of the reply differ.
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
            "line {line}: {count} bytes of the reply of tile ({x}, {y}) differ, first {addr:#x}: {got:#04x}, not {expect:#04x}"
        )?;
        match waiting.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", waiting.join("; ")),
        }
    }
}

/// What a replay came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Lines that were done.
    pub events: usize,
    /// Replies that were compared.
    pub replies: usize,
    /// Those that differ.
    pub mismatches: usize,
    /// The first of them.
    pub first: Option<Mismatch>,
    /// Turns that the chip took.
    pub steps: u64,
}

/// Why a replay stops.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The chip stopped.
    #[error("line {line}: {trap}")]
    Trap {
        /// The line before which, or in which.
        line: usize,
        /// Why.
        trap: ChipTrap,
    },
    /// The chip met a break.
    #[error("line {line}: stopped in tile {tile:?}")]
    Break {
        /// The line before which.
        line: usize,
        /// The tile.
        tile: Coordinate,
    },
    /// The chip went on and on.
    #[error(
        "line {line}: the chip has taken {steps} steps, which is the limit; tiles that go on: {live}{}",
        first.map_or(String::new(), |(x, y)| format!(", first ({x}, {y}): {}", waiting.join("; ")))
    )]
    Endless {
        /// The line before which.
        line: usize,
        /// The limit.
        steps: u64,
        /// How many tiles go on.
        live: usize,
        /// The first of them.
        first: Option<Coordinate>,
        /// What its cores do.
        waiting: Vec<String>,
    },
}

/// For each event the replies that count as the recorded one: those that later reads of the place
/// were given, up to where the host writes to the tile or resets it.
fn accepted(trace: &Trace) -> Vec<Vec<&[u8]>> {
    let mut later: HashMap<Coordinate, HashMap<(u64, u32), Vec<&[u8]>>> = HashMap::new();
    let mut out: Vec<Vec<&[u8]>> = Vec::new();
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
        if !replies.contains(&reply.as_slice()) {
            replies.push(reply);
        }
        out.push(replies.clone());
    }
    out.reverse();
    out
}

/// Turns between two looks at a place that is polled.
const SLICE: u64 = 2_000;

/// A chip, and what has been compared.
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

    /// Does what a trace says, up to its end or its `EXIT`.
    ///
    /// # Errors
    /// [`ReplayError`]; what was compared before is in [`Self::outcome`].
    pub fn run(&mut self, trace: &Trace) -> Result<(), ReplayError> {
        for (event, accepted) in trace.events.iter().zip(accepted(trace)) {
            if event.command == Command::Exit {
                break;
            }
            self.step(event, &accepted)?;
            self.outcome.events += 1;
        }
        Ok(())
    }

    /// What has been compared.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the chip.
    pub fn device(&mut self) -> &mut Device {
        &mut self.device
    }

    /// Returns the chip, for good.
    #[must_use]
    pub fn into_device(self) -> Device {
        self.device
    }

    fn step(&mut self, event: &Event, accepted: &[&[u8]]) -> Result<(), ReplayError> {
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
        accepted: &[&[u8]],
    ) -> Result<(), ReplayError> {
        let line = event.line;
        let mut steps = 0;
        let reply = loop {
            let reply = self
                .device
                .read(event.tile, event.addr, length)
                .map_err(|trap| ReplayError::Trap { line, trap })?;
            if accepted.contains(&reply.as_slice())
                || self.is_quiescent
                || steps >= self.limits.read
            {
                break reply;
            }
            self.give_time(line, SLICE)?;
            steps += SLICE;
        };
        let Some(expect) = expect else {
            return Ok(());
        };
        self.outcome.replies += 1;
        if !accepted.contains(&reply.as_slice()) {
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
