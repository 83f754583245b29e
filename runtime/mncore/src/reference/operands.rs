//! Operands of PE instructions and masks (manual, sections 3.6.1 and 3.6.2).

use tessera_isa_mncore::ast::{
    Fixed, Input, Mask, MemoryOperand, Modify, Output, Pattern, Source, Target,
};
use tessera_isa_mncore::memory::{Bank, Width};

use super::{Longs, Words};
use crate::block::Block;
use crate::geometry::{CYCLES, PES};

/// Returns the number of single words of an access: *WL* of section 3.6.1.6.
fn length(width: Width) -> u64 {
    match width {
        Width::Single => 1,
        Width::Long => 2,
        Width::Double => 4,
    }
}

/// Returns the single word address of an access by the formula of section 3.6.1.6. For register
/// files only its last part applies.
pub fn address(block: &Block, operand: &MemoryOperand, lane: usize, cycle: usize) -> u64 {
    let length = length(operand.width);
    let base = match operand.bank {
        Bank::Lm0 => block.base[0][lane],
        Bank::Lm1 => block.base[1][lane],
        Bank::Grf0 | Bank::Grf1 => 0,
    };
    let t = match operand.modify {
        Modify::T => block.t.cycle(cycle).0[lane],
        Modify::None | Modify::UpToPe(_) => 0,
    };
    let neighbour = match operand.modify {
        Modify::UpToPe(last) if lane % PES <= usize::from(last) => length,
        _ => 0,
    };
    let given = match operand.pattern {
        Pattern::Stride { base, stride } => u64::from(base) + u64::from(stride) * cycle as u64,
        Pattern::Flat(addresses) => u64::from(addresses[cycle]),
    };
    let size = match operand.bank {
        Bank::Grf0 | Bank::Grf1 => 512,
        Bank::Lm0 | Bank::Lm1 => 4096,
    };
    let sum = t.wrapping_add(u64::from(base) + given + neighbour) % size;
    // Rounds down to the alignment of the access.
    sum - sum % length
}

/// Reads a single word of a PE memory.
fn word(block: &Block, bank: Bank, lane: usize, address: u64) -> u64 {
    let long = block.memory[bank as usize].plane(address as usize / 2)[lane];
    if address % 2 == 0 {
        long >> 32
    } else {
        long & 0xffff_ffff
    }
}

/// Writes the bits of `mask` in a single word of a PE memory.
fn set_word(block: &mut Block, bank: Bank, lane: usize, address: u64, value: u64, mask: u64) {
    let shift = if address % 2 == 0 { 32 } else { 0 };
    let long = &mut block.memory[bank as usize].plane_mut(address as usize / 2)[lane];
    *long = *long & !(mask << shift) | (value & mask) << shift;
}

/// Reads an operand in one PE and cycle. Shorter values occupy the most significant end; zeros
/// follow.
pub fn read(block: &Block, source: &Source, bits: u32, lane: usize, cycle: usize) -> Longs {
    match source {
        Source::Memory(operand) => {
            let start = address(block, operand, lane, cycle);
            let mut words = [0; 4];
            for offset in 0..length(operand.width) {
                words[offset as usize] = word(block, operand.bank, lane, start + offset);
            }
            [words[0] << 32 | words[1], words[2] << 32 | words[3]]
        }
        Source::T => {
            let (high, low) = block.t.cycle(cycle);
            [high[lane], low[lane]]
        }
        Source::Forward(unit) => {
            let (high, low) = block.forward[*unit as usize].cycle(cycle);
            [high[lane], low[lane]]
        }
        Source::Fixed(fixed) => fixed_value(block, *fixed, bits, lane),
    }
}

/// Reads an operand in all PEs and cycles.
pub fn read_all(block: &Block, input: &Input, bits: u32) -> Words {
    (0..block.lanes())
        .map(|lane| std::array::from_fn(|cycle| read(block, &input.source, bits, lane, cycle)))
        .collect()
}

/// Returns a fixed value (table 3.5): two long words of elements as wide as the instruction's.
fn fixed_value(block: &Block, fixed: Fixed, bits: u32, lane: usize) -> Longs {
    let (mab, pe) = (lane / 4, lane % 4);
    let value = match fixed {
        Fixed::L2bId => block.id.group * 2 + block.id.l2b,
        Fixed::L1bId => block.id.l1b,
        Fixed::MabId => mab,
        Fixed::PeId => mab * 4 + pe,
        Fixed::SubPeId => pe,
        Fixed::Msb1 => 1 << (bits - 1),
    } as u64;
    let long = match bits {
        16 => value << 48 | value << 32 | value << 16 | value,
        32 => value << 32 | value,
        _ => value,
    };
    [long; 2]
}

/// Returns the flags of a mask in one PE and cycle (section 3.6.2).
pub fn flags(block: &Block, mask: Mask, lane: usize, cycle: usize) -> u8 {
    match mask.entry {
        0 => 0b1111,
        entry @ 1..=15 => block.masks[usize::from(entry)].cycle(cycle)[lane],
        entry => {
            // One bit per cycle, starting at the highest of the four.
            let set = match cycle {
                0 => entry & 8,
                1 => entry & 4,
                2 => entry & 2,
                _ => entry & 1,
            };
            if set == 0 {
                0
            } else {
                0b1111
            }
        }
    }
}

/// Returns the bits that mask flags select: four half words of the most significant long word, or
/// four single words of both.
pub fn mask_bits(flags: u8, wide: bool) -> Longs {
    let mut passing = [0, 0];
    for index in 0..4 {
        let set = flags >> (3 - index) & 1 == 1;
        match (set, wide) {
            (false, _) => {}
            (true, false) => passing[0] |= 0xffff << (48 - 16 * index),
            (true, true) if index < 2 => passing[0] |= 0xffff_ffff << (32 - 32 * index),
            (true, true) => passing[1] |= 0xffff_ffff << (96 - 32 * index),
        }
    }
    if !wide {
        passing[1] = u64::MAX;
    }
    passing
}

/// A prepared write: its addresses and mask are evaluated before any write of the step.
pub struct Write {
    target: Target,
    /// The single word address in each PE and cycle.
    addresses: Vec<[u64; CYCLES]>,
    /// The flags of the mask in each PE and cycle, and whether it covers two long words; `None`
    /// writes everything.
    mask: Option<(Vec<[u8; CYCLES]>, bool)>,
}

impl Write {
    /// Evaluates the addresses and the mask of an output.
    pub fn prepare(block: &Block, output: &Output) -> Self {
        let lanes = 0..block.lanes();
        let addresses = match &output.target {
            Target::Memory(operand) => lanes
                .clone()
                .map(|lane| std::array::from_fn(|cycle| address(block, operand, lane, cycle)))
                .collect(),
            _ => Vec::new(),
        };
        let mask = output.mask.map(|mask| {
            let flags =
                lanes.map(|lane| std::array::from_fn(|cycle| flags(block, mask, lane, cycle)));
            (flags.collect(), mask.wide)
        });
        Write {
            target: output.target,
            addresses,
            mask,
        }
    }

    /// Writes the result or the flags of a unit, cycle by cycle.
    pub fn apply(&self, block: &mut Block, words: &Words, nibbles: &[[u8; CYCLES]]) {
        for cycle in 0..CYCLES {
            for (lane, longs) in words.iter().enumerate() {
                let allowed = self.mask.as_ref().map(|(flags, _)| flags[lane][cycle]);
                match self.target {
                    Target::MaskRegister(entry) => {
                        let flags = nibbles[lane][cycle] & allowed.unwrap_or(0b1111);
                        block.masks[usize::from(entry)].cycle_mut(cycle)[lane] = flags;
                    }
                    _ => {
                        let wide = self.mask.as_ref().is_some_and(|(_, wide)| *wide);
                        let bits = allowed.map_or([u64::MAX; 2], |flags| mask_bits(flags, wide));
                        self.words(block, lane, cycle, longs[cycle], bits);
                    }
                }
            }
        }
    }

    /// Writes the bits `bits` of two long words in one PE and cycle.
    fn words(&self, block: &mut Block, lane: usize, cycle: usize, longs: Longs, bits: Longs) {
        match &self.target {
            Target::Memory(operand) => {
                let start = self.addresses[lane][cycle];
                let single = |longs: Longs, index: u64| {
                    longs[index as usize / 2] >> (32 - 32 * (index % 2)) & 0xffff_ffff
                };
                for offset in 0..length(operand.width) {
                    let (value, mask) = (single(longs, offset), single(bits, offset));
                    set_word(block, operand.bank, lane, start + offset, value, mask);
                }
            }
            Target::T => {
                let (high, low) = block.t.cycle_mut(cycle);
                high[lane] = high[lane] & !bits[0] | longs[0] & bits[0];
                low[lane] = low[lane] & !bits[1] | longs[1] & bits[1];
            }
            Target::Base(bank, width) => {
                // The low 12 bits of the word at the most significant end (section 3.6.1.7).
                let low = |long: u64| match width {
                    Width::Single => (long >> 32) as u16 & 0xfff,
                    _ => long as u16 & 0xfff,
                };
                let base = &mut block.base[usize::from(*bank == Bank::Lm1)][lane];
                *base = *base & !low(bits[0]) | low(longs[0]) & low(bits[0]);
            }
            Target::MaskRegister(_) | Target::Nowrite => {}
        }
    }
}
