//! Numbers that a kernel computes with: constants, loop variables, and arithmetic on them.
//!
//! Arithmetic on constants is done when the expression is made, so that two equal loop bounds are
//! equal expressions.

use std::rc::Rc;
use tessera_dialects::arith;

/// A loop variable of a plan.
pub type Var = usize;

/// A number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// One that is known.
    Constant(i64),
    /// The value of a loop variable.
    Var(Var),
    /// Two numbers to one.
    Binary(Arith, Rc<Expr>, Rc<Expr>),
}

/// Arithmetic on two numbers, as `arith` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, towards zero.
    Div,
    /// Remainder, with the sign of the dividend.
    Rem,
    /// The smaller.
    Min,
    /// Quotient of numbers without a sign. This and what follows has no value for negative ones,
    /// which would be other numbers in 32 bits than in 64.
    UnsignedDiv,
    /// Remainder of such.
    UnsignedRem,
    /// The smaller of such.
    UnsignedMin,
}

impl Arith {
    /// The name of the operation in the `arith` dialect.
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

    /// The same for numbers that have a sign, if it is not for such.
    pub fn signed(self) -> Option<Self> {
        Some(match self {
            Arith::UnsignedDiv => Arith::Div,
            Arith::UnsignedRem => Arith::Rem,
            Arith::UnsignedMin => Arith::Min,
            _ => return None,
        })
    }

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
    /// `a op b`; nothing if it is a constant that no 64 bits hold.
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

    /// Whether it depends on a loop variable.
    pub fn depends_on(&self, var: Var) -> bool {
        match self {
            Expr::Constant(_) => false,
            Expr::Var(other) => *other == var,
            Expr::Binary(_, a, b) => a.depends_on(var) || b.depends_on(var),
        }
    }

    /// The constant that it is.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Its value where loop variables have these values; nothing if that has no 64-bit value.
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
