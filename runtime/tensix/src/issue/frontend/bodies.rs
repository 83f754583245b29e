//! The decoded traces of a front end: the expansions of MOPs, and the contents of the replay
//! buffer.
//!
//! Each word of a trace has its place among the decoded words, so that words that come out of an
//! expander are neither computed nor decoded nor looked up again. The traces of MOPs are kept until
//! `MopCfg` or the mask changes. A slot of the replay buffer is traced when it is recorded, because
//! its word has been decoded when it was pushed; or else when it is first played.
//!
//! Not traced: expansions of more than [`MAX_TRACED`] words, and those with words that are not
//! instructions. Their words come one by one from the MOP expander.

use std::sync::Arc;

use tessera_isa_tensix::expand::REPLAY_SLOTS;
use tessera_isa_tensix::Opcode;

/// The maximum length of a traced expansion.
pub(super) const MAX_TRACED: usize = 4096;
/// The number of MOPs whose expansions are kept.
const MAX_MOPS: usize = 8;

/// A word of an expansion and its place among the decoded words.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyWord {
    pub(super) word: u32,
    pub(super) place: u32,
}

/// The expansion of a MOP.
#[derive(Clone, Debug)]
struct MopBody {
    /// The MOP.
    mop: u32,
    words: Arc<[BodyWord]>,
    /// The REPLAYs among them, each once.
    replays: Vec<u32>,
}

/// The traced expansions of MOPs, and the one in progress.
#[derive(Clone, Debug, Default)]
pub(super) struct MopBodies {
    known: Vec<MopBody>,
    /// Empty if none is in progress.
    current: Arc<[BodyWord]>,
    at: usize,
}

impl MopBodies {
    /// Returns whether words are left of an expansion.
    #[inline]
    pub(super) fn expanding(&self) -> bool {
        self.at < self.current.len()
    }

    /// Returns the next word of the expansion in progress.
    #[inline]
    pub(super) fn next(&mut self) -> Option<BodyWord> {
        let word = self.current.get(self.at).copied()?;
        self.at += 1;
        Some(word)
    }

    /// Starts the expansion of a MOP; returns false if it is not known.
    pub(super) fn start(&mut self, mop: u32) -> bool {
        let Some(body) = self.known.iter().find(|body| body.mop == mop) else {
            return false;
        };
        if !Arc::ptr_eq(&self.current, &body.words) {
            self.current = Arc::clone(&body.words);
        }
        self.at = 0;
        true
    }

    /// Returns the REPLAYs in the expansion of a MOP, if it is known.
    pub(super) fn replays(&self, mop: u32) -> Option<&[u32]> {
        let mut known = self.known.iter();
        let body = known.find(|body| body.mop == mop)?;
        Some(&body.replays)
    }

    /// Returns the REPLAYs in the expansion in progress, if they are known.
    pub(super) fn current_replays(&self) -> Option<&[u32]> {
        let mut known = self.known.iter();
        let body = known.find(|body| Arc::ptr_eq(&body.words, &self.current))?;
        Some(&body.replays)
    }

    /// Keeps the expansion of a MOP.
    pub(super) fn keep(&mut self, mop: u32, words: Vec<BodyWord>) {
        if self.known.len() == MAX_MOPS {
            self.known.remove(0);
        }
        let is_replay = |word: &u32| word >> 24 == Opcode::Replay as u32;
        let mut replays: Vec<u32> = words.iter().map(|it| it.word).filter(is_replay).collect();
        replays.sort_unstable();
        replays.dedup();
        self.known.push(MopBody {
            mop,
            words: words.into(),
            replays,
        });
    }

    /// Forgets all expansions but the one in progress, because what they depend on changes.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Lets the caller replace the places of all words.
    pub(super) fn relocate(&mut self, place: &mut dyn FnMut(&mut u32)) {
        let current = self
            .known
            .iter()
            .position(|body| Arc::ptr_eq(&body.words, &self.current));
        let mut moved = |words: &Arc<[BodyWord]>| {
            let mut words = words.to_vec();
            words.iter_mut().for_each(|word| place(&mut word.place));
            Arc::from(words)
        };
        self.known
            .iter_mut()
            .for_each(|body| body.words = moved(&body.words));
        self.current = match current {
            Some(known) => Arc::clone(&self.known[known].words),
            None => moved(&self.current),
        };
    }
}

/// The decoded words of the replay buffer.
#[derive(Clone, Debug)]
pub(super) struct ReplayBody {
    places: [u32; REPLAY_SLOTS],
    /// The slots whose places are known, one bit each.
    known: u32,
}

impl Default for ReplayBody {
    fn default() -> Self {
        ReplayBody {
            places: [0; REPLAY_SLOTS],
            known: 0,
        }
    }
}

impl ReplayBody {
    /// Returns the place of the word in a slot, if it is known.
    #[inline]
    pub(super) fn get(&self, slot: usize) -> Option<u32> {
        (self.known >> slot & 1 != 0).then(|| self.places[slot])
    }

    /// Returns whether all places of some slots are known.
    pub(super) fn knows(&self, slots: u32) -> bool {
        slots & !self.known == 0
    }

    /// Sets the place of the word in a slot, or that it is unknown.
    pub(super) fn set(&mut self, slot: usize, place: Option<u32>) {
        self.places[slot] = place.unwrap_or(0);
        self.known = self.known & !(1 << slot) | u32::from(place.is_some()) << slot;
    }

    /// Lets the caller replace the places of all words.
    pub(super) fn relocate(&mut self, place: &mut dyn FnMut(&mut u32)) {
        let known = self.known;
        let places = self.places.iter_mut().enumerate();
        (places.filter(|(slot, _)| known >> slot & 1 != 0)).for_each(|(_, known)| place(known));
    }
}
