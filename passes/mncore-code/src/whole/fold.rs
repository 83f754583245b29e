//! Finds the reductions in what loops join tile by tile.
//!
//! A reduction comes in pieces: tiles that are reduced along one axis or both, and joined. Some are
//! the iterations of loops; the first or the last of a row may stand by itself. Together they must
//! cover the tensor, each of its tiles once, and be the same expression of it.

use std::rc::Rc;

use tessera_pto::kernel::{Axis, Binary, Broadcast, Element, Reduce};

use super::form::{refuse, Along, Former, Frame, Same};
use super::trace::{LoopId, Range, Tile, TileKind};
use super::{Expr, ExprKind, Reason, WholeError};

/// Tiles that are reduced.
struct Piece {
    reduce: Reduce,
    /// Along which axes, the last one first, and how many elements of each tile are valid along
    /// each.
    axes: Vec<(Axis, u32)>,
    of: Rc<Tile>,
    /// The loops whose iterations are the tiles.
    over: Vec<LoopId>,
}

/// All pieces of a reduction, and the numbers it begins with.
#[derive(Default)]
struct Pieces {
    tiles: Vec<Piece>,
    begins: Vec<f64>,
}

impl Pieces {
    /// Those of a tile; nothing if it is no reduction.
    fn of(tile: &Tile) -> Option<Pieces> {
        let mut pieces = Pieces::default();
        pieces.add(tile, &[]).then_some(pieces)
    }

    /// Adds those of a tile, in the iterations of loops; tells whether it is a reduction.
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
                self.tiles.push(Piece {
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

/// Whether all joins of a reduction are those of its kind.
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

/// What joins two results of a reduction.
fn join_of(reduce: Reduce) -> Binary {
    match reduce {
        Reduce::Sum => Binary::Add,
        Reduce::Max => Binary::Max,
        Reduce::Min => Binary::Min,
    }
}

/// What a reduction of nothing is.
fn neutral(reduce: Reduce, element: Element) -> f64 {
    match (reduce, element.is_integer()) {
        (Reduce::Sum, _) => 0.0,
        (Reduce::Max, false) => f64::NEG_INFINITY,
        (Reduce::Min, false) => f64::INFINITY,
        (Reduce::Max, true) => i32::MIN.into(),
        (Reduce::Min, true) => i32::MAX.into(),
    }
}

/// The tiles that a piece covers along each of its axes, and the whole extent along them.
struct Cover {
    ranges: Vec<Range>,
    extents: Vec<u32>,
    tiles: Vec<i64>,
    /// What it is of, as an expression of whole tensors.
    expr: Expr,
}

impl Former<'_> {
    /// The reduction that a tile is the result of.
    pub(super) fn reduction(&self, tile: &Tile, frame: &Frame) -> Result<ExprKind, WholeError> {
        let refuse = |reason| refuse(tile.location, reason);
        let pieces = Pieces::of(tile).ok_or(refuse(Reason::Carried))?;
        let first = pieces.tiles.first().ok_or(refuse(Reason::Carried))?;
        let reduce = first.reduce;
        let begins = |value: &f64| *value == neutral(reduce, tile.element);
        if !joins(tile, join_of(reduce)) || !pieces.begins.iter().all(begins) {
            return Err(refuse(Reason::Carried));
        }
        let axes: Vec<Axis> = first.axes.iter().map(|(axis, _)| *axis).collect();
        let mut covers = Vec::new();
        for piece in &pieces.tiles {
            let own = piece.axes.iter().map(|(axis, _)| *axis);
            if piece.reduce != reduce || !own.eq(axes.iter().copied()) {
                return Err(refuse(Reason::Reduction));
            }
            covers.push(self.cover(piece, frame)?);
        }
        let whole = &covers[0];
        let alike = |cover: &Cover| cover.expr == whole.expr && cover.extents == whole.extents;
        if !covers.iter().all(alike) || !is_partition(&covers) {
            return Err(refuse(Reason::Reduction));
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
                location: tile.location,
            };
        }
        Ok(expr.kind)
    }

    /// What a piece covers.
    fn cover(&self, piece: &Piece, frame: &Frame) -> Result<Cover, WholeError> {
        let refuse = |reason| refuse(piece.of.location, reason);
        let mut inner = *frame;
        let mut cover = (Vec::new(), Vec::new(), Vec::new());
        let mut over = piece.over.clone();
        for &(axis, valid) in &piece.axes {
            let number = usize::from(axis == Axis::Columns);
            let found = self.extent(&piece.of, number);
            let (extent, size, at) = found.ok_or(refuse(Reason::Reduction))?;
            let range = at.range(self.loops);
            check_valid(piece, valid, range, extent, size).map_err(refuse)?;
            let along = match axis {
                Axis::Rows => &mut inner.row,
                Axis::Columns => &mut inner.column,
            };
            if along.extent != 1 && along.same != Same::Always {
                return Err(refuse(Reason::Left));
            }
            *along = Along {
                at,
                tile: size,
                extent,
                same: Same::Never,
            };
            over.retain(|id| at != super::form::Coordinate::Loop(*id));
            cover.0.push(range);
            cover.1.push(extent);
            cover.2.push(i64::from(extent.div_ceil(size)));
        }
        // What is done again and again with the same tile.
        if over
            .iter()
            .any(|id| self.loops[*id] != Range { from: 0, to: 1 })
        {
            return Err(refuse(Reason::Reduction));
        }
        let (ranges, extents, tiles) = cover;
        Ok(Cover {
            ranges,
            extents,
            tiles,
            expr: self.expr(&piece.of, &inner)?,
        })
    }
}

/// Whether pieces cover all tiles, each once.
fn is_partition(covers: &[Cover]) -> bool {
    let count = |range: &Range| range.to - range.from;
    let area = |cover: &Cover| cover.ranges.iter().map(count).product::<i64>();
    let inside = |cover: &Cover| {
        let pairs = cover.ranges.iter().zip(&cover.tiles);
        pairs.into_iter().all(|(range, tiles)| range.to <= *tiles)
    };
    let apart = |one: &Cover, other: &Cover| {
        let mut pairs = one.ranges.iter().zip(&other.ranges);
        pairs.any(|(one, other)| one.to <= other.from || other.to <= one.from)
    };
    let each = covers.iter().enumerate();
    let mut each = each.map(|(number, one)| covers[..number].iter().all(|other| apart(one, other)));
    let all: i64 = covers[0].tiles.iter().product();
    covers.iter().all(inside) && each.all(|is| is) && covers.iter().map(area).sum::<i64>() == all
}

/// Checks that all elements of a tensor take part in a piece, and no others; or others that change
/// nothing.
fn check_valid(
    piece: &Piece,
    valid: u32,
    range: Range,
    extent: u32,
    size: u32,
) -> Result<(), Reason> {
    let last = i64::from(extent.div_ceil(size)) - 1;
    let own = extent - last as u32 * size;
    if range.from < last && range.from < range.to && valid != size {
        return Err(Reason::Reduction);
    }
    if range.to <= last || valid == own {
        return Ok(());
    }
    match valid.checked_sub(own) {
        None => Err(Reason::Reduction),
        Some(_) if piece.reduce == Reduce::Sum && is_padded_with_zeros(&piece.of) => Ok(()),
        Some(padding) => Err(Reason::Padding {
            padding,
            valid: own,
        }),
    }
}

/// Whether what a tile has beyond the extent of its tensors is 0.
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
