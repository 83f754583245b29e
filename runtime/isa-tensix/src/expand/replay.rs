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
        let ReplayMode::Play { slot, left } = self.mode else {
            return Ok(None);
        };
        let word = self.slots[slot].ok_or(ExpandError::ReplayUnset { slot })?;
        self.mode = match left {
            1 => ReplayMode::Pass,
            _ => ReplayMode::Play {
                slot: (slot + 1) % REPLAY_SLOTS,
                left: left - 1,
            },
        };
        Ok(Some(word))
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
