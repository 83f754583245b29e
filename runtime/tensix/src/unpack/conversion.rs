//! What becomes of a datum on its way from L1 to the register it goes to.
//!
//! | to | in L1 | `OutDataFormat` | datum |
//! |---|---|---|---|
//! | SrcA, SrcB | BF16 | BF16 | as it is |
//! | SrcA, SrcB | FP32 | TF32 | without its low 13 bits |
//! | Dst, 32 bits | FP32, TF32, INT32 | the same, or TF32 for FP32 | all 32 bits as they are |
//! | Dst, 16 bits | BF16 | BF16 | as it is |
//!
//! So FP32 with TF32 is at home in both, and a kernel needs no other formats between unpacking to Dst and to SrcA.
//!
//! Source: ISA documentation, `UNPACR_Regular.md` (`FormatConversion`).

use crate::banks::Src;
use crate::formats::Format;
use crate::numerics::bits;
use crate::regs::Row;
use crate::trap::Fault;

/// Where datums go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The bank that the unpacker has.
    Src(Src),
    /// The accumulators; unpacker 0 only.
    Dst,
}

/// From datums in L1 to those in the register.
#[derive(Clone, Copy)]
pub(super) struct Conversion {
    width: u32,
    row: fn(&[u8]) -> Row,
}

impl Conversion {
    pub fn new(target: Target, input: Format, output: Format) -> Result<Conversion, Fault> {
        use Format as F;
        let (width, row): (u32, fn(&[u8]) -> Row) = match (target, input, output) {
            (Target::Src(_), F::BF16, F::BF16) => (2, |bytes| row16(bytes, bits::src_from_bf16)),
            (Target::Src(_), F::FP32, F::TF32) => {
(4, |bytes| row32(bytes, |x| bits::src_from_tf32(x >> 13)))},
            (Target::Src(src), F::FP32, F::FP32) => {
                return Err(Fault::undefined(format!(
                    "unpacking FP32 to FP32 in Src{src:?}, which is too narrow; unpack to TF32, or to Dst"
                )))
            }
            (Target::Dst, F::FP32, F::FP32 | F::TF32)
            | (Target::Dst, F::TF32, F::TF32)
            | (Target::Dst, F::INT32, F::INT32) => {(4, |bytes| row32(bytes, bits::dst_from_fp32))}
            (Target::Dst, F::BF16, F::BF16) => {
(2, |bytes| row16(bytes, |x| bits::dst_from_bf16(x).into()))},
            (Target::Src(src), ..) => {
                return Err(Fault::unmodelled(format!(
                    "unpacking {input} to {output} in Src{src:?}; BF16 to BF16 and FP32 to TF32 are modelled"
                )))
            }
            (Target::Dst, ..) => {
                return Err(Fault::unmodelled(format!(
                    "unpacking {input} to {output} in Dst; FP32 to FP32 or TF32, and TF32, INT32 and BF16 to themselves are modelled"
                )))
            }
        };
        Ok(Conversion { width, row })
    }

    /// Bytes of a datum, in L1 as well as in output addresses.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Converts a row, of which `bytes` are the datums in L1.
    pub fn row(&self, bytes: &[u8]) -> Row {
        (self.row)(bytes)
    }
}

fn row16(bytes: &[u8], convert: impl Fn(u16) -> u32) -> Row {
    std::array::from_fn(|c| convert(u16::from_le_bytes([bytes[2 * c], bytes[2 * c + 1]])))
}

fn row32(bytes: &[u8], convert: impl Fn(u32) -> u32) -> Row {
    std::array::from_fn(|c| {
        let datum = std::array::from_fn(|k| bytes[4 * c + k]);
        convert(u32::from_le_bytes(datum))
    })
}
