//! The front end's side of Blackhole's automatic synchronisation between a RISC-V core and its
//! thread: the resources that queued instructions read and write.
//!
//! A core's load or store of a resource stays in order with the instructions that the core has
//! pushed and that use the same resource. [`Tracker`] determines these resources by classes of
//! instructions, whose declarations RESOURCEDECL changes. The tile decides which accesses wait.
//! Accesses of cores complete at once, so instructions never wait for them.
//!
//! Source: ISA documentation, `AutoTTSync.md` of Blackhole; LLK's `assembly.yaml` for the bits of
//! RESOURCEDECL and for the defaults, which agree with the page. Not modelled: the linger time,
//! which is in cycles. Instructions count as using both states of `Config` until the thread's first
//! SETC16 of `CFG_STATE_ID`, which software has to push after reset (`SETC16.md`).

use tessera_isa_tensix::{cfg, Arch, Instruction};

use crate::insn::table::traits;
use crate::insn::traits::ResourceClass;

/// Resources: three parts of each state of `Config`, GPRs, the state of TDMA-RISC.
pub(crate) mod resource {
    /// The part of `Config[0]` that unpacker 0 uses; unpacker 1's part and the rest are the next
    /// two bits.
    pub(crate) const CONFIG_0: u8 = 1;
    /// The same for `Config[1]`.
    pub(crate) const CONFIG_1: u8 = 1 << 3;
    /// The thread's GPRs.
    pub(crate) const GPRS: u8 = 1 << 6;
    /// The state of TDMA-RISC.
    pub(crate) const TDMA: u8 = 1 << 7;
}

/// The resources read and written, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) reads: u8,
    pub(crate) writes: u8,
}

impl Uses {
    /// Returns the union.
    pub(crate) fn union(self, other: Uses) -> Uses {
        Uses {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
        }
    }

    /// Returns whether one writes a resource that the other one uses.
    pub(crate) fn conflicts(self, other: Uses) -> bool {
        self.writes & (other.reads | other.writes) | self.reads & other.writes != 0
    }
}

/// Bits of a declaration: reads and writes of `Config`, its parts, and reads and writes of GPRs and
/// TDMA-RISC.
const READS_CONFIG: u16 = 1;
const WRITES_CONFIG: u16 = 1 << 1;
const PARTS: u32 = 2;
const READS_GPRS: u16 = 1 << 5;
const WRITES_GPRS: u16 = 1 << 6;
const READS_TDMA: u16 = 1 << 7;
const WRITES_TDMA: u16 = 1 << 8;

/// The declarations of classes 0 to 15 before any RESOURCEDECL.
#[expect(
    clippy::unusual_byte_groupings,
    reason = "TDMA-RISC, GPRs, parts of Config, Config"
)]
const DEFAULTS: [u16; 16] = [
    0b00_11_000_00,
    0b00_11_000_00,
    0b11_11_000_00,
    0b00_11_000_00,
    0b00_00_111_11,
    0b00_01_000_00,
    0b00_10_000_00,
    0b10_00_000_00,
    0b00_01_111_10,
    0b00_10_111_01,
    0b00_11_111_11,
    0b11_00_111_01,
    0b11_00_100_01,
    0b11_11_111_11,
    0b11_11_111_11,
    0b00_00_100_01,
];

/// A thread's declarations.
#[derive(Clone, Debug)]
pub(crate) struct Tracker {
    declared: [u16; 16],
    /// The state of `Config` that newly pushed words use, once selected.
    state: Option<usize>,
    /// Whether UNPACR uses only its own unpacker's part of `Config`.
    pub(crate) subdivided: bool,
}

impl Default for Tracker {
    fn default() -> Self {
        Tracker {
            declared: DEFAULTS,
            state: None,
            subdivided: false,
        }
    }
}

impl Tracker {
    /// Returns the resources of a word being pushed, and applies a RESOURCEDECL.
    pub(crate) fn push(&mut self, instruction: &Instruction) -> Uses {
        match instruction {
            Instruction::Resourcedecl(i) => {
                self.declared[i.op_class as usize] = i.resources as u16;
            }
            Instruction::Setc16(i) if i.setc16_reg == STATE_ID => {
                self.state = Some(i.setc16_value as usize & 1);
            }
            _ => {}
        }
        let traits = traits(instruction.opcode());
        let Some(class) = traits.resources else {
            return Uses::default();
        };
        let declared = self.declared[class as usize];
        let parts = match class == ResourceClass::Unpack && self.subdivided {
            // The unpackers are the first units, as their parts are the first.
            true => traits.units(instruction) as u8,
            false => (declared >> PARTS) as u8 & 7,
        };
        self.resolve(declared, parts)
    }

    fn resolve(&self, declared: u16, parts: u8) -> Uses {
        let config = match self.state {
            Some(0) => parts * resource::CONFIG_0,
            Some(_) => parts * resource::CONFIG_1,
            None => parts * (resource::CONFIG_0 | resource::CONFIG_1),
        };
        let set = |[of_config, of_gprs, of_tdma]: [u16; 3]| {
            let all = [
                (of_config, config),
                (of_gprs, resource::GPRS),
                (of_tdma, resource::TDMA),
            ];
            let used = all.iter().filter(|(bit, _)| declared & bit != 0);
            used.fold(0, |set, (_, resources)| set | resources)
        };
        Uses {
            reads: set([READS_CONFIG, READS_GPRS, READS_TDMA]),
            writes: set([WRITES_CONFIG, WRITES_GPRS, WRITES_TDMA]),
        }
    }
}

/// The field `CFG_STATE_ID` of `ThreadConfig`.
const STATE_ID: u32 = match cfg::CFG_STATE_ID_StateID.place_on(Arch::Blackhole) {
    Some(place) => place.addr32(),
    None => panic!("Blackhole has it"),
};

#[cfg(test)]
mod tests;
