//! Data formats as encoded in the configuration, and the configured width of Dst.
//!
//! Source: ISA documentation, `Packers/FormatConversion.md` (encoding), `MVMUL.md` (styles),
//! `Dst.md`.

use std::fmt;

use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::Arch;

use crate::arith::spec::fpu::SrcStyle;
use crate::state::core_state::CoreState;
use crate::tile::CheckPolicy;
use crate::trap::Fault;

/// A 4-bit data format code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Format(u32);

impl Format {
    /// FP32.
    pub const FP32: Format = Format(0);
    /// 16-bit float with 5-bit exponent.
    pub const FP16: Format = Format(1);
    /// Sign and 7 bits of magnitude; 16 datums share a 5-bit exponent.
    pub const BFP8A: Format = Format(2);
    /// Sign and 3 bits of magnitude; 16 datums share a 5-bit exponent.
    pub const BFP4A: Format = Format(3);
    /// The 19 bits that Src holds of an FP32.
    pub const TF32: Format = Format(4);
    /// 16-bit float with 8-bit exponent.
    pub const BF16: Format = Format(5);
    /// Sign and 7 bits of magnitude; 16 datums share an 8-bit exponent.
    pub const BFP8: Format = Format(6);
    /// Sign and 3 bits of magnitude; 16 datums share an 8-bit exponent.
    pub const BFP4: Format = Format(7);
    /// 32 bits of sign and magnitude.
    pub const INT32: Format = Format(8);
    /// 16 bits without arithmetic.
    pub const INT16: Format = Format(9);
    /// 8-bit float with 5-bit exponent.
    pub const FP8: Format = Format(10);
    /// Sign and 1 bit of magnitude; 16 datums share a 5-bit exponent.
    pub const BFP2A: Format = Format(11);
    /// 8 bits of sign and magnitude, or 8 bits unsigned.
    pub const INT8: Format = Format(14);
    /// Sign and 1 bit of magnitude; 16 datums share an 8-bit exponent.
    pub const BFP2: Format = Format(15);

    const NAMES: [&'static str; 16] = [
        "FP32", "FP16", "BFP8a", "BFP4a", "TF32", "BF16", "BFP8", "BFP4", "INT32", "INT16", "FP8",
        "BFP2a", "12", "13", "INT8", "BFP2",
    ];

    /// Returns the value of `field` for `thread`.
    pub fn read(core: &CoreState, thread: usize, field: ConfigField) -> Format {
        Format(core.config.get(thread, field))
    }

    /// Returns the value of `field` for `thread`, or `value` if `by` enables the override.
    pub fn overridden(
        core: &CoreState,
        thread: usize,
        field: ConfigField,
        [by, value]: [ConfigField; 2],
    ) -> Format {
        let overrides = core.config.get(thread, by) != 0;
        Format::read(core, thread, if overrides { value } else { field })
    }

    /// Returns the format of a code; only its low four bits count.
    pub fn from_code(code: u32) -> Format {
        Format(code & 0xF)
    }

    /// Returns the bits of a datum in L1, without its share of an exponent; `None` for the two
    /// unused codes.
    pub fn bits(self) -> Option<u32> {
        Some(match self {
            Format::FP32 | Format::TF32 | Format::INT32 => 32,
            Format::FP16 | Format::BF16 | Format::INT16 => 16,
            Format::FP8 | Format::INT8 | Format::BFP8 | Format::BFP8A => 8,
            Format::BFP4 | Format::BFP4A => 4,
            Format::BFP2 | Format::BFP2A => 2,
            _ => return None,
        })
    }

    /// Returns whether 16 datums share an exponent.
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Format::BFP8
                | Format::BFP8A
                | Format::BFP4
                | Format::BFP4A
                | Format::BFP2
                | Format::BFP2A
        )
    }

    /// Returns how the Matrix Unit reads Src datums of this format; integers are read as the floats
    /// whose layout they share. Integer arithmetic is selected by ALU_ACC_CTRL_INT8_math_enabled,
    /// not by the format.
    ///
    /// # Errors
    /// Undefined for the two unused codes.
    pub fn style(self) -> Result<SrcStyle, Fault> {
        match self {
            Format::FP32
            | Format::BF16
            | Format::BFP8
            | Format::BFP4
            | Format::BFP2
            | Format::INT32
            | Format::INT16 => Ok(SrcStyle::Bf16),
            Format::TF32 => Ok(SrcStyle::Tf32),
            Format::FP16
            | Format::FP8
            | Format::BFP8A
            | Format::BFP4A
            | Format::BFP2A
            | Format::INT8 => Ok(SrcStyle::Fp16),
            other => Err(Fault::undefined(format!(
                "source format {other} in the matrix unit, which is none; set the format of what \
                 was unpacked"
            ))),
        }
    }

    /// Returns whether its datums are integers.
    pub fn is_integer(self) -> bool {
        matches!(self, Format::INT32 | Format::INT16 | Format::INT8)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Format::NAMES[self.0 as usize])
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns whether Dst holds 32-bit datums.
///
/// # Errors
/// The width is configured by three bits: for the Matrix Unit, the Vector Unit and the packers.
/// With integers the Matrix Unit has 32 bits whatever its bit. The hardware permits them to differ,
/// but programs then nearly always read wrong rows, so the model refuses. The Vector Unit's bit
/// only determines its mode 0, and kernels for integers leave it clear.
pub fn dst_is_32bit(core: &CoreState, thread: usize) -> Result<bool, Fault> {
    let get = |field| core.config.get(thread, field);
    let matrix = get(cfg::ALU_ACC_CTRL_Fp32_enabled);
    let integers = get(cfg::ALU_ACC_CTRL_INT8_math_enabled);
    let vector = get(cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled);
    let packer = get(cfg::PCK_DEST_RD_CTRL_Read_32b_data);
    let wide = matrix | integers;
    // The vendor's kernels may configure the packers while the other units are busy. Rows record
    // the width with which they were written.
    if matrix == vector && (packer == wide || core.check_policy == CheckPolicy::Vendor) {
        return Ok(wide != 0);
    }
    Err(Fault::unmodelled(format!(
        "the units disagree on the width of Dst: ALU_ACC_CTRL_Fp32_enabled = {matrix}, \
         ALU_ACC_CTRL_INT8_math_enabled = {integers}, ALU_ACC_CTRL_SFPU_Fp32_enabled = {vector}, \
         PCK_DEST_RD_CTRL_Read_32b_data = {packer}; set the first and the last two, of integers \
         only the last, or none"
    )))
}

/// Returns the 10-bit first Dst row of an instruction of the Matrix or Vector Unit: its immediate
/// plus the thread's offset, row counter and the common base.
#[inline]
pub fn dst_row(core: &CoreState, thread: usize, immediate: u32) -> usize {
    let offset = core
        .config
        .thread(thread, cfg::DEST_TARGET_REG_CFG_MATH_Offset)
        + core.regs.rwcs[thread].dst.value
        + core.config.get(thread, cfg::DEST_REGW_BASE_Base);
    ((immediate + offset) & 0x3FF) as usize
}

/// Refuses if a configuration field is not zero; `what` completes "not modelled: ".
pub fn must_be_zero(
    core: &CoreState,
    thread: usize,
    fields: &[(ConfigField, &'static str)],
) -> Result<(), Fault> {
    (fields.iter()).try_for_each(|(field, what)| {
        must_hold_zero(core.arch, field, core.config.get(thread, *field), what)
    })
}

/// Refuses a non-zero value of a configuration field.
pub(crate) fn must_hold_zero(
    arch: Arch,
    field: &ConfigField,
    value: u32,
    what: &str,
) -> Result<(), Fault> {
    if value == 0 {
        return Ok(());
    }
    // Names of family members have no indices; the word identifies the member.
    let name = field.name.replace("{}", "*");
    let word = field.place_on(arch).map_or(0, |place| place.addr32());
    Err(Fault::unmodelled(format!(
        "{what} ({name}, word {word}, is {value} and must be 0)"
    )))
}

#[cfg(test)]
mod tests;
