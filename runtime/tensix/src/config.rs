//! The backend configuration: two states of `Config`, one `ThreadConfig` per thread.
//!
//! Source: ISA documentation, `BackendConfiguration.md`, `WRCFG.md`, `RDCFG.md`, `SETC16.md`,
//! `RMWCIB.md`, `REG2FLOP_Configuration.md`. Words from [`cfg::global_words_from`] on are common to
//! both states.
//!
//! Every read of `Config` is noted, so that the machine can tell which words an instruction in
//! flight uses. On Blackhole some words of packers have fields of unpackers, which are noted by
//! numbers of their own: LLK sets packers up while unpackers run (`reconfig_packer_data_format`).
//! What unpackers make of it is kept until a word changes that they have made it of (`kept`).

mod kept;

use tessera_isa_tensix::cfg::{self, ConfigField, Place, ThreadField};
use tessera_isa_tensix::Arch;

use crate::access::{WordNotes, WordSet};
use crate::trap::Fault;
use crate::unpack::{Configured, Key};
use kept::Kept;
pub(crate) use kept::View;

/// Words of a state of the chip that has most of them.
const MOST_WORDS: usize = cfg::config_words(Arch::Blackhole);
/// Words of a thread of the chip that has most of them.
const MOST_THREAD_WORDS: usize = cfg::thread_words(Arch::Blackhole);

/// The fields of unpackers in a word of packers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shared {
    /// The number by which they are noted; no word has it.
    number: u32,
    /// Their bits; none if the word has no such fields.
    mask: u32,
}

/// The words of Blackhole.
const SHARED: [Shared; MOST_WORDS] = {
    const NONE: Shared = Shared { number: 0, mask: 0 };
    const FIELDS: [ConfigField; 3] = [
        cfg::THCON_REG1_ovrd_default_throttle_mode,
        cfg::THCON_REG1_Unp_LF8_4b_exp,
        cfg::THCON_REG8_unpack_tile_offset,
    ];
    let mut words = [NONE; MOST_WORDS];
    let mut k = 0;
    while k < 2 * FIELDS.len() {
        let field = FIELDS[k / 2].at(k as u32 % 2);
        let Some(place) = field.on(Arch::Blackhole) else {
            panic!("Blackhole has the field")
        };
        words[place.addr32() as usize] = Shared {
            number: (MOST_WORDS + k) as u32,
            mask: place.mask(),
        };
        k += 1;
    }
    words
};

/// The word that a number among those that are noted stands for.
pub(crate) fn word_of(number: u32) -> u32 {
    let shared = SHARED.iter().position(|shared| shared.number == number);
    match shared {
        Some(word) if number as usize >= MOST_WORDS => word as u32,
        _ => number,
    }
}

/// All configuration of one core.
#[derive(Clone, Debug)]
pub struct Config {
    arch: Arch,
    words: [[u32; MOST_WORDS]; 2],
    thread: [[u16; MOST_THREAD_WORDS]; 3],
    /// The state that each thread uses, which is a field of its words; every read asks for it.
    states: [usize; 3],
    reads: WordNotes,
    /// Counts changes.
    version: u64,
    /// What unpackers do.
    unpackers: Kept<Key, Configured>,
    /// The last seed for the generators of random bits, until the vector unit takes it.
    seed: Option<u32>,
}

impl Config {
    /// All zero.
    pub fn new(arch: Arch) -> Self {
        Config {
            arch,
            words: [[0; MOST_WORDS]; 2],
            thread: [[0; MOST_THREAD_WORDS]; 3],
            states: [0; 3],
            reads: WordNotes::default(),
            version: 0,
            unpackers: Kept::default(),
            seed: None,
        }
    }

    /// The chip whose configuration it is.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// The state that `thread` uses: `CFG_STATE_ID_StateID`.
    pub fn state_of(&self, thread: usize) -> usize {
        self.states[thread]
    }

    /// A field of `Config` in the state that `thread` uses. One that the chip does not have is 0.
    #[inline(always)]
    pub fn get(&self, thread: usize, field: ConfigField) -> u32 {
        match field.on(self.arch) {
            Some(place) => self.get_at(thread, place),
            None => 0,
        }
    }

    /// A member of a family of fields; as [`Config::get`].
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

    #[inline(always)]
    fn get_at(&self, thread: usize, place: Place) -> u32 {
        let (state, addr32) = (self.state_of(thread), place.addr32());
        let shared = self.shared(addr32);
        let number = match shared.mask & place.mask() {
            0 => addr32,
            _ => shared.number,
        };
        self.reads.insert(self.kept_in(state, addr32), number);
        place.get(self.words[state][addr32 as usize])
    }

    /// The fields of unpackers that a word of packers has on this chip.
    fn shared(&self, addr32: u32) -> Shared {
        match self.arch {
            Arch::WormholeB0 => Shared { number: 0, mask: 0 },
            Arch::Blackhole => SHARED[addr32 as usize],
        }
    }

    /// A field of `ThreadConfig` of `thread`. One that the chip does not have is 0.
    #[inline(always)]
    pub fn thread(&self, thread: usize, field: ThreadField) -> u32 {
        match field.on(self.arch) {
            Some(place) => place.get(self.thread_word(thread, place.addr32())),
            None => 0,
        }
    }

    /// A member of a family of fields; as [`Config::thread`].
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

    /// A word of `ThreadConfig` of `thread`.
    pub fn thread_word(&self, thread: usize, addr32: u32) -> u32 {
        self.thread[thread][addr32 as usize].into()
    }

    /// The word of `ThreadConfig` of `thread` that holds a field; 0 if the chip does not have it.
    pub fn thread_word_with(&self, thread: usize, field: ThreadField) -> u32 {
        match field.on(self.arch) {
            Some(place) => self.thread_word(thread, place.addr32()),
            None => 0,
        }
    }

    /// A word of `Config` in the state that `thread` uses. The read is noted.
    pub fn word(&self, thread: usize, addr32: u32) -> u32 {
        let state = self.state_of(thread);
        let (kept_in, shared) = (self.kept_in(state, addr32), self.shared(addr32));
        self.reads.insert(kept_in, addr32);
        if shared.mask != 0 {
            self.reads.insert(kept_in, shared.number);
        }
        self.words[state][addr32 as usize]
    }

    /// A field of `Config` in a given state, as a RISC-V core reads it; 0 if the chip does not have
    /// it. The read is not noted.
    pub fn get_of_state(&self, state: usize, field: ConfigField) -> u32 {
        match field.on(self.arch) {
            Some(place) => place.get(self.word_of_state(state, place.addr32())),
            None => 0,
        }
    }

    /// A word of `Config` in a given state, as a RISC-V core reads it. The read is not noted.
    pub fn word_of_state(&self, state: usize, addr32: u32) -> u32 {
        self.words[state][addr32 as usize]
    }

    /// All words that are not zero: of each state and of each thread, with their numbers. Reads are
    /// not noted.
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

    /// The state in which sets of words have a word of `state`: 0 for those that are common to
    /// both.
    pub fn kept_in(&self, state: usize, addr32: u32) -> usize {
        match addr32 >= cfg::global_words_from(self.arch) {
            true => 0,
            false => state,
        }
    }

    /// Forgets which words have been read.
    pub(crate) fn forget_reads(&self) {
        self.reads.clear();
    }

    /// The words read since the last call.
    pub fn take_reads(&self) -> WordSet {
        self.reads.take()
    }

    /// Writes the bits of `mask` of a word of `Config` in the state that `thread` uses; notes the
    /// word in `changed` if that changes its value.
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
        self.write_state(self.state_of(thread), addr32, value, mask, changed)
    }

    /// Writes a field in the state that `thread` uses, for who sets up a core by hand: nobody takes
    /// note.
    ///
    /// # Errors
    /// As [`write`](Self::write), and undefined for a field that the chip does not have.
    pub fn set(&mut self, thread: usize, field: ConfigField, value: u32) -> Result<(), Fault> {
        let place = field.on(self.arch).ok_or_else(|| self.none(field.name))?;
        let (value, mask) = (place.put(value), place.mask());
        self.write(thread, place.addr32(), value, mask, &mut WordSet::default())
    }

    /// Writes a field of `ThreadConfig`, for who sets up a core by hand.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn set_thread(
        &mut self,
        thread: usize,
        field: ThreadField,
        value: u32,
    ) -> Result<(), Fault> {
        let place = field.on(self.arch).ok_or_else(|| self.none(field.name))?;
        let word = self.thread_word(thread, place.addr32());
        let word = word & !place.mask() | place.put(value);
        self.write_thread(thread, place.addr32(), word as u16)
    }

    fn none(&self, field: &str) -> Fault {
        Fault::undefined(format!("the field {field}, which {} has not", self.arch))
    }

    /// As [`write`](Self::write), in a given state.
    ///
    /// # Errors
    /// The same.
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
        let reset = cfg::STATE_RESET_EN.on(self.arch);
        if reset.is_some_and(|reset| reset.addr32() == addr32) {
            return Err(Fault::unmodelled(
                "resetting a configuration state by writing STATE_RESET_EN",
            ));
        }
        self.refuse_one_bank(addr32, value & mask)?;
        if cfg::PRNG_SEED_Seed_Val
            .on(self.arch)
            .map(cfg::Place::addr32)
            == Some(addr32)
        {
            if mask != u32::MAX {
                return Err(Fault::undefined(
                    "a part of a seed for generators of random bits; write the whole word PRNG_SEED_Seed_Val",
                ));
            }
            self.seed = Some(value);
        }
        let states = if addr32 >= cfg::global_words_from(self.arch) {
            0..2
        } else {
            state..state + 1
        };
        let (kept_in, shared) = (self.kept_in(state, addr32), self.shared(addr32));
        for state in states {
            let word = &mut self.words[state][addr32 as usize];
            let new = value & mask | *word & !mask;
            let bits = new ^ *word;
            let parts = [(addr32, !shared.mask), (shared.number, shared.mask)];
            for (number, _) in parts.into_iter().filter(|(_, part)| bits & part != 0) {
                changed.insert(kept_in, number);
                self.unpackers.word_changes(kept_in, number);
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
            let place = field.on(self.arch);
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
        self.states[thread] = self.thread(thread, cfg::CFG_STATE_ID_StateID) as usize;
        Ok(())
    }

    /// A number that is another one after every change of a word.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The seed that has been written last, if that was after the last call.
    pub(crate) fn take_seed(&mut self) -> Option<u32> {
        self.seed.take()
    }

    /// Notes reads of words, as if they were read again.
    pub fn note_reads(&self, words: &WordSet) {
        self.reads.extend(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an unpacker reads in words of packers is noted apart from what packers read there.
    #[test]
    fn fields_of_unpackers_in_words_of_packers() {
        let four_bits = cfg::THCON_REG1_Unp_LF8_4b_exp.at(1);
        let format = cfg::THCON_PACK_Pack_L1_Acc.at(1).at(0);
        for (arch, changed_field, read_field, meets) in [
            (Arch::Blackhole, format, four_bits, None),
            (Arch::Blackhole, four_bits, format, None),
            (Arch::Blackhole, format, format, Some(119)),
            (Arch::Blackhole, four_bits, four_bits, Some(119)),
            (Arch::WormholeB0, format, format, Some(99)),
        ] {
            let mut config = Config::new(arch);
            let place = changed_field.on(arch).unwrap();
            let mut changed = WordSet::default();
            let (value, mask) = (place.mask(), u32::MAX);
            config
                .write(0, place.addr32(), value, mask, &mut changed)
                .unwrap();
            config.take_reads();
            config.get(0, read_field);
            let met = config.take_reads().meets(&changed);
            assert_eq!(met.map(word_of), meets, "{arch}, {}", read_field.name);
            config.word(0, place.addr32());
            let met = config.take_reads().meets(&changed);
            assert_eq!(met.map(word_of), Some(place.addr32()), "{arch}");
        }
    }

    #[test]
    fn two_states_and_common_words() {
        let mut c = Config::new(Arch::WormholeB0);
        let mut changed = WordSet::default();
        let mut write = |c: &mut Config, thread, word, value, mask| {
            c.write(thread, word, value, mask, &mut changed).unwrap()
        };
        write(&mut c, 0, 64, 0x1234_5678, u32::MAX);
        c.write_thread(1, 0, 1).unwrap();
        assert_eq!(
            (c.word(0, 64), c.word(1, 64), c.word(2, 64)),
            (0x1234_5678, 0, 0x1234_5678)
        );
        write(&mut c, 1, 64, 0xff00, 0xff00);
        write(&mut c, 1, 152, 7, u32::MAX);
        assert_eq!(
            (c.word(0, 64), c.word(1, 64), c.word(0, 152)),
            (0x1234_5678, 0xff00, 7)
        );
    }

    /// Of either chip a field has its own place; what a chip does not have is 0.
    #[test]
    fn chips() {
        let fields = [
            (cfg::THCON_REG2_Out_data_format.at(1), [100, 120]),
            (cfg::DEST_TARGET_REG_CFG_PACK_Offset.at(0), [152, 180]),
        ];
        for (arch, k) in [(Arch::WormholeB0, 0), (Arch::Blackhole, 1)] {
            let mut c = Config::new(arch);
            for (field, words) in fields {
                c.set(2, field, 9).unwrap();
                assert_eq!((c.get(2, field), c.word(2, words[k])), (9, 9), "{arch}");
            }
            c.set_thread(1, cfg::FIDELITY_BASE_Phase, 3).unwrap();
            assert_eq!(c.thread_word(1, [6, 11][k]), 3, "{arch}");
            assert_eq!(c.thread(1, cfg::FIDELITY_BASE_Phase), 3, "{arch}");
        }
        let mut c = Config::new(Arch::WormholeB0);
        assert_eq!(c.get(0, cfg::DEST_ACCESS_CFG_remap_addrs), 0);
        c.write_thread(0, 2, 1).unwrap();
        assert_eq!(c.thread(0, cfg::DISABLE_IMPLIED_SRCA_FMT_Base), 0);
        let mut c = Config::new(Arch::Blackhole);
        let words = &mut WordSet::default();
        assert!(c.write(0, 223, 1, 1, words).is_ok() && c.write(0, 224, 1, 1, words).is_err());
        for (value, mask, source) in [
            (1, 1, Some('a')),
            (0xE, 0xE, Some('b')),
            (0xFC, 0xFF, None),
            (3, 4, None),
        ] {
            let written = c
                .write(0, 221, value, mask, words)
                .map_err(|fault| fault.to_string());
            let refusal = source.map_or(Ok(()), |source| {
                Err(format!("not modelled: SRC_ACCESS_CFG_math_view_src{source}_as_one_bank = 1, by which the matrix unit sees two banks as one; clear it"))
            });
            assert_eq!(written, refusal, "{value:#x}, {mask:#x}");
        }
        assert!(c.write_thread(0, 67, 1).is_ok() && c.write_thread(0, 68, 1).is_err());
    }

    #[test]
    fn reads_and_changes_are_noted() {
        let mut c = Config::new(Arch::WormholeB0);
        c.get(0, cfg::THCON_REG3_Base_address.at(1).at(0));
        let reads = c.take_reads();
        let changed = |c: &mut Config, word, value| {
            let mut set = WordSet::default();
            c.write(0, word, value, u32::MAX, &mut set).unwrap();
            set
        };
        assert_eq!(reads.meets(&changed(&mut c, 64, 1)), None);
        assert_eq!(reads.meets(&changed(&mut c, 104, 1)), Some(104));
        assert_eq!(reads.meets(&changed(&mut c, 104, 1)), None);
        assert_eq!(c.take_reads(), WordSet::default());
    }

    #[test]
    fn refusals() {
        let mut c = Config::new(Arch::WormholeB0);
        let mut set = WordSet::default();
        let mut text = |word| c.write(0, word, 1, 1, &mut set).unwrap_err().to_string();
        assert_eq!(
            text(188),
            "undefined behaviour: configuration has words 0 to 187, not 188"
        );
        assert_eq!(
            text(4),
            "not modelled: resetting a configuration state by writing STATE_RESET_EN"
        );
        assert_eq!(
            c.write_thread(0, 57, 0).unwrap_err().to_string(),
            "undefined behaviour: thread configuration has words 0 to 56, not 57"
        );
        assert_eq!(
            c.set(0, cfg::DEST_ACCESS_CFG_remap_addrs, 1)
                .unwrap_err()
                .to_string(),
            "undefined behaviour: the field DEST_ACCESS_CFG_remap_addrs, which wormhole_b0 has not"
        );
    }
}
