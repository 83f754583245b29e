//! GMPOOL: the maximum of each column of sixteen SrcA rows and of a row of Dst. (GAPOOL, the sum, is in `multiply`.)
//!
//! A datum of SrcA counts times two to the exponent of the datum of SrcB for its row; with 1.0 there, as it is. Where SrcB is zero, the row
//! does not count. The comparison is one of sign and magnitude; of −0 and +0 the later one stays.

use tessera_isa_tensix::table::Gmpool;

use super::setup::{aligned, Setup};
use super::{apply_addr_mod, handover};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::numerics::fpu::SrcStyle;
use crate::regs::{Row, Row32, COLUMNS};
use crate::trap::Fault;

/// Rows of Dst written: the first gets the maximum, the others zero.
const ROWS: usize = 4;

/// What a row reads as that ZEROACC has marked: less than anything.
const MARKED: u32 = u32::MAX;

/// What is compared: a sign, the exponents of both factors added, ten bits of mantissa.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Datum {
    sign: u32,
    exponent: u32,
    mantissa: u32,
}

/// What a row that does not count has.
const LEAST: Datum = Datum {
    sign: 1,
    exponent: 0x1FF,
    mantissa: 0x3FF,
};

impl Datum {
    fn key(self) -> i32 {
        let magnitude = (self.exponent << 10 | self.mantissa) as i32;
        if self.sign == 0 {
            magnitude
        } else {
            -magnitude
        }
    }

    /// A datum of Dst, as if it had been multiplied by one.
    fn of_dst(raw: u32, style: SrcStyle, wide: bool) -> Datum {
        let sign = raw >> 31;
        match style {
            SrcStyle::Fp16 if !wide => Datum {
                sign,
                exponent: (raw >> 16 & 0x1F) + 15,
                mantissa: raw >> 21 & 0x3FF,
            },
            _ => Datum {
                sign,
                exponent: (raw >> 16 & 0xFF) + 127,
                mantissa: (raw >> 24 & 0x7F) << 3 | if wide { raw >> 13 & 7 } else { 0 },
            },
        }
    }

    /// A datum of SrcA with the scale of SrcB.
    fn of_src(a: u32, b: u32, style: SrcStyle) -> Datum {
        let (a_exponent, b_exponent) = (a & 0xFF, b & 0xFF);
        if b_exponent == 0 {
            return LEAST;
        }
        if a_exponent == 0 {
            return Datum {
                sign: 0,
                exponent: 0,
                mantissa: 0,
            };
        }
        let mantissa = a >> 8 & 0x3FF;
        Datum {
            sign: a >> 18,
            exponent: match style {
                SrcStyle::Fp16 => (a_exponent & 0x1F) + (b_exponent & 0x1F),
                _ => a_exponent + b_exponent,
            },
            mantissa: match style {
                SrcStyle::Bf16 => mantissa & 0x3F8,
                _ => mantissa,
            },
        }
    }

    /// What it is in Dst.
    fn to_dst(self, style: SrcStyle, wide: bool) -> u32 {
        let sign = self.sign << 31;
        match style {
            SrcStyle::Fp16 if !wide => match self.exponent & 0x3F {
                0 => 0,
                exponent => sign | self.mantissa << 21 | (exponent.wrapping_sub(15) & 0x1F) << 16,
            },
            _ if self.exponent == 0 => 0,
            _ => {
                let exponent = self.exponent.wrapping_sub(127) & 0xFF;
                let low = if wide { (self.mantissa & 7) << 13 } else { 0 };
                sign | (self.mantissa & 0x3F8) << 21 | exponent << 16 | low
            }
        }
    }
}

pub(super) fn gmpool(i: &Gmpool, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if i.max_pool_index_en != 0 {
        return Err(Fault::unmodelled(
            "GMPOOL with indices of the maxima (max_pool_index_en = 1)",
        ));
    }
    if i.instr_mod19 == 0 {
        return Err(Fault::undefined(
            "GMPOOL with instr_mod19 = 0; the documentation has 1",
        ));
    }
    let setup = Setup::read(core, thread, i.dst, ROWS)?;
    let (style, wide) = (setup.mode.style, setup.mode.dst32);
    let rwc = core.regs.rwcs[thread];
    let a_row = aligned("SrcA", rwc.src_a.value as usize, COLUMNS)?;
    let b_row = aligned("SrcB", rwc.src_b.value as usize, 8)?;
    let scales = setup.source(core, Src::B, b_row, 1)?[0];
    let held: Row = match wide {
        true => core.read_dst32(setup.dst_row)?,
        false => core.read_dst16(setup.dst_row)?.map(|x| u32::from(x) << 16),
    };
    let first = match wide {
        true => Row32::new(setup.dst_row).halves()[0],
        false => setup.dst_row,
    };
    let held = match core.regs.dst.is_marked(first) {
        true => [MARKED; COLUMNS],
        false => held,
    };
    let rows = setup.source(core, Src::A, a_row, COLUMNS)?;
    let greatest: Row = std::array::from_fn(|column| {
        let mut greatest = Datum::of_dst(held[column], style, wide);
        for (row, scale) in rows.iter().zip(scales) {
            let one = Datum::of_src(row[column], scale, style);
            if one.key() >= greatest.key() {
                greatest = one;
            }
        }
        greatest.to_dst(style, wide)
    });
    for row in 0..ROWS {
        let datums = if row == 0 { greatest } else { [0; COLUMNS] };
        match wide {
            true => core.write_dst32(setup.dst_row + row, datums),
            false => core.write_dst16(setup.dst_row + row, datums.map(|x| (x >> 16) as u16)),
        }
    }
    handover::flip(core, thread, i.clear_dvalid)?;
    apply_addr_mod(core, thread, i.addr_mode, true);
    Ok(())
}
