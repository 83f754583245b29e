use tessera_ops::{Binary, Unary};
use tessera_pto::kernel::Element as PtoElement;
use tessera_tensix_code::functions::{Function, FunctionImpl};

use super::super::plan::{Tensor, TensorMemory, TileRect};
use super::*;

fn computed(function: Function, of: Vec<usize>) -> VectorNode {
    let function = FunctionImpl::find(function, PtoElement::F32).expect("there is such a function");
    VectorNode::Computed {
        function,
        operands: of,
    }
}

fn sum_of() -> VectorNode {
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
        (VectorNode::Constant(0), false),
        (VectorNode::Constant(1), true),
    ] {
        assert_eq!(
            Padding::computed(&lanes, &values).is_dirty(),
            expect,
            "{lanes:?}"
        );
    }
}

#[test]
fn broadcasts_reach_existing_padding() {
    let operand = |rows, columns| {
        Operand::Memory(TileRect {
            tensor: Tensor {
                memory: TensorMemory::Argument(0),
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
    for (rows, columns, broadcast, expect) in [
        (33, 65, Broadcast::None, false),
        (33, 65, Broadcast::Row, true),
        (33, 65, Broadcast::Column, true),
        (32, 65, Broadcast::Row, false),
        (33, 64, Broadcast::Row, true),
        (33, 64, Broadcast::Column, false),
        (32, 65, Broadcast::Scalar, true),
        (32, 64, Broadcast::Scalar, false),
    ] {
        let [broadcast_rows, broadcast_columns] = match broadcast {
            Broadcast::None => [rows, columns],
            Broadcast::Row => [1, columns],
            Broadcast::Column => [rows, 1],
            Broadcast::Scalar => [1, 1],
        };
        let values = [
            Padding::loaded(&operand(rows, columns), Broadcast::None, false),
            Padding::loaded(
                &operand(broadcast_rows, broadcast_columns),
                broadcast,
                false,
            ),
        ];
        let sum = Padding::computed(&sum_of(), &values);
        assert_eq!(sum.is_dirty(), expect, "{rows}x{columns} {broadcast:?}");
        let values = [sum, Padding::unknown(true)];
        let sum = Padding::computed(&sum_of(), &values);
        let whole = rows % 32 == 0 && columns % 32 == 0;
        assert_eq!(sum.is_dirty(), !whole, "{rows}x{columns} {broadcast:?}");
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
