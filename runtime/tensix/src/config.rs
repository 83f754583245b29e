//! The backend configuration: two states of `Config`, one `ThreadConfig` per thread.
//!
//! Source: ISA documentation, `BackendConfiguration.md`, `WRCFG.md`, `RDCFG.md`, `SETC16.md`, `RMWCIB.md`,
//! `REG2FLOP_Configuration.md`. Words from [`cfg::GLOBAL_WORDS_FROM`] on are common to both states.
//!
//! Every read of `Config` is noted, so that the machine can tell which words an instruction in flight uses.

use tessera_isa_tensix::cfg::{self, ConfigField, ThreadField};

use crate::access::{WordNotes, WordSet};
use crate::trap::Fault;

/// All configuration of one core.
#[derive(Clone, Debug)]
pub struct Config {
    words: [[u32; cfg::CONFIG_WORDS]; 2],
    thread: [[u16; cfg::THREAD_WORDS]; 3],
    reads: WordNotes,
    /// Counts changes.
    version: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            words: [[0; cfg::CONFIG_WORDS]; 2],
            thread: [[0; cfg::THREAD_WORDS]; 3],
            reads: WordNotes::default(),
            version: 0,
        }
    }
}

impl Config {
    /// The state that `thread` uses: `CFG_STATE_ID_StateID`.
    pub fn state_of(&self, thread: usize) -> usize {
        self.thread(thread, cfg::CFG_STATE_ID_StateID) as usize
    }

    /// A field of `Config` in the state that `thread` uses.
    pub fn get(&self, thread: usize, field: ConfigField) -> u32 {
        field.get(self.word(thread, field.addr32()))
    }

    /// A field of `ThreadConfig` of `thread`.
    pub fn thread(&self, thread: usize, field: ThreadField) -> u32 {
        field.get(self.thread[thread][field.addr32() as usize].into())
    }

    /// A word of `ThreadConfig` of `thread`.
    pub fn thread_word(&self, thread: usize, addr32: u32) -> u32 {
        self.thread[thread][addr32 as usize].into()
    }

    /// A word of `Config` in the state that `thread` uses. The read is noted.
    pub fn word(&self, thread: usize, addr32: u32) -> u32 {
        let state = self.state_of(thread);
        self.reads.insert(state, addr32);
        self.words[state][addr32 as usize]
    }

    /// A word of `Config` in a given state, as a RISC-V core reads it. The read is not noted.
    pub fn word_of_state(&self, state: usize, addr32: u32) -> u32 {
        self.words[state][addr32 as usize]
    }

    /// The words read since the last call.
    pub fn take_reads(&self) -> WordSet {
        self.reads.take()
    }

    /// Writes the bits of `mask` of a word of `Config` in the state that `thread` uses; notes the word in `changed`
    /// if that changes its value.
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

    /// Writes a field in the state that `thread` uses, for who sets up a core by hand: nobody takes note.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn set(&mut self, thread: usize, field: ConfigField, value: u32) -> Result<(), Fault> {
        let (value, mask) = (field.put(value), field.mask());
        self.write(thread, field.addr32(), value, mask, &mut WordSet::default())
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
        if addr32 as usize >= cfg::CONFIG_WORDS {
            return Err(Fault::undefined(format!(
                "configuration has words 0 to {}, not {addr32}",
                cfg::CONFIG_WORDS - 1
            )));
        }
        if addr32 == cfg::STATE_RESET_EN.addr32() {
            return Err(Fault::unmodelled(
                "resetting a configuration state by writing STATE_RESET_EN",
            ));
        }
        let states = if addr32 >= cfg::GLOBAL_WORDS_FROM {
            0..2
        } else {
            state..state + 1
        };
        for state in states {
            let word = &mut self.words[state][addr32 as usize];
            let new = value & mask | *word & !mask;
            if new != *word {
                changed.insert(state, addr32);
                self.version += 1;
            }
            *word = new;
        }
        Ok(())
    }

    /// Writes a word of `thread`'s `ThreadConfig`.
    ///
    /// # Errors
    /// Undefined beyond the last word.
    pub fn write_thread(&mut self, thread: usize, addr32: u32, value: u16) -> Result<(), Fault> {
        let word = self.thread[thread]
            .get_mut(addr32 as usize)
            .ok_or_else(|| {
                Fault::undefined(format!(
                    "thread configuration has words 0 to {}, not {addr32}",
                    cfg::THREAD_WORDS - 1
                ))
            })?;
        self.version += u64::from(*word != value);
        *word = value;
        Ok(())
    }

    /// A number that is another one after every change of a word.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Notes reads of words, as if they were read again.
    pub fn note_reads(&self, words: &WordSet) {
        self.reads.extend(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_states_and_common_words() {
        let mut c = Config::default();
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

    #[test]
    fn reads_and_changes_are_noted() {
        let mut c = Config::default();
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
        let mut c = Config::default();
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
    }
}
