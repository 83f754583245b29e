//! A cache of decoded instructions.
//!
//! A core fetches words from its bus and caches the decoded instructions by page. The bus assigns
//! each page a version, which changes when a word of it may have changed. A page whose version has
//! changed is decoded again, word by word, as it is executed. The version is checked when a run
//! begins, when the core enters a page, and after its own stores to the current page.
//! Self-modifying code is thus executed as stored. The chip's instruction caches are not modelled:
//! the chip may execute an overwritten word until software invalidates its cache.
//!
//! Each word of a page is cached twice: decoded, and as the micro-operation that a core in order
//! executes ([`crate::micro_op`]).
//!
//! Cores that run the same image can share what they decode ([`SharedCode`]): a page of the image
//! is then decoded by the first core that enters it. A core that decodes more words of such a page
//! gets a copy.

use std::sync::{Arc, OnceLock};

use crate::alu::bits;
use crate::bus::CODE_PAGE;
use crate::instruction::{Bank, Instruction};
use crate::isa::{Extension, Isa};
use crate::micro_op::{fuse, MicroOp};
use crate::table::{Format, Op};

/// Number of register slots: indices are bytes, which need no check.
pub(crate) const REGISTERS: usize = 256;
/// The index of a register for unused results, after x31.
pub(crate) const SINK: u8 = 32;
/// The index of f0, after x0 to x31 and the sink.
pub(crate) const FLOATS: u8 = 64;
/// The index of v0, used to track loads.
pub(crate) const VECTORS: u8 = 96;
/// Number of words of a page.
pub(crate) const WORDS: usize = CODE_PAGE as usize / 4;

/// Bits of [`Decoded::traits`]: it accesses memory; its result comes from memory and goes to one
/// register; it is a vector instruction; it has a third source.
pub(crate) const TOUCHES_MEMORY: u8 = 1;
pub(crate) const HAS_DEFERRED_RESULT: u8 = 1 << 1;
pub(crate) const IS_VECTOR: u8 = 1 << 2;
pub(crate) const FUSED: u8 = 1 << 3;

fn traits(op: Op) -> u8 {
    let row = op.row();
    let bit = |is_so: bool, bit: u8| if is_so { bit } else { 0 };
    bit(op.touches_memory(), TOUCHES_MEMORY)
        | bit(op.has_deferred_result(), HAS_DEFERRED_RESULT)
        | bit(row.extension == Extension::V, IS_VECTOR)
        | bit(row.format == Format::Fused, FUSED)
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    /// `None` if the word has not been decoded, or is not an instruction.
    pub(crate) op: Option<Op>,
    pub(crate) rd: u8,
    pub(crate) rs1: u8,
    pub(crate) rs2: u8,
    /// Properties that matter to weak ordering, one bit each.
    pub(crate) traits: u8,
    /// The immediate; of a vector instruction the whole word, while the registers above are its
    /// scalar ones.
    pub(crate) imm: u32,
}

impl Decoded {
    const NOTHING: Self = Decoded {
        op: None,
        rd: SINK,
        rs1: 0,
        rs2: 0,
        traits: 0,
        imm: 0,
    };

    /// Returns the third source of a fused operation.
    pub(crate) fn rs3(&self) -> u8 {
        FLOATS + (self.imm >> 3 & 31) as u8
    }

    pub(crate) fn decode(word: u32, isa: Isa) -> Self {
        match Instruction::decode_for(isa, word) {
            Ok(i) => {
                let is_vector = i.op.row().extension == Extension::V;
                let [rd, rs1, rs2] = i.banks();
                let place = |bank, register| match bank {
                    Bank::Integer => register,
                    Bank::Float => FLOATS + register,
                    Bank::Vector => 0,
                };
                let rd = place(rd, i.rd);
                Decoded {
                    op: Some(i.op),
                    rd: if rd == 0 { SINK } else { rd },
                    rs1: place(rs1, i.rs1),
                    rs2: place(rs2, i.rs2),
                    traits: traits(i.op),
                    imm: if is_vector { word } else { i.imm as u32 },
                }
            }
            Err(_) => Self::NOTHING,
        }
    }
}

/// The decoded words of a page.
#[derive(Clone, Debug)]
pub(crate) struct PageCode {
    pub(crate) decoded: [Decoded; WORDS],
    /// The same instructions for execution in order.
    pub(crate) ops: [MicroOp; WORDS],
}

impl PageCode {
    const NOTHING: Self = PageCode {
        decoded: [Decoded::NOTHING; WORDS],
        ops: [MicroOp::ISSUE; WORDS],
    };

    /// Executes the instruction of bit manipulation at a position of the page.
    pub(crate) fn bits(&self, at: usize, a: u32, b: u32) -> u32 {
        let op = self.decoded.get(at).and_then(|decoded| decoded.op);
        op.and_then(|op| bits(op, a, b)).unwrap_or(0)
    }

    /// Sets the word at a position of the page with this number.
    fn set(&mut self, number: u32, at: usize, decoded: Decoded) {
        self.decoded[at] = decoded;
        self.ops[at] = MicroOp::new(decoded, number * CODE_PAGE + 4 * at as u32);
        let first = at.saturating_sub(1);
        (first..=at).for_each(|at| fuse(&mut self.ops[at..]));
    }
}

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
    fn new(number: u32, version: u32) -> Self {
        Page {
            number,
            version,
            code: Arc::new(PageCode::NOTHING),
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
        }
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
    /// image.
    fn new_page(&self, number: u32, version: u32) -> Page {
        let of_image = self.image.as_ref().and_then(|image| {
            let at = number.checked_sub(image.code.first)? as usize;
            let is_unchanged = image.versions.get(at) == Some(&version);
            is_unchanged.then(|| image.code.page(at))?
        });
        match of_image {
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
    pub(crate) fn enter(&mut self, pc: u32, version: u32) {
        if !self.is_current(pc) {
            let number = number(pc);
            match self.others.iter_mut().find(|page| page.number == number) {
                Some(page) => std::mem::swap(page, &mut self.current),
                None => {
                    let next = self.new_page(number, version);
                    let before = std::mem::replace(&mut self.current, next);
                    self.others.push(before);
                }
            }
        }
        self.renew(version);
    }

    /// Discards the current page if its version has changed.
    pub(crate) fn renew(&mut self, version: u32) {
        if self.current.version != version {
            self.current = self.new_page(self.current.number, version);
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
