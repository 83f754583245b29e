//! Constants that unpack bf16 operands and round results to bf16, resident in PE memories.

use tessera_isa_mncore::memory::{Bank, Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp};

use crate::compile::elementwise::apply::copy;
use crate::compile::scratchpad::{self, Region};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Op, Operand, Place, Source};

/// The operations that extract the upper and the lower bf16 half of a word: a mask, and a shift.
pub(crate) const HALVES: [(AluKind, u32); 2] = [(AluKind::And, 0xffff_0000), (AluKind::Lsl, 16)];

/// Further constants for rounding to bf16.
const ROUNDING: [u32; 2] = [1, 0x7fff];

/// Indices of constants: mask of the upper half, shift by a half, and the rounding increments for
/// odd results and for all.
pub(crate) const MASK: usize = 0;

pub(crate) const SHIFT: usize = 1;

pub(crate) const ODD: usize = 2;

pub(crate) const ROUND: usize = 3;

/// Constants at the end of LM0, of LM1, or of register files that unpack halves of words. Those in
/// LM0 include the constants for rounding results to bf16, which then need not be loaded between
/// the last product and the results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantTable {
    bank: Bank,
    /// Where the shift is.
    shift: Bank,
}

impl ConstantTable {
    /// Returns the constants in a memory.
    pub const fn in_memory(bank: Bank) -> Self {
        ConstantTable { bank, shift: bank }
    }

    /// Returns the constants in register files, given the words of GRF0 that sums take. If they
    /// leave room, each file has one of the two, since the product also reads both in most steps.
    pub const fn in_registers(sums: u32) -> Self {
        ConstantTable {
            bank: Bank::Grf1,
            shift: match sums <= scratchpad::CONSTANTS_GRF0.start {
                true => Bank::Grf0,
                false => Bank::Grf1,
            },
        }
    }

    /// Returns the operation and the constant that extract each of two vectors.
    pub fn parts(self) -> [(Op, Operand); 2] {
        [0, 1].map(|number| {
            let (kind, _) = HALVES[number];
            let op = Op::Alu(AluOp::new(kind, Some(Precision::Int)), 0);
            (op, self.place(number).into())
        })
    }

    /// Returns the place of a constant, by its index.
    pub fn place(self, number: usize) -> Place {
        let bank = if number == SHIFT {
            self.shift
        } else {
            self.bank
        };
        let behind = u32::from(Width::Long.words()) * (number as u32 + 1);
        Place {
            bank,
            width: Width::Long,
            address: Address::fixed(ConstantTable::region(bank).end() - behind),
            stride: 0,
        }
    }

    /// Returns the region of the constants in a memory, the last of which comes first.
    fn region(bank: Bank) -> Region {
        match bank {
            Bank::Lm0 => scratchpad::CONSTANTS_LM0,
            Bank::Lm1 => scratchpad::CONSTANTS_LM1,
            Bank::Grf0 => scratchpad::CONSTANTS_GRF0,
            Bank::Grf1 => scratchpad::CONSTANTS_GRF1,
        }
    }

    fn constants(self) -> impl Iterator<Item = u32> {
        let rounding = ROUNDING.into_iter().filter(move |_| self.bank == Bank::Lm0);
        HALVES.into_iter().map(|(_, word)| word).chain(rounding)
    }

    /// Emits the items that load the constants.
    pub fn load(self, body: &mut Body) {
        for (number, word) in self.constants().enumerate() {
            let word = Source::Constant(word).into();
            body.push(copy(), vec![word], vec![self.place(number).into()]);
        }
    }

    /// Makes a body read the constants from there.
    pub fn replace(self, body: &mut Body) {
        let inputs = body.items.iter_mut().flat_map(|item| &mut item.inputs);
        for input in inputs {
            let found = self
                .constants()
                .position(|word| matches!(input.source, Source::Constant(own) if own == word));
            if let Some(number) = found {
                *input = self.place(number).into();
            }
        }
    }
}
