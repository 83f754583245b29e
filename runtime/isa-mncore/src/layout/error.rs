//! Errors of layouts and of operations on them.

use super::place::{ElementBits, Memory, Place};

/// An invalid layout or an unsupported operation on a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The text is not a layout.
    #[error("character {at} of the layout: expected {expected}, found {found}")]
    Text {
        /// The position, counted from 1.
        at: usize,
        /// The token that was expected.
        expected: &'static str,
        /// The token that was found.
        found: String,
    },
    /// Unknown memory name.
    #[error(
        "unknown memory '{name}'; expected DRAM, PDM, L2BM, L1BM, LM0, LM1, GRF0, GRF1, X or Y"
    )]
    Memory {
        /// The name.
        name: String,
    },
    /// A dimension without elements.
    #[error("dimension {dim} has no elements: its extents must be at least 1")]
    Empty {
        /// The dimension.
        dim: String,
    },
    /// Two dimensions with the same name.
    #[error("there are two dimensions {dim}: rename one")]
    SameName {
        /// The name.
        dim: String,
    },
    /// A digit other than the last of its dimension whose extent is not a power of two.
    #[error(
        "a digit of extent {extent} in {dim}: only the last digit of a dimension may be no power \
         of two"
    )]
    Digit {
        /// The dimension.
        dim: String,
        /// The digit's extent.
        extent: u64,
    },
    /// An extent or stride in a place that is not a power of two.
    #[error("{what} {value} of {}: it must be a power of two", place.name())]
    PowerOfTwo {
        /// `extent` or `stride`.
        what: &'static str,
        /// Its value.
        value: u64,
        /// The place.
        place: Place,
    },
    /// The digits of a dimension hold fewer elements than its extent.
    #[error("dimension {dim} has {extent} elements, its digits hold {holds}: add a digit")]
    Extent {
        /// The dimension.
        dim: String,
        /// The extent.
        extent: u64,
        /// The number of elements the digits hold.
        holds: u64,
    },
    /// Parts of different widths.
    #[error(
        "w and h in one layout: they are the same bits, h for elements of 16 bits, w for those of \
         32"
    )]
    TwoWidths,
    /// A bit that the place does not have.
    #[error("bit {bit} of {} in {memory}: there are {bits} with elements of {} \
             bits", place.name(), element.bits())]
    NoBit {
        /// The place.
        place: Place,
        /// The bit, counted from 0.
        bit: u32,
        /// The number of bits of the place.
        bits: u32,
        /// The memory.
        memory: Memory,
        /// The width of elements.
        element: ElementBits,
    },
    /// Two assignments to the same place bit.
    #[error("bit {bit} of {} is assigned twice: by {first} and by {second}", place.name())]
    Taken {
        /// The place.
        place: Place,
        /// The bit, counted from 0.
        bit: u8,
        /// The content assigned first.
        first: String,
        /// The content assigned second.
        second: String,
    },
    /// A place bit without an assignment.
    #[error(
        "bit {bit} of {} is not assigned: assign it to a dimension, or add rep, sum or at",
        place.name()
    )]
    Unassigned {
        /// The place.
        place: Place,
        /// The bit, counted from 0.
        bit: u8,
    },
    /// A constant that does not fit into its bits.
    #[error("{} has {bits} bits here, {value} does not fit", place.name())]
    Fixed {
        /// The place.
        place: Place,
        /// The number of bits.
        bits: u32,
        /// The constant.
        value: u64,
    },
    /// A clause about the whole address without an extent.
    #[error("a clause about the address needs an extent, such as rep(a:4*1)")]
    WholeAddress,
    /// The layout does not fit into the memory.
    #[error(
        "{layout} needs {words} long words of {memory} from {base} on; it has {has}: split the \
         tensor or take a larger memory"
    )]
    Capacity {
        /// The layout in text form.
        layout: String,
        /// The memory.
        memory: Memory,
        /// The first long word.
        base: u64,
        /// The number of long words needed.
        words: u64,
        /// The number of long words in the memory.
        has: u64,
    },
    /// An index with a wrong number of dimensions or out of range.
    #[error("index {index:?} is out of range for a tensor of shape {extents:?}")]
    Index {
        /// The index.
        index: Vec<u64>,
        /// The extents of the dimensions.
        extents: Vec<u64>,
    },
    /// Blocks that do not form a larger layout.
    #[error(
        "blocks of {extent} elements of {dim} and {words} long words, {stride} apart: elements and \
         stride must be powers of two, the stride no less than a block"
    )]
    Blocks {
        /// The dimension.
        dim: String,
        /// The elements of a block along it.
        extent: u64,
        /// The long words of a block.
        words: u64,
        /// The stride between blocks, in long words.
        stride: u64,
    },
    /// A memory that the host cannot access directly.
    #[error(
        "the host packs tensors for DRAM and PDM, not for {memory}: plan a transfer from there"
    )]
    NotForHost {
        /// The memory.
        memory: Memory,
    },
    /// The layout holds partial sums, which have no element values.
    #[error("the layout holds partial sums: reduce them on the chip before the host reads them")]
    PartialSums,
    /// The element format has another width than the layout.
    #[error("the layout has elements of {layout} bits, the format {format}: choose \
             a layout with {}", if *format == 16 { "h" } else { "other parts" })]
    Format {
        /// The element width of the layout in bits.
        layout: u32,
        /// The element width of the format in bits.
        format: u32,
    },
    /// The number of bytes does not match the tensor.
    #[error("{found} bytes for a tensor of {elements} elements of {size} bytes")]
    Bytes {
        /// The number of bytes given.
        found: usize,
        /// The number of elements of the tensor.
        elements: u64,
        /// The size of an element in bytes.
        size: usize,
    },
    /// An image with too few long words for the tensor.
    #[error("group {group} has {found} long words, but the layout needs {needed}")]
    Image {
        /// The group.
        group: usize,
        /// The number of long words given.
        found: usize,
        /// The number of long words needed.
        needed: usize,
    },
}
