//! Groups of kernels, as structured programs: regions of operations on values, loops and branches
//! with regions in them.

use std::fmt;
use std::ops::Range;

pub use tessera_ops::{Binary, Reduce, Unary};

use crate::rearrange::Rearrangement;
use crate::target::{Numerics, Placement, Ring, Unit};

/// Kernels that are launched together, what they share, and where their operations come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Tensors in global memory.
    pub tensors: Vec<TensorType>,
    /// Pipes between the kernels.
    pub pipes: Vec<Pipe>,
    /// The kernels, each on a core of its own.
    pub kernels: Vec<Kernel>,
    /// Places in the source that operations name by number.
    pub locations: Vec<String>,
    /// Target data: where the kernels run.
    pub placement: Placement,
}

/// A tensor in global memory: matrices, loaded and stored in tiles of any shape. Every matrix
/// begins with a tile of its own; rows of tiles are counted through all matrices. What a tile has
/// beyond the extent of its matrix is +0: loaded as that, and dropped when it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// How many matrices.
    pub matrices: u32,
    /// Elements of a column of each.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
    /// What an element is.
    pub element: Element,
}

impl TensorType {
    /// Rows of tiles of a shape, through all matrices, and columns of tiles.
    pub fn tiles(&self, [tall, wide]: [u32; 2]) -> [u64; 2] {
        let tiles = |extent: u32, tile: u32| u64::from(extent.div_ceil(tile));
        [
            u64::from(self.matrices) * tiles(self.rows, tall),
            tiles(self.columns, wide),
        ]
    }

    /// What a tile of a shape covers: the number of its matrix, and which rows and columns of that.
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

    /// Elements of all matrices, if they can be counted.
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

/// Elements of a tensor: part of one of its matrices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixWindow {
    /// Which matrix.
    pub matrix: u64,
    /// Which rows of it.
    pub rows: Range<u64>,
    /// Which columns.
    pub columns: Range<u64>,
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// IEEE binary32.
    F32,
    /// The upper half of a binary32.
    Bf16,
    /// An integer of 32 bits, with a sign.
    I32,
}

impl Element {
    /// All of them.
    pub const ALL: &'static [Self] = &[Element::F32, Element::Bf16, Element::I32];

    /// Returns the element whose type has a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|one| one.name() == name)
    }

    /// Returns the name of its type.
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

/// A tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileType {
    /// Elements of a column.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
    /// Rows and columns that hold data; the rest is +0.
    pub valid: [u32; 2],
    /// What an element is.
    pub element: Element,
}

impl TileType {
    /// Returns a tile full of data.
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
    /// Rows and columns.
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

/// Which way a pipe goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the cube kernel to vector kernels.
    CubeToVector,
    /// From vector kernels to the cube kernel.
    VectorToCube,
}

/// How a tile is spread over two vector kernels. The first gets the larger part of an odd extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Split {
    /// Not at all: there is one vector kernel.
    None,
    /// The upper rows, the lower rows.
    UpDown,
    /// The left columns, the right columns.
    LeftRight,
}

impl Split {
    /// Vector kernels at its end.
    pub const fn lanes(self) -> usize {
        match self {
            Split::None => 1,
            Split::UpDown | Split::LeftRight => 2,
        }
    }

    /// What a lane has of a tile.
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

/// A pipe: a ring of slots, written by a kernel and read by another; or by two, or from two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipe {
    /// Its name in messages.
    pub name: String,
    /// Which way it goes.
    pub direction: Direction,
    /// Slots of its ring.
    pub slots: u32,
    /// How tiles are spread over the vector kernels at its end.
    pub split: Split,
    /// The kernel on the cube side.
    pub cube: usize,
    /// The kernels on the vector side, lane by lane.
    pub vector: Vec<usize>,
    /// Target data: where the slots lie.
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

/// A program of one core.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kernel {
    /// Its name in messages.
    pub name: String,
    /// The types of its values.
    pub values: Vec<Type>,
    /// What it does.
    pub body: Region,
    /// Target data: the precision of its products.
    pub numerics: Numerics,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// An integer, or a truth: 0 or 1.
    Scalar,
    /// A tile.
    Tile(TileType),
}

/// A value of a kernel: the number of its type.
pub type Value = usize;

/// Operations one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Values it is given.
    pub arguments: Vec<Value>,
    /// The operations.
    pub ops: Vec<Op>,
    /// Values it gives back.
    pub yields: Vec<Value>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// What it does.
    pub kind: OpKind,
    /// The values it reads.
    pub operands: Vec<Value>,
    /// The values it defines.
    pub results: Vec<Value>,
    /// Its place, a number of [`Group::locations`].
    pub location: usize,
    /// Target data: the unit that computes it, if one was chosen.
    pub unit: Option<Unit>,
}

/// What an operation does; operands and results are in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum OpKind {
    /// A number.
    Constant(i64),
    /// Two numbers to one.
    Scalar(ScalarOp),
    /// From the first number, below the second, by the third; then what is carried. The region gets
    /// the counter and what is carried and yields the latter, which is the result.
    For(Region),
    /// One of two regions, by the operand.
    If(Box<[Region; 2]>),
    /// A tile of a tensor: row and column in tiles of its shape.
    Load {
        /// Which tensor.
        tensor: usize,
    },
    /// A tile to a tensor: the tile, row and column in tiles of its shape.
    Store {
        /// Which tensor.
        tensor: usize,
    },
    /// Tiles to a tile.
    Compute(Compute),
    /// Elements of tensors to a tensor.
    Rearrange(Box<Rearrangement>),
    /// A tile to a pipe.
    Push {
        /// Which pipe.
        pipe: usize,
    },
    /// The next tile of a pipe, which stays in its slot.
    Pop {
        /// Which pipe.
        pipe: usize,
    },
    /// The slot of a tile that was popped.
    Free {
        /// Which pipe.
        pipe: usize,
    },
}

/// Arithmetic on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarOp {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, toward zero.
    Divide,
    /// Quotient, downwards.
    FloorDivide,
    /// Quotient, upwards.
    CeilDivide,
    /// Remainder, with the sign of the dividend.
    Remainder,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Both bits, and truths.
    And,
    /// Either bit, and truths.
    Or,
    /// Different bits, and truths.
    Xor,
    /// Whether both are equal.
    Equal,
    /// Whether the first is less.
    Less,
    /// Whether the first is less, both without a sign.
    Below,
    /// Quotient of numbers without a sign. It does not exist for negative numbers, and neither do
    /// the next two: without a sign, their bits mean another number in each width.
    UnsignedDivide,
    /// Remainder of such.
    UnsignedRemainder,
    /// The smaller one of such.
    UnsignedMin,
}

/// Arithmetic on tiles. Results are rounded once to the elements of their type, and are +0 where
/// that is not valid. Integers and floats meet in conversions only, and truths (1 or 0) may be
/// either.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compute {
    /// Product of two matrices.
    Matmul,
    /// The same, added to the first operand.
    MatmulAcc,
    /// Element by element.
    Unary(Unary),
    /// Element by element, the right operand spread.
    Binary(Binary, Broadcast),
    /// The second operand where the first is not zero, else the third.
    Select,
    /// Along an axis, which is left with an extent of one.
    Reduce(Reduce, Axis),
    /// Rows for columns.
    Transpose,
    /// A number everywhere; no operands.
    Fill(f64),
    /// Other elements, or another valid part. A float becomes an integer toward zero, at the ends
    /// of the range if it is beyond them and 0 if it is NaN.
    Convert,
    /// To another memory.
    Move,
}

/// How a tile is spread over a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Broadcast {
    /// It is as large.
    None,
    /// Its first row, to all rows.
    Row,
    /// Its first column, to all columns.
    Column,
    /// Its first element, everywhere.
    Scalar,
}

/// The axis a reduction goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Down the rows: a row is left.
    Rows,
    /// Across the columns: a column is left.
    Columns,
}
