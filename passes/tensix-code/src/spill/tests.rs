use tessera_ops::{Binary, Unary};
use tessera_pto::kernel::Element;

use super::*;
use crate::functions::{Function, FunctionImpl};
use crate::vector::VectorNode;

fn computed(function: Function, operands: &[usize]) -> VectorNode {
    VectorNode::Computed {
        function: FunctionImpl::find(function, Element::F32).unwrap(),
        operands: operands.to_vec(),
    }
}

/// Returns the program `gelu(a + b)`, or `gelu(a + b) + b`.
fn program(adds_again: bool) -> VectorProgram {
    let add = Function::Binary(Binary::Add);
    let mut nodes = vec![
        VectorNode::Dst(0),
        VectorNode::Dst(1),
        computed(add, &[0, 1]),
        computed(Function::Unary(Unary::Gelu), &[2]),
    ];
    if adds_again {
        nodes.push(computed(add, &[3, 1]));
    }
    VectorProgram {
        results: vec![(nodes.len() - 1, 1)],
        nodes,
    }
}

/// The operand of a long function is spilled to the place of the result.
#[test]
fn operands_of_long_functions_are_spilled() {
    let spill = Spill::find(&program(false), Order::AsWritten);
    let row = TILE_ROWS;
    assert_eq!(spill, Some(Spill { node: 2, row }));
    assert_eq!(Spill::find(&program(false), Order::FewestRegisters), None);
}

/// Nothing is stored over an operand that is used later.
#[test]
fn operands_in_use_are_kept() {
    assert_eq!(Spill::find(&program(true), Order::AsWritten), None);
}
