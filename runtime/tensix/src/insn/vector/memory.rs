//! SFPLOAD and SFPSTORE: transfer 32 datums between the even or odd columns of four Dst rows and an
//! LReg.
//!
//! Lane `l` accesses row `l / 8` and column `2·(l mod 8)`, plus one if bit 1 of the address is set
//! or if the configuration of the lane says so; bit 0 is ignored. A mode requires a Dst of 32 or of
//! 16 bits and traps on the other. Rows marked by ZEROACC must not be read, nor partly written.
//!
//! On Blackhole mode 10 accesses a stack in Dst. A store writes at the thread's stack pointer and
//! then increments it; a load decrements it and then reads. The low two bits of the pointer and of
//! its base also apply in the other modes (`SFPLOAD.md`, at 1392d237, and `SFPSTORE.md`, at
//! 0f3f6b70; ttsim and LLK do not use it). No page says whether SETRWC resets the pointer, or
//! whether a store scheduled by SFPLOADMACRO moves it: those trap. On Blackhole, mode 0 uses the
//! format in SFPU_DEST_FMT, if enabled.
//!
//! On Wormhole the store of an FP32 denormal traps: it keeps its value according to the
//! documentation, and becomes zero in ttsim. On Blackhole it becomes zero in both. INT32 (mode 4)
//! preserves all bits on both chips and is therefore the mode for arbitrary data. Results of
//! SFPMAD, SFPADD and SFPMUL are never denormal, nor are those of the matrix unit unless
//! ALU_ACC_CTRL_Zero_Flag_disabled_src is set; kernels can store them in either mode.

use tessera_isa_tensix::table::{Sfpload, Sfpstore};

use super::chip::features_of;
use super::config::{CAPTURE_INDEX, FP16_INFINITY, INDEX, LOAD_ODD, NO_LOAD, NO_STORE, STORE_ODD};
use super::dst_block::{DstBlock, COLUMNS};
use super::lregs::{check_known, is_writable, lanes_of, write};
use super::transfer::{move_pointer, Transfers, STACK};
use super::unit::VectorUnit;
use crate::arith::fast::transfer::direct;
use crate::arith::fast::transfer::{self, Transfer};
use crate::arith::fast::Level;
use crate::arith::spec::sfpu;
use crate::arith::spec::sfpu::transfer::{Datum, Direction, Formats};
use crate::arith::Lanes;
use crate::state::model::Model;
use crate::state::regs::Four;
use crate::state::vector::{Address, Vector};
use crate::trap::Fault;

/// Returns the lanes that an instruction accesses, without those that the configuration blocks.
#[inline(always)]
fn lanes(vector: &Vector, datum: Datum, blocked: u32) -> u32 {
    let enabled = match datum {
        Datum::Int32All => vector.scheduled,
        _ => vector.enabled(),
    };
    enabled & !vector.config.lanes_with(blocked)
}

/// The operands of loads and stores: mode, immediate, address mode.
type Operands = (u32, u32, u32);

/// Transfers lanes between an LReg and the addressed rows, then updates the counters. Returns the
/// address.
#[inline(always)]
fn transfer(
    (thread, direction): (usize, Direction),
    (mode, immediate, addr_mode): Operands,
    unit: &mut VectorUnit,
    datums: impl FnOnce(Address, Datum, &mut VectorUnit) -> Result<(), Fault>,
) -> Result<Address, Fault> {
    let transfers = Transfers::read(unit, (thread, direction), mode)?;
    let datum = transfers.datum()?;
    let address = transfers.address(unit, immediate, datum);
    datums(address, datum, unit)?;
    unit.rwcs[thread].apply_addr_mod(unit.config, thread, addr_mode, false)?;
    Ok(address)
}

/// Executes a load and returns its address, which an SFPLOADMACRO's store shares.
#[inline(always)] // As all functions that pass a `VectorUnit` on.
pub(super) fn load(i: &Sfpload, thread: usize, mut unit: VectorUnit) -> Result<Address, Fault> {
    let operands = (i.instr_mod0, i.dest_reg_addr, i.sfpu_addr_mode);
    let moved = |address, datum, unit: &mut VectorUnit| match is_writable(i.lreg_ind) {
        true => load_lanes(i.lreg_ind, address, datum, unit),
        false => Ok(()),
    };
    transfer((thread, Direction::Load), operands, &mut unit, moved)
}

/// Updates the counters for a load that is stored as a template (`SFPSTORE.md`, functional model).
pub(super) fn stored_load(i: &Sfpload, thread: usize, unit: &mut VectorUnit) -> Result<(), Fault> {
    move_counters(
        (Direction::Load, i.instr_mod0, i.sfpu_addr_mode),
        thread,
        unit,
    )
}

/// Updates the counters for a store that is stored as a template.
pub(super) fn stored_store(
    i: &Sfpstore,
    thread: usize,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    move_counters(
        (Direction::Store, i.instr_mod0, i.sfpu_addr_mode),
        thread,
        unit,
    )
}

fn move_counters(
    (direction, mode, addr_mode): (Direction, u32, u32),
    thread: usize,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    if mode == STACK && features_of(unit.config.arch()).has_stack {
        move_pointer(unit.config, &mut unit.rwcs[thread], (thread, direction));
    }
    unit.rwcs[thread].apply_addr_mod(unit.config, thread, addr_mode, false)
}

#[inline(always)]
fn load_lanes(
    dest: u32,
    address: Address,
    datum: Datum,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    match load_directly(dest, address, datum, unit) {
        Some(()) => Ok(()),
        None => load_generally(dest, address, datum, &mut unit.reborrow()),
    }
}

/// Does what [`load_generally`] does in the common case, and nothing otherwise.
#[inline(always)]
fn load_directly(dest: u32, address: Address, datum: Datum, unit: &mut VectorUnit) -> Option<()> {
    let vector = &mut *unit.vector;
    let Model::Fast(level) = unit.model else {
        return None;
    };
    if !direct::transfers(datum)
        || vector.config.any & (NO_LOAD | LOAD_ODD | CAPTURE_INDEX) != 0
        || vector.schedule.collects()
    {
        return None;
    }
    let (row, wide) = (address.0 & !3, datum.is_wide(Direction::Load));
    let (high, low) = unit.dst.held_four(row, wide)?;
    let lanes = vector.enabled();
    if lanes == 0 {
        return Some(());
    }
    (unit.access.dst_read).insert_dst_block(row, high.len(), wide);
    let values = &mut vector.lregs[dest as usize];
    let low = low.as_deref();
    direct::load(level, datum, address.0 & 2 != 0, lanes, high, low, values);
    vector.note_written(dest, lanes);
    Some(())
}

#[inline(never)]
fn load_generally(
    dest: u32,
    address: Address,
    datum: Datum,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    let lanes = lanes(unit.vector, datum, NO_LOAD);
    if lanes == 0 {
        return Ok(());
    }
    let place = DstBlock::new(address, datum, Direction::Load, &unit.vector.config);
    if datum != Datum::Zero {
        place.check_written(unit.dst)?;
        place.note(&mut unit.access.dst_read);
    }
    if datum.kept() != 0 {
        check_known(unit.vector, dest, lanes)?;
    }
    match (unit.model, place.common_columns()) {
        (Model::Fast(level), Some(odd)) if is_plain_load(datum, unit.vector) => {
            load_in_vectors(level, odd, &place, (dest, lanes, datum), unit);
        }
        _ => {
            let values = loaded(&{ place }, (dest, datum), unit);
            write(unit.vector, dest, lanes, values);
        }
    }
    let config = &unit.vector.config;
    let captured = lanes & config.lanes_with(INDEX) & config.lanes_with(CAPTURE_INDEX);
    if captured != 0 && dest < 4 {
        capture(&{ place }, (dest + 4, captured), unit.vector);
    }
    Ok(())
}

/// Writes the places of datums in Dst to some lanes of an LReg.
#[cold]
fn capture(place: &DstBlock, (dest, lanes): (u32, u32), vector: &mut Vector) {
    let index = |lane: usize| (place.row + lane / COLUMNS) << 4 | place.column(lane);
    let indices = std::array::from_fn(|lane| index(lane) as u32);
    write(vector, dest, lanes, indices);
}

/// Returns whether values may be written at once and have no infinities of FP16.
#[inline(always)]
fn is_plain_load(datum: Datum, vector: &Vector) -> bool {
    let has_infinities = datum == Datum::Fp16 && vector.config.lanes_with(FP16_INFINITY) != 0;
    !vector.schedule.collects() && !has_infinities
}

/// Loads some lanes of an LReg in vector instructions of the host.
#[inline(always)]
fn load_in_vectors(
    level: Level,
    odd: bool,
    place: &DstBlock,
    (dest, lanes, datum): (u32, u32, Datum),
    unit: &mut VectorUnit,
) {
    let how = Transfer {
        formats: features_of(unit.config.arch()).formats,
        datum,
        odd,
    };
    let (high, low) = unit.dst.four(place.row, place.wide);
    let low = low.as_deref().unwrap_or(high);
    let values = &mut unit.vector.lregs[dest as usize];
    transfer::load(level, how, lanes, high, low, values);
    unit.vector.known[dest as usize] |= lanes;
    unit.vector.access.written |= 1 << dest;
}

/// Returns what a load leaves in an LReg.
#[inline(never)] // Its lanes would make a large frame.
fn loaded(place: &DstBlock, (dest, datum): (u32, Datum), unit: &mut VectorUnit) -> Lanes {
    let formats = features_of(unit.config.arch()).formats;
    let (high, low) = unit.dst.four(place.row, place.wide);
    let low = low.map(|low| place.gather(low));
    let mut raw = place.gather(high);
    if let Some(low) = low {
        raw = std::array::from_fn(|lane| raw[lane] << 16 | low[lane]);
    }
    let own = &unit.vector.lregs[dest as usize];
    let load = |lane: usize| own[lane] & datum.kept() | formats.load(datum, raw[lane]);
    let mut values: Lanes = std::array::from_fn(load);
    if datum == Datum::Fp16 {
        let infinity = unit.vector.config.lanes_with(FP16_INFINITY);
        lanes_of(infinity).for_each(|lane| values[lane] = sfpu::with_infinity(values[lane]));
    }
    values
}

/// Executes a store and returns its address.
#[inline(always)] // As above.
pub(super) fn store(i: &Sfpstore, thread: usize, mut unit: VectorUnit) -> Result<Address, Fault> {
    let operands = (i.instr_mod0, i.dest_reg_addr, i.sfpu_addr_mode);
    let moved =
        |address, datum, unit: &mut VectorUnit| store_lanes(i.lreg_ind, address, datum, unit);
    transfer((thread, Direction::Store), operands, &mut unit, moved)
}

/// Executes a scheduled store at its SFPLOADMACRO's address; counters are not updated.
pub(super) fn store_scheduled(
    i: &Sfpstore,
    thread: usize,
    address: Address,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    let datum = datum_of_scheduled(i, thread, unit)?;
    store_lanes(i.lreg_ind, address, datum, unit)
}

fn datum_of_scheduled(i: &Sfpstore, thread: usize, unit: &mut VectorUnit) -> Result<Datum, Fault> {
    if i.instr_mod0 == STACK && features_of(unit.config.arch()).has_stack {
        return Err(Fault::unmodelled(
            "a store to the stack (mode 10) by SFPLOADMACRO, whose effect on the pointer is not \
             documented; store in mode 4",
        ));
    }
    Transfers::read(unit, (thread, Direction::Store), i.instr_mod0)?.datum()
}

/// Records the rows that a scheduled store will write.
pub(super) fn note_scheduled(
    i: &Sfpstore,
    thread: usize,
    address: Address,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    let datum = datum_of_scheduled(i, thread, unit)?;
    let place = DstBlock::new(address, datum, Direction::Store, &unit.vector.config);
    place.note(&mut unit.access.dst_write);
    Ok(())
}

#[inline(always)] // A store has one caller whose speed matters.
fn store_lanes(
    source: u32,
    address: Address,
    datum: Datum,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    match store_directly(source, address, datum, unit)? {
        Some(()) => Ok(()),
        None => store_generally(source, address, datum, &mut unit.reborrow()),
    }
}

/// Does what [`store_generally`] does in the common case, and nothing otherwise.
#[inline(always)]
fn store_directly(
    source: u32,
    address: Address,
    datum: Datum,
    unit: &mut VectorUnit,
) -> Result<Option<()>, Fault> {
    let vector = &mut *unit.vector;
    let (Model::Fast(level), true) = (unit.model, direct::transfers(datum)) else {
        return Ok(None);
    };
    let lanes = vector.enabled();
    if lanes == 0 || vector.config.any & (NO_STORE | STORE_ODD) != 0 {
        return Ok(None);
    }
    let (row, wide) = (address.0 & !3, datum.is_wide(Direction::Store));
    let Some((high, low)) = unit.dst.held_four(row, wide) else {
        return Ok(None);
    };
    (unit.access.dst_write).insert_dst_block(row, high.len(), wide);
    check_known(vector, source, lanes)?;
    let values = &vector.lregs[source as usize];
    if datum == Datum::Fp32 && !features_of(unit.config.arch()).stores_flush {
        check_storable(unit.model, lanes, values)?;
    }
    direct::store(level, datum, address.0 & 2 != 0, lanes, values, high, low);
    Ok(Some(()))
}

#[inline(never)]
fn store_generally(
    source: u32,
    address: Address,
    datum: Datum,
    unit: &mut VectorUnit,
) -> Result<(), Fault> {
    let lanes = lanes(unit.vector, datum, NO_STORE);
    if lanes == 0 {
        return Ok(());
    }
    let place = DstBlock::new(address, datum, Direction::Store, &unit.vector.config);
    place.check_written(unit.dst)?;
    place.note(&mut unit.access.dst_write);
    if datum != Datum::Zero {
        check_known(unit.vector, source, lanes)?;
    }
    // A store of zeros does not use the values.
    let values = &unit.vector.lregs[source as usize];
    let chip = features_of(unit.config.arch());
    if datum == Datum::Fp32 && !chip.stores_flush {
        check_storable(unit.model, lanes, values)?;
    }
    let (high, low) = unit.dst.four(place.row, place.wide);
    match (unit.model, place.common_columns()) {
        (Model::Fast(level), Some(odd)) => {
            let how = Transfer {
                formats: chip.formats,
                datum,
                odd,
            };
            transfer::store(level, how, lanes, values, high, low);
        }
        _ => store_by_lanes(
            (chip.formats, datum),
            &{ place },
            lanes,
            values,
            (high, low),
        ),
    }
    Ok(())
}

#[inline(never)] // Its lanes would make a large frame.
fn store_by_lanes(
    (formats, datum): (Formats, Datum),
    place: &DstBlock,
    lanes: u32,
    values: &Lanes,
    (high, low): (&mut Four, Option<&mut Four>),
) {
    let stored = values.map(|value| formats.store(datum, value));
    match low {
        None => place.scatter(lanes, &stored, high),
        Some(low) => {
            place.scatter(lanes, &stored.map(|stored| stored >> 16), high);
            place.scatter(lanes, &stored, low);
        }
    }
}

/// Refuses to store an FP32 denormal where it is not known to become zero.
#[inline(always)]
fn check_storable(model: Model, lanes: u32, values: &Lanes) -> Result<(), Fault> {
    match model {
        // Denormals are rare; this check covers all lanes at once.
        Model::Fast(level) if !transfer::has_denormal(level, values) => Ok(()),
        _ => refuse_denormals(lanes, values),
    }
}

#[cold]
fn refuse_denormals(lanes: u32, values: &Lanes) -> Result<(), Fault> {
    let is_lost = |x: u32| x & 0x7F80_0000 == 0 && x & 0x7F_FFFF != 0;
    match lanes_of(lanes).find(|&lane| is_lost(values[lane])) {
        None => Ok(()),
        Some(lane) => Err(Fault::unmodelled(format!(
            "SFPSTORE of the denormal {:#010x} in FP32, on whose fate the sources disagree; flush \
             it before, or store it in mode 4, which keeps it",
            values[lane]
        ))),
    }
}
