//! Formats of SFPLOAD and SFPSTORE: datums in Dst and their values in an LReg.

use super::chip::ChipFeatures;
use super::lregs::lanes_of;
use crate::arith::spec::{bits, sfpu};
use crate::arith::{Lanes, LANES};
use crate::trap::Fault;

/// 16 bits of Dst per lane.
pub(super) type Halves = [u16; LANES];

/// The format of a datum in Dst and in an LReg.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Datum {
    Fp16,
    Bf16,
    Fp32,
    /// 32 bits, unchanged.
    Int32,
    /// 32 bits, equal in all lanes whether enabled or not, from few addresses.
    Int32All,
    /// Sign-magnitude in Dst; on Wormhole two's complement in the LReg.
    Int32Complement,
    /// Sign-magnitude in both, with 8 bits and 16 bits in Dst.
    Int8,
    Int16,
    /// Like `Int8`; on Wormhole two's complement in the LReg.
    Int8Complement,
    /// 16 bits, unchanged.
    Uint16,
    /// 16 bits in one half of the LReg on loads; stores write the whole LReg to a 32-bit Dst.
    Low16,
    High16,
    /// 16 bits in one half of the LReg, whose other half stays.
    Low16Only,
    High16Only,
    Zero,
}

/// The formats of the modes from 3 on.
pub(super) const MODES: [Datum; 13] = [
    Datum::Fp32,
    Datum::Int32,
    Datum::Int8,
    Datum::Uint16,
    Datum::High16,
    Datum::Int16,
    Datum::Low16,
    Datum::Int32All,
    Datum::Zero,
    Datum::Int32Complement,
    Datum::Int8Complement,
    Datum::Low16Only,
    Datum::High16Only,
];

/// The mode of [`Datum::Int32All`].
pub(super) const STACK: u32 = 10;

/// The direction of a transfer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Load,
    Store,
}

impl Direction {
    pub fn mnemonic(self) -> &'static str {
        match self {
            Direction::Load => "SFPLOAD",
            Direction::Store => "SFPSTORE",
        }
    }
}

impl Datum {
    /// Returns whether the datum has 32 bits in Dst.
    pub fn is_wide(self, direction: Direction) -> bool {
        match self {
            Datum::Fp32 | Datum::Int32 | Datum::Int32All | Datum::Int32Complement => true,
            Datum::Low16 | Datum::High16 => direction == Direction::Store,
            _ => false,
        }
    }
}

/// Converts 32 bits of Dst to LReg values.
pub(super) fn wide(datum: Datum, high: &Halves, low: &Halves, chip: &ChipFeatures) -> Lanes {
    let raw: Lanes = std::array::from_fn(|l| u32::from(high[l]) << 16 | u32::from(low[l]));
    let values = raw.map(bits::fp32_from_dst);
    match datum {
        Datum::Int32Complement if chip.has_complements => values.map(sfpu::twos_complement),
        _ => values,
    }
}

/// Converts 16 bits of Dst to LReg values. FP16 infinities are preserved in the lanes of
/// `infinity`.
pub(super) fn narrow(datum: Datum, raw: &Halves, infinity: u32, chip: &ChipFeatures) -> Lanes {
    let sign = |x: u16| u32::from(x >> 15) << 31;
    let magnitude = |x: u16, mask: u32| sign(x) | u32::from(x) >> 5 & mask;
    match datum {
        Datum::Fp16 => {
            let mut values = raw.map(|x| sfpu::load_fp16(bits::fp16_from_dst(x)));
            lanes_of(infinity).for_each(|lane| values[lane] = sfpu::with_infinity(values[lane]));
            values
        }
        Datum::Bf16 => raw.map(|x| u32::from(bits::bf16_from_dst(x)) << 16),
        Datum::Int8 => raw.map(|x| magnitude(x, chip.int8_magnitude)),
        Datum::Int8Complement if chip.has_complements => {
            raw.map(|x| sfpu::twos_complement(magnitude(x, 0x3FF)))
        }
        Datum::Int8Complement => raw.map(|x| magnitude(x, 0x3FF)),
        Datum::Int16 => raw.map(|x| sign(x) | u32::from(x) & 0x7FFF),
        Datum::High16 | Datum::High16Only => raw.map(|x| u32::from(x) << 16),
        _ => raw.map(u32::from),
    }
}

/// Refuses to store an FP32 denormal unless it is known to become zero.
pub(super) fn check_storable(
    datum: Datum,
    lanes: u32,
    values: &Lanes,
    chip: &ChipFeatures,
) -> Result<(), Fault> {
    let is_lost = |x: u32| x & 0x7F80_0000 == 0 && x & 0x7F_FFFF != 0;
    // Denormals are rare; this check covers all lanes at once.
    let any = values.iter().fold(false, |any, &x| any | is_lost(x));
    if datum != Datum::Fp32 || chip.stores_flush || !any {
        return Ok(());
    }
    match lanes_of(lanes).find(|&lane| is_lost(values[lane])) {
        None => Ok(()),
        Some(lane) => Err(Fault::unmodelled(format!(
            "SFPSTORE of the denormal {:#010x} in FP32, on whose fate the sources disagree; flush \
             it before, or store it in mode 4, which keeps it",
            values[lane]
        ))),
    }
}

/// Converts LReg values to 32 bits of Dst.
pub(super) fn stored_wide(datum: Datum, values: &Lanes, chip: &ChipFeatures) -> Lanes {
    match datum {
        Datum::Int32Complement if chip.has_complements => {
            values.map(|x| bits::dst_from_fp32(sfpu::sign_magnitude(x)))
        }
        // These two are not rearranged.
        Datum::Low16 => values.map(|x| x.rotate_left(16)),
        Datum::High16 => *values,
        // If denormals are not flushed, there are none.
        Datum::Fp32 => values.map(|x| bits::dst_from_fp32(sfpu::flush_denormal(x))),
        _ => values.map(bits::dst_from_fp32),
    }
}

/// Converts LReg values to 16 bits of Dst.
pub(super) fn stored_narrow(datum: Datum, values: &Lanes, chip: &ChipFeatures) -> Halves {
    /// 8-bit integers are stored with the exponent of 1.
    const INT8: u16 = 16 << 10;
    let int8 = |x: u32| bits::dst_from_fp16((x >> 31 << 15) as u16 | INT8 | (x & 0x3FF) as u16);
    match datum {
        Datum::Fp16 => values.map(|x| bits::dst_from_fp16(sfpu::store_fp16(x))),
        Datum::Bf16 => values.map(|x| bits::dst_from_bf16(sfpu::store_bf16(x))),
        Datum::Int8Complement if chip.has_complements => {
            values.map(|x| int8(sfpu::sign_magnitude(x)))
        }
        Datum::Int8 | Datum::Int8Complement => values.map(int8),
        Datum::Int16 => values.map(|x| (x >> 31 << 15) as u16 | (x & 0x7FFF) as u16),
        Datum::High16Only => values.map(|x| (x >> 16) as u16),
        _ => values.map(|x| x as u16),
    }
}
