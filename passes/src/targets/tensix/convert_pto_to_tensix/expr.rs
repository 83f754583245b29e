//! Index expressions of a plan: constants, loop variables and arithmetic on them.
//!
//! Constant operands are folded when an expression is made, so equal constant loop bounds are equal
//! expressions.

use std::rc::Rc;
use tessera_dialects::arith;

/// A loop variable of a plan.
pub type Var = usize;

/// An index expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Constant(i64),
    /// The value of a loop variable.
    Var(Var),
    /// A binary operation.
    Binary(Arith, Rc<Expr>, Rc<Expr>),
}

/// Binary operations, with the semantics of the `arith` dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Signed quotient, rounded towards zero.
    Div,
    /// Signed remainder, with the sign of the dividend.
    Rem,
    /// Signed minimum.
    Min,
    /// Unsigned quotient. The unsigned operations are not evaluated for negative operands, whose
    /// unsigned values in 32 and in 64 bits differ.
    UnsignedDiv,
    /// Unsigned remainder.
    UnsignedRem,
    /// Unsigned minimum.
    UnsignedMin,
}

impl Arith {
    /// Returns the name of the operation in the `arith` dialect.
    pub fn name(self) -> &'static str {
        match self {
            Arith::Add => arith::AddIOp::NAME,
            Arith::Sub => arith::SubIOp::NAME,
            Arith::Mul => arith::MulIOp::NAME,
            Arith::Div => arith::DivSIOp::NAME,
            Arith::Rem => arith::RemSIOp::NAME,
            Arith::Min => arith::MinSIOp::NAME,
            Arith::UnsignedDiv => arith::DivUIOp::NAME,
            Arith::UnsignedRem => arith::RemUIOp::NAME,
            Arith::UnsignedMin => arith::MinUIOp::NAME,
        }
    }

    /// Returns the signed counterpart of an unsigned operation.
    pub fn signed(self) -> Option<Self> {
        Some(match self {
            Arith::UnsignedDiv => Arith::Div,
            Arith::UnsignedRem => Arith::Rem,
            Arith::UnsignedMin => Arith::Min,
            _ => return None,
        })
    }

    /// Returns `None` on overflow, on division by zero, and for unsigned operations on negative
    /// operands.
    fn compute(self, a: i64, b: i64) -> Option<i64> {
        if let Some(signed) = self.signed() {
            return signed.compute(a, b).filter(|_| a >= 0 && b >= 0);
        }
        match self {
            Arith::Add => a.checked_add(b),
            Arith::Sub => a.checked_sub(b),
            Arith::Mul => a.checked_mul(b),
            Arith::Div => a.checked_div(b),
            Arith::Rem => a.checked_rem(b),
            Arith::Min => Some(a.min(b)),
            Arith::UnsignedDiv | Arith::UnsignedRem | Arith::UnsignedMin => None,
        }
    }
}

impl Expr {
    /// Returns `a op b`, simplified. Returns `None` if both are constants whose result overflows 64
    /// bits or is undefined, as that of a division by zero.
    pub fn binary(op: Arith, a: &Expr, b: &Expr) -> Option<Expr> {
        use Expr::Constant;
        Some(match (op, a, b) {
            (_, Constant(a), Constant(b)) => Constant(op.compute(*a, *b)?),
            (Arith::Add, Constant(0), other) | (Arith::Add | Arith::Sub, other, Constant(0)) => {
                other.clone()
            }
            (Arith::Mul, Constant(0), _) | (Arith::Mul, _, Constant(0)) => Constant(0),
            (Arith::Mul, Constant(1), other) | (Arith::Mul | Arith::Div, other, Constant(1)) => {
                other.clone()
            }
            (Arith::Rem, _, Constant(1)) => Constant(0),
            _ => Expr::Binary(op, Rc::new(a.clone()), Rc::new(b.clone())),
        })
    }

    /// Returns whether the expression depends on `var`.
    pub fn depends_on(&self, var: Var) -> bool {
        match self {
            Expr::Constant(_) => false,
            Expr::Var(other) => *other == var,
            Expr::Binary(_, a, b) => a.depends_on(var) || b.depends_on(var),
        }
    }

    /// Returns the value if the expression is a constant; nothing is evaluated.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Evaluates the expression, given the values of loop variables. Returns `None` on overflow
    /// and on division by zero.
    pub fn value(&self, var: &dyn Fn(Var) -> i64) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(*value),
            Expr::Var(number) => Some(var(*number)),
            Expr::Binary(op, a, b) => op.compute(a.value(var)?, b.value(var)?),
        }
    }
}

impl From<u32> for Expr {
    fn from(value: u32) -> Self {
        Expr::Constant(value.into())
    }
}

#[cfg(test)]
mod tests;
