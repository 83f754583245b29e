//! The order of dimensions that all tensors of an attention get: batch dimensions, rows of queries,
//! columns of keys.

use super::axes::{Dim, Tensor};
use super::labels::Labels;
use super::region::Region;
use crate::ttir::constant_value::splat_number;

/// The axes of the scores by their place.
pub struct Order {
    /// The number of dimensions of extent 1 before all others, which operands have anyway.
    leading: usize,
    /// Axes that number matrices, each a dimension.
    pub batch: Vec<usize>,
    /// Axes of the queries, collapsed into the rows.
    pub rows: Dim,
    /// Axes of the keys, collapsed into the columns.
    pub columns: Dim,
}

impl Order {
    /// Chooses the order. Returns `None` if the operations are no attention: the last product sums
    /// along the rows of one factor of the scores, and all reductions reduce along the same.
    pub fn new(region: &Region, labels: &Labels) -> Option<Order> {
        let columns = labels.side(1 - labels.queries).clone();
        (!columns.is_empty()).then_some(())?;
        let axes = &labels.axes;
        let reduce_keys = |one: &Tensor| is_same_set(&axes.dims(*one).concat(), &columns);
        labels.reduced.iter().all(reduce_keys).then_some(())?;
        // Rows stay rows unless values differ between them. Heads for which keys and values were
        // repeated become rows.
        let [_, kept] = labels.summed_and_rows(region);
        let [keys, values] = [labels.factors[1 - labels.queries], labels.weighted]
            .map(|(_, tensor)| axes.dims(tensor).concat());
        let is_row = |axis: &usize| {
            let is_free = labels.side(labels.queries).contains(axis) && kept.contains(axis);
            let is_shared = labels.drops_repeats && !keys.contains(axis) && !values.contains(axis);
            is_free || is_shared
        };
        let scores = labels.scores().concat().into_iter();
        let (rows, batch) = scores
            .filter(|axis| !columns.contains(axis))
            .partition(is_row);
        let mut order = Order {
            leading: 0,
            batch,
            rows,
            columns,
        };
        order.put_repeated_axes_first(labels);
        order.keep_leading_dimensions(labels);
        Some(order)
    }

    /// Adds leading dimensions, so that no operand is reshaped just to drop its own.
    fn keep_leading_dimensions(&mut self, labels: &Labels) {
        let dims = self.dims(&self.rows, &self.columns);
        let operands = labels.outside.iter().filter(|((op, number), _)| {
            let operand = op.operand(*number);
            operand.is_some_and(|operand| splat_number(operand).is_none())
        });
        let ranks = operands.filter_map(|(_, operand)| {
            let own = labels.axes.dims(*operand);
            can_broadcast(own, &dims).then_some(own.len())
        });
        self.leading = ranks.max().unwrap_or(0).saturating_sub(dims.len());
    }

    /// Orders the rows so that operands with some of their axes, such as a mask that heads share,
    /// are repeated as a whole.
    fn put_repeated_axes_first(&mut self, labels: &Labels) {
        let is_repeated = |axis: &usize| {
            labels.outside.values().any(|operand| {
                let own = labels.axes.dims(*operand).concat();
                !own.contains(axis) && self.rows.iter().any(|other| own.contains(other))
            })
        };
        let (repeated, whole): (Dim, Dim) = self.rows.iter().partition(|axis| is_repeated(axis));
        self.rows = [repeated, whole].concat();
    }

    /// Returns the dimensions of matrices with these rows and columns.
    pub fn dims(&self, rows: &[usize], columns: &[usize]) -> Vec<Dim> {
        let leading = (0..self.leading).map(|_| Vec::new());
        let batch = leading.chain(self.batch.iter().map(|axis| vec![*axis]));
        batch.chain([rows.to_vec(), columns.to_vec()]).collect()
    }

    /// Returns whether the tensors of a region have this order.
    pub fn is_met(&self, region: &Region, labels: &Labels) -> bool {
        let mut between = region.between.iter().chain(&region.after);
        let moves = between.any(|(_, role)| role.is_movement());
        let is_left = labels.queries == 0
            && !labels.drops_repeats
            && region.weights == 0
            && !region.last.transposed[0];
        let mut values = labels.values.values();
        let is_ordered = |value: &Tensor| {
            let Some((columns, rest)) = labels.axes.dims(*value).split_last() else {
                return false;
            };
            let Some((rows, batch)) = rest.split_last() else {
                return false;
            };
            (columns.is_empty() || *columns == self.columns || *columns == *labels.features())
                && *rows == self.rows
                && batch.iter().all(|dim| dim.len() <= 1)
                && batch.concat() == self.batch
        };
        !moves && is_left && values.all(is_ordered)
    }
}

/// Returns whether element-wise operations broadcast a tensor to these dimensions, if they may get
/// more leading ones of extent 1.
pub fn can_broadcast(from: &[Dim], to: &[Dim]) -> bool {
    let mut aligned = from.iter().rev().zip(to.iter().rev());
    let more = &from[..from.len().saturating_sub(to.len())];
    aligned.all(|(own, dim)| own.is_empty() || own == dim) && more.iter().all(Dim::is_empty)
}

/// Returns whether two dimensions have the same axes in any order.
fn is_same_set(one: &[usize], other: &[usize]) -> bool {
    one.len() == other.len() && one.iter().all(|axis| other.contains(axis))
}
