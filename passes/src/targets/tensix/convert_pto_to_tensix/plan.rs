//! The plan of a Tensix tile: what its five RISC-V cores do together.
//!
//! A plan is a tree of loops whose leaves are *blocks*. A block is one use of half of Dst, or of
//! all of it, from its first value until its results are packed. It consists of
//!
//! - *steps*: operations of the matrix unit on pairs of operand tiles, in loops of their own;
//! - a *vector program*, which the vector unit runs over every 32 elements after all steps;
//! - *stores*, which pack results to memory or to a pipe.
//!
//! "Tile" means 32x32 elements here. An operation of the kernel works on a rectangle of tiles, its
//! *shape*.
//!
//! Invariants, checked where the plan is made:
//!
//! - A block stores something, or folds something into a running reduction ([`Fold`]).
//! - All values of a block have the same shape.
//! - They fit into half of Dst, or the block has a single value that fits into all of Dst.
//! - A kernel does not load a tensor in DRAM that it stores.
//! - A stage does not load a local tensor that it stores.
//!
//! *Local tensors* are in the tile's own L1, from which the unpackers read them and to which the
//! packers write them. A kernel with local tensors consists of *stages* ([`super::stages`]): each
//! begins when everything before it is complete, with a configuration of its own.
//!
//! In a cluster a kernel also pops tiles from other tiles of the chip, as operands of steps, and
//! pushes results to them. A popped tile occupies its slot from its *pop* to its *free*. Both are
//! [`SlotEvent`]s, inside of blocks or between them.

use std::fmt;

use tessera_isa_tensix::Arch;
pub use tessera_tensix_code::broadcast::TileBroadcast;
use tessera_tensix_code::reduce::Reduction;
pub use tessera_tensix_code::vector::{VectorNode, VectorProgram};

use super::expr::{Arith, Expr, Var};
pub use super::transpose::ElementWidth;
pub use crate::targets::tensix::accumulator::{DST_TILES, HALF_TILES};

/// A source location, an index into [`tessera_pto::kernel::Group::locations`].
pub type LocationId = usize;

/// A loop around parts of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loop<T> {
    /// Its variable.
    pub var: Var,
    /// The variable's first value.
    pub low: Expr,
    /// The variable stays below this.
    pub high: Expr,
    /// Increment per iteration, positive.
    pub step: i64,
    /// The loop's body.
    pub body: Vec<T>,
    /// Where it comes from.
    pub location: LocationId,
}

impl<T> Loop<T> {
    /// Returns the trip count, if it is a constant.
    pub fn trip_count(&self) -> Option<u64> {
        let span = self.high.constant()?.checked_sub(self.low.constant()?)?;
        Some(
            span.max(0)
                .unsigned_abs()
                .div_ceil(self.step.unsigned_abs()),
        )
    }
}

/// A node of the plan, outside of blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A loop around blocks.
    Loop(Loop<Node>),
    /// A block.
    Block(Block),
    /// A pop or a free between blocks.
    SlotEvent(SlotEvent),
    /// The start of the stage with this number.
    StageStart(usize),
}

/// One use of half of Dst, or of Dst.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Work of the unpackers and the matrix unit.
    pub items: Vec<BlockItem>,
    /// Tiles that the vector unit broadcasts over themselves next; tile numbers within the half of
    /// Dst.
    pub broadcasts: Vec<(u32, TileBroadcast)>,
    /// The program that the vector unit runs next.
    pub vector: VectorProgram,
    /// The tile that is then folded into the running reduction.
    pub fold: Option<Fold>,
    /// The results that are packed last.
    pub stores: Vec<Store>,
    /// Tiles of each value, down and across.
    pub shape: [u32; 2],
    /// Where it begins.
    pub location: LocationId,
}

impl Block {
    /// Returns whether the vector unit has anything to do.
    pub fn uses_vector_unit(&self) -> bool {
        !self.broadcasts.is_empty() || !self.vector.results.is_empty() || self.fold.is_some()
    }

    /// Returns whether values of the block, not the running reduction, are in [`REDUCTION_TILE`].
    pub fn uses_reduction_tile(&self) -> bool {
        let steps = self.steps().into_iter().map(|step| step.dst);
        let results = self.vector.results.iter().map(|(_, dst)| *dst);
        let mut first_tiles = steps.chain(results);
        first_tiles.any(|dst| (dst..dst + self.tiles()).contains(&REDUCTION_TILE))
    }

    /// Tiles of each value.
    pub fn tiles(&self) -> u32 {
        self.shape[0] * self.shape[1]
    }

    /// Returns all steps of the block, those of loops once.
    pub fn steps(&self) -> Vec<&Step> {
        collect_steps(&self.items)
    }

    /// Returns whether a value is too large for half of Dst.
    pub fn uses_all_of_dst(&self) -> bool {
        self.tiles() > HALF_TILES
    }
}

impl Block {
    /// Makes the block's fold combine its tile with the running reduction instead of starting one.
    /// Removes the step that initializes [`REDUCTION_TILE`]. Returns `None` and changes nothing if
    /// the block has no fold or already combines.
    pub fn accumulate(&mut self) -> Option<()> {
        let fold = self.fold.as_mut().filter(|fold| fold.is_first)?;
        fold.is_first = false;
        self.items
            .retain(|item| !matches!(item, BlockItem::Step(step) if step.dst == REDUCTION_TILE));
        Some(())
    }
}

/// Collects the steps of `items`, those of loops once.
pub fn collect_steps(items: &[BlockItem]) -> Vec<&Step> {
    items
        .iter()
        .flat_map(|item| match item {
            BlockItem::Loop(inner) => collect_steps(&inner.body),
            BlockItem::Step(step) => vec![step],
            BlockItem::SlotEvent(_) => vec![],
        })
        .collect()
}

/// Part of a block before its vector program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlockItem {
    /// A loop.
    Loop(Loop<BlockItem>),
    /// A step.
    Step(Step),
    /// A pop or a free.
    SlotEvent(SlotEvent),
}

/// Beginning or end of the time that a popped tile occupies its slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SlotEvent {
    /// Waits for the next slot of a pipe.
    Pop(PoppedTile),
    /// Returns the slot to the producer.
    Free(PoppedTile),
}

/// A tile that was popped from a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoppedTile {
    /// Unique number of the pop within the kernel.
    pub number: usize,
    /// The pipe, as an index into [`Plan::pipes`].
    pub pipe: usize,
    /// Tiles, down and across.
    pub shape: [u32; 2],
    /// Their element type.
    pub element: Element,
    /// Where it was popped.
    pub location: LocationId,
}

/// Returns whether any matrix product has fp32 factors. The unpackers truncate those to TF32, as
/// SrcA and SrcB hold 19 bits per element.
pub fn has_wide_products(blocks: &[&Block]) -> bool {
    let mut steps = blocks.iter().flat_map(|block| block.steps());
    steps.any(Step::is_wide_product)
}

/// The element types of tiles outside of Dst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// bfloat16.
    Bf16,
    /// Any 32-bit type. Integers pass through Dst unchanged.
    F32,
}

impl Element {
    /// Returns the size of an element in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Element::Bf16 => 2,
            Element::F32 => 4,
        }
    }

    /// Returns the size of a 32x32 tile in bytes.
    pub const fn tile_bytes(self) -> u32 {
        match self {
            Element::Bf16 => 2048,
            Element::F32 => 4096,
        }
    }
}

/// One end of a ring between tiles of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pipe {
    /// Number of the pipe in the group: unique, and the same at both ends. It selects the counters
    /// ([`super::resources::counter`]) and differs from the index in [`Plan::pipes`].
    pub number: u16,
    /// Whether this kernel pushes to it.
    pub pushes: bool,
    /// Slots of the ring.
    pub slots: u32,
    /// Bytes of a slot.
    pub slot_bytes: u32,
    /// L1 address of the ring, in the consumer's tile.
    pub address: u32,
    /// The tiles of the cluster at the other end.
    pub peers: Vec<u32>,
    /// The part of each value that belongs to this end, 0 or 1, if the other end has whole values.
    pub part: Option<u32>,
    /// The dimension along which values are split in two parts, if they are.
    pub axis: Option<usize>,
    /// Where it is set up.
    pub location: LocationId,
}

/// One operation of the matrix unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The operation.
    pub math: Math,
    /// Operand of unpacker 0.
    pub srca: SrcA,
    /// Operand of unpacker 1. `None` is a bank of zeros for a transposition, and nothing for
    /// [`Math::Unpack`].
    pub srcb: Option<Operand>,
    /// First tile of Dst that the step changes, counted within the half.
    pub dst: u32,
    /// Tiles of the result, down and across.
    pub shape: [u32; 2],
    /// Where it comes from.
    pub location: LocationId,
}

impl Step {
    /// Returns whether the step is a matrix product of fp32 tiles. Both factors have one type.
    pub fn is_wide_product(&self) -> bool {
        let is_wide = |operand: &Operand| operand.element() == Element::F32;
        self.math == Math::Matmul && self.srcb.as_ref().is_some_and(is_wide)
    }

    /// Returns the operand of each unpacker, `None` if that makes zeros or does nothing.
    pub fn operands(&self) -> [Option<&Operand>; 2] {
        let srca = match &self.srca {
            SrcA::Tiles(operand) => Some(operand),
            SrcA::Zero => None,
        };
        [srca, self.srcb.as_ref()]
    }
}

/// Operand of unpacker 0 in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SrcA {
    /// Tiles.
    Tiles(Operand),
    /// Zeros, made by the unpacker.
    Zero,
}

/// Tiles that a step reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// From memory.
    Memory(TileRect),
    /// From a slot.
    Popped(PoppedTile),
    /// From a local tensor, which NC fills from DRAM for the step ([`super::fetched_rows`]). Both
    /// rectangles have one shape.
    Fetched {
        /// The tiles in DRAM.
        from: Box<TileRect>,
        /// The tiles of the local tensor.
        to: TileRect,
    },
}

impl Operand {
    /// Tiles, down and across.
    pub fn shape(&self) -> [u32; 2] {
        match self {
            Operand::Memory(tiles) | Operand::Fetched { to: tiles, .. } => tiles.shape,
            Operand::Popped(popped) => popped.shape,
        }
    }

    /// Returns the tiles of a tensor that the unpackers or NC read, if they are in memory.
    pub fn memory(&self) -> Option<&TileRect> {
        match self {
            Operand::Memory(tiles) | Operand::Fetched { to: tiles, .. } => Some(tiles),
            Operand::Popped(_) => None,
        }
    }

    /// Returns the tiles that NC reads from DRAM, if it does.
    pub fn dram(&self) -> Option<&TileRect> {
        match self {
            Operand::Memory(tiles) if tiles.tensor.local_address().is_none() => Some(tiles),
            Operand::Fetched { from, .. } => Some(from.as_ref()),
            Operand::Memory(_) | Operand::Popped(_) => None,
        }
    }

    /// Returns whether the padding of the tiles is +0: they are those of a kernel argument. Popped
    /// tiles and local tensors have more rows or columns than the tensors that they stand for.
    pub fn has_zero_padding(&self) -> bool {
        self.memory()
            .is_some_and(|tiles| tiles.tensor.argument().is_some())
    }

    /// Returns the element type of the tiles.
    pub fn element(&self) -> Element {
        match self {
            Operand::Memory(tiles) | Operand::Fetched { to: tiles, .. } => tiles.tensor.element,
            Operand::Popped(popped) => popped.element,
        }
    }
}

/// How the SrcB operand of an element-wise step is broadcast.
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
pub enum Math {
    /// Dst += SrcB @ SrcA.
    Matmul,
    /// None: unpacker 0 writes fp32 tiles to Dst directly.
    Unpack,
    /// Transposes a tile of Dst in place. The unpackers hand over cleared banks as scratch.
    Transpose(ElementWidth),
    /// Dst = or += SrcA ∘ SrcB.
    Elementwise {
        /// The operation.
        op: Elementwise,
        /// How SrcB is broadcast.
        broadcast: Broadcast,
        /// Whether a sum or difference is added to Dst. Products always are, since ELWMUL only
        /// accumulates; `false` makes no difference to those.
        accumulate: bool,
    },
}

/// The memory that holds a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TensorMemory {
    /// DRAM: the kernel argument with this number.
    Argument(u16),
    /// The tile's L1, from this address on.
    Local(u32),
}

impl fmt::Display for TensorMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TensorMemory::Argument(argument) => write!(f, "argument {argument}"),
            TensorMemory::Local(address) => write!(f, "the local tensor at {address:#x}"),
        }
    }
}

/// A tensor as a sequence of matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    /// Where it is.
    pub memory: TensorMemory,
    /// Number of matrices.
    pub matrices: u32,
    /// Elements of a column.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
    /// Their type.
    pub element: Element,
}

impl Tensor {
    /// Returns the number of the kernel argument that it is; `None` for a local tensor.
    pub fn argument(&self) -> Option<u16> {
        match self.memory {
            TensorMemory::Argument(argument) => Some(argument),
            TensorMemory::Local(_) => None,
        }
    }

    /// Returns its L1 address, if it is a local tensor.
    pub fn local_address(&self) -> Option<u32> {
        match self.memory {
            TensorMemory::Argument(_) => None,
            TensorMemory::Local(address) => Some(address),
        }
    }

    /// Elements of a column, and of a row.
    pub fn extents(&self) -> [u32; 2] {
        [self.rows, self.columns]
    }

    /// Tiles of one matrix, down and across.
    pub fn tiles(&self) -> [u32; 2] {
        [self.rows.div_ceil(32), self.columns.div_ceil(32)]
    }
}

/// A rectangle of tiles of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TileRect {
    /// The tensor.
    pub tensor: Tensor,
    /// Row of the rectangle, in units of `shape`, counted through all matrices.
    pub row: Expr,
    /// Column of the rectangle, in units of `shape`.
    pub column: Expr,
    /// Tiles, down and across.
    pub shape: [u32; 2],
}

/// Position of a tile of a rectangle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TilePosition {
    /// Tile row within the matrix, and tile column.
    pub tile: [Expr; 2],
    /// Page number within the tensor.
    pub page: Expr,
}

impl TileRect {
    /// Returns how many tiles.
    pub fn count(&self) -> u32 {
        self.shape[0] * self.shape[1]
    }

    /// Returns the number of rectangles per matrix, down and across, rounded up.
    pub fn rectangles(&self) -> [u32; 2] {
        let [down, across] = self.tensor.tiles();
        [down.div_ceil(self.shape[0]), across.div_ceil(self.shape[1])]
    }

    /// Returns the position of tile `number` of the rectangle, counted along rows. With `clamp`,
    /// tiles beyond the tensor's end become the last tile of their row or column.
    pub fn tile_at(&self, number: u32, clamp: bool) -> TilePosition {
        let [i, j] = [number / self.shape[1], number % self.shape[1]];
        let [down, across] = self.tensor.tiles();
        let [rectangles, _] = self.rectangles();
        let e = |op, a: &Expr, b: &Expr| {
            Expr::binary(op, a, b).expect("tiles of a tensor can be counted")
        };
        let within = |rectangle: &Expr, offset: u32, axis: usize| {
            let first = e(Arith::Mul, rectangle, &self.shape[axis].into());
            let at = e(Arith::Add, &first, &offset.into());
            let extent = [down, across][axis];
            if clamp && extent % self.shape[axis] != 0 {
                e(Arith::Min, &at, &(extent - 1).into())
            } else {
                at
            }
        };
        let column = within(&self.column, j, 1);
        let (row, above) = if self.tensor.matrices == 1 {
            let row = within(&self.row, i, 0);
            (row.clone(), row)
        } else {
            let row = within(&e(Arith::Rem, &self.row, &rectangles.into()), i, 0);
            let matrix = e(Arith::Div, &self.row, &rectangles.into());
            let above = e(Arith::Mul, &matrix, &down.into());
            (row.clone(), e(Arith::Add, &above, &row))
        };
        let page = e(Arith::Add, &e(Arith::Mul, &above, &across.into()), &column);
        TilePosition {
            tile: [row, column],
            page,
        }
    }
}

/// The tile of half of Dst that holds the running value of a reduction. Steps change it in two
/// cases only: the block that starts a running value initializes the tile, and a transposition of
/// the running value works on it in place.
pub const REDUCTION_TILE: u32 = HALF_TILES - 1;

/// Reduces a tile of Dst and folds it into the running reduction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The tile.
    pub tile: u32,
    /// The reductions, one axis after the other.
    pub reductions: Vec<Reduction>,
    /// Whether the tile starts the running value instead of being combined with it.
    pub is_first: bool,
}

/// Destination of a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To memory.
    Memory(TileRect),
    /// To the next slot of the pipe at this index of [`Plan::pipes`].
    Pipe(usize),
}

/// A value of Dst that is packed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// Its first tile, within the half.
    pub dst: u32,
    /// Where it goes.
    pub to: Target,
    /// Element type that it is packed as.
    pub element: Element,
    /// Whether the packers replace negative values by zero.
    pub relu: bool,
    /// Whether the packers must zero the elements beyond the tensor's extent.
    pub mask: bool,
    /// Where it comes from.
    pub location: LocationId,
}

/// The plan of a kernel on one Tensix tile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// The chip that it is for.
    pub arch: Arch,
    /// The body, in order.
    pub nodes: Vec<Node>,
    /// Fidelity phases of products, 1 (LoFi) to 4 (HiFi4).
    pub phases: u32,
    /// The ends of rings that it has.
    pub pipes: Vec<Pipe>,
    /// Bytes of all local tensors, which begin at the first free address of L1.
    pub local_bytes: u32,
    /// The variable that counts the halves of each row of tiles, if pieces are such halves
    /// ([`super::row_halves`]).
    pub row_half: Option<Var>,
}

impl Plan {
    /// Returns whether all blocks use the same part of Dst instead of alternating halves. This is
    /// so if a running reduction lives in Dst from block to block, or if a block needs all of Dst.
    pub fn stays_in_dst(&self) -> bool {
        let stays = |block: &&Block| block.fold.is_some() || block.uses_all_of_dst();
        self.blocks().iter().any(stays)
    }

    /// Returns all blocks, those of loops once.
    pub fn blocks(&self) -> Vec<&Block> {
        collect_blocks(&self.nodes)
    }
}

/// Collects the blocks of `nodes`, those of loops once.
pub fn collect_blocks(nodes: &[Node]) -> Vec<&Block> {
    nodes
        .iter()
        .flat_map(|node| match node {
            Node::Loop(inner) => collect_blocks(&inner.body),
            Node::Block(block) => vec![block],
            Node::SlotEvent(_) | Node::StageStart(_) => vec![],
        })
        .collect()
}
