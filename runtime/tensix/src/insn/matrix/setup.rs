//! Settings of an instruction, read from the configuration and the row counters.

use tessera_isa_tensix::cfg::ThreadField;
use tessera_isa_tensix::{cfg, Arch};

use super::unit::MatrixUnit;
use crate::arith::spec::bits::SRC_EXPONENT;
use crate::arith::spec::format::Format;
use crate::arith::spec::fpu::{Accumulator, Integers, Mode, Operation, Phase, SrcStyle};
use crate::arith::{Row, COLUMNS};
use crate::state::banks::{Banks, Src};
use crate::state::cached::Cached;
use crate::state::check_policy::CheckPolicy;
use crate::state::config::Config;
use crate::state::dst_rows::configured_layout;
use crate::state::formats::{dst_is_32bit, dst_row_base, must_be_zero};
use crate::state::matrix::{Arithmetic, CachedArithmetic, Configured};
use crate::state::regs::SrcFile;
use crate::state::rwc::DST_MASK;
use crate::trap::Fault;

impl Arithmetic {
    /// Returns the format in which rows of Dst are accessed. Integers have sign and magnitude,
    /// stored in the bit order of FP32.
    pub fn accumulator(self) -> Accumulator {
        match self {
            Arithmetic::Floats(mode) => mode.accumulator(),
            Arithmetic::Integers(_) => Accumulator::F32,
        }
    }

    /// Adds one phase of the products of the rows of `b` with `a` to the rows of `sums`.
    pub fn multiply(self, phase: Phase, a: &[Row; COLUMNS], b: &[Row], sums: &mut [Row]) {
        match self {
            Arithmetic::Floats(mode) => {
                let a = a.map(|row| mode.decode_a(&row, phase));
                for (b, sums) in b.iter().zip(sums) {
                    *sums = mode.dot(phase, &a, &mode.decode_b(b, phase), sums);
                }
            }
            Arithmetic::Integers(integers) => {
                for (b, sums) in b.iter().zip(sums) {
                    *sums = integers.dot(phase, a, b, sums);
                }
            }
        }
    }

    /// Adds the result of an operation on `a` and `b` to each element of `sums`.
    pub fn elementwise(
        self,
        operation: Operation,
        phase: Phase,
        a: &[Row],
        b: &[Row],
        sums: &mut [Row],
    ) {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        for ((&a, &b), sum) in pairs.zip(sums.iter_mut().flatten()) {
            *sum = match self {
                Arithmetic::Floats(mode) => mode.elementwise(operation, phase, a, b, *sum),
                Arithmetic::Integers(integers) => {
                    integers.elementwise(operation, phase, a, b, *sum)
                }
            };
        }
    }
}

/// The arithmetic settings of one instruction.
///
/// Functions that are not inlined get a copy: the settings then stay in registers for the others.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub arithmetic: Arithmetic,
    pub phase: Phase,
    /// The first Dst row.
    pub dst_row: usize,
    mixed: bool,
    denormals: bool,
}

impl Setup {
    /// Reads the settings of an instruction whose immediate first Dst row is `dst`.
    #[inline(always)] // A result in memory would be waited for.
    pub fn read(unit: &mut MatrixUnit, thread: usize, dst: u32) -> Result<Setup, Fault> {
        let implied = [Src::A, Src::B].map(|which| bank_format((unit.config, unit.banks), which));
        let slot = &mut unit.arithmetic_cache[thread];
        // Settings that were just computed are read from the cache, too: in registers only those
        // are wanted that are used.
        let known = match slot {
            Some(known) if known.is_valid(unit.config.version(), implied) => known,
            _ => {
                let sources = (unit.config, &*unit.banks, unit.check_policy);
                compute_configured(sources, slot, thread, implied)?
            }
        };
        unit.config.note_reads(&known.reads);
        let configured = &known.settings;
        unit.dst.set_layout(configured.layout);
        let rwc = &unit.rwcs[thread];
        Ok(Setup {
            arithmetic: configured.arithmetic,
            phase: Phase::new(rwc.fidelity + configured.phase),
            dst_row: ((dst + rwc.dst.value + configured.dst_base) & DST_MASK) as usize,
            mixed: configured.mixed,
            denormals: configured.denormals,
        })
    }

    /// Returns `count` rows of the Matrix Unit's current bank.
    pub fn source<'a>(
        &self,
        unit: &'a MatrixUnit,
        which: Src,
        first: usize,
        count: usize,
    ) -> Result<&'a [Row], Fault> {
        self.rows(
            unit.src(which),
            unit.banks.matrix_bank(which),
            which,
            first,
            count,
        )
    }

    /// Returns `count` rows of a bank of SrcA or SrcB.
    #[inline(always)]
    pub fn rows<'a>(
        &self,
        file: &'a SrcFile,
        bank: usize,
        which: Src,
        first: usize,
        count: usize,
    ) -> Result<&'a [Row], Fault> {
        let rows = file.rows(bank, first, count)?;
        let five_bits = match self.arithmetic {
            Arithmetic::Floats(mode) => mode.style == SrcStyle::Fp16,
            Arithmetic::Integers(_) => true,
        };
        let is_float = matches!(self.arithmetic, Arithmetic::Floats(_));
        if is_float && self.denormals && which == Src::B {
            refuse_denormals(rows, first)?;
        }
        let mixed = self.mixed && which == Src::B;
        if five_bits || mixed {
            refuse_foreign(rows, which, first, [five_bits, mixed])?;
        }
        Ok(rows)
    }
}

/// Refuses datums that do not belong to their format: those with more than five bits of exponent,
/// or with a mantissa of TF32.
fn refuse_foreign(
    rows: &[Row],
    which: Src,
    first: usize,
    [five_bits, mixed]: [bool; 2],
) -> Result<(), Fault> {
    let bits = rows.iter().flatten().fold(0, |bits, datum| bits | datum);
    if five_bits && bits & SRC_EXPONENT & !0x1F != 0 {
        return Err(Fault::unmodelled(format!(
            "Src{which:?} rows from {first} read as FP16 or integers hold datums with more than 5 \
             exponent bits; unpack such data"
        )));
    }
    if mixed && bits & LOW_MANTISSA != 0 {
        return Err(Fault::unmodelled(format!(
            "SrcB rows from {first} hold mantissas of TF32 where one source is BF16, which the \
             documentation and ttsim read differently; give both sources the same format"
        )));
    }
    Ok(())
}

impl Setup {
    /// Returns whether [`Setup::refuse_kept_zeros`] might refuse rows.
    #[inline(always)]
    pub fn keeps_zeros(&self) -> bool {
        self.denormals && matches!(self.arithmetic, Arithmetic::Floats(_))
    }

    /// Refuses to multiply by, or subtract, a zero in SrcB if the configuration keeps denormals:
    /// ttsim 1.10.0 then reads it as the smallest power of two.
    pub fn refuse_kept_zeros(&self, rows: &[Row]) -> Result<(), Fault> {
        let is_zero = |datum: &u32| datum & SRC_EXPONENT == 0;
        match self.keeps_zeros() && rows.iter().flatten().any(is_zero) {
            true => Err(Fault::unmodelled(
                "ELWMUL or ELWSUB of zero in SrcB while ALU_ACC_CTRL_Zero_Flag_disabled_src is 1; \
                 clear the field",
            )),
            false => Ok(()),
        }
    }
}

/// Refuses denormals and -0 in SrcB if the configuration keeps them. ttsim 1.10.0 keeps them in
/// ELWADD, ELWSUB and ELWMUL only, as numbers with a hidden one; the documentation does not define
/// it. Other instructions ignore the setting.
fn refuse_denormals(rows: &[Row], first: usize) -> Result<(), Fault> {
    let kept = |datum: &u32| *datum != 0 && datum & SRC_EXPONENT == 0;
    match rows.iter().flatten().any(kept) {
        true => Err(Fault::unmodelled(format!(
            "arithmetic on denormals or -0 in SrcB rows from {first} \
             (ALU_ACC_CTRL_Zero_Flag_disabled_src is 1); clear the field"
        ))),
        false => Ok(()),
    }
}

/// The bits of a datum of SrcB beyond its format that the target of a move has. The latest page of
/// MOVB2A drops them; ttsim 1.10.0 drops them in MOVB2D only, whose page does not.
pub(super) struct DisputedBits {
    format: Format,
    pub mask: u32,
}

impl DisputedBits {
    /// Returns those of a move to datums of a style.
    pub fn read(
        (config, banks): (&Config, &Banks),
        thread: usize,
        target: SrcStyle,
    ) -> Result<Self, Fault> {
        let implied = implied_format((config, banks), thread, Src::B)?;
        let configured = || Format::read(config, thread, cfg::ALU_FORMAT_SPEC_REG1_SrcB);
        let format = implied.unwrap_or_else(configured);
        Ok(DisputedBits {
            format,
            mask: bits_beyond(format.style()?) & !bits_beyond(target),
        })
    }

    /// Refuses datums that have some of them.
    pub fn refuse(&self, datums: &Row) -> Result<(), Fault> {
        match datums.iter().any(|datum| datum & self.mask != 0) {
            false => Ok(()),
            true => Err(Fault::unmodelled(format!(
                "moving a row of SrcB with datums that have more bits than its format {}, which \
                 the sources cut off or keep; set the format of what was unpacked",
                self.format
            ))),
        }
    }
}

/// Returns the bits of a datum in Src that its style does not use.
fn bits_beyond(style: SrcStyle) -> u32 {
    match style {
        SrcStyle::Tf32 => 0,
        SrcStyle::Bf16 => LOW_MANTISSA,
        SrcStyle::Fp16 => SRC_EXPONENT & !0x1F,
    }
}

/// The mantissa bits that TF32 has and BF16 does not have.
const LOW_MANTISSA: u32 = 7 << 8;

/// Returns the format that the matrix unit's bank has implied, on which settings may depend.
#[inline(always)]
pub(super) fn bank_format((config, banks): (&Config, &Banks), which: Src) -> Option<Format> {
    match config.arch() {
        Arch::WormholeB0 => None,
        Arch::Blackhole => banks.implied_format(which, banks.matrix_bank(which)),
    }
}

/// Computes the settings of the configuration, and keeps them.
#[cold]
fn compute_configured<'a>(
    (config, banks, check_policy): (&Config, &Banks, CheckPolicy),
    slot: &'a mut Option<CachedArithmetic>,
    thread: usize,
    implied: [Option<Format>; 2],
) -> Result<&'a mut CachedArithmetic, Fault> {
    let computed = Cached::compute(config, implied, || {
        let implied = implied_formats((config, banks), thread)?;
        read((config, check_policy), thread, implied)
    })?;
    Ok(slot.insert(computed))
}

fn read(
    (config, check_policy): (&Config, CheckPolicy),
    thread: usize,
    implied: [Option<Format>; 2],
) -> Result<Configured, Fault> {
    refuse_unknown_modes(config, thread)?;
    must_be_zero(
        config,
        thread,
        &[(
            cfg::ALU_ROUNDING_MODE_Fpu_srnd_en,
            "stochastic rounding in the matrix unit",
        )],
    )?;
    let get = |field| config.get(thread, field);
    let dst32 = dst_is_32bit(config, check_policy, thread)?;
    let denormals = get(cfg::ALU_ACC_CTRL_Zero_Flag_disabled_src) != 0;
    let of = |arithmetic, mixed| Configured {
        arithmetic,
        mixed,
        denormals,
        phase: config.thread(thread, cfg::FIDELITY_BASE_Phase),
        dst_base: dst_row_base(config, thread),
        layout: configured_layout(config, thread),
    };
    if get(cfg::ALU_ACC_CTRL_INT8_math_enabled) != 0 {
        let integers = Integers { keep_b: denormals };
        return Ok(of(Arithmetic::Integers(integers), false));
    }
    let a = implied[0].unwrap_or_else(|| configured_format(config, thread));
    let b =
        implied[1].unwrap_or_else(|| Format::read(config, thread, cfg::ALU_FORMAT_SPEC_REG1_SrcB));
    let (style, style_b) = (a.style()?, b.style()?);
    let fits = (style == SrcStyle::Fp16) == (style_b == SrcStyle::Fp16);
    if a.is_integer() || !fits {
        return Err(Fault::unmodelled(format!(
            "arithmetic with SrcA in {a} and SrcB in {b}; give both the same format of floats, or \
             set ALU_ACC_CTRL_INT8_math_enabled"
        )));
    }
    let mode = Mode {
        style,
        dst32,
        minus_one_bug: config.arch() == Arch::WormholeB0,
    };
    Ok(of(Arithmetic::Floats(mode), style != style_b))
}

/// Returns the formats implied by the banks of SrcA and SrcB, or none for a source whose configured
/// format is used instead: always on Wormhole B0, and on Blackhole if the thread's configuration
/// selects it. Integer arithmetic ignores formats.
///
/// # Errors
/// Undefined if a bank's implied format is undefined.
fn implied_formats(
    (config, banks): (&Config, &Banks),
    thread: usize,
) -> Result<[Option<Format>; 2], Fault> {
    if config.arch() != Arch::Blackhole {
        return Ok([None; 2]);
    }
    match config.get(thread, cfg::ALU_ACC_CTRL_INT8_math_enabled) {
        0 => Ok([
            implied_format((config, banks), thread, Src::A)?,
            implied_format((config, banks), thread, Src::B)?,
        ]),
        _ => Ok([None; 2]),
    }
}

/// Like [`implied_formats`], for one source.
pub(super) fn implied_format(
    (config, banks): (&Config, &Banks),
    thread: usize,
    which: Src,
) -> Result<Option<Format>, Fault> {
    if config.arch() != Arch::Blackhole || config.thread(thread, implied_disable(which)) != 0 {
        return Ok(None);
    }
    let bank = banks.matrix_bank(which);
    let format = banks.implied_format(which, bank);
    format.map(Some).ok_or_else(|| {
        Fault::undefined(format!(
            "the format of Src{which:?} bank {bank} is implied by its unpacker, which has not \
             handed it over; hand it over by UNPACR or UNPACR_NOP, or set {}",
            implied_disable(which).name
        ))
    })
}

/// Returns the field that makes the configured format of a source apply.
pub(super) fn implied_disable(which: Src) -> ThreadField {
    match which {
        Src::A => cfg::DISABLE_IMPLIED_SRCA_FMT_Base,
        Src::B => cfg::DISABLE_IMPLIED_SRCB_FMT_Base,
    }
}

/// Returns the configured format of SrcA.
pub(super) fn configured_format(config: &Config, thread: usize) -> Format {
    let own = cfg::ALU_FORMAT_SPEC_REG0_SrcA;
    let overrides = [
        cfg::ALU_FORMAT_SPEC_REG_SrcA_override,
        cfg::ALU_FORMAT_SPEC_REG_SrcA_val,
    ];
    Format::overridden(config, thread, own, overrides)
}

/// Traps settings shared by arithmetic and moves. FP16A_FORCE_Enable is documented, but does not
/// exist in hardware according to ttsim 1.10.0. The effect of overriding SrcB's format is
/// undocumented here.
pub(super) fn refuse_unknown_modes(config: &Config, thread: usize) -> Result<(), Fault> {
    if config.thread(thread, cfg::FP16A_FORCE_Enable) != 0 {
        return Err(Fault::unmodelled("FP16A_FORCE_Enable; clear it"));
    }
    must_be_zero(
        config,
        thread,
        &[(
            cfg::ALU_FORMAT_SPEC_REG_SrcB_override,
            "the SrcB format override",
        )],
    )
}

/// Returns `row` if it is a multiple of `of`, else an error. The hardware would ignore the low
/// bits, which indicates wrong address modes in the program.
#[inline(always)]
pub(super) fn aligned(file: &str, row: usize, of: usize) -> Result<usize, Fault> {
    match row % of {
        0 => Ok(row),
        _ => Err(unaligned(file, row, of)),
    }
}

#[cold]
fn unaligned(file: &str, row: usize, of: usize) -> Fault {
    Fault::unmodelled(format!(
        "{file} row {row} where a multiple of {of} is wanted; check the row counters"
    ))
}
