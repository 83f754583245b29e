//! One L1 block: its memory, its processing elements' memories and registers.
//!
//! Manual, sections 1.5 and 3.6.1. Structure of arrays: a *plane* holds one long word of every lane (PE) of the block, lane
//! `4 * mab + pe`; an address of PE memory selects a plane. Blocks share nothing, so they may run in parallel.

use crate::bus::{Bus, Flags, MaskWidth};
use crate::geometry::{BlockId, Geometry, CYCLES, PES};
use crate::operand::{Access, Bank, Destination, Fixed, Modifier, Source, Width};

/// Long words of a local memory in one PE.
pub const LM_WORDS: usize = 2048;
/// Long words of a general register file in one PE.
pub const GRF_WORDS: usize = 256;
/// Long words of an L1B's memory.
pub const L1BM_WORDS: usize = 8 << 10;
/// Rows of one side of a matrix register.
pub const MATRIX_ROWS: usize = 16;
/// Entries of the mask registers that can be written, and entry 0, which stays all ones.
pub const MASK_ENTRIES: usize = 16;

/// Planes of PE memory.
#[derive(Clone, Debug)]
pub struct Planes {
    words: Box<[u64]>,
    lanes: usize,
}

impl Planes {
    fn new(count: usize, lanes: usize) -> Self {
        Planes {
            words: vec![0; count * lanes].into(),
            lanes,
        }
    }

    /// The number of planes.
    pub fn count(&self) -> usize {
        self.words.len() / self.lanes
    }

    /// The plane of a long word address.
    pub fn plane(&self, index: usize) -> &[u64] {
        &self.words[index * self.lanes..][..self.lanes]
    }

    /// The plane of a long word address, to be written.
    pub fn plane_mut(&mut self, index: usize) -> &mut [u64] {
        &mut self.words[index * self.lanes..][..self.lanes]
    }

    /// Reads the words at single word address `address` as they lie on the data path.
    fn get(&self, lane: usize, address: usize, width: Width) -> (u64, u64) {
        let address = address % (2 * self.count());
        let long = |index: usize| self.words[index * self.lanes + lane];
        match width {
            Width::Single if address % 2 == 1 => (long(address / 2) << 32, 0),
            Width::Single => (long(address / 2) & 0xffff_ffff << 32, 0),
            Width::Long => (long(address / 2), 0),
            Width::TwoLong => (long(address / 4 * 2), long(address / 4 * 2 + 1)),
        }
    }

    /// Writes what `value` has in the bits of `mask`, both as they lie on the data path.
    fn put(
        &mut self,
        lane: usize,
        address: usize,
        width: Width,
        value: (u64, u64),
        mask: (u64, u64),
    ) {
        let address = address % (2 * self.count());
        let lanes = self.lanes;
        let mut long = |index: usize, value: u64, mask: u64| {
            let word = &mut self.words[index * lanes + lane];
            *word = *word & !mask | value & mask;
        };
        let high = mask.0 & 0xffff_ffff << 32;
        match width {
            Width::Single if address % 2 == 1 => long(address / 2, value.0 >> 32, high >> 32),
            Width::Single => long(address / 2, value.0, high),
            Width::Long => long(address / 2, value.0, mask.0),
            Width::TwoLong => {
                long(address / 4 * 2, value.0, mask.0);
                long(address / 4 * 2 + 1, value.1, mask.1);
            }
        }
    }

    /// Reads one address in all lanes.
    fn read_all(&self, address: usize, width: Width, high: &mut [u64], low: &mut [u64]) {
        let address = address % (2 * self.count());
        match width {
            Width::Single => {
                let plane = self.plane(address / 2);
                for (to, from) in high.iter_mut().zip(plane) {
                    *to = if address % 2 == 1 {
                        from << 32
                    } else {
                        from & 0xffff_ffff << 32
                    };
                }
                low.fill(0);
            }
            Width::Long => {
                high.copy_from_slice(self.plane(address / 2));
                low.fill(0);
            }
            Width::TwoLong => {
                high.copy_from_slice(self.plane(address / 4 * 2));
                low.copy_from_slice(self.plane(address / 4 * 2 + 1));
            }
        }
    }

    /// Writes one address in all lanes.
    fn write_all(&mut self, address: usize, width: Width, high: &[u64], low: &[u64]) {
        let address = address % (2 * self.count());
        match width {
            Width::Single => {
                for (to, from) in self.plane_mut(address / 2).iter_mut().zip(high) {
                    *to = if address % 2 == 1 {
                        *to & 0xffff_ffff << 32 | from >> 32
                    } else {
                        *to & 0xffff_ffff | from & 0xffff_ffff << 32
                    };
                }
            }
            Width::Long => self.plane_mut(address / 2).copy_from_slice(high),
            Width::TwoLong => {
                self.plane_mut(address / 4 * 2).copy_from_slice(high);
                self.plane_mut(address / 4 * 2 + 1).copy_from_slice(low);
            }
        }
    }
}

/// One L1 block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it is.
    pub id: BlockId,
    /// LM0 and LM1.
    pub lm: [Planes; 2],
    /// GRF0 and GRF1.
    pub grf: [Planes; 2],
    /// The T register.
    pub t: Bus,
    /// The base address registers of LM0 and LM1, in every lane.
    pub base: [Box<[u16]>; 2],
    /// The mask registers.
    pub masks: Vec<Flags>,
    /// The sides x and y of the matrix registers: a plane is a physical row, lane `4 * mab + pe` its `pe`th long word.
    pub matrix: [Planes; 2],
    /// The L1BM.
    pub l1bm: Box<[u64]>,
    /// What each unit put out in the last step that forwards, in the order of [`crate::operand::Forward::ALL`].
    pub forward: [Bus; 4],
    /// The turn-around register: what was last sent from PE to L1BM, a row of long words for each cycle.
    pub turnaround: [Box<[u64]>; CYCLES],
    lanes: usize,
}

impl Block {
    /// A block with everything at zero.
    pub fn new(geometry: &Geometry, id: BlockId) -> Self {
        let lanes = geometry.lanes();
        let bus = || Bus::new(lanes);
        let two = |count| [Planes::new(count, lanes), Planes::new(count, lanes)];
        let mut masks = vec![Flags::new(lanes); MASK_ENTRIES];
        masks[0].set_cycles([true; CYCLES]);
        Block {
            id,
            lm: two(LM_WORDS),
            grf: two(GRF_WORDS),
            t: bus(),
            base: [vec![0; lanes].into(), vec![0; lanes].into()],
            masks,
            matrix: two(MATRIX_ROWS),
            l1bm: vec![0; L1BM_WORDS].into(),
            forward: [bus(), bus(), bus(), bus()],
            turnaround: std::array::from_fn(|_| vec![0; lanes].into()),
            lanes,
        }
    }

    /// The number of processing elements.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Reads an input operand for all cycles and lanes.
    pub fn read(&self, source: &Source, bus: &mut Bus) {
        match source {
            Source::Lm(access, modifier) => self.read_lm(access, *modifier, bus),
            Source::Grf(access) => {
                for (cycle, address) in access.address.into_iter().enumerate() {
                    let (high, low) = bus.cycle_mut(cycle);
                    let memory = &self.grf[access.bank.index()];
                    memory.read_all(usize::from(address), access.width, high, low);
                }
            }
            Source::T => bus.copy_from(&self.t),
            Source::Forward(unit) => bus.copy_from(&self.forward[unit.index()]),
            Source::Fixed(fixed, bits) => self.read_fixed(*fixed, *bits, bus),
        }
    }

    fn read_lm(&self, access: &Access, modifier: Modifier, bus: &mut Bus) {
        let memory = &self.lm[access.bank.index()];
        for (cycle, address) in access.address.into_iter().enumerate() {
            let (high, low) = bus.cycle_mut(cycle);
            if modifier == Modifier::None && self.base_is_zero(access.bank) {
                memory.read_all(usize::from(address), access.width, high, low);
                continue;
            }
            for lane in 0..self.lanes {
                let at = self.lm_address(access, modifier, cycle, lane);
                (high[lane], low[lane]) = memory.get(lane, at, access.width);
            }
        }
    }

    fn read_fixed(&self, fixed: Fixed, bits: u8, bus: &mut Bus) {
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
                let repeated = (0..64).step_by(usize::from(bits)).map(|at| value << at);
                *high = repeated.fold(0, |all, one| all | one as u64);
                *low = *high;
            }
        }
    }

    fn base_is_zero(&self, bank: Bank) -> bool {
        self.base[bank.index()].iter().all(|base| *base == 0)
    }

    /// The single word address of an LM access; section 3.6.1.6. What does not divide by the width is cut off later.
    fn lm_address(&self, access: &Access, modifier: Modifier, cycle: usize, lane: usize) -> usize {
        let base = usize::from(self.base[access.bank.index()][lane]);
        let extra = match modifier {
            Modifier::None => 0,
            Modifier::Neighbour(last) if lane % PES <= usize::from(last) => access.width.words(),
            Modifier::Neighbour(_) => 0,
            // Only the remainder counts, and the size of the memory is a power of two.
            Modifier::Indirect => self.t.cycle(cycle).0[lane] as usize % (2 * LM_WORDS),
        };
        base + extra + usize::from(access.address[cycle])
    }

    /// Writes an output operand for all cycles and lanes; later cycles win where addresses meet. `mask` lets only some
    /// words pass; `flags` is what a mask register takes instead of words, and there the mask's flags are ANDed to them.
    pub fn write(
        &mut self,
        destination: &Destination,
        bus: &Bus,
        flags: &Flags,
        mask: Option<(&Flags, MaskWidth)>,
    ) {
        match destination {
            Destination::Mask(entry) => self.write_mask(*entry, flags, mask),
            Destination::Base(bank, width) => self.write_base(*bank, *width, bus, mask),
            Destination::T => {
                for cycle in 0..CYCLES {
                    let (high, low) = bus.cycle(cycle);
                    let (to_high, to_low) = self.t.cycle_mut(cycle);
                    for lane in 0..self.lanes {
                        let (mask_high, mask_low) = bits(mask, cycle, lane);
                        to_high[lane] = to_high[lane] & !mask_high | high[lane] & mask_high;
                        to_low[lane] = to_low[lane] & !mask_low | low[lane] & mask_low;
                    }
                }
            }
            Destination::Grf(access) => {
                let memory = &mut self.grf[access.bank.index()];
                for (cycle, address) in access.address.into_iter().enumerate() {
                    let (high, low) = bus.cycle(cycle);
                    let address = usize::from(address);
                    if mask.is_none() {
                        memory.write_all(address, access.width, high, low);
                        continue;
                    }
                    for lane in 0..self.lanes {
                        let value = (high[lane], low[lane]);
                        let mask = bits(mask, cycle, lane);
                        memory.put(lane, address, access.width, value, mask);
                    }
                }
            }
            Destination::Lm(access, modifier) => self.write_lm(access, *modifier, bus, mask),
        }
    }

    fn write_lm(
        &mut self,
        access: &Access,
        modifier: Modifier,
        bus: &Bus,
        mask: Option<(&Flags, MaskWidth)>,
    ) {
        let straight =
            mask.is_none() && modifier == Modifier::None && self.base_is_zero(access.bank);
        for (cycle, address) in access.address.into_iter().enumerate() {
            let (high, low) = bus.cycle(cycle);
            if straight {
                let memory = &mut self.lm[access.bank.index()];
                memory.write_all(usize::from(address), access.width, high, low);
                continue;
            }
            for lane in 0..self.lanes {
                let at = self.lm_address(access, modifier, cycle, lane);
                let memory = &mut self.lm[access.bank.index()];
                let value = (high[lane], low[lane]);
                let mask = bits(mask, cycle, lane);
                memory.put(lane, at, access.width, value, mask);
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
        // The low bits of the word at the most significant end: section 3.6.1.7.
        let shift = if width == Width::Single { 32 } else { 0 };
        for cycle in 0..CYCLES {
            let (high, _) = bus.cycle(cycle);
            for (lane, base) in self.base[bank.index()].iter_mut().enumerate() {
                let mask = (bits(mask, cycle, lane).0 >> shift) as u16 & 0xfff;
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

/// The bits of the two long words that a mask lets pass: all, without one.
fn bits(mask: Option<(&Flags, MaskWidth)>, cycle: usize, lane: usize) -> (u64, u64) {
    mask.map_or((u64::MAX, u64::MAX), |(flags, width)| {
        width.spread(flags.cycle(cycle)[lane])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANES: usize = 16;

    fn block() -> Block {
        let id = BlockId {
            group: 1,
            l2b: 1,
            l1b: 1,
        };
        Block::new(&Geometry::SMALL, id)
    }

    /// A bus whose words tell cycle, half and lane.
    fn numbered() -> Bus {
        let mut bus = Bus::new(LANES);
        for cycle in 0..CYCLES {
            let (high, low) = bus.cycle_mut(cycle);
            for lane in 0..LANES {
                high[lane] = 0x1111_0000_2222_0000 | (cycle << 32 | lane) as u64;
                low[lane] = 0x3333_0000_4444_0000 | (cycle << 32 | lane) as u64;
            }
        }
        bus
    }

    fn grf(width: Width, address: [u16; CYCLES]) -> Access {
        Access {
            bank: Bank::One,
            width,
            address,
        }
    }

    #[test]
    fn what_is_written_is_read_at_its_width() {
        for (width, address) in [
            (Width::Single, [0, 1, 2, 511]),
            (Width::Long, [0, 510, 4, 6]),
            (Width::TwoLong, [0, 4, 508, 100]),
        ] {
            let mut block = block();
            let (written, flags) = (numbered(), Flags::new(LANES));
            let access = grf(width, address);
            block.write(&Destination::Grf(access), &written, &flags, None);
            let mut read = Bus::new(LANES);
            block.read(&Source::Grf(access), &mut read);
            for cycle in 0..CYCLES {
                let (high, low) = written.cycle(cycle);
                let kept = if width == Width::Single {
                    0xffff_ffff << 32
                } else {
                    u64::MAX
                };
                let (got_high, got_low) = read.cycle(cycle);
                for lane in 0..LANES {
                    assert_eq!(got_high[lane], high[lane] & kept, "{width:?} {cycle}");
                    let expect = if width == Width::TwoLong {
                        low[lane]
                    } else {
                        0
                    };
                    assert_eq!(got_low[lane], expect, "{width:?} {cycle}");
                }
            }
        }
    }

    #[test]
    fn masked_writes_leave_the_rest() {
        let mut mask = Flags::new(LANES);
        mask.set_cycles([true, false, true, false]);
        let mut block = block();
        let access = grf(Width::TwoLong, [0, 4, 8, 12]);
        let destination = Destination::Grf(access);
        let (bus, flags) = (numbered(), Flags::new(LANES));
        block.write(&destination, &bus, &flags, Some((&mask, MaskWidth::Long)));
        let (high, low) = bus.cycle(1);
        assert_eq!(block.grf[1].plane(0), bus.cycle(0).0);
        assert_eq!(block.grf[1].plane(2), [0; LANES]);
        assert_eq!(block.grf[1].plane(3), low, "padded: the mask is long");
        block.write(
            &destination,
            &bus,
            &flags,
            Some((&mask, MaskWidth::TwoLong)),
        );
        assert_eq!(block.grf[1].plane(2), [0; LANES]);
        block.write(&destination, &bus, &flags, None);
        assert_eq!(block.grf[1].plane(2), high);
    }

    #[test]
    fn local_memory_adds_base_indirection_and_neighbour() {
        let mut block = block();
        for index in 0..LM_WORDS {
            block.lm[0].plane_mut(index).fill(index as u64);
        }
        let read = |block: &Block, address: u16, modifier| {
            let access = Access {
                bank: Bank::Zero,
                width: Width::Long,
                address: [address; CYCLES],
            };
            let mut bus = Bus::new(LANES);
            block.read(&Source::Lm(access, modifier), &mut bus);
            let high = bus.cycle(2).0;
            [high[0], high[1], high[2], high[3]]
        };
        assert_eq!(read(&block, 10, Modifier::None), [5; 4]);
        assert_eq!(read(&block, 10, Modifier::Neighbour(1)), [6, 6, 5, 5]);
        block.t.cycle_mut(2).0[1] = 7;
        block.t.cycle_mut(2).0[3] = (1 << 40) + 4095;
        assert_eq!(read(&block, 0, Modifier::Indirect), [0, 3, 0, 2047]);
        // The base address register takes 12 bits of the word at the top.
        let mut bus = Bus::new(LANES);
        for cycle in 0..CYCLES {
            bus.cycle_mut(cycle).0.fill(0xffff_f004_0000_0008);
        }
        let flags = Flags::new(LANES);
        let base = |width| Destination::Base(Bank::Zero, width);
        block.write(&base(Width::Single), &bus, &flags, None);
        assert_eq!(read(&block, 10, Modifier::None), [7; 4]);
        block.write(&base(Width::Long), &bus, &flags, None);
        assert_eq!(read(&block, 10, Modifier::None), [9; 4]);
        assert_eq!(read(&block, 4094, Modifier::None), [3; 4], "around the end");
    }

    #[test]
    fn mask_registers_take_flags_and_the_mask() {
        let mut block = block();
        let (mut flags, mut mask) = (Flags::new(LANES), Flags::new(LANES));
        flags.cycle_mut(0).fill(0b1010);
        flags.cycle_mut(1).fill(0b1010);
        mask.set_cycles([true, false, true, true]);
        let bus = Bus::new(LANES);
        let mask = Some((&mask, MaskWidth::Long));
        block.write(&Destination::Mask(3), &bus, &flags, mask);
        let got: Vec<_> = (0..CYCLES)
            .map(|cycle| block.masks[3].cycle(cycle)[5])
            .collect();
        assert_eq!(got, [0b1010, 0, 0, 0]);
    }

    #[test]
    fn fixed_inputs_fill_both_long_words() {
        for (fixed, bits, lane, expect) in [
            (Fixed::L2bId, 64, 0, 3),
            (Fixed::L1bId, 16, 0, 0x0001_0001_0001_0001),
            (Fixed::MabId, 64, 9, 2),
            (Fixed::PeId, 32, 9, 0x0000_0009_0000_0009),
            (Fixed::SubPeId, 64, 9, 1),
            (Fixed::Msb1, 32, 0, 0x8000_0000_8000_0000),
            (Fixed::Msb1, 64, 0, 1 << 63),
        ] {
            let mut bus = Bus::new(LANES);
            block().read(&Source::Fixed(fixed, bits), &mut bus);
            let (high, low) = bus.cycle(3);
            assert_eq!((high[lane], low[lane]), (expect, expect), "{fixed:?}");
        }
    }
}
