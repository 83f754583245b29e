//! The differences between the vector units of the chips.

use tessera_isa_tensix::Arch;

use crate::arith::spec::sfpu::transfer::Formats;
use crate::arith::spec::sfpu::Arithmetic;
use crate::state::vector::Vector;

/// The features of a chip's vector unit.
#[derive(Debug)]
pub(super) struct ChipFeatures {
    /// The multiply-add arithmetic.
    pub(super) arithmetic: Arithmetic,
    /// The multiply-add of a single lane.
    pub(super) mad: fn(u32, u32, u32) -> u32,
    /// Whether multiply-adds can negate VB and VC (`SFPMAD.md`).
    pub(super) negates: bool,
    /// Whether SFPAND and SFPOR can have a VB (`SFPAND.md`).
    pub(super) has_third_operand: bool,
    /// Whether SFPSHFT can shift arithmetically and shift VC (`SFPSHFT.md`).
    pub(super) shifts_arithmetically: bool,
    /// Whether SFPSTOCHRND can round towards zero (`SFPSTOCHRND_FloatFloat.md`).
    pub(super) rounds_to_zero: bool,
    /// Whether SFPCAST converts between integers (`SFPCAST_IntInt.md`, `SFPCAST_IntAbs.md`).
    pub(super) casts_between_integers: bool,
    /// Whether SFPPUSHC can change the top of the stack (`SFPPUSHC.md`).
    pub(super) changes_top: bool,
    /// Whether SFPPOPC that only reads a full stack leaves its bottom unchanged (`SFPPOPC.md`).
    pub(super) keeps_bottom: bool,
    /// Whether SFPSHFT2 in mode 4 shifts zeros in (`SFPSHFT2.md`).
    pub(super) shifts_zero_in: bool,
    /// The conversions of SFPLOAD and SFPSTORE (`SFPLOAD.md`).
    pub(super) formats: Formats,
    /// Whether SFPSTORE of FP32 flushes denormals (`SFPSTORE.md`).
    pub(super) stores_flush: bool,
    /// Whether mode 10 of SFPLOAD and SFPSTORE accesses a stack (`SFPLOAD.md`).
    pub(super) has_stack: bool,
    /// Whether the hardware stalls an instruction that depends on the previous one, as far as it
    /// detects the dependence (`SFPMAD.md`).
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
    formats: Formats {
        complements: true,
        int8_magnitude: 0x7F,
    },
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
    formats: Formats {
        complements: false,
        int8_magnitude: 0xFF,
    },
    stores_flush: true,
    has_stack: true,
    stalls: true,
};

/// Returns the features of a chip.
pub(super) fn features_of(arch: Arch) -> &'static ChipFeatures {
    match arch {
        Arch::WormholeB0 => &WORMHOLE,
        Arch::Blackhole => &BLACKHOLE,
    }
}

impl Vector {
    /// Returns the features of the unit's chip.
    pub(super) fn chip(&self) -> &'static ChipFeatures {
        features_of(self.arch)
    }
}
