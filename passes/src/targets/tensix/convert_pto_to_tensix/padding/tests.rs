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
