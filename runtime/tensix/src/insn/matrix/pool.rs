//! GMPOOL: the maximum of each column over sixteen SrcA rows and a row of Dst. (GAPOOL, the sum, is
//! in `multiply`.)
//!
//! A float of SrcA is scaled by a power of two: the exponent of the SrcB datum of its row; 1.0
//! leaves it unchanged. Rows with a zero in SrcB are ignored; for integers, SrcB has no other
//! effect. The comparison is by sign and magnitude; of −0 and +0 the later one remains.
//!
//! With indices, a 32-bit Dst also receives the index of the maximum among the first eight rows.
//! The index is scrambled as in hardware and placed above the number of groups of eight pooled so
//! far. For TF32 and integers, Dst receives the index alone. The three rows below hold what the
//! functional model computes; the text calls that "zero or garbage".

use tessera_isa_tensix::table::Gmpool;

use super::handover;
use super::setup::{aligned, Setup};
use super::unit::MatrixUnit;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::{Row, COLUMNS};
use crate::state::banks::Src;
use crate::state::dst_rows::DstRows;
use crate::state::matrix::Arithmetic;
use crate::state::row32::Row32;
use crate::trap::Fault;

/// Rows of Dst that are written: the first gets the maximum, the others zero.
const ROWS: usize = 4;

/// The value of a row marked by ZEROACC: less than any datum.
const MARKED: u32 = u32::MAX;

/// The interpretation of a datum of SrcA.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SrcReading {
    Floats(SrcStyle),
    Integers,
}

/// The form of a maximum in Dst; 16 bits are upper halves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DstFormat {
    Fp16,
    Bf16,
    Tf32,
    /// A sign and 19 bits of magnitude, of which 13 are written.
    Integers,
}

/// A key for comparison: sign, sum of the exponents, ten bits of mantissa. The exponent of an
/// integer is the upper part of its magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Datum {
    sign: u32,
    exponent: u32,
    mantissa: u32,
}

/// The key of an ignored row.
const MINIMUM: Datum = Datum {
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

    /// Converts a datum of Dst, as if it had been multiplied by one.
    fn from_dst(raw: u32, to: DstFormat) -> Datum {
        let sign = raw >> 31;
        match to {
            DstFormat::Fp16 => Datum {
                sign,
                exponent: (raw >> 16 & 0x1F) + 15,
                mantissa: raw >> 21 & 0x3FF,
            },
            DstFormat::Bf16 | DstFormat::Tf32 => Datum {
                sign,
                exponent: (raw >> 16 & 0xFF) + 127,
                mantissa: (raw >> 24 & 0x7F) << 3
                    | if to == DstFormat::Tf32 {
                        raw >> 13 & 7
                    } else {
                        0
                    },
            },
            DstFormat::Integers => Datum {
                sign,
                exponent: raw >> 10 & 0x3F | (raw >> 24 & 7) << 6,
                mantissa: raw & 0x3FF,
            },
        }
    }

    /// Converts a datum of SrcA with the scale of SrcB.
    fn from_src(a: u32, b: u32, from: SrcReading) -> Datum {
        let (a_exponent, b_exponent) = (a & 0xFF, b & 0xFF);
        if b_exponent == 0 {
            return MINIMUM;
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
            exponent: match from {
                SrcReading::Integers => 0,
                SrcReading::Floats(SrcStyle::Fp16) => (a_exponent & 0x1F) + (b_exponent & 0x1F),
                SrcReading::Floats(_) => a_exponent + b_exponent,
            },
            mantissa: match from {
                SrcReading::Floats(SrcStyle::Bf16) => mantissa & 0x3F8,
                _ => mantissa,
            },
        }
    }

    /// Converts a key to a datum of Dst.
    fn to_dst(self, to: DstFormat) -> u32 {
        let sign = self.sign << 31;
        match to {
            DstFormat::Integers => sign | (self.exponent & 7) << 10 | self.mantissa,
            DstFormat::Fp16 => match self.exponent & 0x3F {
                0 => 0,
                exponent => sign | self.mantissa << 21 | (exponent.wrapping_sub(15) & 0x1F) << 16,
            },
            _ if self.exponent == 0 => 0,
            DstFormat::Bf16 | DstFormat::Tf32 => {
                let exponent = self.exponent.wrapping_sub(127) & 0xFF;
                let low = if to == DstFormat::Tf32 {
                    (self.mantissa & 7) << 13
                } else {
                    0
                };
                sign | (self.mantissa & 0x3F8) << 21 | exponent << 16 | low
            }
        }
    }
}

/// The formats of a pooling.
#[derive(Clone, Copy)]
struct Pooling {
    from: SrcReading,
    to: DstFormat,
    wide: bool,
    indices: bool,
}

impl Pooling {
    fn new(arithmetic: Arithmetic, indices: bool) -> Pooling {
        let Arithmetic::Floats(mode) = arithmetic else {
            return Pooling {
                from: SrcReading::Integers,
                to: DstFormat::Integers,
                wide: true,
                indices,
            };
        };
        let to = match (mode.style, mode.dst32, indices) {
            (SrcStyle::Tf32, _, true) => DstFormat::Integers,
            (_, true, false) => DstFormat::Tf32,
            (SrcStyle::Fp16, ..) => DstFormat::Fp16,
            _ => DstFormat::Bf16,
        };
        Pooling {
            from: SrcReading::Floats(mode.style),
            to,
            wide: mode.dst32,
            indices,
        }
    }

    /// Returns the new datum of the first row of Dst in a column, given the old one (`held`) and
    /// the datums of SrcA with their scales.
    fn column(self, held: u32, datum: impl Fn(usize) -> (u32, u32)) -> u32 {
        /// The hardware's permutation of row numbers.
        const SCRAMBLED: [u32; 8] = [0, 3, 6, 1, 4, 7, 2, 5];
        let mut greatest = Datum::from_dst(held, self.to);
        let eights = next_eight(held);
        let mut index = held & 0xFF;
        for visited in 0..COLUMNS {
            // The order in which equal datums are visited.
            let row = if visited < 8 { visited ^ 4 } else { visited };
            let (a, b) = datum(row);
            let one = Datum::from_src(a, b, self.from);
            if one.key() >= greatest.key() {
                greatest = one;
                if let Some(scrambled) = SCRAMBLED.get(row) {
                    index = (eights >> 4) + scrambled;
                }
            }
        }
        match (self.indices, self.to) {
            (false, to) => greatest.to_dst(to),
            (true, DstFormat::Integers) => eights | index,
            (true, to) => greatest.to_dst(to) | eights | index,
        }
    }
}

/// Returns the incremented number of groups of eight pooled so far.
fn next_eight(held: u32) -> u32 {
    held.wrapping_add(0x100) & 0xF00
}

pub(super) fn gmpool(i: &Gmpool, thread: usize, unit: &mut MatrixUnit) -> Result<(), Fault> {
    if i.instr_mod19 == 0 {
        return Err(Fault::undefined(
            "GMPOOL with instr_mod19 = 0; the documentation has 1",
        ));
    }
    let setup = Setup::read(unit, thread, i.dst)?;
    let pooling = Pooling::new(setup.arithmetic, i.max_pool_index_en != 0);
    let dst_row = aligned("Dst", setup.dst_row, ROWS)?;
    let rwc = unit.rwcs[thread];
    let a_row = aligned("SrcA", rwc.src_a.value as usize, COLUMNS)?;
    *unit.last_src_a_row = Some(a_row);
    let b_row = aligned("SrcB", rwc.src_b.value as usize, 8)?;
    let scales = match setup.arithmetic {
        Arithmetic::Floats(_) => setup.source(unit, Src::B, b_row, 1)?[0],
        // For integers SrcB may have any format.
        Arithmetic::Integers(_) => *unit
            .src(Src::B)
            .row(unit.banks.matrix_bank(Src::B), b_row)?,
    };
    let held = read(&mut unit.dst_rows(), dst_row, pooling.wide)?;
    let rows = setup.source(unit, Src::A, a_row, COLUMNS)?;
    let first = std::array::from_fn(|column| {
        pooling.column(held[column], |row| (rows[row][column], scales[row]))
    });
    for row in 0..ROWS {
        let datums = match (row, pooling.indices && pooling.wide) {
            (0, _) => first,
            (_, false) => [0; COLUMNS],
            (_, true) => read(&mut unit.dst_rows(), dst_row + row, true)?.map(next_eight),
        };
        match pooling.wide {
            true => unit.dst_rows().write32(dst_row + row, datums),
            false => unit
                .dst_rows()
                .write16(dst_row + row, datums.map(|x| (x >> 16) as u16)),
        }
    }
    handover::flip(unit.banks, unit.config, thread, i.clear_dvalid)?;
    unit.apply_addr_mod(thread, i.addr_mode)
}

/// Returns a row of Dst as stored; 16 bits are in the upper halves.
fn read(rows: &mut DstRows, row: usize, wide: bool) -> Result<Row, Fault> {
    let (held, place) = match wide {
        true => (rows.read32(row)?, Row32::new(row).halves()[0]),
        false => (rows.read16(row)?.map(|x| u32::from(x) << 16), row),
    };
    Ok(match rows.dst.is_marked(place, wide) {
        true => [MARKED; COLUMNS],
        false => held,
    })
}
