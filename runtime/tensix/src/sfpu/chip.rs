//! In what the vector units of the chips differ.

use tessera_isa_tensix::Arch;

use crate::core_state::CoreState;
use crate::numerics::sfpu::Arithmetic;

/// What a vector unit can do, and how it does it.
#[derive(Debug)]
pub(super) struct ChipFeatures {
    /// How it multiplies and adds.
    pub(super) arithmetic: Arithmetic,
    /// The same, of one lane.
    pub(super) mad: fn(u32, u32, u32) -> u32,
    /// Multiply-adds can negate VB and VC (`SFPMAD.md`).
    pub(super) negates: bool,
    /// SFPAND and SFPOR can have a VB (`SFPAND.md`).
    pub(super) has_third_operand: bool,
    /// SFPSHFT can let the sign in and shift VC (`SFPSHFT.md`).
    pub(super) shifts_arithmetically: bool,
    /// SFPSTOCHRND can round to zero (`SFPSTOCHRND_FloatFloat.md`).
    pub(super) rounds_to_zero: bool,
    /// SFPCAST has modes between integers (`SFPCAST_IntInt.md`, `SFPCAST_IntAbs.md`).
    pub(super) casts_between_integers: bool,
    /// SFPPUSHC can change the top of the stack (`SFPPUSHC.md`).
    pub(super) changes_top: bool,
    /// SFPPOPC that only looks at a full stack leaves its bottom alone (`SFPPOPC.md`).
    pub(super) keeps_bottom: bool,
    /// SFPSHFT2 in mode 4 shifts zeros in (`SFPSHFT2.md`).
    pub(super) shifts_zero_in: bool,
    /// Modes 12 and 13 of SFPLOAD and SFPSTORE convert between sign and magnitude and two's
    /// complement (`SFPLOAD.md`).
    pub(super) has_complements: bool,
    /// The bits of a magnitude that SFPLOAD takes in mode 5 (`SFPLOAD.md`).
    pub(super) int8_magnitude: u32,
    /// SFPSTORE of FP32 makes denormals zero (`SFPSTORE.md`).
    pub(super) stores_flush: bool,
    /// Mode 10 of SFPLOAD and SFPSTORE pops and pushes (`SFPLOAD.md`).
    pub(super) has_stack: bool,
    /// The hardware holds an instruction back that needs the result of the one before, as far as it
    /// notices (`SFPMAD.md`).
    pub(super) stalls: bool,
}

static WORMHOLE: ChipFeatures = ChipFeatures {
    arithmetic: Arithmetic::Wormhole,
    mad: Arithmetic::Wormhole.mad(),
    negates: false,
    has_third_operand: false,
    shifts_arithmetically: false,
    rounds_to_zero: false,
    casts_between_integers: false,
    changes_top: false,
    keeps_bottom: false,
    shifts_zero_in: false,
    has_complements: true,
    int8_magnitude: 0x7F,
    stores_flush: false,
    has_stack: false,
    stalls: false,
};

static BLACKHOLE: ChipFeatures = ChipFeatures {
    arithmetic: Arithmetic::Blackhole,
    mad: Arithmetic::Blackhole.mad(),
    negates: true,
    has_third_operand: true,
    shifts_arithmetically: true,
    rounds_to_zero: true,
    casts_between_integers: true,
    changes_top: true,
    keeps_bottom: true,
    shifts_zero_in: true,
    has_complements: false,
    int8_magnitude: 0xFF,
    stores_flush: true,
    has_stack: true,
    stalls: true,
};

/// That of a chip.
pub(super) fn features_of(arch: Arch) -> &'static ChipFeatures {
    match arch {
        Arch::WormholeB0 => &WORMHOLE,
        Arch::Blackhole => &BLACKHOLE,
    }
}

/// That of a core.
pub(super) fn chip(core: &CoreState) -> &'static ChipFeatures {
    features_of(core.arch)
}
