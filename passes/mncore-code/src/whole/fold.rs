//! Finds the reductions in what loops join tile by tile.
//!
//! A reduction along an axis comes in pieces: tiles that are reduced and joined, or joined and reduced; those of a loop, and the first or
//! last of them by themselves. The pieces must be one expression of tiles, at each tile of the axis once.

use std::rc::Rc;

use tessera_pto::kernel::{Axis, Binary, Broadcast, Reduce, Unary};

use super::form::{at_iteration, refuse, same, Along, Former, Frame, Same};
use super::trace::{LoopId, Range, Tile, TileKind};
use super::{ExprKind, Reason, WholeError};

/// Tiles that are reduced.
struct Piece {
    reduce: Reduce,
    axis: Axis,
    /// Valid elements of each along the axis.
    valid: u32,
    of: Rc<Tile>,
    /// The loop whose iterations are the tiles; none is one tile.
    over: Option<LoopId>,
}

/// All pieces of a reduction, in order, and the numbers it begins with.
#[derive(Default)]
struct Pieces {
    tiles: Vec<Piece>,
    begins: Vec<f64>,
}

impl Pieces {
    /// Those of a tile; nothing if it is no reduction.
    fn of(tile: &Tile) -> Option<Pieces> {
        let mut pieces = Pieces::default();
        pieces.add(tile, None, None).then_some(pieces)
    }

    /// Adds those of a tile, in the iterations of a loop; tells whether it is a reduction, of this kind if one is given.
    fn add(&mut self, tile: &Tile, over: Option<LoopId>, kind: Option<Binary>) -> bool {
        let of_kind = |join: &Binary| kind.is_none_or(|kind| kind == *join);
        match &tile.kind {
            TileKind::Reduce(reduce, axis, valid, of) => {
                let make = |of: &Rc<Tile>, over| Piece {
                    reduce: *reduce,
                    axis: *axis,
                    valid: *valid,
                    of: of.clone(),
                    over,
                };
                of_kind(&join_of(*reduce)) && self.elements(of, over, join_of(*reduce), &make)
            }
            TileKind::Fold {
                join,
                first,
                counter,
                part,
            } if over.is_none() && of_kind(join) => {
                self.add(first, None, Some(*join)) && self.add(part, Some(*counter), Some(*join))
            }
            TileKind::Binary(join, Broadcast::None, one, other)
                if over.is_none() && of_kind(join) =>
            {
                self.add(one, None, Some(*join)) && self.add(other, None, Some(*join))
            }
            TileKind::Fill(value) if over.is_none() && kind.is_some() => {
                self.begins.push(*value);
                true
            }
            _ => false,
        }
    }

    /// Adds tiles that are joined before they are reduced.
    fn elements(
        &mut self,
        tile: &Rc<Tile>,
        over: Option<LoopId>,
        kind: Binary,
        make: &dyn Fn(&Rc<Tile>, Option<LoopId>) -> Piece,
    ) -> bool {
        match &tile.kind {
            TileKind::Fold {
                join,
                first,
                counter,
                part,
            } if over.is_none() && *join == kind => {
                match first.kind {
                    TileKind::Fill(value) => self.begins.push(value),
                    _ if !self.elements(first, None, kind, make) => return false,
                    _ => {}
                }
                self.tiles.push(make(part, Some(*counter)));
            }
            _ => self.tiles.push(make(tile, over)),
        }
        true
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
fn neutral(reduce: Reduce) -> f64 {
    match reduce {
        Reduce::Sum => 0.0,
        Reduce::Max => f64::NEG_INFINITY,
        Reduce::Min => f64::INFINITY,
    }
}

/// Pieces that are one expression of tiles at each place of an axis.
struct Cover {
    /// What each tile is, in an iteration of the loop.
    of: Rc<Tile>,
    counter: Option<LoopId>,
    /// The tiles of each piece.
    ranges: Vec<Range>,
}

impl Former<'_> {
    /// Whether a tile is the result of one reduction.
    pub(super) fn is_reduction(&self, tile: &Tile) -> bool {
        Pieces::of(tile).is_some_and(|pieces| self.cover(&pieces).is_some())
    }

    fn cover(&self, pieces: &Pieces) -> Option<Cover> {
        let all = &pieces.tiles;
        let first = all.first()?;
        let alike = |piece: &Piece| piece.reduce == first.reduce && piece.axis == first.axis;
        let begins = |value: &f64| *value == neutral(first.reduce);
        if !all.iter().all(alike) || !pieces.begins.iter().all(begins) {
            return None;
        }
        let in_loop = all.iter().find_map(|p| p.over.map(|id| (&p.of, id)));
        let (of, counter) = match in_loop {
            Some((of, counter)) => (of, Some(counter)),
            None if all.len() == 1 => (&first.of, None),
            None => return None,
        };
        let mut next = 0;
        let mut ranges = Vec::new();
        for piece in all {
            let (range, is_same) = match (piece.over, counter) {
                (Some(other), _) => (self.loops[other], Some(other) == counter),
                (None, Some(counter)) => {
                    let here = at_iteration(of, counter, next);
                    (one_tile(next), same(&piece.of, &here))
                }
                (None, None) => (one_tile(next), true),
            };
            if !is_same || range.from != next {
                return None;
            }
            next = range.to;
            ranges.push(range);
        }
        Some(Cover {
            of: of.clone(),
            counter,
            ranges,
        })
    }

    /// The reduction that a tile is the result of.
    pub(super) fn reduction(&self, tile: &Tile, frame: &Frame) -> Result<ExprKind, WholeError> {
        let refuse = |reason| refuse(tile.location, reason);
        let pieces = Pieces::of(tile).ok_or(refuse(Reason::Carried))?;
        let cover = self.cover(&pieces).ok_or(refuse(Reason::Reduction))?;
        let (reduce, axis) = (pieces.tiles[0].reduce, pieces.tiles[0].axis);
        let number = usize::from(axis == Axis::Columns);
        let found = self.extent(&cover.of, number);
        let (extent, size) = found.ok_or(refuse(Reason::Reduction))?;
        let tiles = i64::from(extent.div_ceil(size));
        if cover.ranges.last().is_none_or(|range| range.to != tiles) {
            return Err(refuse(Reason::Reduction));
        }
        for (piece, range) in pieces.tiles.iter().zip(&cover.ranges) {
            valid(piece, *range, extent, size).map_err(refuse)?;
        }
        let mut inner = *frame;
        let along = match axis {
            Axis::Rows => &mut inner.row,
            Axis::Columns => &mut inner.column,
        };
        if along.extent != 1 && along.same != Same::Always {
            return Err(refuse(Reason::Left));
        }
        *along = Along {
            at: cover.counter,
            tile: size,
            extent,
            same: Same::Never,
        };
        Ok(ExprKind::Reduce {
            reduce,
            axis,
            extent,
            of: Box::new(self.expr(&cover.of, &inner)?),
        })
    }
}

fn one_tile(at: i64) -> Range {
    Range {
        from: at,
        to: at + 1,
    }
}

/// Checks that all elements of a tensor take part in a piece, and no others; or others that change nothing.
fn valid(piece: &Piece, range: Range, extent: u32, size: u32) -> Result<(), Reason> {
    let last = i64::from(extent.div_ceil(size)) - 1;
    let own = extent - last as u32 * size;
    if range.from < last && range.from < range.to && piece.valid != size {
        return Err(Reason::Reduction);
    }
    if range.to <= last || piece.valid == own {
        return Ok(());
    }
    match piece.valid.checked_sub(own) {
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
        TileKind::Unary(Unary::Neg | Unary::Abs | Unary::Relu | Unary::Sqrt | Unary::Tanh, one) => {
            is_padded_with_zeros(one)
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
