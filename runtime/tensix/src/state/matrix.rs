//! What the Matrix Unit keeps between instructions: settings derived from the configuration, and
//! decoded operands. Its instructions are in [`crate::insn::matrix`].

use crate::arith::fast::moves::Conversion;
use crate::arith::fast::{DecodedRowsA, DecodedRowsB, Sums};
use crate::arith::spec::fpu::{Integers, Mode};
use crate::state::banks::Src;
use crate::state::cached::Cached;
use crate::state::dst_layout::Layout;

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
    /// Added to the fidelity phase.
    pub(crate) phase: u32,
    /// Added to rows of Dst.
    pub(crate) dst_base: u32,
    pub(crate) layout: Layout,
}

/// Cached settings of arithmetic.
pub(crate) type CachedArithmetic = Cached<Configured, 2>;

/// The settings of a move of a block of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockMove {
    pub(crate) conversion: Conversion,
    /// Whether Dst has 32-bit rows.
    pub(crate) wide: bool,
    /// Bits of datums of SrcB that may not be set.
    pub(crate) disputed: u32,
    /// Added to rows of Dst.
    pub(crate) dst_base: u32,
    pub(crate) layout: Layout,
}

/// Cached settings of the moves of a thread, for each [`Route`] without and with `dest_32b_lo`.
pub(crate) type CachedMoves = [[Option<Cached<BlockMove, 1>>; 2]; Route::COUNT];

/// From where and to where a move goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    AToDst,
    BToDst,
    DstToA,
    DstToB,
    BToA,
}

impl Route {
    pub(crate) const COUNT: usize = 5;

    /// Returns the source whose format counts.
    pub(crate) fn src(self) -> Src {
        match self {
            Route::AToDst | Route::DstToA => Src::A,
            Route::BToDst | Route::DstToB | Route::BToA => Src::B,
        }
    }
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
