//! Functions of the library, of operands wherever they lie.

use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_pto::kernel::{Binary, Unary};

use super::{unsupported, CompileError};
use crate::body::{Body, Home};
use crate::functions::Function;
use crate::item::{Op, Operand, Source};
use crate::whole::Reason;

/// A copy of a long word in each cycle.
pub(super) fn copy() -> Op {
    let op = AluOp::plain(AluKind::Passa, Some(Precision::Long));
    Op::Alu(op, 0)
}

/// An operand as a value.
pub(super) fn as_value(body: &mut Body, operand: Operand) -> Operand {
    if let Source::Value(_) = operand.source {
        return operand;
    }
    let value = body.value(Width::Long, Home::Any);
    body.push(copy(), vec![operand], vec![value.into()]);
    value.into()
}

/// What a function makes of operands. Those that lie in a memory it reads there if it does so in one step; but of two in the same memory, which has
/// one port for reads, the first is copied.
pub(super) fn apply(
    body: &mut Body,
    function: Function,
    mut operands: Vec<Operand>,
    location: usize,
) -> Result<Operand, CompileError> {
    let row = function.row();
    let bank = |operand: &Operand| match &operand.source {
        Source::Memory(place) => Some(place.bank),
        _ => None,
    };
    let steps = row.mau + row.alu;
    for which in 0..operands.len() {
        let own = bank(&operands[which]);
        let shared = operands[which + 1..].iter().any(|other| bank(other) == own);
        if own.is_some() && (steps > 1 || shared) {
            operands[which] = as_value(body, operands[which].clone());
        }
    }
    let values = function.append(body, &operands);
    let values = values.map_err(|error| unsupported(location, error.to_string()))?;
    Ok(values[0].into())
}

/// An operation without code, as [`Reason::Operation`] has it.
pub(super) fn no_code(location: usize, what: &'static str) -> CompileError {
    unsupported(location, Reason::Operation(what).to_string())
}

/// The function of an element; nothing if there is no code for it.
pub(super) fn of_one(unary: Unary) -> Option<Function> {
    Some(match unary {
        Unary::Neg => Function::Neg,
        Unary::Abs => Function::Abs,
        Unary::Relu => Function::Relu,
        Unary::Exp => Function::Exp,
        Unary::Log => Function::Log,
        Unary::Sqrt => Function::Sqrt,
        Unary::Rsqrt => Function::Rsqrt,
        Unary::Reciprocal => Function::Recip,
        Unary::Sigmoid => Function::Sigmoid,
        Unary::Tanh => Function::Tanh,
        _ => return None,
    })
}

/// The function of two elements; nothing if there is no code for it.
pub(super) fn of_two(binary: Binary) -> Option<Function> {
    Some(match binary {
        Binary::Add => Function::Add,
        Binary::Subtract => Function::Sub,
        Binary::Multiply => Function::Mul,
        Binary::Divide => Function::Div,
        Binary::Max => Function::Max,
        Binary::Min => Function::Min,
        _ => return None,
    })
}
