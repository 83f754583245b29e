//! Error bounds of floating-point element-wise functions on each chip.
//!
//! The vector libraries state and test these bounds, and results are judged by them. The tables
//! have one row for each function and one column for each chip.
//!
//! Functions with shorter code for tensors of bf16 have two more columns. These bound the error of
//! the result before it is rounded to bf16. They are less than half a unit in the last place of
//! bf16, so that the rounded result is within one unit of the exact value. An operand need not be
//! a bf16 number: in a group of operations, values between them are f32.

use tessera_ops::{Binary, Interval, Unary};

use crate::target::Precision;

/// The least normal number of f32.
pub const MIN_NORMAL: f64 = f32::MIN_POSITIVE as f64;

/// The greatest error of an f32 result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// No error: the result is exact, bit for bit.
    Exact,
    /// One rounding of the arithmetic unit.
    Rounded,
    /// A number of units in the last place.
    Ulp {
        /// How many.
        most: f64,
        /// Results that are less than this in magnitude may be 0.
        underflow: f64,
        /// Operands of this magnitude and above are not computed: the result is not finite.
        limit: f64,
    },
    /// An absolute error, plus an error proportional to the operand.
    Absolute {
        /// The absolute error.
        most: f64,
        /// What is added for each unit of the operand.
        slope: f64,
    },
}

impl Bound {
    /// Returns whether all operands in an interval are small enough to be supported.
    pub fn is_computed(self, operand: Interval) -> bool {
        match self {
            Bound::Ulp { limit, .. } => operand.magnitude() < limit || limit.is_infinite(),
            _ => true,
        }
    }

    /// Returns the greatest error of a result that should be `value`, for operands of magnitude at
    /// most `operand`. A unit in the last place is at most `2^-23` of a number.
    pub fn max_error(self, value: f64, operand: f64) -> f64 {
        let units = |most: f64| most * value.abs() * f64::from(f32::EPSILON);
        match self {
            Bound::Exact => 0.0,
            Bound::Rounded => units(0.5) + MIN_NORMAL,
            Bound::Ulp {
                most, underflow, ..
            } if value.abs() < underflow => units(most) + value.abs(),
            Bound::Ulp { most, .. } => units(most),
            Bound::Absolute { most, slope } => most + slope * operand.abs(),
        }
    }
}

/// Returns a bound in units in the last place. Results below 2^-126 may underflow.
const fn ulp(most: f64) -> Bound {
    ulp_from(most, MIN_NORMAL)
}

/// Returns a bound in units in the last place. Results below `underflow` may be 0.
const fn ulp_from(most: f64, underflow: f64) -> Bound {
    Bound::Ulp {
        most,
        underflow,
        limit: f64::INFINITY,
    }
}

/// Units in the last place of f32 in one of bf16.
pub const UNITS_OF_BF16: f64 = 65_536.0;

/// Returns a bound in units in the last place of bf16. Results below `underflow` may be 0.
const fn bf16_from(most: f64, underflow: f64) -> Bound {
    ulp_from(most * UNITS_OF_BF16, underflow)
}

/// Returns a bound in units in the last place of bf16. Results near 2^-126 and below may underflow.
const fn bf16(most: f64) -> Bound {
    bf16_from(most, 1.02 * MIN_NORMAL)
}

/// Returns a bound in units in the last place of bf16 for operands below a limit.
const fn bf16_up_to(most: f64, limit: f32) -> Bound {
    Bound::Ulp {
        most: most * UNITS_OF_BF16,
        underflow: 1.02 * MIN_NORMAL,
        limit: limit as f64,
    }
}

/// Returns a bound in units in the last place for operands below a limit.
const fn ulp_up_to(most: f64, limit: f32) -> Bound {
    Bound::Ulp {
        most,
        underflow: MIN_NORMAL,
        limit: limit as f64,
    }
}

/// Remainders of quotients of lesser magnitude are exact: 2^21. Larger quotients are not supported.
pub const MAX_QUOTIENT: f32 = 2_097_152.0;

/// Sine, cosine and tangent support angles of lesser magnitude: 2^16.
pub const MAX_ANGLE: f32 = 65_536.0;

/// Returns a bound on the absolute error that grows with the operand.
const fn absolute(most: f64, slope: f64) -> Bound {
    Bound::Absolute { most, slope }
}

/// The bound of quotients with small dividends.
#[derive(Clone, Copy, Debug)]
pub struct SmallDividends {
    /// Dividends of lesser magnitude are small.
    pub below: f64,
    /// The bound in units in the last place.
    pub most: f64,
    /// Quotients of dividends of lesser magnitude may be 0.
    pub vanish_below: f64,
}

/// 2^-22.
const QUARTER_MILLIONTH: f64 = 1.0 / 4_194_304.0;

/// 2^-95.
const SMALL: f64 = 1.0 / (1u128 << 95) as f64;

/// The bounds of a chip.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    chip: Chip,
    /// The bound of quotients with small dividends, if it differs.
    pub small_dividends: Option<SmallDividends>,
}

/// A column of the tables.
#[derive(Clone, Copy, Debug)]
enum Chip {
    Mncore,
    Tensix,
}

/// The library of MN-Core 2.
pub const MNCORE: Bounds = Bounds {
    chip: Chip::Mncore,
    small_dividends: Some(SmallDividends {
        below: SMALL,
        most: 2.5,
        vanish_below: 4.0 * MIN_NORMAL,
    }),
};

/// The library of Tensix.
pub const TENSIX: Bounds = Bounds {
    chip: Chip::Tensix,
    small_dividends: Some(SmallDividends {
        below: 4.0 * MIN_NORMAL,
        most: 1.75,
        vanish_below: 4.0 * MIN_NORMAL,
    }),
};

/// Declares a table of bounds. Each row has the functions, the bound on MN-Core 2 and the bound on
/// Tensix; then both bounds of the code for tensors of bf16, if there is such code.
macro_rules! table {
    (
        $doc:literal $name:ident, $has_bf16:ident($Function:ident):
        $($($function:ident)|+ => $mncore:expr, $tensix:expr
            $(, bf16: $narrow_mncore:expr, $narrow_tensix:expr)?;)*
    ) => {
        impl Bounds {
            #[doc = $doc]
            pub const fn $name(&self, function: $Function, precision: Precision) -> Bound {
                match (function, self.chip, precision) {
                    $(
                        ($($Function::$function)|+, Chip::Mncore, Precision::F32) => $mncore,
                        ($($Function::$function)|+, Chip::Tensix, Precision::F32) => $tensix,
                        ($($Function::$function)|+, Chip::Mncore, Precision::Bf16) => {
                            last!($mncore $(, $narrow_mncore)?)
                        }
                        ($($Function::$function)|+, Chip::Tensix, Precision::Bf16) => {
                            last!($tensix $(, $narrow_tensix)?)
                        }
                    )*
                }
            }
        }

        /// Returns whether a function has code of its own for tensors of bf16.
        pub const fn $has_bf16(function: $Function) -> bool {
            match function {
                $($($Function::$function)|+ => last!(false $(, ($narrow_mncore, true).1)?),)*
            }
        }
    };
}

/// Expands to the last of one or two expressions.
macro_rules! last {
    ($first:expr) => {
        $first
    };
    ($first:expr, $second:expr) => {
        $second
    };
}

use Bound::{Exact, Rounded};

table! {
    "The bound of a function of one element."
    unary, unary_has_bf16_code(Unary):
    Neg | Abs | Relu | LogicalNot | BitwiseNot => Exact, Exact;
    Floor | Ceil | Trunc | Round | Frac => Exact, Exact;
    Sign | Signbit | IsFinite => Exact, Exact;
    Exp => ulp_from(0.93, 1.42 * MIN_NORMAL), ulp_from(1.0, 1.42 * MIN_NORMAL),
        bf16: bf16_from(0.2, 2.0 * MIN_NORMAL), bf16_from(0.2, 2.0 * MIN_NORMAL);
    Exp2 => ulp_from(1.25, 1.42 * MIN_NORMAL), ulp_from(1.25, 1.42 * MIN_NORMAL),
        bf16: bf16_from(0.2, 2.0 * MIN_NORMAL), bf16_from(0.2, 2.0 * MIN_NORMAL);
    Expm1 => ulp_from(2.0, 2.0 * MIN_NORMAL), ulp_from(2.0, 2.0 * MIN_NORMAL),
        bf16: bf16_from(0.2, 2.0 * MIN_NORMAL), bf16_from(0.2, 2.0 * MIN_NORMAL);
    Log => ulp(1.0), ulp(1.0),
        bf16: bf16(0.2), bf16(0.2);
    Log1p => ulp(1.75), ulp(1.75),
        bf16: bf16(0.2), bf16(0.2);
    Sqrt => ulp(0.51), ulp(1.0),
        bf16: bf16(0.25), bf16(0.25);
    Rsqrt => ulp(1.0), ulp(1.25),
        bf16: bf16(0.25), bf16(0.25);
    Cbrt => ulp(1.1), ulp(1.1),
        bf16: bf16(0.25), bf16(0.25);
    Reciprocal => ulp_from(0.51, 1.06 * MIN_NORMAL), ulp(1.0),
        bf16: bf16_from(0.01, 1.1 * MIN_NORMAL), bf16(0.48);
    Sigmoid => ulp_from(2.4, 1.06 * MIN_NORMAL), ulp_from(2.5, 1.1 * MIN_NORMAL),
        bf16: bf16_from(0.49, 1.1 * MIN_NORMAL), bf16_from(0.49, 1.1 * MIN_NORMAL);
    Sin | Cos => ulp_up_to(1.75, MAX_ANGLE), ulp_up_to(2.5, MAX_ANGLE),
        bf16: bf16_up_to(0.1, MAX_ANGLE), bf16_up_to(0.1, MAX_ANGLE);
    Tan => ulp_up_to(4.5, MAX_ANGLE), ulp_up_to(4.5, MAX_ANGLE),
        bf16: bf16_up_to(0.4, MAX_ANGLE), bf16_up_to(0.49, MAX_ANGLE);
    Asin => ulp(2.75), ulp(2.75),
        bf16: bf16(0.4), bf16(0.4);
    Acos => ulp(2.0), ulp(2.0),
        bf16: bf16(0.4), bf16(0.4);
    Atan => ulp(2.25), ulp(2.25),
        bf16: bf16(0.4), bf16(0.45);
    Asinh => ulp(3.0), ulp(3.0),
        bf16: bf16(0.4), bf16(0.49);
    Tanh => ulp(1.5), ulp(2.0),
        bf16: bf16(0.45), bf16(0.45);
    Erf => ulp(1.2), ulp(2.5),
        bf16: bf16(0.3), bf16(0.3);
    Erfc => ulp(5.0), ulp(5.0),
        bf16: bf16_from(0.4, 2.02 * MIN_NORMAL), bf16_from(0.4, 2.0 * MIN_NORMAL);
    Gelu => absolute(QUARTER_MILLIONTH, QUARTER_MILLIONTH), ulp_from(200.0, 1e-35),
        bf16: bf16_from(0.4, 1e-35), bf16_from(0.4, 1e-35);
    Silu => ulp_from(2.9, 1.2e-36), ulp_from(3.0, 1.2e-36),
        bf16: bf16_from(0.49, 1.2e-36), bf16_from(0.49, 1.2e-36);
}

table! {
    "The bound of a function of two elements."
    binary, binary_has_bf16_code(Binary):
    Add | Subtract | Multiply | Prelu => Rounded, Rounded;
    Divide => ulp(0.51), ulp(1.75),
        bf16: bf16(0.4), bf16(0.49);
    Power => ulp_from(16.0, 1.42 * MIN_NORMAL), ulp_from(16.0, 1.42 * MIN_NORMAL),
        bf16: bf16_from(0.3, 2.0 * MIN_NORMAL), bf16_from(0.3, 2.0 * MIN_NORMAL);
    Max | Min => Exact, Exact;
    Remainder => ulp_from(0.0, 2.0 * MIN_NORMAL), ulp_from(0.0, 2.0 * MIN_NORMAL);
    Atan2 => ulp(2.75), ulp(2.75),
        bf16: bf16(0.49), bf16(0.49);
    Equal | NotEqual | Greater | GreaterEqual | Less | LessEqual => Exact, Exact;
    LogicalAnd | LogicalOr | LogicalXor => Exact, Exact;
    BitwiseAnd | BitwiseOr | BitwiseXor => Exact, Exact;
    ShiftLeft | ShiftRight | ShiftRightSigned => Exact, Exact;
}

impl Bounds {
    /// Returns the bound of a quotient with this dividend.
    pub fn quotient(&self, dividend: f64, precision: Precision) -> Bound {
        let usual = self.binary(Binary::Divide, precision);
        match (self.small_dividends, usual) {
            (Some(small), Bound::Ulp { most, .. }) if dividend.abs() < small.below => {
                let vanishes = dividend.abs() < small.vanish_below;
                ulp_from(
                    most.max(small.most),
                    if vanishes { f64::INFINITY } else { MIN_NORMAL },
                )
            }
            _ => usual,
        }
    }
}
