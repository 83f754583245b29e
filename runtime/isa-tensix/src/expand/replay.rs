//! REPLAY: recording and playback.

use super::{is, ExpandError, REPLAY_SLOTS};
use crate::table::{Opcode, Replay};
use crate::{Arch, Instruction};

/// The replay expander: a buffer of 32 words with its mode.
#[derive(Clone, Debug)]
pub struct ReplayExpander {
    arch: Arch,
    slots: [Option<u32>; REPLAY_SLOTS],
    mode: ReplayMode,
    /// The last REPLAY and the mode that it starts: loops repeat it.
    last: Option<(u32, ReplayMode)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ReplayMode {
    #[default]
    Pass,
    Record {
        slot: usize,
        left: u32,
        execute: bool,
    },
    Play {
        slot: usize,
        left: u32,
    },
}

impl ReplayMode {
    /// Returns the slots that are still to be played, one bit each; `None` if words are recorded.
    fn played_slots(self) -> Option<u32> {
        match self {
            ReplayMode::Play { slot, left } => {
                let all = u32::MAX >> (REPLAY_SLOTS as u32 - left);
                Some(all.rotate_left(slot as u32))
            }
            ReplayMode::Record { .. } => None,
            ReplayMode::Pass => Some(0),
        }
    }
}

impl ReplayExpander {
    /// Creates the expander of a chip, with an empty buffer.
    pub fn new(arch: Arch) -> Self {
        ReplayExpander {
            arch,
            slots: [None; REPLAY_SLOTS],
            mode: ReplayMode::Pass,
            last: None,
        }
    }

    /// Accepts a word from the MOP expander, unless it is [playing](Self::playing); returns it if
    /// it passes through.
    pub fn accept(&mut self, word: u32) -> Result<Option<u32>, ExpandError> {
        match self.mode {
            ReplayMode::Record { slot, .. } if is(word, Opcode::Replay) => {
                Err(ExpandError::ReplayRecorded { slot })
            }
            ReplayMode::Record {
                slot,
                left,
                execute,
            } => {
                self.slots[slot] = Some(word);
                self.mode = match left {
                    1 => ReplayMode::Pass,
                    _ => ReplayMode::Record {
                        slot: (slot + 1) % REPLAY_SLOTS,
                        left: left - 1,
                        execute,
                    },
                };
                Ok(execute.then_some(word))
            }
            _ if is(word, Opcode::Replay) => {
                self.mode = match self.last {
                    Some((last, mode)) if last == word => mode,
                    _ => self.first_start(word)?,
                };
                Ok(None)
            }
            _ => Ok(Some(word)),
        }
    }

    /// Returns the mode that a REPLAY starts, and keeps it.
    fn first_start(&mut self, word: u32) -> Result<ReplayMode, ExpandError> {
        let Instruction::Replay(replay) = Instruction::decode(self.arch, word)? else {
            unreachable!("the opcode is REPLAY's")
        };
        let mode = Self::start(replay)?;
        self.last = Some((word, mode));
        Ok(mode)
    }

    fn start(replay: Replay) -> Result<ReplayMode, ExpandError> {
        let left = match replay.len {
            0 => REPLAY_SLOTS as u32,
            len if len as usize <= REPLAY_SLOTS => len,
            len => return Err(ExpandError::ReplayTooLong { len }),
        };
        let slot = replay.start_idx as usize;
        Ok(match replay.load_mode {
            0 => ReplayMode::Play { slot, left },
            _ => ReplayMode::Record {
                slot,
                left,
                execute: replay.execute_while_loading != 0,
            },
        })
    }

    /// Returns the next word of a playback.
    pub fn play(&mut self) -> Result<Option<u32>, ExpandError> {
        let ReplayMode::Play { slot, .. } = self.mode else {
            return Ok(None);
        };
        let word = self.slots[slot].ok_or(ExpandError::ReplayUnset { slot })?;
        self.play_slot();
        Ok(Some(word))
    }

    /// Moves on to the next word of a playback without reading it; returns the slot that holds it.
    #[inline]
    pub fn play_slot(&mut self) -> Option<usize> {
        let ReplayMode::Play { slot, left } = self.mode else {
            return None;
        };
        self.mode = match left {
            1 => ReplayMode::Pass,
            _ => ReplayMode::Play {
                slot: (slot + 1) % REPLAY_SLOTS,
                left: left - 1,
            },
        };
        Some(slot)
    }

    /// Returns the slot that the next word of a playback comes from, or that the next word of a
    /// recording goes to.
    pub fn slot(&self) -> Option<usize> {
        match self.mode {
            ReplayMode::Play { slot, .. } | ReplayMode::Record { slot, .. } => Some(slot),
            ReplayMode::Pass => None,
        }
    }

    /// Returns the slots of the words that are left of a playback, one bit each.
    pub fn slots_left(&self) -> u32 {
        self.mode.played_slots().unwrap_or(0)
    }

    /// Returns the slots that a REPLAY plays, one bit each; `None` if it records or is invalid.
    pub fn played_by(&self, word: u32) -> Option<u32> {
        let mode = match self.last {
            Some((last, mode)) if last == word => mode,
            _ => match Instruction::decode(self.arch, word) {
                Ok(Instruction::Replay(replay)) => Self::start(replay).ok()?,
                _ => return None,
            },
        };
        mode.played_slots()
    }

    /// Returns whether a playback has words left.
    pub fn playing(&self) -> bool {
        matches!(self.mode, ReplayMode::Play { .. })
    }

    /// Returns whether words other than REPLAY pass through unchanged.
    pub fn passes(&self) -> bool {
        self.mode == ReplayMode::Pass
    }

    /// Returns whether a recording is incomplete.
    pub fn recording(&self) -> bool {
        matches!(self.mode, ReplayMode::Record { .. })
    }
}
