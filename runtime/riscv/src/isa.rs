//! What each kind of core executes.
//!
//! Source: Tensix ISA documentation, `BabyRISCV/InstructionSet.md` of both chips. What a core lacks
//! does not decode for it.

use std::fmt;

/// A part of the instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Extension {
    /// RV32I 2.1 and M 2.0, and `ttinsn`: every core has them.
    Base = 1,
    /// Control and status registers.
    Zicsr = 1 << 1,
    /// Atomic operations on memory.
    Zaamo = 1 << 2,
    /// Address generation.
    Zba = 1 << 3,
    /// Basic bit manipulation.
    Zbb = 1 << 4,
    /// What Blackhole has besides Zba and Zbb: `pack` of Zbkb, and `grevi` of the draft 0.94 of bit
    /// manipulation, of which `rev8` of Zbb and `brev8` of Zbkb are cases.
    Bits = 1 << 5,
    /// Return from an interrupt.
    Mret = 1 << 6,
    /// What there is of F: no division, no square root.
    F = 1 << 7,
    /// What there is of Zfh: no division, no square root.
    Zfh = 1 << 8,
    /// What there is of V: registers of 16 bytes, elements of up to 32 bits, no division, no square
    /// root, no reciprocal.
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
    /// B and NC of Blackhole, which can be interrupted.
    pub const BLACKHOLE_INTERRUPTIBLE: Self = Isa {
        extensions: BLACKHOLE | Extension::Mret as u16,
        kind: Kind::Blackhole,
    };
    /// T2 of Blackhole, which has vector instructions.
    pub const BLACKHOLE_VECTOR: Self = Isa {
        extensions: BLACKHOLE | Extension::V as u16,
        kind: Kind::Blackhole,
    };

    /// Returns whether a core has a part of the instruction set.
    #[must_use]
    pub const fn has(self, extension: Extension) -> bool {
        self.extensions & extension as u16 != 0
    }

    /// Returns whether it is a core of Blackhole, whose memory keeps more order
    /// ([`crate::Core::weaken`]).
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
