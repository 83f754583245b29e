//! MOP: both templates, as iterators over words.

use super::{ExpandError, MOP_CFG_WORDS};
use crate::table::{Mop, Opcode};
use crate::Arch;

fn is_nop(word: u32) -> bool {
    word >> 24 == Opcode::Nop as u32
}

/// The nine words that describe a MOP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MopConfig([Option<u32>; MOP_CFG_WORDS]);

impl MopConfig {
    /// Creates a configuration with all nine words set.
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

    /// Returns the expansion of `mop` on a chip; `mask_hi` was set by the last MOP_CFG.
    pub fn expansion(
        &self,
        arch: Arch,
        mop: Mop,
        mask_hi: Option<u16>,
    ) -> Result<Expansion, ExpandError> {
        match mop.mop_type {
            0 => self.template0(mop, mask_hi).map(Expansion::Masked),
            _ => self.template1(arch, mop).map(Expansion::Double),
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

    /// Returns the numbers of outer and inner iterations of template 1.
    fn counts(&self, arch: Arch, mop: Mop) -> Result<[u32; 2], ExpandError> {
        match arch {
            Arch::WormholeB0 if mop.loop_count != 0 || mop.zmask_lo16 != 0 => {
                Err(ExpandError::Template1Operands)
            }
            Arch::WormholeB0 => Ok([self.get(0)? & 127, self.get(1)? & 127]),
            Arch::Blackhole if mop.loop_count > 15 => Err(ExpandError::OuterCountTooLong {
                loop_count: mop.loop_count,
            }),
            Arch::Blackhole => {
                let outer = mop.loop_count << 6 | mop.zmask_lo16 >> 10;
                let inner = mop.zmask_lo16 & 0x3ff;
                Ok([self.count_or(outer, 0)?, self.count_or(inner, 1)?])
            }
        }
    }

    /// Returns an operand of Blackhole's MOP, or the word of `MopCfg` if it is 0.
    fn count_or(&self, given: u32, index: usize) -> Result<u32, ExpandError> {
        match given {
            0 => match self.get(index)? {
                value @ 0..=127 => Ok(value),
                value => Err(ExpandError::CountTooLong { index, value }),
            },
            _ => Ok(given),
        }
    }

    fn template1(&self, arch: Arch, mop: Mop) -> Result<DoubleLoop, ExpandError> {
        let [mut outer_count, mut inner_count] = self.counts(arch, mop)?;
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
        // The hardware's counter bug: Wormhole runs 128 more outer iterations of exactly this
        // configuration.
        if outer_count == 1 && start.is_none() && inner_count == 0 && end0.is_some() {
            match arch {
                Arch::WormholeB0 => outer_count += 128,
                Arch::Blackhole => return Err(ExpandError::OnlyEndWords),
            }
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

/// A short list of words, stored inline.
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

/// The remaining expansion of a MOP: an iterator over words.
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

/// Template 0: the body per iteration, or the skip words where the mask has a one.
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

/// Template 1: start word, inner loop with its last word replaced, two end words; repeated
/// `outer_count` times.
#[derive(Clone, Debug)]
pub struct DoubleLoop {
    outer_count: u32,
    inner_count: u32,
    start: Option<u32>,
    end0: Option<u32>,
    end1: Option<u32>,
    /// Alternates with every inner iteration; its state persists across outer iterations.
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
    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self.step {
            // Most words; an outer iteration has begun.
            Step::Inner(i) if i + 1 < self.inner_count => {
                self.step = Step::Inner(i + 1);
                Some(self.inner_word(i))
            }
            _ => self.next_of_any_step(),
        }
    }
}

impl DoubleLoop {
    fn next_of_any_step(&mut self) -> Option<u32> {
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
