//! A cache of decoded instructions.
//!
//! A core fetches words from its bus and caches the decoded instructions by page. The bus assigns
//! each page a version, which changes when a word of it may have changed. A page whose version has
//! changed is decoded again, word by word, as it is executed. The version is checked when a run
//! begins, when the core enters a page, and after its own stores to the current page.
//! Self-modifying code is thus executed as stored. The chip's instruction caches are not modelled:
//! the chip may execute an overwritten word until software invalidates its cache.
//!
//! Cores that run the same image can share what they decode ([`SharedCode`]): a page of the image
//! is then decoded by the first core that enters it. Cores whose memories hold the same code for
//! other reasons share pages with the same contents ([`crate::code_library`]). A core that decodes
//! more words of such a page gets a copy.

use std::sync::{Arc, LazyLock, OnceLock};

use crate::bus::{Bus, CODE_PAGE};
use crate::code_library::{CodeLibrary, Contents};
use crate::decoded::{Decoded, SINK};
use crate::instruction::Instruction;
use crate::isa::{Extension, Isa};
use crate::page_code::{PageCode, WORDS};

/// An image, whose pages are decoded when a core first enters them.
#[derive(Debug)]
pub struct SharedCode {
    isa: Isa,
    /// The number of the first page.
    first: u32,
    words: Vec<u32>,
    pages: Vec<OnceLock<Arc<PageCode>>>,
}

impl SharedCode {
    /// Creates the code of an image of words for cores with an instruction set. Only images that
    /// begin at a multiple of [`CODE_PAGE`] have pages to share.
    pub fn new(isa: Isa, start: u32, words: &[u32]) -> Self {
        let pages = match start % CODE_PAGE {
            0 => words.len().div_ceil(WORDS),
            _ => 0,
        };
        SharedCode {
            isa,
            first: number(start),
            words: words.to_vec(),
            pages: (0..pages).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the numbers of its pages.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.first..self.first + self.pages.len() as u32
    }

    /// Returns a page by its position in the image.
    fn page(&self, at: usize) -> Option<Arc<PageCode>> {
        let page = self.pages.get(at)?.get_or_init(|| {
            let mut code = Box::new(PageCode::NOTHING);
            let number = self.first + at as u32;
            let words = self.words[at * WORDS..].iter();
            for (k, &word) in words.take(WORDS).enumerate() {
                code.set(number, k, Decoded::decode(word, self.isa));
            }
            Arc::from(code)
        });
        Some(Arc::clone(page))
    }
}

/// An image in the memory of a core, with the version that each of its pages has had since.
#[derive(Clone, Debug)]
struct LoadedCode {
    code: Arc<SharedCode>,
    versions: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Page {
    number: u32,
    version: u32,
    code: Arc<PageCode>,
}

impl Page {
    /// Creates a page of which no word is decoded. All of them share their code until then.
    fn new(number: u32, version: u32) -> Self {
        static NOTHING: LazyLock<Arc<PageCode>> = LazyLock::new(|| Arc::new(PageCode::NOTHING));
        Page {
            number,
            version,
            code: Arc::clone(&NOTHING),
        }
    }
}

/// The decoded instructions of a core.
#[derive(Clone, Debug)]
pub(crate) struct DecodeCache {
    isa: Isa,
    /// The page that is being executed.
    current: Page,
    /// Other pages; programs have few.
    others: Vec<Page>,
    /// The image whose pages need not be decoded while they have their versions.
    image: Option<LoadedCode>,
    /// The pages of other cores.
    library: Option<Arc<CodeLibrary>>,
}

fn number(pc: u32) -> u32 {
    pc / CODE_PAGE
}

fn word(pc: u32) -> usize {
    (pc % CODE_PAGE / 4) as usize
}

impl DecodeCache {
    /// Creates an empty cache.
    pub(crate) fn new(isa: Isa) -> Self {
        DecodeCache {
            isa,
            current: Page::new(0, 0),
            others: Vec::new(),
            image: None,
            library: None,
        }
    }

    /// Shares pages with the other cores of a library.
    pub(crate) fn set_library(&mut self, library: Arc<CodeLibrary>) {
        self.library = Some(library);
    }

    /// Uses the decoded code of an image that is in memory now. `version` returns the version of
    /// the page of an address. Code for another instruction set is not used.
    pub(crate) fn share(&mut self, code: Arc<SharedCode>, version: impl Fn(u32) -> u32) {
        let versions = code.numbers().map(|page| version(page * CODE_PAGE));
        self.image = (code.isa == self.isa).then(|| LoadedCode {
            versions: versions.collect(),
            code,
        });
    }

    /// Returns a page that has not been entered with this version, decoded if it belongs to the
    /// image or is shared with other cores. `bytes` returns its contents, if they are known.
    fn new_page<'b>(
        &self,
        number: u32,
        version: u32,
        bytes: impl FnOnce() -> Option<&'b [u8]>,
    ) -> Page {
        let of_image = self.image.as_ref().and_then(|image| {
            let at = number.checked_sub(image.code.first)? as usize;
            let is_unchanged = image.versions.get(at) == Some(&version);
            is_unchanged.then(|| image.code.page(at))?
        });
        let isa = self.isa;
        let of_library = || {
            let library = self.library.as_ref()?;
            let bytes = bytes()?;
            library.find(Contents { isa, number, bytes })
        };
        match of_image.or_else(of_library) {
            Some(code) => Page {
                number,
                version,
                code,
            },
            None => Page::new(number, version),
        }
    }

    /// Returns the instruction at an aligned address, if its page is the current one.
    #[inline(always)]
    pub(crate) fn lookup(&self, pc: u32) -> Decoded {
        match self.is_current(pc) {
            true => self.current.code.decoded[word(pc)],
            false => Decoded::NOTHING,
        }
    }

    /// Returns whether an address is in the current page.
    #[inline(always)]
    pub(crate) fn is_current(&self, addr: u32) -> bool {
        number(addr) == self.current.number
    }

    /// Returns the current page.
    #[inline(always)]
    pub(crate) fn page(&self) -> &PageCode {
        &self.current.code
    }

    /// Makes the page of `pc` the current one; discards it if its version has changed.
    #[inline(always)]
    pub(crate) fn enter<B: Bus>(&mut self, pc: u32, bus: &B) {
        let version = bus.code_version(pc);
        if !self.is_current(pc) || self.current.version != version {
            self.enter_other(pc, version, || bus.code_bytes(number(pc) * CODE_PAGE));
        }
    }

    fn enter_other<'b>(&mut self, pc: u32, version: u32, bytes: impl FnOnce() -> Option<&'b [u8]>) {
        let number = number(pc);
        if number != self.current.number {
            match self.others.iter_mut().find(|page| page.number == number) {
                Some(page) => std::mem::swap(page, &mut self.current),
                None => {
                    let next = self.new_page(number, version, bytes);
                    let before = std::mem::replace(&mut self.current, next);
                    self.others.push(before);
                    return;
                }
            }
        }
        if self.current.version != version {
            self.current = self.new_page(number, version, bytes);
        }
    }

    /// Discards the current page if its version has changed by a store of the core itself. A core
    /// that modifies the code that it is executing shares it with no other.
    pub(crate) fn renew(&mut self, version: u32) {
        if self.current.version != version {
            self.current = self.new_page(self.current.number, version, || None);
        }
    }

    /// Decodes a word of the current page and caches it.
    pub(crate) fn decode(&mut self, pc: u32, word_at_pc: u32) -> Decoded {
        let decoded = Decoded::decode(word_at_pc, self.isa);
        let number = self.current.number;
        Arc::make_mut(&mut self.current.code).set(number, word(pc), decoded);
        decoded
    }

    /// Returns the instruction at an address, if it is cached.
    pub(crate) fn cached(&self, pc: u32) -> Option<Instruction> {
        let page = match self.is_current(pc) {
            true => &self.current,
            false => self.others.iter().find(|page| page.number == number(pc))?,
        };
        let d = page.code.decoded[word(pc)];
        if d.op?.row().extension == Extension::V {
            return Instruction::decode_for(self.isa, d.imm).ok();
        }
        Some(Instruction {
            op: d.op?,
            rd: if d.rd == SINK { 0 } else { d.rd & 31 },
            rs1: d.rs1 & 31,
            rs2: d.rs2 & 31,
            imm: d.imm as i32,
        })
    }
}
