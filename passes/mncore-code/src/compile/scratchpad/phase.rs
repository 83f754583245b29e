//! The phases of kernels: which regions may be alive together.

/// A phase of a kernel: a kind of loop, together with the transfers that are in flight meanwhile.
///
/// Kernels with different row sides have phases of their own, since these use the same memory
/// differently.
#[derive(Clone, Copy)]
pub(super) enum Phase {
    /// A relayout before the loops of a kernel.
    Relayout,
    /// Element-wise loops and reductions within a PE or MAB, with no product in flight.
    Elements,
    /// A reduction across the chip.
    Network,
    /// All loops of a kernel of several stages. It concerns the local memories only, which hold
    /// local tensors throughout. In other memories, its loops are those of other phases.
    Stages,

    /// Streamed row side: the loop that loads the column side.
    TileColumns,
    /// The loop that multiplies, and the loops that load a prefetched column side.
    TileMultiply,
    /// What follows the product.
    TileFinish,

    /// Row side converted to block floats: the loop that loads the column side.
    BlockColumns,
    /// The loop that converts the row side.
    BlockConvert,
    /// The loop that multiplies, and the loops that load a prefetched column side.
    BlockMultiply,
    /// What follows the product.
    BlockFinish,

    /// Split-K product: the loop that loads the column side.
    SplitKColumns,
    /// The loop that multiplies.
    SplitKMultiply,
    /// The reduction of partial sums, and what follows it.
    SplitKFinish,

    /// Pipelined product: the loops that multiply, while results of the previous block leave.
    Pipelined,
    /// The same while no results leave.
    PipelinedAlone,
    /// What follows.
    PipelinedFinish,
    /// The loops that multiply if block floats of the row side stay in L1BM.
    PipelinedL1bs,
    /// What follows.
    PipelinedL1bsFinish,
    /// A pipelined product with a split epilogue, until the second half of the results is complete.
    /// The first half leaves through the buffer of the column side, which is loaded by then.
    SplitEpilogue,
    /// Results of the second half leave as well.
    SplitEpilogueFinish,
    /// A pipelined product with a row-ordered drain. Results leave through the buffer of the column
    /// side, which is loaded by then.
    RowOrdered,

    /// A product with the depth over MABs.
    KOverMabs,
}

/// A set of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Phases(u32);

impl Phases {
    pub(super) const fn new<const N: usize>(phases: [Phase; N]) -> Self {
        let (mut set, mut number) = (0, 0);
        while number < N {
            set |= 1 << phases[number] as u32;
            number += 1;
        }
        Phases(set)
    }

    /// Returns the union.
    pub(super) const fn and(self, other: Phases) -> Self {
        Phases(self.0 | other.0)
    }

    pub(super) const fn intersects(self, other: Phases) -> bool {
        self.0 & other.0 != 0
    }
}
