//! The direct way of words to the gate.
//!
//! Nobody sees where words wait before the gate while a thread issues instruction after
//! instruction. Where they are afterwards depends only on the number that has passed, because each
//! moves as far as it can. So [`Frontend::fetch`] takes the next word from wherever it is and
//! places it at the gate, and [`Frontend::advance_to_gate`] moves the others when somebody may look
//! again.
//!
//! Invariant: while `is_safe` is set, no word on the way can be refused, be it by an expander or
//! because it is not an instruction; otherwise the refusal would come later than with words that
//! move step by step. Words that are not known to be safe, such as a MOP whose expansion has not
//! been traced, clear it, and those that expanders consume may set it again.

use tessera_isa_tensix::Opcode;

use super::bodies::BodyWord;
use super::{Frontend, Word};

impl Frontend {
    /// Returns whether words may go directly to the gate.
    #[inline]
    pub(crate) fn allows_fetching(&self) -> bool {
        self.is_safe
    }

    /// Places the next word at the gate if this is free; returns whether it has. Words must be
    /// allowed to go there directly.
    #[inline]
    pub(crate) fn fetch(&mut self) -> bool {
        let is_free = self.gate_queue.is_empty()
            && self.behind_mop.is_empty()
            && self.replay.passes()
            && !self.mop_bodies.expanding();
        match self.pushed.front() {
            Some(word) if is_free && !word.is_expanded() => {
                let word = *word;
                self.pushed.remove_front();
                self.rooms += 1;
                self.mop_ends += u64::from(std::mem::take(&mut self.is_after_mop));
                self.place_at_gate(word)
            }
            _ => self.fetch_any(),
        }
    }

    /// Does the same in any state of the front end.
    #[inline(never)]
    fn fetch_any(&mut self) -> bool {
        if !self.gate_queue.is_empty() {
            let moved = self.gate_queue.can_advance();
            self.gate_queue.advance();
            self.moves += u64::from(moved);
            return moved;
        }
        loop {
            if let Some(slot) = self.replay.play_slot() {
                let played = self.traced(slot);
                return played.is_some_and(|word| self.place_at_gate(word));
            }
            let next = self.behind_mop.pop_front();
            let Some(word) = next.or_else(|| self.next_before_replay()) else {
                return false;
            };
            self.of_b -= usize::from(word.is_of_b);
            if !word.is(Opcode::Replay) {
                return self.place_at_gate(word);
            }
            self.replay_word = word;
            let started = self.replay.accept(word.word);
            debug_assert!(started == Ok(None) && self.replay.playing());
            self.release(word);
        }
    }

    /// Places a word at the gate, which is free; returns true.
    #[inline]
    fn place_at_gate(&mut self, word: Word) -> bool {
        self.entry = word.entry;
        self.gate_queue.replace_all(word);
        self.moves += 1;
        true
    }

    /// Takes the next word that comes out of the MOP expander.
    #[inline]
    fn next_before_replay(&mut self) -> Option<Word> {
        loop {
            if let Some(BodyWord { word, place }) = self.mop_bodies.next() {
                return Some(self.mop_word.expanded(word, place));
            }
            let word = self.pushed.pop_front()?;
            self.rooms += 1;
            if !word.is(Opcode::Mop) {
                self.mop_ends += u64::from(self.is_after_mop);
                self.is_after_mop = false;
                return Some(word);
            }
            self.is_after_mop = true;
            self.mop_word = word;
            let is_known = self.mop_bodies.start(word.word);
            debug_assert!(is_known);
            self.release(word);
        }
    }

    /// Records that a word which is not plain is pushed.
    #[cold]
    pub(super) fn note_special(&mut self, word: Word) {
        self.is_safe &= self.is_known(&word);
    }

    /// Determines again whether words may go directly to the gate.
    pub(super) fn update_safety(&mut self) {
        let of_mop = match (self.mop.expanding(), self.mop_bodies.expanding()) {
            (true, _) => None,
            (_, true) => self.mop_bodies.current_replays(),
            _ => Some(&[][..]),
        };
        let mut words = self.behind_mop.iter().chain(self.pushed.iter());
        self.is_safe = !self.replay.recording()
            && self.replay_body.knows(self.replay.slots_left())
            && of_mop.is_some_and(|replays| self.plays_known(replays))
            && words.all(|word| self.is_known(word));
    }

    /// Returns whether it is known that a word is an instruction, and what it is expanded to.
    fn is_known(&self, word: &Word) -> bool {
        if word.is(Opcode::Mop) {
            let replays = self.mop_bodies.replays(word.word);
            return replays.is_some_and(|replays| self.plays_known(replays));
        }
        word.is_plain() || word.is(Opcode::Replay) && self.plays_known(&[word.word])
    }

    /// Returns whether some REPLAYs play words that are known.
    fn plays_known(&self, replays: &[u32]) -> bool {
        let mut slots = replays.iter().map(|&replay| self.replay.played_by(replay));
        slots.all(|slots| slots.is_some_and(|slots| self.replay_body.knows(slots)))
    }
}
