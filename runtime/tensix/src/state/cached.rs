//! Settings that were read from the configuration, valid until a word of it changes.

use crate::arith::spec::format::Format;
use crate::state::access::WordSet;
use crate::state::config::Config;
use crate::trap::Fault;

/// Cached settings for a version of the configuration and implied formats, and the words that were
/// read for them.
#[derive(Clone, Debug)]
pub(crate) struct Cached<T, const SOURCES: usize> {
    pub(crate) version: u64,
    pub(crate) implied: [Option<Format>; SOURCES],
    pub(crate) reads: WordSet,
    pub(crate) settings: T,
}

impl<T, const SOURCES: usize> Cached<T, SOURCES> {
    #[inline(always)] // The formats would be waited for in memory.
    pub(crate) fn is_valid(&self, version: u64, implied: [Option<Format>; SOURCES]) -> bool {
        let mut formats = self.implied.iter().zip(&implied);
        self.version == version && formats.all(|(known, implied)| known == implied)
    }

    /// Returns the settings that `read` reads from the configuration, with the words that it reads.
    ///
    /// # Errors
    /// Those of `read`.
    pub(crate) fn compute(
        config: &Config,
        implied: [Option<Format>; SOURCES],
        read: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<Self, Fault> {
        let (settings, reads) = config.with_own_reads(read);
        Ok(Cached {
            version: config.version(),
            implied,
            reads,
            settings: settings?,
        })
    }
}
