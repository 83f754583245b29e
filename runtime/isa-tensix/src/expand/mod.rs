//! The MOP and REPLAY expanders of one thread, as pure state machines.
//!
//! The model's front end and every analysis of instruction streams use this implementation. Words
//! are fed to [`MopExpander::accept`], and further ones taken from [`MopExpander::expand`]. The
//! results are fed to [`ReplayExpander::accept`], and further ones taken from
//! [`ReplayExpander::play`].
//!
//! Source: ISA documentation, `MOPExpander.md` and `REPLAY.md`, for both chips. LLK's
//! `assembly.yaml` defines the operands of Blackhole's template 1: counts of ten bits each that
//! replace those of `MopCfg` unless they are 0; the outer one's upper four bits are in
//! `loop_count`. Counts in `MopCfg` above 127 and Wormhole's counter bug are undocumented for
//! Blackhole and refused there. Checked:
//!
//! * the configuration words and replay slots that are used have been written;
//! * `MopCfg` does not change while a MOP expands (the hardware samples it live, with undefined
//!   results);
//! * a recording contains no `MOP_CFG` or `REPLAY` (the first never arrives there, the second would
//!   not be expanded again);
//! * `len` of a REPLAY is at most 32; 0 means 32, according to the latest documentation.
//!
//! Not checked: whether the emitted words are instructions. The cost of emission is not modelled
//! here.

mod mop;
mod replay;
#[cfg(test)]
mod tests;

pub use mop::{DoubleLoop, Expansion, MaskedLoop, MopConfig};
pub use replay::ReplayExpander;

use crate::table::Opcode;
use crate::{Arch, DecodeError, Instruction};

/// Number of words of `MopCfg`.
pub const MOP_CFG_WORDS: usize = 9;
/// Number of slots of the replay buffer.
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
    /// The word of `MopCfg` does not exist.
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
    /// A template-0 MOP needs mask bits that no MOP_CFG has set.
    #[error(
        "the MOP runs {iterations} iterations of template 0, but MOP_CFG never set mask bits 31:16"
    )]
    MaskHiUnset {
        /// Its number of iterations.
        iterations: u32,
    },
    /// Template 0 has more iterations than mask bits.
    #[error("the MOP runs {iterations} iterations of template 0, but its mask has 32 bits")]
    MaskTooShort {
        /// Its number of iterations.
        iterations: u32,
    },
    /// On Wormhole, template 1 ignores these operands, so they must be 0.
    #[error(
        "a MOP of template 1 takes its counts from MopCfg; loop_count and zmask_lo16 must be 0"
    )]
    Template1Operands,
    /// The outer count has too many bits.
    #[error(
        "loop_count of a MOP of template 1 is the upper 4 bits of its outer count, not {loop_count}"
    )]
    OuterCountTooLong {
        /// The operand.
        loop_count: u32,
    },
    /// A count in `MopCfg` exceeds the documented range (Blackhole).
    #[error(
        "MopCfg[{index}] is a count of {value}; what Blackhole makes of more than 127 is not \
         published, so give the count in the MOP"
    )]
    CountTooLong {
        /// The word's index.
        index: usize,
        /// The count.
        value: u32,
    },
    /// The configuration that Wormhole repeats 128 times too often; undocumented for Blackhole.
    #[error(
        "the MOP runs once and has nothing but end words; how often Blackhole emits them is not \
         published, so push them"
    )]
    OnlyEndWords,
    /// The length of a REPLAY exceeds the buffer.
    #[error("REPLAY of {len} instructions; the buffer has {REPLAY_SLOTS} slots")]
    ReplayTooLong {
        /// The length.
        len: u32,
    },
    /// A REPLAY plays a slot that was never recorded.
    #[error("REPLAY plays slot {slot}, which was never recorded")]
    ReplayUnset {
        /// The slot.
        slot: usize,
    },
    /// A REPLAY occurs inside a recording.
    #[error("a REPLAY is recorded into slot {slot}; recorded instructions are not expanded again")]
    ReplayRecorded {
        /// The slot.
        slot: usize,
    },
    /// An expander instruction is not a valid word.
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
    /// The next word of the MOP being expanded, and the remaining ones.
    mop: Option<(u32, Expansion)>,
    /// The last MOP and its expansion, until the configuration changes: loops repeat it.
    last: Option<(u32, Expansion)>,
}

impl MopExpander {
    /// Creates the expander of a chip, with `MopCfg` unset.
    pub fn new(arch: Arch) -> Self {
        MopExpander {
            arch,
            config: MopConfig::default(),
            mask_hi: None,
            mop: None,
            last: None,
        }
    }

    /// Executes the RISC-V core's store to `MopCfg`.
    pub fn set_config(&mut self, index: usize, value: u32) -> Result<(), ExpandError> {
        if self.mop.is_some() {
            return Err(ExpandError::MopCfgBusy { index });
        }
        self.last = None;
        self.config.set(index, value)
    }

    /// Returns whether a MOP is being expanded; no word is accepted then.
    pub fn expanding(&self) -> bool {
        self.mop.is_some()
    }

    /// Accepts a word; returns it if it passes through.
    pub fn accept(&mut self, word: u32) -> Result<Option<u32>, ExpandError> {
        debug_assert!(!self.expanding());
        if !(is(word, Opcode::Mop) || is(word, Opcode::MopCfg)) {
            return Ok(Some(word));
        }
        let known = self.last.as_ref().filter(|(last, _)| *last == word);
        let mut expansion = match known {
            Some((_, expansion)) => expansion.clone(),
            None => match Instruction::decode(self.arch, word)? {
                Instruction::Mop(mop) => {
                    let expansion = self.config.expansion(self.arch, mop, self.mask_hi)?;
                    self.last.insert((word, expansion)).1.clone()
                }
                Instruction::MopCfg(cfg) => {
                    self.last = None;
                    self.mask_hi = Some(cfg.zmask_hi16 as u16);
                    return Ok(None);
                }
                _ => unreachable!("the opcode is MOP's or MOP_CFG's"),
            },
        };
        self.mop = expansion.next().map(|word| (word, expansion));
        Ok(None)
    }

    /// Takes all words that are left of the MOP being expanded, unless there are more than `most`.
    pub fn take_words(&mut self, most: usize) -> Option<Vec<u32>> {
        let (first, rest) = self.mop.as_ref()?;
        let words = std::iter::once(*first).chain(rest.clone());
        let words: Vec<u32> = words.take(most + 1).collect();
        if words.len() > most {
            return None;
        }
        self.mop = None;
        Some(words)
    }

    /// Returns the next word of the MOP being expanded, if any.
    pub fn expand(&mut self) -> Option<u32> {
        let (word, rest) = self.mop.as_mut()?;
        let expanded = *word;
        match rest.next() {
            Some(next) => *word = next,
            None => self.mop = None,
        }
        Some(expanded)
    }
}

/// Expands a stream of a chip's words, with `MopCfg` completely set.
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

/// Runs both expanders in series.
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
