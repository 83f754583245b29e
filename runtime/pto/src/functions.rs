//! Functions of elements: their names, what they take, and what they give.
//!
//! A function is one row here. The dialects, the program file and both interpreters know it from this table: the tensor operation of
//! its name (`ttir`, `ttnn`) and the tile operation of its mnemonic (`pto.t…`).
//!
//! Floats are computed in f64, so what a device gives is compared with the exact value, but for the last bits of an f64; integers are
//! i32 and wrap. Comparisons and logical functions give 1 or 0. NaN stays NaN, where it is no truth: it is not zero, so it is true,
//! and every comparison with it but "not equal" is false.

use std::fmt;

use crate::kernel::Element;

/// What a function can be computed of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Floats and integers.
    Any,
    /// Floats only.
    Float,
    /// Integers only.
    Integer,
}

impl Domain {
    /// Whether elements of a type are in it.
    pub const fn has(self, element: Element) -> bool {
        match self {
            Domain::Any => true,
            Domain::Float => !element.is_integer(),
            Domain::Integer => element.is_integer(),
        }
    }
}

/// Declares functions, each with the name of its tensor operation and the mnemonic of its tile operation.
macro_rules! functions {
    ($(#[$of:meta])* $name:ident {
        $($domain:ident { $($(#[$doc:meta])* $variant:ident = $text:literal, $mnemonic:literal;)* })*
    }) => {
        $(#[$of])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($($(#[$doc])* $variant,)*)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// The name of its operation on tensors.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Self::$variant => $text,)*)*
                }
            }

            /// What follows `pto.t` in the name of its operation on tiles.
            pub const fn mnemonic(self) -> &'static str {
                match self {
                    $($(Self::$variant => $mnemonic,)*)*
                }
            }

            /// What it can be computed of.
            pub const fn domain(self) -> Domain {
                match self {
                    $($(Self::$variant)|* => Domain::$domain,)*
                }
            }

            /// The function whose operation on tensors has a name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }

            /// The function with a mnemonic.
            pub fn of_mnemonic(mnemonic: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.mnemonic() == mnemonic)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

functions! {
    /// Functions of an element.
    Unary {
        Any {
            /// The element with its sign changed.
            Neg = "neg", "neg";
            /// The element without its sign.
            Abs = "abs", "abs";
            /// The element, +0 where it is negative.
            Relu = "relu", "relu";
            /// Whether the element is zero.
            LogicalNot = "logical_not", "lnot";
        }
        Float {
            /// The exponential.
            Exp = "exp", "exp";
            /// The natural logarithm.
            Log = "log", "log";
            /// The square root.
            Sqrt = "sqrt", "sqrt";
            /// One over the square root.
            Rsqrt = "rsqrt", "rsqrt";
            /// One over the element.
            Reciprocal = "reciprocal", "recip";
            /// `1 / (1 + exp(-x))`
            Sigmoid = "sigmoid", "sigmoid";
            /// The hyperbolic tangent.
            Tanh = "tanh", "tanh";
            /// The error function.
            Erf = "erf", "erf";
            /// `x / 2 * (1 + erf(x / sqrt(2)))`
            Gelu = "gelu", "gelu";
            /// `x / (1 + exp(-x))`
            Silu = "silu", "silu";
        }
        Integer {
            /// All bits changed.
            BitwiseNot = "bitwise_not", "not";
        }
    }
}

functions! {
    /// Functions of two elements.
    Binary {
        Any {
            /// Sum.
            Add = "add", "add";
            /// Difference.
            Subtract = "subtract", "sub";
            /// Product.
            Multiply = "multiply", "mul";
            /// The larger one.
            Max = "maximum", "max";
            /// The smaller one.
            Min = "minimum", "min";
            /// Whether both are equal.
            Equal = "eq", "eq";
            /// Whether they differ.
            NotEqual = "ne", "ne";
            /// Whether the first is larger.
            Greater = "gt", "gt";
            /// Whether the first is as large or larger.
            GreaterEqual = "ge", "ge";
            /// Whether the first is smaller.
            Less = "lt", "lt";
            /// Whether the first is as small or smaller.
            LessEqual = "le", "le";
            /// Whether neither is zero.
            LogicalAnd = "logical_and", "land";
            /// Whether one is not zero.
            LogicalOr = "logical_or", "lor";
            /// Whether exactly one is zero.
            LogicalXor = "logical_xor", "lxor";
        }
        Float {
            /// Quotient.
            Divide = "divide", "div";
            /// The first, where it is negative times the second.
            Prelu = "prelu", "prelu";
        }
        Integer {
            /// The bits that both have.
            BitwiseAnd = "bitwise_and", "and";
            /// The bits that one has.
            BitwiseOr = "bitwise_or", "or";
            /// The bits that they differ in.
            BitwiseXor = "bitwise_xor", "xor";
            /// The bits of the first, moved up by the second; 0 if that is not from 0 to 31.
            ShiftLeft = "logical_left_shift", "shl";
            /// The bits of the first, moved down by the second, zeros behind them; 0 if that is not from 0 to 31.
            ShiftRight = "logical_right_shift", "shr";
        }
    }
}

functions! {
    /// What is kept of a row or column.
    Reduce {
        Any {
            /// The sum of all.
            Sum = "sum", "sum";
            /// The largest.
            Max = "max", "max";
            /// The smallest.
            Min = "min", "min";
        }
    }
}

fn truth(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// The larger one; NaN if one is.
fn larger(x: f64, y: f64) -> f64 {
    let first = x > y || x.is_nan() || (x == y && x.is_sign_positive());
    if first {
        x
    } else {
        y
    }
}

impl Unary {
    /// Its value; of an integer, if `element` is one.
    pub fn of(self, element: Element, x: f64) -> f64 {
        if element.is_integer() {
            f64::from(self.of_integer(x as i32))
        } else {
            self.of_float(x)
        }
    }

    fn of_float(self, x: f64) -> f64 {
        match self {
            Unary::Neg => -x,
            Unary::Abs => x.abs(),
            Unary::Relu if x > 0.0 || x.is_nan() => x,
            Unary::Relu => 0.0,
            Unary::LogicalNot => truth(x == 0.0),
            Unary::Exp => x.exp(),
            Unary::Log => x.ln(),
            Unary::Sqrt => x.sqrt(),
            Unary::Rsqrt => x.sqrt().recip(),
            Unary::Reciprocal => x.recip(),
            Unary::Sigmoid => (1.0 + (-x).exp()).recip(),
            Unary::Tanh => x.tanh(),
            Unary::Erf => libm::erf(x),
            // The sum of one and erf cancels where x is far below zero.
            Unary::Gelu => 0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2),
            Unary::Silu => x / (1.0 + (-x).exp()),
            Unary::BitwiseNot => f64::NAN,
        }
    }

    fn of_integer(self, x: i32) -> i32 {
        match self {
            Unary::Neg => x.wrapping_neg(),
            Unary::Abs => x.wrapping_abs(),
            Unary::Relu => x.max(0),
            Unary::LogicalNot => i32::from(x == 0),
            Unary::BitwiseNot => !x,
            // Not in the domain: whoever runs a function has checked that.
            _ => 0,
        }
    }
}

impl Binary {
    /// Its value; of integers, if `element`, that of both operands, is one.
    pub fn of(self, element: Element, x: f64, y: f64) -> f64 {
        if element.is_integer() {
            f64::from(self.of_integers(x as i32, y as i32))
        } else {
            self.of_floats(x, y)
        }
    }

    /// Whether it gives 1 or 0, of whatever elements.
    pub const fn is_truth(self) -> bool {
        matches!(
            self,
            Binary::Equal
                | Binary::NotEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Less
                | Binary::LessEqual
                | Binary::LogicalAnd
                | Binary::LogicalOr
                | Binary::LogicalXor
        )
    }

    fn of_floats(self, x: f64, y: f64) -> f64 {
        match self {
            Binary::Add => x + y,
            Binary::Subtract => x - y,
            Binary::Multiply => x * y,
            Binary::Divide => x / y,
            Binary::Max => larger(x, y),
            Binary::Min => -larger(-x, -y),
            Binary::Prelu if x < 0.0 => x * y,
            Binary::Prelu => x,
            Binary::Equal => truth(x == y),
            Binary::NotEqual => truth(x != y),
            Binary::Greater => truth(x > y),
            Binary::GreaterEqual => truth(x >= y),
            Binary::Less => truth(x < y),
            Binary::LessEqual => truth(x <= y),
            Binary::LogicalAnd => truth(x != 0.0 && y != 0.0),
            Binary::LogicalOr => truth(x != 0.0 || y != 0.0),
            Binary::LogicalXor => truth((x != 0.0) != (y != 0.0)),
            Binary::BitwiseAnd
            | Binary::BitwiseOr
            | Binary::BitwiseXor
            | Binary::ShiftLeft
            | Binary::ShiftRight => f64::NAN,
        }
    }

    fn of_integers(self, x: i32, y: i32) -> i32 {
        // What shifts does so without a sign; an amount out of range is none that a u32 can be shifted by.
        let shift = |shifted: Option<u32>| shifted.unwrap_or(0) as i32;
        match self {
            Binary::Add => x.wrapping_add(y),
            Binary::Subtract => x.wrapping_sub(y),
            Binary::Multiply => x.wrapping_mul(y),
            Binary::Max => x.max(y),
            Binary::Min => x.min(y),
            Binary::BitwiseAnd => x & y,
            Binary::BitwiseOr => x | y,
            Binary::BitwiseXor => x ^ y,
            Binary::ShiftLeft => shift((x as u32).checked_shl(y as u32)),
            Binary::ShiftRight => shift((x as u32).checked_shr(y as u32)),
            // Truths of integers are those of the floats that are equal to them.
            _ if self.is_truth() => self.of_floats(x.into(), y.into()) as i32,
            // Not in the domain: whoever runs a function has checked that.
            _ => 0,
        }
    }
}

impl Reduce {
    /// Its value of some elements, of type `element`, in their order.
    pub fn of(self, element: Element, elements: impl Iterator<Item = f64>) -> f64 {
        let function = self.step();
        let combine = |x, y| function.of(element, x, y);
        elements.fold(self.initial(element), combine)
    }

    /// What makes of a value and one more element the value of all.
    pub const fn step(self) -> Binary {
        match self {
            Reduce::Sum => Binary::Add,
            Reduce::Max => Binary::Max,
            Reduce::Min => Binary::Min,
        }
    }

    /// The value of no elements.
    fn initial(self, element: Element) -> f64 {
        let least = if element.is_integer() {
            i32::MIN.into()
        } else {
            f64::NEG_INFINITY
        };
        match self {
            Reduce::Sum => 0.0,
            Reduce::Max => least,
            Reduce::Min if element.is_integer() => i32::MAX.into(),
            Reduce::Min => -least,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_found_by_its_names() {
        for &one in Unary::ALL {
            assert_eq!(Unary::named(one.name()), Some(one));
            assert_eq!(Unary::of_mnemonic(one.mnemonic()), Some(one));
        }
        for &one in Binary::ALL {
            assert_eq!(Binary::named(one.name()), Some(one));
            assert_eq!(Binary::of_mnemonic(one.mnemonic()), Some(one));
        }
        for &one in Reduce::ALL {
            assert_eq!(Reduce::named(one.name()), Some(one));
        }
        assert_eq!(Unary::named("add"), None);
        assert_eq!(Binary::of_mnemonic("subtract"), None);
    }

    #[test]
    fn floats_of_one() {
        for (function, x, expect) in [
            (Unary::Relu, -3.0, 0.0),
            (Unary::LogicalNot, -0.0, 1.0),
            (Unary::LogicalNot, f64::NAN, 0.0),
            (Unary::Rsqrt, 4.0, 0.5),
            (Unary::Rsqrt, 0.0, f64::INFINITY),
            (Unary::Sigmoid, 0.0, 0.5),
            (Unary::Sigmoid, -1000.0, 0.0),
            (Unary::Silu, 0.0, 0.0),
            (Unary::Erf, f64::INFINITY, 1.0),
            (Unary::Erf, 0.5, 0.5204998778130465),
            (Unary::Gelu, 1.0, 0.8413447460685429),
            // 1 + erf would have lost all but two digits.
            (Unary::Gelu, -8.0, -4.9767684594174555e-15),
        ] {
            let found = function.of(Element::F32, x);
            let error = (found - expect).abs();
            assert!(
                found == expect || error < 1e-12 * expect.abs(),
                "{function} {x}: {found}"
            );
        }
        assert!(Unary::Relu.of(Element::F32, -0.0).is_sign_positive());
        assert!(Unary::Relu.of(Element::F32, f64::NAN).is_nan());
        assert!(Unary::Log.of(Element::F32, -1.0).is_nan());
    }

    #[test]
    fn floats_of_two() {
        use Binary::*;
        for (x, y, truths) in [
            (1.0, 2.0, [0, 1, 0, 0, 1, 1, 1, 1, 0]),
            (2.0, 2.0, [1, 0, 0, 1, 0, 1, 1, 1, 0]),
            (-0.0, 0.0, [1, 0, 0, 1, 0, 1, 0, 0, 0]),
            (3.0, 0.0, [0, 1, 1, 1, 0, 0, 0, 1, 1]),
            (f64::NAN, 0.0, [0, 1, 0, 0, 0, 0, 0, 1, 1]),
        ] {
            let functions = Binary::ALL.iter().filter(|one| one.is_truth());
            let found: Vec<f64> = functions.map(|one| one.of(Element::Bf16, x, y)).collect();
            assert_eq!(found, truths.map(f64::from), "{x} {y}");
        }
        for (function, x, y, expect) in [
            (Max, 1.0, 2.0, 2.0),
            (Min, 1.0, 2.0, 1.0),
            (Prelu, -4.0, 0.25, -1.0),
            (Prelu, 4.0, 0.25, 4.0),
            (Divide, 1.0, 4.0, 0.25),
        ] {
            assert_eq!(function.of(Element::F32, x, y), expect, "{function}");
        }
        for (x, y) in [(1.0, f64::NAN), (f64::NAN, 1.0)] {
            assert!(Max.of(Element::F32, x, y).is_nan());
            assert!(Min.of(Element::F32, x, y).is_nan());
        }
        for (x, y) in [(0.0, -0.0), (-0.0, 0.0)] {
            assert!(Max.of(Element::F32, x, y).is_sign_positive());
            assert!(Min.of(Element::F32, x, y).is_sign_negative());
        }
    }

    #[test]
    fn integers_wrap() {
        use Binary::*;
        const LEAST: i32 = i32::MIN;
        const MOST: i32 = i32::MAX;
        for (function, x, y, expect) in [
            (Add, MOST, 1, LEAST),
            (Subtract, LEAST, 1, MOST),
            (Multiply, 0x1234_5679, 0x0fff_ffff, 0x7dcb_a987),
            (Max, -1, 1, 1),
            (Min, LEAST, MOST, LEAST),
            (BitwiseAnd, -1, 12, 12),
            (BitwiseOr, 3, 12, 15),
            (BitwiseXor, -1, 12, !12),
            (ShiftLeft, 3, 31, LEAST),
            (ShiftLeft, 3, 32, 0),
            (ShiftLeft, 3, -1, 0),
            (ShiftRight, -1, 31, 1),
            (ShiftRight, -1, 0, -1),
            (ShiftRight, -1, 32, 0),
            (Less, -1, 0, 1),
            (GreaterEqual, MOST, LEAST, 1),
            (LogicalXor, 7, 0, 1),
        ] {
            let found = function.of(Element::I32, x.into(), y.into());
            assert_eq!(found, expect.into(), "{function} {x} {y}");
        }
        for (function, x, expect) in [
            (Unary::Neg, LEAST, LEAST),
            (Unary::Abs, -5, 5),
            (Unary::Relu, -5, 0),
            (Unary::LogicalNot, 0, 1),
            (Unary::BitwiseNot, 5, -6),
        ] {
            assert_eq!(function.of(Element::I32, x.into()), expect.into());
        }
    }

    #[test]
    fn reductions_of_none_and_some() {
        for (reduce, element, of, expect) in [
            (Reduce::Sum, Element::F32, vec![], 0.0),
            (Reduce::Max, Element::F32, vec![], f64::NEG_INFINITY),
            (Reduce::Min, Element::Bf16, vec![], f64::INFINITY),
            (Reduce::Max, Element::I32, vec![], i32::MIN.into()),
            (Reduce::Min, Element::I32, vec![], i32::MAX.into()),
            (Reduce::Sum, Element::F32, vec![1.0, 2.5], 3.5),
            (Reduce::Max, Element::F32, vec![-1.0, -2.5], -1.0),
            (Reduce::Min, Element::F32, vec![-1.0, -2.5], -2.5),
            (
                Reduce::Sum,
                Element::I32,
                vec![i32::MAX.into(), 2.0],
                (i32::MIN + 1).into(),
            ),
        ] {
            assert_eq!(reduce.of(element, of.into_iter()), expect, "{reduce}");
        }
    }
}
