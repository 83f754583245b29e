//! SFPLOAD and SFPSTORE: 32 datums between the even or odd columns of four Dst rows and an LReg.
//!
//! Lane `l` goes with row `l / 8` and column `2·(l mod 8)`, plus one if bit 1 of the address is set, or if the configuration of the lane says
//! so; bit 0 means nothing.
//! A mode goes with a Dst of 32 or of 16 bits; on the other it traps. ZEROACC'd rows must not be read, nor partly written.
//!
//! On Blackhole mode 10 goes with a stack in Dst: a store writes where the thread's stack pointer is and moves that on, a load moves it back and
//! reads there; the low two bits of the pointer and of its base count in the other modes, too (`SFPLOAD.md`, at 1392d237, and `SFPSTORE.md`, at
//! 0f3f6b70; ttsim and LLK have no use of it). No page says whether SETRWC resets the pointer, nor whether a store that SFPLOADMACRO has scheduled
//! moves it: those trap. Mode 0 follows, there, the format that SFPU_DEST_FMT names, if that is enabled (the same pages).
//!
//! On Wormhole a store of a denormal in FP32 traps: by the documentation it keeps its value, in ttsim it becomes zero. On Blackhole both say that it
//! becomes zero. Both keep every
//! bit of what is stored in INT32 (mode 4), so that is how data of any origin is stored. What SFPMAD, SFPADD and SFPMUL
//! give is never denormal, nor is what the matrix unit leaves in Dst unless ALU_ACC_CTRL_Zero_Flag_disabled_src is set:
//! kernels that store that can use either mode.

use tessera_isa_tensix::table::{Sfpload, Sfpstore};
use tessera_isa_tensix::{cfg, Instruction};

use super::config::{
    Configuration, CAPTURE_INDEX, FP16_INFINITY, INDEX, LOAD_ODD, NO_LOAD, NO_STORE, STORE_ODD,
};
use super::state::{check_known, is_writable, lanes_of, read, write, Lanes, LANES};
use super::{chip, Chip};
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
    /// Sign and magnitude in Dst, on Wormhole two's complement in the LReg.
    Int32Complement,
    /// Sign and magnitude in both, of 8 and of 16 bits in Dst.
    Int8,
    Int16,
    /// As `Int8`, on Wormhole two's complement in the LReg.
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

/// The mode of [`Datum::Int32All`].
const STACK: u32 = 10;

/// Which way datums go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Load,
    Store,
}

impl Way {
    fn mnemonic(self) -> &'static str {
        match self {
            Way::Load => "SFPLOAD",
            Way::Store => "SFPSTORE",
        }
    }
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

/// The format that mode 0 goes by: SrcB's, unless the thread has one of its own.
fn format_of_dst(core: &CoreState, thread: usize) -> Format {
    match core.config.thread(thread, cfg::SFPU_DEST_FMT_Enable) {
        0 => Format::overridden(
            core,
            thread,
            cfg::ALU_FORMAT_SPEC_REG1_SrcB,
            [
                cfg::ALU_FORMAT_SPEC_REG_SrcB_override,
                cfg::ALU_FORMAT_SPEC_REG_SrcB_val,
            ],
        ),
        _ => Format::from_code(core.config.thread(thread, cfg::SFPU_DEST_FMT_Base)),
    }
}

/// Resolves a mode and checks it against the width of Dst, which is then laid out as the configuration says.
fn datum(core: &mut CoreState, thread: usize, way: Way, mode: u32) -> Result<Datum, Fault> {
    core.arrange_dst(thread);
    let wide = dst_is_32bit(core, thread)?;
    let datum = match mode {
        0 if core.config.get(thread, cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0 => Datum::Fp32,
        0 => match format_of_dst(core, thread).style()? {
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
        let mnemonic = way.mnemonic();
        return Err(Fault::undefined(format!(
            "{mnemonic} in mode {mode} on a {width}-bit Dst; use mode 0 or the one that fits"
        )));
    }
    Ok(datum)
}

/// Where in Dst: ten bits, of which the upper eight are four rows, and the next one says which columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address(usize);

impl Address {
    /// Of an instruction with an immediate; moves the pointer if that is of a stack.
    fn new(
        core: &mut CoreState,
        (thread, way): (usize, Way),
        immediate: u32,
        datum: Datum,
    ) -> Address {
        let has_stack = chip(core).has_stack;
        let row = dst_row(core, thread, immediate);
        if !has_stack && datum != Datum::Int32All {
            return Address(row);
        }
        let fixed = core
            .config
            .thread(thread, cfg::DEST_TARGET_REG_CFG_MATH_Offset);
        let fixed = (immediate + fixed) as usize;
        let moving = row.wrapping_sub(fixed);
        let (near, far) = match (has_stack, datum) {
            (false, _) => (moving, 0),
            (true, Datum::Int32All) => (moving, move_pointer(core, thread, way)),
            (true, _) => (stack_row(core, thread), moving),
        };
        Address(fixed.wrapping_add(far).wrapping_add(near & 3) & 0x3FF)
    }

    /// Whether it means the same datums as another one.
    pub(super) fn is_that_of(self, other: Address) -> bool {
        self.0 >> 1 == other.0 >> 1
    }
}

/// Where the pointer of a thread's stack is in Dst.
fn stack_row(core: &CoreState, thread: usize) -> usize {
    let base = core.config.get(thread, cfg::DEST_SP_BASE_Base);
    (core.regs.rwcs[thread].stack + base) as usize
}

/// Moves that pointer for a load or a store; gives where it goes.
fn move_pointer(core: &mut CoreState, thread: usize, way: Way) -> usize {
    let by = core.config.thread(thread, cfg::SFPU_STACK_Incr);
    match way {
        Way::Load => {
            core.regs.rwcs[thread].pop(by);
            stack_row(core, thread)
        }
        Way::Store => {
            let row = stack_row(core, thread);
            core.regs.rwcs[thread].push(by);
            row
        }
    }
}

/// The four rows and the columns.
struct Place {
    row: usize,
    /// The column of each lane but that which follows from its number.
    odd: u32,
    wide: bool,
}

impl Place {
    fn new(address: Address, datum: Datum, way: Way, config: &Configuration) -> Place {
        let by_lanes = match way {
            Way::Load => config.lanes_with(LOAD_ODD),
            Way::Store => config.lanes_with(STORE_ODD),
        };
        Place {
            row: address.0 & !3,
            odd: by_lanes | if address.0 & 2 != 0 { u32::MAX } else { 0 },
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

    fn column(&self, lane: usize) -> usize {
        2 * (lane % COLUMNS) + (self.odd >> lane & 1) as usize
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

/// The lanes an instruction works on, but those that the configuration blocks.
fn lanes(core: &CoreState, datum: Datum, blocked: u32) -> u32 {
    let enabled = match datum {
        Datum::Int32All => core.regs.vector.scheduled,
        _ => core.regs.vector.enabled(),
    };
    enabled & !core.regs.vector.config.lanes_with(blocked)
}

/// The operands that loads and stores share: mode, immediate, address mode.
type Operands = (u32, u32, u32);

/// Moves lanes as `datums` does, between where the operands say; then the counters move. Gives the address.
fn transfer(
    (thread, way): (usize, Way),
    (mode, immediate, addr_mode): Operands,
    core: &mut CoreState,
    datums: impl FnOnce(Address, Datum, &mut CoreState) -> Result<(), Fault>,
) -> Result<Address, Fault> {
    let datum = datum(core, thread, way, mode)?;
    let address = Address::new(core, (thread, way), immediate, datum);
    datums(address, datum, core)?;
    apply_addr_mod(core, thread, addr_mode, false)?;
    Ok(address)
}

/// Loads; gives the address, which SFPLOADMACRO's store takes, too.
pub(super) fn load(i: &Sfpload, thread: usize, core: &mut CoreState) -> Result<Address, Fault> {
    let operands = (i.instr_mod0, i.dest_reg_addr, i.sfpu_addr_mode);
    let moved = |address, datum, core: &mut CoreState| match is_writable(i.lreg_ind) {
        true => load_lanes(i.lreg_ind, address, datum, core),
        false => Ok(()),
    };
    transfer((thread, Way::Load), operands, core, moved)
}

/// What a load or a store does that is stored as a template: it moves the counters (`SFPSTORE.md`, functional model).
pub(super) fn move_counters(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let (way, mode, addr_mode) = match instruction {
        Instruction::Sfpload(i) => (Way::Load, i.instr_mod0, i.sfpu_addr_mode),
        Instruction::Sfpstore(i) => (Way::Store, i.instr_mod0, i.sfpu_addr_mode),
        _ => return Ok(()),
    };
    if mode == STACK && chip(core).has_stack {
        move_pointer(core, thread, way);
    }
    apply_addr_mod(core, thread, addr_mode, false)
}

fn load_lanes(
    dest: u32,
    address: Address,
    datum: Datum,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let lanes = lanes(core, datum, NO_LOAD);
    if lanes == 0 {
        return Ok(());
    }
    let place = Place::new(address, datum, Way::Load, &core.regs.vector.config);
    let values = match datum {
        Datum::Zero => [0; LANES],
        _ => loaded(&place, datum, core)?,
    };
    let kept = match datum {
        Datum::Low16Only => 0xFFFF_0000,
        Datum::High16Only => 0xFFFF,
        _ => 0,
    };
    let values = match kept {
        0 => values,
        _ => {
            let own = read(core, dest, lanes)?;
            std::array::from_fn(|lane| own[lane] & kept | values[lane])
        }
    };
    write(core, dest, lanes, values);
    let config = &core.regs.vector.config;
    let captured = lanes & config.lanes_with(INDEX) & config.lanes_with(CAPTURE_INDEX);
    if captured != 0 && dest < 4 {
        let index = |lane: usize| (place.row + lane / COLUMNS) << 4 | place.column(lane);
        let indices = std::array::from_fn(|lane| index(lane) as u32);
        write(core, dest + 4, captured, indices);
    }
    Ok(())
}

/// What Dst holds, as the LReg gets it.
fn loaded(place: &Place, datum: Datum, core: &mut CoreState) -> Result<Lanes, Fault> {
    place.check_written(core)?;
    core.access.dst_read.extend(place.rows());
    let chip = chip(core);
    let infinity = core.regs.vector.config.lanes_with(FP16_INFINITY);
    let dst = &core.regs.dst;
    let mut values = [0; LANES];
    for (k, values) in values.chunks_exact_mut(COLUMNS).enumerate() {
        let row = place.row + k;
        let column = |column: usize| place.column(k * COLUMNS + column);
        if place.wide {
            let datums = dst.row32(Row32::new(row))?;
            let bits = |k: usize| bits::fp32_from_dst(datums[column(k)]);
            values
                .iter_mut()
                .enumerate()
                .for_each(|(k, value)| *value = bits(k));
        } else {
            let datums = dst.row16(row)?;
            let datum = |k: usize| narrow(datum, datums[column(k)], chip);
            values
                .iter_mut()
                .enumerate()
                .for_each(|(k, value)| *value = datum(k));
        }
    }
    if datum == Datum::Fp16 && infinity != 0 {
        lanes_of(infinity).for_each(|lane| values[lane] = sfpu::with_infinity(values[lane]));
    }
    Ok(match datum {
        Datum::Int32Complement if chip.has_complements => values.map(sfpu::twos_complement),
        _ => values,
    })
}

/// What the LReg gets of sixteen bits of Dst.
fn narrow(datum: Datum, raw: u16, chip: &Chip) -> u32 {
    let sign = u32::from(raw >> 15) << 31;
    let bits = u32::from(raw);
    match datum {
        Datum::Fp16 => sfpu::load_fp16(bits::fp16_from_dst(raw)),
        Datum::Bf16 => u32::from(bits::bf16_from_dst(raw)) << 16,
        Datum::Int8 => sign | bits >> 5 & chip.int8_magnitude,
        Datum::Int8Complement if chip.has_complements => {
            sfpu::twos_complement(sign | bits >> 5 & 0x3FF)
        }
        Datum::Int8Complement => sign | bits >> 5 & 0x3FF,
        Datum::Int16 => sign | bits & 0x7FFF,
        Datum::High16 | Datum::High16Only => bits << 16,
        _ => bits,
    }
}

/// Stores; gives the address.
pub(super) fn store(i: &Sfpstore, thread: usize, core: &mut CoreState) -> Result<Address, Fault> {
    let operands = (i.instr_mod0, i.dest_reg_addr, i.sfpu_addr_mode);
    let moved =
        |address, datum, core: &mut CoreState| store_lanes(i.lreg_ind, address, datum, core);
    transfer((thread, Way::Store), operands, core, moved)
}

/// A store that SFPLOADMACRO has scheduled: it goes where that has loaded, and moves no counters.
pub(super) fn store_scheduled(
    i: &Sfpstore,
    thread: usize,
    address: Address,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let datum = datum_of_scheduled(i, thread, core)?;
    store_lanes(i.lreg_ind, address, datum, core)
}

fn datum_of_scheduled(i: &Sfpstore, thread: usize, core: &mut CoreState) -> Result<Datum, Fault> {
    if i.instr_mod0 == STACK && chip(core).has_stack {
        return Err(Fault::unmodelled(
            "a store to the stack (mode 10) by SFPLOADMACRO, of which no page says whether it moves the pointer; store in mode 4",
        ));
    }
    datum(core, thread, Way::Store, i.instr_mod0)
}

/// Notes the rows that such a store will write.
pub(super) fn note_scheduled(
    i: &Sfpstore,
    thread: usize,
    address: Address,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let datum = datum_of_scheduled(i, thread, core)?;
    let place = Place::new(address, datum, Way::Store, &core.regs.vector.config);
    core.access.dst_write.extend(place.rows());
    Ok(())
}

fn store_lanes(
    source: u32,
    address: Address,
    datum: Datum,
    core: &mut CoreState,
) -> Result<(), Fault> {
    let lanes = lanes(core, datum, NO_STORE);
    if lanes == 0 {
        return Ok(());
    }
    let place = Place::new(address, datum, Way::Store, &core.regs.vector.config);
    place.check_written(core)?;
    core.access.dst_write.extend(place.rows());
    let values = match datum {
        Datum::Zero => [0; LANES],
        _ => {
            check_known(core, source, lanes)?;
            core.regs.vector.lregs[source as usize]
        }
    };
    let chip = chip(core);
    check_storable(datum, lanes, &values, chip)?;
    let dst = &mut core.regs.dst;
    for (k, row) in (place.row..place.row + ROWS).enumerate() {
        let lanes = (k * COLUMNS..(k + 1) * COLUMNS).filter(|lane| lanes >> lane & 1 != 0);
        if place.wide {
            let mut datums = dst.row32(Row32::new(row))?;
            lanes.for_each(|lane| {
                datums[place.column(lane)] = stored_wide(datum, values[lane], chip);
            });
            dst.write_row32(Row32::new(row), datums);
        } else {
            let mut datums = dst.row16(row)?;
            lanes.for_each(|lane| {
                datums[place.column(lane)] = stored_narrow(datum, values[lane], chip);
            });
            dst.write_row16(row, datums);
        }
    }
    Ok(())
}

/// Refuses to store a denormal in FP32 where it is not known to become zero.
fn check_storable(datum: Datum, lanes: u32, values: &Lanes, chip: &Chip) -> Result<(), Fault> {
    let is_lost = |lane: &usize| sfpu::flush_denormal(values[*lane]) != values[*lane];
    if datum != Datum::Fp32 || chip.stores_flush {
        return Ok(());
    }
    match lanes_of(lanes).find(is_lost) {
        None => Ok(()),
        Some(lane) => Err(Fault::unmodelled(format!(
            "SFPSTORE of the denormal {:#010x} in FP32, on whose fate the sources disagree; flush it before, or store it in mode 4, which keeps it",
            values[lane]
        ))),
    }
}

/// The 32 bits of Dst that a value of an LReg becomes.
fn stored_wide(datum: Datum, value: u32, chip: &Chip) -> u32 {
    match datum {
        Datum::Int32Complement if chip.has_complements => {
            bits::dst_from_fp32(sfpu::sign_magnitude(value))
        }
        // These two are not rearranged.
        Datum::Low16 => value.rotate_left(16),
        Datum::High16 => value,
        // Where denormals are not flushed there are none.
        Datum::Fp32 => bits::dst_from_fp32(sfpu::flush_denormal(value)),
        _ => bits::dst_from_fp32(value),
    }
}

/// The sixteen bits.
fn stored_narrow(datum: Datum, value: u32, chip: &Chip) -> u16 {
    /// Integers of eight bits have the exponent of 1.
    const INT8: u16 = 16 << 10;
    let int8 = |x: u32| bits::dst_from_fp16((x >> 31 << 15) as u16 | INT8 | (x & 0x3FF) as u16);
    match datum {
        Datum::Fp16 => bits::dst_from_fp16(sfpu::store_fp16(value)),
        Datum::Bf16 => bits::dst_from_bf16(sfpu::store_bf16(value)),
        Datum::Int8 => int8(value),
        Datum::Int8Complement if chip.has_complements => int8(sfpu::sign_magnitude(value)),
        Datum::Int8Complement => int8(value),
        Datum::Int16 => (value >> 31 << 15) as u16 | (value & 0x7FFF) as u16,
        Datum::High16Only => (value >> 16) as u16,
        _ => value as u16,
    }
}
