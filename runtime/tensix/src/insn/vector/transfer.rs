//! What an SFPLOAD or SFPSTORE transfers: the format of its datums and their address in Dst, from
//! its operands, the configuration and the row counters.
//!
//! What comes from the configuration is cached until a word of it changes.

use tessera_isa_tensix::cfg;

use super::chip::features_of;
use super::unit::VectorUnit;
use crate::arith::spec::format::Format;
use crate::arith::spec::fpu::SrcStyle;
use crate::arith::spec::sfpu::transfer::{Datum, Direction};
use crate::state::cached::Cached;
use crate::state::check_policy::CheckPolicy;
use crate::state::config::Config;
use crate::state::dst_rows::configured_layout;
use crate::state::formats::dst_is_32bit;
use crate::state::rwc::{Rwc, DST_MASK};
use crate::state::vector::{Address, TransferSettings};
use crate::trap::Fault;

/// The mode of [`Datum::Int32All`].
pub(super) const STACK: u32 = 10;

/// The formats of the modes. Mode 0 stands for one of the next three.
const MODES: [Datum; 16] = [
    Datum::Fp32,
    Datum::Fp16,
    Datum::Bf16,
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

fn mnemonic(direction: Direction) -> &'static str {
    match direction {
        Direction::Load => "SFPLOAD",
        Direction::Store => "SFPSTORE",
    }
}

/// The transfers of a thread: what they take from the configuration.
#[derive(Clone, Copy)]
pub(super) struct Transfers {
    settings: TransferSettings,
    thread: usize,
    direction: Direction,
    mode: u32,
}

impl Transfers {
    /// Reads the settings of transfers in a mode. Also applies the configured layout of Dst.
    #[inline(always)] // A result in memory would be waited for.
    pub(super) fn read(
        unit: &mut VectorUnit,
        (thread, direction): (usize, Direction),
        mode: u32,
    ) -> Result<Transfers, Fault> {
        let settings = settings(unit, thread, mode == 0)?;
        unit.dst.set_layout(settings.layout);
        Ok(Transfers {
            settings,
            thread,
            direction,
            mode,
        })
    }

    /// Returns the format, which must fit the width of Dst.
    #[inline(always)]
    pub(super) fn datum(&self) -> Result<Datum, Fault> {
        let mode = match self.mode {
            0 => self.settings.mode_0,
            mode => mode,
        };
        let datum = MODES[mode as usize];
        let touches = self.direction == Direction::Store || datum != Datum::Zero;
        match touches && datum.is_wide(self.direction) != self.settings.wide {
            true => Err({ *self }.other_width()),
            false => Ok(datum),
        }
    }

    #[cold]
    fn other_width(&self) -> Fault {
        Fault::undefined(format!(
            "{} in mode {} on a {}-bit Dst; use mode 0 or the one that fits",
            mnemonic(self.direction),
            self.mode,
            if self.settings.wide { 32 } else { 16 }
        ))
    }

    /// Returns the address of an instruction; moves the stack pointer if it accesses the stack.
    #[inline(always)]
    pub(super) fn address(&self, unit: &mut VectorUnit, immediate: u32, datum: Datum) -> Address {
        let settings = &self.settings;
        let rwc = &mut unit.rwcs[self.thread];
        let fixed = immediate + settings.offset;
        let moving = rwc.dst.value + settings.base;
        let has_stack = features_of(unit.config.arch()).has_stack;
        let (near, far) = match (has_stack, datum) {
            (false, Datum::Int32All) => (moving, 0),
            (false, _) => return Address(((fixed + moving) & DST_MASK) as usize),
            (true, Datum::Int32All) => (moving, { *self }.move_pointer(unit.config, rwc)),
            (true, _) => (rwc.stack + settings.stack_base, moving),
        };
        Address((fixed.wrapping_add(far).wrapping_add(near & 3) & DST_MASK) as usize)
    }

    /// Moves the stack pointer, and returns the row to be accessed.
    fn move_pointer(&self, config: &Config, rwc: &mut Rwc) -> u32 {
        move_pointer(config, rwc, (self.thread, self.direction)) + self.settings.stack_base
    }
}

/// Moves the stack pointer of a thread, and returns its value for the access.
pub(super) fn move_pointer(
    config: &Config,
    rwc: &mut Rwc,
    (thread, direction): (usize, Direction),
) -> u32 {
    let by = config.thread(thread, cfg::SFPU_STACK_Incr);
    match direction {
        Direction::Load => {
            rwc.pop(by);
            rwc.stack
        }
        Direction::Store => {
            let pointer = rwc.stack;
            rwc.push(by);
            pointer
        }
    }
}

impl Address {
    /// Returns whether two addresses select the same datums.
    pub(super) fn is_that_of(self, other: Address) -> bool {
        self.0 >> 1 == other.0 >> 1
    }
}

/// Returns the settings of a thread's transfers, recomputed if the configuration has changed. Only
/// those of mode 0 depend on formats.
#[inline(always)]
fn settings(
    unit: &mut VectorUnit,
    thread: usize,
    is_mode_0: bool,
) -> Result<TransferSettings, Fault> {
    let slot = &mut unit.vector.transfer_cache[thread][usize::from(is_mode_0)];
    // Settings that were just computed are read from the cache, too: in registers only those are
    // wanted that are used.
    let known = match slot {
        Some(known) if known.is_valid(unit.config.version(), []) => known,
        _ => compute_settings((unit.config, unit.check_policy), slot, thread, is_mode_0)?,
    };
    unit.config.note_reads(&known.reads);
    Ok(known.settings)
}

#[cold]
fn compute_settings<'a>(
    (config, check_policy): (&Config, CheckPolicy),
    slot: &'a mut Option<Cached<TransferSettings, 0>>,
    thread: usize,
    is_mode_0: bool,
) -> Result<&'a mut Cached<TransferSettings, 0>, Fault> {
    let read = || read_settings((config, check_policy), thread, is_mode_0);
    Ok(slot.insert(Cached::compute(config, [], read)?))
}

fn read_settings(
    (config, check_policy): (&Config, CheckPolicy),
    thread: usize,
    is_mode_0: bool,
) -> Result<TransferSettings, Fault> {
    let wide = dst_is_32bit(config, check_policy, thread)?;
    let mode_0 = match is_mode_0 {
        false => 0,
        true if config.get(thread, cfg::ALU_ACC_CTRL_SFPU_Fp32_enabled) != 0 => 3,
        true => match format_of_dst(config, thread).style()? {
            SrcStyle::Fp16 => 1,
            _ => 2,
        },
    };
    Ok(TransferSettings {
        mode_0,
        wide,
        offset: config.thread(thread, cfg::DEST_TARGET_REG_CFG_MATH_Offset),
        base: config.get(thread, cfg::DEST_REGW_BASE_Base),
        stack_base: match features_of(config.arch()).has_stack {
            true => config.get(thread, cfg::DEST_SP_BASE_Base),
            false => 0,
        },
        layout: configured_layout(config, thread),
    })
}

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
