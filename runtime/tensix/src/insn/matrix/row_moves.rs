//! Moves between Src and Dst, row by row. They change the layout and sometimes drop bits, but never
//! round. Integers move like the floats whose layout they share.
//!
//! With `dest_32b_lo`, a move from Dst reads the low halves of 32-bit rows, and a move to Dst
//! replaces them. For moves of TF32 to Dst the documentation has a model, but ttsim 1.10.0 says
//! that the hardware fails (erratum TEN-4245): they trap.
//!
//! The format is that of SrcA, also for SrcB, as the documentation says explicitly. On Blackhole it
//! is the format of the bank. For SrcB the documentation uses `DISABLE_IMPLIED_SRCB_FMT_Base`,
//! which it calls not fully characterised, and ttsim 1.10.0 uses SRCA's. Where the two differ,
//! moves of SrcB trap.
//!
//! Not modelled: moves that would access 16-bit rows of a 32-bit Dst, as MOVA2D and MOVB2D do
//! unless SrcA's format is TF32 or low halves are moved.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Mova2d, Movb2d, Movd2a, Movd2b};

use super::columns::SkippedColumns;
use super::setup::{
    aligned, configured_format, implied_disable, implied_format, refuse_unknown_modes, DisputedBits,
};
use super::unit::MatrixUnit;
use crate::arith::spec::bits::{self, SRC_EXPONENT};
use crate::arith::spec::format::Format;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::Row;
use crate::state::banks::{Banks, Src};
use crate::state::config::Config;
use crate::state::dst_rows::{arrange_dst, DstRows};
use crate::state::formats::{dst_is_32bit, dst_row};
use crate::trap::Fault;

/// The settings that every move reads from the configuration.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub style: SrcStyle,
    pub wide: bool,
    /// Whether the low halves of 32-bit rows are moved.
    pub low: bool,
    /// Whether datums with a zero exponent become zero on the way to Dst.
    pub flush: bool,
}

impl Move {
    /// Reads the settings of a move between `which` and Dst.
    pub fn read(
        unit: &MatrixUnit,
        thread: usize,
        which: Src,
        dest_32b_lo: u32,
    ) -> Result<Move, Fault> {
        refuse_unknown_modes(unit.config, thread)?;
        Ok(Move {
            style: format((unit.config, unit.banks), thread, which)?.style()?,
            wide: dst_is_32bit(unit.config, unit.check_policy, thread)?,
            low: dest_32b_lo != 0,
            flush: flushes(unit.config, thread),
        })
    }

    /// Checks that a move to Dst writes rows of Dst's width.
    pub fn for_writing_dst(self) -> Result<Move, Fault> {
        match (self.wide, self.style, self.low) {
            (true, SrcStyle::Tf32, false)
            | (true, SrcStyle::Bf16 | SrcStyle::Fp16, true)
            | (false, SrcStyle::Bf16 | SrcStyle::Fp16, false) => Ok(self),
            (true, SrcStyle::Tf32, true) => Err(Fault::undefined(
                "a move of TF32 to the low halves of Dst rows; set ALU_FORMAT_SPEC_REG0_SrcA to \
                 BF16",
            )),
            (true, _, false) => Err(Fault::undefined(
                "a move to 16-bit rows of a 32-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to TF32, \
                 which moves BF16 exactly",
            )),
            (false, _, true) => Err(no_low_halves()),
            (false, SrcStyle::Tf32, _) => Err(Fault::undefined(
                "a move of TF32 to a 16-bit Dst; \
                 set ALU_FORMAT_SPEC_REG0_SrcA to BF16",
            )),
        }
    }

    /// Checks that a move from Dst has a defined result.
    pub fn for_reading_dst(self) -> Result<Move, Fault> {
        match (self.wide, self.style) {
            (true, _) => Ok(self),
            (false, _) if self.low => Err(no_low_halves()),
            (false, SrcStyle::Bf16 | SrcStyle::Fp16) => Ok(self),
            (false, SrcStyle::Tf32) => Err(Fault::undefined(
                "a move of TF32 from a 16-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to BF16",
            )),
        }
    }

    /// Returns the bits of SrcB that the target may not have ([`DisputedBits`]).
    pub fn disputed_bits(
        &self,
        unit: &MatrixUnit,
        thread: usize,
    ) -> Result<Option<DisputedBits>, Fault> {
        // Of low halves in the layout of FP16, ttsim has no model that could contradict the page.
        match (self.low, self.style) {
            (true, SrcStyle::Fp16) => Ok(None),
            (_, style) => DisputedBits::read((unit.config, unit.banks), thread, style).map(Some),
        }
    }

    fn store(
        &self,
        skipped: SkippedColumns,
        mut rows: DstRows,
        row: usize,
        datums: Row,
    ) -> Result<(), Fault> {
        let datums = datums.map(|x| {
            if self.flush && x & SRC_EXPONENT == 0 {
                0
            } else {
                x
            }
        });
        let half = match self.style {
            SrcStyle::Fp16 => bits::dst16_from_src_exp5,
            _ => bits::dst16_from_src_exp8,
        };
        if self.low {
            let held = rows.read32(row)?;
            let low = |column: usize| held[column] & 0xFFFF_0000 | u32::from(half(datums[column]));
            skipped.write_dst32(&mut rows, row, std::array::from_fn(low))
        } else if self.wide {
            let datums = datums.map(bits::dst32_from_src_tf32);
            skipped.write_dst32(&mut rows, row, datums)
        } else {
            skipped.write_dst16(&mut rows, row, datums.map(half))
        }
    }

    fn load(&self, mut rows: DstRows, row: usize) -> Result<Row, Fault> {
        let half = match self.style {
            SrcStyle::Fp16 => bits::src_from_dst_fp16,
            _ => bits::src_from_dst_bf16,
        };
        if !self.wide {
            return Ok(rows.read16(row)?.map(half));
        }
        let datums = rows.read32(row)?;
        Ok(match (self.style, self.low) {
            (SrcStyle::Tf32, false) => datums.map(bits::src_from_dst_fp32),
            (SrcStyle::Tf32, true) => datums.map(|x| bits::src_from_dst_low(x as u16)),
            (_, low) => datums.map(|x| half(if low { x } else { x >> 16 } as u16)),
        })
    }
}

/// Returns the format of a move between a source and Dst.
fn format((config, banks): (&Config, &Banks), thread: usize, which: Src) -> Result<Format, Fault> {
    let disabled = [Src::A, Src::B].map(|src| config.thread(thread, implied_disable(src)));
    if which == Src::B && disabled[0] != disabled[1] {
        return Err(Fault::unmodelled(format!(
            "a move between SrcB and Dst with DISABLE_IMPLIED_SRCA_FMT_Base = {} and \
             DISABLE_IMPLIED_SRCB_FMT_Base = {}, of which the sources do not agree which one \
             counts; set both or none",
            disabled[0], disabled[1]
        )));
    }
    let implied = implied_format((config, banks), thread, which)?;
    Ok(implied.unwrap_or_else(|| configured_format(config, thread)))
}

/// Returns whether moves of a thread replace datums with a zero exponent by zero.
pub(super) fn flushes(config: &Config, thread: usize) -> bool {
    config.get(thread, cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src) == 0
}

fn no_low_halves() -> Fault {
    Fault::undefined("a move of low halves (dest_32b_lo = 1) with a 16-bit Dst, which has none")
}

fn source_row(unit: &MatrixUnit, which: Src, row: usize) -> Result<Row, Fault> {
    unit.src(which)
        .row(unit.banks.matrix_bank(which), row)
        .copied()
}

/// Returns the first Src row of an instruction.
pub(super) fn src_row(counter: u32, immediate: u32) -> usize {
    ((counter + immediate) & 0x3F) as usize
}

pub(super) fn mova2d(i: &Mova2d, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let rows = rows_moved(i.instr_mod, 8)?;
    arrange_dst(unit.dst, unit.config, thread);
    let mv = Move::read(unit, thread, Src::A, i.dest_32b_lo)?.for_writing_dst()?;
    let skipped = SkippedColumns::read(unit.vector, unit.access);
    let from = aligned("SrcA", src_row(unit.rwcs[thread].src_a.value, i.src), rows)?;
    let to = aligned("Dst", dst_row(unit.config, unit.rwcs, thread, i.dst), rows)?;
    *unit.last_src_a_row = Some(from);
    for r in 0..rows {
        let datums = source_row(unit, Src::A, from + r)?;
        mv.store(skipped, unit.dst_rows(), to + r, datums)?;
    }
    unit.apply_addr_mod(thread, i.addr_mode)
}

pub(super) fn movb2d(i: &Movb2d, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let (column, row_to_8) = (i.instr_mod & 1 != 0, i.instr_mod & 2 != 0);
    let rows = match (row_to_8, i.instr_mod & 4 != 0) {
        (true, _) => 8,
        (false, true) => 4,
        (false, false) => 1,
    };
    arrange_dst(unit.dst, unit.config, thread);
    let mv = Move::read(unit, thread, Src::B, i.dest_32b_lo)?.for_writing_dst()?;
    let skipped = SkippedColumns::read(unit.vector, unit.access);
    let from = src_row(unit.rwcs[thread].src_b.value, i.src);
    let from = if row_to_8 {
        from
    } else {
        aligned("SrcB", from, rows)?
    };
    let to = aligned("Dst", dst_row(unit.config, unit.rwcs, thread, i.dst), rows)?;
    let disputed = mv.disputed_bits(unit, thread)?;
    *unit.last_src_a_row = None;
    for r in 0..rows {
        let datums = source_row(unit, Src::B, if row_to_8 { from } else { from + r })?;
        if let Some(disputed) = &disputed {
            disputed.refuse(&datums)?;
        }
        mv.store(
            skipped,
            unit.dst_rows(),
            to + r,
            if column { [datums[0]; 16] } else { datums },
        )?;
    }
    unit.apply_addr_mod(thread, i.addr_mode)
}

pub(super) fn movd2a(i: &Movd2a, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let to = src_row(unit.rwcs[thread].src_a.value, i.src);
    from_dst(
        (Src::A, to),
        (i.dst, i.dest_32b_lo),
        i.instr_mod,
        thread,
        unit,
    )?;
    unit.apply_addr_mod(thread, i.addr_mode)
}

pub(super) fn movd2b(i: &Movd2b, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    let to = src_row(unit.rwcs[thread].src_b.value, i.src);
    from_dst(
        (Src::B, to),
        (i.dst, i.dest_32b_lo),
        i.instr_mod,
        thread,
        unit,
    )?;
    unit.apply_addr_mod(thread, i.addr_mode)
}

/// Returns the bank that a move writes; the hardware does not wait for it.
pub(super) fn matrix_bank(banks: &Banks, which: Src) -> Result<usize, Fault> {
    if banks.matrix_may_read(which) {
        return Ok(banks.matrix_bank(which));
    }
    Err(Fault::hazard(format!(
        "writes a bank of Src{which:?} that the unpacker has; STALLWAIT for the bank before the \
         move"
    )))
}

fn from_dst(
    (which, to): (Src, usize),
    (dst, low): (u32, u32),
    instr_mod: u32,
    thread: usize,
    unit: &mut MatrixUnit,
) -> Result<(), Fault> {
    arrange_dst(unit.dst, unit.config, thread);
    let mv = Move::read(unit, thread, which, low)?.for_reading_dst()?;
    let skipped = SkippedColumns::read(unit.vector, unit.access);
    let from = dst_row(unit.config, unit.rwcs, thread, dst);
    let rows = rows_moved(instr_mod, 4)?;
    let (from, to) = (aligned("Dst", from, rows)?, aligned("Src", to, rows)?);
    let bank = matrix_bank(unit.banks, which)?;
    *unit.last_src_a_row = (which == Src::A).then_some(to);
    for r in 0..rows {
        let datums = mv.load(unit.dst_rows(), from + r)?;
        skipped.write_src(unit.src_mut(which), (bank, to + r), datums);
    }
    Ok(())
}

/// Returns the number of rows: bit 1 of `instr_mod` selects one row or `many`, bit 0 is ignored.
pub(super) fn rows_moved(instr_mod: u32, many: usize) -> Result<usize, Fault> {
    match instr_mod {
        0 => Ok(1),
        2 => Ok(many),
        other => Err(Fault::undefined(format!(
            "instr_mod = {other}; 0 moves one row, 2 moves {many}"
        ))),
    }
}
