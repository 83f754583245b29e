//! The conversion of a datum on its way from L1 to Src or Dst.
//!
//! | in L1 | `OutDataFormat` | in Src | in Dst |
//! |---|---|---|---|
//! | FP32 | FP32 | undefined: too wide | 32 bits |
//! | FP32 | TF32 | TF32: the low 13 bits go | 32 bits |
//! | FP32 | BF16, FP16 | BF16, FP16: truncated | BF16, FP16 |
//! | TF32, INT32 | the same | undefined: too wide | 32 bits |
//! | BF16, FP16, INT16 | the same | the same | the same |
//! | BFP8, BFP4, BFP2 | the same | BF16 | BF16 |
//! | BFP8a, BFP4a, BFP2a, FP8 | the same | FP16 | FP16 |
//! | INT8 | the same | FP16 with a fixed exponent | the same |
//!
//! Every other pair is undefined, in the documentation and in ttsim, although tt-llk accepts some
//! (BFP4 to BFP8, BF16 to TF32). `ALU_FORMAT_SPEC_REG0_Src{A,B}Unsigned` determines whether INT8 is
//! signed. With `Force_shared_exp` it can also be unpacked as BFP8.
//!
//! On Blackhole, FP8 may have a 4-bit exponent instead (`REG1_Unp_LF8_4b_exp`). If all bits except
//! the sign are set, it becomes FP16 with all bits set.
//!
//! If zeros replace the datums, formats that are too wide for Src are accepted there. The
//! documentation's model calls the conversion even then, but tt-llk does this after each unpacking
//! to Dst, to switch the unpacker back to SrcA.
//!
//! A format implements [`Decode`]. Loops over rows are compiled for each format and register, and
//! for the vector instructions of the host.
//!
//! Source: ISA documentation, `UNPACR_Regular.md` (`FormatConversion`),
//! `Unpackers/FormatConversion.md`.

use std::hint::black_box;

use bytemuck::pod_read_unaligned;
use multiversion::multiversion;

use crate::arith::spec::format::Format;
use crate::arith::spec::{bits, unpacker};
use crate::arith::{Row, COLUMNS};
use crate::state::banks::Src;
use crate::state::unpacker::{Conversion, Kernel, Target};
use crate::trap::Fault;

impl Target {
    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Target::Src(Src::A) => "SrcA",
            Target::Src(Src::B) => "SrcB",
            Target::Dst => "Dst",
        }
    }
}

impl Kernel {
    fn new<D: Decode, const DST: bool>() -> Kernel {
        Kernel {
            datum: |datum, exponent| Some(D::LAYOUT.place::<DST>(D::documented(datum, exponent)?)),
            rows: rows::<D, DST>,
        }
    }

    fn for_target<D: Decode>(target: Target) -> Kernel {
        match target {
            Target::Src(_) => Kernel::new::<D, false>(),
            Target::Dst => Kernel::new::<D, true>(),
        }
    }
}

/// The interpretation of 8-bit datums other than block floats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bytes {
    /// Whether INT8 is unsigned.
    pub unsigned: bool,
    pub fp8: Fp8Kind,
}

/// The kind of FP8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fp8Kind {
    /// 5-bit exponent, with Wormhole B0's rules.
    Wormhole,
    /// 5-bit exponent, with Blackhole's rules.
    Blackhole,
    /// 4-bit exponent.
    FourBits,
}

impl Conversion {
    /// Returns the conversion between two formats. If `zeros` replace all datums, formats too wide
    /// for Src are accepted.
    ///
    /// # Errors
    /// Undefined if there is no such conversion.
    pub(super) fn new(
        target: Target,
        [input, output]: [Format; 2],
        bytes: Bytes,
        zeros: bool,
    ) -> Result<Conversion, Fault> {
        use Format as F;
        let (Some(bits), Some(width)) = (input.bits(), output.bits()) else {
            return Err(Fault::undefined(format!(
                "unpacking format {input} to {output}; codes 12 and 13 name no format"
            )));
        };
        let kernel = match (input, output, target) {
            (F::FP32, F::FP32 | F::TF32, Target::Dst)
            | (F::TF32, F::TF32, Target::Dst)
            | (F::INT32, F::INT32, Target::Dst) => Kernel::new::<Word, true>(),
            (F::FP32, F::TF32, Target::Src(_)) => Kernel::new::<Tf32, false>(),
            (F::FP32 | F::TF32 | F::INT32, _, Target::Src(_)) if zeros && input == output => {
                Kernel::new::<Tf32, false>()
            }
            (F::FP32, F::FP32, Target::Src(_)) => {
                return Err(too_wide(target, input, "unpack to TF32, or to Dst"))
            }
            (F::TF32, F::TF32, Target::Src(_)) => {
                return Err(too_wide(target, input, "unpack FP32 to TF32"))
            }
            (F::INT32, F::INT32, Target::Src(_)) => {
                return Err(too_wide(target, input, "unpack to Dst"))
            }
            (F::FP32, F::BF16, _) => Kernel::for_target::<Fp32ToBf16>(target),
            (F::FP32, F::FP16, _) => Kernel::for_target::<Fp32ToFp16>(target),
            (F::FP32, _, _) => {
                return Err(Fault::undefined(format!(
                    "unpacking FP32 to {output}; FP32 becomes FP32, TF32, BF16 or FP16"
                )))
            }
            _ if input != output => {
                return Err(Fault::undefined(format!(
                    "unpacking {input} to {output}; set the output format to {input}, too"
                )))
            }
            (F::BF16, ..) => Kernel::for_target::<Bf16>(target),
            (F::FP16, ..) => Kernel::for_target::<Fp16>(target),
            (F::INT16, ..) => Kernel::for_target::<Int16>(target),
            (F::FP8, ..) => match bytes.fp8 {
                Fp8Kind::Wormhole => Kernel::for_target::<Fp8>(target),
                Fp8Kind::Blackhole => Kernel::for_target::<Fp8Blackhole>(target),
                Fp8Kind::FourBits => Kernel::for_target::<Fp8FourBits>(target),
            },
            (F::INT8, ..) if bytes.unsigned => Kernel::for_target::<Int8<false>>(target),
            (F::INT8, ..) => Kernel::for_target::<Int8<true>>(target),
            (F::BFP8, ..) => Kernel::for_target::<Bfp<8>>(target),
            (F::BFP4, ..) => Kernel::for_target::<Bfp<4>>(target),
            (F::BFP2, ..) => Kernel::for_target::<Bfp<2>>(target),
            (F::BFP8A, ..) => Kernel::for_target::<BfpA<8>>(target),
            (F::BFP4A, ..) => Kernel::for_target::<BfpA<4>>(target),
            _ => Kernel::for_target::<BfpA<2>>(target),
        };
        Ok(Conversion {
            input,
            output,
            bits,
            width: (width / 8).max(1),
            wide: width == 32,
            kernel,
        })
    }

    /// Converts one datum as documented. `exponent` is used for block formats only.
    ///
    /// # Errors
    /// Undefined if the exponent is invalid for the format.
    pub fn datum(&self, datum: u32, exponent: u8) -> Result<u32, Fault> {
        (self.kernel.datum)(datum, exponent).ok_or_else(|| self.no_exponent())
    }

    /// Converts rows. `bytes` holds the datums in L1, `exponents` one exponent per row.
    ///
    /// # Errors
    /// Undefined if an exponent is invalid for the format.
    pub fn rows(&self, bytes: &[u8], exponents: &[u8], rows: &mut [Row]) -> Result<(), Fault> {
        debug_assert_eq!(bytes.len(), rows.len() * self.row_bytes());
        if (self.kernel.rows)(bytes, exponents, rows) {
            return Ok(());
        }
        Err(self.no_exponent())
    }

    /// Returns the bytes of a row in L1.
    pub fn row_bytes(&self) -> usize {
        COLUMNS * self.bits as usize / 8
    }

    fn no_exponent(&self) -> Fault {
        Fault::undefined(format!(
            "unpacking {} with an exponent that is not within 0 to 31 once the magnitude is \
             normal; FP16 has 5 bits for it",
            self.input
        ))
    }
}

fn too_wide(target: Target, format: Format, hint: &str) -> Fault {
    Fault::undefined(format!(
        "unpacking {format} to {format} in {}, which is too narrow; {hint}",
        target.name()
    ))
}

/// The layout of a decoded value, before its bits are arranged as in the register.
#[derive(Clone, Copy)]
enum Layout {
    /// 32 bits for Dst.
    Word,
    /// FP32 of which Src keeps 19 bits.
    Tf32,
    /// BF16 in the low half.
    Bf16,
    /// FP16 in the low half.
    Fp16,
    /// Unchanged bits in the low half.
    Int16,
}

impl Layout {
    #[inline(always)]
    fn place<const DST: bool>(self, x: u32) -> u32 {
        let half = x as u16;
        match (self, DST) {
            (Layout::Word, _) => bits::dst_from_fp32(x),
            (Layout::Tf32, _) => bits::src_from_tf32(x >> 13),
            (Layout::Bf16, false) => bits::src_from_bf16(half),
            (Layout::Bf16, true) => bits::dst_from_bf16(half).into(),
            (Layout::Fp16, false) => bits::src_from_fp16(half),
            (Layout::Fp16, true) => bits::dst_from_fp16(half).into(),
            (Layout::Int16, false) => bits::src_from_dst_bf16(half),
            (Layout::Int16, true) => half.into(),
        }
    }
}

/// A format in L1.
trait Decode {
    /// Bits of a datum in L1.
    const BITS: u32;
    /// Whether a row has an exponent. Without, every datum is defined.
    const BLOCK: bool = false;
    /// The layout of [`Decode::value`].
    const LAYOUT: Layout;

    /// Decodes a datum without branches; returns the value and whether it is defined.
    fn value(datum: u32, exponent: u32) -> (u32, bool);

    /// Decodes a datum as documented.
    fn documented(datum: u32, exponent: u8) -> Option<u32> {
        let (value, defined) = Self::value(datum, exponent.into());
        defined.then_some(value)
    }
}

/// Defines formats without blocks, of which every datum is defined.
macro_rules! decode {
    ($( $(#[$doc:meta])* $Name:ident $bits:literal $Layout:ident: |$x:ident| $value:expr; )*) => {
        $(
            $(#[$doc])*
            struct $Name;

            impl Decode for $Name {
                const BITS: u32 = $bits;
                const LAYOUT: Layout = Layout::$Layout;

                #[inline(always)]
                fn value($x: u32, _: u32) -> (u32, bool) {
                    ($value, true)
                }
            }
        )*
    };
}

decode! {
    /// All 32 bits.
    Word 32 Word: |x| x;
    /// FP32 that loses 13 bits.
    Tf32 32 Tf32: |x| x;
    /// FP32 to BF16.
    Fp32ToBf16 32 Bf16: |x| unpacker::bf16_from_fp32(x).into();
    /// FP32 to FP16.
    Fp32ToFp16 32 Fp16: |x| unpacker::fp16_from_fp32(x).into();
    /// BF16.
    Bf16 16 Bf16: |x| x;
    /// FP16.
    Fp16 16 Fp16: |x| x;
    /// 16 bits of anything.
    Int16 16 Int16: |x| x;
    /// FP8 with 5 bits of exponent.
    Fp8 8 Fp16: |x| unpacker::fp16_from_fp8(x as u8).into();
    /// The same on Blackhole.
    Fp8Blackhole 8 Fp16: |x| unpacker::fp16_from_fp8_blackhole(x as u8).into();
    /// FP8 with 4 bits of exponent.
    Fp8FourBits 8 Fp16: |x| unpacker::fp16_from_fp8_4b(x as u8).into();
}

/// 8-bit integers.
struct Int8<const SIGNED: bool>;

impl<const SIGNED: bool> Decode for Int8<SIGNED> {
    const BITS: u32 = 8;
    const LAYOUT: Layout = Layout::Fp16;

    #[inline(always)]
    fn value(datum: u32, _: u32) -> (u32, bool) {
        let datum = datum as u8;
        let value = if SIGNED {
            unpacker::fp16_from_int8(datum)
        } else {
            unpacker::fp16_from_uint8(datum)
        };
        (value.into(), true)
    }
}

/// BFP8, BFP4, BFP2.
struct Bfp<const BITS: u32>;

impl<const BITS: u32> Decode for Bfp<BITS> {
    const BITS: u32 = BITS;
    const BLOCK: bool = true;
    const LAYOUT: Layout = Layout::Bf16;

    #[inline(always)]
    fn value(datum: u32, exponent: u32) -> (u32, bool) {
        let datum = datum << (8 - BITS);
        let sign = (datum & 0x80) << 8;
        let magnitude = magnitude(datum);
        let value = (magnitude >> 16).wrapping_add(exponent.wrapping_sub(TOP) << 7);
        let zero = if sign == 0 { 0 } else { 0xFF80 };
        (
            if magnitude == 0 {
                zero
            } else {
                sign | value & 0x7FFF
            },
            true,
        )
    }

    fn documented(datum: u32, exponent: u8) -> Option<u32> {
        Some(unpacker::bf16_from_bfp8((datum << (8 - BITS)) as u8, exponent).into())
    }
}

/// BFP8a, BFP4a, BFP2a.
struct BfpA<const BITS: u32>;

impl<const BITS: u32> Decode for BfpA<BITS> {
    const BITS: u32 = BITS;
    const BLOCK: bool = true;
    const LAYOUT: Layout = Layout::Fp16;

    #[inline(always)]
    fn value(datum: u32, exponent: u32) -> (u32, bool) {
        let datum = datum << (8 - BITS);
        let sign = (datum & 0x80) << 8;
        let magnitude = magnitude(datum);
        let value = (magnitude >> 13).wrapping_add(exponent.wrapping_sub(TOP) << 10);
        let zero = if sign == 0 { 0 } else { 0xFC00 };
        let is_zero = magnitude == 0;
        (
            if is_zero { zero } else { sign | value & 0x7FFF },
            (value < 0x8000) | is_zero,
        )
    }

    fn documented(datum: u32, exponent: u8) -> Option<u32> {
        unpacker::fp16_from_bfp8a((datum << (8 - BITS)) as u8, exponent).map(u32::from)
    }
}

/// Returns the 7-bit magnitude of a block float as FP32, which normalises it. Vector units do this
/// conversion in one step.
#[inline(always)]
fn magnitude(datum: u32) -> u32 {
    ((datum & 0x7F) as f32).to_bits()
}

/// The exponent of such an FP32 if the highest of the 7 bits is set. The exponent of the block is
/// then that of the datum.
const TOP: u32 = 127 + 6;

/// Returns the datums of a row of blocks in L1. Constant lengths avoid checks and loops.
#[inline(always)]
fn datums<D: Decode>(bytes: &[u8]) -> Row {
    match D::BITS {
        8 => {
            let bytes: &[u8; 16] = whole(bytes);
            bytes.map(u32::from)
        }
        4 => {
            let bytes: &[u8; 8] = whole(bytes);
            std::array::from_fn(|c| u32::from(bytes[c / 2]) >> (4 * (c % 2)) & 0xF)
        }
        _ => {
            let bytes: &[u8; 4] = whole(bytes);
            std::array::from_fn(|c| u32::from(bytes[c / 4]) >> (2 * (c % 4)) & 0x3)
        }
    }
}

/// Returns all bytes of a row as an array.
#[inline(always)]
fn whole<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.first_chunk().expect("a row has all its bytes")
}

/// Converts rows; returns false if a datum is undefined. `multiversion` compiles it for AVX-512
/// with the widest vectors that do not reduce the clock.
#[multiversion(targets(
    "x86_64+avx+avx2+bmi1+bmi2+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx+avx2+bmi1+bmi2"
))]
fn rows<D: Decode, const DST: bool>(bytes: &[u8], exponents: &[u8], rows: &mut [Row]) -> bool {
    let place = |datum: u32, exponent: u32| {
        let (value, defined) = D::value(datum, exponent);
        (D::LAYOUT.place::<DST>(value), defined)
    };
    let mut all = true;
    if D::BLOCK {
        let blocks = bytes.chunks_exact(COLUMNS * D::BITS as usize / 8);
        for ((row, bytes), &exponent) in rows.iter_mut().zip(blocks).zip(exponents) {
            // Prevents the compiler from vectorising across rows instead of along them.
            let exponent = black_box(u32::from(exponent));
            *row = datums::<D>(bytes).map(|datum| {
                let (datum, defined) = place(datum, exponent);
                all &= defined;
                datum
            });
        }
        return all;
    }
    // Whole words are read; assembled from bytes, they would be vectorised as bytes.
    let to = rows.as_flattened_mut().iter_mut();
    match D::BITS {
        32 => to.zip(bytes.chunks_exact(4)).for_each(|(to, x)| {
            *to = place(u32::from_le(pod_read_unaligned(x)), 0).0;
        }),
        16 => to.zip(bytes.chunks_exact(2)).for_each(|(to, x)| {
            *to = place(u16::from_le(pod_read_unaligned(x)).into(), 0).0;
        }),
        _ => to
            .zip(bytes)
            .for_each(|(to, &x)| *to = place(x.into(), 0).0),
    }
    all
}
