//! Dst as accessed by the T cores of Blackhole: an array of elements, whose type each core selects
//! in `RISC_DEST_ACCESS_CTRL_SEC`.
//!
//! T0 and T1 access one element at a time, T2 also several adjacent ones. Elements are converted
//! between the cores' layout and that of Dst, unless `no_swizzle` is set.
//!
//! Checked, where the page leaves the result open: reserved formats; elements past the end;
//! accesses to parts of elements; rows that are unwritten, marked by ZEROACC or of another width;
//! rows that an instruction in flight may access. Ordering is that of a memory region: a core that
//! stores to Dst and then pushes an instruction which reads it has to read back first.
//!
//! Source: ISA documentation, `BlackholeA0/TensixTile/TensixCoprocessor/Dst.md` ("RISCV access to
//! Dst"). Wormhole has no such access.

use tessera_isa_tensix::cfg;
use tessera_riscv::Width;

use crate::arith::spec::{bits, sfpu};
use crate::arith::COLUMNS;
use crate::issue::coprocessor::Coprocessor;
use crate::map::DST;
use crate::state::access::RowSet;
use crate::state::dst_rows::arrange_dst;
use crate::state::row32::Row32;
use crate::trap::Fault;

/// The thread whose core can access several elements at a time.
const VECTOR_THREAD: usize = 2;

/// The element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Float32,
    Int32,
    Float16,
    Bfloat16,
    Int16,
    Int8,
}

/// The types by their number in `fmt`.
const TYPES: [Type; 6] = [
    Type::Float32,
    Type::Int32,
    Type::Float16,
    Type::Bfloat16,
    Type::Int16,
    Type::Int8,
];

/// The array as seen by one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Array {
    of: Type,
    /// Whether elements are not converted; one-byte elements are still parts of datums.
    raw: bool,
    unsigned: bool,
}

impl Array {
    /// Reads the settings from the configuration, without recording the reads.
    fn for_thread(coprocessor: &Coprocessor, thread: usize) -> Result<Array, Fault> {
        let config = &coprocessor.core.config;
        let state = config.state_used_by(thread);
        let get = |field: cfg::ConfigField| config.get_in_state(state, field.nth(thread as u32));
        let format = get(cfg::RISC_DEST_ACCESS_CTRL_fmt);
        let of = TYPES.get(format as usize).ok_or_else(|| {
            Fault::undefined(format!(
                "a core accesses Dst in the reserved format {format}; set \
                 RISC_DEST_ACCESS_CTRL_SEC{thread}_fmt to 0 to 5"
            ))
        })?;
        Ok(Array {
            of: *of,
            raw: get(cfg::RISC_DEST_ACCESS_CTRL_no_swizzle) != 0,
            unsigned: get(cfg::RISC_DEST_ACCESS_CTRL_unsigned_int) != 0,
        })
    }

    /// Returns the bytes of an element.
    fn bytes(self) -> u32 {
        match self.of {
            Type::Float32 | Type::Int32 => 4,
            Type::Float16 | Type::Bfloat16 | Type::Int16 => 2,
            Type::Int8 => 1,
        }
    }

    /// Returns whether elements have 32 bits in Dst.
    fn is_wide(self) -> bool {
        self.bytes() == 4
    }

    /// Converts a datum of Dst to an element.
    fn element(self, datum: u32) -> u32 {
        let half = datum as u16;
        match self.of {
            Type::Int8 if self.raw || self.unsigned => datum >> 5 & 0xff,
            Type::Int8 => complement(datum >> 5 & 0x7f, half >> 15 != 0) & 0xff,
            _ if self.raw => datum,
            Type::Float32 => bits::fp32_from_dst(datum),
            Type::Int32 => sfpu::twos_complement(bits::fp32_from_dst(datum)),
            Type::Float16 => bits::fp16_from_dst(half).into(),
            Type::Bfloat16 => bits::bf16_from_dst(half).into(),
            Type::Int16 if self.unsigned => datum,
            Type::Int16 => complement(datum & 0x7fff, half >> 15 != 0) & 0xffff,
        }
    }

    /// Converts an element to a datum of Dst.
    fn datum(self, value: u32) -> u32 {
        let half = value as u16;
        match self.of {
            Type::Int8 if self.raw || self.unsigned || value < 0x80 => {
                value << 5 | if value != 0 { 16 } else { 0 }
            }
            // It should become sign-magnitude, but the hardware sets bit 7 of the magnitude
            // (`Dst.md`).
            Type::Int8 => {
                let magnitude = (0x180 - value - u32::from(value == 0x80)) & 0xff;
                0x8000 | magnitude << 5 | 16
            }
            _ if self.raw => value,
            Type::Float32 => bits::dst_from_fp32(value),
            Type::Int32 => bits::dst_from_fp32(sign_magnitude(value, 31)),
            Type::Float16 => bits::dst_from_fp16(half).into(),
            Type::Bfloat16 => bits::dst_from_bf16(half).into(),
            Type::Int16 if self.unsigned => value,
            Type::Int16 => sign_magnitude(value, 15),
        }
    }

    /// Returns the elements of an access: row, column and offset in the core's word.
    fn elements(
        self,
        thread: usize,
        addr: u32,
        width: Width,
    ) -> Result<impl Iterator<Item = (usize, usize, u32)>, Fault> {
        let (each, bytes) = (self.bytes(), width.bytes());
        if bytes != each && (bytes < each || thread != VECTOR_THREAD) {
            return Err(Fault::undefined(format!(
                "T{thread} accesses {bytes} bytes of Dst ({addr:#x}), whose elements have {each}; \
                 access whole elements, only T2 several at a time"
            )));
        }
        let first = (addr - DST.start) / each;
        let rows = if self.is_wide() { 512 } else { 1024 };
        if first as usize >= rows * COLUMNS {
            return Err(Fault::undefined(format!(
                "T{thread} accesses Dst at {addr:#x}, past its last element"
            )));
        }
        Ok((0..bytes / each).map(move |k| {
            let element = (first + k) as usize;
            (element / COLUMNS, element % COLUMNS, 8 * k * each)
        }))
    }
}

/// Converts sign and magnitude to two's complement.
fn complement(magnitude: u32, is_negative: bool) -> u32 {
    match is_negative {
        true => magnitude.wrapping_neg(),
        false => magnitude,
    }
}

/// Converts two's complement to sign-magnitude with the sign in bit `sign`. The least value, which
/// has no magnitude, becomes the next one.
fn sign_magnitude(value: u32, sign: u32) -> u32 {
    let top = 1u32 << sign;
    match value & top {
        0 => value,
        _ if value == top => top | (top - 1),
        _ => top | value.wrapping_neg() & (top - 1),
    }
}

/// Returns the 16-bit rows that hold a row of the array.
fn halves(row: usize, is_wide: bool) -> [usize; 2] {
    match is_wide {
        true => Row32::new(row).halves(),
        false => [row; 2],
    }
}

fn check_held(
    coprocessor: &Coprocessor,
    thread: usize,
    row: usize,
    is_wide: bool,
) -> Result<(), Fault> {
    let dst = &coprocessor.core.regs.dst;
    let open = halves(row, is_wide)
        .into_iter()
        .find(|&half| !dst.holds(half, is_wide));
    match open {
        None => Ok(()),
        Some(half) => Err(Fault::undefined(format!(
            "T{thread} accesses Dst row {half} (of 1024), which is cleared, was never written or \
             holds datums of another width; move data there first"
        ))),
    }
}

/// Applies the configured layout of Dst and returns the array.
fn arranged(coprocessor: &mut Coprocessor, thread: usize) -> Result<Array, Fault> {
    let array = Array::for_thread(coprocessor, thread)?;
    arrange_dst(
        &mut coprocessor.core.regs.dst,
        &coprocessor.core.config,
        thread,
    );
    // These reads belong to no instruction.
    let _ = coprocessor.core.config.take_reads();
    Ok(array)
}

fn rows(elements: impl Iterator<Item = (usize, usize, u32)>, is_wide: bool) -> RowSet {
    let mut set = RowSet::default();
    set.extend(elements.flat_map(|(row, ..)| halves(row, is_wide)));
    set
}

/// Executes a load by the core of a thread from an address in [`DST`].
pub(super) fn load(
    coprocessor: &mut Coprocessor,
    thread: usize,
    addr: u32,
    width: Width,
) -> Result<u32, Fault> {
    let array = arranged(coprocessor, thread)?;
    let is_wide = array.is_wide();
    let read = rows(array.elements(thread, addr, width)?, is_wide);
    coprocessor.flights.check_dst(&read, &RowSet::default())?;
    let mut value = 0;
    for (row, column, low) in array.elements(thread, addr, width)? {
        check_held(coprocessor, thread, row, is_wide)?;
        let dst = &coprocessor.core.regs.dst;
        let datum = match is_wide {
            true => dst.row32(Row32::new(row))?[column],
            false => dst.row16(row)?[column].into(),
        };
        value |= array.element(datum) << low;
    }
    Ok(value)
}

/// Executes a store by the core of a thread to an address in [`DST`].
pub(super) fn store(
    coprocessor: &mut Coprocessor,
    thread: usize,
    addr: u32,
    width: Width,
    value: u32,
) -> Result<(), Fault> {
    let array = arranged(coprocessor, thread)?;
    let is_wide = array.is_wide();
    let written = rows(array.elements(thread, addr, width)?, is_wide);
    coprocessor
        .flights
        .check_dst(&RowSet::default(), &written)?;
    for (row, ..) in array.elements(thread, addr, width)? {
        check_held(coprocessor, thread, row, is_wide)?;
    }
    let mask = u32::MAX >> (32 - 8 * array.bytes());
    for (row, column, low) in array.elements(thread, addr, width)? {
        let datum = array.datum(value >> low & mask);
        let dst = &mut coprocessor.core.regs.dst;
        if is_wide {
            let mut datums = dst.row32(Row32::new(row))?;
            datums[column] = datum;
            dst.write_row32(Row32::new(row), datums);
        } else {
            let mut datums = dst.row16(row)?;
            datums[column] = datum as u16;
            dst.write_row16(row, datums);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
