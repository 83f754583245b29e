//! What is known of the padding of a value that the vector unit computes with: the elements beyond
//! the extent of its tensor.

use super::plan::{Broadcast, Element, Lanes, Operand};

/// The padding below and to the right of a value's elements, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// Whether it may hold something else than zero.
    dirty: [bool; 2],
    /// Whether its zeros may have a sign, which packers take away when they round.
    signed: bool,
    /// Whether there is known to be none: the value has whole tiles.
    none: [bool; 2],
}

impl Padding {
    /// Of a value of which nothing else is known.
    pub fn unknown(dirty: bool) -> Self {
        Padding {
            dirty: [dirty; 2],
            signed: false,
            none: [false; 2],
        }
    }

    /// Of tiles that were brought from memory or popped, spread; `dirty` is what is known if they
    /// were popped.
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
            signed: false,
            none: [0, 1].map(|axis| !spread[axis] && extents[axis] % 32 == 0),
        }
    }

    /// Of the value transposed.
    pub fn transposed(self) -> Self {
        let turned = |[down, across]: [bool; 2]| [across, down];
        Padding {
            dirty: turned(self.dirty),
            signed: self.signed,
            none: turned(self.none),
        }
    }

    /// Of what is computed from values, all of the same extent, or of a number.
    pub fn computed(lanes: &Lanes, of: &[Padding]) -> Self {
        let operands = lanes.operands();
        let any = |which: fn(&Padding) -> [bool; 2], axis: usize| {
            operands.iter().any(|operand| which(&of[*operand])[axis])
        };
        let of_zeros = match lanes {
            Lanes::Dst(_) => 0.0,
            Lanes::Number(number) => f64::from(*number),
            Lanes::Computed { row, .. } => row.of_zeros(),
        };
        let makes_more = of_zeros != 0.0;
        let none = [0, 1].map(|axis| any(|padding| padding.none, axis));
        Padding {
            dirty: [0, 1]
                .map(|axis| (makes_more || any(|padding| padding.dirty, axis)) && !none[axis]),
            signed: of_zeros.is_sign_negative()
                || operands.iter().any(|operand| of[*operand].signed),
            none,
        }
    }

    /// Whether it may hold something else than +0 when it is packed as an element type.
    pub fn is_dirty_as(self, element: Element) -> bool {
        let signed = self.signed && element == Element::F32 && self.none != [true; 2];
        signed || self.is_dirty()
    }

    /// Whether it may hold something else than zero.
    pub fn is_dirty(self) -> bool {
        self.dirty != [false; 2]
    }
}

#[cfg(test)]
mod tests {
    use tessera_ops::{Binary, Unary};
    use tessera_tensix_code::functions::{Function, Row};

    use super::super::plan::{Tensor, Tiles};
    use super::*;

    fn computed(function: Function, of: Vec<usize>) -> Lanes {
        let row = Row::of(function, false).expect("there is such a function");
        Lanes::Computed { row, of }
    }

    fn sum_of() -> Lanes {
        computed(Function::Binary(Binary::Add), vec![0, 1])
    }

    #[test]
    fn functions_of_zeros_may_be_something_else() {
        let values = [Padding::unknown(false)];
        for (lanes, expect) in [
            (computed(Function::Unary(Unary::Exp), vec![0]), true),
            (computed(Function::Unary(Unary::Tanh), vec![0]), false),
            (computed(Function::Binary(Binary::Equal), vec![0, 0]), true),
            (computed(Function::Binary(Binary::Less), vec![0, 0]), false),
            (Lanes::Number(0), false),
            (Lanes::Number(1), true),
        ] {
            assert_eq!(
                Padding::computed(&lanes, &values).is_dirty(),
                expect,
                "{lanes:?}"
            );
        }
    }

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
            let sum = Padding::computed(&sum_of(), &values);
            assert_eq!(sum.is_dirty(), expect, "{rows}x{columns} {spread:?}");
            let values = [sum, Padding::unknown(true)];
            let sum = Padding::computed(&sum_of(), &values);
            let whole = rows % 32 == 0 && columns % 32 == 0;
            assert_eq!(sum.is_dirty(), !whole, "{rows}x{columns} {spread:?}");
        }
    }

    #[test]
    fn signs_of_zeros_are_no_matter_if_they_are_rounded() {
        let values = [Padding::unknown(false)];
        let opposite = computed(Function::Unary(Unary::Neg), vec![0]);
        let opposite = Padding::computed(&opposite, &values);
        assert!(!opposite.is_dirty_as(Element::Bf16));
        assert!(opposite.is_dirty_as(Element::F32));
        assert!(!values[0].is_dirty_as(Element::F32));
    }
}
