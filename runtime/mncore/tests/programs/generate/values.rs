//! Random contents of memories.
//!
//! Comparing arithmetic is useful only where it does not trap, and testing it only close to such
//! cases. Most words are numbers near one. Matrix registers and most groups of four PEs hold valid
//! block floats of the program's precision. Some machines get the ends of the range, infinities,
//! zeros with a mantissa, ties, small integers, or random bits.

use tessera_isa_mncore::memory::{Bank, Precision};
use tessera_mncore::block::{Block, MATRIX_ROWS};
use tessera_mncore::board::{Group, DARBUF_ENTRIES, DAR_ENTRIES};
use tessera_mncore::bus::Bus;
use tessera_mncore::dram::DRAM_WORDS;
use tessera_mncore::geometry::{CYCLES, PES};
use tessera_mncore::machine::Machine;

use super::dice::Dice;
use super::expressions::NEAR;

/// The kind of content of four long words, one of each PE of a MAB.
#[derive(Clone, Copy)]
enum Kind {
    /// Any bits.
    Bits,
    /// A valid block float.
    Block(Precision),
    /// Numbers near one.
    Numbers(Precision),
    /// Zeros, infinities, the ends of the range, and numbers.
    Extremes(Precision),
    /// Small integers of both signs.
    Integers(u32),
}

/// The distribution of the contents of a machine.
struct Palette {
    precision: Precision,
    /// The percentage of groups of four long words that are a block float.
    blocks: usize,
    /// The percentage of groups of four long words that are random bits.
    wild: usize,
}

/// The fields of a format: bits of a word, of its mantissa.
const fn fields(precision: Precision) -> (u32, u32) {
    match precision {
        Precision::Double => (64, 52),
        Precision::Half => (16, 9),
        _ => (32, 23),
    }
}

/// Fills the parts that most addresses refer to.
pub fn fill(dice: &mut Dice, (precision, multiplies): (Precision, bool), machine: &mut Machine) {
    let palette = Palette {
        precision,
        blocks: if multiplies {
            100
        } else {
            dice.pick(&[30, 90])
        },
        wild: dice.weighted(&[(80, 0), (8, 3), (12, 30)]),
    };
    for block in &mut machine.blocks {
        palette.block(dice, block);
    }
    for memory in &mut machine.board.l2bm {
        palette.longs(dice, memory, false);
    }
    for group in &mut machine.board.groups {
        palette.group(dice, group);
    }
}

impl Palette {
    /// One block: PE memories, registers, L1BM.
    fn block(&self, dice: &mut Dice, block: &mut Block) {
        for bank in Bank::ALL {
            let planes = &mut block.memory[bank as usize];
            let count = planes.count();
            for plane in (0..count).filter(|plane| *plane < 64 || *plane + 16 >= count) {
                let kind = self.kind(dice);
                self.plane(dice, kind, planes.plane_mut(plane));
            }
        }
        for matrix in &mut block.matrix {
            // The same in every MAB, as after a broadcast.
            let same = dice.percent(30);
            for row in 0..MATRIX_ROWS {
                let kind = if dice.percent(self.wild) {
                    self.kind(dice)
                } else {
                    Kind::Block(self.precision)
                };
                let row = matrix.row_mut(row);
                self.plane(dice, kind, row);
                if same {
                    let (first, rest) = row.split_at_mut(PES);
                    rest.chunks_mut(PES)
                        .for_each(|mab| mab.copy_from_slice(first));
                }
            }
        }
        self.t(dice, &mut block.t);
        let moved = dice.percent(25);
        for base in block.base.iter_mut().flat_map(|bases| bases.iter_mut()) {
            *base = if moved {
                dice.below(4096) as u16 & dice.pick(&[0x1c, 0xfff])
            } else {
                0
            };
        }
        let partial = dice.percent(70);
        for mask in &mut block.masks {
            for cycle in 0..CYCLES {
                for flags in mask.cycle_mut(cycle) {
                    *flags = if partial {
                        dice.below(16) as u8
                    } else {
                        0b1111
                    };
                }
            }
        }
        self.longs(dice, &mut block.l1bm, false);
    }

    fn plane(&self, dice: &mut Dice, kind: Kind, plane: &mut [u64]) {
        for longs in plane.chunks_mut(PES) {
            longs.copy_from_slice(&four(dice, kind));
        }
    }

    /// The T register: numbers, and small integers where it is used as an address.
    fn t(&self, dice: &mut Dice, t: &mut Bus) {
        for cycle in 0..CYCLES {
            let kind = if dice.percent(50) {
                Kind::Integers(64)
            } else {
                self.kind(dice)
            };
            let (high, low) = t.cycle_mut(cycle);
            for longs in high.chunks_mut(PES).chain(low.chunks_mut(PES)) {
                longs.copy_from_slice(&four(dice, kind));
            }
        }
    }

    /// A memory of long words, in runs of 64 of a kind.
    fn longs(&self, dice: &mut Dice, memory: &mut [u64], all: bool) {
        let count = memory.len();
        for (number, run) in memory.chunks_mut(64).enumerate() {
            let start = number * 64;
            if !all && start > NEAR + 256 && start + NEAR / 2 + 64 < count {
                continue;
            }
            let kind = self.kind(dice);
            for longs in run.chunks_mut(PES) {
                longs.copy_from_slice(&four(dice, kind)[..longs.len()]);
            }
        }
    }

    /// PDM, DRAM and its address registers, which contain small addresses.
    fn group(&self, dice: &mut Dice, group: &mut Group) {
        self.longs(dice, &mut group.pdm, false);
        let mut words = vec![0; NEAR + 512];
        self.longs(dice, &mut words, true);
        group.dram.write(0, &words);
        group.dram.write(DRAM_WORDS - NEAR as u64, &words[..NEAR]);
        for entry in 0..DAR_ENTRIES {
            group.dar[entry] = dice.below(64) as u32;
        }
        for entry in 0..DARBUF_ENTRIES {
            group.darbuf[entry] = dice.below(64) as u32;
        }
    }

    fn kind(&self, dice: &mut Dice) -> Kind {
        if dice.percent(self.wild) {
            let precision = dice.pick(&super::MATRIX_PRECISIONS);
            let bits = dice.pick(&[16, 32, 64]);
            return dice.pick(&[
                Kind::Bits,
                Kind::Block(precision),
                Kind::Extremes(precision),
                Kind::Integers(bits),
            ]);
        }
        if dice.percent(self.blocks) {
            Kind::Block(self.precision)
        } else {
            Kind::Numbers(self.precision)
        }
    }
}

/// Four long words of a kind.
fn four(dice: &mut Dice, kind: Kind) -> [u64; PES] {
    match kind {
        Kind::Bits => std::array::from_fn(|_| dice.word()),
        Kind::Block(precision) => {
            let (bits, _) = fields(precision);
            let exponent = near_bias(dice, precision);
            // Exponent 0 is the extended form of half precision.
            let extended = precision == Precision::Half && dice.percent(30);
            elements(dice, bits, |dice| {
                let extends = extended && dice.percent(30);
                word(dice, precision, if extends { 0 } else { exponent })
            })
        }
        Kind::Numbers(precision) => elements(dice, fields(precision).0, |dice| {
            let exponent = near_bias(dice, precision);
            word(dice, precision, exponent)
        }),
        Kind::Extremes(precision) => {
            let (bits, mantissa) = fields(precision);
            let top = (1 << (bits - 1 - mantissa)) - 1;
            elements(dice, bits, |dice| {
                let near = near_bias(dice, precision);
                let exponent = dice.pick(&[0, 1, 2, 7, top / 2, top - 2, top - 1, top, near]);
                word(dice, precision, exponent)
            })
        }
        Kind::Integers(bits) => elements(dice, bits, |dice| {
            let number = dice.below(80) as u64;
            let negative = dice.percent(20);
            (if negative {
                number.wrapping_neg()
            } else {
                number
            }) & u64::MAX >> (64 - bits)
        }),
    }
}

/// Four long words of elements of `bits` bits.
fn elements(dice: &mut Dice, bits: u32, mut element: impl FnMut(&mut Dice) -> u64) -> [u64; PES] {
    std::array::from_fn(|_| {
        (0..64 / bits).fold(0, |long, index| long | element(dice) << (index * bits))
    })
}

/// An exponent field of a number near one.
fn near_bias(dice: &mut Dice, precision: Precision) -> u64 {
    let (bits, mantissa) = fields(precision);
    let bias = (1u64 << (bits - 2 - mantissa)) - 1;
    let spread = dice.pick(&[1, 4, 12]);
    bias + dice.below(2 * spread + 1) as u64 - spread as u64
}

/// A word with this exponent field: any sign, a mantissa of a few bits, of ones, or of anything.
fn word(dice: &mut Dice, precision: Precision, exponent: u64) -> u64 {
    let (bits, mantissa_bits) = fields(precision);
    let mask = (1u64 << mantissa_bits) - 1;
    let place = dice.below(mantissa_bits as usize) as u32;
    let mantissa = match dice.below(8) {
        0 => 0,
        1 => 1 << place,
        2 => mask << place,
        3 => mask >> place,
        _ => dice.word(),
    };
    let sign = dice.word() & 1;
    sign << (bits - 1) | exponent << mantissa_bits | mantissa & mask
}
