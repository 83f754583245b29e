//! Loads and stores of halves: where in its tensor a half of a tile lies, and whether it lies there
//! at all.
//!
//! Places count tiles of the shape that is moved, rows through all matrices of a tensor, each of
//! which begins with a tile of its own. So a half is counted in halves, of which a matrix may have
//! one less than twice its tiles: then the second core has +0 for the last one, and stores nothing.

use tessera_dialects::mlir::{At, Block, NamedOp, NewOp, Op, Rewriter, TensorType, Value};
use tessera_dialects::pto::Tile;
use tessera_dialects::{arith, pto};

use super::slice::Piece;

/// The core that a vector kernel runs on.
#[derive(Clone, Copy)]
pub struct Lane<'a> {
    /// 0 for the first, 1 for the second.
    number: Value<'a>,
    /// The number of cores.
    count: Value<'a>,
}

impl<'a> Lane<'a> {
    /// Makes what tells the two cores apart.
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

/// Where a piece of a tile lies.
pub struct HalfPosition<'a> {
    /// Along the cut, counted in halves.
    pub index: Value<'a>,
    /// Whether it lies in the tensor, if it may be behind the end.
    pub inside: Option<Value<'a>>,
}

/// What is moved: a tile to or from a tensor, cut along an axis.
pub struct TileAccess<'t, 'a> {
    /// The whole tile.
    pub tile: &'t Tile<'a>,
    /// The tensor.
    pub memory: Value<'a>,
    /// Along which axis it is cut.
    pub axis: usize,
    /// Where the whole tile lies along it.
    pub index: Value<'a>,
}

impl<'a> TileAccess<'_, 'a> {
    /// Computes where the piece lies for an operation, with what it is written.
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

/// Writes operations on numbers.
pub struct IndexWriter<'r, 'a> {
    /// What makes them.
    pub rewriter: &'r Rewriter<'a>,
    /// What they are for.
    pub cause: Op<'a>,
    /// Where they go.
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
