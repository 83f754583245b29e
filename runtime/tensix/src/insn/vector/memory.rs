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

use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Sfpload, Sfpstore};

use super::chip::features_of;
use super::config::{CAPTURE_INDEX, FP16_INFINITY, INDEX, LOAD_ODD, NO_LOAD, NO_STORE, STORE_ODD};
use super::datums::{self, check_storable, Datum, Direction, Halves, MODES, STACK};
use super::lregs::{check_known, is_writable, read, write};
use super::unit::VectorUnit;
use crate::arith::spec::format::Format;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::{Lanes, LANES};
use crate::state::access::RowSet;
use crate::state::config::Config;
use crate::state::dst_rows::arrange_dst;
use crate::state::formats::{dst_is_32bit, dst_row};
use crate::state::regs::{Dst, Four};
use crate::state::row32::Row32;
use crate::state::rwc::Rwc;
use crate::state::vector::{Address, Configuration, Vector};
use crate::trap::Fault;

/// Rows of Dst per vector, and columns of each.
const ROWS: usize = 4;
const COLUMNS: usize = 8;

/// Returns the format of mode 0: SrcB's, unless the thread has one of its own.
fn format_of_dst(config: &Config, thread: usize) -> Format {
    match config.thread(thread, cfg::SFPU_DEST_FMT_Enable) {
        0 => Format::overridden(
            config,
            thread,
            cfg::ALU_FORMAT_SPEC_REG1_SrcB,
            [
                cfg::ALU_FORMAT_SPEC_REG_SrcB_override,
                cfg::ALU_FORMAT_SPEC_REG_SrcB_val,
            ],
        ),
        _ => Format::from_code(config.thread(thread, cfg::SFPU_DEST_FMT_Base)),
    }
}

/// Resolves a mode and checks it against the width of Dst. Also applies the configured layout of
/// Dst.
fn datum(
    unit: &mut VectorUnit,
    thread: usize,
    direction: Direction,
    mode: u32,
) -> Result<Datum, Fault> {
    arrange_dst(unit.dst, unit.config, thread);
    let wide = dst_is_32bit(unit.config, unit.check_policy, thread)?;
    let datum = match mode {
        0 if unit.config.get(thread, cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0 => Datum::Fp32,
        0 => match format_of_dst(unit.config, thread).style()? {
            SrcStyle::Fp16 => Datum::Fp16,
            _ => Datum::Bf16,
        },
        1 => Datum::Fp16,
        2 => Datum::Bf16,
        mode => MODES[mode as usize - 3],
    };
    let touches = direction == Direction::Store || datum != Datum::Zero;
    if touches && datum.is_wide(direction) != wide {
        let width = if wide { 32 } else { 16 };
        let mnemonic = direction.mnemonic();
        return Err(Fault::undefined(format!(
            "{mnemonic} in mode {mode} on a {width}-bit Dst; use mode 0 or the one that fits"
        )));
    }
    Ok(datum)
}

impl Address {
    /// Returns the address of an instruction; moves the stack pointer if it accesses the stack.
    fn new(
        unit: &mut VectorUnit,
        (thread, direction): (usize, Direction),
        immediate: u32,
        datum: Datum,
    ) -> Address {
        let has_stack = features_of(unit.config.arch()).has_stack;
        let row = dst_row(unit.config, unit.rwcs, thread, immediate);
        if !has_stack && datum != Datum::Int32All {
            return Address(row);
        }
        let fixed = unit
            .config
            .thread(thread, cfg::DEST_TARGET_REG_CFG_MATH_Offset);
        let fixed = (immediate + fixed) as usize;
        let moving = row.wrapping_sub(fixed);
        let (near, far) = match (has_stack, datum) {
            (false, _) => (moving, 0),
            (true, Datum::Int32All) => (
                moving,
                move_pointer(unit.config, &mut unit.rwcs[thread], (thread, direction)),
            ),
            (true, _) => (stack_row(unit.config, &unit.rwcs[thread], thread), moving),
        };
        Address(fixed.wrapping_add(far).wrapping_add(near & 3) & 0x3FF)
    }

    /// Returns whether two addresses select the same datums.
    pub(super) fn is_that_of(self, other: Address) -> bool {
        self.0 >> 1 == other.0 >> 1
    }
}

/// Returns the row of Dst that a thread's stack pointer selects.
fn stack_row(config: &Config, rwc: &Rwc, thread: usize) -> usize {
    let base = config.get(thread, cfg::DEST_SP_BASE_Base);
    (rwc.stack + base) as usize
}

/// Moves the stack pointer for a load or a store, and returns the row to be accessed.
fn move_pointer(config: &Config, rwc: &mut Rwc, (thread, direction): (usize, Direction)) -> usize {
    let by = config.thread(thread, cfg::SFPU_STACK_Incr);
    match direction {
        Direction::Load => {
            rwc.pop(by);
            stack_row(config, rwc, thread)
        }
        Direction::Store => {
            let row = stack_row(config, rwc, thread);
            rwc.push(by);
            row
        }
    }
}

/// The block of Dst that an SFPLOAD or SFPSTORE accesses: four rows, and every other column.
struct DstBlock {
    row: usize,
    /// The lanes whose configuration selects the odd column.
    odd: u32,
    wide: bool,
}

impl DstBlock {
    fn new(
        address: Address,
        datum: Datum,
        direction: Direction,
        config: &Configuration,
    ) -> DstBlock {
        let by_lanes = match direction {
            Direction::Load => config.lanes_with(LOAD_ODD),
            Direction::Store => config.lanes_with(STORE_ODD),
        };
        DstBlock {
            row: address.0 & !3,
            odd: by_lanes | if address.0 & 2 != 0 { u32::MAX } else { 0 },
            wide: datum.is_wide(direction),
        }
    }

    /// Returns the first of each four 16-bit rows that are accessed.
    fn fours(&self) -> impl Iterator<Item = usize> + use<> {
        match self.wide {
            true => Row32::new(self.row).halves().into_iter().take(2),
            false => [self.row; 2].into_iter().take(1),
        }
    }

    /// Records that these rows are read or written.
    fn note(&self, rows: &mut RowSet) {
        self.fours()
            .for_each(|first| rows.insert_block(first, ROWS));
    }

    fn column(&self, lane: usize) -> usize {
        2 * (lane % COLUMNS) + (self.odd >> lane & 1) as usize
    }

    fn check_written(&self, dst: &Dst) -> Result<(), Fault> {
        if dst.holds_four(self.row, self.wide) {
            return Ok(());
        }
        let mut rows = self.fours().flat_map(|first| first..first + ROWS);
        let row = rows.find(|&row| !dst.holds(row, self.wide));
        Err(Fault::undefined(format!(
            "the vector unit touches Dst row {} (of 1024), which is cleared, was never written or \
             holds datums of another width; move data there first",
            row.unwrap_or(self.row)
        )))
    }

    /// Gathers the datums of the lanes; two adjacent columns belong to one lane.
    fn gather(&self, rows: &Four) -> Halves {
        let pairs = rows.as_flattened().as_chunks::<2>().0;
        match self.odd {
            0 => std::array::from_fn(|lane| pairs[lane][0]),
            u32::MAX => std::array::from_fn(|lane| pairs[lane][1]),
            odd => std::array::from_fn(|lane| match odd & BITS[lane] {
                0 => pairs[lane][0],
                _ => pairs[lane][1],
            }),
        }
    }

    /// Scatters the datums of some lanes to rows.
    fn scatter(&self, lanes: u32, datums: &Halves, rows: &mut Four) {
        let [even, odd] = [lanes & !self.odd, lanes & self.odd];
        let pairs = rows.as_flattened_mut().as_chunks_mut::<2>().0;
        let all = pairs.iter_mut().zip(datums);
        // Nearly always all lanes store to the same columns.
        match [even, odd] {
            [u32::MAX, 0] => return all.for_each(|(pair, datum)| pair[0] = *datum),
            [0, u32::MAX] => return all.for_each(|(pair, datum)| pair[1] = *datum),
            _ => {}
        }
        for (lane, (pair, &bit)) in pairs.iter_mut().zip(&BITS).enumerate() {
            let datum = datums[lane];
            *pair = [
                if even & bit != 0 { datum } else { pair[0] },
                if odd & bit != 0 { datum } else { pair[1] },
            ];
        }
    }
}

/// The bit of each lane, for comparison in vector instructions.
const BITS: Lanes = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// Returns the lanes that an instruction accesses, without those that the configuration blocks.
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
fn transfer(
    (thread, direction): (usize, Direction),
    (mode, immediate, addr_mode): Operands,
    unit: &mut VectorUnit,
    datums: impl FnOnce(Address, Datum, &mut VectorUnit) -> Result<(), Fault>,
) -> Result<Address, Fault> {
    let datum = datum(unit, thread, direction, mode)?;
    let address = Address::new(unit, (thread, direction), immediate, datum);
    datums(address, datum, unit)?;
    unit.rwcs[thread].apply_addr_mod(unit.config, thread, addr_mode, false)?;
    Ok(address)
}

/// Executes a load and returns its address, which an SFPLOADMACRO's store shares.
pub(super) fn load(i: &Sfpload, thread: usize, unit: &mut VectorUnit) -> Result<Address, Fault> {
    let operands = (i.instr_mod0, i.dest_reg_addr, i.sfpu_addr_mode);
    let moved = |address, datum, unit: &mut VectorUnit| match is_writable(i.lreg_ind) {
        true => load_lanes(i.lreg_ind, address, datum, unit),
        false => Ok(()),
    };
    transfer((thread, Direction::Load), operands, unit, moved)
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

fn load_lanes(
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
    let values = match datum {
        Datum::Zero => [0; LANES],
        _ => loaded(&place, datum, unit)?,
    };
    let kept = match datum {
        Datum::Low16Only => 0xFFFF_0000,
        Datum::High16Only => 0xFFFF,
        _ => 0,
    };
    let values = match kept {
        0 => values,
        _ => {
            let own = read(unit.vector, dest, lanes)?;
            std::array::from_fn(|lane| own[lane] & kept | values[lane])
        }
    };
    write(unit.vector, dest, lanes, values);
    let config = &unit.vector.config;
    let captured = lanes & config.lanes_with(INDEX) & config.lanes_with(CAPTURE_INDEX);
    if captured != 0 && dest < 4 {
        let index = |lane: usize| (place.row + lane / COLUMNS) << 4 | place.column(lane);
        let indices = std::array::from_fn(|lane| index(lane) as u32);
        write(unit.vector, dest + 4, captured, indices);
    }
    Ok(())
}

/// Reads the addressed datums of Dst as LReg values.
fn loaded(place: &DstBlock, datum: Datum, unit: &mut VectorUnit) -> Result<Lanes, Fault> {
    let chip = features_of(unit.config.arch());
    let infinity = unit.vector.config.lanes_with(FP16_INFINITY);
    place.check_written(unit.dst)?;
    let (rows, low) = unit.dst.four(place.row, place.wide);
    let values = match low {
        Some(low) => datums::wide(datum, &place.gather(rows), &place.gather(low), chip),
        None => datums::narrow(datum, &place.gather(rows), infinity, chip),
    };
    place.note(&mut unit.access.dst_read);
    Ok(values)
}

/// Executes a store and returns its address.
pub(super) fn store(i: &Sfpstore, thread: usize, unit: &mut VectorUnit) -> Result<Address, Fault> {
    let operands = (i.instr_mod0, i.dest_reg_addr, i.sfpu_addr_mode);
    let moved =
        |address, datum, unit: &mut VectorUnit| store_lanes(i.lreg_ind, address, datum, unit);
    transfer((thread, Direction::Store), operands, unit, moved)
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
    datum(unit, thread, Direction::Store, i.instr_mod0)
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

fn store_lanes(
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
    let values = match datum {
        Datum::Zero => [0; LANES],
        _ => {
            check_known(unit.vector, source, lanes)?;
            unit.vector.lregs[source as usize]
        }
    };
    let chip = features_of(unit.config.arch());
    check_storable(datum, lanes, &values, chip)?;
    let (rows, low) = unit.dst.four(place.row, place.wide);
    match low {
        Some(low) => {
            let values = datums::stored_wide(datum, &values, chip);
            place.scatter(lanes, &values.map(|x| (x >> 16) as u16), rows);
            place.scatter(lanes, &values.map(|x| x as u16), low);
        }
        None => place.scatter(lanes, &datums::stored_narrow(datum, &values, chip), rows),
    }
    Ok(())
}
