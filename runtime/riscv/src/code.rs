//! Code, decoded once.
//!
//! A core fetches words from its bus and keeps what it has decoded, in pages. The bus gives each
//! page a version, which changes when a word of it may have; a page of another version is decoded
//! anew, word by word, as it is executed. The version is looked at when a run begins, when the core
//! enters a page, and after its own stores into the page it runs. So code that never changes is
//! decoded once, and code that is stored to is executed as it then is. The instruction caches of
//! the chip are not modelled: it can go on with a word that has been overwritten until software
//! invalidates its cache.

use crate::bus::CODE_PAGE;
use crate::instruction::{Bank, Instruction};
use crate::isa::{Extension, Isa};
use crate::table::{Format, Op};

/// Where a result goes that nobody wants: one past x31.
pub(crate) const SINK: u8 = 32;
/// The first of the floating-point registers, behind x0 to x31 and the sink.
pub(crate) const FLOATS: u8 = 64;
/// The first of the vector registers, for who keeps track of loads.
pub(crate) const VECTORS: u8 = 96;
/// Words of a page.
const WORDS: usize = CODE_PAGE as usize / 4;

/// The bits of [`Decoded::traits`]: it loads or stores; its result comes from memory, and goes to
/// one register; it is one of vectors; it has a third source.
pub(crate) const TOUCHES_MEMORY: u8 = 1;
pub(crate) const GIVES_LATER: u8 = 1 << 1;
pub(crate) const OF_VECTORS: u8 = 1 << 2;
pub(crate) const FUSED: u8 = 1 << 3;

fn traits(op: Op) -> u8 {
    let row = op.row();
    let bit = |is_so: bool, bit: u8| if is_so { bit } else { 0 };
    bit(op.touches_memory(), TOUCHES_MEMORY)
        | bit(op.gives_later(), GIVES_LATER)
        | bit(row.extension == Extension::V, OF_VECTORS)
        | bit(row.format == Format::Fused, FUSED)
}

/// An instruction, ready to run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    /// `None` if the word has not been decoded, or is no instruction.
    pub(crate) op: Option<Op>,
    pub(crate) rd: u8,
    pub(crate) rs1: u8,
    pub(crate) rs2: u8,
    /// What memory in weak order has to know of the instruction, one bit each.
    pub(crate) traits: u8,
    /// The whole word of a vector instruction, of which the registers above are those that are no
    /// vectors.
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

    pub(crate) fn of(word: u32, isa: Isa) -> Self {
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

#[derive(Clone, Debug)]
struct Page {
    number: u32,
    version: u32,
    code: Box<[Decoded; WORDS]>,
}

impl Page {
    fn new(number: u32, version: u32) -> Self {
        Page {
            number,
            version,
            code: Box::new([Decoded::NOTHING; WORDS]),
        }
    }
}

/// What a core has decoded.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    isa: Isa,
    /// The page that is being executed.
    current: Page,
    /// Those before it: a program has few.
    others: Vec<Page>,
}

fn number(pc: u32) -> u32 {
    pc / CODE_PAGE
}

fn word(pc: u32) -> usize {
    (pc % CODE_PAGE / 4) as usize
}

impl Code {
    /// Nothing has been decoded.
    pub(crate) fn new(isa: Isa) -> Self {
        Code {
            isa,
            current: Page::new(0, 0),
            others: Vec::new(),
        }
    }

    /// Returns the instruction at an address that is a multiple of four, if its page is the current
    /// one.
    #[inline(always)]
    pub(crate) fn at(&self, pc: u32) -> Decoded {
        match self.is_current(pc) {
            true => self.current.code[word(pc)],
            false => Decoded::NOTHING,
        }
    }

    /// Returns whether an address lies in the page that is being executed.
    #[inline(always)]
    pub(crate) fn is_current(&self, addr: u32) -> bool {
        number(addr) == self.current.number
    }

    /// Makes the page of `pc` the current one, and forgets what was decoded of another version.
    pub(crate) fn enter(&mut self, pc: u32, version: u32) {
        if !self.is_current(pc) {
            let number = number(pc);
            match self.others.iter_mut().find(|page| page.number == number) {
                Some(page) => std::mem::swap(page, &mut self.current),
                None => {
                    let next = Page::new(number, version);
                    let before = std::mem::replace(&mut self.current, next);
                    self.others.push(before);
                }
            }
        }
        if self.current.version != version {
            self.current = Page::new(self.current.number, version);
        }
    }

    /// Decodes a word of the current page.
    pub(crate) fn put(&mut self, pc: u32, word_at_pc: u32) -> Decoded {
        let decoded = Decoded::of(word_at_pc, self.isa);
        self.current.code[word(pc)] = decoded;
        decoded
    }

    /// Returns the instruction at an address, if it has been decoded.
    pub(crate) fn seen(&self, pc: u32) -> Option<Instruction> {
        let page = match self.is_current(pc) {
            true => &self.current,
            false => self.others.iter().find(|page| page.number == number(pc))?,
        };
        let d = page.code[word(pc)];
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
