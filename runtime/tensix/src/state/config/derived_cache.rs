//! A cache of settings derived from configuration words, valid until one of these words changes.
//!
//! Invariant: a value depends only on its key and on the words recorded with it, because it is
//! computed through a [`View`], which records each read. Words of threads are not recorded and
//! therefore not accessible through it.

use tessera_isa_tensix::cfg::ConfigField;
use tessera_isa_tensix::Arch;

use super::Config;
use crate::state::access::WordSet;
use crate::state::{packer, unpacker};
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
pub(crate) struct DerivedCache<K, V> {
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

/// The caches of all kinds of derived values.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedCaches {
    unpackers: DerivedCache<unpacker::Key, unpacker::Configured>,
    packers: DerivedCache<(u32, bool), packer::Configured>,
    outputs: DerivedCache<(u32, bool), packer::OutputAddress>,
}

impl DerivedCaches {
    /// Clears the caches in which a value depends on a word that changes.
    pub(super) fn invalidate_word(&mut self, state: usize, word: u32) {
        self.unpackers.invalidate_word(state, word);
        self.packers.invalidate_word(state, word);
        self.outputs.invalidate_word(state, word);
    }
}

/// A value that is derived from configuration words.
pub(crate) trait Derived: Sized {
    /// What selects a value within a state.
    type Key: PartialEq;

    /// Returns the cache of such values.
    fn cache(caches: &DerivedCaches) -> &DerivedCache<Self::Key, Self>;

    /// Returns the cache of such values for additions.
    fn cache_mut(caches: &mut DerivedCaches) -> &mut DerivedCache<Self::Key, Self>;
}

impl Derived for unpacker::Configured {
    type Key = unpacker::Key;

    fn cache(caches: &DerivedCaches) -> &DerivedCache<Self::Key, Self> {
        &caches.unpackers
    }

    fn cache_mut(caches: &mut DerivedCaches) -> &mut DerivedCache<Self::Key, Self> {
        &mut caches.unpackers
    }
}

impl Derived for packer::Configured {
    /// The packer, and whether it packs zeros.
    type Key = (u32, bool);

    fn cache(caches: &DerivedCaches) -> &DerivedCache<Self::Key, Self> {
        &caches.packers
    }

    fn cache_mut(caches: &mut DerivedCaches) -> &mut DerivedCache<Self::Key, Self> {
        &mut caches.packers
    }
}

impl Derived for packer::OutputAddress {
    /// The packer, and whether its output has room for exponents.
    type Key = (u32, bool);

    fn cache(caches: &DerivedCaches) -> &DerivedCache<Self::Key, Self> {
        &caches.outputs
    }

    fn cache_mut(caches: &mut DerivedCaches) -> &mut DerivedCache<Self::Key, Self> {
        &mut caches.outputs
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
    pub(crate) fn derive<V: Derived>(
        &mut self,
        thread: usize,
        key: V::Key,
        work: impl FnOnce(View<'_>) -> Result<V, Fault>,
    ) -> Result<usize, Fault> {
        let state = self.state_used_by(thread);
        let cache = V::cache(&self.derived);
        if let Some(at) = cache.find(state, &key) {
            self.note_reads(&cache.entries[at].words);
            return Ok(at);
        }
        self.derive_anew(state, thread, key, work)
    }

    /// Derives a value that is not cached. Most calls find theirs, so this is not part of them.
    #[cold]
    fn derive_anew<V: Derived>(
        &mut self,
        state: usize,
        thread: usize,
        key: V::Key,
        work: impl FnOnce(View<'_>) -> Result<V, Fault>,
    ) -> Result<usize, Fault> {
        let (value, words) = self.with_own_reads(|| work(self.view(thread)));
        let value = value?;
        let cache = V::cache_mut(&mut self.derived);
        cache.add(Entry {
            state,
            key,
            words,
            value,
        });
        Ok(cache.entries.len() - 1)
    }

    /// Clears the cache.
    #[cfg(test)]
    pub(crate) fn clear_derived(&mut self) {
        self.derived = DerivedCaches::default();
    }

    /// Returns a value of [`Config::derive`]; the index is valid until the next write.
    pub(crate) fn derived<V: Derived>(&self, at: usize) -> &V {
        &V::cache(&self.derived).entries[at].value
    }
}
