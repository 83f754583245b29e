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

use crate::table::{Mop, Opcode, Replay};
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

fn is_nop(word: u32) -> bool {
    word >> 24 == Opcode::Nop as u32
}

fn is(word: u32, opcode: Opcode) -> bool {
    word >> 24 == opcode as u32
}

/// The nine words that describe a MOP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MopConfig([Option<u32>; MOP_CFG_WORDS]);

impl MopConfig {
    /// A configuration with all nine words set.
    pub fn new(words: [u32; MOP_CFG_WORDS]) -> Self {
        MopConfig(words.map(Some))
    }

    /// Writes one word.
    pub fn set(&mut self, index: usize, value: u32) -> Result<(), ExpandError> {
        *self
            .0
            .get_mut(index)
            .ok_or(ExpandError::MopCfgIndex { index })? = Some(value);
        Ok(())
    }

    fn get(&self, index: usize) -> Result<u32, ExpandError> {
        self.0[index].ok_or(ExpandError::MopCfgUnset { index })
    }

    /// The instructions that `mop` stands for; `mask_hi` is what the last MOP_CFG gave.
    pub fn expansion(&self, mop: Mop, mask_hi: Option<u16>) -> Result<Expansion, ExpandError> {
        match mop.mop_type {
            0 => self.template0(mop, mask_hi).map(Expansion::Masked),
            _ if mop.loop_count != 0 || mop.zmask_lo16 != 0 => Err(ExpandError::Template1Operands),
            _ => self.template1().map(Expansion::Double),
        }
    }

    fn template0(&self, mop: Mop, mask_hi: Option<u16>) -> Result<MaskedLoop, ExpandError> {
        let iterations = mop.loop_count + 1;
        if iterations > 32 {
            return Err(ExpandError::MaskTooShort { iterations });
        }
        if iterations > 16 && mask_hi.is_none() {
            return Err(ExpandError::MaskHiUnset { iterations });
        }
        let mask = u32::from(mask_hi.unwrap_or(0)) << 16 | mop.zmask_lo16;
        let flags = self.get(1)?;
        let has_b = flags & 1 != 0;
        let has_a123 = flags & 2 != 0;
        let used = mask & (u32::MAX >> (32 - iterations));
        let (unpacks, skips) = (used.count_ones() < iterations, used != 0);

        let mut body = Words::default();
        if unpacks {
            body.push(self.get(3)?);
            if has_a123 {
                for index in 4..=6 {
                    body.push(self.get(index)?);
                }
            }
            if has_b {
                body.push(self.get(2)?);
            }
        }
        let mut skip = Words::default();
        if skips {
            skip.push(self.get(7)?);
            if has_b {
                skip.push(self.get(8)?);
            }
        }
        Ok(MaskedLoop {
            body,
            skip,
            mask,
            iterations,
            at: 0,
        })
    }

    fn template1(&self) -> Result<DoubleLoop, ExpandError> {
        let mut outer_count = self.get(0)? & 127;
        let mut inner_count = self.get(1)? & 127;
        let start = Some(self.get(2)?).filter(|&w| !is_nop(w));
        let end0 = Some(self.get(3)?).filter(|&w| !is_nop(w));
        let end1 = match end0 {
            Some(_) => Some(self.get(4)?).filter(|&w| !is_nop(w)),
            None => None,
        };
        let loop_op = self.get(5)?;
        let loop_op1 = self.get(6)?;
        let flip = if is_nop(loop_op1) {
            0
        } else {
            loop_op ^ loop_op1
        };
        if !is_nop(loop_op1) {
            inner_count *= 2;
        }
        // The hardware's counter bug: this very configuration runs 128 outer iterations more.
        if outer_count == 1 && start.is_none() && inner_count == 0 && end0.is_some() {
            outer_count += 128;
        }
        let (loop0_last, loop1_last) = if inner_count == 0 || outer_count == 0 {
            (0, 0)
        } else {
            (self.get(7)?, if outer_count > 1 { self.get(8)? } else { 0 })
        };
        Ok(DoubleLoop {
            outer_count,
            inner_count,
            start,
            end0,
            end1,
            loop_op,
            flip,
            loop0_last,
            loop1_last,
            outer: 0,
            step: Step::Start,
        })
    }
}

/// A few words, in place.
#[derive(Clone, Copy, Debug, Default)]
struct Words {
    words: [u32; 5],
    len: usize,
}

impl Words {
    fn push(&mut self, word: u32) {
        self.words[self.len] = word;
        self.len += 1;
    }
}

/// The rest of a MOP's expansion: an iterator over words.
#[derive(Clone, Debug)]
pub enum Expansion {
    /// Template 0.
    Masked(MaskedLoop),
    /// Template 1.
    Double(DoubleLoop),
}

impl Iterator for Expansion {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        match self {
            Expansion::Masked(it) => it.next(),
            Expansion::Double(it) => it.next(),
        }
    }
}

/// Template 0: per iteration the body, or the skip words where the mask has a one.
#[derive(Clone, Debug)]
pub struct MaskedLoop {
    body: Words,
    skip: Words,
    mask: u32,
    iterations: u32,
    at: usize,
}

impl Iterator for MaskedLoop {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        while self.iterations > 0 {
            let words = if self.mask & 1 == 0 {
                &self.body
            } else {
                &self.skip
            };
            if self.at < words.len {
                self.at += 1;
                return Some(words.words[self.at - 1]);
            }
            self.at = 0;
            self.mask >>= 1;
            self.iterations -= 1;
        }
        None
    }
}

/// Template 1: start, inner loop with its last word replaced, two end words; all of it `outer_count` times.
#[derive(Clone, Debug)]
pub struct DoubleLoop {
    outer_count: u32,
    inner_count: u32,
    start: Option<u32>,
    end0: Option<u32>,
    end1: Option<u32>,
    /// Alternates with every inner step, and keeps its state across outer iterations.
    loop_op: u32,
    flip: u32,
    loop0_last: u32,
    loop1_last: u32,
    outer: u32,
    step: Step,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Start,
    Inner(u32),
    End0,
    End1,
}

impl Iterator for DoubleLoop {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        while self.outer < self.outer_count {
            let word = match self.step {
                Step::Start => {
                    self.step = Step::Inner(0);
                    self.start
                }
                Step::Inner(i) if i < self.inner_count => {
                    self.step = Step::Inner(i + 1);
                    Some(self.inner_word(i))
                }
                Step::Inner(_) => {
                    self.step = Step::End0;
                    None
                }
                Step::End0 => {
                    self.step = Step::End1;
                    self.end0
                }
                Step::End1 => {
                    self.step = Step::Start;
                    self.outer += 1;
                    self.end1
                }
            };
            if word.is_some() {
                return word;
            }
        }
        None
    }
}

impl DoubleLoop {
    fn inner_word(&mut self, i: u32) -> u32 {
        let word = match (
            i + 1 == self.inner_count,
            self.outer + 1 == self.outer_count,
        ) {
            (false, _) => self.loop_op,
            (true, false) => self.loop1_last,
            (true, true) => self.loop0_last,
        };
        self.loop_op ^= self.flip;
        word
    }
}

/// The replay expander: a buffer of 32 words and what is being done with it.
#[derive(Clone, Debug, Default)]
struct ReplayExpander {
    slots: [Option<u32>; REPLAY_SLOTS],
    mode: ReplayMode,
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
    /// Takes a word from the MOP expander; returns it if it passes through.
    fn accept(&mut self, word: u32) -> Result<Option<u32>, ExpandError> {
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
                let Instruction::Replay(replay) = Instruction::decode(Arch::WormholeB0, word)?
                else {
                    unreachable!("the opcode is REPLAY's")
                };
                self.mode = Self::start(replay)?;
                Ok(None)
            }
            _ => Ok(Some(word)),
        }
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

    /// The next word of a playback.
    fn play(&mut self) -> Result<Option<u32>, ExpandError> {
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

    fn playing(&self) -> bool {
        matches!(self.mode, ReplayMode::Play { .. })
    }
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
        matches!(self.replay.mode, ReplayMode::Record { .. })
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0x0200_0000;
    const TEMPLATE1: u32 = 0x0180_0000;

    /// A word that stands for itself: SETC16 with a telling value.
    fn w(tag: u32) -> u32 {
        0xb200_0000 | tag
    }

    fn replay(start: u32, len: u32, exec: u32, load: u32) -> u32 {
        Instruction::from(Replay {
            start_idx: start,
            len,
            execute_while_loading: exec,
            load_mode: load,
        })
        .encode()
        .unwrap()
    }

    fn tags(words: &[u32]) -> Vec<u32> {
        words.iter().map(|w| w & 0xffff).collect()
    }

    /// S start, E/F end ops, L/M loop ops, X last of the last, Y last of the others.
    #[test]
    fn template_1() {
        let (s, e, f, l, m, x, y) = (w(1), w(2), w(3), w(4), w(5), w(6), w(7));
        let check = |cfg: [u32; 9], expect: &[u32]| {
            assert_eq!(tags(&expand(cfg, &[TEMPLATE1]).unwrap()), expect, "{cfg:?}");
        };
        check([1, 1, NOP, NOP, NOP, l, NOP, x, y], &[6]);
        check(
            [2, 3, s, e, f, l, NOP, x, y],
            &[1, 4, 4, 7, 2, 3, 1, 4, 4, 6, 2, 3],
        );
        // The second end word needs the first.
        check([1, 2, s, NOP, f, l, NOP, x, y], &[1, 4, 6]);
        // Alternation doubles the inner count; the last word replaces the alternate.
        check(
            [2, 2, NOP, e, NOP, l, m, x, y],
            &[4, 5, 4, 7, 2, 4, 5, 4, 6, 2],
        );
        check([0, 3, s, e, f, l, NOP, x, y], &[]);
        check([2, 0, s, e, f, l, NOP, x, y], &[1, 2, 3, 1, 2, 3]);
        // Only the low seven bits of the counts are used.
        check([128 + 1, 256 + 1, NOP, NOP, NOP, l, NOP, x, y], &[6]);
        // The counter bug, and its three neighbours without it.
        check([1, 0, NOP, e, NOP, l, NOP, x, y], &[2; 129]);
        check([2, 0, NOP, e, NOP, l, NOP, x, y], &[2; 2]);
        check([1, 0, s, e, NOP, l, NOP, x, y], &[1, 2]);
        check([1, 0, NOP, NOP, f, l, NOP, x, y], &[]);
    }

    #[test]
    fn template_0() {
        let cfg = |flags| [0, flags, w(1), w(2), w(3), w(4), w(5), w(6), w(7)];
        let check = |flags, count: u32, mask: u32, expect: &[u32]| {
            let words = [
                Instruction::from(crate::table::MopCfg {
                    zmask_hi16: mask >> 16,
                })
                .encode()
                .unwrap(),
                Instruction::from(Mop {
                    mop_type: 0,
                    loop_count: count - 1,
                    zmask_lo16: mask & 0xffff,
                })
                .encode()
                .unwrap(),
            ];
            assert_eq!(tags(&expand(cfg(flags), &words).unwrap()), expect);
        };
        check(0, 3, 0b010, &[2, 6, 2]);
        check(1, 2, 0b10, &[2, 1, 6, 7]);
        check(2, 2, 0b01, &[6, 2, 3, 4, 5]);
        check(3, 1, 0, &[2, 3, 4, 5, 1]);
        check(0, 18, 0x2_0000, &[[2; 17].as_slice(), &[6]].concat());
    }

    #[test]
    fn records_and_plays() {
        let cfg = [0; 9];
        let stream = |words: &[u32]| expand(cfg, words).map(|words| tags(&words));
        let recorded = [replay(30, 3, 0, 1), w(1), w(2), w(3)];
        assert_eq!(stream(&recorded), Ok(vec![]));
        assert_eq!(
            stream(&[&recorded[..], &[w(9), replay(30, 3, 0, 0)]].concat()),
            Ok(vec![9, 1, 2, 3])
        );
        assert_eq!(
            stream(&[&recorded[..], &[replay(0, 1, 0, 0), w(8)]].concat()),
            Ok(vec![3, 8])
        );
        assert_eq!(
            stream(&[replay(0, 2, 1, 1), w(1), w(2), replay(1, 1, 0, 0)]),
            Ok(vec![1, 2, 2])
        );
        // Count 0 is 32.
        let all: Vec<u32> = [replay(0, 0, 0, 1)]
            .into_iter()
            .chain((0..32).map(w))
            .chain([replay(8, 0, 0, 0)])
            .collect();
        assert_eq!(stream(&all), Ok((8..32).chain(0..8).collect()));
    }

    /// MOP around REPLAY: what a matmul inner loop does.
    #[test]
    fn mop_of_replays() {
        let play = replay(16, 2, 0, 0);
        let cfg = [1, 3, NOP, w(9), NOP, play, NOP, play, play];
        let words = [replay(16, 2, 0, 1), w(1), w(2), TEMPLATE1, w(7)];
        assert_eq!(
            tags(&expand(cfg, &words).unwrap()),
            [1, 2, 1, 2, 1, 2, 9, 7]
        );
    }

    /// A MOP inside a recording records its expansion.
    #[test]
    fn mop_into_a_recording() {
        let cfg = [1, 3, NOP, NOP, NOP, w(4), NOP, w(6), w(7)];
        let words = [replay(0, 3, 0, 1), TEMPLATE1, replay(0, 3, 0, 0)];
        assert_eq!(tags(&expand(cfg, &words).unwrap()), [4, 4, 6]);
    }

    #[test]
    fn refusals() {
        let mop0 = |count: u32| 0x0100_0000 | (count - 1) << 16;
        let fresh = |words: &[u32]| {
            let mut e = Expander::default();
            for &word in words {
                e.accept(word)?;
                while e.next()?.is_some() {}
            }
            Ok::<_, ExpandError>(())
        };
        let cases: &[(&[u32], &str)] = &[
            (&[TEMPLATE1], "the MOP uses MopCfg[0], which was never written"),
            (&[mop0(17)], "the MOP runs 17 iterations of template 0, but MOP_CFG never set mask bits 31:16"),
            (&[mop0(33)], "the MOP runs 33 iterations of template 0, but its mask has 32 bits"),
            (&[0x0181_0000], "a MOP of template 1 takes its counts from MopCfg; loop_count and zmask_lo16 must be 0"),
            (&[replay(3, 1, 0, 0)], "REPLAY plays slot 3, which was never recorded"),
            (&[replay(0, 33, 0, 0)], "REPLAY of 33 instructions; the buffer has 32 slots"),
            (
                &[replay(5, 2, 0, 1), replay(0, 1, 0, 0)],
                "a REPLAY is recorded into slot 5; recorded instructions are not expanded again",
            ),
            (&[0x0400_0004], "word 0x04000004: REPLAY with reserved bits 0x000004 set; they must be zero"),
            (&[0x0301_0000], "word 0x03010000: MOP_CFG with reserved bits 0x010000 set; they must be zero"),
        ];
        for (words, expect) in cases {
            assert_eq!(fresh(words).unwrap_err().to_string(), *expect);
        }
        let mut e = Expander::default();
        assert_eq!(
            e.set_mop_config(9, 0).unwrap_err().to_string(),
            "MopCfg has words 0 to 8, not 9"
        );
        for index in 0..9 {
            e.set_mop_config(index, [2, 2, NOP, NOP, NOP, w(1), NOP, w(1), w(1)][index])
                .unwrap();
        }
        e.accept(TEMPLATE1).unwrap();
        assert!(!e.ready() && e.expanding_mop());
        assert_eq!(
            e.set_mop_config(5, 0).unwrap_err().to_string(),
            "MopCfg[5] is written while a MOP expands; wait for the expander first (wait_mop)"
        );
    }
}
