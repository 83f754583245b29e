//! How far functions of floats may be from the exact value, on each chip: the bounds that the libraries of code state and test, and that
//! results are judged by.

use tessera_ops::{Binary, Unary};

/// The least normalised number of f32.
pub const TINY: f64 = f32::MIN_POSITIVE as f64;

/// How far a result in f32 may be from the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Not at all: bit by bit what the edges say.
    Exact,
    /// One rounding, the arithmetic unit's.
    Rounded,
    /// So many units in the last place.
    Ulp {
        /// How many.
        most: f64,
        /// Results that are less than this in magnitude may be 0.
        underflow: f64,
    },
    /// So far, and so far times the operand's magnitude.
    Absolute {
        /// How far.
        most: f64,
        /// What is added for each unit of the operand.
        slope: f64,
    },
}

impl Bound {
    /// How far a result may be off that should be `value`, if none of its operands is greater than `operand` in magnitude. A unit in the last
    /// place is at most `2^-23` of a number.
    pub fn off(self, value: f64, operand: f64) -> f64 {
        let units = |most: f64| most * value.abs() * f64::from(f32::EPSILON);
        match self {
            Bound::Exact => 0.0,
            Bound::Rounded => units(0.5) + TINY,
            Bound::Ulp { most, underflow } if value.abs() < underflow => units(most) + value.abs(),
            Bound::Ulp { most, .. } => units(most),
            Bound::Absolute { most, slope } => most + slope * operand.abs(),
        }
    }
}

/// A bound in units in the last place; without another, results underflow below 2^-126.
const fn ulp(most: f64) -> Bound {
    ulp_from(most, TINY)
}

/// The same, with results that underflow earlier.
const fn ulp_from(most: f64, underflow: f64) -> Bound {
    Bound::Ulp { most, underflow }
}

/// How far quotients may be off whose dividends are small, whatever they are themselves.
#[derive(Clone, Copy, Debug)]
pub struct SmallDividends {
    /// Of dividends less than this in magnitude...
    pub below: f64,
    /// ... so many units in the last place;
    pub most: f64,
    /// and of those less than this the quotient may be 0.
    pub vanish_below: f64,
}

/// The bounds of a chip.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Of one over x.
    pub recip: Bound,
    /// Of quotients.
    pub div: Bound,
    /// Of those of small dividends, if that is another.
    pub small_dividends: Option<SmallDividends>,
    /// Of the square root.
    pub sqrt: Bound,
    /// Of one over that.
    pub rsqrt: Bound,
    /// Of the exponential.
    pub exp: Bound,
    /// Of the natural logarithm.
    pub log: Bound,
    /// Of the sigmoid.
    pub sigmoid: Bound,
    /// Of x times that.
    pub silu: Bound,
    /// Of the hyperbolic tangent.
    pub tanh: Bound,
    /// Of the error function.
    pub erf: Bound,
    /// Of gelu.
    pub gelu: Bound,
}

/// 2^-22.
const QUARTER_MILLIONTH: f64 = 1.0 / 4_194_304.0;

/// 2^-95.
const SMALL: f64 = 1.0 / (1u128 << 95) as f64;

/// The library of MN-Core 2.
pub const MNCORE: Bounds = Bounds {
    recip: ulp_from(0.51, 1.06 * TINY),
    div: ulp(0.51),
    small_dividends: Some(SmallDividends {
        below: SMALL,
        most: 2.5,
        vanish_below: 4.0 * TINY,
    }),
    sqrt: ulp(0.51),
    rsqrt: ulp(1.0),
    exp: ulp_from(0.93, 1.42 * TINY),
    log: ulp(1.0),
    sigmoid: ulp_from(2.4, 1.06 * TINY),
    silu: ulp_from(2.9, 1.2e-36),
    tanh: ulp(1.5),
    erf: ulp(1.2),
    gelu: Bound::Absolute {
        most: QUARTER_MILLIONTH,
        slope: QUARTER_MILLIONTH,
    },
};

/// The library of Tensix.
pub const TENSIX: Bounds = Bounds {
    recip: ulp(1.0),
    div: ulp(1.75),
    small_dividends: Some(SmallDividends {
        below: 4.0 * TINY,
        most: 1.75,
        vanish_below: 4.0 * TINY,
    }),
    sqrt: ulp(1.0),
    rsqrt: ulp(1.25),
    exp: ulp_from(1.0, 1.42 * TINY),
    log: ulp(1.0),
    sigmoid: ulp_from(2.5, 1.1 * TINY),
    silu: ulp_from(3.0, 1.2e-36),
    tanh: ulp(2.0),
    erf: ulp(2.5),
    gelu: ulp_from(200.0, 1e-35),
};

impl Bounds {
    /// That of a function of an element.
    pub const fn unary(&self, function: Unary) -> Bound {
        match function {
            Unary::Neg | Unary::Abs | Unary::Relu | Unary::LogicalNot | Unary::BitwiseNot => {
                Bound::Exact
            }
            Unary::Exp => self.exp,
            Unary::Log => self.log,
            Unary::Sqrt => self.sqrt,
            Unary::Rsqrt => self.rsqrt,
            Unary::Reciprocal => self.recip,
            Unary::Sigmoid => self.sigmoid,
            Unary::Tanh => self.tanh,
            Unary::Erf => self.erf,
            Unary::Gelu => self.gelu,
            Unary::Silu => self.silu,
        }
    }

    /// That of a quotient, by its dividend.
    pub fn quotient(&self, dividend: f64) -> Bound {
        match self.small_dividends {
            Some(small) if dividend.abs() < small.below => {
                let vanishes = dividend.abs() < small.vanish_below;
                ulp_from(small.most, if vanishes { f64::INFINITY } else { TINY })
            }
            _ => self.div,
        }
    }

    /// That of a function of two elements.
    pub const fn binary(&self, function: Binary) -> Bound {
        match function {
            Binary::Divide => self.div,
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Prelu => Bound::Rounded,
            _ => Bound::Exact,
        }
    }
}
