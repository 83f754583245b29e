//! Resources that the cores of a tile share: the L1 layout, counters, semaphores and wait masks.

use tessera_isa_tensix::tile::FREE;
use tessera_isa_tensix::Arch;

use super::multicast::Multicast;
use super::operand_rings::{OperandRing, OperandRings, PieceOrder, MAX_TILES};
use super::plan::{collect_blocks, Element, Loop, Node, Operand, Plan};

/// Number of result slots: blocks whose results are in L1 at a time.
const OUT_SLOTS: u32 = 2;

/// The L1 layout of a stage. After the rings that the kernel pops from, or its local tensors, come
/// the operand rings of the two unpackers ([`super::operand_rings`]), then a ring of result slots,
/// one slot per block. If the unpackers reach them, every stage has operand rings of its own, so
/// that these can retain tiles from piece to piece; otherwise all stages use the same part of L1.
#[derive(Clone, Debug, PartialEq)]
pub struct L1Layout {
    /// L1 address of the first buffer.
    pub start: u32,
    /// Whether tiles are popped, or read from local tensors. If so, both unpackers count tiles from
    /// one base address.
    pub has_common_origin: bool,
    /// The rings of operands.
    pub rings: OperandRings,
    /// L1 address of the ring of result slots.
    result_ring: u32,
    /// Tiles per result slot.
    pub result_slot_tiles: u32,
    /// Bytes per result tile.
    pub result_tile_bytes: u32,
    /// Number of result slots.
    pub out_slots: u32,
}

impl L1Layout {
    /// Lays out the buffers of `stages`, which are the work of a piece of a plan whose loops
    /// `distributed` are split among workers. Operand tiles are not retained between pieces in
    /// kernels with pipes, and in those whose pieces are halves of rows of tiles.
    pub fn of_stages(
        plan: &Plan,
        distributed: &[&Loop<Node>],
        stages: &[&[Node]],
        multicast: Option<&Multicast>,
    ) -> Vec<Self> {
        let order = match (multicast, stages) {
            (Some(multicast), _) => PieceOrder::Passes(&multicast.grid),
            (None, [_]) => PieceOrder::Strips,
            (None, _) => PieceOrder::Rows,
        };
        let smallest = stages
            .iter()
            .map(|nodes| Self::new(plan, distributed, nodes));
        let mut layouts: Vec<_> = smallest.collect();
        // The half of a tile that a piece needs is not among its indices.
        if plan.pipes.is_empty() && plan.row_half.is_none() {
            separate(plan, (distributed, order), stages, &mut layouts);
        }
        layouts
    }

    /// Lays out the buffers of a stage without retention of operand tiles.
    pub fn new(plan: &Plan, distributed: &[&Loop<Node>], nodes: &[Node]) -> Self {
        let blocks = collect_blocks(nodes);
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
            .fold(FREE + plan.local_bytes, u32::max)
            .next_multiple_of(largest_tile(operands.map(Operand::element)));
        let result_tile_bytes = largest_tile(stores.map(|store| store.element));
        let rings = OperandRings::choose(plan.arch, distributed, nodes, None, PieceOrder::Strips);
        L1Layout {
            start,
            has_common_origin: popped().count() > 0 || plan.local_bytes > 0,
            result_ring: start + rings.bytes(),
            rings,
            result_slot_tiles,
            result_tile_bytes,
            out_slots: OUT_SLOTS,
        }
    }

    /// Returns the bytes of all result slots.
    fn result_bytes(&self) -> u32 {
        self.out_slots * self.result_slot_bytes()
    }

    /// Returns the first L1 address that operand rings cannot have.
    fn rings_end(&self, arch: Arch) -> u32 {
        let end = arch.l1_bytes().saturating_sub(self.result_bytes());
        match self.has_common_origin {
            true => end.min(FREE + UNPACKER_REACH),
            false => end,
        }
    }

    /// Returns the bytes of a result slot.
    pub fn result_slot_bytes(&self) -> u32 {
        self.result_slot_tiles * self.result_tile_bytes
    }

    /// Returns the L1 address of an unpacker's operand ring.
    pub fn operand_ring(&self, unpacker: u32) -> u32 {
        let before = self.rings.by_unpacker.iter().take(unpacker as usize);
        self.start + before.map(OperandRing::bytes).sum::<u32>()
    }

    /// Returns the L1 address of the ring of result slots.
    pub fn result_ring(&self) -> u32 {
        self.result_ring
    }

    /// Returns whether the addresses of all result tiles, in the packers' unit, fit half a GPR.
    pub fn results_have_low_addresses(&self) -> bool {
        let end = self.result_ring() + self.result_bytes();
        header_address(end) < 1 << 16
    }

    /// Returns the L1 address from which an unpacker's Z counter counts tiles.
    pub fn z_origin(&self, unpacker: u32) -> u32 {
        if self.has_common_origin {
            FREE
        } else {
            self.operand_ring(unpacker)
        }
    }
}

/// Bytes that the unpackers' tile counters reach with bf16 tiles.
pub const UNPACKER_REACH: u32 = MAX_TILES * Element::Bf16.tile_bytes();

/// Gives every stage operand rings of its own, one after the other, and lets them retain tiles as
/// far as there is room. Changes nothing if there is no room for all rings without retention.
fn separate(
    plan: &Plan,
    (distributed, order): (&[&Loop<Node>], PieceOrder),
    stages: &[&[Node]],
    layouts: &mut [L1Layout],
) {
    // So that tiles of any element type have whole numbers from a common origin on.
    let aligned = |bytes: u32| bytes.next_multiple_of(Element::F32.tile_bytes());
    let ends = layouts.iter().map(|layout| layout.rings_end(plan.arch));
    let end = ends.min().unwrap_or(0);
    let mut at = layouts.iter().map(|layout| layout.start).max().unwrap_or(0);
    let smallest = |layout: &L1Layout| aligned(layout.rings.bytes());
    let mut rest: u32 = layouts.iter().map(smallest).sum();
    if layouts.len() > 1 && aligned(at) + rest > end {
        return;
    }
    for (layout, nodes) in layouts.iter_mut().zip(stages) {
        rest -= smallest(layout);
        layout.start = at;
        let room = end.saturating_sub(at + rest);
        layout.rings = OperandRings::choose(plan.arch, distributed, nodes, Some(room), order);
        at = match stages {
            [_] => at + layout.rings.bytes(),
            _ => aligned(at + layout.rings.bytes()),
        };
    }
    layouts
        .iter_mut()
        .for_each(|layout| layout.result_ring = at);
}

/// Returns the bytes of the largest tile of these element types.
fn largest_tile(elements: impl Iterator<Item = Element>) -> u32 {
    let bytes = elements.map(Element::tile_bytes);
    bytes.fold(Element::Bf16.tile_bytes(), u32::max)
}

/// Converts an address to the unit of unpackers and packers: 16 bytes, minus one for the tile
/// header that they skip.
pub fn header_address(address: u32) -> u32 {
    address / 16 - 1
}

/// Counters in L1. They are monotonic 32-bit words, incremented once per event and never reset;
/// waits compare differences, so wrapping is harmless.
pub mod counter {
    /// The operands of a step are in L1 (read → unpack). Lags by one step: see `read`.
    pub const READY: u16 = 0;
    /// The operands of a step have been unpacked (unpack → read). Lags by one step, too: see
    /// `unpack`.
    pub const FREED: u16 = 1;
    /// The results of a block are in L1, and those for pipes have been pushed (pack → write).
    pub const PACKED: u16 = 2;
    /// The results of a block are in DRAM, so its result slot is free (write → pack).
    pub const DRAINED: u16 = 3;
    /// Everything before the start of a stage is complete (write → all others).
    pub const STAGE: u16 = 4;

    /// Operands that a group's leader has multicast (leader → read of the group). Kernels with
    /// multicast have no pipes.
    pub fn arrived(group: u32) -> u16 {
        STAGE + 1 + group as u16
    }

    /// Slots that the other tiles of a leader's group have had free for a multicast (read of the
    /// group → leader).
    pub fn free(group: u32) -> u16 {
        STAGE + 3 + group as u16
    }

    /// Counters per pipe: two for ready slots, one for each part of a tile, and two for freed
    /// slots, one for each consumer.
    const COUNTERS_PER_PIPE: u16 = 4;

    /// Returns the consumer's counter of pushes of a part of a tile to a pipe.
    pub fn ready(pipe: u16, part: u32) -> u16 {
        STAGE + 1 + COUNTERS_PER_PIPE * pipe + part as u16
    }

    /// Returns the producer's counter of slots that a peer has freed.
    pub fn freed(pipe: u16, peer: u32) -> u16 {
        ready(pipe, 0) + 2 + peer as u16
    }
}

/// Hardware semaphores.
pub mod semaphore {
    /// Parts of Dst ready to be packed (math → pack). Its maximum is the number of parts in use:
    /// two halves, or one part ([`super::super::walk::Work::dst_parts`]).
    pub const MATH_PACK: u8 = 1;
    /// The packers have finished a block (coprocessor → T2's RISC-V core).
    pub const PACK_DONE: u8 = 2;
    /// The unpackers have finished a step (coprocessor → T0's RISC-V core).
    pub const UNPACK_DONE: u8 = 3;
    /// Unpacker 0 may write to the half of Dst (math → unpack).
    pub const DST_OPEN: u8 = 4;
    /// Unpacker 0 has written its tiles to Dst (unpack → math).
    pub const DST_FILLED: u8 = 5;

    /// Returns the operand of SEM* instructions that selects a semaphore.
    pub const fn mask(semaphore: u8) -> u32 {
        1 << semaphore
    }
}

/// A condition that STALLWAIT waits for.
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
    /// The matrix unit owns a bank of SrcA.
    SrcAOwnedByMath,
    /// The matrix unit owns a bank of SrcB.
    SrcBOwnedByMath,
}

impl StallCondition {
    /// Returns the bits of STALLWAIT's condition mask (`STALLWAIT.md`). Blackhole has one packer
    /// instead of four, so later conditions are three bits lower.
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

    /// Mask of a format field.
    pub const MASK: u32 = 15;

    /// Returns the format of an element type in L1 and Dst.
    pub const fn stored(element: Element) -> u32 {
        match element {
            Element::Bf16 => BF16,
            Element::F32 => F32,
        }
    }

    /// Returns the format of an element type in SrcA and SrcB.
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
