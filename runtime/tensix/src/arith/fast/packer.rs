//! The stages of a packer ([`crate::arith::spec::packer`]) for whole rows of datums.
//!
//! Each stage is a loop over all datums whose body is the specification of one datum in one mode,
//! so that the compiler turns it into vector instructions.

mod sums;

pub use sums::{add, Addend};

use super::{vectors, Level, Set};
use crate::arith::spec::bits;
use crate::arith::spec::packer::early::{EarlyConversion, Reading, Type};
use crate::arith::spec::packer::late::LateConversion;
use crate::arith::spec::packer::relu::Relu;
use crate::arith::spec::packer::threshold::Threshold;
use crate::arith::spec::packer::{exponent5, exponent8, DatumKind};
use crate::arith::{Row, COLUMNS};

/// The high and the low halves of rows of Dst, or 16-bit rows and nothing.
pub type Rows<'a> = (&'a [[u16; COLUMNS]], &'a [[u16; COLUMNS]]);

/// The stages that a datum of Dst goes through before it is stored.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    /// How rows of Dst are read.
    pub reading: Reading,
    /// The early conversion.
    pub early: EarlyConversion,
    /// Its result type.
    pub typ: Type,
    /// The interpretation of its results.
    pub kind: DatumKind,
    /// The ReLU.
    pub relu: Relu,
    /// The least exponent of datums that do not become zero, if there is one.
    pub threshold: Option<Threshold>,
    /// The late conversion.
    pub late: LateConversion,
}

/// The datums that the edge masks keep.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    /// The columns to be kept of each row, one bit each.
    pub columns: &'a [u16],
    /// What the other datums become.
    pub replacement: u32,
}

/// What was found in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The largest exponent after the ReLU; 0 for 8-bit integers.
    pub greatest: u32,
    /// Whether a stage is undefined for a datum. The rows are then without meaning.
    pub is_undefined: bool,
}

for_each_level! {
    /// Converts rows of Dst, of which there are as many low halves as high ones if they are `Wide`,
    /// to what is stored in L1, or to the datums of blocks.
    convert = convert_with,
    (stages: &Stages, kept: Option<Kept<'_>>, dst: Rows<'_>, rows: &mut [Row]) -> Found
}

#[inline(always)]
fn convert_with<V: vectors::Vector>(
    stages: &Stages,
    kept: Option<Kept<'_>>,
    dst: Rows<'_>,
    rows: &mut [Row],
) -> Found {
    begin(stages, dst, rows);
    if let Some(kept) = kept {
        replace(kept, rows);
    }
    let mut is_undefined = relu(stages.relu, stages.kind, rows);
    let found = finish(stages, rows);
    is_undefined |= found.is_undefined;
    Found {
        is_undefined,
        ..found
    }
}

/// Finds the largest exponent, then applies threshold and late conversion: at once in common modes.
#[inline(always)]
fn finish(stages: &Stages, rows: &mut [Row]) -> Found {
    use LateConversion::{Bf16, Block8From8, Rebase};
    match (stages.kind, stages.threshold, stages.late) {
        (DatumKind::Exponent8, None, Bf16 { narrows: true }) => {
            finish_at_once(Bf16 { narrows: true }, rows)
        }
        (DatumKind::Exponent8, None, Bf16 { narrows: false }) => {
            finish_at_once(Bf16 { narrows: false }, rows)
        }
        (DatumKind::Exponent8, None, Block8From8) => finish_at_once(Block8From8, rows),
        (DatumKind::Exponent8, None, Rebase { to_fp8: false }) => {
            finish_at_once(Rebase { to_fp8: false }, rows)
        }
        _ => {
            let greatest = greatest(stages.kind, rows);
            apply_threshold(stages.threshold, rows);
            Found {
                greatest,
                is_undefined: late(stages.late, rows),
            }
        }
    }
}

/// Does what [`finish`] does for datums with 8 bits of exponent without a threshold.
#[inline(always)]
fn finish_at_once(conversion: LateConversion, rows: &mut [Row]) -> Found {
    let (mut greatest, mut is_undefined) = (0, 0);
    for x in rows.as_flattened_mut() {
        greatest = exponent8(*x).max(greatest);
        is_undefined |= u32::from(conversion.is_undefined(*x));
        *x = conversion.apply(*x);
    }
    Found {
        greatest,
        is_undefined: is_undefined != 0,
    }
}

#[inline(always)]
fn apply_threshold(threshold: Option<Threshold>, rows: &mut [Row]) {
    let Some(Threshold {
        exponent,
        has_exponent8,
    }) = threshold
    else {
        return;
    };
    let of = |has_exponent8| Threshold {
        exponent,
        has_exponent8,
    };
    match has_exponent8 {
        true => each(rows, |x| of(true).apply(x)),
        false => each(rows, |x| of(false).apply(x)),
    }
}

/// Applies a function to each datum.
#[inline(always)]
fn each(rows: &mut [Row], f: impl Fn(u32) -> u32) {
    for x in rows.as_flattened_mut() {
        *x = f(*x);
    }
}

/// Returns whether a datum has a property.
#[inline(always)]
fn any(rows: &[Row], f: impl Fn(u32) -> bool) -> bool {
    rows.as_flattened()
        .iter()
        .fold(0, |any, &x| any | u32::from(f(x)))
        != 0
}

/// Reads rows and applies the early conversion: at once in common modes.
#[inline(always)]
fn begin(stages: &Stages, (high, low): Rows<'_>, rows: &mut [Row]) {
    use bits::{bf16_from_dst, fp16_from_dst, fp32_from_dst};
    use EarlyConversion::{Identity, Round5, Round8, RoundNarrow8};
    let typ = stages.typ;
    let fp32 = |high, low| fp32_from_dst(u32::from(high) << 16 | u32::from(low));
    let bf16 = |high| u32::from(bf16_from_dst(high)) << 16;
    let fp16 = |high| u32::from(fp16_from_dst(high));
    match (stages.reading, stages.early) {
        (Reading::Wide, Identity) => return load(high, low, rows, fp32),
        (Reading::Wide, Round8) => {
            return load(high, low, rows, |high, low| {
                Round8.apply(typ, fp32(high, low))
            })
        }
        (Reading::Bf16, Identity) => return load(high, high, rows, |x, _| bf16(x)),
        (Reading::Bf16, RoundNarrow8) => {
            return load(high, high, rows, |x, _| RoundNarrow8.apply(typ, bf16(x)))
        }
        (Reading::Fp16, Round5) => {
            return load(high, high, rows, |x, _| Round5.apply(typ, fp16(x)))
        }
        (Reading::Wide, _) => load(high, low, rows, fp32),
        (Reading::WideHigh | Reading::Narrow, _) => load(high, high, rows, |x, _| x.into()),
        (Reading::Bf16, _) => load(high, high, rows, |x, _| bf16(x)),
        (Reading::Fp16, _) => load(high, high, rows, |x, _| fp16(x)),
    }
    early(stages.early, typ, rows);
}

/// Combines the halves of each datum.
#[inline(always)]
fn load(
    high: &[[u16; COLUMNS]],
    low: &[[u16; COLUMNS]],
    rows: &mut [Row],
    f: impl Fn(u16, u16) -> u32,
) {
    let halves = (high.as_flattened().iter()).zip(low.as_flattened());
    for (x, (&high, &low)) in rows.as_flattened_mut().iter_mut().zip(halves) {
        *x = f(high, low);
    }
}

/// Calls a function with a mode as a constant of each arm, so that its loop has no branch on the
/// mode.
macro_rules! by_mode {
    (
        $each:ident($mode:expr, $arguments:expr);
        $($Mode:ident :: $Variant:ident $({ $($field:ident),* })?),* $(,)?
    ) => {
        match $mode {
            $(
                $Mode::$Variant $({ $($field),* })? => {
                    $each($Mode::$Variant $({ $($field),* })?, $arguments)
                }
            )*
        }
    };
}

#[inline(always)]
fn early(conversion: EarlyConversion, typ: Type, rows: &mut [Row]) {
    by_mode! {
        convert_early(conversion, (typ, rows));
        EarlyConversion::Identity, EarlyConversion::Truncate, EarlyConversion::Round8,
        EarlyConversion::RoundNarrow8, EarlyConversion::Round5, EarlyConversion::Rebase,
        EarlyConversion::Descale { shift }, EarlyConversion::LowBits, EarlyConversion::Sign,
    }
}

#[inline(always)]
fn convert_early(conversion: EarlyConversion, (typ, rows): (Type, &mut [Row])) {
    each(rows, |x| conversion.apply(typ, x));
}

#[inline(always)]
fn replace(kept: Kept<'_>, rows: &mut [Row]) {
    for (row, &columns) in rows.iter_mut().zip(kept.columns) {
        // Hidden, so that the lanes of one row are vectorised and not the same lane of all rows.
        let columns = std::hint::black_box(u32::from(columns));
        // Without a branch or selection, which would be made lane by lane.
        let masks: Row = std::array::from_fn(|column| (columns >> column & 1).wrapping_neg());
        for (x, mask) in row.iter_mut().zip(masks) {
            *x = *x & mask | kept.replacement & !mask;
        }
    }
}

/// Applies the ReLU; returns whether it is undefined for a datum.
#[inline(always)]
fn relu(relu: Relu, kind: DatumKind, rows: &mut [Row]) -> bool {
    match relu {
        Relu::Off => false,
        Relu::Zero => activate(Relu::Zero, kind, rows),
        Relu::BelowThreshold(threshold) => activate(Relu::BelowThreshold(threshold), kind, rows),
        Relu::Clamp(threshold) => activate(Relu::Clamp(threshold), kind, rows),
    }
}

#[inline(always)]
fn activate(relu: Relu, kind: DatumKind, rows: &mut [Row]) -> bool {
    let is_undefined = any(rows, |x| relu.is_undefined(kind, x));
    each(rows, |x| relu.apply(kind, x));
    is_undefined
}

#[inline(always)]
fn greatest(kind: DatumKind, rows: &[Row]) -> u32 {
    match kind {
        DatumKind::Exponent8 | DatumKind::Int32 => most(rows, exponent8),
        DatumKind::Exponent5 => most(rows, exponent5),
        DatumKind::Int16 => most(rows, |x| x & 0xFF),
        DatumKind::Int8 => 0,
    }
}

#[inline(always)]
fn most(rows: &[Row], exponent: impl Fn(u32) -> u32) -> u32 {
    (rows.as_flattened().iter()).fold(0, |most, &x| most.max(exponent(x)))
}

/// Applies the late conversion; returns whether it is undefined for a datum.
#[inline(always)]
fn late(conversion: LateConversion, rows: &mut [Row]) -> bool {
    by_mode! {
        convert_late(conversion, rows);
        LateConversion::Identity, LateConversion::Bf16 { narrows },
        LateConversion::Rebase { to_fp8 }, LateConversion::Block8From8,
        LateConversion::Block5From8, LateConversion::Widen, LateConversion::WidenTf32,
        LateConversion::Bf16From5 { narrows }, LateConversion::Fp8From5 { narrows },
        LateConversion::SmallFp8 { rebase }, LateConversion::Block8From5,
        LateConversion::Block5From5,
    }
}

#[inline(always)]
fn convert_late(conversion: LateConversion, rows: &mut [Row]) -> bool {
    let is_undefined = any(rows, |x| conversion.is_undefined(x));
    each(rows, |x| conversion.apply(x));
    is_undefined
}

for_each_level! {
    /// Writes the low `width` bytes (4, 2 or 1) of each datum in order.
    store = store_with, (width: usize, rows: &[Row], bytes: &mut [u8])
}

#[inline(always)]
fn store_with<V: vectors::Vector>(width: usize, rows: &[Row], bytes: &mut [u8]) {
    match width {
        4 => store_each::<4>(rows, bytes, u32::to_le_bytes),
        2 => store_each::<2>(rows, bytes, |x| (x as u16).to_le_bytes()),
        _ => store_each::<1>(rows, bytes, |x| [x as u8]),
    }
}

#[inline(always)]
fn store_each<const N: usize>(rows: &[Row], bytes: &mut [u8], of: impl Fn(u32) -> [u8; N]) {
    let places = bytes.as_chunks_mut::<N>().0;
    for (place, &x) in places.iter_mut().zip(rows.as_flattened()) {
        *place = of(x);
    }
}

for_each_level! {
    /// Makes a block of each row of datums  with 8 or fewer bits. Writes
    /// the datums to `bytes`, 2·`bits` of a row, and the shared exponents to `exponents`.
    blocks = blocks_with, (bits: u32, rows: &[Row], bytes: &mut [u8], exponents: &mut [u8])
}

#[inline(always)]
fn blocks_with<V: vectors::Vector>(
    bits: u32,
    rows: &[Row],
    bytes: &mut [u8],
    exponents: &mut [u8],
) {
    match bits {
        8 => blocks_of::<8, 1, 16>(rows, bytes, exponents),
        4 => blocks_of::<4, 2, 8>(rows, bytes, exponents),
        _ => blocks_of::<2, 4, 4>(rows, bytes, exponents),
    }
}

/// Makes blocks with datums of `BITS` bits, of which a byte holds `PER_BYTE` and a block fills
/// `SIZE` bytes.
#[inline(always)]
fn blocks_of<const BITS: u32, const PER_BYTE: usize, const SIZE: usize>(
    rows: &[Row],
    bytes: &mut [u8],
    exponents: &mut [u8],
) {
    let places = bytes.as_chunks_mut::<SIZE>().0.iter_mut().zip(exponents);
    for (row, (bytes, exponent)) in rows.iter().zip(places) {
        let (shared, datums) = block::<BITS>(row);
        *exponent = shared as u8;
        for (place, datums) in bytes.iter_mut().zip(datums.as_chunks::<PER_BYTE>().0) {
            let shifted = (datums.iter().enumerate()).map(|(k, &x)| x << (k as u32 * BITS));
            *place = shifted.fold(0, |byte, x| byte | x) as u8;
        }
    }
}

/// Does what [`Block::from_datums`](crate::arith::spec::packer::block::Block::from_datums) does, in
/// all lanes.
#[inline(always)]
fn block<const BITS: u32>(row: &Row) -> (u32, Row) {
    let exponents = row.map(|x| x >> 7 & 0xFF);
    let shared = exponents.iter().fold(0, |most, &x| most.max(x));
    let mut datums = [0; COLUMNS];
    for ((datum, &x), exponent) in datums.iter_mut().zip(row).zip(exponents) {
        // More than 8 leaves nothing of 8 bits, even rounded.
        let shift = (shared - exponent).min(9);
        let mantissa = x & 0x7F | 0x80;
        let rounded = (mantissa + (1 << shift)) >> (shift + 1);
        let magnitude = rounded.min(0x7F) >> (8 - BITS);
        let is_zero = exponent == 0 || shift >= 8 || magnitude == 0;
        let sign = (x >> 15 & 1) << (BITS - 1);
        *datum = if is_zero { 0 } else { sign | magnitude };
    }
    (shared, datums)
}

#[cfg(test)]
mod tests;
