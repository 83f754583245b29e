//! The front end of one thread: FIFOs, expanders, and the instruction at the wait gate.
//!
//! A core's words pass through a FIFO, the MOP expander, a FIFO of 8, the replay expander and a
//! FIFO of 2 to the gate. Words of core B enter before the second FIFO (ISA documentation, the
//! diagram in `PushTensixInstruction.md`). A MOP may thus be completely expanded while ten of its
//! instructions have not been issued, and `MopCfg` may be changed then.
//!
//! On Blackhole the words of a thread's own core are tracked for the automatic synchronisation
//! ([`crate::issue::auto_sync`]) until they have passed the gate or an expander has consumed them.
//! No more words are tracked than the first FIFO holds; words made by an expander do not count
//! (`PushTensixInstruction.md`, at 6e087b06). RESOURCEDECL takes effect when it is pushed.
//!
//! Words are decoded once: when they are pushed, or with the trace of what an expander makes
//! ([`bodies`]). While an expander may refuse a word, words move step by step as far as they can.
//! Otherwise the next word may go directly to the gate, and the others follow when somebody may
//! look ([`direct`]).
//!
//! Checked: the FIFOs are bounded; `MopCfg` is only stored while no MOP is queued or being expanded
//! (the hardware would mix old and new words).

mod bodies;
mod direct;
mod fifo;
mod gate_queue;
mod word;

use bodies::{BodyWord, MopBodies, ReplayBody, MAX_TRACED};
use fifo::WordFifo;
pub(crate) use word::Word;
use word::UNDECODED;

use tessera_isa_tensix::expand::{ExpandError, MopExpander, ReplayExpander};
use tessera_isa_tensix::{Arch, DecodeError, Instruction, Opcode};

use crate::issue::auto_sync::{Tracker, Uses};
use crate::issue::decoded_words::{Decoded, DecodedWords};
use crate::state::latch::Latch;
use crate::trap::Reason;
use gate_queue::GateQueue;

/// Capacity of the FIFO between the MOP expander and the replay expander.
const REPLAY_FIFO_WORDS: usize = 8;
/// The largest capacity of the first FIFO.
const PUSHED_WORDS: usize = 32;

/// The words that represent a MOP and a REPLAY being expanded.
const MOP: u32 = (Opcode::Mop as u32) << 24;
const REPLAY: u32 = (Opcode::Replay as u32) << 24;

/// The front end of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Frontend {
    arch: Arch,
    capacity: usize,
    pushed: WordFifo<PUSHED_WORDS>,
    mop: MopExpander,
    mop_bodies: MopBodies,
    /// The MOP that is being expanded.
    mop_word: Word,
    behind_mop: WordFifo<REPLAY_FIFO_WORDS>,
    /// The number of core B's words in `behind_mop`.
    of_b: usize,
    replay: ReplayExpander,
    replay_body: ReplayBody,
    /// The REPLAY that is being played.
    replay_word: Word,
    /// Depends on the chip only, so that front ends can use it one after the other.
    pub(crate) decoded: DecodedWords,
    /// The instruction at the gate, if any, and those in the FIFO before it.
    gate_queue: GateQueue,
    /// Whether no word on the way can be refused or change what an expander does with others.
    is_safe: bool,
    /// The origin of the word that moved last.
    entry: usize,
    /// Number of words that occupy space to which the core may push.
    tracked: usize,
    /// The resources that the core's words use.
    pub(crate) tracker: Tracker,
    pub(crate) latch: Option<Latch>,
    /// Number of instructions issued.
    pub(crate) issued: u64,
    /// Numbers of pushes, of moved words, and of increases of the space to which the core may push.
    pushes: u64,
    moves: u64,
    rooms: u64,
    /// Number of MOPs followed by another word, which costs the expander a cycle.
    pub(crate) mop_ends: u64,
    /// Whether the last word taken by the MOP expander was a MOP.
    is_after_mop: bool,
}

impl Frontend {
    pub(crate) fn new(arch: Arch, thread: usize) -> Self {
        Frontend {
            arch,
            capacity: arch.fifo_words()[thread],
            pushed: WordFifo::new(),
            mop: MopExpander::new(arch),
            mop_bodies: MopBodies::default(),
            mop_word: Word::default(),
            behind_mop: WordFifo::new(),
            of_b: 0,
            replay: ReplayExpander::new(arch),
            replay_body: ReplayBody::default(),
            replay_word: Word::default(),
            decoded: DecodedWords::default(),
            gate_queue: GateQueue::default(),
            is_safe: true,
            entry: 0,
            tracked: 0,
            tracker: Tracker::default(),
            latch: None,
            issued: 0,
            pushes: 0,
            moves: 0,
            rooms: 0,
            mop_ends: 0,
            is_after_mop: false,
        }
    }

    /// Pushes a word of the thread's own core; returns false if the FIFO is full.
    #[inline]
    pub(crate) fn push(&mut self, word: u32, entry: usize) -> bool {
        if self.arch == Arch::Blackhole {
            return self.push_tracked(word, entry);
        }
        let room = self.pushed.len() < self.capacity;
        if room {
            let word = self.decoded_word(word, entry);
            self.pushed.push_back(word);
            self.pushes += 1;
        }
        room
    }

    /// Pushes a word on Blackhole, where its resources are tracked.
    fn push_tracked(&mut self, word: u32, entry: usize) -> bool {
        if self.tracked >= self.capacity {
            return false;
        }
        let mut word = self.decoded_word(word, entry);
        if let Some(decoded) = self.decoded.get(word.place) {
            word.uses = self.tracker.push(&decoded.instruction);
            if matches!(decoded.instruction, Instruction::Resourcedecl(_)) {
                return true;
            }
        }
        word.tracked = true;
        self.tracked += 1;
        self.pushes += 1;
        self.pushed.push_back(word);
        true
    }

    /// Makes a word to be pushed.
    #[inline]
    fn decoded_word(&mut self, word: u32, entry: usize) -> Word {
        // Words that are not instructions are refused when they reach the gate.
        let word = Word {
            word,
            place: self.decode(word).unwrap_or(UNDECODED),
            entry,
            ..Word::default()
        };
        if !word.is_plain() {
            self.note_special(word);
        }
        word
    }

    /// Returns the resources used by the core's words that have not passed the gate.
    pub(crate) fn uses(&self) -> Uses {
        let expanding = self.expanding().then_some(&self.mop_word);
        let playing = self.replay.playing().then_some(&self.replay_word);
        let words = self.pushed.iter().chain(self.behind_mop.iter());
        let words = words.chain(expanding).chain(playing).map(|word| word.uses);
        let all = words.chain(self.gate_queue.iter().map(|at| at.uses));
        all.fold(Uses::default(), Uses::union)
    }

    /// Pushes a word of core B, which enters after the MOP expander; returns false if the FIFO
    /// there is full.
    pub(crate) fn push_after_mop(&mut self, word: u32, entry: usize) -> bool {
        let room = self.behind_mop.len() < REPLAY_FIFO_WORDS;
        if room {
            let word = self.decoded_word(word, entry);
            self.behind_mop.push_back(Word {
                is_of_b: true,
                ..word
            });
            self.of_b += 1;
            self.pushes += 1;
        }
        room
    }

    /// Returns the numbers of words of the thread's own core and of core B that the replay expander
    /// has not taken.
    pub(crate) fn queued(&self) -> [usize; 2] {
        let all = self.pushed.len() + self.behind_mop.len();
        [all - self.of_b, self.of_b]
    }

    /// Returns the words that have not passed the gate, with their origins, including the MOP and
    /// the REPLAY being expanded.
    pub(crate) fn occupants(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let mop = self.expanding().then_some((MOP, self.mop_word.entry));
        let replay = self.replay.playing();
        let replay = replay.then_some((REPLAY, self.replay_word.entry));
        let queued = self.pushed.iter().chain(self.behind_mop.iter());
        queued
            .chain(self.gate_queue.iter())
            .map(|word| (word.word, word.entry))
            .chain(mop)
            .chain(replay)
    }

    /// Returns whether the FIFO before the replay expander is full, and whether it is empty.
    pub(crate) fn replay_fifo_status(&self) -> (bool, bool) {
        let held = self.behind_mop.len();
        (held >= REPLAY_FIFO_WORDS, held == 0)
    }

    /// Executes a store to `MopCfg`.
    pub(crate) fn set_mop_config(&mut self, index: usize, value: u32) -> Result<(), ExpandError> {
        if !self.is_mop_done() {
            return Err(ExpandError::MopCfgBusy { index });
        }
        self.mop_bodies.forget();
        self.mop.set_config(index, value)
    }

    /// Returns whether no MOP is queued or being expanded (`TTSync.md`). Its expansion may still be
    /// on its way to the gate.
    pub(crate) fn is_mop_done(&self) -> bool {
        !self.expanding() && !self.pushed.iter().any(|word| word.is(Opcode::Mop))
    }

    /// Returns whether nothing is queued, being expanded or at the gate.
    pub(crate) fn is_empty(&self) -> bool {
        self.pushed.is_empty()
            && !self.expanding()
            && self.behind_mop.is_empty()
            && !self.replay.playing()
            && self.gate_queue.is_empty()
    }

    /// Returns whether a REPLAY recording is incomplete.
    pub(crate) fn is_recording(&self) -> bool {
        self.replay.recording()
    }

    /// Returns the origin of the word that has just been refused.
    pub(crate) fn entry(&self) -> usize {
        self.entry
    }

    /// Returns the origin of the last word behind the MOP expander, or of the last that was there.
    pub(crate) fn last_entry(&self) -> usize {
        let word = self.behind_mop.back().or(self.gate_queue.iter().last());
        word.map_or(self.entry, |word| word.entry)
    }

    /// Returns the numbers of pushes, of moved words, and of increases of the space for pushes.
    pub(crate) fn changes(&self) -> [u64; 3] {
        [self.pushes, self.moves, self.rooms]
    }

    /// Does the same as [`Frontend::advance_to_gate`] in the states that are most frequent while
    /// words come one by one: no word is left before the gate's FIFO; or this is full while the
    /// gate is free, and each word moves by one place without an expander changing it. Returns
    /// `None` in other states.
    #[inline]
    pub(crate) fn advance_plain(&mut self) -> Option<bool> {
        if self.expanding() || !self.replay.passes() {
            return None;
        }
        let (next, pushed) = (self.behind_mop.front(), self.pushed.front());
        let Some(next) = next else {
            let moved = pushed.is_none().then(|| self.gate_queue.can_advance())?;
            self.gate_queue.advance();
            self.moves += u64::from(moved);
            return Some(moved);
        };
        let moves_one =
            |pushed: &Word| self.behind_mop.len() == REPLAY_FIFO_WORDS && !pushed.is_expanded();
        let is_plain = next.is_plain() && pushed.is_none_or(moves_one);
        if !(is_plain && self.gate_queue.lacks_gate()) {
            return None;
        }
        self.gate_queue.advance_and_push(*next);
        self.of_b -= usize::from(next.is_of_b);
        self.entry = next.entry;
        self.behind_mop.pop_front();
        self.moves += 1;
        if let Some(pushed) = self.pushed.pop_front() {
            self.entry = pushed.entry;
            self.mop_ends += u64::from(std::mem::take(&mut self.is_after_mop));
            self.behind_mop.push_back(pushed);
            self.rooms += 1;
        }
        Some(true)
    }

    /// Moves all words towards the gate as far as possible; returns whether any moved.
    pub(crate) fn advance_to_gate(&mut self) -> Result<bool, Reason> {
        let mut moved = self.pass_through()?;
        while self.can_move() {
            self.gate_queue.advance();
            if self.gate_queue.has_room() {
                self.move_through_replay()?;
            }
            if self.behind_mop.len() < REPLAY_FIFO_WORDS {
                self.move_through_mop()?;
            }
            moved = true;
            self.moves += 1;
        }
        Ok(moved)
    }

    /// Moves a word of the FIFO to the gate, and words that no expander changes right to that FIFO
    /// if nothing is on the way; returns whether any moved. Words end up in the same places as if
    /// they had moved step by step.
    fn pass_through(&mut self) -> Result<bool, Reason> {
        let mut moved = self.gate_queue.can_advance();
        if moved {
            self.gate_queue.advance();
            self.moves += 1;
        }
        let is_free = self.behind_mop.is_empty() && !self.expanding() && self.replay.passes();
        while is_free && self.gate_queue.has_room() {
            let Some(&word) = self.pushed.front().filter(|word| !word.is_expanded()) else {
                break;
            };
            self.pushed.pop_front();
            self.entry = word.entry;
            self.mop_ends += u64::from(self.is_after_mop);
            self.is_after_mop = false;
            self.rooms += 1;
            self.moves += 1;
            self.push_decoded(word)?;
            self.gate_queue.advance();
            moved = true;
        }
        Ok(moved)
    }

    /// Returns whether a word can move towards the gate.
    fn can_move(&self) -> bool {
        self.gate_queue.can_advance()
            || self.gate_queue.has_room() && (self.replay.playing() || !self.behind_mop.is_empty())
            || self.behind_mop.len() < REPLAY_FIFO_WORDS
                && (self.expanding() || !self.pushed.is_empty())
    }

    /// Lets the replay expander emit or take a word, if it can.
    #[inline]
    fn move_through_replay(&mut self) -> Result<(), Reason> {
        if !self.replay.passes() {
            return self.play_or_record();
        }
        let Some(&word) = self.behind_mop.front() else {
            return Ok(());
        };
        if word.is(Opcode::Replay) {
            return self.play_or_record();
        }
        self.behind_mop.pop_front();
        self.entry = word.entry;
        self.of_b -= usize::from(word.is_of_b);
        self.push_decoded(word)
    }

    /// Does the same for an expander that plays or records, or if the next word is a REPLAY.
    fn play_or_record(&mut self) -> Result<(), Reason> {
        if self.replay.playing() {
            self.entry = self.replay_word.entry;
            return self.play();
        }
        let Some(word) = self.behind_mop.pop_front() else {
            return Ok(());
        };
        self.entry = word.entry;
        self.of_b -= usize::from(word.is_of_b);
        let recorded = self.replay.slot();
        if recorded.is_none() {
            self.replay_word = word;
        }
        let passed = self.replay.accept(word.word)?;
        if let Some(slot) = recorded {
            let place = (word.place != UNDECODED).then_some(word.place);
            self.replay_body.set(slot, place);
        }
        self.update_safety();
        match passed {
            Some(_) => self.push_decoded(word),
            None => {
                self.release(word);
                Ok(())
            }
        }
    }

    /// Returns the word in a slot of the replay buffer, if it is known.
    #[inline]
    fn traced(&self, slot: usize) -> Option<Word> {
        let place = self.replay_body.get(slot)?;
        let word = self.decoded.get(place)?.word;
        Some(self.replay_word.expanded(word, place))
    }

    /// Plays the next word of the replay buffer.
    fn play(&mut self) -> Result<(), Reason> {
        let slot = self.replay.slot();
        if let Some(word) = slot.and_then(|slot| self.traced(slot)) {
            self.replay.play_slot();
            self.gate_queue.push(word);
            return Ok(());
        }
        let Some(word) = self.replay.play()? else {
            return Ok(());
        };
        let place = self.decode(word)?;
        if let Some(slot) = slot {
            self.replay_body.set(slot, Some(place));
        }
        self.update_safety();
        self.gate_queue.push(self.replay_word.expanded(word, place));
        Ok(())
    }

    /// Appends a word to the FIFO before the gate, which has space.
    #[inline]
    fn push_decoded(&mut self, mut word: Word) -> Result<(), Reason> {
        if word.place == UNDECODED {
            word.place = self.decode(word.word)?;
        }
        self.gate_queue.push(word);
        Ok(())
    }

    /// Returns the place of a word among the decoded words, decoding it if necessary.
    #[inline]
    fn decode(&mut self, word: u32) -> Result<u32, DecodeError> {
        match self.decoded.find(word) {
            Some(place) => Ok(place),
            None => self.decode_first(word),
        }
    }

    /// Decodes a word. If there are too many, the decoded words that are neither on the way nor in
    /// a trace are forgotten.
    #[cold]
    fn decode_first(&mut self, word: u32) -> Result<u32, DecodeError> {
        let held = |relocate: &mut dyn FnMut(&mut u32)| {
            let words = self.pushed.iter_mut().chain(self.behind_mop.iter_mut());
            let words = words.chain(self.gate_queue.iter_mut());
            (words.filter(|word| word.place != UNDECODED))
                .for_each(|word| relocate(&mut word.place));
            self.mop_bodies.relocate(relocate);
            self.replay_body.relocate(relocate);
        };
        self.decoded.decode(self.arch, word, held)
    }

    /// Lets the MOP expander emit or take a word, if it can.
    #[inline]
    fn move_through_mop(&mut self) -> Result<(), Reason> {
        if let Some(BodyWord { word, place }) = self.next_of_mop() {
            let word = self.mop_word.expanded(word, place);
            self.behind_mop.push_back(word);
            return Ok(());
        }
        let Some(word) = self.pushed.pop_front() else {
            return Ok(());
        };
        self.rooms += 1;
        self.entry = word.entry;
        if word.is(Opcode::Mop) || word.is(Opcode::MopCfg) {
            return self.take_mop(word);
        }
        self.mop_ends += u64::from(self.is_after_mop);
        self.is_after_mop = false;
        self.behind_mop.push_back(word);
        Ok(())
    }

    /// Returns whether a MOP is being expanded.
    #[inline]
    fn expanding(&self) -> bool {
        self.mop_bodies.expanding() || self.mop.expanding()
    }

    /// Returns the next word of the MOP being expanded.
    #[inline]
    fn next_of_mop(&mut self) -> Option<BodyWord> {
        if let Some(word) = self.mop_bodies.next() {
            return Some(word);
        }
        let word = self.mop.expand()?;
        let place = self.decode(word).unwrap_or(UNDECODED);
        if !self.mop.expanding() {
            self.update_safety();
        }
        Some(BodyWord { word, place })
    }

    /// Gives the MOP expander a MOP or a MOP_CFG.
    fn take_mop(&mut self, word: Word) -> Result<(), Reason> {
        self.mop_word = word;
        let is_mop = word.is(Opcode::Mop);
        self.mop_ends += u64::from(self.is_after_mop && !is_mop);
        self.is_after_mop = is_mop;
        if is_mop && self.mop_bodies.start(word.word) {
            self.release(word);
            return Ok(());
        }
        let passed = self.mop.accept(word.word)?;
        debug_assert!(passed.is_none());
        match is_mop {
            true => self.trace_mop(word.word),
            // It changes the mask.
            false => self.mop_bodies.forget(),
        }
        self.update_safety();
        self.release(word);
        Ok(())
    }

    /// Decodes the expansion of the MOP that has just been started, if possible.
    #[cold]
    fn trace_mop(&mut self, mop: u32) {
        let mut expander = self.mop.clone();
        let Some(words) = expander.take_words(MAX_TRACED) else {
            return;
        };
        let mut distinct = words.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // If words are forgotten meanwhile, places change, but the second time there is room.
        let (mut places, mut is_valid) = (Ok(Vec::new()), false);
        while !is_valid {
            let before = self.decoded.len();
            places = distinct.iter().map(|&word| self.decode(word)).collect();
            is_valid = self.decoded.len() >= before;
        }
        let Ok(places): Result<Vec<u32>, DecodeError> = places else {
            return;
        };
        let body = words.into_iter().filter_map(|word| {
            let place = places[distinct.binary_search(&word).ok()?];
            Some(BodyWord { word, place })
        });
        self.mop_bodies.keep(mop, body.collect());
        self.mop_bodies.start(mop);
        self.mop = expander;
    }

    /// Releases the space that a word occupies.
    fn release(&mut self, word: Word) {
        self.untrack(word.tracked);
    }

    fn untrack(&mut self, was_tracked: bool) {
        self.tracked -= usize::from(was_tracked);
        self.rooms += u64::from(was_tracked);
    }

    /// Removes the instruction at the gate, which has been issued.
    #[inline]
    pub(crate) fn pop_gate(&mut self) {
        self.untrack(self.gate_queue.gate().is_some_and(|at| at.tracked));
        self.gate_queue.pass();
        self.moves += 1;
        self.issued += 1;
    }

    /// Returns the number of words that have not passed the gate, if all of them are the one at the
    /// gate and none is being expanded.
    pub(crate) fn repeated_words(&self) -> Option<usize> {
        let word = self.gate_queue.gate()?.word;
        let is_free = !self.expanding() && self.replay.passes();
        let mut in_fifos = self.behind_mop.iter().chain(self.pushed.iter());
        let are_all = is_free
            && self.gate_queue.iter().all(|queued| queued.word == word)
            && in_fifos.all(|next| next.word == word);
        let gated = self.gate_queue.iter().count();
        are_all.then(|| gated + self.behind_mop.len() + self.pushed.len())
    }

    /// Removes all words but the last one, as if they had passed the gate one after the other, and
    /// moves the last one there. [`Frontend::repeated_words`] must have returned `count`, more than
    /// one.
    pub(crate) fn pass_all_but_last(&mut self, count: usize) {
        let is_tracked = |word: &&Word| word.tracked;
        let words = self.behind_mop.iter().chain(self.pushed.iter());
        let in_queue = self.gate_queue.iter().filter(|at| at.tracked).count();
        let tracked = words.clone().filter(is_tracked).count() + in_queue;
        let last = words.last().copied();
        self.entry = last.map_or(self.entry, |last| last.entry);
        if let Some(last) = last.or(self.gate_queue.iter().last().copied()) {
            let released = tracked - usize::from(last.tracked);
            self.tracked -= released;
            self.rooms += (self.pushed.len() + released) as u64;
            self.gate_queue.replace_all(last);
        }
        if !self.pushed.is_empty() {
            self.mop_ends += u64::from(std::mem::take(&mut self.is_after_mop));
        }
        self.pushed.clear();
        self.behind_mop.clear();
        self.of_b = 0;
        self.moves += 1;
        self.issued += count as u64 - 1;
    }

    /// Returns the instruction at the gate.
    #[inline]
    pub(crate) fn gate(&self) -> Option<&Decoded> {
        self.gate_with_entry().map(|(at, _)| at)
    }

    /// Returns the instruction at the gate, and the list entry or program counter that it came
    /// from.
    #[inline]
    pub(crate) fn gate_with_entry(&self) -> Option<(&Decoded, usize)> {
        let at = self.gate_queue.gate()?;
        Some((self.decoded.get(at.place)?, at.entry))
    }
}

#[cfg(test)]
mod tests;
