//! The decoded words of a page of code.
//!
//! Each word is there twice: decoded, and as the micro-operation that a core in order executes
//! ([`crate::micro_op`]).

use crate::alu::bits;
use crate::bus::CODE_PAGE;
use crate::decoded::Decoded;
use crate::isa::Isa;
use crate::micro_op::{fuse, MicroOp};

/// Number of words of a page.
pub(crate) const WORDS: usize = CODE_PAGE as usize / 4;

/// The decoded words of a page.
#[derive(Clone, Debug)]
pub(crate) struct PageCode {
    pub(crate) decoded: [Decoded; WORDS],
    /// The same instructions for execution in order.
    pub(crate) ops: [MicroOp; WORDS],
}

impl PageCode {
    /// The code of a page of which no word is decoded.
    pub(crate) const NOTHING: Self = PageCode {
        decoded: [Decoded::NOTHING; WORDS],
        ops: [MicroOp::ISSUE; WORDS],
    };

    /// Decodes the words of the page with this number.
    pub(crate) fn decode(isa: Isa, number: u32, bytes: &[u8]) -> Self {
        let mut code = PageCode::NOTHING;
        for (at, word) in bytes.chunks_exact(4).take(WORDS).enumerate() {
            let word = word
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u32::from(byte));
            code.set(number, at, Decoded::decode(word, isa));
        }
        code
    }

    /// Executes the instruction of bit manipulation at a position of the page.
    pub(crate) fn bits(&self, at: usize, a: u32, b: u32) -> u32 {
        let op = self.decoded.get(at).and_then(|decoded| decoded.op);
        op.and_then(|op| bits(op, a, b)).unwrap_or(0)
    }

    /// Sets the word at a position of the page with this number.
    pub(crate) fn set(&mut self, number: u32, at: usize, decoded: Decoded) {
        self.decoded[at] = decoded;
        self.ops[at] = MicroOp::new(decoded, number * CODE_PAGE + 4 * at as u32);
        let first = at.saturating_sub(1);
        (first..=at).for_each(|at| fuse(&mut self.ops[at..]));
    }
}
