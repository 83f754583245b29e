//! What a kernel does, tile by tile: the trace of a `pto.func` that the four lists are made from.
//!
//! A plan is a sequence of output tiles. Each is built up in one half of Dst by a sequence of *steps* (one
//! pair of operand tiles through SrcA and SrcB), finished in place and packed. Invariants, checked where the
//! plan is made: an output tile has at least one step, and only its first step may overwrite Dst.

/// One page (one tile) of a tensor argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Which argument of the kernel, inputs first.
    pub arg: u16,
    /// Which of its pages.
    pub page: u32,
}

/// What a step unpacks into SrcA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrcA {
    /// A tile from memory.
    Tile(Page),
    /// Zeros, made by the unpacker.
    Zero,
}

/// How the SrcB operand of an element-wise step is spread over the tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Broadcast {
    /// Not at all.
    None,
    /// Its first row to every row.
    Row,
    /// Its first column to every column.
    Column,
    /// Its first element everywhere.
    Scalar,
}

/// An element-wise operation of the matrix unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elementwise {
    /// SrcA + SrcB.
    Add,
    /// SrcA − SrcB.
    Subtract,
    /// SrcA · SrcB.
    Multiply,
}

/// What the matrix unit does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MathOp {
    /// Dst += SrcB @ SrcA, 32x32 by 32x32.
    Matmul,
    /// Dst = or += SrcA ∘ SrcB.
    Elementwise {
        /// The operation.
        op: Elementwise,
        /// How SrcB is spread.
        broadcast: Broadcast,
        /// Whether the result is added to Dst.
        accumulate: bool,
    },
    /// Dst = SrcA.
    Copy,
}

/// One pair of operand tiles through the matrix unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Unpacker 0's operand.
    pub srca: SrcA,
    /// Unpacker 1's operand; none for [`MathOp::Copy`].
    pub srcb: Option<Page>,
    /// What is done with them.
    pub math: MathOp,
}

/// One tile of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutTile {
    /// How it comes about.
    pub steps: Vec<Step>,
    /// Whether its sign is flipped in Dst, by the vector unit.
    pub negate: bool,
    /// Whether the packer replaces negative values by zero.
    pub relu: bool,
    /// Where it goes.
    pub store: Page,
    /// Rows and columns that hold data; the packer zeroes the others (1 to 32 each).
    pub valid: (u32, u32),
}

/// A whole kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The result, in the order it is computed.
    pub tiles: Vec<OutTile>,
    /// Fidelity phases of products, 1 (LoFi) to 4 (HiFi4).
    pub phases: u32,
}

impl Plan {
    /// The steps of all output tiles, in order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.tiles.iter().flat_map(|tile| &tile.steps)
    }
}
