//! The instruction sets of the kinds of cores.
//!
//! Source: Tensix ISA documentation, `BabyRISCV/InstructionSet.md` of both chips. Instructions that
//! a core does not have do not decode for it.

use std::fmt;

/// An extension of the instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Extension {
    /// RV32I 2.1, M 2.0 and `ttinsn`, which every core has.
    Base = 1,
    /// Control and status registers.
    Zicsr = 1 << 1,
    /// Atomic operations on memory.
    Zaamo = 1 << 2,
    /// Address generation.
    Zba = 1 << 3,
    /// Basic bit manipulation.
    Zbb = 1 << 4,
    /// Blackhole's instructions besides Zba and Zbb: `pack` of Zbkb, and `grevi` of draft 0.94 of
    /// bit manipulation, which includes `rev8` of Zbb and `brev8` of Zbkb.
    Bits = 1 << 5,
    /// Return from an interrupt.
    Mret = 1 << 6,
    /// A subset of F: no division, no square root.
    F = 1 << 7,
    /// A subset of Zfh: no division, no square root.
    Zfh = 1 << 8,
    /// A subset of V: 16-byte registers, elements of up to 32 bits, no division, square root or
    /// reciprocal.
    V = 1 << 9,
}

/// The instruction set of a kind of core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    extensions: u16,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Wormhole,
    Blackhole,
}

const fn set(extensions: &[Extension]) -> u16 {
    let (mut set, mut k) = (0, 0);
    while k < extensions.len() {
        set |= extensions[k] as u16;
        k += 1;
    }
    set
}

const BLACKHOLE: u16 = set(&[
    Extension::Base,
    Extension::Zicsr,
    Extension::Zaamo,
    Extension::Zba,
    Extension::Zbb,
    Extension::Bits,
    Extension::F,
    Extension::Zfh,
]);

impl Isa {
    /// All cores of Wormhole: RV32IM.
    pub const WORMHOLE: Self = Isa {
        extensions: set(&[Extension::Base]),
        kind: Kind::Wormhole,
    };
    /// T0 and T1 of Blackhole.
    pub const BLACKHOLE: Self = Isa {
        extensions: BLACKHOLE,
        kind: Kind::Blackhole,
    };
    /// B and NC of Blackhole, which support interrupts.
    pub const BLACKHOLE_INTERRUPTIBLE: Self = Isa {
        extensions: BLACKHOLE | Extension::Mret as u16,
        kind: Kind::Blackhole,
    };
    /// T2 of Blackhole, which has vector instructions.
    pub const BLACKHOLE_VECTOR: Self = Isa {
        extensions: BLACKHOLE | Extension::V as u16,
        kind: Kind::Blackhole,
    };

    /// Returns whether a core has an extension.
    #[must_use]
    pub const fn has(self, extension: Extension) -> bool {
        self.extensions & extension as u16 != 0
    }

    /// Returns whether it is a core of Blackhole, whose memory is ordered more strongly
    /// ([`crate::Core::set_weak_order`]).
    #[must_use]
    pub(crate) const fn is_blackhole(self) -> bool {
        !matches!(self.kind, Kind::Wormhole)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Wormhole => "RV32IM",
            Kind::Blackhole if self.has(Extension::V) => {
                "RV32IM with Zicsr, Zaamo, Zba, Zbb, F, Zfh, V"
            }
            Kind::Blackhole => "RV32IM with Zicsr, Zaamo, Zba, Zbb, F, Zfh",
        })
    }
}
