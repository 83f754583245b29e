//! What an arithmetic instruction reads from the configuration and the row counters.

use tessera_isa_tensix::{cfg, Arch};

use crate::banks::Src;
use crate::core_state::CoreState;
use crate::formats::{dst_is_32bit, dst_row, must_be_zero, Format};
use crate::numerics::bits::SRC_EXPONENT;
use crate::numerics::fpu::{Mode, Phase, SrcStyle};
use crate::regs::Row;
use crate::trap::Fault;

/// Arithmetic set-up of one instruction.
pub(super) struct Setup {
    pub mode: Mode,
    pub phase: Phase,
    /// First Dst row, a multiple of how many there are.
    pub dst_row: usize,
}

impl Setup {
    /// Of an instruction that writes so many rows of Dst.
    pub fn read(core: &CoreState, thread: usize, dst: u32, rows: usize) -> Result<Setup, Fault> {
        refuse_integers_and_overrides(core, thread)?;
        must_be_zero(
            core,
            thread,
            &[
                (
                    cfg::ALU_ROUNDING_MODE_Fpu_srnd_en,
                    "stochastic rounding in the matrix unit",
                ),
                (
                    cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src,
                    "arithmetic on denormal sources",
                ),
            ],
        )?;
        let a = Format::read(core, thread, cfg::ALU_FORMAT_SPEC_REG0_SrcA);
        let b = Format::read(core, thread, cfg::ALU_FORMAT_SPEC_REG1_SrcB);
        let style = a.style()?;
        if b.style()? != style {
            return Err(Fault::unmodelled(format!(
                "arithmetic with SrcA in {a} and SrcB in {b}; give both the same format"
            )));
        }
        let mode = Mode {
            style,
            dst32: dst_is_32bit(core, thread)?,
            minus_one_bug: core.arch == Arch::WormholeB0,
        };
        let phase =
            core.regs.rwcs[thread].fidelity + core.config.thread(thread, cfg::FIDELITY_BASE_Phase);
        let dst_row = aligned("Dst", dst_row(core, thread, dst), rows)?;
        Ok(Setup {
            mode,
            phase: Phase::new(phase),
            dst_row,
        })
    }

    /// `count` rows of the bank that the Matrix Unit has.
    pub fn source<'a>(
        &self,
        core: &'a CoreState,
        which: Src,
        first: usize,
        count: usize,
    ) -> Result<&'a [Row], Fault> {
        let rows = core
            .regs
            .src(which)
            .rows(core.banks.matrix_bank(which), first, count)?;
        let too_wide = |x: &u32| x & SRC_EXPONENT & !0x1F != 0;
        if self.mode.style == SrcStyle::Fp16 && rows.iter().flatten().any(too_wide) {
            return Err(Fault::unmodelled(format!(
                "Src{which:?} rows from {first} read as FP16 hold datums with more than 5 exponent bits; unpack FP16 data"
            )));
        }
        Ok(rows)
    }
}

/// Traps shared by arithmetic and moves.
pub(super) fn refuse_integers_and_overrides(core: &CoreState, thread: usize) -> Result<(), Fault> {
    if core.config.thread(thread, cfg::FP16A_FORCE_Enable) != 0 {
        return Err(Fault::unmodelled("FP16A_FORCE_Enable; clear it"));
    }
    must_be_zero(
        core,
        thread,
        &[
            (cfg::ALU_ACC_CTRL_INT8_math_enabled, "integer arithmetic"),
            (
                cfg::ALU_FORMAT_SPEC_REG_SrcA_override,
                "the SrcA format override",
            ),
            (
                cfg::ALU_FORMAT_SPEC_REG_SrcB_override,
                "the SrcB format override",
            ),
        ],
    )
}

/// `row` itself if it is a multiple of `of`. The hardware would ignore the low bits; then the address modes are not what
/// the program's author thought.
pub(super) fn aligned(file: &str, row: usize, of: usize) -> Result<usize, Fault> {
    if row % of == 0 {
        Ok(row)
    } else {
        Err(Fault::unmodelled(format!(
            "{file} row {row} where a multiple of {of} is wanted; check the row counters"
        )))
    }
}
