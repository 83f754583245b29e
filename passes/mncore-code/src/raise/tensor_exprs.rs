//! Converts tile expressions to tensor expressions.

use std::rc::Rc;

use tessera_pto::kernel::{Binary, Broadcast, Group, TensorType};
use tessera_pto::target::Precision;

use super::pipes::{map_tile, ResolvedStores, TracedStore};
use super::trace::{Index, LoopId, Range, Tile, TileKind};
use super::{BroadcastView, Expr, ExprKind, RaiseError, RaiseErrorReason, Store, TensorProgram};

/// Returns the tensor expressions of all stores.
pub(super) fn build(group: &Group, joined: &ResolvedStores) -> Result<TensorProgram, RaiseError> {
    let is_local = |stored: &&TracedStore| group.local_index(stored.tensor).is_some();
    let (local, global): (Vec<_>, Vec<_>) = joined.stores.iter().partition(is_local);
    let mut builder = ExprBuilder {
        tensors: group.tensors.clone(),
        arguments: group.tensors.len(),
        rows: None,
        loops: &joined.loops,
    };
    let result = global.first().copied().filter(|_| !local.is_empty());
    if let Some(result) = result {
        builder.add_locals(group, result);
    }
    let mut all: Vec<Store> = Vec::new();
    for stored in local.iter().chain(&global) {
        builder.rows = result.and_then(|result| builder.rows_at(stored, result));
        let store = builder.store(stored)?;
        builder.check_order(&store, &all)?;
        all.push(store);
    }
    let stores = all.split_off(local.len());
    Ok(TensorProgram {
        tensors: builder.tensors,
        locals: all,
        stores,
        rearrangement: None,
    })
}

pub(super) fn refuse(location: usize, reason: RaiseErrorReason) -> RaiseError {
    RaiseError { location, reason }
}

/// A coordinate in units of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coordinate {
    /// A constant.
    Tile(i64),
    /// The counter of a loop.
    Loop(LoopId),
}

impl Coordinate {
    const ZERO: Self = Coordinate::Tile(0);

    /// Returns the range of tiles that it covers.
    pub fn range(self, loops: &[Range]) -> Range {
        match self {
            Coordinate::Tile(at) => Range {
                from: at,
                to: at + 1,
            },
            Coordinate::Loop(id) => loops[id],
        }
    }
}

/// Whether an operand is broadcast along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BroadcastState {
    Never,
    Possible,
    Always,
}

/// An axis of the iteration space of a tensor expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameAxis {
    pub at: Coordinate,
    /// Elements per tile.
    pub tile: u32,
    /// Elements of the tensor.
    pub extent: u32,
    pub same: BroadcastState,
}

/// The position, in the iteration space, of the tile that an expression computes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    matrix: FrameAxis,
    pub row: FrameAxis,
    pub column: FrameAxis,
}

pub(super) struct ExprBuilder<'a> {
    /// The arguments, and after these the tensors for which local ones stand.
    tensors: Vec<TensorType>,
    arguments: usize,
    /// The matrix and the row of tiles of the result that is being computed. Local tensors hold the
    /// elements of this row.
    rows: Option<[Coordinate; 2]>,
    pub loops: &'a [Range],
}

impl ExprBuilder<'_> {
    /// Adds the tensors for which local ones stand: those have all matrices and rows of the result.
    fn add_locals(&mut self, group: &Group, result: &TracedStore) {
        let result = self.tensors[result.tensor];
        let whole = |local: &TensorType| TensorType {
            matrices: result.matrices,
            rows: result.rows,
            ..*local
        };
        let locals = group.kernels.iter().flat_map(|kernel| &kernel.local);
        self.tensors.extend(locals.map(whole));
    }

    /// Returns the matrix and the row of the result that is computed when something is stored. Both
    /// stores are in loops over the rows of the result, maybe of different kernels.
    fn rows_at(&self, stored: &TracedStore, result: &TracedStore) -> Option<[Coordinate; 2]> {
        let [matrix, row, _] = self.coordinates(result.tensor, result.shape, &result.at)?;
        let own = |coordinate| match coordinate {
            Coordinate::Tile(_) => Some(coordinate),
            Coordinate::Loop(id) => {
                let depth = result.around.iter().position(|around| *around == id)?;
                let counter = *stored.around.get(depth)?;
                (self.loops[counter] == self.loops[id]).then_some(Coordinate::Loop(counter))
            }
        };
        Some([own(matrix)?, own(row)?])
    }

    /// Checks that no tensor is stored twice, that local tensors are stored before they are loaded,
    /// and that no others are both. `before` are the stores before this one.
    fn check_order(&self, store: &Store, before: &[Store]) -> Result<(), RaiseError> {
        let twice = |tensor, location| Err(refuse(location, RaiseErrorReason::Twice(tensor)));
        let is_stored = |tensor: usize| before.iter().any(|other| other.tensor == tensor);
        if is_stored(store.tensor) {
            return twice(store.tensor, store.location);
        }
        let mut checked = Ok(());
        for (reader, value) in before
            .iter()
            .chain([store])
            .map(|one| (one.tensor, &one.value))
        {
            value.visit(&mut |expr| match expr.kind {
                ExprKind::Tensor(tensor, _) if tensor < self.arguments => {
                    let is_written = tensor == store.tensor || is_stored(tensor);
                    if is_written && checked.is_ok() {
                        checked = twice(tensor, expr.location);
                    }
                }
                ExprKind::Tensor(tensor, _) if reader == store.tensor && !is_stored(tensor) => {
                    checked = Err(refuse(expr.location, RaiseErrorReason::Unstored));
                }
                _ => {}
            });
        }
        checked
    }

    fn store(&self, stored: &TracedStore) -> Result<Store, RaiseError> {
        let part = || refuse(stored.location, RaiseErrorReason::Part(stored.tensor));
        let [matrix, row, column] = self
            .coordinates(stored.tensor, stored.shape, &stored.at)
            .ok_or_else(part)?;
        let tensor = self.tensors[stored.tensor];
        let axis = |at, tile, extent| FrameAxis {
            at,
            tile,
            extent,
            same: BroadcastState::Never,
        };
        let frame = Frame {
            matrix: FrameAxis {
                same: BroadcastState::Possible,
                ..axis(matrix, 1, tensor.matrices)
            },
            row: axis(row, stored.shape[0], tensor.rows),
            column: FrameAxis {
                same: match self.is_local(stored.tensor) && tensor.columns == 1 {
                    // It is the same for all columns of a stage that reads it.
                    true => BroadcastState::Always,
                    false => BroadcastState::Never,
                },
                ..axis(column, stored.shape[1], tensor.columns)
            },
        };
        let axes = [frame.matrix, frame.row, frame.column];
        let covers = |axis: &FrameAxis| {
            let tiles = i64::from(axis.extent.div_ceil(axis.tile));
            axis.at.range(self.loops) == Range { from: 0, to: tiles }
        };
        let used = |id: &LoopId| {
            let counts = |axis: &FrameAxis| axis.at == Coordinate::Loop(*id);
            self.is_single(*id) || axes.iter().any(counts)
        };
        if !axes.iter().all(covers) || !stored.around.iter().all(used) {
            return Err(part());
        }
        Ok(Store {
            tensor: stored.tensor,
            value: self.expr(&stored.tile, &frame)?,
            location: stored.location,
        })
    }

    /// Returns whether a tensor stands for a local one.
    fn is_local(&self, tensor: usize) -> bool {
        tensor >= self.arguments
    }

    /// Returns whether a loop has the single iteration 0.
    fn is_single(&self, id: LoopId) -> bool {
        self.loops[id] == Range { from: 0, to: 1 }
    }

    /// Returns the matrix, row and column of a tile of a tensor; `None` if its indices have another
    /// form. A tile of a local tensor has the matrix and the row of the result.
    fn coordinates(
        &self,
        tensor: usize,
        shape: [u32; 2],
        at: &[Index; 2],
    ) -> Option<[Coordinate; 3]> {
        use Coordinate::{Loop, Tile};
        let is_local = self.is_local(tensor);
        let tensor = self.tensors.get(tensor)?;
        let terms = |index: &Index| -> Vec<(LoopId, i64)> {
            let terms = index.terms.iter().map(|(&id, &count)| (id, count));
            terms.filter(|(id, _)| !self.is_single(*id)).collect()
        };
        let column = match (&terms(&at[1])[..], at[1].constant) {
            ([], tile) => Tile(tile),
            ([(id, 1)], 0) => Loop(*id),
            _ => return None,
        };
        if let (true, Some([matrix, row])) = (is_local, self.rows) {
            let is_only_row = terms(&at[0]).is_empty() && at[0].constant == 0;
            return is_only_row.then_some([matrix, row, column]);
        }
        let down = i64::from(tensor.rows.div_ceil(shape[0]));
        let one_matrix = tensor.matrices == 1;
        let is_row = |tile: &i64| (0..down).contains(tile);
        let [matrix, row] = match (&terms(&at[0])[..], at[0].constant) {
            ([], tile) => [Tile(tile.div_euclid(down)), Tile(tile.rem_euclid(down))],
            ([(id, 1)], 0) if one_matrix || down > 1 => [Tile(0), Loop(*id)],
            ([(id, count)], row) if *count == down && is_row(&row) => [Loop(*id), Tile(row)],
            ([(one, 1), (other, count)] | [(other, count), (one, 1)], 0)
                if *count == down && down > 1 =>
            {
                [Loop(*other), Loop(*one)]
            }
            _ => return None,
        };
        Some([matrix, row, column])
    }

    /// Converts a tile expression within a frame.
    pub fn expr(&self, tile: &Rc<Tile>, frame: &Frame) -> Result<Expr, RaiseError> {
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
            TileKind::Binary(binary, broadcast, one, other) => {
                if let Ok(reduction) = self.reduction(tile, frame) {
                    return Ok(Expr {
                        kind: reduction,
                        element: tile.element,
                        precision: Precision::default(),
                        location: tile.location,
                    });
                }
                let inner = broadcast_frame(frame, *broadcast);
                if matches!((binary, &one.kind), (Binary::Multiply, TileKind::Fill(1.0))) {
                    // A broadcast without a computation.
                    return self.expr(other, &inner);
                }
                let both = [self.expr(one, frame)?, self.expr(other, &inner)?];
                ExprKind::Binary(*binary, Box::new(both))
            }
            TileKind::Matmul(one, other) => self.product(tile, [one, other], None, frame)?,
            TileKind::Sum {
                first,
                counter,
                factors: [one, other],
            } => {
                self.check_first_product(tile, first, *counter, [one, other])?;
                self.product(tile, [one, other], Some(*counter), frame)?
            }
            TileKind::Nothing
            | TileKind::Carried(..)
            | TileKind::Accumulate(..)
            | TileKind::Popped(_) => return Err(refuse(tile.location, RaiseErrorReason::Carried)),
        };
        Ok(Expr {
            kind,
            element: tile.element,
            precision: tile.precision,
            location: tile.location,
        })
    }

    /// Returns the axes along which a loaded tensor is broadcast.
    fn load(
        &self,
        tile: &Tile,
        tensor: usize,
        shape: [u32; 2],
        at: &[Index; 2],
        frame: &Frame,
    ) -> Result<BroadcastView, RaiseError> {
        let place = || refuse(tile.location, RaiseErrorReason::Place(tensor));
        let found = self.coordinates(tensor, shape, at).ok_or_else(place)?;
        let kind = self.tensors[tensor];
        let given = [
            (found[0], 1, kind.matrices, frame.matrix),
            (found[1], shape[0], kind.rows, frame.row),
            (found[2], shape[1], kind.columns, frame.column),
        ];
        let mut broadcast = [false; 3];
        for ((at, size, extent, axis), broadcast) in given.into_iter().zip(&mut broadcast) {
            // A tensor with the extent of the result has its tiles in the same place. A single tile
            // may be addressed by 0.
            let lies = extent == axis.extent
                && (at == axis.at && size == axis.tile || at == Coordinate::ZERO && extent <= size);
            *broadcast = !lies || axis.same == BroadcastState::Always;
            let is_one = extent == 1 && at == Coordinate::ZERO;
            let possible = match axis.same {
                BroadcastState::Never => lies,
                BroadcastState::Possible => lies || is_one,
                BroadcastState::Always => is_one,
            };
            if !possible {
                return Err(place());
            }
        }
        let [matrices, rows, columns] = broadcast;
        Ok(BroadcastView {
            transposed: false,
            matrices,
            rows,
            columns,
        })
    }

    /// Checks that a sum of products starts with the product of iteration 0.
    fn check_first_product(
        &self,
        tile: &Tile,
        first: &Rc<Tile>,
        counter: LoopId,
        factors: [&Rc<Tile>; 2],
    ) -> Result<(), RaiseError> {
        let sum = || refuse(tile.location, RaiseErrorReason::Sum);
        let TileKind::Matmul(one, other) = &first.kind else {
            return Err(refuse(first.location, RaiseErrorReason::Carried));
        };
        let begins = self.loops[counter].from == 1
            && is_same_computation(one, &at_iteration_zero(factors[0], counter))
            && is_same_computation(other, &at_iteration_zero(factors[1], counter));
        begins.then_some(()).ok_or_else(sum)
    }

    /// Converts a product, or a sum of products over a loop.
    fn product(
        &self,
        tile: &Tile,
        factors: [&Rc<Tile>; 2],
        counter: Option<LoopId>,
        frame: &Frame,
    ) -> Result<ExprKind, RaiseError> {
        let sum = || refuse(tile.location, RaiseErrorReason::Sum);
        let depth = |tile: &Rc<Tile>, axis: usize| self.extent(tile, axis);
        let (left, size, _) = depth(factors[0], 1).ok_or_else(sum)?;
        let (right, other_size, _) = depth(factors[1], 0).ok_or_else(sum)?;
        let tiles = i64::from(left.div_ceil(size));
        let covered = counter.map_or(1, |counter| self.loops[counter].to);
        if (left, size) != (right, other_size) || covered != tiles {
            return Err(sum());
        }
        let inner = FrameAxis {
            at: counter.map_or(Coordinate::ZERO, Coordinate::Loop),
            tile: size,
            extent: left,
            same: BroadcastState::Never,
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

    /// Returns the extent, tile size and coordinate along rows (0) or columns (1) of the first
    /// operand that is not broadcast.
    pub fn extent(&self, tile: &Tile, axis: usize) -> Option<(u32, u32, Coordinate)> {
        let of_all = |all: &[&Rc<Tile>]| {
            let all = all.iter().filter_map(|one| self.extent(one, axis));
            all.reduce(|first, other| if other.0 > first.0 { other } else { first })
        };
        match &tile.kind {
            TileKind::Load { tensor, shape, at } => {
                let [_, row, column] = self.coordinates(*tensor, *shape, at)?;
                let kind = self.tensors[*tensor];
                let extent = [kind.rows, kind.columns][axis];
                Some((extent, shape[axis], [row, column][axis]))
            }
            TileKind::Unary(_, one) | TileKind::Convert(_, one) => self.extent(one, axis),
            TileKind::Binary(_, _, one, other) => of_all(&[one, other]),
            TileKind::Select(all) => of_all(&all.each_ref()),
            TileKind::Transpose(one) => self.extent(one, 1 - axis),
            _ => None,
        }
    }
}

/// Returns the frame of a broadcast operand.
fn broadcast_frame(frame: &Frame, broadcast: Broadcast) -> Frame {
    let rows = matches!(broadcast, Broadcast::Row | Broadcast::Scalar);
    let columns = matches!(broadcast, Broadcast::Column | Broadcast::Scalar);
    let mut frame = *frame;
    for (is, along) in [(rows, &mut frame.row), (columns, &mut frame.column)] {
        if is {
            along.same = BroadcastState::Always;
        }
    }
    frame
}

/// Substitutes iteration 0 of a loop in a tile.
fn at_iteration_zero(tile: &Rc<Tile>, counter: LoopId) -> Rc<Tile> {
    let index = |index: &Index| {
        let mut index = index.clone();
        index.terms.remove(&counter);
        index
    };
    map_tile(
        tile,
        &|tile| at_iteration_zero(tile, counter),
        &index,
        &|id| id,
    )
}

/// Returns whether two tiles are computed alike, regardless of source locations.
fn is_same_computation(one: &Tile, other: &Tile) -> bool {
    let pairs =
        |a: &[&Rc<Tile>], b: &[&Rc<Tile>]| a.iter().zip(b).all(|(a, b)| is_same_computation(a, b));
    match (&one.kind, &other.kind) {
        _ if one.precision != other.precision => false,
        (TileKind::Unary(f, a), TileKind::Unary(g, b)) => f == g && is_same_computation(a, b),
        (TileKind::Convert(f, a), TileKind::Convert(g, b)) => f == g && is_same_computation(a, b),
        (TileKind::Binary(f, s, a, b), TileKind::Binary(g, t, c, d)) => {
            f == g && s == t && pairs(&[a, b], &[c, d])
        }
        (TileKind::Matmul(a, b), TileKind::Matmul(c, d)) => pairs(&[a, b], &[c, d]),
        (TileKind::Select(a), TileKind::Select(b)) => {
            a.iter().zip(b).all(|(a, b)| is_same_computation(a, b))
        }
        (TileKind::Transpose(a), TileKind::Transpose(b)) => is_same_computation(a, b),
        (TileKind::Reduce(f, x, v, a), TileKind::Reduce(g, y, w, b)) => {
            (f, x, v) == (g, y, w) && is_same_computation(a, b)
        }
        (one, other) => one == other,
    }
}
