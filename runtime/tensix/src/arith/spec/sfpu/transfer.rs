//! The conversions of SFPLOAD and SFPSTORE between datums in Dst and values in an LReg.
//!
//! Source: ISA documentation, `SFPLOAD.md`, `SFPSTORE.md`.

use super::{flush_denormal, load_fp16, sign_magnitude, store_bf16, store_fp16, twos_complement};
use crate::arith::spec::bits;

/// The format of a datum in Dst and in an LReg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datum {
    /// FP16, as FP32 in an LReg.
    Fp16,
    /// BF16, as FP32 in an LReg.
    Bf16,
    /// FP32.
    Fp32,
    /// 32 bits, unchanged.
    Int32,
    /// 32 bits, equal in all lanes whether enabled or not, from few addresses.
    Int32All,
    /// Sign-magnitude in Dst; on Wormhole two's complement in the LReg.
    Int32Complement,
    /// Sign-magnitude in both, with 8 bits in Dst.
    Int8,
    /// Sign-magnitude in both, with 16 bits in Dst.
    Int16,
    /// Like `Int8`; on Wormhole two's complement in the LReg.
    Int8Complement,
    /// 16 bits, unchanged.
    Uint16,
    /// Loads 16 bits to the low half of the LReg, and stores all of it to a 32-bit Dst.
    Low16,
    /// Loads 16 bits to the high half of the LReg, and stores all of it to a 32-bit Dst.
    High16,
    /// 16 bits in the low half of the LReg, whose other half stays.
    Low16Only,
    /// 16 bits in the high half of the LReg, whose other half stays.
    High16Only,
    /// Zero, without a read of Dst.
    Zero,
}

/// The direction of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From Dst to an LReg.
    Load,
    /// From an LReg to Dst.
    Store,
}

impl Datum {
    /// Returns whether the datum has 32 bits in Dst.
    #[inline]
    pub fn is_wide(self, direction: Direction) -> bool {
        match self {
            Datum::Fp32 | Datum::Int32 | Datum::Int32All | Datum::Int32Complement => true,
            Datum::Low16 | Datum::High16 => direction == Direction::Store,
            _ => false,
        }
    }
}

impl Datum {
    /// Returns the bits of the LReg that a load leaves unchanged.
    #[inline]
    pub fn kept(self) -> u32 {
        match self {
            Datum::Low16Only => 0xFFFF_0000,
            Datum::High16Only => 0xFFFF,
            _ => 0,
        }
    }
}

/// What the chips convert differently.
#[derive(Clone, Copy, Debug)]
pub struct Formats {
    /// Whether modes 12 and 13 convert between sign-magnitude and two's complement.
    pub complements: bool,
    /// The magnitude bits that SFPLOAD uses in mode 5.
    pub int8_magnitude: u32,
}

impl Formats {
    /// Converts the 16 or 32 bits of a datum in Dst to the value in an LReg.
    #[inline(always)] // Into loops over lanes.
    pub fn load(self, datum: Datum, raw: u32) -> u32 {
        let sign = raw >> 15 << 31;
        let int8 = |mask: u32| sign | raw >> 5 & mask;
        match datum {
            Datum::Fp32 | Datum::Int32 | Datum::Int32All => bits::fp32_from_dst(raw),
            Datum::Int32Complement => self.complement(bits::fp32_from_dst(raw)),
            Datum::Fp16 => load_fp16(bits::fp16_from_dst(raw as u16)),
            Datum::Bf16 => u32::from(bits::bf16_from_dst(raw as u16)) << 16,
            Datum::Int8 => int8(self.int8_magnitude),
            Datum::Int8Complement => self.complement(int8(0x3FF)),
            Datum::Int16 => sign | raw & 0x7FFF,
            Datum::High16 | Datum::High16Only => raw << 16,
            Datum::Uint16 | Datum::Low16 | Datum::Low16Only => raw,
            Datum::Zero => 0,
        }
    }

    /// Converts the value in an LReg to the 16 or 32 bits of a datum in Dst. Denormals of FP32 are
    /// flushed.
    #[inline(always)] // Into loops over lanes.
    pub fn store(self, datum: Datum, value: u32) -> u32 {
        /// 8-bit integers are stored with the exponent of 1.
        const INT8: u32 = 16 << 10;
        let sign = |x: u32| x >> 31 << 15;
        let int8 = |x: u32| bits::dst_from_fp16((sign(x) | INT8 | x & 0x3FF) as u16).into();
        match datum {
            Datum::Fp32 => bits::dst_from_fp32(flush_denormal(value)),
            Datum::Int32 | Datum::Int32All => bits::dst_from_fp32(value),
            Datum::Int32Complement => bits::dst_from_fp32(self.sign_magnitude(value)),
            // These two are not rearranged.
            Datum::Low16 => value.rotate_left(16),
            Datum::High16 => value,
            Datum::Fp16 => bits::dst_from_fp16(store_fp16(value)).into(),
            Datum::Bf16 => bits::dst_from_bf16(store_bf16(value)).into(),
            Datum::Int8 => int8(value),
            Datum::Int8Complement => int8(self.sign_magnitude(value)),
            Datum::Int16 => sign(value) | value & 0x7FFF,
            Datum::High16Only => value >> 16,
            Datum::Uint16 | Datum::Low16Only => value & 0xFFFF,
            Datum::Zero => 0,
        }
    }

    #[inline(always)]
    fn complement(self, x: u32) -> u32 {
        match self.complements {
            true => twos_complement(x),
            false => x,
        }
    }

    #[inline(always)]
    fn sign_magnitude(self, x: u32) -> u32 {
        match self.complements {
            true => sign_magnitude(x),
            false => x,
        }
    }
}
