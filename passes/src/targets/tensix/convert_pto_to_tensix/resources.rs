//! What the cores of a kernel share: where its buffers lie in L1, the names of counters and
//! semaphores, the bits of waits.

use tessera_isa_tensix::tile::FREE;
use tessera_isa_tensix::Arch;

use super::operand_rings::{OperandRing, OperandRings};
use super::plan::{Element, Loop, Node, Operand, Plan};

/// Blocks whose results lie in L1 at a time.
const OUT_SLOTS: u32 = 2;

/// Where in L1 the buffers of a kernel lie: behind the rings that it pops from, rings of slots, for
/// the operands of steps ([`super::operand_rings`]), and for the results of a block each.
#[derive(Clone, Debug, PartialEq)]
pub struct L1Layout {
    /// Where the first begins.
    pub start: u32,
    /// Whether tiles are popped, so that unpackers reach everything from one base.
    pub pops: bool,
    /// The rings of operands.
    pub rings: OperandRings,
    /// Tiles that a slot has for results.
    pub result_slot_tiles: u32,
    /// Bytes of each.
    pub result_tile_bytes: u32,
    /// Slots for results.
    pub out_slots: u32,
}

impl L1Layout {
    /// The buffers of a plan whose turns of loops are dealt. Kernels that talk through pipes keep
    /// no tiles.
    pub fn new(plan: &Plan, distributed: &[&Loop<Node>], nodes: &[Node]) -> Self {
        let blocks = plan.blocks();
        let results = blocks
            .iter()
            .map(|block| block.tiles() * block.stores.len() as u32);
        let result_slot_tiles = results.max().unwrap_or(1);
        let popped = || plan.pipes.iter().filter(|pipe| !pipe.pushes);
        let steps = blocks.iter().flat_map(|block| block.steps());
        let operands = steps.flat_map(|step| step.operands()).flatten();
        let stores = blocks.iter().flat_map(|block| &block.stores);
        let start = popped()
            .map(|pipe| pipe.address + pipe.slots * pipe.slot_bytes)
            .fold(FREE, u32::max)
            .next_multiple_of(largest_tile(operands.map(Operand::element)));
        let result_tile_bytes = largest_tile(stores.map(|store| store.element));
        let used = start + OUT_SLOTS * result_slot_tiles * result_tile_bytes;
        let room = plan.arch.l1_bytes().saturating_sub(used);
        L1Layout {
            start,
            pops: popped().count() > 0,
            rings: OperandRings::choose(
                plan.arch,
                distributed,
                nodes,
                plan.pipes.is_empty().then_some(room),
            ),
            result_slot_tiles,
            result_tile_bytes,
            out_slots: OUT_SLOTS,
        }
    }

    /// Bytes of a slot for results.
    pub fn result_slot_bytes(&self) -> u32 {
        self.result_slot_tiles * self.result_tile_bytes
    }

    /// Where the ring of an unpacker begins.
    pub fn operand_ring(&self, unpacker: u32) -> u32 {
        let before = self.rings.by_unpacker.iter().take(unpacker as usize);
        self.start + before.map(OperandRing::bytes).sum::<u32>()
    }

    /// Where the ring of results begins.
    pub fn result_ring(&self) -> u32 {
        self.operand_ring(2)
    }

    /// Whether all tiles of results have addresses that half a GPR holds, in the packers' unit.
    pub fn results_have_low_addresses(&self) -> bool {
        let end = self.result_ring() + self.out_slots * self.result_slot_bytes();
        header_address(end) < 1 << 16
    }

    /// Where the Z counter of an unpacker counts tiles from.
    pub fn z_origin(&self, unpacker: u32) -> u32 {
        if self.pops {
            FREE
        } else {
            self.operand_ring(unpacker)
        }
    }
}

/// Bytes of the largest tile of these element types.
fn largest_tile(elements: impl Iterator<Item = Element>) -> u32 {
    let bytes = elements.map(Element::tile_bytes);
    bytes.fold(Element::Bf16.tile_bytes(), u32::max)
}

/// An address in the unit of unpackers and packers: 16 bytes, less the tile header that they skip.
pub fn header_address(address: u32) -> u32 {
    address / 16 - 1
}

/// Counters in L1, one post for each event (rulings 1.13).
pub mod counter {
    /// The operands of the step before the last that was asked for lie in L1 (read → unpack).
    pub const READY: u16 = 0;
    /// The operands of a step have been unpacked, noted when the next one begins (unpack → read).
    pub const FREED: u16 = 1;
    /// The results of a block lie in L1 (pack → write).
    pub const PACKED: u16 = 2;
    /// The results of a block lie in DRAM (write → pack).
    pub const DRAINED: u16 = 3;

    /// Lines of a ring between tiles: two that say what is ready, one for each part of a tile; two
    /// that say what was freed, one for each tile that pops.
    const OF_PIPE: u16 = 4;

    /// In the tile that pops: how often a part of a tile was pushed to a pipe.
    pub fn ready(pipe: u16, part: u32) -> u16 {
        DRAINED + 1 + OF_PIPE * pipe + part as u16
    }

    /// In the tile that pushes: how many slots a peer has given back.
    pub fn freed(pipe: u16, peer: u32) -> u16 {
        ready(pipe, 0) + 2 + peer as u16
    }
}

/// Hardware semaphores.
pub mod semaphore {
    /// Finished halves of Dst (math → pack); its maximum is the number of halves.
    pub const MATH_PACK: u8 = 1;
    /// Packers done with a block (coprocessor → RISC-V of pack).
    pub const PACK_DONE: u8 = 2;
    /// Unpackers done with a step (coprocessor → RISC-V of unpack).
    pub const UNPACK_DONE: u8 = 3;
    /// Half of Dst is open to unpacker 0 (math → unpack).
    pub const DST_OPEN: u8 = 4;
    /// Unpacker 0 has brought its tiles there (unpack → math).
    pub const DST_FILLED: u8 = 5;

    /// The operand of SEM* instructions that selects this semaphore.
    pub const fn mask(semaphore: u8) -> u32 {
        1 << semaphore
    }
}

/// What STALLWAIT waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StallCondition {
    /// Both unpackers are idle.
    Unpackers,
    /// All packers are idle.
    Packers,
    /// The matrix unit is idle.
    Math,
    /// The vector unit is idle.
    Sfpu,
    /// The matrix unit has a bank of SrcA.
    SrcAOwnedByMath,
    /// The matrix unit has a bank of SrcB.
    SrcBOwnedByMath,
}

impl StallCondition {
    /// The bits of STALLWAIT's operand (`STALLWAIT.md`, condition mask). Blackhole has one packer,
    /// so that what is behind it comes three bits earlier.
    pub const fn mask(self, arch: Arch) -> u32 {
        let (wormhole, blackhole) = match self {
            StallCondition::Unpackers => (0b11 << 1, 0b11 << 1),
            StallCondition::Packers => (0b1111 << 3, 1 << 3),
            StallCondition::Math => (1 << 7, 1 << 4),
            StallCondition::SrcAOwnedByMath => (1 << 10, 1 << 7),
            StallCondition::SrcBOwnedByMath => (1 << 11, 1 << 8),
            StallCondition::Sfpu => (1 << 14, 1 << 11),
        };
        match arch {
            Arch::WormholeB0 => wormhole,
            Arch::Blackhole => blackhole,
        }
    }
}

/// Bits of STALLWAIT's and SEMWAIT's operands (`STALLWAIT.md`, block mask; `SEMWAIT.md`).
pub mod wait {
    /// Block sync unit instructions.
    pub const BLOCK_SYNC: u32 = 1 << 1;
    /// Block packer instructions.
    pub const BLOCK_PACK: u32 = 1 << 2;
    /// Block unpacker instructions.
    pub const BLOCK_UNPACK: u32 = 1 << 3;
    /// Block matrix unit instructions.
    pub const BLOCK_MATH: u32 = 1 << 6;
    /// Block configuration unit instructions.
    pub const BLOCK_CONFIG: u32 = 1 << 7;
    /// Block vector unit instructions.
    pub const BLOCK_SFPU: u32 = 1 << 8;
    /// While a selected semaphore is zero.
    pub const WHILE_ZERO: u32 = 1;
    /// While a selected semaphore is at its maximum.
    pub const WHILE_MAX: u32 = 2;
}

/// The tile formats in use, as configuration encodes them (`SrcASrcB.md`,
/// `Unpackers/FormatConversion.md`).
pub mod format {
    use super::Element;

    /// fp32.
    pub const F32: u32 = 0;
    /// The 19 bits of fp32 that Src has.
    pub const TF32: u32 = 4;
    /// bfloat16.
    pub const BF16: u32 = 5;

    /// The bits that formats have.
    pub const MASK: u32 = 15;

    /// That of an element type.
    pub const fn stored(element: Element) -> u32 {
        match element {
            Element::Bf16 => BF16,
            Element::F32 => F32,
        }
    }

    /// That of an element type in SrcA and SrcB.
    pub const fn in_src(element: Element) -> u32 {
        match element {
            Element::Bf16 => BF16,
            Element::F32 => TF32,
        }
    }
}

/// Rows of Dst between the two halves, counted in 32-bit rows.
pub const DST_HALF_ROWS: u32 = 256;
pub use tessera_tensix_code::vector::TILE_ROWS;
