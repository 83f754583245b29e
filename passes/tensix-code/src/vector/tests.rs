use super::*;
use crate::functions::{all, Function};
use tessera_ops::Binary;
use tessera_pto::kernel::Element;

/// Returns a chain of functions. Each takes the previous value as operand `at`, and tiles of Dst as
/// its other operands.
fn chain(rows: &[(&'static FunctionImpl, usize)]) -> VectorProgram {
    let mut nodes = vec![VectorNode::Dst(0)];
    let mut value = 0;
    for (function, at) in rows {
        let mut operands = Vec::new();
        for operand in 0..function.arity {
            if operand == at % function.arity {
                operands.push(value);
            } else {
                nodes.push(VectorNode::Dst(1 + operand as u32));
                operands.push(nodes.len() - 1);
            }
        }
        nodes.push(VectorNode::Computed { function, operands });
        value = nodes.len() - 1;
    }
    VectorProgram {
        nodes,
        results: vec![(value, 0)],
    }
}

/// Every function fits alone and after every other one, whichever operand the value becomes.
#[test]
fn every_pair_of_functions_fits() {
    for first in all() {
        for second in all() {
            for at in 0..second.arity {
                let vector = chain(&[(first, 0), (second, at)]);
                let (first, second) = (first.name(), second.name());
                assert!(fits(&vector, 1), "{first}, {second} at {at}");
            }
        }
    }
}

/// Comparison, product and shift of integers, where every value is the right operand.
#[test]
fn loads_that_would_take_registers_come_late() {
    let row = |function| {
        (
            FunctionImpl::find(Function::Binary(function), Element::I32).unwrap(),
            1,
        )
    };
    let functions = [Binary::Greater, Binary::Multiply, Binary::ShiftRight];
    let vector = chain(&functions.map(row));
    let code = Program::new(&vector, Order::AsWritten).code();
    assert!(code.instructions(0).is_none());
    assert!(fits(&vector, 1));
}

/// Long programs are refused, shorter ones where a kernel holds several.
#[test]
fn programs_are_bounded() {
    let neg = FunctionImpl::find(Function::Unary(tessera_ops::Unary::Neg), Element::F32).unwrap();
    let of = |length| chain(&vec![(neg, 0); length]);
    assert!(fits(&of(400), 1));
    assert!(!fits(&of(600), 1));
    assert!(!fits(&of(400), 9));
}
