//! What is known of the padding of a value that the vector unit computes with: the elements beyond the extent of its tensor.

use super::plan::{Broadcast, Lanes, Operand};

/// The padding below and to the right of a value's elements, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// Whether it may hold something else than zero.
    dirty: [bool; 2],
    /// Whether there is known to be none: the value has whole tiles.
    none: [bool; 2],
}

impl Padding {
    /// Of a value of which nothing else is known.
    pub fn unknown(dirty: bool) -> Self {
        Padding {
            dirty: [dirty; 2],
            none: [false; 2],
        }
    }

    /// Of tiles that were brought from memory or popped, spread; `dirty` is what is known if they were popped.
    pub fn brought(operand: &Operand, broadcast: Broadcast, dirty: bool) -> Self {
        let Operand::Memory(tiles) = operand else {
            return Padding::unknown(dirty);
        };
        let spread = match broadcast {
            Broadcast::None => [false, false],
            Broadcast::Row => [true, false],
            Broadcast::Column => [false, true],
            Broadcast::Scalar => [true, true],
        };
        let extents = [tiles.tensor.rows, tiles.tensor.columns];
        Padding {
            dirty: spread,
            none: [0, 1].map(|axis| !spread[axis] && extents[axis] % 32 == 0),
        }
    }

    /// Of what is computed from values, all of the same extent.
    pub fn computed(lanes: Lanes, of: &[Padding]) -> Self {
        let operands = lanes.operands();
        let any = |which: fn(&Padding) -> [bool; 2], axis: usize| {
            operands.iter().any(|operand| which(&of[*operand])[axis])
        };
        let none = [0, 1].map(|axis| any(|padding| padding.none, axis));
        Padding {
            dirty: [0, 1].map(|axis| any(|padding| padding.dirty, axis) && !none[axis]),
            none,
        }
    }

    /// Whether it may hold something else than zero.
    pub fn is_dirty(self) -> bool {
        self.dirty != [false; 2]
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Element, Tensor, Tiles};
    use super::*;

    #[test]
    fn spreading_reaches_padding_where_there_is_some() {
        let operand = |rows, columns| {
            Operand::Memory(Tiles {
                tensor: Tensor {
                    arg: 0,
                    matrices: 1,
                    rows,
                    columns,
                    element: Element::Bf16,
                },
                row: 0.into(),
                column: 0.into(),
                shape: [1, 1],
            })
        };
        for (rows, columns, spread, expect) in [
            (33, 65, Broadcast::None, false),
            (33, 65, Broadcast::Row, true),
            (33, 65, Broadcast::Column, true),
            (32, 65, Broadcast::Row, false),
            (33, 64, Broadcast::Row, true),
            (33, 64, Broadcast::Column, false),
            (32, 65, Broadcast::Scalar, true),
            (32, 64, Broadcast::Scalar, false),
        ] {
            let [spread_rows, spread_columns] = match spread {
                Broadcast::None => [rows, columns],
                Broadcast::Row => [1, columns],
                Broadcast::Column => [rows, 1],
                Broadcast::Scalar => [1, 1],
            };
            let values = [
                Padding::brought(&operand(rows, columns), Broadcast::None, false),
                Padding::brought(&operand(spread_rows, spread_columns), spread, false),
            ];
            let sum = Padding::computed(Lanes::Add(0, 1), &values);
            assert_eq!(sum.is_dirty(), expect, "{rows}x{columns} {spread:?}");
            let values = [sum, Padding::unknown(true)];
            let sum = Padding::computed(Lanes::Add(0, 1), &values);
            let whole = rows % 32 == 0 && columns % 32 == 0;
            assert_eq!(sum.is_dirty(), !whole, "{rows}x{columns} {spread:?}");
        }
    }
}
