//! SFPLOAD and SFPSTORE of the common formats, in vector instructions of the host.
//!
//! A number of 32 bits holds two neighbouring datums of a row, of which a lane accesses one.

use super::super::vectors::{self, Vector};
use super::super::{Level, Set};
use super::Rows;
use crate::arith::spec::sfpu::transfer::Datum;
use crate::arith::{Lanes, COLUMNS, LANES};

/// Returns whether the datums of a format are transferred here.
#[inline(always)]
pub fn transfers(datum: Datum) -> bool {
    const FORMATS: u32 = 1 << Datum::Fp32 as u32
        | 1 << Datum::Int32 as u32
        | 1 << Datum::Bf16 as u32
        | 1 << Datum::Uint16 as u32;
    FORMATS >> datum as u32 & 1 != 0
}

/// The bits of FP32 that have the same place in Dst, and its exponent and upper mantissa there.
const SAME: i32 = 0x8000_FFFF_u32 as i32;
const EXPONENT_IN_DST: i32 = 0xFF << 16;
const MANTISSA_IN_DST: i32 = 0x7F << 24;
/// The same fields in an LReg.
const EXPONENT: i32 = 0xFF << 23;
const MANTISSA: i32 = 0x7F << 16;
/// The upper half of a number.
const UPPER: i32 = !0xFFFF;

for_each_level! {
    /// Loads the values of some lanes from 16-bit rows, or from the high and low halves of 32-bit
    /// rows; from odd columns if `odd`. [`transfers`] must hold.
    load = load_with, (
        datum: Datum,
        odd: bool,
        lanes: u32,
        high: &Rows,
        low: Option<&Rows>,
        values: &mut Lanes,
    )
}

#[inline(always)]
fn load_with<V: Vector>(
    datum: Datum,
    odd: bool,
    lanes: u32,
    high: &Rows,
    low: Option<&Rows>,
    values: &mut Lanes,
) {
    let values: &mut [[i32; COLUMNS]; LANES / COLUMNS] = bytemuck::cast_mut(values);
    for first in (0..LANES).step_by(V::LANES) {
        let high = V::pairs(high.as_flattened(), first);
        let low = low.map(|low| V::pairs(low.as_flattened(), first));
        let loaded = match (datum, low) {
            (Datum::Fp32 | Datum::Int32, Some(low)) => {
                from_dst::<V>(V::or(upper::<V>(odd, high), lower::<V>(odd, low)))
            }
            (Datum::Bf16, _) => from_dst::<V>(upper::<V>(odd, high)),
            _ => lower::<V>(odd, high),
        };
        let values = &mut values[first / COLUMNS];
        let loaded = match lanes {
            u32::MAX => loaded,
            _ => {
                let own = V::ints(values, first % COLUMNS);
                V::choose(V::mask(lanes >> first), loaded, own)
            }
        };
        V::store(loaded, values, first % COLUMNS);
    }
}

/// Moves one datum of each pair to the upper half, and clears the lower one.
#[inline(always)]
fn upper<V: Vector>(odd: bool, pairs: V::Ints) -> V::Ints {
    match odd {
        true => V::and(pairs, V::int(UPPER)),
        false => V::left(pairs, 16),
    }
}

/// Moves one datum of each pair to the lower half, and clears the upper one.
#[inline(always)]
fn lower<V: Vector>(odd: bool, pairs: V::Ints) -> V::Ints {
    match odd {
        true => V::right(pairs, 16),
        false => V::and(pairs, V::int(!UPPER)),
    }
}

/// Converts FP32 in the bit order of Dst to that of an LReg.
#[inline(always)]
fn from_dst<V: Vector>(x: V::Ints) -> V::Ints {
    let exponent = V::and(V::left(x, 7), V::int(EXPONENT));
    let mantissa = V::and(V::right(x, 8), V::int(MANTISSA));
    V::or(V::or(V::and(x, V::int(SAME)), exponent), mantissa)
}

/// Converts FP32 in the bit order of an LReg to that of Dst.
#[inline(always)]
fn to_dst<V: Vector>(x: V::Ints) -> V::Ints {
    let exponent = V::and(V::right(x, 7), V::int(EXPONENT_IN_DST));
    let mantissa = V::and(V::left(x, 8), V::int(MANTISSA_IN_DST));
    V::or(V::or(V::and(x, V::int(SAME)), exponent), mantissa)
}

for_each_level! {
    /// Stores the values of some lanes to 16-bit rows, or to the high and low halves of 32-bit
    /// rows; to odd columns if `odd`. [`transfers`] must hold.
    store = store_with, (
        datum: Datum,
        odd: bool,
        lanes: u32,
        values: &Lanes,
        high: &mut Rows,
        low: Option<&mut Rows>,
    )
}

#[inline(always)]
fn store_with<V: Vector>(
    datum: Datum,
    odd: bool,
    lanes: u32,
    values: &Lanes,
    high: &mut Rows,
    mut low: Option<&mut Rows>,
) {
    let values: &[[i32; COLUMNS]; LANES / COLUMNS] = bytemuck::cast_ref(values);
    for first in (0..LANES).step_by(V::LANES) {
        let value = V::ints(&values[first / COLUMNS], first % COLUMNS);
        let stored = match datum {
            Datum::Fp32 | Datum::Bf16 => to_dst::<V>(without_denormals::<V>(value)),
            Datum::Int32 => to_dst::<V>(value),
            _ => V::left(value, 16),
        };
        put::<V>(odd, lanes, V::right(stored, 16), high, first);
        if let Some(low) = low.as_deref_mut() {
            put::<V>(odd, lanes, V::and(stored, V::int(!UPPER)), low, first);
        }
    }
}

/// Replaces denormals by zeros of their sign.
#[inline(always)]
fn without_denormals<V: Vector>(x: V::Ints) -> V::Ints {
    let is_normal = V::has(x, V::int(EXPONENT));
    V::choose(is_normal, x, V::and(x, V::int(i32::MIN)))
}

/// Stores numbers below 2^16 of some of the lanes from `first` on.
#[inline(always)]
fn put<V: Vector>(odd: bool, lanes: u32, values: V::Ints, rows: &mut Rows, first: usize) {
    let rows = rows.as_flattened_mut();
    let held = V::pairs(rows, first);
    let pairs = match odd {
        true => V::or(V::and(held, V::int(!UPPER)), V::left(values, 16)),
        false => V::or(V::and(held, V::int(UPPER)), values),
    };
    let pairs = match lanes {
        u32::MAX => pairs,
        _ => V::choose(V::mask(lanes >> first), pairs, held),
    };
    V::store_pairs(pairs, rows, first);
}
