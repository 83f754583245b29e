//! What the Matrix Unit keeps between instructions: settings derived from the configuration, and
//! decoded operands. Its instructions are in [`crate::insn::matrix`].

use crate::arith::fast::{DecodedRowsA, DecodedRowsB, Sums};
use crate::arith::spec::format::Format;
use crate::arith::spec::fpu::{Integers, Mode};
use crate::state::access::WordSet;

/// The arithmetic of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arithmetic {
    Floats(Mode),
    Integers(Integers),
}

/// The arithmetic settings of a thread's configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Configured {
    pub(crate) arithmetic: Arithmetic,
    /// Whether one source is TF32 and the other one BF16.
    pub(crate) mixed: bool,
    /// Whether datums with a zero exponent are kept instead of being zero.
    pub(crate) denormals: bool,
}

/// Cached settings for a version of the configuration and implied formats, and the words that were
/// read for them.
#[derive(Clone, Debug)]
pub(crate) struct CachedArithmetic {
    pub(crate) version: u64,
    pub(crate) implied: [Option<Format>; 2],
    pub(crate) reads: WordSet,
    pub(crate) configured: Configured,
}

/// Caches the decoded rows of SrcA and SrcB for each block and significand part: most blocks are
/// operands of several MVMULs. The key of a slot combines format, number of rows, bank and the
/// version of the bank.
#[derive(Clone, Debug, Default)]
pub(crate) struct OperandCache {
    pub(crate) a: Vec<(Option<u64>, DecodedRowsA)>,
    pub(crate) b: Vec<(Option<u64>, DecodedRowsB)>,
    pub(crate) sums: Box<Sums>,
}
