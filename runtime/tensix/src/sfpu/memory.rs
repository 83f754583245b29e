//! SFPLOAD and SFPSTORE: 32 datums between the even or odd columns of four Dst rows and an LReg.
//!
//! Lane `l` goes with row `l / 8` and column `2·(l mod 8)`, plus one if bit 1 of the address is set; bit 0 means nothing.
//! Modelled: FP32 and INT32 for a 32-bit Dst; BF16 and FP16 for a 16-bit Dst. ZEROACC'd rows must not be read, nor partly written.
//!
//! A store of a denormal in FP32 traps: by the documentation it keeps its value, in ttsim it becomes zero. Both keep every
//! bit of what is stored in INT32 (mode 4), so that is how data of any origin is stored. What SFPMAD, SFPADD and SFPMUL
//! give is never denormal, nor is what the matrix unit leaves in Dst unless ALU_ACC_CTRL_Zero_Flag_disabled_src is set:
//! kernels that store that can use either mode.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Sfpload, Sfpstore};

use super::{mode_fault, read, write, LANES};
use crate::core_state::CoreState;
use crate::formats::{dst_is_32bit, dst_row, Format};
use crate::matrix::apply_addr_mod;
use crate::numerics::fpu::SrcStyle;
use crate::numerics::{bits, sfpu};
use crate::regs::Row32;
use crate::trap::Fault;

/// How datums lie in Dst.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Datum {
    Fp32,
    /// 32 bits as they are.
    Int32,
    Bf16,
    Fp16,
}

impl Datum {
    fn is_wide(self) -> bool {
        matches!(self, Datum::Fp32 | Datum::Int32)
    }
}

/// Resolves `instr_mod0` and checks it against the width of Dst.
fn datum(core: &CoreState, thread: usize, mnemonic: &str, mode: u32) -> Result<Datum, Fault> {
    let wide = dst_is_32bit(core, thread)?;
    let datum = match mode {
        0 if wide => Datum::Fp32,
        0 => match Format::read(core, thread, cfg::ALU_FORMAT_SPEC_REG1_SrcB).style()? {
            SrcStyle::Fp16 => Datum::Fp16,
            _ => Datum::Bf16,
        },
        1 => Datum::Fp16,
        2 => Datum::Bf16,
        3 => Datum::Fp32,
        4 => Datum::Int32,
        other => {
            return Err(mode_fault(
                mnemonic,
                other,
                "0 (by configuration), 1 (FP16), 2 (BF16), 3 (FP32), 4 (INT32)",
            ))
        }
    };
    if datum.is_wide() != wide {
        let width = if wide { 32 } else { 16 };
        return Err(Fault::undefined(format!(
            "{mnemonic} in mode {mode} on a {width}-bit Dst; use mode 0 or the one that fits"
        )));
    }
    Ok(datum)
}

/// The four rows and the first column.
struct Place {
    row: usize,
    column: usize,
}

impl Place {
    fn new(core: &CoreState, thread: usize, immediate: u32) -> Place {
        let address = dst_row(core, thread, immediate);
        Place {
            row: address & !3,
            column: address >> 1 & 1,
        }
    }

    fn of(&self, lane: usize) -> (usize, usize) {
        (self.row + lane / 8, self.column + 2 * (lane % 8))
    }

    /// The 16-bit rows touched.
    fn rows(&self, datum: Datum) -> impl Iterator<Item = usize> {
        (self.row..self.row + 4).flat_map(move |row| match datum {
            _ if datum.is_wide() => Row32::new(row).halves(),
            _ => [row; 2],
        })
    }

    fn check_written(&self, core: &CoreState, datum: Datum) -> Result<(), Fault> {
        let dst = &core.regs.dst;
        match self.rows(datum).find(|&row| !dst.holds(row, datum.is_wide())) {
            None => Ok(()),
            Some(row) => Err(Fault::undefined(format!(
                "the vector unit touches Dst row {row} (of 1024), which is cleared, was never written or holds datums of another width; move data there first"
            ))),
        }
    }
}

pub(super) fn load(i: &Sfpload, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let datum = datum(core, thread, "SFPLOAD", i.instr_mod0)?;
    let place = Place::new(core, thread, i.dest_reg_addr);
    place.check_written(core, datum)?;
    core.access.dst_read.extend(place.rows(datum));
    let dst = &core.regs.dst;
    let mut values = [0; LANES];
    for (lane, value) in values.iter_mut().enumerate() {
        let (row, column) = place.of(lane);
        *value = match datum {
            Datum::Fp32 | Datum::Int32 => bits::fp32_from_dst(dst.row32(Row32::new(row))?[column]),
            Datum::Bf16 => u32::from(bits::bf16_from_dst(dst.row16(row)?[column])) << 16,
            Datum::Fp16 => sfpu::load_fp16(bits::fp16_from_dst(dst.row16(row)?[column])),
        };
    }
    let lanes = core.regs.vector.enabled();
    write(core, i.lreg_ind, lanes, values)?;
    apply_addr_mod(core, thread, i.sfpu_addr_mode, false);
    Ok(())
}

pub(super) fn store(i: &Sfpstore, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if i.lreg_ind >= 12 {
        return Err(Fault::unmodelled(format!(
            "SFPSTORE of LReg {}; 0 to 11 can be stored",
            i.lreg_ind
        )));
    }
    let datum = datum(core, thread, "SFPSTORE", i.instr_mod0)?;
    let place = Place::new(core, thread, i.dest_reg_addr);
    place.check_written(core, datum)?;
    core.access.dst_write.extend(place.rows(datum));
    let lanes = core.regs.vector.enabled();
    let values = read(core, i.lreg_ind, lanes)?;
    let dst = &mut core.regs.dst;
    for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
        let ((row, column), value) = (place.of(lane), values[lane]);
        match datum {
            Datum::Fp32 if sfpu::flush_denormal(value) != value => {
                return Err(Fault::unmodelled(format!(
                    "SFPSTORE of the denormal {value:#010x} in FP32, on whose fate the sources disagree; flush it before, or store it in mode 4, which keeps it"
                )))
            }
            Datum::Fp32 | Datum::Int32 => {
                dst.write32(Row32::new(row), column, bits::dst_from_fp32(value))
            }
            Datum::Bf16 => dst.write16(row, column, bits::dst_from_bf16(sfpu::store_bf16(value))),
            Datum::Fp16 => dst.write16(row, column, bits::dst_from_fp16(sfpu::store_fp16(value))),
        }
    }
    apply_addr_mod(core, thread, i.sfpu_addr_mode, false);
    Ok(())
}
