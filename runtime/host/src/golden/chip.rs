//! How the chips compute: what the bounds of their results are made from.

use serde::Serialize;
use tessera_isa_mncore::memory::Precision;
use tessera_ops::eval::{matmul_beside, with_factors, Array, Beside};
use tessera_ops::{Binary, Interval, Unary};
use tessera_program::Product;
use tessera_pto::bounds::{Bound, Bounds, MNCORE, TENSIX};
use tessera_reference::EvalError;

use super::blocks::Blocks;
use super::enclosed::Enclosed;
use super::fidelity;

/// The chip whose results are judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Chip {
    /// Tensix; also what computes nearer to the reference, as the interpreter does.
    #[default]
    Tensix,
    /// MN-Core 2, with products in the precision of their kernels.
    Mncore,
}

/// How a group of operations is computed.
#[derive(Debug, Clone, Copy)]
pub struct Arithmetic {
    /// The chip.
    pub chip: Chip,
    /// The precision of its products, on MN-Core 2.
    pub products: Precision,
    /// Whether the result of every operation is rounded to the type of its tensor, as on the
    /// reference; a kernel keeps it as it is for the next operation.
    pub rounds_results: bool,
    /// Whether products may be off as the adder of Wormhole makes them (see
    /// [`Arithmetic::miscount`]).
    pub miscounts: bool,
}

/// Terms that the matrix unit of Tensix adds at once, aligned to the greatest.
pub const GROUP: usize = 8;

/// What one of a group's terms may lose on Tensix, relative to the greatest.
pub const GROUP_LOSS: f64 = 1.04 / 256.0;

/// What rounding a result to bf16 may lose, relative to it.
pub const BF16_LOSS: f64 = 1.0 / 256.0;

/// What rounding to f32 may lose, relative to the result.
pub const F32_LOSS: f64 = 1.0 / (1 << 24) as f64;

/// What arithmetic in float32 may lose on Tensix, relative to its result.
pub const TENSIX_LOSS: f64 = 1.0 / (1 << 22) as f64;

/// What a sum of two bf16 numbers may lose on Tensix, relative to the larger: the smaller one is
/// aligned to its exponent, in 11 bits, and rounded.
const ALIGNMENT_LOSS: f64 = 1.0 / (1 << 11) as f64;

/// Exponents by which the smaller one may be less and lose nothing: bf16 has 8 of the 11 bits.
const ALIGNED_EXPONENTS: i32 = 3;

/// What cutting a factor to TF32 may lose on Tensix, relative to it: 11 bits of the left factor's
/// significand are read, 10 of the right one's.
const CUT_LOSS: [f64; 2] = [1.0 / (1 << 10) as f64, 1.0 / (1 << 9) as f64];

/// Below this the chips have only zero.
pub const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64;

/// What three of the four fidelity phases of a product may lose on Tensix: each what is below the
/// least normal number.
const PHASES_UNDERFLOW: f64 = 3.0 * UNDERFLOW;

/// From here on there are only infinities in f32.
const OVERFLOW: f64 = f32::MAX as f64 + 0.5 * (f32::MAX as f64 * f32::EPSILON as f64);

/// What Wormhole's adder makes of a sum of -1 unit is 16 times as large as the greatest addend, at
/// least.
const MISCOUNT: f64 = 16.0;

impl Chip {
    /// Whether only underflow of parts keeps a product of two elements from what is expected;
    /// MN-Core 2 multiplies at once.
    pub fn underflows(self, found: f64, expected: f64) -> bool {
        match self {
            Chip::Tensix => (found - expected).abs() <= PHASES_UNDERFLOW,
            Chip::Mncore => false,
        }
    }

    /// Where an operand lies as the chip reads it: what is no normal number may count as zero. What
    /// NaN counts as is not the same everywhere.
    pub fn read(self, value: f64) -> Interval {
        match value.is_nan() {
            true => Interval::UNDETERMINED,
            false => flush(Interval::point(value)),
        }
    }

    /// Where a result of arithmetic on elements lies whose exact value lies in `exact`.
    pub fn round(self, exact: Interval) -> Interval {
        let loss = self.loss();
        self.store(widen(exact, |value| loss * value.abs()))
    }

    /// What a rounding in f32 loses, relative to its result.
    pub fn loss(self) -> f64 {
        match self {
            Chip::Tensix => TENSIX_LOSS,
            Chip::Mncore => F32_LOSS,
        }
    }

    /// Where the value of a function of an element lies, by the table of the chip's library.
    /// Where the library does not compute operands so large, nothing is known.
    pub fn unary(self, function: Unary, exact: Interval, operand: Interval) -> Interval {
        let bound = self.library().unary(function);
        match bound.is_computed(operand) {
            true => self.bound(bound, exact, operand.magnitude()),
            false => Interval::UNDETERMINED,
        }
    }

    /// Where the value of a function of two elements lies. The matrix unit of Tensix may compute
    /// sums and products of narrow elements; it takes infinities for large numbers, and what
    /// overflows there need not become one.
    pub fn binary(
        self,
        function: Binary,
        is_narrow: bool,
        exact: Interval,
        [x, y]: [Interval; 2],
    ) -> Interval {
        let is_sum = matches!(function, Binary::Add | Binary::Subtract);
        let is_of_matrix_unit = is_narrow && (is_sum || function == Binary::Multiply);
        match function {
            Binary::Divide => {
                let quotient = self.library().quotient(x.least_magnitude());
                self.bound(quotient, exact, 0.0)
            }
            _ if self == Chip::Tensix && is_of_matrix_unit => {
                let most = [x, y, exact].map(Interval::magnitude);
                if most.iter().any(|most| *most >= OVERFLOW) {
                    return Interval::UNDETERMINED;
                }
                let rounded = self.round(exact);
                match function {
                    Binary::Multiply => widen(rounded, |value| match value == 0.0 {
                        true => 0.0,
                        false => PHASES_UNDERFLOW,
                    }),
                    _ => rounded,
                }
            }
            _ => self.bound(self.library().binary(function), exact, 0.0),
        }
    }

    fn library(self) -> &'static Bounds {
        match self {
            Chip::Tensix => &TENSIX,
            Chip::Mncore => &MNCORE,
        }
    }

    /// What is exact of its operands may still be rounded as a result.
    fn bound(self, bound: Bound, exact: Interval, operand: f64) -> Interval {
        match bound {
            Bound::Exact | Bound::Rounded => self.round(exact),
            Bound::Ulp {
                most, underflow, ..
            } => {
                let unit = f64::from(f32::EPSILON);
                let off = widen(exact, |value| most * unit * value.abs());
                self.store(vanish(off, underflow))
            }
            Bound::Absolute { .. } => {
                let off = bound.off(0.0, operand);
                self.store(add_error(exact, off))
            }
        }
    }

    /// Where a number lies as it is stored in f32.
    pub fn store(self, number: Interval) -> Interval {
        flush(saturate(number))
    }

    /// What the product of the chip's own factors may be off because each is cut on its way to the
    /// matrix unit.
    pub fn cut_factor(self, operand: usize, factor: Interval) -> Interval {
        match self {
            Chip::Tensix => widen(factor, |value| CUT_LOSS[operand] * value.abs()),
            Chip::Mncore => factor,
        }
    }

    /// What a sum of two numbers of bf16 that a group is given may lose.
    pub fn alignment_loss(self, x: Interval, y: Interval) -> f64 {
        let [x, y] = [x.magnitude(), y.magnitude()];
        let (large, small) = (x.max(y), x.min(y));
        if self == Chip::Mncore || small == 0.0 {
            return 0.0;
        }
        match exponent(large) - exponent(small) > ALIGNED_EXPONENTS {
            true => ALIGNMENT_LOSS * large,
            false => 0.0,
        }
    }
}

/// The exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7ff) as i32
}

/// An interval whose ends are off by what `off` says of them, which does not change their signs:
/// neither rounding nor underflow does.
pub fn widen(exact: Interval, off: impl Fn(f64) -> f64) -> Interval {
    let end = |end: f64, outwards: f64| {
        if end.is_infinite() {
            return end;
        }
        let moved = end + outwards * off(end);
        match (end > 0.0 && moved < 0.0) || (end < 0.0 && moved > 0.0) {
            true => 0.0,
            false => moved,
        }
    };
    match exact.is_enclosed() {
        true => Interval::new(end(exact.low, -1.0), end(exact.high, 1.0)),
        false => exact,
    }
}

/// An interval whose ends are off by an error of any sign; undetermined if that is not finite.
pub fn add_error(exact: Interval, error: f64) -> Interval {
    match exact.is_enclosed() {
        _ if error == 0.0 => exact,
        true if error.is_finite() => Interval::new(exact.low - error, exact.high + error),
        true => Interval::UNDETERMINED,
        false => exact,
    }
}

/// An interval in which numbers that are less than this in magnitude may be zero.
fn vanish(number: Interval, below: f64) -> Interval {
    let end = |end: f64| match end > 0.0 && end < below {
        true => 0.0,
        false => end,
    };
    match number.is_enclosed() {
        true => Interval::new(end(number.low), -end(-number.high)),
        false => number,
    }
}

/// An interval in which numbers that are not normal may be zero, or the least normal number.
pub fn flush(number: Interval) -> Interval {
    let is_tiny = |value: f64| value != 0.0 && value.abs() < UNDERFLOW;
    if !number.is_enclosed() || !(is_tiny(number.low) || is_tiny(number.high)) {
        return number;
    }
    let down = |value: f64| match is_tiny(value) {
        true if value > 0.0 => 0.0,
        true => -UNDERFLOW,
        false => value,
    };
    Interval::new(down(number.low), -down(-number.high))
}

/// An interval in which what is too large for f32 is infinite.
fn saturate(number: Interval) -> Interval {
    number.map(|end| match end.abs() >= OVERFLOW {
        true => f64::INFINITY.copysign(end),
        false => end,
    })
}

/// Where a sum lies that lies in `range` unless the adder of Wormhole miscounts, if it does:
/// `least` is the least of all groups of the greatest magnitude in a group, `most` the sum of all.
pub fn miscount(range: Interval, least: f64, most: f64) -> Interval {
    // An exponent may be up to twice as small as its number, and another addend be twice as large.
    let (low, high) = (range.low - 2.0 * MISCOUNT * most, range.high);
    Interval::new(low, high - MISCOUNT / 2.0 * least)
}

/// A product and its factors.
pub struct Factors<'a> {
    /// The product.
    pub product: &'a Product,
    /// Where the left and the right factor lie.
    pub factors: [&'a Enclosed; 2],
    /// Whether Tensix cuts them to TF32.
    pub cuts: bool,
    /// Whether any of them is the result of another operation of the group, and so is not known
    /// exactly.
    pub are_made_here: bool,
}

impl Arithmetic {
    /// The same with an adder that may miscount.
    pub fn miscounting(self) -> Self {
        Arithmetic {
            miscounts: true,
            ..self
        }
    }

    /// Where the sums of a product lie.
    pub fn product(self, of: &Factors<'_>) -> Result<Enclosed, EvalError> {
        let [a, b] = of.factors;
        let errors = [a.errors(), b.errors()];
        // What factors that are off make the product be off.
        let already = match errors.each_ref().map(Option::is_some) {
            [false, false] => None,
            _ => Some(propagated(of, &errors)?),
        };
        match self.chip {
            Chip::Tensix => self.tensix_product(of, already),
            Chip::Mncore => {
                let most = [a.magnitudes(), b.magnitudes()];
                let blocks = Blocks::of(self.products);
                let (value, error) =
                    blocks.product(of.product, [&a.value, &b.value], most.each_ref(), already)?;
                Ok(self.enclose_sums(value, &error))
            }
        }
    }

    fn tensix_product(
        self,
        of: &Factors<'_>,
        already: Option<Array>,
    ) -> Result<Enclosed, EvalError> {
        let [a, b] = of.factors;
        let transposed = of.product.transposed;
        let (shape, (sums, mut maxima)) =
            with_factors(&a.value, &b.value, transposed, |shape, a, b| {
                matmul_beside(shape, a, b, Beside::GroupMaxima(GROUP))
            })?;
        if already.is_some() {
            // Groups are aligned to what the device's terms are.
            let [a, b] = [a.magnitudes(), b.magnitudes()];
            let most = with_factors(&a, &b, transposed, |shape, a, b| {
                matmul_beside(shape, a, b, Beside::GroupMaxima(GROUP)).1
            });
            maxima = most?.1;
        }
        // What each phase of each term may lose to underflow.
        let underflow = shape.k as f64 * (PHASES_UNDERFLOW + UNDERFLOW);
        let mut errors = maxima;
        for error in &mut errors {
            *error = match *error == 0.0 {
                true => 0.0,
                false => GROUP_LOSS * *error + underflow,
            };
        }
        if let Some(already) = already {
            add(&mut errors, already.values.into_iter());
        }
        if !of.are_made_here {
            let dropped = fidelity::dropped(of.product, of.cuts, [&a.value, &b.value])?;
            if let Some(dropped) = dropped {
                add(&mut errors, dropped.values.into_iter().map(f64::abs));
            }
        }
        let [value, error] = [sums, errors].map(|values| Array {
            shape: shape.result.clone(),
            values,
        });
        let mut sums = self.enclose_sums(value, &error);
        if self.miscounts {
            self.miscount(of, &mut sums)?;
        }
        Ok(sums)
    }

    /// Sums that are off by errors. What overflows in the matrix unit of Tensix need not become
    /// infinite.
    fn enclose_sums(self, value: Array, error: &Array) -> Enclosed {
        let pairs = value.values.iter().zip(&error.values);
        let ranges = pairs.map(|(&value, &error)| {
            let sum = add_error(Interval::point(value), error);
            match sum.is_enclosed() && sum.magnitude() < OVERFLOW {
                true => flush(sum),
                false => Interval::UNDETERMINED,
            }
        });
        Enclosed {
            ranges: ranges.collect(),
            value,
        }
    }

    /// Widens sums to where an erratum of Wormhole takes them. Its adder shifts a sum of -1 unit in
    /// the last place of the common exponent to the wrong side: it comes out as the negative power
    /// of two that is 16 times as large as the greatest addend's. Where sums cancel so, no bound of
    /// the terms before says.
    fn miscount(self, of: &Factors<'_>, sums: &mut Enclosed) -> Result<(), EvalError> {
        let [a, b] = of.factors.map(Enclosed::magnitudes);
        let beside = |beside| {
            let found = with_factors(&a, &b, of.product.transposed, |shape, a, b| {
                matmul_beside(shape, a, b, beside).1
            });
            Ok::<_, EvalError>(found?.1)
        };
        let least = beside(Beside::LeastGroupMaximum(GROUP))?;
        let most = beside(Beside::Magnitudes)?;
        let limits = least.into_iter().zip(most);
        for (range, (least, most)) in sums.ranges.iter_mut().zip(limits) {
            if range.is_enclosed() {
                *range = miscount(*range, least, most);
            }
        }
        Ok(())
    }

    /// How much more the sums are off if they begin with a bias.
    pub fn bias(self, k: u64, bias: Interval) -> f64 {
        match self.chip {
            Chip::Tensix => 0.0,
            Chip::Mncore => Blocks::of(self.products).bias(k, bias.magnitude()),
        }
    }
}

/// Adds to every error another one.
fn add(errors: &mut [f64], more: impl Iterator<Item = f64>) {
    errors.iter_mut().zip(more).for_each(|(a, b)| *a += b);
}

/// What a product is off if its factors are: `|a| e_b + e_a (|b| + e_b)`.
fn propagated(of: &Factors<'_>, errors: &[Option<Array>; 2]) -> Result<Array, EvalError> {
    let [a, b] = of.factors;
    let transposed = of.product.transposed;
    let product = |a: &Array, b: &Array| -> Result<Array, EvalError> {
        let (shape, values) = with_factors(a, b, transposed, |shape, a, b| {
            matmul_beside(shape, a, b, Beside::Nothing).0
        })?;
        let shape = shape.result;
        Ok(Array { shape, values })
    };
    let right = match &errors[1] {
        None => None,
        Some(error) => Some(product(&a.value.clone().map(f64::abs), error)?),
    };
    let Some(error) = &errors[0] else {
        return right.ok_or(EvalError::NotArithmetic("matmul"));
    };
    let mut sum = product(error, &b.magnitudes())?;
    if let Some(right) = right {
        add(&mut sum.values, right.values.into_iter());
    }
    Ok(sum)
}
