//! Recognises reductions in what loops combine tile by tile.
//!
//! A reduction consists of pieces: tiles that are reduced along one axis or both, and combined.
//! Some pieces are iterations of loops; the first or the last tile of a row may stand alone.
//! Together they must partition the tensor's tiles and have the same operand.

use std::rc::Rc;

use tessera_pto::kernel::{Axis, Binary, Broadcast, Element, Reduce};
use tessera_pto::target::Precision;

use super::tensor_exprs::{refuse, BroadcastState, ExprBuilder, Frame, FrameAxis};
use super::trace::{LoopId, Range, Tile, TileKind};
use super::{Expr, ExprKind, RaiseError, RaiseErrorReason};

/// Reduced tiles.
struct ReductionPiece {
    reduce: Reduce,
    /// The axes, the last one first, with the number of valid elements of each tile along them.
    axes: Vec<(Axis, u32)>,
    of: Rc<Tile>,
    /// The loops whose iterations yield the tiles.
    over: Vec<LoopId>,
}

/// All pieces of a reduction, and its initial values.
#[derive(Default)]
struct ReductionPieces {
    tiles: Vec<ReductionPiece>,
    begins: Vec<f64>,
}

impl ReductionPieces {
    /// Collects the pieces of a tile; `None` if it is not a reduction.
    fn from_tile(tile: &Tile) -> Option<ReductionPieces> {
        let mut pieces = ReductionPieces::default();
        pieces.add(tile, &[]).then_some(pieces)
    }

    /// Adds the pieces of a tile within the iterations of loops; returns whether it is a reduction.
    fn add(&mut self, tile: &Tile, over: &[LoopId]) -> bool {
        match &tile.kind {
            TileKind::Reduce(reduce, axis, valid, of) => {
                let mut axes = vec![(*axis, *valid)];
                let mut of = of;
                if let TileKind::Reduce(other, inner, valid, inner_of) = &of.kind {
                    if other == reduce && inner != axis {
                        axes.push((*inner, *valid));
                        of = inner_of;
                    }
                }
                self.tiles.push(ReductionPiece {
                    reduce: *reduce,
                    axes,
                    of: of.clone(),
                    over: over.to_vec(),
                });
                true
            }
            TileKind::Fold {
                first,
                counter,
                part,
                ..
            } => self.add(first, over) && self.add(part, &[over, &[*counter]].concat()),
            TileKind::Binary(_, Broadcast::None, one, other) => {
                self.add(one, over) && self.add(other, over)
            }
            TileKind::Fill(value) => {
                self.begins.push(*value);
                true
            }
            TileKind::Nothing => true,
            _ => false,
        }
    }
}

/// Returns whether all combinations of a reduction are of this kind.
fn joins(tile: &Tile, kind: Binary) -> bool {
    match &tile.kind {
        TileKind::Fold {
            join, first, part, ..
        } => *join == kind && joins(first, kind) && joins(part, kind),
        TileKind::Binary(join, _, one, other) => {
            *join == kind && joins(one, kind) && joins(other, kind)
        }
        _ => true,
    }
}

/// Returns the operation that combines two results of a reduction.
fn combining_op(reduce: Reduce) -> Binary {
    match reduce {
        Reduce::Sum => Binary::Add,
        Reduce::Max => Binary::Max,
        Reduce::Min => Binary::Min,
    }
}

/// Returns the neutral element of a reduction.
fn neutral(reduce: Reduce, element: Element) -> f64 {
    match (reduce, element.is_integer()) {
        (Reduce::Sum, _) => 0.0,
        (Reduce::Max, false) => f64::NEG_INFINITY,
        (Reduce::Min, false) => f64::INFINITY,
        (Reduce::Max, true) => i32::MIN.into(),
        (Reduce::Min, true) => i32::MAX.into(),
    }
}

/// The tiles that a piece covers along each of its axes, and the full extents.
struct CoveredTiles {
    ranges: Vec<Range>,
    extents: Vec<u32>,
    tiles: Vec<i64>,
    /// Its operand as a tensor expression.
    expr: Expr,
}

impl ExprBuilder<'_> {
    /// Returns the reduction whose result a tile is.
    pub(super) fn reduction(&self, tile: &Tile, frame: &Frame) -> Result<ExprKind, RaiseError> {
        let refuse = |reason| refuse(tile.location, reason);
        let pieces = ReductionPieces::from_tile(tile).ok_or(refuse(RaiseErrorReason::Carried))?;
        let first = pieces
            .tiles
            .first()
            .ok_or(refuse(RaiseErrorReason::Carried))?;
        let reduce = first.reduce;
        let begins = |value: &f64| *value == neutral(reduce, tile.element);
        if !joins(tile, combining_op(reduce)) || !pieces.begins.iter().all(begins) {
            return Err(refuse(RaiseErrorReason::Carried));
        }
        let axes: Vec<Axis> = first.axes.iter().map(|(axis, _)| *axis).collect();
        let mut covers = Vec::new();
        for piece in &pieces.tiles {
            let own = piece.axes.iter().map(|(axis, _)| *axis);
            if piece.reduce != reduce || !own.eq(axes.iter().copied()) {
                return Err(refuse(RaiseErrorReason::Reduction));
            }
            covers.push(self.cover(piece, frame)?);
        }
        let whole = &covers[0];
        let alike =
            |cover: &CoveredTiles| cover.expr == whole.expr && cover.extents == whole.extents;
        if !covers.iter().all(alike) || !is_partition(&covers) {
            return Err(refuse(RaiseErrorReason::Reduction));
        }
        let mut expr = whole.expr.clone();
        for (axis, extent) in axes.iter().zip(&whole.extents).rev() {
            let kind = ExprKind::Reduce {
                reduce,
                axis: *axis,
                extent: *extent,
                of: Box::new(expr),
            };
            expr = Expr {
                kind,
                element: tile.element,
                precision: Precision::default(),
                location: tile.location,
            };
        }
        Ok(expr.kind)
    }

    /// Returns the tiles that a piece covers.
    fn cover(&self, piece: &ReductionPiece, frame: &Frame) -> Result<CoveredTiles, RaiseError> {
        let refuse = |reason| refuse(piece.of.location, reason);
        let mut inner = *frame;
        let mut cover = (Vec::new(), Vec::new(), Vec::new());
        let mut over = piece.over.clone();
        for &(axis, valid) in &piece.axes {
            let number = usize::from(axis == Axis::Columns);
            let found = self.extent(&piece.of, number);
            let (extent, size, at) = found.ok_or(refuse(RaiseErrorReason::Reduction))?;
            let range = at.range(self.loops);
            check_valid(piece, valid, range, extent, size).map_err(refuse)?;
            let along = match axis {
                Axis::Rows => &mut inner.row,
                Axis::Columns => &mut inner.column,
            };
            if along.extent != 1 && along.same != BroadcastState::Always {
                return Err(refuse(RaiseErrorReason::Left));
            }
            *along = FrameAxis {
                at,
                tile: size,
                extent,
                same: BroadcastState::Never,
            };
            over.retain(|id| at != super::tensor_exprs::Coordinate::Loop(*id));
            cover.0.push(range);
            cover.1.push(extent);
            cover.2.push(i64::from(extent.div_ceil(size)));
        }
        // Other loops would reduce the same tile repeatedly.
        if over
            .iter()
            .any(|id| self.loops[*id] != Range { from: 0, to: 1 })
        {
            return Err(refuse(RaiseErrorReason::Reduction));
        }
        let (ranges, extents, tiles) = cover;
        Ok(CoveredTiles {
            ranges,
            extents,
            tiles,
            expr: self.expr(&piece.of, &inner)?,
        })
    }
}

/// Returns whether pieces cover all tiles exactly once.
fn is_partition(covers: &[CoveredTiles]) -> bool {
    let count = |range: &Range| range.to - range.from;
    let area = |cover: &CoveredTiles| cover.ranges.iter().map(count).product::<i64>();
    let inside = |cover: &CoveredTiles| {
        let pairs = cover.ranges.iter().zip(&cover.tiles);
        pairs.into_iter().all(|(range, tiles)| range.to <= *tiles)
    };
    let apart = |one: &CoveredTiles, other: &CoveredTiles| {
        let mut pairs = one.ranges.iter().zip(&other.ranges);
        pairs.any(|(one, other)| one.to <= other.from || other.to <= one.from)
    };
    let each = covers.iter().enumerate();
    let mut each = each.map(|(number, one)| covers[..number].iter().all(|other| apart(one, other)));
    let all: i64 = covers[0].tiles.iter().product();
    covers.iter().all(inside) && each.all(|is| is) && covers.iter().map(area).sum::<i64>() == all
}

/// Checks that a piece reduces all elements of a tensor and no padding, unless the padding is
/// neutral.
fn check_valid(
    piece: &ReductionPiece,
    valid: u32,
    range: Range,
    extent: u32,
    size: u32,
) -> Result<(), RaiseErrorReason> {
    let last = i64::from(extent.div_ceil(size)) - 1;
    let own = extent - last as u32 * size;
    if range.from < last && range.from < range.to && valid != size {
        return Err(RaiseErrorReason::Reduction);
    }
    if range.to <= last || valid == own {
        return Ok(());
    }
    match valid.checked_sub(own) {
        None => Err(RaiseErrorReason::Reduction),
        Some(_) if piece.reduce == Reduce::Sum && is_padded_with_zeros(&piece.of) => Ok(()),
        Some(padding) => Err(RaiseErrorReason::Padding {
            padding,
            valid: own,
        }),
    }
}

/// Returns whether a tile's padding is 0.
fn is_padded_with_zeros(tile: &Tile) -> bool {
    match &tile.kind {
        TileKind::Load { .. } => true,
        TileKind::Convert(_, one) | TileKind::Transpose(one) => is_padded_with_zeros(one),
        TileKind::Unary(function, one) => {
            function.eval(one.element, 0.0) == 0.0 && is_padded_with_zeros(one)
        }
        TileKind::Binary(
            Binary::Add | Binary::Subtract | Binary::Multiply,
            Broadcast::None,
            one,
            other,
        ) => is_padded_with_zeros(one) && is_padded_with_zeros(other),
        _ => false,
    }
}
