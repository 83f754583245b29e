//! What a kernel does on one Tensix core: the plan that the code of the five RISC-V cores is made
//! from.
//!
//! A plan is a tree of loops. Its leaves are *blocks*: what happens to one half of Dst, or to all
//! of it, from its first value until its results are packed. A block is made of *steps*, each one
//! operation of the matrix unit on pairs of operand tiles, in loops of their own; of a *vector
//! program*, which the vector unit runs over every 32 elements when all steps are done; and of
//! *stores*. "Tile" is 32x32 elements here; an operation of the kernel works on a rectangle of
//! them, its *shape*.
//!
//! Invariants, checked where the plan is made: a block stores something, or keeps something for
//! later ones; the values of a block have the same shape; they fit into half of Dst, or it is one
//! value that fits into Dst. A kernel does not load what it stores.
//!
//! On a cluster a kernel also pops tiles from other tiles of the chip, as operands of steps, and
//! pushes results to them. A tile that is popped lies in its slot from its *pop* to its *free*,
//! which are parts of blocks or stand between them.

use tessera_isa_tensix::Arch;
pub use tessera_tensix_code::broadcast::TileBroadcast;
use tessera_tensix_code::reduce::Reduction;
pub use tessera_tensix_code::vector::{VectorNode, VectorProgram};

use super::expr::{Arith, Expr, Var};
pub use super::transpose::ElementWidth;
pub use crate::targets::tensix::accumulator::{DST_TILES, HALF_TILES};

/// A place in the source, a number of [`tessera_pto::kernel::Group::locations`].
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
    /// What is added in each turn, positive.
    pub step: i64,
    /// What is repeated.
    pub body: Vec<T>,
    /// Where it comes from.
    pub location: LocationId,
}

impl<T> Loop<T> {
    /// How often it turns, if that is a constant.
    pub fn trip_count(&self) -> Option<u64> {
        let span = self.high.constant()?.checked_sub(self.low.constant()?)?;
        Some(
            span.max(0)
                .unsigned_abs()
                .div_ceil(self.step.unsigned_abs()),
        )
    }
}

/// Part of a plan outside of blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A loop around blocks.
    Loop(Loop<Node>),
    /// A block.
    Block(Block),
    /// A pop or a free between blocks.
    SlotEvent(SlotEvent),
}

/// One use of half of Dst, or of Dst.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// What the unpackers and the matrix unit do.
    pub items: Vec<BlockItem>,
    /// Tiles of Dst, from its half's first on, that the vector unit spreads over themselves then.
    pub broadcasts: Vec<(u32, TileBroadcast)>,
    /// What the vector unit computes then.
    pub vector: VectorProgram,
    /// What it keeps of that for later blocks.
    pub fold: Option<Fold>,
    /// What the packers do then.
    pub stores: Vec<Store>,
    /// Tiles of each value, down and across.
    pub shape: [u32; 2],
    /// Where it begins.
    pub location: LocationId,
}

impl Block {
    /// Whether the vector unit has anything to do.
    pub fn uses_vector_unit(&self) -> bool {
        !self.broadcasts.is_empty() || !self.vector.results.is_empty() || self.fold.is_some()
    }

    /// Tiles of each value.
    pub fn tiles(&self) -> u32 {
        self.shape[0] * self.shape[1]
    }

    /// Its steps, each once.
    pub fn steps(&self) -> Vec<&Step> {
        collect_steps(&self.items)
    }

    /// Whether half of Dst is too small for a value.
    pub fn uses_all_of_dst(&self) -> bool {
        self.tiles() > HALF_TILES
    }
}

impl Block {
    /// Has it combine what it reduces with what is kept of blocks before; nothing if it does that
    /// already, or keeps nothing.
    pub fn accumulate(&mut self) -> Option<()> {
        let fold = self.fold.as_mut().filter(|fold| fold.is_first)?;
        fold.is_first = false;
        self.items
            .retain(|item| !matches!(item, BlockItem::Step(step) if step.dst == REDUCTION_TILE));
        Some(())
    }
}

/// The steps of parts of a block, each once.
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

/// What begins or ends the time that a tile lies in its slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SlotEvent {
    /// The next slot of a pipe is waited for.
    Pop(PoppedTile),
    /// It is given back.
    Free(PoppedTile),
}

/// What was popped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoppedTile {
    /// A number that no other pop of the kernel has.
    pub number: usize,
    /// The pipe, as [`Plan::pipes`] numbers them.
    pub pipe: usize,
    /// Tiles, down and across.
    pub shape: [u32; 2],
    /// Their element type.
    pub element: Element,
    /// Where it was popped.
    pub location: LocationId,
}

/// Whether products in blocks have factors of fp32, which are cut to TF32 on their way to SrcA and
/// SrcB.
pub fn has_wide_products(blocks: &[&Block]) -> bool {
    let mut steps = blocks.iter().flat_map(|block| block.steps());
    steps.any(Step::is_wide_product)
}

/// The element types of tiles outside of Dst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// bfloat16.
    Bf16,
    /// fp32, or whatever else has 32 bits: integers go through Dst as they are.
    F32,
}

impl Element {
    /// Bytes of one.
    pub const fn bytes(self) -> u32 {
        match self {
            Element::Bf16 => 2,
            Element::F32 => 4,
        }
    }

    /// Bytes of a 32x32 tile.
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
    /// A number that the two ends have in common, and no other pipe.
    pub number: u16,
    /// Whether this kernel pushes to it.
    pub pushes: bool,
    /// Slots of the ring.
    pub slots: u32,
    /// Bytes of a slot.
    pub slot_bytes: u32,
    /// Where the ring begins, in the tile that pops.
    pub address: u32,
    /// The tiles of the cluster at the other end.
    pub peers: Vec<u32>,
    /// Which of the parts of a tile this end has, if the other end has all.
    pub part: Option<u32>,
    /// The dimension that parts are cut in, if tiles are.
    pub axis: Option<usize>,
    /// Where it is set up.
    pub location: LocationId,
}

/// One operation of the matrix unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The operation.
    pub math: Math,
    /// What unpacker 0 brings.
    pub srca: SrcA,
    /// What unpacker 1 brings.
    pub srcb: Option<Operand>,
    /// The first tile of Dst that it changes, within the half.
    pub dst: u32,
    /// Tiles of the result, down and across.
    pub shape: [u32; 2],
    /// Where it comes from.
    pub location: LocationId,
}

impl Step {
    /// Whether it multiplies tiles of fp32.
    pub fn is_wide_product(&self) -> bool {
        let is_wide = |operand: &Operand| operand.element() == Element::F32;
        self.math == Math::Matmul && self.srcb.as_ref().is_some_and(is_wide)
    }

    /// The tiles that each unpacker brings.
    pub fn operands(&self) -> [Option<&Operand>; 2] {
        let srca = match &self.srca {
            SrcA::Tiles(operand) => Some(operand),
            SrcA::Zero => None,
        };
        [srca, self.srcb.as_ref()]
    }
}

/// What unpacker 0 brings in a step.
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
}

impl Operand {
    /// Tiles, down and across.
    pub fn shape(&self) -> [u32; 2] {
        match self {
            Operand::Memory(tiles) => tiles.shape,
            Operand::Popped(popped) => popped.shape,
        }
    }

    /// The element type of the tiles.
    pub fn element(&self) -> Element {
        match self {
            Operand::Memory(tiles) => tiles.tensor.element,
            Operand::Popped(popped) => popped.element,
        }
    }
}

/// How the SrcB operand of an element-wise step is spread over the result.
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
    /// Nothing: unpacker 0 brings fp32 tiles to Dst, past the matrix unit.
    Unpack,
    /// Rows for columns of a tile of Dst; what unpackers bring is nothing but banks.
    Transpose(ElementWidth),
    /// Dst = or += SrcA ∘ SrcB.
    Elementwise {
        /// The operation.
        op: Elementwise,
        /// How SrcB is spread.
        broadcast: Broadcast,
        /// Whether the result is added to Dst.
        accumulate: bool,
    },
}

/// A tensor as a sequence of matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    /// Which argument of the kernel it is.
    pub arg: u16,
    /// How many matrices.
    pub matrices: u32,
    /// Elements of a column.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
    /// Their type.
    pub element: Element,
}

impl Tensor {
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
    /// Which rectangle of this shape, counted down through all matrices.
    pub row: Expr,
    /// Which, counted across.
    pub column: Expr,
    /// Tiles, down and across.
    pub shape: [u32; 2],
}

/// Where a tile of a rectangle lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TilePosition {
    /// The row of tiles within its matrix, and the column of tiles.
    pub tile: [Expr; 2],
    /// The page of the tensor.
    pub page: Expr,
}

impl TileRect {
    /// How many tiles.
    pub fn count(&self) -> u32 {
        self.shape[0] * self.shape[1]
    }

    /// Rectangles of one matrix, down and across.
    pub fn rectangles(&self) -> [u32; 2] {
        let [down, across] = self.tensor.tiles();
        [down.div_ceil(self.shape[0]), across.div_ceil(self.shape[1])]
    }

    /// Tile `number` of the rectangle, counted along rows; with `clamp`, if that is none of the
    /// tensor's, the last before.
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

/// The tile of half of Dst in which is kept what tiles were reduced to. No step of a kernel that
/// keeps something changes it.
pub const REDUCTION_TILE: u32 = HALF_TILES - 1;

/// A tile of Dst that is reduced, and combined with what is kept of those before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The tile.
    pub tile: u32,
    /// How it is reduced, one axis after the other.
    pub reductions: Vec<Reduction>,
    /// Whether something is kept already.
    pub is_first: bool,
}

/// Where results go.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To memory.
    Memory(TileRect),
    /// To the next slot of a pipe, as [`Plan::pipes`] numbers them.
    Pipe(usize),
}

/// A value of Dst that leaves it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// Its first tile, within the half.
    pub dst: u32,
    /// Where it goes.
    pub to: Target,
    /// What it is rounded to.
    pub element: Element,
    /// Whether the packers replace negative values by zero.
    pub relu: bool,
    /// Whether what lies beyond the tensor's extent must be replaced by zero.
    pub mask: bool,
    /// Where it comes from.
    pub location: LocationId,
}

/// A whole kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// The chip that it is for.
    pub arch: Arch,
    /// What it does.
    pub nodes: Vec<Node>,
    /// Fidelity phases of products, 1 (LoFi) to 4 (HiFi4).
    pub phases: u32,
    /// The ends of rings that it has.
    pub pipes: Vec<Pipe>,
}

impl Plan {
    /// Whether all blocks use the same part of Dst instead of one half after the other: what tiles
    /// were reduced to is kept there from block to block, or half of it is too small for one.
    pub fn stays_in_dst(&self) -> bool {
        let stays = |block: &&Block| block.fold.is_some() || block.uses_all_of_dst();
        self.blocks().iter().any(stays)
    }

    /// Its blocks, each once.
    pub fn blocks(&self) -> Vec<&Block> {
        collect_blocks(&self.nodes)
    }
}

/// The blocks of parts of a plan, each once.
pub fn collect_blocks(nodes: &[Node]) -> Vec<&Block> {
    nodes
        .iter()
        .flat_map(|node| match node {
            Node::Loop(inner) => collect_blocks(&inner.body),
            Node::Block(block) => vec![block],
            Node::SlotEvent(_) => vec![],
        })
        .collect()
}
