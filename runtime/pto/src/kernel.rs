//! Groups of kernels as structured programs: regions of operations on values, with loops and
//! branches that contain regions.

use std::fmt;
use std::ops::Range;

pub use tessera_ops::{Binary, Reduce, Unary};

use crate::rearrange::Rearrangement;
use crate::target::{Numerics, Placement, Precision, Ring, Unit};

/// Kernels that are launched together, the tensors and pipes that they share, and source locations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Tensors in global memory.
    pub tensors: Vec<TensorType>,
    /// Pipes between the kernels.
    pub pipes: Vec<Pipe>,
    /// The kernels, each on a core of its own.
    pub kernels: Vec<Kernel>,
    /// Source locations, to which operations refer by index.
    pub locations: Vec<String>,
    /// Target data: where the kernels run.
    pub placement: Placement,
}

impl Group {
    /// Returns the type of the tensor to which an operation of a kernel refers by its number: a
    /// tensor of the group or, after those, a local tensor of the kernel. `None` if there is none.
    pub fn tensor_type(&self, kernel: &Kernel, number: usize) -> Option<TensorType> {
        let tensors = self.tensors.iter().chain(&kernel.local);
        tensors.copied().nth(number)
    }

    /// Returns the index in [`Kernel::local`] of the tensor with a number, or `None` if it is a
    /// tensor of the group.
    pub fn local_index(&self, number: usize) -> Option<usize> {
        number.checked_sub(self.tensors.len())
    }
}

/// A tensor in global memory or in a core's: a batch of matrices, loaded and stored in tiles of any
/// shape. Tiles do not cross matrices: every matrix begins with a new row of tiles. Rows of tiles
/// are numbered through all matrices. Elements of a tile beyond the extent of its matrix are +0
/// when loaded and dropped when stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// Number of matrices.
    pub matrices: u32,
    /// Number of rows of each matrix.
    pub rows: u32,
    /// Number of columns of each matrix.
    pub columns: u32,
    /// The element type.
    pub element: Element,
}

impl TensorType {
    /// Returns the number of rows of tiles of a shape, through all matrices, and of columns of
    /// tiles.
    pub fn tiles(&self, [tall, wide]: [u32; 2]) -> [u64; 2] {
        let tiles = |extent: u32, tile: u32| u64::from(extent.div_ceil(tile));
        [
            u64::from(self.matrices) * tiles(self.rows, tall),
            tiles(self.columns, wide),
        ]
    }

    /// Returns the elements that a tile covers: its matrix, and the rows and columns of that.
    pub fn window(&self, [row, column]: [u64; 2], [tall, wide]: [u32; 2]) -> MatrixWindow {
        let down = u64::from(self.rows.div_ceil(tall));
        let range = |tile: u64, size: u32, extent: u32| {
            let (size, extent) = (u64::from(size), u64::from(extent));
            (tile * size).min(extent)..((tile + 1) * size).min(extent)
        };
        MatrixWindow {
            matrix: row / down,
            rows: range(row % down, tall, self.rows),
            columns: range(column, wide, self.columns),
        }
    }

    /// Returns the number of elements of all matrices, or `None` if it overflows.
    pub fn elements(&self) -> Option<u64> {
        let matrix = u64::from(self.rows).checked_mul(self.columns.into());
        matrix?.checked_mul(self.matrices.into())
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TensorType {
            matrices,
            rows,
            columns,
            element,
        } = self;
        write!(f, "{matrices}x{rows}x{columns}x{element}")
    }
}

/// A rectangle of elements in one matrix of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixWindow {
    /// The index of the matrix.
    pub matrix: u64,
    /// The rows of the matrix.
    pub rows: Range<u64>,
    /// The columns of the matrix.
    pub columns: Range<u64>,
}

impl MatrixWindow {
    /// Returns whether two windows of a tensor have an element in common.
    pub fn overlaps(&self, other: &MatrixWindow) -> bool {
        let meet = |a: &Range<u64>, b: &Range<u64>| a.start.max(b.start) < a.end.min(b.end);
        self.matrix == other.matrix
            && meet(&self.rows, &other.rows)
            && meet(&self.columns, &other.columns)
    }
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// IEEE binary32.
    F32,
    /// The upper half of a binary32: bfloat16.
    Bf16,
    /// A signed 32-bit integer.
    I32,
}

impl Element {
    /// All element types.
    pub const ALL: &'static [Self] = &[Element::F32, Element::Bf16, Element::I32];

    /// Returns the element type with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|one| one.name() == name)
    }

    /// Returns the name in MLIR.
    pub const fn name(self) -> &'static str {
        match self {
            Element::F32 => "f32",
            Element::Bf16 => "bf16",
            Element::I32 => "i32",
        }
    }

    /// Returns whether it is an integer.
    pub const fn is_integer(self) -> bool {
        matches!(self, Element::I32)
    }
}

impl From<Element> for tessera_ops::Arithmetic {
    fn from(element: Element) -> Self {
        match element {
            Element::I32 => tessera_ops::Arithmetic::Integer,
            Element::F32 | Element::Bf16 => tessera_ops::Arithmetic::Float,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileType {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// Numbers of rows and columns that hold data; all other elements are +0.
    pub valid: [u32; 2],
    /// The element type.
    pub element: Element,
}

impl TileType {
    /// Returns a tile type all of whose elements hold data.
    pub const fn full(rows: u32, columns: u32, element: Element) -> Self {
        TileType {
            rows,
            columns,
            valid: [rows, columns],
            element,
        }
    }
}

impl TileType {
    /// Returns the numbers of rows and columns.
    pub const fn shape(&self) -> [u32; 2] {
        [self.rows, self.columns]
    }
}

impl fmt::Display for TileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.rows, self.columns, self.element)?;
        if self.valid != [self.rows, self.columns] {
            write!(f, " of which {}x{} are valid", self.valid[0], self.valid[1])?;
        }
        Ok(())
    }
}

/// The direction of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the cube kernel to vector kernels.
    CubeToVector,
    /// From vector kernels to the cube kernel.
    VectorToCube,
}

/// The distribution of a tile over two vector kernels. The first gets the larger part of an odd
/// extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Split {
    /// No distribution: there is one vector kernel.
    None,
    /// Upper rows and lower rows.
    UpDown,
    /// Left columns and right columns.
    LeftRight,
}

impl Split {
    /// Returns the number of vector kernels.
    pub const fn lanes(self) -> usize {
        match self {
            Split::None => 1,
            Split::UpDown | Split::LeftRight => 2,
        }
    }

    /// Returns the type of the part of a tile that a lane gets.
    pub fn lane_tile(self, tile: TileType, lane: usize) -> TileType {
        let cut = |whole: u32| {
            let first = whole - whole / 2;
            (first, if lane == 0 { first } else { whole - first })
        };
        let valid = |first: u32, valid: u32| match lane {
            0 => valid.min(first),
            _ => valid.saturating_sub(first),
        };
        match self {
            Split::None => tile,
            Split::UpDown => {
                let (first, rows) = cut(tile.rows);
                let valid = [valid(first, tile.valid[0]), tile.valid[1]];
                TileType {
                    rows,
                    valid,
                    ..tile
                }
            }
            Split::LeftRight => {
                let (first, columns) = cut(tile.columns);
                let valid = [tile.valid[0], valid(first, tile.valid[1])];
                TileType {
                    columns,
                    valid,
                    ..tile
                }
            }
        }
    }
}

/// A pipe: a ring of slots from a producer to a consumer. One of the two ends may be two vector
/// kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipe {
    /// The name in diagnostics.
    pub name: String,
    /// The direction.
    pub direction: Direction,
    /// Number of slots of the ring.
    pub slots: u32,
    /// The distribution of tiles over the vector kernels.
    pub split: Split,
    /// The kernel on the cube side.
    pub cube: usize,
    /// The kernels on the vector side, by lane.
    pub vector: Vec<usize>,
    /// Target data: the memory of the slots.
    pub ring: Ring,
}

impl Pipe {
    /// Returns the kernels that push.
    pub fn producers(&self) -> &[usize] {
        match self.direction {
            Direction::CubeToVector => std::slice::from_ref(&self.cube),
            Direction::VectorToCube => &self.vector,
        }
    }

    /// Returns the kernels that pop.
    pub fn consumers(&self) -> &[usize] {
        match self.direction {
            Direction::CubeToVector => &self.vector,
            Direction::VectorToCube => std::slice::from_ref(&self.cube),
        }
    }
}

/// The program of one core.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kernel {
    /// The name in diagnostics.
    pub name: String,
    /// Tensors in the core's own memory. Loads and stores number them after the group's tensors.
    /// Their content is undefined at the beginning, and ends with the kernel.
    pub local: Vec<TensorType>,
    /// The types of its values.
    pub values: Vec<Type>,
    /// The operations.
    pub body: Region,
    /// Target data: the precision of matrix products.
    pub numerics: Numerics,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// An integer, or a boolean as 0 or 1.
    Scalar,
    /// A tile.
    Tile(TileType),
}

/// A value of a kernel: an index of [`Kernel::values`].
pub type Value = usize;

/// A sequence of operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Values that the region receives.
    pub arguments: Vec<Value>,
    /// The operations.
    pub ops: Vec<Op>,
    /// Values that the region returns.
    pub yields: Vec<Value>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// The kind of operation.
    pub kind: OpKind,
    /// Values that are read.
    pub operands: Vec<Value>,
    /// Values that are defined.
    pub results: Vec<Value>,
    /// Index of its source location in [`Group::locations`].
    pub location: usize,
    /// Target data: the unit that executes the operation, if one was chosen.
    pub unit: Option<Unit>,
    /// Target data: the precision of an element-wise function.
    pub precision: Precision,
}

/// Kinds of operations. Documentation lists operands and results in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum OpKind {
    /// Defines a scalar.
    Constant(i64),
    /// Computes a scalar from two scalars.
    Scalar(ScalarOp),
    /// A counted loop: lower bound, upper bound (exclusive), step, then the initial values of
    /// loop-carried values. The region receives the counter and the carried values and yields the
    /// next ones. The results are the final carried values.
    For(Region),
    /// Executes the first region if the operand is not zero, else the second.
    If(Box<[Region; 2]>),
    /// Loads a tile from a tensor: row and column, in tiles of its shape.
    Load {
        /// Which tensor: see [`Group::tensor_type`].
        tensor: usize,
    },
    /// Stores a tile to a tensor: the tile, row and column, in tiles of its shape.
    Store {
        /// Which tensor: see [`Group::tensor_type`].
        tensor: usize,
    },
    /// Computes a tile from tiles.
    Compute(Compute),
    /// Copies elements of tensors to another tensor.
    Rearrange(Box<Rearrangement>),
    /// Pushes a tile to a pipe.
    Push {
        /// Which pipe.
        pipe: usize,
    },
    /// Pops the next tile of a pipe. The tile stays in its slot until the slot is freed.
    Pop {
        /// Which pipe.
        pipe: usize,
    },
    /// Frees the slot of a popped tile.
    Free {
        /// Which pipe.
        pipe: usize,
    },
}

/// Arithmetic on scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarOp {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, rounded towards zero.
    Divide,
    /// Quotient, rounded down.
    FloorDivide,
    /// Quotient, rounded up.
    CeilDivide,
    /// Remainder, with the sign of the dividend.
    Remainder,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Bitwise and; logical and of booleans.
    And,
    /// Bitwise or; logical or of booleans.
    Or,
    /// Bitwise exclusive or; of booleans, too.
    Xor,
    /// 1 if both are equal.
    Equal,
    /// 1 if the first is less.
    Less,
    /// 1 if the first is less, both unsigned.
    Below,
    /// Unsigned quotient. This and the next two are undefined for negative operands, whose bits
    /// mean another number in each width.
    UnsignedDivide,
    /// Unsigned remainder.
    UnsignedRemainder,
    /// Unsigned minimum.
    UnsignedMin,
}

/// Arithmetic on tiles. Results are rounded once to their element type; elements that are not valid
/// are +0. Only conversions mix integers and floats, except that booleans (1 or 0) may be of either
/// type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compute {
    /// Matrix product.
    Matmul,
    /// Matrix product, added to the first operand.
    MatmulAcc,
    /// Unary element-wise function.
    Unary(Unary),
    /// Binary element-wise function; the right operand may be broadcast.
    Binary(Binary, Broadcast),
    /// The second operand where the first is not zero, else the third.
    Select,
    /// Reduction along an axis, which keeps extent 1.
    Reduce(Reduce, Axis),
    /// Transposition.
    Transpose,
    /// A constant in every valid element; no operands.
    Fill(f64),
    /// Conversion of the element type, or another valid part. A float is converted to an integer by
    /// truncation; it saturates, and NaN becomes 0.
    Convert,
    /// Copy to another memory.
    Move,
}

/// How a tile is broadcast to a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Broadcast {
    /// Not at all: the shapes are equal.
    None,
    /// The first row, to all rows.
    Row,
    /// The first column, to all columns.
    Column,
    /// The first element, to all elements.
    Scalar,
}

/// The axis of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Over the rows: one row remains.
    Rows,
    /// Over the columns: one column remains.
    Columns,
}
