//! One L1 block: its memory, and the memories and registers of its processing elements.
//!
//! Manual, sections 1.5 and 3.6.1. The storage is a structure of arrays. A *plane* holds one long
//! word of every lane (PE) of the block; PE `pe` of MAB `mab` is lane `4 * mab + pe`. An address of
//! a PE memory selects a plane. Blocks share no state, so they can execute in parallel.

use tessera_isa_mncore::ast::{Fixed, MemoryOperand, Modify, Source, Target};
use tessera_isa_mncore::memory::{Bank, Width};

use crate::bus::{Bus, Flags, MaskWidth, Words};
use crate::copy_on_write::State;
use crate::geometry::{BlockId, Geometry, CYCLES, PES};
use crate::matrix_register::MatrixRegister;
use crate::memory::MemoryWords;
use crate::planes::Planes;
use crate::turnaround::Turnaround;

/// Size of an L1BM in long words.
pub const L1BM_WORDS: usize = 8 << 10;
/// Number of long words of an L1BM that are cleared together.
const L1BM_ROW_WORDS: usize = 64;
/// Number of mask register entries.
pub const MASK_ENTRIES: usize = tessera_isa_mncore::memory::MASK_ENTRIES as usize;

/// The state of one L1 block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The position of the block on the board.
    pub id: BlockId,
    /// GRF0, GRF1, LM0 and LM1, indexed by [`Bank`].
    pub memory: [Planes; 4],
    /// The T register.
    pub t: Bus,
    /// The base address registers of LM0 and LM1, per lane.
    pub base: [Box<[u16]>; 2],
    /// The mask registers; entry 0 is unused.
    pub masks: Vec<Flags>,
    /// The matrix registers x and y.
    pub matrix: [MatrixRegister; 2],
    /// The L1BM.
    pub l1bm: MemoryWords,
    /// The result of each unit in the last step that forwards, in the order of
    /// [`tessera_isa_mncore::ast::Forward`].
    pub forward: [Bus; 4],
    /// The turn-around register.
    pub turnaround: Turnaround,
    lanes: usize,
}

impl Block {
    /// Creates a zeroed block.
    pub fn new(geometry: &Geometry, id: BlockId) -> Self {
        let lanes = geometry.lanes();
        let bus = || Bus::new(lanes);
        let planes = |count| Planes::new(count, lanes);
        let bank = |bank: Bank| planes(usize::from(bank.words()) / 2);
        Block {
            id,
            memory: Bank::ALL.map(bank),
            t: bus(),
            base: [vec![0; lanes].into(), vec![0; lanes].into()],
            masks: vec![Flags::new(lanes); MASK_ENTRIES],
            matrix: [MatrixRegister::new(lanes), MatrixRegister::new(lanes)],
            l1bm: MemoryWords::new(L1BM_WORDS / L1BM_ROW_WORDS, L1BM_ROW_WORDS),
            forward: [bus(), bus(), bus(), bus()],
            turnaround: Turnaround::default(),
            lanes,
        }
    }

    /// Returns the number of processing elements.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns the value of an input operand in all cycles and lanes. Borrows it from its memory if
    /// possible, otherwise gathers it on `bus`. `selected_bits` is the element width, which fixed
    /// values depend on.
    pub fn read<'a>(&'a self, source: &Source, bits: u32, bus: &'a mut Bus) -> Words<'a> {
        match self.find(source, bits, bus) {
            Some(words) => words,
            None => bus.words(),
        }
    }

    /// Copies the value of an input operand to a bus.
    pub fn copy(&self, source: &Source, bits: u32, bus: &mut Bus) {
        if let Some(words) = self.find(source, bits, bus) {
            bus.copy_from(words);
        }
    }

    /// Returns a view of an operand's words, or gathers them on `bus` and returns `None`.
    fn find(&self, source: &Source, bits: u32, bus: &mut Bus) -> Option<Words<'_>> {
        match source {
            Source::Memory(operand) => self.find_in_memory(operand, bus),
            Source::T => Some(self.t.words()),
            Source::Forward(unit) => Some(self.forward[*unit as usize].words()),
            Source::Fixed(fixed) => {
                self.read_fixed(*fixed, bits, bus);
                None
            }
        }
    }

    fn find_in_memory(&self, operand: &MemoryOperand, bus: &mut Bus) -> Option<Words<'_>> {
        let memory = &self.memory[operand.bank as usize];
        let address = |cycle| usize::from(operand.address(cycle));
        if !self.is_uniform(operand) {
            for cycle in 0..CYCLES {
                let (high, low) = bus.cycle_mut(cycle);
                for lane in 0..self.lanes {
                    let at = self.address(operand, cycle, lane);
                    (high[lane], low[lane]) = memory.get(lane, at, operand.width);
                }
            }
            return None;
        }
        match operand.width {
            Width::Single => {
                for cycle in 0..CYCLES {
                    memory.read_singles(address(cycle), bus.high_mut(cycle));
                }
                None
            }
            Width::Long => {
                let high = |cycle| memory.plane_at(address(cycle));
                Some(Words::from_high(self.lanes, high))
            }
            Width::Double => Some(Words::new(|cycle| {
                let address = address(cycle) / 4 * 4;
                (memory.plane_at(address), memory.plane_at(address + 2))
            })),
        }
    }

    fn read_fixed(&self, fixed: Fixed, bits: u32, bus: &mut Bus) {
        for cycle in 0..CYCLES {
            let (high, low) = bus.cycle_mut(cycle);
            for (lane, (high, low)) in high.iter_mut().zip(low).enumerate() {
                let value = match fixed {
                    Fixed::L2bId => 2 * self.id.group + self.id.l2b,
                    Fixed::L1bId => self.id.l1b,
                    Fixed::MabId => lane / PES,
                    Fixed::PeId => lane,
                    Fixed::SubPeId => lane % PES,
                    Fixed::Msb1 => 1 << (bits - 1),
                };
                let copies = (0..64).step_by(bits as usize);
                *high = copies.fold(0, |all, at| all | (value as u64) << at);
                *low = *high;
            }
        }
    }

    /// Returns whether an operand has the same address in all lanes.
    fn is_uniform(&self, operand: &MemoryOperand) -> bool {
        operand.modify == Modify::None
            && base_index(operand.bank)
                // Without an early exit, so that compilers vectorise the loop.
                .is_none_or(|index| self.base[index].iter().fold(0, |all, base| all | base) == 0)
    }

    /// Returns the single word address of an access (section 3.6.1.6). A misaligned part is dropped
    /// later.
    fn address(&self, operand: &MemoryOperand, cycle: usize, lane: usize) -> usize {
        let base = base_index(operand.bank).map_or(0, |index| self.base[index][lane]);
        let extra = match operand.modify {
            Modify::UpToPe(last) if lane % PES <= usize::from(last) => {
                usize::from(operand.width.words())
            }
            Modify::UpToPe(_) | Modify::None => 0,
            // Only the low bits matter, since memory sizes are powers of two.
            Modify::T => self.t.cycle(cycle).0[lane] as usize % usize::from(operand.bank.words()),
        };
        usize::from(base) + extra + usize::from(operand.address(cycle))
    }

    /// Writes an output operand in all cycles and lanes; later cycles take precedence. `mask`
    /// selects the words to write. A mask register receives `flags` instead of words, and-ed with
    /// the flags of the mask.
    pub fn write(
        &mut self,
        target: &Target,
        bus: &Bus,
        flags: &Flags,
        mask: Option<(&Flags, MaskWidth)>,
    ) {
        match target {
            Target::Memory(operand) => self.write_memory(operand, bus, mask),
            Target::T => self.write_t(bus, mask),
            Target::Base(bank, width) => self.write_base(*bank, *width, bus, mask),
            Target::MaskRegister(entry) => self.write_mask(*entry, flags, mask),
            Target::Nowrite => {}
        }
    }

    fn write_t(&mut self, bus: &Bus, mask: Option<(&Flags, MaskWidth)>) {
        if mask.is_none() {
            return self.t.copy_from(bus.words());
        }
        for cycle in 0..CYCLES {
            let (high, low) = bus.cycle(cycle);
            let (to_high, to_low) = self.t.cycle_mut(cycle);
            for lane in 0..self.lanes {
                let (mask_high, mask_low) = selected_bits(mask, cycle, lane);
                to_high[lane] = to_high[lane] & !mask_high | high[lane] & mask_high;
                to_low[lane] = to_low[lane] & !mask_low | low[lane] & mask_low;
            }
        }
    }

    fn write_memory(
        &mut self,
        operand: &MemoryOperand,
        bus: &Bus,
        mask: Option<(&Flags, MaskWidth)>,
    ) {
        let uniform = self.is_uniform(operand);
        for cycle in 0..CYCLES {
            let (high, low) = bus.cycle(cycle);
            if uniform && mask.is_none() {
                let address = usize::from(operand.address(cycle));
                let memory = &mut self.memory[operand.bank as usize];
                memory.write_all(address, operand.width, high, low);
                continue;
            }
            for lane in 0..self.lanes {
                let at = self.address(operand, cycle, lane);
                let memory = &mut self.memory[operand.bank as usize];
                let value = (high[lane], low[lane]);
                memory.write_masked(
                    lane,
                    at,
                    operand.width,
                    value,
                    selected_bits(mask, cycle, lane),
                );
            }
        }
    }

    fn write_base(
        &mut self,
        bank: Bank,
        width: Width,
        bus: &Bus,
        mask: Option<(&Flags, MaskWidth)>,
    ) {
        let Some(index) = base_index(bank) else {
            return;
        };
        // Takes the low bits of the word at the most significant end (section 3.6.1.7).
        let shift = if width == Width::Single { 32 } else { 0 };
        for cycle in 0..CYCLES {
            let (high, _) = bus.cycle(cycle);
            for (lane, base) in self.base[index].iter_mut().enumerate() {
                let mask = (selected_bits(mask, cycle, lane).0 >> shift) as u16 & 0xfff;
                *base = *base & !mask | (high[lane] >> shift) as u16 & mask;
            }
        }
    }

    fn write_mask(&mut self, entry: u8, flags: &Flags, mask: Option<(&Flags, MaskWidth)>) {
        let to = &mut self.masks[usize::from(entry)];
        for cycle in 0..CYCLES {
            for (lane, to) in to.cycle_mut(cycle).iter_mut().enumerate() {
                let allowed = mask.map_or(0b1111, |(mask, _)| mask.cycle(cycle)[lane]);
                *to = flags.cycle(cycle)[lane] & allowed;
            }
        }
    }
}

impl State for Block {
    fn clear(&mut self) {
        self.memory.iter_mut().for_each(|planes| planes.fill(0));
        self.t.clear();
        self.base.iter_mut().for_each(|base| base.fill(0));
        self.masks.iter_mut().for_each(Flags::clear);
        self.matrix.iter_mut().for_each(|register| register.fill(0));
        self.l1bm.clear();
        self.forward.iter_mut().for_each(Bus::clear);
        self.turnaround.clear();
    }

    fn copy_from(&mut self, other: &Block) {
        let Block {
            id: _,
            memory,
            t,
            base,
            masks,
            matrix,
            l1bm,
            forward,
            turnaround,
            lanes: _,
        } = self;
        for (to, from) in memory.iter_mut().zip(&other.memory) {
            to.copy_from(from);
        }
        t.clone_from(&other.t);
        base.clone_from(&other.base);
        for (to, from) in masks.iter_mut().zip(&other.masks) {
            to.copy_from(from);
        }
        for (to, from) in matrix.iter_mut().zip(&other.matrix) {
            to.copy_from(from);
        }
        l1bm.copy_from(&other.l1bm);
        for (to, from) in forward.iter_mut().zip(&other.forward) {
            to.clone_from(from);
        }
        turnaround.clone_from(&other.turnaround);
    }
}

/// Returns the index of the base address register of a local memory.
fn base_index(bank: Bank) -> Option<usize> {
    match bank {
        Bank::Lm0 => Some(0),
        Bank::Lm1 => Some(1),
        Bank::Grf0 | Bank::Grf1 => None,
    }
}

/// Returns the bits of the two long words that a mask selects; all without a mask.
fn selected_bits(mask: Option<(&Flags, MaskWidth)>, cycle: usize, lane: usize) -> (u64, u64) {
    mask.map_or((u64::MAX, u64::MAX), |(flags, width)| {
        width.expand(flags.cycle(cycle)[lane])
    })
}

#[cfg(test)]
mod tests;
