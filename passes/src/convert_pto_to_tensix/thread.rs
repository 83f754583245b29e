//! What the three instruction threads share: the list under construction, the L1 map, the names of counters and
//! semaphores, and configuration written in band (rulings 1.12).

use std::collections::BTreeMap;

use tessera_isa_tensix::cfg::{ConfigField, ThreadField};
use tessera_isa_tensix::list::Entry;
use tessera_isa_tensix::table::{Instruction, Nop, Setc16, Setdmareg, Wrcfg};

/// Bytes of a 32x32 bf16 tile.
pub const TILE_BYTES: u32 = 2048;

/// Where in L1 the two buffers of each kind lie, in bytes.
///
/// Everything below belongs to the RISC-V images and the host (rulings 3.2).
#[derive(Clone, Copy)]
pub enum Buffer {
    /// Tiles for SrcA.
    SrcA,
    /// Tiles for SrcB.
    SrcB,
    /// Finished tiles.
    Out,
}

impl Buffer {
    /// The byte address of buffer 0 or 1 of this kind.
    pub fn address(self, slot: usize) -> u32 {
        const BASE: u32 = 0x18000;
        let kind = match self {
            Buffer::SrcA => 0,
            Buffer::SrcB => 1,
            Buffer::Out => 2,
        };
        BASE + (2 * kind + slot as u32 % 2) * TILE_BYTES
    }

    /// The same in the unit of unpackers and packers: 16 bytes, less the tile header that they skip.
    pub fn header_address(self, slot: usize) -> u32 {
        self.address(slot) / 16 - 1
    }
}

/// Counters in L1, one post for each event (rulings 1.13).
pub mod counter {
    /// The operands of a step lie in L1 (dm → unpack).
    pub const READY: u16 = 0;
    /// The operands of a step have been unpacked (unpack → dm).
    pub const FREED: u16 = 1;
    /// An output tile lies in L1 (pack → dm).
    pub const PACKED: u16 = 2;
    /// An output tile has been written to DRAM (dm → pack).
    pub const DRAINED: u16 = 3;
}

/// Hardware semaphores.
pub mod semaphore {
    /// Finished halves of Dst (math → pack); its maximum is the number of halves.
    pub const MATH_PACK: u8 = 1;
    /// Packers done with a tile (coprocessor → RISC-V of pack).
    pub const PACK_DONE: u8 = 2;
    /// Unpackers done with a step (coprocessor → RISC-V of unpack).
    pub const UNPACK_DONE: u8 = 3;

    /// The operand of SEM* instructions that selects this semaphore.
    pub const fn mask(semaphore: u8) -> u32 {
        1 << semaphore
    }
}

/// Bits of STALLWAIT's and SEMWAIT's operands (`STALLWAIT.md`, block and condition masks).
pub mod wait {
    /// Block sync unit instructions.
    pub const BLOCK_SYNC: u32 = 1 << 1;
    /// Block packer instructions.
    pub const BLOCK_PACK: u32 = 1 << 2;
    /// Block matrix unit instructions.
    pub const BLOCK_MATH: u32 = 1 << 6;
    /// Block vector unit instructions.
    pub const BLOCK_SFPU: u32 = 1 << 8;
    /// Until both unpackers are idle.
    pub const UNPACKERS: u32 = 1 << 1 | 1 << 2;
    /// Until all four packers are idle.
    pub const PACKERS: u32 = 0xf << 3;
    /// Until the matrix unit is idle.
    pub const MATH: u32 = 1 << 7;
    /// Until the vector unit is idle.
    pub const SFPU: u32 = 1 << 14;
    /// While a selected semaphore is zero.
    pub const WHILE_ZERO: u32 = 1;
    /// While a selected semaphore is at its maximum.
    pub const WHILE_MAX: u32 = 2;
}

/// The tile formats in use, as configuration encodes them (`SrcASrcB.md`, `Unpackers/FormatConversion.md`).
pub mod format {
    /// 19-bit float.
    pub const TF32: u32 = 4;
    /// bfloat16.
    pub const BF16: u32 = 5;
}

/// Rows of Dst between the two halves, counted in 32-bit rows.
pub const DST_HALF_ROWS: u32 = 256;

/// The first GPR that configuration values pass through; those below hold values that a kernel keeps.
const SCRATCH_GPR: u32 = 16;

/// One thread's list under construction.
#[derive(Default)]
pub struct Thread {
    /// The list so far.
    pub entries: Vec<Entry>,
    /// Halves of GPRs whose value the list has set, so that none is set twice in a row to the same.
    halves: BTreeMap<u32, u32>,
}

impl Thread {
    /// Pushes an instruction.
    pub fn push(&mut self, instruction: impl Into<Instruction>) {
        self.entries.push(Entry::from(instruction.into()));
    }

    /// Appends an entry.
    pub fn entry(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Sets a GPR to a 32-bit constant.
    pub fn set_gpr(&mut self, gpr: u32, value: u32) {
        for (reg_index_16b, bits) in [(2 * gpr, value & 0xffff), (2 * gpr + 1, value >> 16)] {
            if self.halves.insert(reg_index_16b, bits) == Some(bits) {
                continue;
            }
            self.push(Setdmareg {
                payload_sig_sel_size: bits >> 14,
                payload_sig_sel: bits & 0x3fff,
                set_signals_mode: 0,
                reg_index_16b,
            });
        }
    }

    /// Writes the configuration word that holds `field`.
    pub fn configure(&mut self, field: ConfigField, value: u32) {
        self.set_gpr(SCRATCH_GPR, value);
        self.configure_from(field, SCRATCH_GPR);
    }

    /// Writes four configuration words, the first of which holds `field` and is a multiple of four.
    pub fn configure4(&mut self, field: ConfigField, values: [u32; 4]) {
        for (gpr, value) in (SCRATCH_GPR..).zip(values) {
            self.set_gpr(gpr, value);
        }
        self.configure4_from(field, SCRATCH_GPR);
    }

    /// Writes the configuration word that holds `field` from a GPR.
    pub fn configure_from(&mut self, field: ConfigField, gpr: u32) {
        self.push(Wrcfg {
            gpr_address: gpr,
            wr128b: 0,
            cfg_reg: field.addr32(),
        });
    }

    /// Writes four configuration words from four GPRs.
    pub fn configure4_from(&mut self, field: ConfigField, gpr: u32) {
        self.push(Wrcfg {
            gpr_address: gpr,
            wr128b: 1,
            cfg_reg: field.addr32(),
        });
    }

    /// Writes the word of this thread's configuration that holds `field`.
    pub fn configure_thread(&mut self, field: ThreadField, value: u32) {
        self.push(Setc16 {
            setc16_reg: field.addr32(),
            setc16_value: value,
        });
    }

    /// Lets the last configuration write take effect: the instruction right after WRCFG may not use its word.
    pub fn settle(&mut self) {
        self.push(Nop {});
    }
}
