//! SFPLOAD and SFPSTORE: 32 datums between the even or odd columns of four Dst rows and an LReg.
//!
//! Lane `l` goes with row `l / 8` and column `2·(l mod 8)`, plus one if bit 1 of the address is set; bit 0 means nothing.
//! A mode goes with a Dst of 32 or of 16 bits; on the other it traps. ZEROACC'd rows must not be read, nor partly written.
//!
//! A store of a denormal in FP32 traps: by the documentation it keeps its value, in ttsim it becomes zero. Both keep every
//! bit of what is stored in INT32 (mode 4), so that is how data of any origin is stored. What SFPMAD, SFPADD and SFPMUL
//! give is never denormal, nor is what the matrix unit leaves in Dst unless ALU_ACC_CTRL_Zero_Flag_disabled_src is set:
//! kernels that store that can use either mode.

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Sfpload, Sfpstore};

use super::{read, write, Lanes, LANES};
use crate::core_state::CoreState;
use crate::formats::{dst_is_32bit, dst_row, Format};
use crate::matrix::apply_addr_mod;
use crate::numerics::fpu::SrcStyle;
use crate::numerics::{bits, sfpu};
use crate::regs::Row32;
use crate::trap::Fault;

/// Rows of Dst that a vector goes with, and columns of each.
const ROWS: usize = 4;
const COLUMNS: usize = 8;

/// How datums lie in Dst, and what they are in an LReg.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Datum {
    Fp16,
    Bf16,
    Fp32,
    /// 32 bits as they are.
    Int32,
    /// The same in all lanes, enabled or not, from few addresses.
    Int32All,
    /// Sign and magnitude in Dst, two's complement in the LReg.
    Int32Complement,
    /// Sign and magnitude in both, of 8 and of 16 bits in Dst.
    Int8,
    Int16,
    /// As `Int8`, two's complement in the LReg.
    Int8Complement,
    /// Sixteen bits as they are.
    Uint16,
    /// Sixteen bits that are one half of the LReg; a store takes all of it, and Dst has 32 bits.
    Low16,
    High16,
    /// Sixteen bits that are one half of the LReg, whose other half stays.
    Low16Only,
    High16Only,
    Zero,
}

/// The datums of the modes from 3 on.
const MODES: [Datum; 13] = [
    Datum::Fp32,
    Datum::Int32,
    Datum::Int8,
    Datum::Uint16,
    Datum::High16,
    Datum::Int16,
    Datum::Low16,
    Datum::Int32All,
    Datum::Zero,
    Datum::Int32Complement,
    Datum::Int8Complement,
    Datum::Low16Only,
    Datum::High16Only,
];

/// Which way datums go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Load,
    Store,
}

impl Datum {
    /// Whether it has 32 bits in Dst.
    fn is_wide(self, way: Way) -> bool {
        match self {
            Datum::Fp32 | Datum::Int32 | Datum::Int32All | Datum::Int32Complement => true,
            Datum::Low16 | Datum::High16 => way == Way::Store,
            _ => false,
        }
    }
}

/// Resolves `instr_mod0` and checks it against the width of Dst.
fn datum(core: &CoreState, thread: usize, way: Way, mode: u32) -> Result<Datum, Fault> {
    let wide = dst_is_32bit(core, thread)?;
    let datum = match mode {
        0 if core.config.get(thread, cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0 => Datum::Fp32,
        0 => match Format::read(core, thread, cfg::ALU_FORMAT_SPEC_REG1_SrcB).style()? {
            SrcStyle::Fp16 => Datum::Fp16,
            _ => Datum::Bf16,
        },
        1 => Datum::Fp16,
        2 => Datum::Bf16,
        mode => MODES[mode as usize - 3],
    };
    let touches = way == Way::Store || datum != Datum::Zero;
    if touches && datum.is_wide(way) != wide {
        let width = if wide { 32 } else { 16 };
        let mnemonic = match way {
            Way::Load => "SFPLOAD",
            Way::Store => "SFPSTORE",
        };
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
    wide: bool,
}

impl Place {
    fn new(core: &CoreState, thread: usize, immediate: u32, datum: Datum, way: Way) -> Place {
        let address = match datum {
            Datum::Int32All => {
                let fixed = core
                    .config
                    .thread(thread, cfg::DEST_TARGET_REG_CFG_MATH_Offset);
                let moving = dst_row(core, thread, 0).wrapping_sub(fixed as usize) & 3;
                (immediate as usize + fixed as usize + moving) & 0x3FF
            }
            _ => dst_row(core, thread, immediate),
        };
        Place {
            row: address & !3,
            column: address >> 1 & 1,
            wide: datum.is_wide(way),
        }
    }

    /// The 16-bit rows touched.
    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let wide = self.wide;
        (self.row..self.row + 4).flat_map(move |row| match wide {
            true => Row32::new(row).halves(),
            false => [row; 2],
        })
    }

    fn check_written(&self, core: &CoreState) -> Result<(), Fault> {
        let dst = &core.regs.dst;
        match self.rows().find(|&row| !dst.holds(row, self.wide)) {
            None => Ok(()),
            Some(row) => Err(Fault::undefined(format!(
                "the vector unit touches Dst row {row} (of 1024), which is cleared, was never written or holds datums of another width; move data there first"
            ))),
        }
    }
}

/// The lanes an instruction works on.
fn lanes(core: &CoreState, datum: Datum) -> u32 {
    match datum {
        Datum::Int32All => u32::MAX,
        _ => core.regs.vector.enabled(),
    }
}

pub(super) fn load(i: &Sfpload, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    let datum = datum(core, thread, Way::Load, i.instr_mod0)?;
    let lanes = lanes(core, datum);
    let values = match datum {
        Datum::Zero => [0; LANES],
        _ => loaded(i, thread, core, datum)?,
    };
    let values = match datum {
        Datum::Low16Only | Datum::High16Only => {
            let kept = if datum == Datum::Low16Only {
                0xFFFF_0000
            } else {
                0xFFFF
            };
            let own = read(core, i.lreg_ind, lanes)?;
            std::array::from_fn(|lane| own[lane] & kept | values[lane])
        }
        _ => values,
    };
    write(core, i.lreg_ind, lanes, values)?;
    apply_addr_mod(core, thread, i.sfpu_addr_mode, false)
}

/// What Dst holds, as the LReg gets it.
fn loaded(i: &Sfpload, thread: usize, core: &mut CoreState, datum: Datum) -> Result<Lanes, Fault> {
    let place = Place::new(core, thread, i.dest_reg_addr, datum, Way::Load);
    place.check_written(core)?;
    core.access.dst_read.extend(place.rows());
    let dst = &core.regs.dst;
    let mut values = [0; LANES];
    for (row, values) in (place.row..).zip(values.chunks_exact_mut(COLUMNS)) {
        if place.wide {
            let datums = dst.row32(Row32::new(row))?;
            let bits = |k: usize| bits::fp32_from_dst(datums[place.column + 2 * k]);
            values
                .iter_mut()
                .enumerate()
                .for_each(|(k, value)| *value = bits(k));
        } else {
            let datums = dst.row16(row)?;
            let datum = |k: usize| narrow(datum, datums[place.column + 2 * k]);
            values
                .iter_mut()
                .enumerate()
                .for_each(|(k, value)| *value = datum(k));
        }
    }
    Ok(match datum {
        Datum::Int32Complement => values.map(sfpu::twos_complement),
        _ => values,
    })
}

/// What the LReg gets of sixteen bits of Dst.
fn narrow(datum: Datum, raw: u16) -> u32 {
    let sign = u32::from(raw >> 15) << 31;
    let bits = u32::from(raw);
    match datum {
        Datum::Fp16 => sfpu::load_fp16(bits::fp16_from_dst(raw)),
        Datum::Bf16 => u32::from(bits::bf16_from_dst(raw)) << 16,
        Datum::Int8 => sign | bits >> 5 & 0x7F,
        Datum::Int8Complement => sfpu::twos_complement(sign | bits >> 5 & 0x3FF),
        Datum::Int16 => sign | bits & 0x7FFF,
        Datum::High16 | Datum::High16Only => bits << 16,
        _ => bits,
    }
}

pub(super) fn store(i: &Sfpstore, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if i.lreg_ind >= 12 {
        return Err(Fault::unmodelled(format!(
            "SFPSTORE of LReg {}; 0 to 11 can be stored",
            i.lreg_ind
        )));
    }
    let datum = datum(core, thread, Way::Store, i.instr_mod0)?;
    let place = Place::new(core, thread, i.dest_reg_addr, datum, Way::Store);
    place.check_written(core)?;
    core.access.dst_write.extend(place.rows());
    let lanes = lanes(core, datum);
    let values = match datum {
        Datum::Zero => [0; LANES],
        _ => read(core, i.lreg_ind, lanes)?,
    };
    check_storable(datum, lanes, &values)?;
    let dst = &mut core.regs.dst;
    for (k, row) in (place.row..place.row + ROWS).enumerate() {
        let lanes = (k * COLUMNS..(k + 1) * COLUMNS).filter(|lane| lanes >> lane & 1 != 0);
        let column = |lane: usize| place.column + 2 * (lane % COLUMNS);
        if place.wide {
            let mut datums = dst.row32(Row32::new(row))?;
            lanes.for_each(|lane| datums[column(lane)] = stored_wide(datum, values[lane]));
            dst.write_row32(Row32::new(row), datums);
        } else {
            let mut datums = dst.row16(row)?;
            lanes.for_each(|lane| datums[column(lane)] = stored_narrow(datum, values[lane]));
            dst.write_row16(row, datums);
        }
    }
    apply_addr_mod(core, thread, i.sfpu_addr_mode, false)
}

/// Refuses to store a denormal in FP32.
fn check_storable(datum: Datum, lanes: u32, values: &Lanes) -> Result<(), Fault> {
    let is_lost = |lane: usize| sfpu::flush_denormal(values[lane]) != values[lane];
    let is_stored = |lane: usize| lanes >> lane & 1 != 0;
    if datum != Datum::Fp32 {
        return Ok(());
    }
    match (0..LANES).find(|&lane| is_stored(lane) && is_lost(lane)) {
        None => Ok(()),
        Some(lane) => Err(Fault::unmodelled(format!(
            "SFPSTORE of the denormal {:#010x} in FP32, on whose fate the sources disagree; flush it before, or store it in mode 4, which keeps it",
            values[lane]
        ))),
    }
}

/// The 32 bits of Dst that a value of an LReg becomes.
fn stored_wide(datum: Datum, value: u32) -> u32 {
    match datum {
        Datum::Int32Complement => bits::dst_from_fp32(sfpu::sign_magnitude(value)),
        // These two are not rearranged.
        Datum::Low16 => value.rotate_left(16),
        Datum::High16 => value,
        _ => bits::dst_from_fp32(value),
    }
}

/// The sixteen bits.
fn stored_narrow(datum: Datum, value: u32) -> u16 {
    /// Integers of eight bits have the exponent of 1.
    const INT8: u16 = 16 << 10;
    let int8 = |x: u32| bits::dst_from_fp16((x >> 31 << 15) as u16 | INT8 | (x & 0x3FF) as u16);
    match datum {
        Datum::Fp16 => bits::dst_from_fp16(sfpu::store_fp16(value)),
        Datum::Bf16 => bits::dst_from_bf16(sfpu::store_bf16(value)),
        Datum::Int8 => int8(value),
        Datum::Int8Complement => int8(sfpu::sign_magnitude(value)),
        Datum::Int16 => (value >> 31 << 15) as u16 | (value & 0x7FFF) as u16,
        Datum::High16Only => (value >> 16) as u16,
        _ => value as u16,
    }
}
