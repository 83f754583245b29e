//! Library functions applied to operands in any memory.

use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_pto::kernel::{Binary, Element, Unary};
use tessera_pto::target;

use crate::compile::error::{unsupported, CompileError};
use crate::functions::Function;
use crate::raise::{Expr, RaiseErrorReason};
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Op, Operand, Source};

/// Returns a copy of a long word per cycle.
pub(crate) fn copy() -> Op {
    let op = AluOp::new(AluKind::Passa, Some(Precision::Long));
    Op::Alu(op, 0)
}

/// Returns an operand as a value, copying it if necessary.
pub(crate) fn as_value(body: &mut Body, operand: Operand) -> Operand {
    if let Source::Value(_) = operand.source {
        return operand;
    }
    let value = body.value(Width::Long, Home::Any);
    body.push(copy(), vec![operand], vec![value.into()]);
    value.into()
}

/// Emits a function of operands; returns its result. An operand in memory is read in place if the
/// function reads it in one step. Of two operands in the same memory, which has one read port, the
/// first is copied.
pub(crate) fn apply(
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

/// Returns the error for an operation without code, worded as by
/// [`RaiseErrorReason::Operation`].
pub(crate) fn no_code(location: usize, what: &'static str) -> CompileError {
    unsupported(location, RaiseErrorReason::Operation(what).to_string())
}

/// Returns a constant of an element type.
pub(crate) fn constant(value: f64, element: Element) -> Operand {
    let word = match element {
        Element::I32 => value as i32 as u32,
        Element::F32 | Element::Bf16 => (value as f32).to_bits(),
    };
    Source::Constant(word).into()
}

/// Returns a constant word.
fn word(word: u32) -> Operand {
    Source::Constant(word).into()
}

/// Applies functions that share a source location.
struct Chain<'a> {
    body: &'a mut Body,
    location: usize,
}

impl Chain<'_> {
    fn apply(&mut self, function: Function, operands: &[Operand]) -> Result<Operand, CompileError> {
        apply(self.body, function, operands.to_vec(), self.location)
    }

    /// Converts a boolean, 1 or 0, from the first element type to the second.
    fn convert_boolean(&mut self, value: Operand, types: Types) -> Result<Operand, CompileError> {
        match types.map(Element::is_integer) {
            [false, true] => self.apply(Function::IntMin, &[value, word(1)]),
            [true, false] => {
                let all = self.apply(Function::IntSub, &[word(0), value])?;
                self.apply(Function::IntAnd, &[all, constant(1.0, Element::F32)])
            }
            _ => Ok(value),
        }
    }

    /// Returns whether an element is not zero, as a boolean.
    fn is_nonzero(&mut self, value: Operand, element: Element) -> Result<Operand, CompileError> {
        let function = if element.is_integer() {
            Function::IntNe
        } else {
            Function::Ne
        };
        self.apply(function, &[value, word(0)])
    }

    /// Emits a shift that moves all bits out for amounts outside of 0 to 31. The library function
    /// takes the amount modulo 64.
    fn shift(
        &mut self,
        function: Function,
        [value, amount]: Pair,
    ) -> Result<Operand, CompileError> {
        const OUTSIDE: u32 = !31;
        if let Source::Constant(amount) = amount.source {
            let amount = match amount & OUTSIDE {
                0 => amount,
                _ => 32,
            };
            return self.apply(function, &[value, word(amount)]);
        }
        let amount = as_value(self.body, amount);
        let outside = self.apply(Function::IntAnd, &[amount.clone(), word(OUTSIDE)])?;
        let amount = self.apply(Function::IntWhere, &[outside, word(32), amount])?;
        self.apply(function, &[value, amount])
    }

    /// Emits PReLU: a negative value is multiplied by the slope.
    fn prelu(&mut self, [value, slope]: Pair) -> Result<Operand, CompileError> {
        let is_constant =
            matches!(slope.source, Source::Constant(word) if f32::from_bits(word).is_normal());
        if is_constant {
            return self.apply(Function::LeakyRelu, &[value, slope]);
        }
        let value = as_value(self.body, value);
        let product = self.apply(Function::Mul, &[value.clone(), slope])?;
        let negative = self.apply(Function::Lt, &[value.clone(), word(0)])?;
        self.apply(Function::Where, &[negative, product, value])
    }
}

/// The element types of the operands and of the result.
pub(crate) type Types = [Element; 2];

/// Two operands.
pub(crate) type Pair = [Operand; 2];

/// An element-wise function and the precision of its code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Precise<F> {
    function: F,
    precision: target::Precision,
}

impl<F> Precise<F> {
    /// Returns a function in the precision of an expression.
    pub(crate) fn for_expr(expr: &Expr, function: F) -> Self {
        Precise {
            function,
            precision: expr.precision,
        }
    }

    /// Returns a function of f32.
    pub(crate) fn for_f32(function: F) -> Self {
        Precise {
            function,
            precision: target::Precision::F32,
        }
    }
}

/// Emits an element-wise function of one operand.
pub(crate) fn unary(
    body: &mut Body,
    unary: Precise<Unary>,
    operand: Operand,
    types: Types,
    location: usize,
) -> Result<Operand, CompileError> {
    let mut chain = Chain { body, location };
    let is_integer = types[0].is_integer();
    let Precise {
        function: unary,
        precision,
    } = unary;
    let function = match unary {
        Unary::Sign if is_integer => {
            let value = chain.apply(Function::IntMin, &[operand, word(1)])?;
            return chain.apply(Function::IntMax, &[value, word(u32::MAX)]);
        }
        Unary::Signbit if is_integer => Function::IntShiftRightUnsigned,
        Unary::Neg if is_integer => return chain.apply(Function::IntSub, &[word(0), operand]),
        Unary::Abs if is_integer => {
            let operand = as_value(chain.body, operand);
            let negative = chain.apply(Function::IntSub, &[word(0), operand.clone()])?;
            return chain.apply(Function::IntMax, &[operand, negative]);
        }
        Unary::Relu if is_integer => return chain.apply(Function::IntMax, &[operand, word(0)]),
        Unary::LogicalNot => {
            let function = if is_integer {
                Function::IntEq
            } else {
                Function::Eq
            };
            let value = chain.apply(function, &[operand, word(0)])?;
            return chain.convert_boolean(value, types);
        }
        Unary::BitwiseNot if is_integer => Function::IntNot,
        // Invariant from validation: `BitwiseNot` takes integers, the others take floats.
        _ if is_integer => return Err(no_code(location, unary.name())),
        Unary::BitwiseNot => return Err(no_code(location, unary.name())),
        Unary::Neg => Function::Neg,
        Unary::Abs => Function::Abs,
        Unary::Relu => Function::Relu,
        function => Function::unary(function, precision),
    };
    let operands = match function {
        Function::IntShiftRightUnsigned => vec![operand, word(31)],
        _ => vec![operand],
    };
    let value = chain.apply(function, &operands)?;
    match unary.is_predicate() {
        true => chain.convert_boolean(value, types),
        false => Ok(value),
    }
}

/// Emits an element-wise function of two operands.
pub(crate) fn binary(
    body: &mut Body,
    binary: Precise<Binary>,
    operands: Pair,
    types: Types,
    location: usize,
) -> Result<Operand, CompileError> {
    let mut chain = Chain { body, location };
    let is_integer = types[0].is_integer();
    let Precise {
        function: binary,
        precision,
    } = binary;
    let either = |float, integer| if is_integer { integer } else { float };
    let function = match binary {
        Binary::Add => either(Function::Add, Function::IntAdd),
        Binary::Subtract => either(Function::Sub, Function::IntSub),
        Binary::Max => either(Function::Max, Function::IntMax),
        Binary::Min => either(Function::Min, Function::IntMin),
        Binary::Equal => either(Function::Eq, Function::IntEq),
        Binary::NotEqual => either(Function::Ne, Function::IntNe),
        Binary::Greater => either(Function::Gt, Function::IntGt),
        Binary::GreaterEqual => either(Function::Ge, Function::IntGe),
        Binary::Less => either(Function::Lt, Function::IntLt),
        Binary::LessEqual => either(Function::Le, Function::IntLe),
        Binary::LogicalAnd | Binary::LogicalOr | Binary::LogicalXor => {
            let [left, right] = operands;
            let booleans = [
                chain.is_nonzero(left, types[0])?,
                chain.is_nonzero(right, types[0])?,
            ];
            let value = chain.apply(bitwise(binary), &booleans)?;
            return chain.convert_boolean(value, types);
        }
        Binary::BitwiseAnd | Binary::BitwiseOr | Binary::BitwiseXor if is_integer => {
            bitwise(binary)
        }
        Binary::ShiftLeft if is_integer => return chain.shift(Function::IntShiftLeft, operands),
        Binary::ShiftRight if is_integer => {
            return chain.shift(Function::IntShiftRightUnsigned, operands)
        }
        Binary::ShiftRightSigned if is_integer => {
            return chain.shift(Function::IntShiftRight, operands)
        }
        Binary::Divide if is_integer => Function::IntDiv,
        Binary::Remainder if is_integer => Function::IntRem,
        Binary::Multiply => either(Function::Mul, Function::IntMul),
        Binary::Prelu if !is_integer => return chain.prelu(operands),
        // Invariant from validation: the others take floats, or integers.
        function if !is_integer && function.domain().contains(types[0]) => {
            Function::binary(function, precision)
        }
        _ => return Err(no_code(location, binary.name())),
    };
    let value = chain.apply(function, &operands)?;
    if binary.is_predicate() {
        return chain.convert_boolean(value, types);
    }
    Ok(value)
}

/// Returns the bitwise function for a bitwise or logical operation.
fn bitwise(binary: Binary) -> Function {
    match binary {
        Binary::BitwiseAnd | Binary::LogicalAnd => Function::IntAnd,
        Binary::BitwiseOr | Binary::LogicalOr => Function::IntOr,
        _ => Function::IntXor,
    }
}

/// Emits a conversion between element types. An integer becomes a bf16 via a single, and is thus
/// rounded twice.
pub(crate) fn convert(
    body: &mut Body,
    operand: Operand,
    types: Types,
    location: usize,
) -> Result<Operand, CompileError> {
    let mut chain = Chain { body, location };
    match types {
        [Element::I32, Element::I32] | [Element::F32 | Element::Bf16, Element::F32] => Ok(operand),
        [_, Element::I32] => chain.apply(Function::ToInt, &[operand]),
        [Element::I32, Element::F32] => chain.apply(Function::FromInt, &[operand]),
        [Element::I32, Element::Bf16] => {
            let single = chain.apply(Function::FromInt, &[operand])?;
            chain.apply(Function::RoundBf16, &[single])
        }
        [Element::F32 | Element::Bf16, Element::Bf16] => {
            chain.apply(Function::RoundBf16, &[operand])
        }
    }
}

#[cfg(test)]
mod tests;
