//! Products: one phase of a 16-element dot product (MVMUL) or of a single product (ELWMUL),
//! accumulated onto Dst.

use super::accumulate::{Term, TERM_FRACTION};
use super::{Accumulator, Mode, Phase, SrcStyle};
use crate::arith::spec::bits;

/// Length of a dot product, and number of dot products computed side by side.
const LANES: usize = 16;
/// Products that are summed before they are added to Dst.
const GROUP: usize = 8;

/// An operand as a multiplier sees it in a phase: some bits of the significand, with the sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MultiplierInput {
    /// [`ABSENT`] if the operand is zero; then the product does not contribute, whatever the other
    /// operand.
    exponent: i16,
    /// Signed significand bits: 5 of SrcA, 7 of SrcB.
    significand: i16,
}

/// A row of operands. Exponents and significands are in separate arrays, so that [`Mode::dot`]
/// performs the same steps in each lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperandRow {
    exponents: [i16; LANES],
    significands: [i16; LANES],
}

impl OperandRow {
    #[inline(always)]
    fn decode(datums: &[u32; LANES], input: impl Fn(u32) -> MultiplierInput) -> OperandRow {
        let mut inputs = OperandRow::default();
        for (lane, &datum) in datums.iter().enumerate() {
            let input = input(datum);
            inputs.exponents[lane] = input.exponent;
            inputs.significands[lane] = input.significand;
        }
        inputs
    }
}

/// Exponent of a zero operand: below every sum of two exponent fields, even with the other
/// operand's exponent added.
const ABSENT: i16 = -4096;

/// A complete operand: sign, biased exponent, 11-bit significand with the hidden one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub negative: bool,
    /// Biased exponent; zero if the operand is zero.
    pub exponent: i32,
    pub significand: u32,
}

impl Operand {
    /// Decodes a Src datum; bits that `style` does not use are ignored.
    pub fn read(style: SrcStyle, datum: u32) -> Operand {
        let tf32 = bits::tf32_from_src(datum);
        let (exponent, mantissa) = ((tf32 >> 10) & 0xFF, tf32 & 0x3FF);
        let (exponent, mantissa) = match style {
            SrcStyle::Bf16 => (exponent, mantissa & !7),
            SrcStyle::Tf32 => (exponent, mantissa),
            SrcStyle::Fp16 => (exponent & 0x1F, mantissa),
        };
        Operand {
            negative: tf32 >> 18 != 0,
            exponent: exponent as i32,
            significand: mantissa | 0x400,
        }
    }

    #[inline(always)]
    fn multiplier_input(self, bits: u32) -> MultiplierInput {
        let significand = if self.negative {
            -(bits as i16)
        } else {
            bits as i16
        };
        match self.exponent as i16 {
            0 => MultiplierInput {
                exponent: ABSENT,
                significand: 0,
            },
            exponent => MultiplierInput {
                exponent,
                significand,
            },
        }
    }
}

impl Mode {
    /// Decodes SrcA's multiplier input: the hidden one and 4 mantissa bits, or the next 5. The last
    /// mantissa bit is never used.
    #[inline(always)]
    fn decode_datum_a(self, datum: u32, phase: Phase) -> MultiplierInput {
        let x = Operand::read(self.style, datum);
        x.multiplier_input(if phase.low_bits_of_a() {
            (x.significand >> 1) & 0x1F
        } else {
            x.significand >> 6
        })
    }

    /// Decodes SrcB's multiplier input: the hidden one and 6 mantissa bits, or the remaining 4,
    /// scaled to 7 bits.
    #[inline(always)]
    fn decode_datum_b(self, datum: u32, phase: Phase) -> MultiplierInput {
        let x = Operand::read(self.style, datum);
        x.multiplier_input(if phase.low_bits_of_b() {
            (x.significand & 0xF) << 3
        } else {
            x.significand >> 4
        })
    }

    /// Decodes a row of SrcA as the multipliers see it.
    pub fn decode_a(self, datums: &[u32; LANES], phase: Phase) -> OperandRow {
        OperandRow::decode(datums, |datum| self.decode_datum_a(datum, phase))
    }

    /// Decodes a row of SrcB as the multipliers see it.
    pub fn decode_b(self, datums: &[u32; LANES], phase: Phase) -> OperandRow {
        OperandRow::decode(datums, |datum| self.decode_datum_b(datum, phase))
    }

    /// Returns the addend that turns the sum of two exponent fields into the biased exponent of the
    /// product in the accumulator.
    pub(crate) fn product_bias(self, phase: Phase) -> i32 {
        let rebias = match (self.style, self.dst32) {
            (SrcStyle::Bf16 | SrcStyle::Tf32, _) => -127,
            (SrcStyle::Fp16, false) => -15,
            (SrcStyle::Fp16, true) => 127 - 2 * 15,
        };
        rebias
            - if phase.low_bits_of_a() { 5 } else { 0 }
            - if phase.low_bits_of_b() { 7 } else { 0 }
    }

    /// Computes one phase of a row of `dst + Σ b[k]·a[k]` over 16 products, where `a[k]` is a row
    /// of 16 lanes. `dst` and the result are in IEEE order of [`Mode::accumulator`].
    ///
    /// The products are summed in two groups of eight. Inside a group each product is aligned to
    /// the group's largest exponent, rounded half away from zero; a zero product counts with the
    /// smallest exponent of the phase. A group whose largest exponent is not positive does not
    /// contribute. Both groups and Dst are then added at once.
    pub fn dot(
        self,
        phase: Phase,
        a: &[OperandRow; LANES],
        b: &OperandRow,
        dst: &[u32; LANES],
    ) -> [u32; LANES] {
        let bias = self.product_bias(phase);
        let halves = [group::<0>(bias, a, b), group::<GROUP>(bias, a, b)];
        // One loop per format, in which the format is a constant.
        match self.accumulator() {
            Accumulator::F32 => self.add_groups(Accumulator::F32, bias, &halves, dst),
            Accumulator::Bf16 => self.add_groups(Accumulator::Bf16, bias, &halves, dst),
            Accumulator::Fp16 => self.add_groups(Accumulator::Fp16, bias, &halves, dst),
        }
    }

    /// Adds the sums of both groups to Dst, in each lane.
    #[inline(always)]
    fn add_groups(
        self,
        format: Accumulator,
        bias: i32,
        halves: &[Sums; 2],
        dst: &[u32; LANES],
    ) -> [u32; LANES] {
        let mut sums = *dst;
        for (lane, sum) in sums.iter_mut().enumerate() {
            let terms = [halves[0].term(bias, lane), halves[1].term(bias, lane)];
            *sum = self.accumulate_as(format, terms, *sum);
        }
        sums
    }

    /// Computes one phase of `dst + a·b`, where `a` and `b` are Src datums. ELWMUL always
    /// accumulates.
    ///
    /// A product whose exponent is not positive is zero *before* the addition, unlike inside a
    /// group of [`Mode::dot`].
    pub fn multiply(self, phase: Phase, a: u32, b: u32, dst: u32) -> u32 {
        let bias = self.product_bias(phase);
        let (a, b) = (self.decode_datum_a(a, phase), self.decode_datum_b(b, phase));
        let term = match i32::from(a.exponent + b.exponent) + bias {
            ..=0 => Term {
                exponent: bias.max(0),
                value: 0,
            },
            exponent => Term {
                exponent,
                value: i32::from(a.significand * b.significand) << TERM_FRACTION,
            },
        };
        self.accumulate([term, Term::default()], dst)
    }
}

/// The sum of a group in each lane, at an exponent without bias.
struct Sums {
    exponents: [i16; LANES],
    values: [i16; LANES],
}

impl Sums {
    /// Returns the term added to Dst; zero if the exponent is not positive.
    #[inline(always)]
    fn term(&self, bias: i32, lane: usize) -> Term {
        match i32::from(self.exponents[lane]) + bias {
            ..=0 => Term::default(),
            exponent => Term {
                exponent,
                value: i32::from(self.values[lane]) << TERM_FRACTION,
            },
        }
    }
}

/// Computes in each lane the sum of eight products from index `FIRST` on.
///
/// The loops over lanes are free of branches, so that the compiler vectorises them. 16 bits
/// suffice: a sum of two exponents lies between 2 · [`ABSENT`] and 510, a product has 12 bits and a
/// sign, and there are eight of them.
#[allow(clippy::needless_range_loop)] // `k` and `lane` index several arrays
fn group<const FIRST: usize>(bias: i32, a: &[OperandRow; LANES], b: &OperandRow) -> Sums {
    let (mut largest, mut smallest) = ([i16::MIN; LANES], [i16::MAX; LANES]);
    for k in FIRST..FIRST + GROUP {
        for lane in 0..LANES {
            let exponent = a[k].exponents[lane].wrapping_add(b.exponents[k]);
            largest[lane] = largest[lane].max(exponent);
            smallest[lane] = smallest[lane].min(exponent);
        }
    }
    // With bias, an absent product counts with the exponent max(bias, 0).
    let absent = (-bias).max(0) as i16;
    let mut common = largest;
    for lane in 0..LANES {
        let floor = if smallest[lane] < 0 { absent } else { i16::MIN };
        common[lane] = common[lane].max(floor);
    }
    let mut sums = [0_i16; LANES];
    for k in FIRST..FIRST + GROUP {
        for lane in 0..LANES {
            let exponent = a[k].exponents[lane].wrapping_add(b.exponents[k]);
            let product = a[k].significands[lane].wrapping_mul(b.significands[k]);
            let by = common[lane].wrapping_sub(exponent);
            sums[lane] = sums[lane].wrapping_add(align(product, by));
        }
    }
    Sums {
        exponents: common,
        values: sums,
    }
}

/// Returns `product / 2^by`, ties away from zero. A product has 12 bits, so the result is 0 from 15
/// places on.
#[inline(always)]
fn align(product: i16, by: i16) -> i16 {
    let sign = product >> 15;
    let twice = ((product ^ sign).wrapping_sub(sign) as u16) << 1;
    let magnitude = ((twice >> (by.min(15) & 15)).wrapping_add(1) >> 1) as i16;
    (magnitude ^ sign).wrapping_sub(sign)
}

#[cfg(test)]
mod tests;
