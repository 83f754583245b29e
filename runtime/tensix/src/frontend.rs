//! The front end of one thread: FIFO, expanders, the instruction at the wait gate.
//!
//! Checked: the FIFO is bounded; `MopCfg` is only stored while no MOP is queued or being expanded (the hardware
//! would read a mixture of old and new words).

use std::collections::VecDeque;

use tessera_isa_tensix::expand::{ExpandError, Expander};
use tessera_isa_tensix::{Arch, Instruction, Opcode};

use crate::gate::Latch;
use crate::trap::Reason;

/// An instruction that waits at the gate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtGate {
    pub(crate) instruction: Instruction,
    /// Its word.
    pub(crate) word: u32,
    /// The list entry, or the program counter of the RISC-V instruction, that it came from.
    pub(crate) entry: usize,
}

/// The front end of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Frontend {
    arch: Arch,
    capacity: usize,
    fifo: VecDeque<(u32, usize)>,
    expander: Expander,
    /// The list entry of the word that entered the expanders last.
    entry: usize,
    gate: Option<AtGate>,
    pub(crate) latch: Option<Latch>,
    /// Instructions issued so far.
    pub(crate) issued: u64,
    /// MOPs taken so far.
    pub(crate) mops: u64,
}

impl Frontend {
    pub(crate) fn new(arch: Arch, thread: usize) -> Self {
        Frontend {
            arch,
            capacity: arch.fifo_words()[thread],
            fifo: VecDeque::new(),
            expander: Expander::default(),
            entry: 0,
            gate: None,
            latch: None,
            issued: 0,
            mops: 0,
        }
    }

    /// Takes a pushed word, unless the FIFO is full.
    pub(crate) fn push(&mut self, word: u32, entry: usize) -> bool {
        let room = self.fifo.len() < self.capacity;
        if room {
            self.fifo.push_back((word, entry));
        }
        room
    }

    /// Where the words in the FIFO came from.
    pub(crate) fn queued(&self) -> impl Iterator<Item = usize> + '_ {
        self.fifo.iter().map(|&(_, entry)| entry)
    }

    /// A store to `MopCfg`.
    pub(crate) fn set_mop_config(&mut self, index: usize, value: u32) -> Result<(), ExpandError> {
        if !self.mop_done() {
            return Err(ExpandError::MopCfgBusy { index });
        }
        self.expander.set_mop_config(index, value)
    }

    /// Whether no MOP is queued or being expanded.
    pub(crate) fn mop_done(&self) -> bool {
        let is_mop = |word: u32| word >> 24 == Opcode::Mop as u32;
        !self.expander.expanding_mop() && !self.fifo.iter().any(|&(word, _)| is_mop(word))
    }

    /// Whether nothing is queued, being expanded or waiting at the gate.
    pub(crate) fn empty(&self) -> bool {
        self.fifo.is_empty() && self.gate.is_none() && self.expander.ready()
    }

    /// Whether a recording still lacks instructions.
    pub(crate) fn recording(&self) -> bool {
        self.expander.recording()
    }

    /// The list entry that is being worked on.
    pub(crate) fn entry(&self) -> usize {
        self.entry
    }

    /// Moves the next instruction to the gate if there is none; says whether anything moved on the way there.
    pub(crate) fn fill_gate(&mut self) -> Result<bool, Reason> {
        let mut moved = false;
        while self.gate.is_none() {
            let expanding = self.expander.expanding_mop();
            if let Some(word) = self.expander.next()? {
                let instruction = Instruction::decode(self.arch, word)?;
                self.gate = Some(AtGate {
                    instruction,
                    word,
                    entry: self.entry,
                });
            } else if let Some((word, entry)) = self.fifo.pop_front() {
                self.entry = entry;
                self.mops += u64::from(word >> 24 == Opcode::Mop as u32);
                self.expander.accept(word)?;
            } else {
                // The expander may have noticed only now that its MOP is over.
                return Ok(moved || expanding);
            }
            moved = true;
        }
        Ok(moved)
    }

    /// The instruction at the gate has passed.
    pub(crate) fn passed(&mut self) {
        self.gate = None;
        self.issued += 1;
    }

    /// The instruction at the gate.
    pub(crate) fn gate(&self) -> Option<&AtGate> {
        self.gate.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(f: &mut Frontend) -> Vec<(String, usize)> {
        std::iter::from_fn(|| {
            f.fill_gate().unwrap();
            let at = *f.gate()?;
            f.passed();
            Some((at.instruction.text(Arch::WormholeB0).to_string(), at.entry))
        })
        .collect()
    }

    #[test]
    fn bounded_and_in_order() {
        let mut f = Frontend::new(Arch::WormholeB0, 1);
        assert!((0..16).all(|k| f.push(0x0200_0000, k)));
        assert!(!f.push(0x0200_0000, 16));
        let out = drain(&mut f);
        assert_eq!(out.len(), 16);
        assert_eq!(out[15], ("ttnop".to_owned(), 15));
        assert!(f.empty() && f.issued == 16);
    }

    #[test]
    fn expansion_keeps_the_entry() {
        let mut f = Frontend::new(Arch::WormholeB0, 0);
        for (index, value) in [
            1,
            2,
            0x0200_0000,
            0x0200_0000,
            0x0200_0000,
            0x6000_0000,
            0x0200_0000,
            0x6000_0000,
            0x6000_0000,
        ]
        .into_iter()
        .enumerate()
        {
            f.set_mop_config(index, value).unwrap();
        }
        f.push(0x0180_0000, 7);
        assert!(!f.mop_done());
        assert_eq!(
            f.set_mop_config(0, 1).unwrap_err().to_string(),
            "MopCfg[0] is written while a MOP expands; wait for the expander first (wait_mop)"
        );
        assert_eq!(
            drain(&mut f),
            [("ttdmanop".to_owned(), 7), ("ttdmanop".to_owned(), 7)]
        );
        assert!(f.mop_done());
    }

    #[test]
    fn bad_words_are_refused() {
        let mut f = Frontend::new(Arch::WormholeB0, 0);
        f.push(0, 0);
        assert_eq!(
            f.fill_gate().unwrap_err().to_string(),
            "word 0x00000000: no instruction has opcode 0x00"
        );
    }
}
