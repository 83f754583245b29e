//! Control and status registers of Blackhole's cores.
//!
//! Registers whose bits only affect the speed of the chip are plain words; so are those of the
//! caches, which are not modelled. The instruction counter excludes iterations of a polling loop
//! that the model skips.
//!
//! Refused by number, because their values are undocumented: events of the performance counters
//! other than 0, the vector length and type before they are set, a T core's copies of overlay
//! registers, the flags of `fcsr` after floating-point arithmetic.
//!
//! Source: Tensix ISA documentation, `BlackholeA0/TensixTile/BabyRISCV/CSRs.md`.

use crate::bus::Bus;
use crate::float::{Kind, Rounding, BFLOAT, HALF};
use crate::isa::{Extension, Isa};
use crate::vector::{Config, VectorError, Vtype};

/// `cfg0`, and its modelled bits.
const CFG0: u16 = 0x7c0;
const CLEAR_ON_READ: u32 = 1 << 8;
const FREEZE_STATUS: u32 = 1 << 29;
const BFLOAT_FOR_HALF: u32 = 1 << 30;
const BFLOAT_TO_NEAREST: u32 = 1 << 31;
/// The reset value of `cfg0`: 16 in `StMergeTimer`.
const CFG0_AT_RESET: u32 = 16 << 13;
/// The first status register, and their number: `tt_cfg_qstatus`, `tt_cfg_bstatus`,
/// `tt_cfg_sstatus0` to 7.
const STATUS: u16 = 0xbc0;
const STATUSES: usize = 10;
/// Number of status registers of the coprocessor; the others are plain words on interruptible
/// cores.
const COPROCESSOR_STATUSES: usize = 2;

/// Why a control register cannot be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CsrError {
    /// The register does not exist.
    #[error("there is no control register {0:#x}")]
    None(u16),
    /// The value of the register is not modelled.
    #[error("control register {0:#x} is not modelled: {1}")]
    NotModelled(u16, &'static str),
    /// A write in an interrupt handler, which a hardware bug forbids (`PIC.md`).
    #[error("writes control register {0:#x} in an interrupt handler, which the hardware cannot")]
    InHandler(u16),
}

/// The meaning of a register number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Csr {
    /// A constant; writes are ignored.
    Constant(u32),
    /// The word with this index in [`Csrs::words`]; the mask has the existing bits.
    Word(usize, u32),
    /// A half of the clock.
    Cycles(Half),
    /// A half of the instruction count.
    Retired(Half),
    /// The event of a performance counter.
    Event,
    /// The inhibition of performance counters.
    Inhibit,
    /// A status register maintained by hardware.
    Status(usize),
    /// The vector length and type.
    Vl,
    Vtype,
    /// A register that exists, but is not modelled.
    Unknown(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Low,
    High,
}

impl Half {
    fn extract(self, value: u64) -> u32 {
        match self {
            Half::Low => value as u32,
            Half::High => (value >> 32) as u32,
        }
    }

    /// Returns `value` with this half replaced.
    fn replace(self, value: u64, half: u32) -> u64 {
        match self {
            Half::Low => value & !0xffff_ffff | u64::from(half),
            Half::High => value & 0xffff_ffff | u64::from(half) << 32,
        }
    }
}

/// Indices in [`Csrs::words`].
const WORD_CFG0: usize = 0;
const WORD_PMA: usize = 1;
const WORD_SCRATCH: usize = 3;
const WORD_FCSR: usize = 7;
const WORD_COUNTERS: usize = 8;
const WORD_RESTORE: usize = 12;
const WORD_VLENB: usize = 13;
const WORD_VXSAT: usize = 14;
const WORD_VXRM: usize = 15;
const WORD_STATUS: usize = 16;
const WORDS: usize = WORD_STATUS + STATUSES;

fn csr(number: u16, isa: Isa) -> Option<Csr> {
    let vector = |csr| isa.has(Extension::V).then_some(csr);
    Some(match number {
        0x003 => Csr::Word(WORD_FCSR, 0xff),
        0x008 => return vector(Csr::Constant(0)),
        0x009 => return vector(Csr::Word(WORD_VXSAT, 1)),
        0x00a => return vector(Csr::Word(WORD_VXRM, 3)),
        0xc20 => return vector(Csr::Vl),
        0xc21 => return vector(Csr::Vtype),
        0xc22 => return vector(Csr::Word(WORD_VLENB, u32::MAX)),
        0x300 => Csr::Constant(0x8000_6600),
        0x301 => Csr::Constant(0x4020_1123),
        0x320 => Csr::Inhibit,
        0x323 | 0x324 => Csr::Event,
        CFG0 => Csr::Word(WORD_CFG0, u32::MAX),
        0x7c1 | 0x7c2 => Csr::Word(WORD_PMA + usize::from(number - 0x7c1), u32::MAX),
        0x7c3..=0x7c6 => Csr::Word(WORD_SCRATCH + usize::from(number - 0x7c3), u32::MAX),
        0xb00 | 0xc00 => Csr::Cycles(Half::Low),
        0xb80 | 0xc80 => Csr::Cycles(Half::High),
        0xb02 | 0xc02 => Csr::Retired(Half::Low),
        0xb82 | 0xc82 => Csr::Retired(Half::High),
        0xb03 | 0xb04 => Csr::Word(WORD_COUNTERS + usize::from(number - 0xb03), u32::MAX),
        0xb83 | 0xb84 => Csr::Word(WORD_COUNTERS + usize::from(number - 0xb81), u32::MAX),
        STATUS..=0xbc9 => status(usize::from(number - STATUS), isa),
        0xbca => Csr::Word(WORD_RESTORE, u32::MAX),
        0xf14 => Csr::Constant(0),
        _ => return None,
    })
}

fn status(k: usize, isa: Isa) -> Csr {
    match k {
        0..COPROCESSOR_STATUSES => Csr::Status(k),
        _ if isa.has(Extension::Mret) => Csr::Word(WORD_STATUS + k, u32::MAX),
        _ => Csr::Unknown("which stream's overlay register it shows is not documented"),
    }
}

fn unset(number: u16) -> CsrError {
    CsrError::NotModelled(number, "its initial value is not documented")
}

/// The control registers of one core.
#[derive(Clone, Debug)]
pub(crate) struct Csrs {
    isa: Isa,
    words: [u32; WORDS],
    /// Whether floating-point arithmetic may have raised flags since `fcsr` was written.
    flags_unknown: bool,
    /// Offsets of the clock and the instruction count, set by writes.
    cycles: u64,
    retired: u64,
    /// The vector length and type, once set.
    vl: Option<u32>,
    vtype: Option<Vtype>,
}

impl Csrs {
    /// Creates the registers in their reset state.
    pub(crate) fn new(isa: Isa) -> Self {
        let mut words = [0; WORDS];
        words[WORD_CFG0] = CFG0_AT_RESET;
        words[WORD_VLENB] = 16;
        Csrs {
            isa,
            words,
            flags_unknown: false,
            cycles: 0,
            retired: 0,
            vl: None,
            vtype: None,
        }
    }

    fn has(&self, cfg0: u32) -> bool {
        self.words[WORD_CFG0] & cfg0 != 0
    }

    /// Returns whether memory accesses behave as if each was preceded by a fence.
    pub(crate) fn orders_everything(&self) -> bool {
        (self.words[WORD_PMA] | self.words[WORD_PMA + 1]) & 1 != 0
    }

    /// Records that floating-point arithmetic may have raised flags.
    pub(crate) fn computed(&mut self) {
        self.flags_unknown = true;
    }

    /// Returns the format and the rounding of half-precision instructions.
    pub(crate) fn half_precision(&self) -> (Kind, Rounding) {
        match (self.has(BFLOAT_FOR_HALF), self.has(BFLOAT_TO_NEAREST)) {
            (false, _) => (HALF, Rounding::Nearest),
            (true, true) => (BFLOAT, Rounding::Nearest),
            (true, false) => (BFLOAT, Rounding::TowardsZero),
        }
    }

    /// Returns the configuration of vector instructions.
    pub(crate) fn vectors(&self) -> Result<Config, VectorError> {
        match (self.vtype, self.vl) {
            (Some(vtype), Some(vl)) => Config::new(vtype, vl, self.words[WORD_VXRM]),
            _ => Err(VectorError::NotConfigured),
        }
    }

    /// Sets the vector type. Sets the vector length to the minimum of `length` and the capacity, or
    /// keeps it. Returns the vector length.
    pub(crate) fn set_vectors(
        &mut self,
        vtype: Vtype,
        length: Option<u32>,
    ) -> Result<u32, VectorError> {
        let room = vtype.room()?;
        let vl = match length {
            Some(length) => length.min(room),
            None => {
                let before = self.vectors()?;
                if before.room() != room {
                    return Err(VectorError::KeptLength);
                }
                before.vl
            }
        };
        (self.vtype, self.vl) = (Some(vtype), Some(vl));
        Ok(vl)
    }

    /// Records that a fixed-point result was saturated.
    pub(crate) fn saturated(&mut self) {
        self.words[WORD_VXSAT] = 1;
    }

    /// Records that the core was interrupted and will continue at `pc`.
    pub(crate) fn interrupted(&mut self, pc: u32) {
        self.words[WORD_RESTORE] = pc;
    }

    /// Returns whether reading a register has side effects or returns different values.
    pub(crate) fn reading_changes(&self, number: u16) -> bool {
        !matches!(csr(number, self.isa), Some(Csr::Constant(_)))
    }

    /// Reads a register, after `retired` instructions.
    pub(crate) fn read<B: Bus>(
        &mut self,
        number: u16,
        bus: &mut B,
        retired: u64,
    ) -> Result<u32, CsrError> {
        let clock = |bus: &B| {
            let unknown = CsrError::NotModelled(number, "there is no clock");
            bus.cycles().ok_or(unknown)
        };
        match csr(number, self.isa).ok_or(CsrError::None(number))? {
            Csr::Constant(value) => Ok(value),
            Csr::Word(WORD_FCSR, _) if self.flags_unknown => {
                let why = "the flags that arithmetic on denormals raises are not documented";
                Err(CsrError::NotModelled(number, why))
            }
            Csr::Word(k, _) => {
                let counters = WORD_COUNTERS..WORD_COUNTERS + 4;
                let value = self.words[k];
                if counters.contains(&k) && self.has(CLEAR_ON_READ) {
                    self.words[k] = 0;
                }
                Ok(value)
            }
            Csr::Cycles(half) => Ok(half.extract(clock(bus)?.wrapping_add(self.cycles))),
            Csr::Retired(half) => Ok(half.extract(retired.wrapping_add(self.retired))),
            Csr::Event | Csr::Inhibit => Ok(0),
            Csr::Vl => self.vl.ok_or(unset(number)),
            Csr::Vtype => self.vtype.map(|Vtype(bits)| bits).ok_or(unset(number)),
            Csr::Status(k) if self.has(FREEZE_STATUS) => Ok(self.words[WORD_STATUS + k]),
            Csr::Status(k) => self.status(k, bus),
            Csr::Unknown(why) => Err(CsrError::NotModelled(number, why)),
        }
    }

    fn status<B: Bus>(&self, k: usize, bus: &mut B) -> Result<u32, CsrError> {
        let number = STATUS + k as u16;
        let unknown = CsrError::NotModelled(number, "there is no coprocessor");
        bus.status(k).ok_or(unknown)
    }

    /// Writes a register, after `retired` instructions.
    pub(crate) fn write<B: Bus>(
        &mut self,
        number: u16,
        value: u32,
        bus: &mut B,
        retired: u64,
    ) -> Result<(), CsrError> {
        match csr(number, self.isa).ok_or(CsrError::None(number))? {
            Csr::Constant(_) => {}
            Csr::Word(WORD_CFG0, _) => self.configure(value, bus)?,
            Csr::Word(WORD_FCSR, mask) => {
                self.words[WORD_FCSR] = value & mask;
                self.flags_unknown = false;
            }
            Csr::Word(k, mask) => self.words[k] = value & mask,
            Csr::Cycles(half) => {
                let unknown = CsrError::NotModelled(number, "there is no clock");
                let clock = bus.cycles().ok_or(unknown)?;
                let now = half.replace(clock.wrapping_add(self.cycles), value);
                self.cycles = now.wrapping_sub(clock);
            }
            Csr::Retired(half) => {
                let now = half.replace(retired.wrapping_add(self.retired), value);
                self.retired = now.wrapping_sub(retired);
            }
            Csr::Event if value != 0 => {
                let why = "the events that are counted are not documented";
                return Err(CsrError::NotModelled(number, why));
            }
            Csr::Inhibit if value != 0 => {
                let why = "its bits are not documented";
                return Err(CsrError::NotModelled(number, why));
            }
            Csr::Event | Csr::Inhibit => {}
            Csr::Vl | Csr::Vtype if value >= 0x100 => {
                return Err(CsrError::NotModelled(number, "it has no such bits"));
            }
            Csr::Vl => self.vl = Some(value),
            Csr::Vtype => self.vtype = Some(Vtype(value)),
            // The hardware restores its own value at once.
            Csr::Status(k) if self.has(FREEZE_STATUS) => self.words[WORD_STATUS + k] = value,
            Csr::Status(_) => {}
            Csr::Unknown(why) => return Err(CsrError::NotModelled(number, why)),
        }
        Ok(())
    }

    fn configure<B: Bus>(&mut self, value: u32, bus: &mut B) -> Result<(), CsrError> {
        if value & FREEZE_STATUS != 0 && !self.has(FREEZE_STATUS) {
            for k in 0..COPROCESSOR_STATUSES {
                self.words[WORD_STATUS + k] = self.status(k, bus)?;
            }
        }
        self.words[WORD_CFG0] = value;
        Ok(())
    }
}
