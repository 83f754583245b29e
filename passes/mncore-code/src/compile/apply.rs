//! Functions of the library, of operands wherever they lie.

use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};
use tessera_pto::kernel::{Binary, Element, Unary};

use super::{unsupported, CompileError};
use crate::functions::Function;
use crate::whole::Reason;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Op, Operand, Source};

/// A copy of a long word in each cycle.
pub(super) fn copy() -> Op {
    let op = AluOp::new(AluKind::Passa, Some(Precision::Long));
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

/// What a function makes of operands. Those that lie in a memory it reads there if it does so in
/// one step; but of two in the same memory, which has one port for reads, the first is copied.
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

/// A number everywhere.
pub(super) fn constant(value: f64, element: Element) -> Operand {
    let word = match element {
        Element::I32 => value as i32 as u32,
        Element::F32 | Element::Bf16 => (value as f32).to_bits(),
    };
    Source::Constant(word).into()
}

/// A word everywhere.
fn word(word: u32) -> Operand {
    Source::Constant(word).into()
}

/// Functions of one location, one after the other.
struct Chain<'a> {
    body: &'a mut Body,
    location: usize,
}

impl Chain<'_> {
    fn of(&mut self, function: Function, operands: &[Operand]) -> Result<Operand, CompileError> {
        apply(self.body, function, operands.to_vec(), self.location)
    }

    /// A truth as it is computed of elements of the first type, 1 or 0, as one of the second.
    fn truth(&mut self, value: Operand, types: Types) -> Result<Operand, CompileError> {
        match types.map(Element::is_integer) {
            [false, true] => self.of(Function::IntMin, &[value, word(1)]),
            [true, false] => {
                let all = self.of(Function::IntSub, &[word(0), value])?;
                self.of(Function::IntAnd, &[all, constant(1.0, Element::F32)])
            }
            _ => Ok(value),
        }
    }

    /// Whether an element is not zero.
    fn holds(&mut self, value: Operand, element: Element) -> Result<Operand, CompileError> {
        let function = if element.is_integer() {
            Function::IntNe
        } else {
            Function::Ne
        };
        self.of(function, &[value, word(0)])
    }

    /// A shift, whose result is 0 if the amount is not from 0 to 31; the library's takes it modulo
    /// 64.
    fn shift(
        &mut self,
        function: Function,
        [value, amount]: Pair,
    ) -> Result<Operand, CompileError> {
        const OUTSIDE: u32 = !31;
        if let Source::Constant(amount) = amount.source {
            return match amount & OUTSIDE {
                0 => self.of(function, &[value, word(amount)]),
                _ => Ok(word(0)),
            };
        }
        let amount = as_value(self.body, amount);
        let outside = self.of(Function::IntAnd, &[amount.clone(), word(OUTSIDE)])?;
        let amount = self.of(Function::IntWhere, &[outside, word(32), amount])?;
        self.of(function, &[value, amount])
    }

    /// The first, where it is negative times the second.
    fn prelu(&mut self, [value, slope]: Pair) -> Result<Operand, CompileError> {
        let is_constant =
            matches!(slope.source, Source::Constant(word) if f32::from_bits(word).is_normal());
        if is_constant {
            return self.of(Function::LeakyRelu, &[value, slope]);
        }
        let value = as_value(self.body, value);
        let product = self.of(Function::Mul, &[value.clone(), slope])?;
        let negative = self.of(Function::Lt, &[value.clone(), word(0)])?;
        self.of(Function::Where, &[negative, product, value])
    }
}

/// What operands are, and what the result is.
pub(super) type Types = [Element; 2];

/// Two operands.
pub(super) type Pair = [Operand; 2];

/// A function of an element.
pub(super) fn unary(
    body: &mut Body,
    unary: Unary,
    operand: Operand,
    types: Types,
    location: usize,
) -> Result<Operand, CompileError> {
    let mut chain = Chain { body, location };
    let is_integer = types[0].is_integer();
    let function = match unary {
        Unary::Neg if is_integer => return chain.of(Function::IntSub, &[word(0), operand]),
        Unary::Abs if is_integer => {
            let operand = as_value(chain.body, operand);
            let negative = chain.of(Function::IntSub, &[word(0), operand.clone()])?;
            return chain.of(Function::IntMax, &[operand, negative]);
        }
        Unary::Relu if is_integer => return chain.of(Function::IntMax, &[operand, word(0)]),
        Unary::LogicalNot => {
            let function = if is_integer {
                Function::IntEq
            } else {
                Function::Eq
            };
            let value = chain.of(function, &[operand, word(0)])?;
            return chain.truth(value, types);
        }
        Unary::BitwiseNot if is_integer => Function::IntNot,
        // Validated: the others are of floats, this one of integers.
        _ if is_integer => return Err(no_code(location, unary.name())),
        Unary::BitwiseNot => return Err(no_code(location, unary.name())),
        Unary::Neg => Function::Neg,
        Unary::Abs => Function::Abs,
        Unary::Relu => Function::Relu,
        function => function.into(),
    };
    chain.of(function, &[operand])
}

/// A function of two elements.
pub(super) fn binary(
    body: &mut Body,
    binary: Binary,
    operands: Pair,
    types: Types,
    location: usize,
) -> Result<Operand, CompileError> {
    let mut chain = Chain { body, location };
    let is_integer = types[0].is_integer();
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
            let truths = [chain.holds(left, types[0])?, chain.holds(right, types[0])?];
            let value = chain.of(bitwise(binary), &truths)?;
            return chain.truth(value, types);
        }
        Binary::BitwiseAnd | Binary::BitwiseOr | Binary::BitwiseXor if is_integer => {
            bitwise(binary)
        }
        Binary::ShiftLeft if is_integer => return chain.shift(Function::IntShiftLeft, operands),
        Binary::ShiftRight if is_integer => {
            return chain.shift(Function::IntShiftRightUnsigned, operands)
        }
        Binary::Multiply => either(Function::Mul, Function::IntMul),
        Binary::Prelu if !is_integer => return chain.prelu(operands),
        // Validated: the others are of floats, or of integers.
        function if !is_integer && function.domain().contains(types[0]) => function.into(),
        _ => return Err(no_code(location, binary.name())),
    };
    let value = chain.of(function, &operands)?;
    if binary.is_predicate() {
        return chain.truth(value, types);
    }
    Ok(value)
}

/// The function of bits that a function of bits or truths is.
fn bitwise(binary: Binary) -> Function {
    match binary {
        Binary::BitwiseAnd | Binary::LogicalAnd => Function::IntAnd,
        Binary::BitwiseOr | Binary::LogicalOr => Function::IntOr,
        _ => Function::IntXor,
    }
}

/// An element as one of another type. An integer becomes a bf16 by way of a single, so it is
/// rounded twice.
pub(super) fn convert(
    body: &mut Body,
    operand: Operand,
    types: Types,
    location: usize,
) -> Result<Operand, CompileError> {
    let mut chain = Chain { body, location };
    match types {
        [Element::I32, Element::I32] | [Element::F32 | Element::Bf16, Element::F32] => Ok(operand),
        [_, Element::I32] => chain.of(Function::ToInt, &[operand]),
        [Element::I32, Element::F32] => chain.of(Function::FromInt, &[operand]),
        [Element::I32, Element::Bf16] => {
            let single = chain.of(Function::FromInt, &[operand])?;
            chain.of(Function::RoundBf16, &[single])
        }
        [Element::F32 | Element::Bf16, Element::Bf16] => chain.of(Function::RoundBf16, &[operand]),
    }
}
