//! The stages of a packer ([`crate::arith::spec::packer`]) for whole rows of datums.
//!
//! Each stage is a loop over all datums whose body is the specification of one datum in one mode,
//! so that the compiler turns it into vector instructions.

mod sums;

pub use sums::{add, Addend};

use super::{vectors, Level, Set};
use crate::arith::spec::bits;
use crate::arith::spec::packer::block::{Block, DATUMS};
use crate::arith::spec::packer::early::{EarlyConversion, Reading, Type};
use crate::arith::spec::packer::late::LateConversion;
use crate::arith::spec::packer::relu::Relu;
use crate::arith::spec::packer::threshold::Threshold;
use crate::arith::spec::packer::{exponent5, exponent8, DatumKind};
use crate::arith::Row;

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
    /// Replaces rows as Dst holds them by what is stored in L1, or by the datums of blocks.
    convert = convert_with, (stages: &Stages, kept: Option<Kept<'_>>, rows: &mut [Row]) -> Found
}

#[inline(always)]
fn convert_with<V: vectors::Vector>(
    stages: &Stages,
    kept: Option<Kept<'_>>,
    rows: &mut [Row],
) -> Found {
    read(stages.reading, rows);
    early(stages.early, stages.typ, rows);
    if let Some(kept) = kept {
        replace(kept, rows);
    }
    let mut is_undefined = relu(stages.relu, stages.kind, rows);
    let greatest = greatest(stages.kind, rows);
    if let Some(threshold) = stages.threshold {
        match threshold.has_exponent8 {
            true => each(rows, |x| {
                Threshold {
                    has_exponent8: true,
                    ..threshold
                }
                .apply(x)
            }),
            false => each(rows, |x| {
                Threshold {
                    has_exponent8: false,
                    ..threshold
                }
                .apply(x)
            }),
        }
    }
    is_undefined |= late(stages.late, rows);
    Found {
        greatest,
        is_undefined,
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

#[inline(always)]
fn read(reading: Reading, rows: &mut [Row]) {
    match reading {
        Reading::Wide => each(rows, bits::fp32_from_dst),
        Reading::WideHigh => each(rows, |x| x >> 16),
        Reading::Bf16 => each(rows, |x| u32::from(bits::bf16_from_dst(x as u16)) << 16),
        Reading::Fp16 => each(rows, |x| bits::fp16_from_dst(x as u16).into()),
        Reading::Narrow => {}
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
        for (column, x) in row.iter_mut().enumerate() {
            *x = match columns >> column & 1 {
                0 => kept.replacement,
                _ => *x,
            };
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
    /// Makes a block of each row of datums ([`Block::from_datums`]) with 8 or fewer bits. Writes
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
    let size = 2 * bits as usize;
    let places = bytes.chunks_exact_mut(size).zip(exponents);
    for (row, (bytes, exponent)) in rows.iter().zip(places) {
        let block = block(row, bits);
        *exponent = block.exponent;
        bytes.copy_from_slice(&block.bytes(bits)[..size]);
    }
}

/// Does what [`Block::from_datums`] does, in all lanes.
#[inline(always)]
fn block(row: &Row, bits: u32) -> Block {
    let shared = row.iter().fold(0, |most, &x| most.max(x >> 7 & 0xFF));
    let mut datums = [0; DATUMS];
    for (datum, &x) in datums.iter_mut().zip(row) {
        let exponent = x >> 7 & 0xFF;
        // More than 8 leaves nothing of 8 bits, even rounded.
        let shift = (shared - exponent).min(9);
        let mantissa = x & 0x7F | 0x80;
        let rounded = (mantissa + (1 << shift)) >> (shift + 1);
        let magnitude = rounded.min(0x7F) >> (8 - bits);
        let is_zero = exponent == 0 || shift >= 8 || magnitude == 0;
        let sign = (x >> 15 & 1) << (bits - 1);
        *datum = if is_zero { 0 } else { sign | magnitude } as u8;
    }
    Block {
        exponent: shared as u8,
        datums,
    }
}

#[cfg(test)]
mod tests;
