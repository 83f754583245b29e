//! The configured data formats, and the configured width of Dst.
//!
//! Source: ISA documentation, `Packers/FormatConversion.md` (encoding), `MVMUL.md` (styles),
//! `Dst.md`.

use tessera_isa_tensix::cfg::{self, ConfigField};
use tessera_isa_tensix::Arch;

use crate::arith::spec::format::Format;
use crate::state::check_policy::CheckPolicy;
use crate::state::config::{Config, View};
use crate::state::rwc::Rwc;
use crate::trap::Fault;

impl Format {
    /// Returns the value of `field` for `thread`.
    pub fn read(config: &Config, thread: usize, field: ConfigField) -> Format {
        config.view(thread).format(field)
    }

    /// Returns the value of `field` for `thread`, or `value` if `by` enables the override.
    pub fn overridden(
        config: &Config,
        thread: usize,
        field: ConfigField,
        overrides: [ConfigField; 2],
    ) -> Format {
        config.view(thread).overridden_format(field, overrides)
    }
}

impl View<'_> {
    /// Like [`Format::read`].
    pub(crate) fn format(&self, field: ConfigField) -> Format {
        Format::from_code(self.get(field))
    }

    /// Like [`Format::overridden`].
    pub(crate) fn overridden_format(
        &self,
        field: ConfigField,
        [by, value]: [ConfigField; 2],
    ) -> Format {
        let overrides = self.get(by) != 0;
        self.format(if overrides { value } else { field })
    }

    /// Like [`must_be_zero`].
    pub(crate) fn must_be_zero(&self, fields: &[(ConfigField, &'static str)]) -> Result<(), Fault> {
        (fields.iter()).try_for_each(|(field, what)| {
            must_hold_zero(self.arch(), field, self.get(*field), what)
        })
    }
}

/// Returns whether Dst holds 32-bit datums.
///
/// # Errors
/// The width is configured by three bits: for the Matrix Unit, the Vector Unit and the packers.
/// With integers the Matrix Unit has 32 bits whatever its bit. The hardware permits them to differ,
/// but programs then nearly always read wrong rows, so the model refuses. The Vector Unit's bit
/// only determines its mode 0, and kernels for integers leave it clear.
pub(crate) fn dst_is_32bit(
    config: &Config,
    check_policy: CheckPolicy,
    thread: usize,
) -> Result<bool, Fault> {
    let get = |field| config.get(thread, field);
    let matrix = get(cfg::ALU_ACC_CTRL_Fp32_enabled);
    let integers = get(cfg::ALU_ACC_CTRL_INT8_math_enabled);
    let vector = get(cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled);
    let packer = get(cfg::PCK_DEST_RD_CTRL_Read_32b_data);
    let wide = matrix | integers;
    // The vendor's kernels may configure the packers while the other units are busy. Rows record
    // the width with which they were written.
    if matrix == vector && (packer == wide || check_policy == CheckPolicy::Vendor) {
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
pub fn dst_row(config: &Config, rwcs: &[Rwc; 3], thread: usize, immediate: u32) -> usize {
    let offset = rwcs[thread].dst.value + dst_row_base(config, thread);
    ((immediate + offset) & 0x3FF) as usize
}

/// Returns what the configuration adds to the rows of Dst of a thread's instructions.
#[inline]
pub(crate) fn dst_row_base(config: &Config, thread: usize) -> u32 {
    config.thread(thread, cfg::DEST_TARGET_REG_CFG_MATH_Offset)
        + config.get(thread, cfg::DEST_REGW_BASE_Base)
}

/// Refuses if a configuration field is not zero; `what` completes "not modelled: ".
pub fn must_be_zero(
    config: &Config,
    thread: usize,
    fields: &[(ConfigField, &'static str)],
) -> Result<(), Fault> {
    config.view(thread).must_be_zero(fields)
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
