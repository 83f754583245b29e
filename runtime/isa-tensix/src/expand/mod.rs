//! The MOP and REPLAY expanders of one thread, as pure state machines.
//!
//! The model's front end and every analysis of a program's instruction stream use this one
//! implementation: feed words with [`MopExpander::accept`], take what else comes out with
//! [`MopExpander::expand`]; feed that to [`ReplayExpander::accept`], and take what else comes out
//! with [`ReplayExpander::play`].
//!
//! Source: ISA documentation, `MOPExpander.md` and `REPLAY.md`, which both chips share. What
//! Blackhole makes of the operands of a MOP of template 1 is said in LLK's `assembly.yaml` for it:
//! counts that stand in for those of `MopCfg` unless they are 0, ten bits each, the outer one's
//! upper four in `loop_count`. Nobody says what its expander does with counts in `MopCfg` above 127
//! and whether it has Wormhole's counter bug, so both are refused there. Invariants checked:
//! * the configuration words and replay slots that are used have been written;
//! * `MopCfg` does not change while a MOP expands (hardware samples it live, the result is not
//!   defined);
//! * a recording holds no `MOP_CFG` or `REPLAY` (the first never gets there, the second would not
//!   expand again);
//! * `len` of a REPLAY is at most 32; 0 means 32, as the newest documentation says.
//!
//! Not checked: whether the emitted words are instructions. Emission costs are not modelled here.

mod mop;
mod replay;
#[cfg(test)]
mod tests;

pub use mop::{DoubleLoop, Expansion, MaskedLoop, MopConfig};
pub use replay::ReplayExpander;

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
    /// Template 1 ignores these operands on Wormhole; a value there is a mistake.
    #[error(
        "a MOP of template 1 takes its counts from MopCfg; loop_count and zmask_lo16 must be 0"
    )]
    Template1Operands,
    /// More bits than the outer count has.
    #[error("loop_count of a MOP of template 1 is the upper 4 bits of its outer count, not {loop_count}")]
    OuterCountTooLong {
        /// The operand.
        loop_count: u32,
    },
    /// A count in `MopCfg` of which Blackhole's documents do not say how much counts.
    #[error("MopCfg[{index}] is a count of {value}; what Blackhole makes of more than 127 is not published, so give the count in the MOP")]
    CountTooLong {
        /// The word's index.
        index: usize,
        /// The count.
        value: u32,
    },
    /// The configuration that Wormhole runs 128 times too often, of which Blackhole's documents say
    /// nothing.
    #[error("the MOP runs once and has nothing but end words; how often Blackhole emits them is not published, so push them")]
    OnlyEndWords,
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

/// The MOP expander of one thread.
#[derive(Clone, Debug)]
pub struct MopExpander {
    arch: Arch,
    config: MopConfig,
    mask_hi: Option<u16>,
    /// The next word of the MOP that is being expanded, and those behind it.
    mop: Option<(u32, Expansion)>,
}

impl MopExpander {
    /// Creates the expander of a chip, with nothing in `MopCfg`.
    pub fn new(arch: Arch) -> Self {
        MopExpander {
            arch,
            config: MopConfig::default(),
            mask_hi: None,
            mop: None,
        }
    }

    /// Stores to `MopCfg`, as the RISC-V core does.
    pub fn set_config(&mut self, index: usize, value: u32) -> Result<(), ExpandError> {
        if self.mop.is_some() {
            return Err(ExpandError::MopCfgBusy { index });
        }
        self.config.set(index, value)
    }

    /// Returns whether a MOP is being expanded; then no word may be given.
    pub fn expanding(&self) -> bool {
        self.mop.is_some()
    }

    /// Takes a word; returns it if it passes through.
    pub fn accept(&mut self, word: u32) -> Result<Option<u32>, ExpandError> {
        debug_assert!(!self.expanding());
        if !(is(word, Opcode::Mop) || is(word, Opcode::MopCfg)) {
            return Ok(Some(word));
        }
        match Instruction::decode(self.arch, word)? {
            Instruction::Mop(mop) => {
                self.begin(self.config.expansion(self.arch, mop, self.mask_hi)?);
            }
            Instruction::MopCfg(cfg) => self.mask_hi = Some(cfg.zmask_hi16 as u16),
            _ => unreachable!("the opcode is MOP's or MOP_CFG's"),
        }
        Ok(None)
    }

    fn begin(&mut self, mut rest: Expansion) {
        self.mop = rest.next().map(|word| (word, rest));
    }

    /// Returns the next word of the MOP that is being expanded, if one is.
    pub fn expand(&mut self) -> Option<u32> {
        let (word, rest) = self.mop.take()?;
        self.begin(rest);
        Some(word)
    }
}

/// Expands a whole stream of a chip's words with all of `MopCfg` set beforehand.
pub fn expand(
    arch: Arch,
    config: [u32; MOP_CFG_WORDS],
    words: &[u32],
) -> Result<Vec<u32>, ExpandError> {
    let mop = MopExpander {
        config: MopConfig::new(config),
        ..MopExpander::new(arch)
    };
    run(mop, words)
}

/// Both expanders in series.
fn run(mut mop: MopExpander, words: &[u32]) -> Result<Vec<u32>, ExpandError> {
    let mut replay = ReplayExpander::new(mop.arch);
    let mut out = Vec::new();
    for &word in words {
        let mut next = mop.accept(word)?;
        while let Some(word) = next.or_else(|| mop.expand()) {
            next = None;
            out.extend(replay.accept(word)?);
            while let Some(word) = replay.play()? {
                out.push(word);
            }
        }
    }
    Ok(out)
}
