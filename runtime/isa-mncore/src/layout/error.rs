//! Why something is no layout, or cannot be done with one.

use super::place::{ElementBits, Memory, Place};

/// What is wrong, with the numbers and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The text is none of a layout.
    #[error("character {at} of the layout: expected {expected}, found {found}")]
    Text {
        /// The character, counted from 1.
        at: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// No such memory.
    #[error("there is no memory {name}: DRAM, PDM, L2BM, L1BM, LM0, LM1, GRF0, GRF1, X or Y")]
    Memory {
        /// What was asked for.
        name: String,
    },
    /// A dimension without elements.
    #[error("dimension {dim} has no elements: its extents must be at least 1")]
    Empty {
        /// The dimension.
        dim: String,
    },
    /// Two dimensions of the same name.
    #[error("there are two dimensions {dim}: rename one")]
    SameName {
        /// The name.
        dim: String,
    },
    /// A digit that is not the last of its dimension.
    #[error("a digit of extent {extent} in {dim}: only the last digit of a dimension may be no power of two")]
    Digit {
        /// The dimension.
        dim: String,
        /// The digit's extent.
        extent: u64,
    },
    /// An extent or a stride in a place.
    #[error("{what} {value} of {}: it must be a power of two", place.name())]
    PowerOfTwo {
        /// `extent` or `stride`.
        what: &'static str,
        /// Its value.
        value: u64,
        /// The place.
        place: Place,
    },
    /// The digits hold too few.
    #[error("dimension {dim} has {extent} elements, its digits hold {holds}: add a digit")]
    Extent {
        /// The dimension.
        dim: String,
        /// Its elements.
        extent: u64,
        /// What its digits hold.
        holds: u64,
    },
    /// Parts of two widths.
    #[error("w and h in one layout: they are the same bits, h for elements of 16 bits, w for those of 32")]
    TwoWidths,
    /// The place has fewer bits.
    #[error("bit {bit} of {} in {memory}: there are {bits} with elements of {} bits", place.name(), element.bits())]
    NoBit {
        /// The place.
        place: Place,
        /// The bit, counted from 0.
        bit: u32,
        /// How many there are.
        bits: u32,
        /// The memory.
        memory: Memory,
        /// The width of elements.
        element: ElementBits,
    },
    /// Two things on the same bit.
    #[error("bit {bit} of {} is taken twice: by {first} and by {second}", place.name())]
    Taken {
        /// The place.
        place: Place,
        /// The bit, counted from 0.
        bit: u8,
        /// Who has it.
        first: String,
        /// Who wants it.
        second: String,
    },
    /// A bit nobody spoke about.
    #[error("nothing is said about bit {bit} of {}: give it to a dimension, or add rep, sum or at", place.name())]
    Unassigned {
        /// The place.
        place: Place,
        /// The bit, counted from 0.
        bit: u8,
    },
    /// A number that does not fit its bits.
    #[error("{} has {bits} bits here, {value} does not fit", place.name())]
    Fixed {
        /// The place.
        place: Place,
        /// Its bits.
        bits: u32,
        /// The number.
        value: u64,
    },
    /// An address place without an extent.
    #[error("a clause about all of the address: say how many with an extent, such as rep(a:4*1)")]
    WholeAddress,
    /// More than the memory has.
    #[error("{layout} needs {words} long words of {memory} from {base} on; it has {has}: split the tensor or take a larger memory")]
    Capacity {
        /// The layout's text.
        layout: String,
        /// The memory.
        memory: Memory,
        /// The first long word.
        base: u64,
        /// How many are needed.
        words: u64,
        /// How many there are.
        has: u64,
    },
    /// Another number of dimensions, or an index too large.
    #[error("index {index:?} is none of a tensor of {extents:?}")]
    Index {
        /// The index.
        index: Vec<u64>,
        /// The extents of the dimensions.
        extents: Vec<u64>,
    },
    /// Blocks that do not make a larger tensor.
    #[error("blocks of {extent} elements of {dim} and {words} long words, {stride} apart: elements and stride must be powers of two, the stride no less than a block")]
    Blocks {
        /// The dimension.
        dim: String,
        /// The elements of a block along it.
        extent: u64,
        /// The long words of a block.
        words: u64,
        /// How far blocks are apart.
        stride: u64,
    },
    /// The host has no direct access.
    #[error(
        "the host packs tensors for DRAM and PDM, not for {memory}: plan a transfer from there"
    )]
    NotForHost {
        /// The memory.
        memory: Memory,
    },
    /// Partial sums have no values.
    #[error("the layout holds partial sums: reduce them on the chip before the host reads them")]
    PartialSums,
    /// Elements of another width.
    #[error("the layout has elements of {layout} bits, the format {format}: choose a layout with {}", if *format == 16 { "h" } else { "other parts" })]
    Format {
        /// The layout's elements.
        layout: u32,
        /// The format's.
        format: u32,
    },
    /// A tensor of another size.
    #[error("{found} bytes for a tensor of {elements} elements of {size} bytes")]
    Bytes {
        /// How many there are.
        found: usize,
        /// The tensor's elements.
        elements: u64,
        /// The bytes of each.
        size: usize,
    },
    /// Too few long words to read a tensor from.
    #[error("{found} long words of group {group} where the layout has {needed}")]
    Image {
        /// The group.
        group: usize,
        /// How many there are.
        found: usize,
        /// How many there should be.
        needed: usize,
    },
}
