//! Bit layouts of datums and the rearrangements between them.
//!
//! L1 and the `LReg`s hold floats the IEEE way round (sign, exponent, mantissa). The register files
//! next to the Matrix Unit keep the mantissa *above* the exponent:
//!
//! | where | type | bits, high to low |
//! |---|---|---|
//! | Src (19 bits) | TF32 | sign 1, mantissa 10, exponent 8 |
//! | Src (19 bits) | BF16 | as TF32, the low three mantissa bits zero |
//! | Src (19 bits) | FP16 | sign 1, mantissa 10, zero 3, exponent 5 |
//! | Src (19 bits) | INT16 | bits 15 to 8, zero 3, bits 7 to 0 |
//! | Dst (16 bits) | BF16 | sign 1, mantissa 7, exponent 8 |
//! | Dst (16 bits) | FP16 | sign 1, mantissa 10, exponent 5 |
//! | Dst (32 bits) | FP32 | sign 1, mantissa high 7, exponent 8, mantissa low 16 |
//!
//! Source: ISA documentation, `SrcASrcB.md` and `Dst.md` ("Data type bit layout"),
//! `UNPACR_Regular.md`, `MOVA2D.md`, `MOVD2A.md`. All functions are total; bits above the stated
//! width of an argument are ignored.

/// Mask of a Src datum.
pub const SRC_MASK: u32 = 0x7_FFFF;
/// The exponent field of a Src datum; a datum whose field is zero is read as zero by the Matrix
/// Unit.
pub const SRC_EXPONENT: u32 = 0xFF;
/// The sign of a Src datum.
pub const SRC_SIGN: u32 = 0x4_0000;

/// Converts TF32 in IEEE order (19 bits) to a Src datum.
pub fn src_from_tf32(x: u32) -> u32 {
    (x & 0x4_0000) | ((x & 0x3FF) << 8) | ((x >> 10) & 0xFF)
}

/// Converts a Src datum to TF32 in IEEE order (19 bits).
pub fn tf32_from_src(x: u32) -> u32 {
    (x & 0x4_0000) | ((x & 0xFF) << 10) | ((x >> 8) & 0x3FF)
}

/// Converts BF16 in IEEE order to a Src datum.
pub fn src_from_bf16(x: u16) -> u32 {
    src_from_tf32(u32::from(x) << 3)
}

/// Converts FP16 in IEEE order to a Src datum.
pub fn src_from_fp16(x: u16) -> u32 {
    let x = u32::from(x);
    src_from_tf32(((x & 0x8000) << 3) | (x & 0x7FFF))
}

/// Converts BF16 in IEEE order to a 16-bit Dst datum.
pub fn dst_from_bf16(x: u16) -> u16 {
    (x & 0x8000) | ((x & 0x7F) << 8) | ((x >> 7) & 0xFF)
}

/// Converts a 16-bit Dst datum to BF16 in IEEE order.
pub fn bf16_from_dst(x: u16) -> u16 {
    (x & 0x8000) | ((x & 0xFF) << 7) | ((x >> 8) & 0x7F)
}

/// Converts FP16 in IEEE order to a 16-bit Dst datum.
pub fn dst_from_fp16(x: u16) -> u16 {
    (x & 0x8000) | ((x & 0x3FF) << 5) | ((x >> 10) & 0x1F)
}

/// Converts a 16-bit Dst datum to FP16 in IEEE order.
pub fn fp16_from_dst(x: u16) -> u16 {
    (x & 0x8000) | ((x & 0x1F) << 10) | ((x >> 5) & 0x3FF)
}

/// Converts FP32 in IEEE order to a 32-bit Dst datum.
pub fn dst_from_fp32(x: u32) -> u32 {
    (u32::from(dst_from_bf16((x >> 16) as u16)) << 16) | (x & 0xFFFF)
}

/// Converts a 32-bit Dst datum to FP32 in IEEE order.
pub fn fp32_from_dst(x: u32) -> u32 {
    (u32::from(bf16_from_dst((x >> 16) as u16)) << 16) | (x & 0xFFFF)
}

/// Converts a Src datum with an 8-bit exponent to a 16-bit Dst datum, as MOVA2D and MOVB2D do. The
/// low three mantissa bits are dropped.
pub fn dst16_from_src_exp8(x: u32) -> u16 {
    (((x >> 3) & 0xFF00) | (x & 0xFF)) as u16
}

/// Converts a Src datum with a 5-bit exponent to a 16-bit Dst datum, as MOVA2D and MOVB2D do. The
/// high three exponent bits are dropped.
pub fn dst16_from_src_exp5(x: u32) -> u16 {
    (((x >> 3) & 0xFFE0) | (x & 0x1F)) as u16
}

/// Converts a Src TF32 datum to a 32-bit Dst datum, as MOVA2D and MOVB2D do; exact.
pub fn dst32_from_src_tf32(x: u32) -> u32 {
    (u32::from(dst16_from_src_exp8(x)) << 16) | (((x >> 8) & 7) << 13)
}

/// Converts a 16-bit Dst BF16 datum to a Src datum, as MOVD2A and MOVD2B do. Unpackers convert any
/// 16 bits (INT16) this way.
pub fn src_from_dst_bf16(x: u16) -> u32 {
    let x = u32::from(x);
    ((x & 0xFF00) << 3) | (x & 0xFF)
}

/// Converts a 16-bit Dst FP16 datum to a Src datum, as MOVD2A and MOVD2B do.
pub fn src_from_dst_fp16(x: u16) -> u32 {
    let x = u32::from(x);
    ((x & 0xFFE0) << 3) | (x & 0x1F)
}

/// Converts a 32-bit Dst datum to a Src TF32 datum, as MOVD2A and MOVD2B do. The low 13 mantissa
/// bits are dropped.
pub fn src_from_dst_fp32(x: u32) -> u32 {
    src_from_tf32(fp32_from_dst(x) >> 13)
}

/// Converts the low half of a 32-bit Dst datum to a Src datum, as moves of TF32 with `dest_32b_lo`
/// do: the bits that the move of the whole datum drops, where Dst has them.
pub fn src_from_dst_low(x: u16) -> u32 {
    u32::from(x) & 0x1FFF
}

#[cfg(test)]
mod tests;
