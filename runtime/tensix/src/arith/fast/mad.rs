//! [`crate::arith::spec::sfpu::mad_wormhole`] and [`crate::arith::spec::sfpu::mad_blackhole`] for all
//! lanes of a vector.

use super::vectors::Vector;
use crate::arith::spec::sfpu::Arithmetic;
use crate::arith::{Lanes, COLUMNS, LANES};

/// A chip, as a compile-time constant.
pub(super) trait Chip {
    const ARITHMETIC: Arithmetic;
    const IS_BLACKHOLE: bool = matches!(Self::ARITHMETIC, Arithmetic::Blackhole);
}

pub(super) struct Wormhole;
pub(super) struct Blackhole;

impl Chip for Wormhole {
    const ARITHMETIC: Arithmetic = Arithmetic::Wormhole;
}

impl Chip for Blackhole {
    const ARITHMETIC: Arithmetic = Arithmetic::Blackhole;
}

/// Position of the leading one of a normalised significand: 23 mantissa bits and 3 more.
const UNIT: i32 = 26;
const MANTISSA: i32 = (1 << 23) - 1;
const LARGEST: i32 = 255;

/// An operand: its exponent field, and its significand, which is zero if the field is zero.
#[derive(Clone, Copy)]
struct Operand<V: Vector> {
    exponent: V::Ints,
    significand: V::Ints,
}

impl<V: Vector> Operand<V> {
    #[inline(always)]
    fn new(x: V::Ints) -> Self {
        let exponent = V::and(V::right(x, 23), V::int(LARGEST));
        let significand = V::or(V::and(x, V::int(MANTISSA)), V::int(MANTISSA + 1));
        Operand {
            exponent,
            significand: V::only(V::larger(exponent, V::int(0)), significand),
        }
    }
}

/// Shifts right. Lost bits are gathered in the lowest bit, unless nothing else is left.
#[inline(always)]
fn aligned<V: Vector>(significand: V::Ints, by: V::Ints) -> V::Ints {
    // Significands have at most 29 bits, so nothing is left from there on.
    let by = V::min_unsigned(by, V::int(31));
    let kept = V::right_by_unsigned(significand, by);
    let has_lost = V::different(V::left_by(kept, by), significand);
    V::set_lowest(V::both(has_lost, V::has(kept, V::int(!0))), kept)
}

/// Normalises the magnitude of a sum whose bit [`UNIT`] has the weight `2^exponent`, and rounds it
/// to nearest even, as the conversion to an FP32 does.
///
/// The sum is below `2^(UNIT + 3)`. Where it is zero, the result is zero on Wormhole and some
/// number on Blackhole.
#[inline(always)]
fn round<C: Chip, V: Vector>(exponent: V::Ints, sum: V::Ints) -> V::Ints {
    let exact = match C::IS_BLACKHOLE {
        true => sum,
        false => {
            // Of two bits below the lowest one that is kept for rounding, only the lower is sticky.
            let has_two = V::larger(sum, V::int((4 << UNIT) - 1));
            V::choose(has_two, V::and(sum, V::int(!2)), sum)
        }
    };
    let float = V::bits_of_float(exact);
    let more = V::sub(exponent, V::int(127 + UNIT));
    let exponent = V::add(V::right(float, 23), more);
    let finite = V::add(float, V::left(more, 23));
    let is_large = V::larger(exponent, V::int(LARGEST - 1));
    let rounded = V::choose(is_large, V::int(LARGEST << 23), finite);
    let is_normal = V::larger(exponent, V::int(0));
    match C::IS_BLACKHOLE {
        true => {
            // It shifts results below the normal range by one more place, whatever their exponent.
            // Those whose 24 bits are ones then become the least normal number.
            let normal = V::left_by(sum, V::leading_zeros(sum));
            let is_carried = V::larger(normal, V::int(!0xFF - 1));
            let below = V::only(is_carried, V::int(MANTISSA + 1));
            V::choose(is_normal, rounded, below)
        }
        false => V::only(V::both(is_normal, V::has(sum, V::int(!0))), rounded),
    }
}

/// Returns `a·b + c`, and the mask of lanes in which an operand is an infinity or NaN or the
/// product overflows; there, the result is another one.
#[inline(always)]
fn multiply_add<C: Chip, V: Vector>(a: V::Ints, b: V::Ints, c: V::Ints) -> (V::Ints, V::Mask) {
    let sign_bit = V::int(i32::MIN);
    let [x, y, z] = [Operand::<V>::new(a), Operand::new(b), Operand::new(c)];
    let exponent = V::sub(V::add(x.exponent, y.exponent), V::int(127));
    let common = V::max(exponent, z.exponent);
    let most = V::max(V::max(x.exponent, y.exponent), common);
    let is_special = V::larger(most, V::int(LARGEST - 1));
    // The product has three more bits than the addend.
    let product = V::product_with_sticky(x.significand, y.significand);
    let addend = V::left(z.significand, 3);
    let is_product_larger = V::larger(exponent, z.exponent);
    let large = V::choose(is_product_larger, product, addend);
    let small = V::choose(is_product_larger, addend, product);
    let small = aligned::<V>(small, V::abs(V::sub(exponent, z.exponent)));
    let product_sign = V::xor(a, b);
    // With different signs the smaller one is subtracted; the difference may be negative.
    let sum = V::add(large, V::signed(small, V::xor(product_sign, c), 31));
    let magnitude = V::abs(sum);
    let sign = V::choose(is_product_larger, product_sign, c);
    let sign = V::and(V::xor(sign, sum), sign_bit);
    let rounded = round::<C, V>(common, magnitude);
    // A zero is positive. On Blackhole it is negative if product and addend are, and results
    // rounded to zero keep their sign.
    let is_nonzero = match C::IS_BLACKHOLE {
        true => V::has(sum, V::int(!0)),
        false => V::has(rounded, V::int(!0)),
    };
    let zero = match C::IS_BLACKHOLE {
        true => V::and(V::and(product_sign, c), sign_bit),
        false => V::int(0),
    };
    let signed = V::choose(is_nonzero, V::or(sign, rounded), zero);
    // A product below the normal range counts as zero.
    let has_addend = V::larger(z.exponent, V::int(0));
    let own = V::choose(has_addend, c, zero);
    let has_product = V::both(V::has(product, V::int(!0)), V::larger(exponent, V::int(-1)));
    (V::choose(has_product, signed, own), is_special)
}

/// The lanes of a vector, in parts as long as a row.
type Halves<T> = [[T; COLUMNS]; LANES / COLUMNS];

/// Computes `a·b + c` in one part of the lanes.
#[inline(always)]
fn part<C: Chip, V: Vector>(operands: [&Halves<i32>; 3], half: usize, lane: usize) -> V::Ints {
    let [a, b, c] = [
        V::ints(&operands[0][half], lane),
        V::ints(&operands[1][half], lane),
        V::ints(&operands[2][half], lane),
    ];
    of_vectors::<C, V>([a, b, c])
}

/// Computes `a·b + c` of vectors.
#[inline(always)]
pub(super) fn of_vectors<C: Chip, V: Vector>([a, b, c]: [V::Ints; 3]) -> V::Ints {
    let (result, is_special) = multiply_add::<C, V>(a, b, c);
    match V::any(is_special) {
        true => with_specials::<C, V>([a, b, c], result),
        false => result,
    }
}

/// Replaces the results of special operands by those of the reference.
#[inline(always)]
fn with_specials<C: Chip, V: Vector>([a, b, c]: [V::Ints; 3], result: V::Ints) -> V::Ints {
    let mut stored = [[0; COLUMNS]; 4];
    V::store(a, &mut stored[0], 0);
    V::store(b, &mut stored[1], 0);
    V::store(c, &mut stored[2], 0);
    V::store(result, &mut stored[3], 0);
    replace_specials::<C>(&mut stored, V::LANES);
    V::ints(&stored[3], 0)
}

/// Replaces the results, which are the last ones, of special operands in the first lanes.
#[cold]
#[inline(never)]
fn replace_specials<C: Chip>([a, b, c, results]: &mut [[i32; COLUMNS]; 4], lanes: usize) {
    let mad = C::ARITHMETIC.mad();
    let field = |x: i32| x >> 23 & LARGEST;
    for l in 0..lanes {
        let exponents = [a[l], b[l], c[l]].map(field);
        if exponents.contains(&LARGEST) || exponents[0] + exponents[1] - 127 >= LARGEST {
            results[l] = mad(a[l] as u32, b[l] as u32, c[l] as u32) as i32;
        }
    }
}

/// Returns `a·b + c` of all lanes.
#[inline(always)]
pub(super) fn mad<C: Chip, V: Vector>(a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    let mut results = [0; LANES];
    let halves: &mut Halves<i32> = bytemuck::cast_mut(&mut results);
    let operands = [
        bytemuck::cast_ref(a),
        bytemuck::cast_ref(b),
        bytemuck::cast_ref(c),
    ];
    for half in 0..LANES / COLUMNS {
        for lane in (0..COLUMNS).step_by(V::LANES) {
            let result = part::<C, V>(operands, half, lane);
            V::store(result, &mut halves[half], lane);
        }
    }
    results
}

/// Computes `d = a·b + c` in some lanes of registers.
#[inline(always)]
pub(super) fn mad_registers<C: Chip, V: Vector>(
    registers: &mut [Lanes],
    [a, b, c, d]: [usize; 4],
    lanes: u32,
) {
    for half in 0..LANES / COLUMNS {
        for lane in (0..COLUMNS).step_by(V::LANES) {
            let operands = [
                bytemuck::cast_ref(&registers[a]),
                bytemuck::cast_ref(&registers[b]),
                bytemuck::cast_ref(&registers[c]),
            ];
            let result = part::<C, V>(operands, half, lane);
            let to: &mut Halves<i32> = bytemuck::cast_mut(&mut registers[d]);
            let result = match lanes {
                u32::MAX => result,
                _ => {
                    let mask = V::mask(lanes >> (half * COLUMNS + lane));
                    V::choose(mask, result, V::ints(&to[half], lane))
                }
            };
            V::store(result, &mut to[half], lane);
        }
    }
}
