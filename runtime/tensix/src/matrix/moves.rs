//! Moves between Src and Dst, which change the layout and sometimes drop bits, but never round.
//!
//! Not modelled: access to the low halves of 32-bit Dst rows (`dest_32b_lo`), and mixing: a move that would touch 16-bit
//! rows of a 32-bit Dst, as MOVA2D and MOVB2D do unless SrcA's format is TF32, is refused.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Mova2d, Movb2d, Movd2a, Movd2b};

use super::apply_addr_mod;
use super::setup::{aligned, refuse_integers_and_overrides};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::formats::{dst_is_32bit, dst_row, Format};
use crate::numerics::bits::{self, SRC_EXPONENT};
use crate::numerics::fpu::SrcStyle;
use crate::regs::Row;
use crate::trap::Fault;

/// What every move reads from the configuration.
struct Move {
    style: SrcStyle,
    wide: bool,
    /// Datums with a zero exponent become zero on the way to Dst.
    flush: bool,
}

impl Move {
    /// SrcA's format is used for SrcB, too: so says the documentation, explicitly.
    fn read(core: &CoreState, thread: usize, dest_32b_lo: u32) -> Result<Move, Fault> {
        if dest_32b_lo != 0 {
            return Err(Fault::unmodelled(
                "moves of the low halves of 32-bit Dst rows (dest_32b_lo = 1)",
            ));
        }
        refuse_integers_and_overrides(core, thread)?;
        let format = Format::read(core, thread, cfg::ALU_FORMAT_SPEC_REG0_SrcA);
        Ok(Move {
            style: format.style()?,
            wide: dst_is_32bit(core, thread)?,
            flush: core
                .config
                .get(thread, cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src)
                == 0,
        })
    }

    /// Checks that a move to Dst writes the rows that Dst has.
    fn for_writing_dst(self) -> Result<Move, Fault> {
        match (self.wide, self.style) {
            (true, SrcStyle::Tf32) | (false, SrcStyle::Bf16 | SrcStyle::Fp16) => Ok(self),
            (true, _) => Err(Fault::undefined(
                "a move to 16-bit rows of a 32-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to TF32, which moves BF16 exactly",
            )),
            (false, _) => Err(Fault::undefined("a move of TF32 to a 16-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to BF16")),
        }
    }

    /// Checks that a move from Dst has a defined result.
    fn for_reading_dst(self) -> Result<Move, Fault> {
        match (self.wide, self.style) {
            (true, SrcStyle::Bf16 | SrcStyle::Tf32) | (false, SrcStyle::Bf16 | SrcStyle::Fp16) => {
                Ok(self)
            }
            (true, _) => Err(Fault::unmodelled("a move of FP16 from a 32-bit Dst")),
            (false, _) => Err(Fault::undefined(
                "a move of TF32 from a 16-bit Dst; set ALU_FORMAT_SPEC_REG0_SrcA to BF16",
            )),
        }
    }

    fn store(&self, core: &mut CoreState, row: usize, datums: Row) {
        let datums = datums.map(|x| {
            if self.flush && x & SRC_EXPONENT == 0 {
                0
            } else {
                x
            }
        });
        match (self.wide, self.style) {
            (true, _) => core.write_dst32(row, datums.map(bits::dst32_from_src_tf32)),
            (false, SrcStyle::Fp16) => core.write_dst16(row, datums.map(bits::dst16_from_src_exp5)),
            (false, _) => core.write_dst16(row, datums.map(bits::dst16_from_src_exp8)),
        }
    }

    fn load(&self, core: &mut CoreState, row: usize) -> Result<Row, Fault> {
        let high = |x: u32| bits::src_from_dst_bf16((x >> 16) as u16);
        Ok(match (self.wide, self.style) {
            (true, SrcStyle::Tf32) => core.read_dst32(row)?.map(bits::src_from_dst_fp32),
            (true, _) => core.read_dst32(row)?.map(high),
            (false, SrcStyle::Fp16) => core.read_dst16(row)?.map(bits::src_from_dst_fp16),
            (false, _) => core.read_dst16(row)?.map(bits::src_from_dst_bf16),
        })
    }
}

fn source_row(core: &CoreState, which: Src, row: usize) -> Result<Row, Fault> {
    core.regs
        .src(which)
        .row(core.banks.matrix_bank(which), row)
        .copied()
}

/// The Src row that an instruction starts from.
pub(super) fn src_row(counter: u32, immediate: u32) -> usize {
    ((counter + immediate) & 0x3F) as usize
}

pub(super) fn mova2d(i: &Mova2d, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let rows = rows_moved(i.instr_mod, 8)?;
    let mv = Move::read(core, thread, i.dest_32b_lo)?.for_writing_dst()?;
    let from = aligned(
        "SrcA",
        src_row(core.regs.rwcs[thread].src_a.value, i.src),
        rows,
    )?;
    let to = aligned("Dst", dst_row(core, thread, i.dst), rows)?;
    for r in 0..rows {
        let datums = source_row(core, Src::A, from + r)?;
        mv.store(core, to + r, datums);
    }
    apply_addr_mod(core, thread, i.addr_mode, true);
    Ok(())
}

pub(super) fn movb2d(i: &Movb2d, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let (column, row_to_8) = (i.instr_mod & 1 != 0, i.instr_mod & 2 != 0);
    let rows = match (row_to_8, i.instr_mod & 4 != 0) {
        (true, _) => 8,
        (false, true) => 4,
        (false, false) => 1,
    };
    let mv = Move::read(core, thread, i.dest_32b_lo)?.for_writing_dst()?;
    let from = src_row(core.regs.rwcs[thread].src_b.value, i.src);
    let from = if row_to_8 {
        from
    } else {
        aligned("SrcB", from, rows)?
    };
    let to = aligned("Dst", dst_row(core, thread, i.dst), rows)?;
    for r in 0..rows {
        let datums = source_row(core, Src::B, if row_to_8 { from } else { from + r })?;
        mv.store(core, to + r, if column { [datums[0]; 16] } else { datums });
    }
    apply_addr_mod(core, thread, i.addr_mode, true);
    Ok(())
}

pub(super) fn movd2a(i: &Movd2a, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let counter = core.regs.rwcs[thread].src_a.value;
    let mv = Move::read(core, thread, i.dest_32b_lo)?.for_reading_dst()?;
    from_dst(
        &mv,
        Src::A,
        i.instr_mod,
        src_row(counter, i.src),
        dst_row(core, thread, i.dst),
        core,
    )?;
    apply_addr_mod(core, thread, i.addr_mode, true);
    Ok(())
}

pub(super) fn movd2b(i: &Movd2b, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let counter = core.regs.rwcs[thread].src_b.value;
    let mv = Move::read(core, thread, i.dest_32b_lo)?.for_reading_dst()?;
    from_dst(
        &mv,
        Src::B,
        i.instr_mod,
        src_row(counter, i.src),
        dst_row(core, thread, i.dst),
        core,
    )?;
    apply_addr_mod(core, thread, i.addr_mode, true);
    Ok(())
}

/// The bank that a move writes. The hardware does not wait for it.
pub(super) fn matrix_bank(core: &CoreState, which: Src) -> Result<usize, Fault> {
    if core.banks.matrix_may_read(which) {
        return Ok(core.banks.matrix_bank(which));
    }
    Err(Fault::hazard(format!(
        "writes a bank of Src{which:?} that the unpacker has; STALLWAIT for the bank before the move"
    )))
}

fn from_dst(
    mv: &Move,
    which: Src,
    instr_mod: u32,
    to: usize,
    from: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let rows = rows_moved(instr_mod, 4)?;
    let (from, to) = (aligned("Dst", from, rows)?, aligned("Src", to, rows)?);
    let bank = matrix_bank(core, which)?;
    for r in 0..rows {
        let datums = mv.load(core, from + r)?;
        core.regs.src_mut(which).write_row(bank, to + r, datums);
    }
    Ok(())
}

/// Bit 1 of `instr_mod` chooses between one row and `many`; bit 0 means nothing.
pub(super) fn rows_moved(instr_mod: u32, many: usize) -> Result<usize, Fault> {
    match instr_mod {
        0 => Ok(1),
        2 => Ok(many),
        other => Err(Fault::undefined(format!(
            "instr_mod = {other}; 0 moves one row, 2 moves {many}"
        ))),
    }
}
