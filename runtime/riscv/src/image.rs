//! A program, decoded once.
//!
//! Images do not modify themselves: the core refuses its own stores into its image, and whoever owns the memory must
//! refuse those of others. So nothing is ever decoded again.
//!
//! Decoding also finds *polling loops*: a backward branch over one load and a few computations, none of which uses what
//! another turn of the loop has written. Each turn then does the same until the loaded value differs, and a core that
//! has gone round once can park there.

use crate::instruction::{registers, Instruction};
use crate::table::{Format, Op};

/// Where a result goes that nobody wants: one past x31.
pub(crate) const SINK: u8 = 32;
/// A polling loop has at most so many instructions, its branch included.
const LONGEST_POLL: usize = 8;

/// An instruction, ready to run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    /// `None` if the word is no instruction.
    pub(crate) op: Option<Op>,
    pub(crate) rd: u8,
    pub(crate) rs1: u8,
    pub(crate) rs2: u8,
    /// Whether this is the branch of a polling loop.
    pub(crate) polls: bool,
    pub(crate) imm: u32,
}

impl Decoded {
    pub(crate) fn of(word: u32) -> Self {
        let (op, i) = match Instruction::decode(word) {
            Ok(i) => (Some(i.op), i),
            Err(_) => (None, Instruction::r(Op::Add, 0, 0, 0)),
        };
        Decoded {
            op,
            rd: if i.rd == 0 { SINK } else { i.rd },
            rs1: i.rs1,
            rs2: i.rs2,
            polls: false,
            imm: i.imm as u32,
        }
    }
}

/// Code at an address.
#[derive(Clone, Debug)]
pub struct Image {
    base: u32,
    words: Vec<u32>,
    code: Vec<Decoded>,
}

/// An image that cannot lie where it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an image of {words} words cannot start at {base:#x}; it needs a multiple of 4 and room up to 4 GiB")]
pub struct ImageError {
    /// Where it should start.
    pub base: u32,
    /// How many words it has.
    pub words: usize,
}

impl Image {
    /// The image of `words` from `base` on. Words that are no instruction trap when they are executed.
    ///
    /// # Errors
    /// If it cannot lie there.
    pub fn new(base: u32, words: Vec<u32>) -> Result<Self, ImageError> {
        if base % 4 != 0 || words.len() as u64 * 4 + u64::from(base) > 1 << 32 {
            return Err(ImageError {
                base,
                words: words.len(),
            });
        }
        let decode = |(at, &word)| Decoded {
            polls: ends_polling_loop(&words, at),
            ..Decoded::of(word)
        };
        let code = words.iter().enumerate().map(decode).collect();
        Ok(Image { base, words, code })
    }

    /// Address of the first instruction.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The words.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Whether an address lies in the image.
    #[inline(always)]
    pub fn contains(&self, addr: u32) -> bool {
        addr.wrapping_sub(self.base) as usize / 4 < self.words.len()
    }

    /// The instruction at an address that is a multiple of four.
    #[inline(always)]
    pub(crate) fn at(&self, pc: u32) -> Option<&Decoded> {
        self.code.get((pc.wrapping_sub(self.base) / 4) as usize)
    }

    /// The word at an address that is a multiple of four.
    pub(crate) fn word(&self, pc: u32) -> Option<u32> {
        let at = pc.wrapping_sub(self.base) / 4;
        self.words.get(at as usize).copied()
    }
}

/// Whether word `at` is the branch of a polling loop.
fn ends_polling_loop(words: &[u32], at: usize) -> bool {
    let Ok(branch) = Instruction::decode(words[at]) else {
        return false;
    };
    let back = (-i64::from(branch.imm) / 4) as usize;
    if branch.op.row().format != Format::Branch
        || branch.imm >= 0
        || branch.imm % 4 != 0
        || back > at
        || back >= LONGEST_POLL
    {
        return false;
    }
    let body: Option<Vec<Instruction>> = words[at - back..=at]
        .iter()
        .map(|&word| Instruction::decode(word).ok())
        .collect();
    body.is_some_and(|body| every_turn_is_alike(&body))
}

fn is_load(op: Op) -> bool {
    matches!(op, Op::Lb | Op::Lh | Op::Lw | Op::Lbu | Op::Lhu)
}

/// Whether a loop, its branch last, loads once and otherwise computes from what no turn changes.
fn every_turn_is_alike(body: &[Instruction]) -> bool {
    let computes = |i: &Instruction| {
        matches!(
            i.op.row().format,
            Format::R | Format::I | Format::Shift | Format::Upper
        )
    };
    let (loads, others): (Vec<_>, Vec<_>) =
        body[..body.len() - 1].iter().partition(|i| is_load(i.op));
    if loads.len() != 1 || !others.into_iter().all(computes) {
        return false;
    }
    let written: u32 = body.iter().fold(0, |set, i| set | 1 << i.rd) & !1;
    let mut fresh = 0u32;
    body.iter().all(|i| {
        let (_, has_rs1, has_rs2) = registers(i.op.row().format);
        let read = u32::from(has_rs1) << i.rs1 | u32::from(has_rs2) << i.rs2;
        let alike = read & written & !fresh == 0;
        fresh |= 1 << i.rd;
        alike
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the last of the instructions ends a polling loop.
    fn check(body: &[Instruction], expect: bool) {
        let words: Vec<u32> = body.iter().map(|i| i.encode().unwrap()).collect();
        let image = Image::new(0, words).unwrap();
        assert_eq!(image.code[body.len() - 1].polls, expect, "{body:?}");
    }

    #[test]
    fn polling_loops() {
        let lw = Instruction::i(Op::Lw, 5, 6, 0);
        let bne = |back| Instruction::s(Op::Bne, 5, 7, back);
        let sub = Instruction::r(Op::Sub, 5, 5, 8);
        check(&[lw, bne(-4)], true);
        check(&[lw, sub, bne(-8)], true);
        check(&[lw, Instruction::s(Op::Bge, 0, 5, -4)], true);
        // Forward, too short, before the image, two loads, a store, a counter, a moving address, a push.
        check(&[lw, bne(4)], false);
        check(&[lw, sub, bne(-4)], false);
        check(&[lw, bne(-8)], false);
        check(&[lw, Instruction::i(Op::Lw, 9, 6, 4), bne(-8)], false);
        check(&[lw, Instruction::s(Op::Sw, 6, 0, 0), bne(-8)], false);
        check(&[lw, Instruction::i(Op::Addi, 9, 9, 1), bne(-8)], false);
        check(&[Instruction::i(Op::Lw, 5, 5, 0), bne(-4)], false);
        check(&[lw, Instruction::push(0x0200_0000), bne(-8)], false);
        check(&[lw, Instruction::i(Op::Jalr, 5, 9, 0), bne(-8)], false);
    }

    #[test]
    fn places() {
        let image = Image::new(0x6000, vec![0x13; 2]).unwrap();
        assert!(image.contains(0x6007) && !image.contains(0x6008) && !image.contains(0x5fff));
        assert_eq!((image.word(0x6004), image.word(0x6008)), (Some(0x13), None));
        assert_eq!(
            Image::new(0x6002, vec![0]).unwrap_err().to_string(),
            "an image of 1 words cannot start at 0x6002; it needs a multiple of 4 and room up to 4 GiB"
        );
        assert!(Image::new(u32::MAX - 3, vec![0]).is_ok());
        assert!(Image::new(u32::MAX - 3, vec![0, 0]).is_err());
    }
}
