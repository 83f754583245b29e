//! What Blackhole's automatic synchronisation of a RISC-V core with its thread knows of
//! instructions: which of eight resources they read and write.
//!
//! A core's load or store of a resource, and an instruction that it has pushed and that uses the
//! same one, keep the order in which the core made them. Here is the front end's side: what is
//! queued uses what ([`Tracker`]), by classes of instructions, of which RESOURCEDECL says anew what
//! they use. The core's side - which accesses wait - is the tile's. Accesses of cores end when they
//! are made, so no instruction waits for one.
//!
//! Source: ISA documentation, `AutoTTSync.md` of Blackhole; LLK's `assembly.yaml` for the bits of
//! RESOURCEDECL, and for the defaults, which agree with the page. Not modelled: the linger time,
//! which is one of cycles. Instructions count as using both states of `Config` until the thread's
//! first SETC16 of `CFG_STATE_ID`, which software has to push after reset anyway (`SETC16.md`).

use tessera_isa_tensix::{cfg, Arch, Instruction, Opcode};

/// Resources: each state of `Config` in three parts, GPRs, the state of TDMA-RISC.
pub(crate) mod resource {
    /// Of `Config[0]` what unpacker 0 uses; unpacker 1's part and the rest are the next two bits.
    pub(crate) const CONFIG_0: u8 = 1;
    /// The same of `Config[1]`.
    pub(crate) const CONFIG_1: u8 = 1 << 3;
    /// The thread's GPRs.
    pub(crate) const GPRS: u8 = 1 << 6;
    /// The state of TDMA-RISC.
    pub(crate) const TDMA: u8 = 1 << 7;
}

/// Resources that are read and written, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) reads: u8,
    pub(crate) writes: u8,
}

impl Uses {
    /// Both together.
    pub(crate) fn union(self, other: Uses) -> Uses {
        Uses {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
        }
    }

    /// Returns whether one writes what the other uses.
    pub(crate) fn conflicts(self, other: Uses) -> bool {
        self.writes & (other.reads | other.writes) | self.reads & other.writes != 0
    }
}

/// Bits of a declaration: whether `Config` is read and written, in which of its parts, and the same
/// of GPRs and TDMA-RISC.
const READS_CONFIG: u16 = 1;
const WRITES_CONFIG: u16 = 1 << 1;
const PARTS: u32 = 2;
const READS_GPRS: u16 = 1 << 5;
const WRITES_GPRS: u16 = 1 << 6;
const READS_TDMA: u16 = 1 << 7;
const WRITES_TDMA: u16 = 1 << 8;

/// The class of UNPACR and UNPACR_NOP.
const UNPACK_CLASS: usize = 11;

/// What classes 0 to 15 use unless RESOURCEDECL says otherwise.
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

/// Returns the class of an instruction by its opcode; none for what uses nothing.
fn class_of(opcode: u8) -> Option<usize> {
    use Opcode::*;
    let is = |opcodes: &[Opcode]| opcodes.iter().any(|&other| other as u8 == opcode);
    const CLASSES: [&[Opcode]; 15] = [
        &[
            Adddmareg,
            Subdmareg,
            Muldmareg,
            Bitwopdmareg,
            Shiftdmareg,
            Cmpdmareg,
            Setdmareg,
        ],
        &[Atincget, Atincgetptr, Atswap, Atcas],
        &[Reg2flop],
        &[Loadind, Storeind],
        &[Streamwrcfg, Cfgshiftmask],
        &[Storereg],
        &[Loadreg],
        &[Flushdma],
        &[Wrcfg],
        &[Rdcfg],
        &[Xmov],
        &[Unpacr, UnpacrNop],
        &[Pacr],
        &[Mop],
        &[Replay],
    ];
    match is(&[Nop, MopCfg, Resourcedecl]) {
        true => None,
        false => Some(CLASSES.iter().position(|opcodes| is(opcodes)).unwrap_or(15)),
    }
}

/// What a thread's declarations say of the words that its core pushes.
#[derive(Clone, Debug)]
pub(crate) struct Tracker {
    declared: [u16; 16],
    /// The state of `Config` that the words pushed next use, once one has chosen it.
    state: Option<usize>,
    /// Whether UNPACR uses its own unpacker's part of `Config` alone.
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
    /// What a word uses that the core pushes now. A RESOURCEDECL takes effect.
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
        let Some(class) = class_of(instruction.opcode() as u8) else {
            return Uses::default();
        };
        let declared = self.declared[class];
        let parts = match (class, instruction) {
            (UNPACK_CLASS, Instruction::Unpacr(i)) if self.subdivided => {
                1 << i.unpack_block_selection
            }
            (UNPACK_CLASS, Instruction::UnpacrNop(i)) if self.subdivided => {
                1 << i.unpack_block_selection
            }
            _ => (declared >> PARTS) as u8 & 7,
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

/// `CFG_STATE_ID` of `ThreadConfig`.
const STATE_ID: u32 = match cfg::CFG_STATE_ID_StateID.on(Arch::Blackhole) {
    Some(place) => place.addr32(),
    None => panic!("Blackhole has it"),
};

#[cfg(test)]
mod tests;
