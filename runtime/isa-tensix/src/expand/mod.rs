//! The MOP and REPLAY expanders of one thread, as pure state machines.
//!
//! The model's front end and every analysis of a program's instruction stream use this one implementation:
//! feed words with [`Expander::accept`], take what comes out with [`Expander::next`].
//!
//! Source: ISA documentation, `MOPExpander.md` and `REPLAY.md` (Wormhole B0). Invariants checked:
//! * the configuration words and replay slots that are used have been written;
//! * `MopCfg` does not change while a MOP expands (hardware samples it live, the result is not defined);
//! * a recording holds no `MOP_CFG` or `REPLAY` (the first never gets there, the second would not expand again);
//! * `len` of a REPLAY is at most 32; 0 means 32, as the newest documentation says.
//!
//! Not checked: whether the emitted words are instructions. Emission costs are not modelled here.

mod mop;
mod replay;
#[cfg(test)]
mod tests;

pub use mop::{DoubleLoop, Expansion, MaskedLoop, MopConfig};
use replay::ReplayExpander;

use crate::table::Opcode;
use crate::{Arch, DecodeError, Instruction};

/// Words of `MopCfg`.
pub const MOP_CFG_WORDS: usize = 9;
/// Slots of the replay buffer.
pub const REPLAY_SLOTS: usize = 32;

/// Why a stream cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpandError {
    /// `MopCfg` written while the expander works.
    #[error(
        "MopCfg[{index}] is written while a MOP expands; wait for the expander first (wait_mop)"
    )]
    MopCfgBusy {
        /// The word's index.
        index: usize,
    },
    /// No such `MopCfg` word.
    #[error("MopCfg has words 0 to 8, not {index}")]
    MopCfgIndex {
        /// The index given.
        index: usize,
    },
    /// A MOP uses a configuration word that was never written.
    #[error("the MOP uses MopCfg[{index}], which was never written")]
    MopCfgUnset {
        /// The word's index.
        index: usize,
    },
    /// A template-0 MOP needs mask bits that MOP_CFG never gave.
    #[error(
        "the MOP runs {iterations} iterations of template 0, but MOP_CFG never set mask bits 31:16"
    )]
    MaskHiUnset {
        /// Its iterations.
        iterations: u32,
    },
    /// Template 0 with more iterations than the mask has bits.
    #[error("the MOP runs {iterations} iterations of template 0, but its mask has 32 bits")]
    MaskTooShort {
        /// Its iterations.
        iterations: u32,
    },
    /// Template 1 ignores this operand; a value there is a mistake.
    #[error(
        "a MOP of template 1 takes its counts from MopCfg; loop_count and zmask_lo16 must be 0"
    )]
    Template1Operands,
    /// REPLAY longer than the buffer.
    #[error("REPLAY of {len} instructions; the buffer has {REPLAY_SLOTS} slots")]
    ReplayTooLong {
        /// The length.
        len: u32,
    },
    /// REPLAY plays back a slot that was never recorded.
    #[error("REPLAY plays slot {slot}, which was never recorded")]
    ReplayUnset {
        /// The slot.
        slot: usize,
    },
    /// A REPLAY inside a recording.
    #[error("a REPLAY is recorded into slot {slot}; recorded instructions are not expanded again")]
    ReplayRecorded {
        /// The slot.
        slot: usize,
    },
    /// An expander instruction that is no valid word.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

fn is(word: u32, opcode: Opcode) -> bool {
    word >> 24 == opcode as u32
}

/// Both expanders of one thread, in series.
#[derive(Clone, Debug, Default)]
pub struct Expander {
    config: MopConfig,
    mask_hi: Option<u16>,
    mop: Option<Expansion>,
    replay: ReplayExpander,
    /// A word that passed both expanders and waits to be taken.
    passed: Option<u32>,
}

impl Expander {
    /// Stores to `MopCfg`, as the RISC-V core does.
    pub fn set_mop_config(&mut self, index: usize, value: u32) -> Result<(), ExpandError> {
        if self.mop.is_some() {
            return Err(ExpandError::MopCfgBusy { index });
        }
        self.config.set(index, value)
    }

    /// Whether a MOP is being expanded.
    pub fn expanding_mop(&self) -> bool {
        self.mop.is_some()
    }

    /// Whether the next word may be given.
    pub fn ready(&self) -> bool {
        self.mop.is_none() && !self.replay.playing() && self.passed.is_none()
    }

    /// Whether a recording is still short of instructions.
    pub fn recording(&self) -> bool {
        self.replay.recording()
    }

    /// Gives the next word of the thread's stream. Call only when [`ready`](Self::ready).
    pub fn accept(&mut self, word: u32) -> Result<(), ExpandError> {
        debug_assert!(self.ready());
        if is(word, Opcode::Mop) || is(word, Opcode::MopCfg) {
            match Instruction::decode(Arch::WormholeB0, word)? {
                Instruction::Mop(mop) => self.mop = Some(self.config.expansion(mop, self.mask_hi)?),
                Instruction::MopCfg(cfg) => self.mask_hi = Some(cfg.zmask_hi16 as u16),
                _ => unreachable!("the opcode is MOP's or MOP_CFG's"),
            }
            return Ok(());
        }
        self.passed = self.replay.accept(word)?;
        Ok(())
    }

    /// The next word that leaves the expanders, or `None` when they want input.
    #[allow(
        clippy::should_implement_trait,
        reason = "fallible, and it resumes after None"
    )]
    pub fn next(&mut self) -> Result<Option<u32>, ExpandError> {
        loop {
            if let Some(word) = self.passed.take() {
                return Ok(Some(word));
            }
            if let Some(word) = self.replay.play()? {
                return Ok(Some(word));
            }
            let Some(mop) = &mut self.mop else {
                return Ok(None);
            };
            match mop.next() {
                Some(word) => self.passed = self.replay.accept(word)?,
                None => self.mop = None,
            }
        }
    }
}

/// Expands a whole stream of words with all of `MopCfg` set beforehand.
pub fn expand(config: [u32; MOP_CFG_WORDS], words: &[u32]) -> Result<Vec<u32>, ExpandError> {
    let mut expander = Expander {
        config: MopConfig::new(config),
        ..Default::default()
    };
    let mut out = Vec::new();
    for &word in words {
        expander.accept(word)?;
        while let Some(word) = expander.next()? {
            out.push(word);
        }
    }
    Ok(out)
}
