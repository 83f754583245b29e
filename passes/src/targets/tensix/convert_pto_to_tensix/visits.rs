//! The order in which a step visits the tiles of its result, and the operands of each visit.
//!
//! The unpack and math threads both follow it, so they agree on when each Src bank is handed over.
//! A product visits its result in boustrophedon order, so that one operand stays in its bank from
//! one visit to the next: m x n visits unpack m n + 1 tiles instead of 2 m n.

use super::plan::{Broadcast, Math, SrcA, Step};

/// A visit of one result tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Number of the result tile, counted along rows.
    pub tile: u32,
    /// Tile of the SrcA operand that is unpacked before the visit, or `None` if the bank still
    /// holds it. For an operand of zeros the number has no meaning.
    pub srca: Option<u32>,
    /// Likewise, tile of the SrcB operand.
    pub srcb: Option<u32>,
    /// Banks released afterwards: bit 0 SrcA, bit 1 SrcB.
    pub release: u32,
}

/// Returns the visits of a step; none if the matrix unit does not take part.
pub fn visits(step: &Step) -> Vec<Visit> {
    match step.math {
        Math::Matmul => product_visits(step.shape),
        Math::Unpack => Vec::new(),
        Math::Transpose(_) => visit_each_tile(step, |tile| tile),
        Math::Elementwise { broadcast, .. } => {
            let columns = step.shape[1];
            visit_each_tile(step, |tile| match broadcast {
                Broadcast::None => tile,
                Broadcast::Row => tile % columns,
                Broadcast::Column => tile / columns,
                Broadcast::Scalar => 0,
            })
        }
    }
}

/// Visits every tile with freshly unpacked operands.
fn visit_each_tile(step: &Step, srcb: impl Fn(u32) -> u32) -> Vec<Visit> {
    let tiles = step.shape[0] * step.shape[1];
    let zero = step.srca == SrcA::Zero;
    let visit = |tile| Visit {
        tile,
        srca: Some(if zero { 0 } else { tile }),
        srcb: Some(srcb(tile)),
        release: 0b11,
    };
    (0..tiles).map(visit).collect()
}

fn product_visits([rows, columns]: [u32; 2]) -> Vec<Visit> {
    let order: Vec<[u32; 2]> = (0..rows)
        .flat_map(|row| {
            (0..columns).map(move |k| [row, if row % 2 == 0 { k } else { columns - 1 - k }])
        })
        .collect();
    let mut held: [Option<u32>; 2] = [None; 2];
    let mut visits = Vec::new();
    for (number, &[row, column]) in order.iter().enumerate() {
        let next = order.get(number + 1);
        let keeps_column = next.is_some_and(|next| next[1] == column);
        let keeps_row = next.is_some_and(|next| next[0] == row);
        visits.push(Visit {
            tile: row * columns + column,
            srca: (held[0] != Some(column)).then_some(column),
            srcb: (held[1] != Some(row)).then_some(row),
            release: u32::from(!keeps_column) | u32::from(!keeps_row) << 1,
        });
        held = [keeps_column.then_some(column), keeps_row.then_some(row)];
    }
    visits
}

#[cfg(test)]
mod tests;
