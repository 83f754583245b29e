//! A cache of settings derived from configuration words, valid until one of these words changes.
//!
//! Invariant: a value depends only on its key and on the words recorded with it, because it is
//! computed through a [`View`], which records each read. Words of threads are not recorded and
//! therefore not accessible through it.

use tessera_isa_tensix::cfg::ConfigField;
use tessera_isa_tensix::Arch;

use super::Config;
use crate::state::access::WordSet;
use crate::state::unpacker::{Configured, Key};
use crate::trap::Fault;

/// The state of the configuration that a thread uses.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    config: &'a Config,
    thread: usize,
}

impl View<'_> {
    /// Returns the chip.
    pub(crate) fn arch(&self) -> Arch {
        self.config.arch
    }

    /// Like [`Config::get`].
    #[inline(always)]
    pub(crate) fn get(&self, field: ConfigField) -> u32 {
        self.config.get(self.thread, field)
    }

    /// Like [`Config::get_member`].
    #[inline(always)]
    pub(crate) fn get_member<const N: usize>(
        &self,
        family: &ConfigField,
        indices: [u32; N],
    ) -> u32 {
        self.config.get_member(self.thread, family, indices)
    }
}

/// Derived values, per state and key.
#[derive(Clone, Debug)]
pub(super) struct DerivedCache<K, V> {
    entries: Vec<Entry<K, V>>,
    /// The words of all entries.
    words: WordSet,
}

#[derive(Clone, Debug)]
struct Entry<K, V> {
    state: usize,
    key: K,
    words: WordSet,
    value: V,
}

impl<K, V> Default for DerivedCache<K, V> {
    fn default() -> Self {
        DerivedCache {
            entries: Vec::new(),
            words: WordSet::default(),
        }
    }
}

impl<K: PartialEq, V> DerivedCache<K, V> {
    fn find(&self, state: usize, key: &K) -> Option<usize> {
        let is_it = |entry: &Entry<K, V>| entry.state == state && entry.key == *key;
        self.entries.iter().position(is_it)
    }

    fn add(&mut self, entry: Entry<K, V>) {
        self.words.extend(&entry.words);
        self.entries.push(entry);
    }

    /// Clears the cache if a value depends on a word that changes.
    pub(super) fn invalidate_word(&mut self, state: usize, word: u32) {
        if self.words.contains(state, word) {
            self.entries.clear();
            self.words.clear();
        }
    }
}

impl Config {
    /// Returns a view of the state that `thread` uses.
    pub(crate) fn view(&self, thread: usize) -> View<'_> {
        View {
            config: self,
            thread,
        }
    }

    /// Returns the index of the value that `work` derives for a key. `work` only runs if a word
    /// that it has read has changed since, but its reads are recorded every time.
    ///
    /// # Errors
    /// The errors of `work`, which are not cached.
    #[inline]
    pub(crate) fn derive(
        &mut self,
        thread: usize,
        key: Key,
        work: impl FnOnce(View<'_>) -> Result<Configured, Fault>,
    ) -> Result<usize, Fault> {
        let state = self.state_used_by(thread);
        if let Some(at) = self.unpackers.find(state, &key) {
            self.note_reads(&self.unpackers.entries[at].words);
            return Ok(at);
        }
        let before = self.take_reads();
        let value = work(self.view(thread));
        let words = self.take_reads();
        self.note_reads(&before);
        self.note_reads(&words);
        let value = value?;
        self.unpackers.add(Entry {
            state,
            key,
            words,
            value,
        });
        Ok(self.unpackers.entries.len() - 1)
    }

    /// Clears the cache.
    #[cfg(test)]
    pub(crate) fn clear_derived(&mut self) {
        self.unpackers = DerivedCache::default();
    }

    /// Returns a value of [`Config::derive`]; the index is valid until the next write.
    pub(crate) fn derived(&self, at: usize) -> &Configured {
        &self.unpackers.entries[at].value
    }
}
