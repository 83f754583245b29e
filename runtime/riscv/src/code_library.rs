//! Decoded pages of code by their contents, for cores whose memories hold the same code.
//!
//! A chip's host writes the same firmware into every tile. A core that enters a page whose version
//! is new to it ([`crate::decode_cache`]) looks its bytes up here. The first core with some bytes
//! decodes the words that it executes, for itself; when a second one comes with the same bytes, the
//! whole page is decoded for it and all others. Pages that no other core has, such as those of
//! self-modifying code, thus cost no more than a look-up.
//!
//! Invariants: a page is found only by cores with the same instruction set, page number and bytes.
//! Decoded pages do not change; a core that changes one copies it. Results therefore do not depend
//! on what is found.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::isa::Isa;
use crate::page_code::PageCode;

/// The maximum number of contents that the library remembers. With more, all are forgotten.
const MAX_CONTENTS: usize = 4096;

/// The contents of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) isa: Isa,
    /// The number of the page.
    pub(crate) number: u32,
    pub(crate) bytes: &'a [u8],
}

impl Contents<'_> {
    /// Returns a hash of the number and the bytes, of which several words are hashed at a time.
    fn hash(&self) -> u64 {
        const LANES: usize = 4;
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(FACTOR).rotate_left(29);
        let mut lanes = [u64::from(self.number); LANES];
        for words in self.bytes.chunks_exact(8 * LANES) {
            for (lane, word) in lanes.iter_mut().zip(words.chunks_exact(8)) {
                let word = word
                    .iter()
                    .rev()
                    .fold(0, |all, &byte| all << 8 | u64::from(byte));
                *lane = mix(*lane, word);
            }
        }
        lanes.into_iter().fold(0, mix)
    }
}

/// A page that several cores have.
#[derive(Debug)]
struct SharedPage {
    isa: Isa,
    number: u32,
    bytes: Box<[u8]>,
    code: Arc<PageCode>,
}

impl SharedPage {
    fn new(contents: Contents) -> Self {
        let Contents { isa, number, bytes } = contents;
        SharedPage {
            isa,
            number,
            bytes: bytes.into(),
            code: Arc::new(PageCode::decode(isa, number, bytes)),
        }
    }

    fn has(&self, contents: Contents) -> bool {
        let Contents { isa, number, bytes } = contents;
        (self.isa, self.number) == (isa, number) && *self.bytes == *bytes
    }
}

/// The decoded pages of several cores.
#[derive(Debug, Default)]
pub struct CodeLibrary {
    /// The pages by the hash of their contents; `None` if only one core has come with them.
    pages: Mutex<HashMap<u64, Option<SharedPage>>>,
}

impl CodeLibrary {
    /// Creates an empty library.
    #[must_use]
    pub fn new() -> Self {
        CodeLibrary::default()
    }

    /// Returns the decoded page with these contents, or `None` if the core has to decode it.
    pub(crate) fn find(&self, contents: Contents) -> Option<Arc<PageCode>> {
        let hash = contents.hash();
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MAX_CONTENTS && !pages.contains_key(&hash) {
            pages.clear();
        }
        match pages.get_mut(&hash) {
            None => {
                pages.insert(hash, None);
                None
            }
            Some(page) => {
                let page = page.get_or_insert_with(|| SharedPage::new(contents));
                page.has(contents).then(|| Arc::clone(&page.code))
            }
        }
    }
}

#[cfg(test)]
mod tests;
