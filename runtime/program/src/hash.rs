//! SHA-256 of the schema and of kernels.

use sha2::Digest as _;
use std::fmt;

/// A SHA-256 value; displayed as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(f)
    }
}

/// Displays bytes as lower-case hexadecimal digits.
pub(crate) struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Returns the SHA-256 of `bytes`.
pub(crate) fn sha256(bytes: &[u8]) -> Digest {
    Digest(sha2::Sha256::digest(bytes).into())
}

/// SHA-256 of numbers in little-endian order.
#[derive(Default)]
pub(crate) struct Hasher(sha2::Sha256);

impl Hasher {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn word(&mut self, word: u32) {
        self.0.update(word.to_le_bytes());
    }

    pub(crate) fn words<const N: usize>(&mut self, words: [u32; N]) {
        words.into_iter().for_each(|word| self.word(word));
    }

    /// Hashes a length, so that lists of different lengths differ.
    pub(crate) fn length(&mut self, length: usize) {
        self.0.update((length as u64).to_le_bytes());
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}
