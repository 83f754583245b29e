//! Positions of half tiles in their tensors, for a vector side that is split over two cores.
//!
//! Positions count tiles of the accessed shape; rows are counted through all matrices of a tensor,
//! each of which begins with a new tile. Half tiles are therefore counted in halves. A matrix may
//! have one half less than twice its tiles. The second core then loads +0 for the missing half and
//! stores nothing.

use tessera_dialects::mlir::{At, Block, NamedOp, NewOp, Op, Rewriter, TensorType, Value};
use tessera_dialects::pto::Tile;
use tessera_dialects::{arith, pto};

use super::slice::Piece;

/// Values that identify the vector core at run time.
#[derive(Clone, Copy)]
pub struct Lane<'a> {
    /// 0 for the first, 1 for the second.
    number: Value<'a>,
    /// The number of cores.
    count: Value<'a>,
}

impl<'a> Lane<'a> {
    /// Builds the values that identify the core.
    pub fn new(body: Block<'a>, rewriter: &Rewriter<'a>, kernel: Op<'a>) -> Option<Self> {
        let number =
            pto::SubblockIndexOp::build(kernel.location()).results([rewriter.context().index()]);
        let number = rewriter.insert(At::End(body), number).result(0)?;
        let writer = IndexWriter {
            rewriter,
            cause: kernel,
            to: body,
        };
        let count = writer.constant(2)?;
        Some(Lane { number, count })
    }
}

/// Position of a piece of a tile.
pub struct HalfPosition<'a> {
    /// Index along the split axis, in halves.
    pub index: Value<'a>,
    /// Whether it lies inside of the tensor, if it may exceed the end.
    pub inside: Option<Value<'a>>,
}

/// A load or store of a tile that is split along an axis.
pub struct TileAccess<'t, 'a> {
    /// The whole tile.
    pub tile: &'t Tile<'a>,
    /// The tensor.
    pub memory: Value<'a>,
    /// The split axis.
    pub axis: usize,
    /// Index of the whole tile along the axis.
    pub index: Value<'a>,
}

impl<'a> TileAccess<'_, 'a> {
    /// Builds the computation of a piece's position.
    pub fn half_position(
        &self,
        piece: Piece,
        lane: Lane<'a>,
        writer: &IndexWriter<'_, 'a>,
    ) -> Option<HalfPosition<'a>> {
        let extent = self.tile.shape[self.axis];
        let same = HalfPosition {
            index: self.index,
            inside: None,
        };
        if piece == Piece::Whole || extent == 1 {
            return Some(same);
        }
        let shape = self.memory.r#type().static_shape()?;
        let [matrices @ .., rows, columns] = &shape[..] else {
            return None;
        };
        let data = [rows, columns][self.axis];
        let several = self.axis == 0 && matrices.iter().any(|count| *count > 1);
        let (tiles, halves) = (data.div_ceil(extent), data.div_ceil(extent / 2));
        let one_less = halves < 2 * tiles;
        let own = |index| match piece {
            Piece::Own => writer.compute(arith::AddIOp::NAME, index, lane.number),
            Piece::Whole | Piece::First => Some(index),
        };
        let twice = |index| writer.compute(arith::MulIOp::NAME, index, lane.count);
        let mut index = twice(self.index)?;
        let tiles = match several && one_less {
            true => Some(writer.constant(tiles)?),
            false => None,
        };
        if let Some(tiles) = tiles {
            let matrix = writer.compute(arith::DivSIOp::NAME, self.index, tiles)?;
            index = writer.compute(arith::SubIOp::NAME, index, matrix)?;
        }
        index = own(index)?;
        if !one_less || piece == Piece::First {
            return Some(HalfPosition { index, ..same });
        }
        let in_matrix = match tiles {
            Some(tiles) => own(twice(writer.compute(
                arith::RemSIOp::NAME,
                self.index,
                tiles,
            )?)?)?,
            None => index,
        };
        let inside = writer.less(in_matrix, writer.constant(halves)?);
        Some(HalfPosition { index, inside })
    }
}

/// Builder of index arithmetic.
pub struct IndexWriter<'r, 'a> {
    /// The rewriter.
    pub rewriter: &'r Rewriter<'a>,
    /// The operation whose location is used.
    pub cause: Op<'a>,
    /// The insertion block.
    pub to: Block<'a>,
}

impl<'a> IndexWriter<'_, 'a> {
    fn insert(&self, op: NewOp<'a>) -> Option<Value<'a>> {
        self.rewriter.insert(At::End(self.to), op).result(0)
    }

    fn constant(&self, value: u64) -> Option<Value<'a>> {
        let context = self.rewriter.context();
        let index = context.index();
        let value = context.integer_attribute(index, i64::try_from(value).ok()?);
        let op = arith::ConstantOp::build(self.cause.location());
        let op = op.with(context, arith::ConstantOp::VALUE, value);
        self.insert(op.results([index]))
    }

    fn compute(&self, name: &str, left: Value<'a>, right: Value<'a>) -> Option<Value<'a>> {
        let op = NewOp::new(name, self.cause.location());
        self.insert(op.operands([left, right]).results([left.r#type()]))
    }

    fn less(&self, left: Value<'a>, right: Value<'a>) -> Option<Value<'a>> {
        /// `slt`, as MLIR numbers predicates.
        const SIGNED_LESS: i64 = 2;
        let context = self.rewriter.context();
        let op = arith::CmpIOp::build(self.cause.location())
            .operands([left, right])
            .with(context, arith::CmpIOp::PREDICATE, SIGNED_LESS)
            .results([context.integer(1)]);
        self.insert(op)
    }
}
