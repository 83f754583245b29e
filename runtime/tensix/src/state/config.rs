//! The backend configuration: two states of `Config`, one `ThreadConfig` per thread.
//!
//! Every read of `Config` is recorded, so that the machine knows which words an instruction in
//! flight uses. On Blackhole some words of packers contain fields of unpackers, which are recorded
//! under numbers of their own: LLK configures packers while unpackers run
//! (`reconfig_packer_data_format`). The settings that unpackers and packers derive from words are
//! cached until one of these changes (`derived_cache`).
//!
//! Source: ISA documentation, `BackendConfiguration.md`, `WRCFG.md`, `RDCFG.md`, `SETC16.md`,
//! `RMWCIB.md`, `REG2FLOP_Configuration.md`. Words from [`cfg::global_words_from`] on are common to
//! both states.

mod derived_cache;

use tessera_isa_tensix::cfg::{self, ConfigField, FieldPlace, ThreadField};
use tessera_isa_tensix::Arch;

use crate::state::access::{WordNotes, WordSet};
use crate::state::addr_mod::{self, AddrMod};
use crate::trap::Fault;
use derived_cache::DerivedCaches;
pub(crate) use derived_cache::View;

/// The maximum number of words of a state on any chip.
const MAX_WORDS: usize = cfg::config_words(Arch::Blackhole);
/// The maximum number of words of a thread on any chip.
const MAX_THREAD_WORDS: usize = cfg::thread_words(Arch::Blackhole);

/// The unpackers' fields in a word of packers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shared {
    /// The number under which they are recorded; no word has it.
    number: u32,
    /// The mask of these fields; zero if the word has none.
    mask: u32,
}

/// The shared words of Blackhole.
const SHARED: [Shared; MAX_WORDS] = {
    const NONE: Shared = Shared { number: 0, mask: 0 };
    const FIELDS: [ConfigField; 3] = [
        cfg::THCON_REG1_ovrd_default_throttle_mode,
        cfg::THCON_REG1_Unp_LF8_4b_exp,
        cfg::THCON_REG8_unpack_tile_offset,
    ];
    let mut words = [NONE; MAX_WORDS];
    let mut k = 0;
    while k < 2 * FIELDS.len() {
        let field = FIELDS[k / 2].nth(k as u32 % 2);
        let Some(place) = field.place_on(Arch::Blackhole) else {
            panic!("Blackhole has the field")
        };
        words[place.addr32() as usize] = Shared {
            number: (MAX_WORDS + k) as u32,
            mask: place.mask(),
        };
        k += 1;
    }
    words
};

/// Returns the word for a recorded number.
pub(crate) fn word_of(number: u32) -> u32 {
    let shared = SHARED.iter().position(|shared| shared.number == number);
    match shared {
        Some(word) if number as usize >= MAX_WORDS => word as u32,
        _ => number,
    }
}

/// All configuration of one core.
#[derive(Clone, Debug)]
pub struct Config {
    arch: Arch,
    words: [[u32; MAX_WORDS]; 2],
    thread: [[u16; MAX_THREAD_WORDS]; 3],
    /// The state that each thread uses. It is a field of the thread's words, needed by every read.
    states: [usize; 3],
    /// The address modes of each thread, which are fields of its words, too.
    addr_mods: [[AddrMod; addr_mod::MODES]; 3],
    reads: WordNotes,
    /// Number of changes.
    version: u64,
    /// Cached settings of unpackers and packers.
    derived: DerivedCaches,
    /// The last seed for the random generators, until the vector unit applies it.
    seed: Option<u32>,
}

impl Config {
    /// Creates a configuration of all zeros.
    pub fn new(arch: Arch) -> Self {
        Config {
            arch,
            words: [[0; MAX_WORDS]; 2],
            thread: [[0; MAX_THREAD_WORDS]; 3],
            states: [0; 3],
            addr_mods: [[AddrMod::NONE; addr_mod::MODES]; 3],
            reads: WordNotes::default(),
            version: 0,
            derived: DerivedCaches::default(),
            seed: None,
        }
    }

    /// Returns the chip.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Returns the state that `thread` uses: `CFG_STATE_ID_StateID`.
    pub fn state_used_by(&self, thread: usize) -> usize {
        self.states[thread]
    }

    /// Returns a field of `Config` in the state that `thread` uses; 0 if the chip does not have it.
    #[inline(always)]
    pub fn get(&self, thread: usize, field: ConfigField) -> u32 {
        match field.place_on(self.arch) {
            Some(place) => self.get_at(thread, place),
            None => 0,
        }
    }

    /// Returns a member of a family of fields; as [`Config::get`].
    #[inline(always)]
    pub fn get_member<const N: usize>(
        &self,
        thread: usize,
        family: &ConfigField,
        indices: [u32; N],
    ) -> u32 {
        match family.member(self.arch, indices) {
            Some(place) => self.get_at(thread, place),
            None => 0,
        }
    }

    /// Returns the field at a place in the state that `thread` uses.
    #[inline(always)]
    pub(crate) fn get_at(&self, thread: usize, place: FieldPlace) -> u32 {
        let (state, addr32) = (self.state_used_by(thread), place.addr32());
        let shared = self.shared(addr32);
        let number = match shared.mask & place.mask() {
            0 => addr32,
            _ => shared.number,
        };
        self.reads.insert(self.storage_state(state, addr32), number);
        place.get(self.words[state][addr32 as usize])
    }

    /// Returns the fields of unpackers that a word of packers has on this chip.
    fn shared(&self, addr32: u32) -> Shared {
        match self.arch {
            Arch::WormholeB0 => Shared { number: 0, mask: 0 },
            Arch::Blackhole => SHARED[addr32 as usize],
        }
    }

    /// Returns a field of `ThreadConfig` of `thread`; 0 if the chip does not have it.
    #[inline(always)]
    pub fn thread(&self, thread: usize, field: ThreadField) -> u32 {
        match field.place_on(self.arch) {
            Some(place) => place.get(self.thread_word(thread, place.addr32())),
            None => 0,
        }
    }

    /// Returns a member of a family of fields; as [`Config::thread`].
    #[inline(always)]
    pub fn thread_member<const N: usize>(
        &self,
        thread: usize,
        family: &ThreadField,
        indices: [u32; N],
    ) -> u32 {
        match family.member(self.arch, indices) {
            Some(place) => place.get(self.thread_word(thread, place.addr32())),
            None => 0,
        }
    }

    /// Returns an address mode (0 to 7) of `thread`.
    #[inline(always)]
    pub(crate) fn addr_mod(&self, thread: usize, index: u32) -> AddrMod {
        self.addr_mods[thread][index as usize]
    }

    /// Returns a word of `ThreadConfig` of `thread`.
    pub fn thread_word(&self, thread: usize, addr32: u32) -> u32 {
        self.thread[thread][addr32 as usize].into()
    }

    /// Returns the word of `ThreadConfig` of `thread` that holds a field; 0 if the chip does not
    /// have it.
    pub fn thread_word_with(&self, thread: usize, field: ThreadField) -> u32 {
        match field.place_on(self.arch) {
            Some(place) => self.thread_word(thread, place.addr32()),
            None => 0,
        }
    }

    /// Returns the word of `ThreadConfig` of `thread` that holds a member of a family of fields; 0
    /// if the chip does not have it.
    #[inline(always)]
    pub(crate) fn thread_word_of(&self, thread: usize, family: &ThreadField, index: u32) -> u32 {
        match family.member(self.arch, [index]) {
            Some(place) => self.thread_word(thread, place.addr32()),
            None => 0,
        }
    }

    /// Returns a word of `Config` in the state that `thread` uses, and records the read.
    pub fn word(&self, thread: usize, addr32: u32) -> u32 {
        let state = self.state_used_by(thread);
        let (storage_state, shared) = (self.storage_state(state, addr32), self.shared(addr32));
        self.reads.insert(storage_state, addr32);
        if shared.mask != 0 {
            self.reads.insert(storage_state, shared.number);
        }
        self.words[state][addr32 as usize]
    }

    /// Returns a field of `Config` in a state, as a RISC-V core reads it; 0 if the chip does not
    /// have it. The read is not recorded.
    pub fn get_in_state(&self, state: usize, field: ConfigField) -> u32 {
        match field.place_on(self.arch) {
            Some(place) => place.get(self.word_in_state(state, place.addr32())),
            None => 0,
        }
    }

    /// Returns a word of `Config` in a state, as a RISC-V core reads it. The read is not recorded.
    pub fn word_in_state(&self, state: usize, addr32: u32) -> u32 {
        self.words[state][addr32 as usize]
    }

    /// Returns all non-zero words of each state and thread, with their numbers. Reads are not
    /// recorded.
    pub(crate) fn set_words(&self) -> Vec<(String, usize, u32)> {
        let states = (self.words.iter().enumerate())
            .map(|(state, words)| (format!("state {state}"), words.to_vec()));
        let threads = self.thread.iter().enumerate().map(|(thread, words)| {
            let words = words.iter().map(|&word| word.into());
            (format!("thread {thread}"), words.collect())
        });
        let of = |(name, words): (String, Vec<u32>)| {
            let numbered = words.into_iter().enumerate();
            let is_set = numbered.filter(|(_, word)| *word != 0);
            is_set
                .map(|(number, word)| (name.clone(), number, word))
                .collect::<Vec<_>>()
        };
        states.chain(threads).flat_map(of).collect()
    }

    /// Returns the state under which a word of `state` is recorded: 0 for words common to both
    /// states.
    pub fn storage_state(&self, state: usize, addr32: u32) -> usize {
        match addr32 >= cfg::global_words_from(self.arch) {
            true => 0,
            false => state,
        }
    }

    /// Clears the record of reads.
    pub(crate) fn forget_reads(&self) {
        self.reads.clear();
    }

    /// Returns and clears the record of reads.
    pub fn take_reads(&self) -> WordSet {
        self.reads.drain()
    }

    /// Writes the bits of `mask` of a word of `Config` in the state that `thread` uses. Adds the
    /// word to `changed` if its value changes.
    ///
    /// # Errors
    /// Undefined beyond the last word; not modelled for words whose write has an immediate effect.
    pub fn write(
        &mut self,
        thread: usize,
        addr32: u32,
        value: u32,
        mask: u32,
        changed: &mut WordSet,
    ) -> Result<(), Fault> {
        self.write_state(self.state_used_by(thread), addr32, value, mask, changed)
    }

    /// Returns the stream that a thread has assigned to one of four numbers (Blackhole).
    pub(crate) fn stream(&self, thread: usize, number: u32) -> usize {
        self.thread(thread, cfg::STREAM_ID_SYNC_BankSel.nth(number)) as usize
    }

    /// Writes a field in the state that `thread` uses without recording it, to set up a core.
    ///
    /// # Errors
    /// Those of [`write`](Self::write); undefined for a field that the chip does not have.
    pub fn set(&mut self, thread: usize, field: ConfigField, value: u32) -> Result<(), Fault> {
        let place = field
            .place_on(self.arch)
            .ok_or_else(|| self.none(field.name))?;
        let (value, mask) = (place.encode(value), place.mask());
        self.write(thread, place.addr32(), value, mask, &mut WordSet::default())
    }

    /// Writes a field of `ThreadConfig`, to set up a core.
    ///
    /// # Errors
    /// Those of [`set`](Self::set).
    pub fn set_thread(
        &mut self,
        thread: usize,
        field: ThreadField,
        value: u32,
    ) -> Result<(), Fault> {
        let place = field
            .place_on(self.arch)
            .ok_or_else(|| self.none(field.name))?;
        let word = self.thread_word(thread, place.addr32());
        let word = word & !place.mask() | place.encode(value);
        self.write_thread(thread, place.addr32(), word as u16)
    }

    fn none(&self, field: &str) -> Fault {
        Fault::undefined(format!("the field {field}, which {} has not", self.arch))
    }

    /// Like [`write`](Self::write), in a given state.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub fn write_state(
        &mut self,
        state: usize,
        addr32: u32,
        value: u32,
        mask: u32,
        changed: &mut WordSet,
    ) -> Result<(), Fault> {
        let count = cfg::config_words(self.arch);
        if addr32 as usize >= count {
            return Err(Fault::undefined(format!(
                "configuration has words 0 to {}, not {addr32}",
                count - 1
            )));
        }
        let reset = cfg::STATE_RESET_EN.place_on(self.arch);
        if reset.is_some_and(|reset| reset.addr32() == addr32) {
            return Err(Fault::unmodelled(
                "resetting a configuration state by writing STATE_RESET_EN",
            ));
        }
        self.refuse_one_bank(addr32, value & mask)?;
        if cfg::PRNG_SEED_Seed_Val
            .place_on(self.arch)
            .map(cfg::FieldPlace::addr32)
            == Some(addr32)
        {
            if mask != u32::MAX {
                return Err(Fault::undefined(
                    "a part of a seed for generators of random bits; write the whole word \
                     PRNG_SEED_Seed_Val",
                ));
            }
            self.seed = Some(value);
        }
        let states = if addr32 >= cfg::global_words_from(self.arch) {
            0..2
        } else {
            state..state + 1
        };
        let (storage_state, shared) = (self.storage_state(state, addr32), self.shared(addr32));
        for state in states {
            let word = &mut self.words[state][addr32 as usize];
            let new = value & mask | *word & !mask;
            let bits = new ^ *word;
            let parts = [(addr32, !shared.mask), (shared.number, shared.mask)];
            for (number, _) in parts.into_iter().filter(|(_, part)| bits & part != 0) {
                changed.insert(storage_state, number);
                self.derived.invalidate_word(storage_state, number);
            }
            self.version += u64::from(bits != 0);
            *word = new;
        }
        Ok(())
    }

    /// Refuses to make the matrix unit see both banks of SrcA or SrcB as one, which no page
    /// describes; LLK leaves it off.
    fn refuse_one_bank(&self, addr32: u32, value: u32) -> Result<(), Fault> {
        let fields = [
            cfg::SRC_ACCESS_CFG_math_view_srca_as_one_bank,
            cfg::SRC_ACCESS_CFG_math_view_srcb_as_one_bank,
        ];
        let is_set = |field: &ConfigField| {
            let place = field.place_on(self.arch);
            place.is_some_and(|place| place.addr32() == addr32 && place.get(value) != 0)
        };
        match fields.iter().find(|field| is_set(field)) {
            None => Ok(()),
            Some(field) => Err(Fault::unmodelled(format!(
                "{} = 1, by which the matrix unit sees two banks as one; clear it",
                field.name
            ))),
        }
    }

    /// Writes a word of `thread`'s `ThreadConfig`.
    ///
    /// # Errors
    /// Undefined beyond the last word.
    pub fn write_thread(&mut self, thread: usize, addr32: u32, value: u16) -> Result<(), Fault> {
        let count = cfg::thread_words(self.arch);
        let word = self.thread[thread][..count]
            .get_mut(addr32 as usize)
            .ok_or_else(|| {
                Fault::undefined(format!(
                    "thread configuration has words 0 to {}, not {addr32}",
                    count - 1
                ))
            })?;
        self.version += u64::from(*word != value);
        *word = value;
        if let Some((mode, part)) = addr_mod::place(self.arch, addr32) {
            self.addr_mods[thread][mode].set(part, value);
        }
        self.states[thread] = self.thread(thread, cfg::CFG_STATE_ID_StateID) as usize;
        Ok(())
    }

    /// Returns a version that increases with every change of a word.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns the seed that was written since the last call, if any.
    pub(crate) fn take_seed(&mut self) -> Option<u32> {
        self.seed.take()
    }

    /// Returns what `work` returns, and the words that it has read, which are recorded as always.
    pub(crate) fn with_own_reads<T>(&self, work: impl FnOnce() -> T) -> (T, WordSet) {
        let before = self.take_reads();
        let result = work();
        let reads = self.take_reads();
        self.note_reads(&before);
        self.note_reads(&reads);
        (result, reads)
    }

    /// Records reads of words.
    #[inline]
    pub fn note_reads(&self, words: &WordSet) {
        self.reads.extend(words);
    }
}

#[cfg(test)]
mod tests;
