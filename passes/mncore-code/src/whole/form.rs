//! Makes expressions of whole tensors from expressions of tiles.

use std::rc::Rc;

use tessera_pto::kernel::{Broadcast, Group, TensorType};

use super::pipes::{with_parts, Joined, Stored};
use super::trace::{Index, LoopId, Range, Tile, TileKind};
use super::{Expr, ExprKind, Reason, Spread, Store, Whole, WholeError};

/// The expressions of all stores.
pub(super) fn form(group: &Group, joined: &Joined) -> Result<Whole, WholeError> {
    let mut stores: Vec<Store> = Vec::new();
    for stored in &joined.stores {
        let former = Former {
            tensors: &group.tensors,
            loops: &joined.loops,
        };
        let store = former.store(stored)?;
        if stores.iter().any(|other| other.tensor == store.tensor) {
            return Err(refuse(stored.location, Reason::Twice(store.tensor)));
        }
        stores.push(store);
    }
    for store in &stores {
        let mut loaded = None;
        store.value.visit(&mut |expr| match expr.kind {
            ExprKind::Tensor(tensor, _) if stores.iter().any(|s| s.tensor == tensor) => {
                loaded = Some(refuse(expr.location, Reason::Twice(tensor)));
            }
            _ => {}
        });
        loaded.map_or(Ok(()), Err)?;
    }
    Ok(Whole {
        tensors: group.tensors.clone(),
        stores,
    })
}

pub(super) fn refuse(location: usize, reason: Reason) -> WholeError {
    WholeError { location, reason }
}

/// A coordinate in tiles: a loop's counter; none is 0.
type Coordinate = Option<LoopId>;

/// Whether an operand is the same everywhere along a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Same {
    Never,
    Perhaps,
    Always,
}

/// A coordinate of what is formed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    pub at: Coordinate,
    /// Elements of a tile.
    pub tile: u32,
    /// Elements of the whole.
    pub extent: u32,
    pub same: Same,
}

/// Where the tile lies that is formed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    matrix: Along,
    pub row: Along,
    pub column: Along,
}

pub(super) struct Former<'a> {
    tensors: &'a [TensorType],
    pub loops: &'a [Range],
}

impl Former<'_> {
    fn store(&self, stored: &Stored) -> Result<Store, WholeError> {
        let tensor = self.tensors[stored.tensor];
        let part = || refuse(stored.location, Reason::Part(stored.tensor));
        let [matrix, row, column] = self
            .coordinates(&tensor, stored.shape, &stored.at)
            .ok_or_else(part)?;
        let axis = |at, tile, extent| Along {
            at,
            tile,
            extent,
            same: Same::Never,
        };
        let frame = Frame {
            matrix: Along {
                same: Same::Perhaps,
                ..axis(matrix, 1, tensor.matrices)
            },
            row: axis(row, stored.shape[0], tensor.rows),
            column: axis(column, stored.shape[1], tensor.columns),
        };
        let axes = [frame.matrix, frame.row, frame.column];
        let covers = |axis: &Along| {
            let tiles = i64::from(axis.extent.div_ceil(axis.tile));
            axis.at.map_or(tiles == 1, |id| {
                self.loops[id] == Range { from: 0, to: tiles }
            })
        };
        let used =
            |id: &LoopId| self.is_single(*id) || axes.iter().any(|axis| axis.at == Some(*id));
        if !axes.iter().all(covers) || !stored.around.iter().all(used) {
            return Err(part());
        }
        Ok(Store {
            tensor: stored.tensor,
            value: self.expr(&stored.tile, &frame)?,
            location: stored.location,
        })
    }

    /// Whether a loop's only iteration is 0.
    fn is_single(&self, id: LoopId) -> bool {
        self.loops[id] == Range { from: 0, to: 1 }
    }

    /// The matrix, row and column of a tile of a tensor; nothing if the indices are of another form.
    fn coordinates(
        &self,
        tensor: &TensorType,
        shape: [u32; 2],
        at: &[Index; 2],
    ) -> Option<[Coordinate; 3]> {
        let terms = |index: &Index| -> Option<Vec<(LoopId, i64)>> {
            let terms = index.terms.iter().map(|(&id, &count)| (id, count));
            let terms = terms.filter(|(id, _)| !self.is_single(*id)).collect();
            (index.constant == 0).then_some(terms)
        };
        let column = match terms(&at[1])?[..] {
            [] => None,
            [(id, 1)] => Some(id),
            _ => return None,
        };
        let down = i64::from(tensor.rows.div_ceil(shape[0]));
        let one_matrix = tensor.matrices == 1;
        let [matrix, row] = match terms(&at[0])?[..] {
            [] => [None, None],
            [(id, 1)] if one_matrix || down > 1 => [None, Some(id)],
            [(id, count)] if count == down => [Some(id), None],
            [(one, 1), (other, count)] | [(other, count), (one, 1)]
                if count == down && down > 1 =>
            {
                [Some(other), Some(one)]
            }
            _ => return None,
        };
        Some([matrix, row, column])
    }

    pub fn expr(&self, tile: &Rc<Tile>, frame: &Frame) -> Result<Expr, WholeError> {
        let boxed = |tile: &Rc<Tile>| self.expr(tile, frame).map(Box::new);
        let kind = match &tile.kind {
            TileKind::Load { tensor, shape, at } => {
                ExprKind::Tensor(*tensor, self.load(tile, *tensor, *shape, at, frame)?)
            }
            TileKind::Fill(value) => ExprKind::Fill(*value),
            TileKind::Unary(unary, one) => ExprKind::Unary(*unary, boxed(one)?),
            TileKind::Convert(element, one) => ExprKind::Convert(*element, boxed(one)?),
            TileKind::Select(all) => {
                let [condition, one, other] = all;
                let all = [
                    self.expr(condition, frame)?,
                    self.expr(one, frame)?,
                    self.expr(other, frame)?,
                ];
                ExprKind::Select(Box::new(all))
            }
            TileKind::Transpose(one) => {
                let turned = Frame {
                    row: frame.column,
                    column: frame.row,
                    ..*frame
                };
                return Ok(self.expr(one, &turned)?.transposed());
            }
            TileKind::Reduce(..) | TileKind::Fold { .. } => self.reduction(tile, frame)?,
            TileKind::Binary(..) if self.is_reduction(tile) => self.reduction(tile, frame)?,
            TileKind::Binary(binary, broadcast, one, other) => {
                let spread = spread(frame, *broadcast);
                let both = [self.expr(one, frame)?, self.expr(other, &spread)?];
                ExprKind::Binary(*binary, Box::new(both))
            }
            TileKind::Matmul(one, other) => self.product(tile, [one, other], None, frame)?,
            TileKind::Sum {
                first,
                counter,
                factors: [one, other],
            } => {
                self.begins(tile, first, *counter, [one, other])?;
                self.product(tile, [one, other], Some(*counter), frame)?
            }
            TileKind::Carried(..) | TileKind::Accumulate(..) | TileKind::Popped(_) => {
                return Err(refuse(tile.location, Reason::Carried))
            }
        };
        Ok(Expr {
            kind,
            element: tile.element,
            location: tile.location,
        })
    }

    /// Along what a tensor that is loaded is the same everywhere.
    fn load(
        &self,
        tile: &Tile,
        tensor: usize,
        shape: [u32; 2],
        at: &[Index; 2],
        frame: &Frame,
    ) -> Result<Spread, WholeError> {
        let place = || refuse(tile.location, Reason::Place(tensor));
        let kind = self.tensors[tensor];
        let found = self.coordinates(&kind, shape, at).ok_or_else(place)?;
        let given = [
            (found[0], 1, kind.matrices, frame.matrix),
            (found[1], shape[0], kind.rows, frame.row),
            (found[2], shape[1], kind.columns, frame.column),
        ];
        let mut spread = [false; 3];
        for ((at, size, extent, axis), spread) in given.into_iter().zip(&mut spread) {
            // A tensor with the extent of the result lies as the result does; its only tile may be named by 0.
            let lies = extent == axis.extent
                && (at == axis.at && size == axis.tile || at.is_none() && extent <= size);
            *spread = !lies;
            let is_one = extent == 1 && at.is_none();
            let possible = match axis.same {
                Same::Never => lies,
                Same::Perhaps => lies || is_one,
                Same::Always => is_one,
            };
            if !possible {
                return Err(place());
            }
        }
        let [matrices, rows, columns] = spread;
        Ok(Spread {
            transposed: false,
            matrices,
            rows,
            columns,
        })
    }

    /// Whether a sum begins with the product of the iteration before its first.
    fn begins(
        &self,
        tile: &Tile,
        first: &Rc<Tile>,
        counter: LoopId,
        factors: [&Rc<Tile>; 2],
    ) -> Result<(), WholeError> {
        let sum = || refuse(tile.location, Reason::Sum);
        let TileKind::Matmul(one, other) = &first.kind else {
            return Err(refuse(first.location, Reason::Carried));
        };
        let begins = self.loops[counter].from == 1
            && same(one, &at_iteration(factors[0], counter, 0))
            && same(other, &at_iteration(factors[1], counter, 0));
        begins.then_some(()).ok_or_else(sum)
    }

    fn product(
        &self,
        tile: &Tile,
        factors: [&Rc<Tile>; 2],
        counter: Option<LoopId>,
        frame: &Frame,
    ) -> Result<ExprKind, WholeError> {
        let sum = || refuse(tile.location, Reason::Sum);
        let depth = |tile: &Rc<Tile>, axis: usize| self.extent(tile, axis);
        let (left, size) = depth(factors[0], 1).ok_or_else(sum)?;
        let (right, other_size) = depth(factors[1], 0).ok_or_else(sum)?;
        let tiles = i64::from(left.div_ceil(size));
        let covered = counter.map_or(1, |counter| self.loops[counter].to);
        if (left, size) != (right, other_size) || covered != tiles {
            return Err(sum());
        }
        let inner = Along {
            at: counter,
            tile: size,
            extent: left,
            same: Same::Never,
        };
        let one = Frame {
            column: inner,
            ..*frame
        };
        let other = Frame {
            row: inner,
            ..*frame
        };
        let both = [self.expr(factors[0], &one)?, self.expr(factors[1], &other)?];
        Ok(ExprKind::Product(Box::new(both)))
    }

    /// Extent and size of tiles along rows (0) or columns (1): those of the first tensor that is not spread.
    pub fn extent(&self, tile: &Tile, axis: usize) -> Option<(u32, u32)> {
        match &tile.kind {
            TileKind::Load { tensor, shape, .. } => {
                let kind = self.tensors[*tensor];
                Some(([kind.rows, kind.columns][axis], shape[axis]))
            }
            TileKind::Unary(_, one) | TileKind::Convert(_, one) => self.extent(one, axis),
            TileKind::Binary(_, _, one, other) | TileKind::Select([_, one, other]) => {
                let first = self.extent(one, axis);
                first.or_else(|| self.extent(other, axis))
            }
            TileKind::Transpose(one) => self.extent(one, 1 - axis),
            _ => None,
        }
    }
}

/// A frame in which an operand is spread.
fn spread(frame: &Frame, broadcast: Broadcast) -> Frame {
    let rows = matches!(broadcast, Broadcast::Row | Broadcast::Scalar);
    let columns = matches!(broadcast, Broadcast::Column | Broadcast::Scalar);
    let mut frame = *frame;
    for (is, along) in [(rows, &mut frame.row), (columns, &mut frame.column)] {
        if is {
            along.same = Same::Always;
        }
    }
    frame
}

/// A tile in an iteration of a loop.
pub(super) fn at_iteration(tile: &Rc<Tile>, counter: LoopId, iteration: i64) -> Rc<Tile> {
    let index = |index: &Index| {
        let mut index = index.clone();
        let factor = index.terms.remove(&counter).unwrap_or_default();
        index.constant += factor * iteration;
        index
    };
    let part = |tile: &Rc<Tile>| at_iteration(tile, counter, iteration);
    with_parts(tile, &part, &index, &|id| id)
}

/// Whether two tiles come to be in the same way, wherever that is said.
pub(super) fn same(one: &Tile, other: &Tile) -> bool {
    let pairs = |a: &[&Rc<Tile>], b: &[&Rc<Tile>]| a.iter().zip(b).all(|(a, b)| same(a, b));
    match (&one.kind, &other.kind) {
        (TileKind::Unary(f, a), TileKind::Unary(g, b)) => f == g && same(a, b),
        (TileKind::Convert(f, a), TileKind::Convert(g, b)) => f == g && same(a, b),
        (TileKind::Binary(f, s, a, b), TileKind::Binary(g, t, c, d)) => {
            f == g && s == t && pairs(&[a, b], &[c, d])
        }
        (TileKind::Matmul(a, b), TileKind::Matmul(c, d)) => pairs(&[a, b], &[c, d]),
        (TileKind::Select(a), TileKind::Select(b)) => a.iter().zip(b).all(|(a, b)| same(a, b)),
        (TileKind::Transpose(a), TileKind::Transpose(b)) => same(a, b),
        (TileKind::Reduce(f, x, v, a), TileKind::Reduce(g, y, w, b)) => {
            (f, x, v) == (g, y, w) && same(a, b)
        }
        (one, other) => one == other,
    }
}
