//! Random contents of memories.
//!
//! Comparing arithmetic is useful only where it does not trap, and testing it only close to such
//! cases. Most words are numbers near one. Matrix registers and most groups of four PEs hold valid
//! block floats of the program's precision. Some machines get the ends of the range, infinities,
//! zeros with a mantissa, ties, small integers, or random bits.

use tessera_isa_mncore::memory::{Bank, Precision};
use tessera_mncore::block::Block;
use tessera_mncore::board::{Group, DARBUF_ENTRIES, DAR_ENTRIES};
use tessera_mncore::bus::Bus;
use tessera_mncore::dram::DRAM_WORDS;
use tessera_mncore::geometry::{CYCLES, PES};
use tessera_mncore::machine::Machine;
use tessera_mncore::matrix_register::MATRIX_ROWS;

use super::expressions::NEAR;
use tessera_test_support::random::Rng;

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
pub fn fill(rng: &mut Rng, (precision, multiplies): (Precision, bool), machine: &mut Machine) {
    let palette = Palette {
        precision,
        blocks: if multiplies { 100 } else { rng.pick(&[30, 90]) },
        wild: rng.weighted(&[(80, 0), (8, 3), (12, 30)]),
    };
    // Equal blocks and L2B, but for one, share their states until a transfer or a position that is
    // read makes them differ.
    if rng.pick(&[false, true]) {
        machine.blocks.for_each(|block| palette.block(rng, block));
        let l2bm = &mut machine.board.l2bm;
        l2bm.for_each(|memory| palette.longs(rng, memory, false));
        let one = rng.below(machine.blocks.len());
        palette.block(rng, &mut machine.blocks[one]);
    } else {
        for block in &mut machine.blocks {
            palette.block(rng, block);
        }
        for memory in &mut machine.board.l2bm {
            palette.longs(rng, memory, false);
        }
    }
    for group in &mut machine.board.groups {
        palette.group(rng, group);
    }
}

impl Palette {
    /// One block: PE memories, registers, L1BM.
    fn block(&self, rng: &mut Rng, block: &mut Block) {
        for bank in Bank::ALL {
            let planes = &mut block.memory[bank as usize];
            let count = planes.count();
            for plane in (0..count).filter(|plane| *plane < 64 || *plane + 16 >= count) {
                let kind = self.kind(rng);
                self.plane(rng, kind, planes.plane_mut(plane));
            }
        }
        for matrix in &mut block.matrix {
            // The same in every MAB, as after a broadcast.
            let same = rng.percent(30);
            for row in 0..MATRIX_ROWS {
                let kind = if rng.percent(self.wild) {
                    self.kind(rng)
                } else {
                    Kind::Block(self.precision)
                };
                let row = matrix.row_mut(row);
                self.plane(rng, kind, row);
                if same {
                    let (first, rest) = row.split_at_mut(PES);
                    rest.chunks_mut(PES)
                        .for_each(|mab| mab.copy_from_slice(first));
                }
            }
        }
        self.t(rng, &mut block.t);
        let moved = rng.percent(25);
        for base in block.base.iter_mut().flat_map(|bases| bases.iter_mut()) {
            *base = if moved {
                rng.below(4096) as u16 & rng.pick(&[0x1c, 0xfff])
            } else {
                0
            };
        }
        let partial = rng.percent(70);
        for mask in &mut block.masks {
            for cycle in 0..CYCLES {
                for flags in mask.cycle_mut(cycle) {
                    *flags = if partial { rng.below(16) as u8 } else { 0b1111 };
                }
            }
        }
        self.longs(rng, &mut block.l1bm, false);
    }

    fn plane(&self, rng: &mut Rng, kind: Kind, plane: &mut [u64]) {
        for longs in plane.chunks_mut(PES) {
            longs.copy_from_slice(&four(rng, kind));
        }
    }

    /// The T register: numbers, and small integers where it is used as an address.
    fn t(&self, rng: &mut Rng, t: &mut Bus) {
        for cycle in 0..CYCLES {
            let kind = if rng.percent(50) {
                Kind::Integers(64)
            } else {
                self.kind(rng)
            };
            let (high, low) = t.cycle_mut(cycle);
            for longs in high.chunks_mut(PES).chain(low.chunks_mut(PES)) {
                longs.copy_from_slice(&four(rng, kind));
            }
        }
    }

    /// A memory of long words, in runs of 64 of a kind.
    fn longs(&self, rng: &mut Rng, memory: &mut [u64], all: bool) {
        let count = memory.len();
        for (number, run) in memory.chunks_mut(64).enumerate() {
            let start = number * 64;
            if !all && start > NEAR + 256 && start + NEAR / 2 + 64 < count {
                continue;
            }
            let kind = self.kind(rng);
            for longs in run.chunks_mut(PES) {
                longs.copy_from_slice(&four(rng, kind)[..longs.len()]);
            }
        }
    }

    /// PDM, DRAM and its address registers, which contain small addresses.
    fn group(&self, rng: &mut Rng, group: &mut Group) {
        self.longs(rng, &mut group.pdm, false);
        let mut words = vec![0; NEAR + 512];
        self.longs(rng, &mut words, true);
        group.dram.write(0, &words);
        group.dram.write(DRAM_WORDS - NEAR as u64, &words[..NEAR]);
        for entry in 0..DAR_ENTRIES {
            group.dar[entry] = rng.below(64) as u32;
        }
        for entry in 0..DARBUF_ENTRIES {
            group.darbuf[entry] = rng.below(64) as u32;
        }
    }

    fn kind(&self, rng: &mut Rng) -> Kind {
        if rng.percent(self.wild) {
            let precision = rng.pick(&super::MATRIX_PRECISIONS);
            let bits = rng.pick(&[16, 32, 64]);
            return rng.pick(&[
                Kind::Bits,
                Kind::Block(precision),
                Kind::Extremes(precision),
                Kind::Integers(bits),
            ]);
        }
        if rng.percent(self.blocks) {
            Kind::Block(self.precision)
        } else {
            Kind::Numbers(self.precision)
        }
    }
}

/// Four long words of a kind.
fn four(rng: &mut Rng, kind: Kind) -> [u64; PES] {
    match kind {
        Kind::Bits => std::array::from_fn(|_| rng.next_u64()),
        Kind::Block(precision) => {
            let (bits, _) = fields(precision);
            let exponent = near_bias(rng, precision);
            // Exponent 0 is the extended form of half precision.
            let extended = precision == Precision::Half && rng.percent(30);
            elements(rng, bits, |rng| {
                let extends = extended && rng.percent(30);
                word(rng, precision, if extends { 0 } else { exponent })
            })
        }
        Kind::Numbers(precision) => elements(rng, fields(precision).0, |rng| {
            let exponent = near_bias(rng, precision);
            word(rng, precision, exponent)
        }),
        Kind::Extremes(precision) => {
            let (bits, mantissa) = fields(precision);
            let top = (1 << (bits - 1 - mantissa)) - 1;
            elements(rng, bits, |rng| {
                let near = near_bias(rng, precision);
                let exponent = rng.pick(&[0, 1, 2, 7, top / 2, top - 2, top - 1, top, near]);
                word(rng, precision, exponent)
            })
        }
        Kind::Integers(bits) => elements(rng, bits, |rng| {
            let number = rng.below(80) as u64;
            let negative = rng.percent(20);
            (if negative {
                number.wrapping_neg()
            } else {
                number
            }) & u64::MAX >> (64 - bits)
        }),
    }
}

/// Four long words of elements of `bits` bits.
fn elements(rng: &mut Rng, bits: u32, mut element: impl FnMut(&mut Rng) -> u64) -> [u64; PES] {
    std::array::from_fn(|_| {
        (0..64 / bits).fold(0, |long, index| long | element(rng) << (index * bits))
    })
}

/// An exponent field of a number near one.
fn near_bias(rng: &mut Rng, precision: Precision) -> u64 {
    let (bits, mantissa) = fields(precision);
    let bias = (1u64 << (bits - 2 - mantissa)) - 1;
    let spread = rng.pick(&[1, 4, 12]);
    bias + rng.below(2 * spread + 1) as u64 - spread as u64
}

/// A word with this exponent field: any sign, a mantissa of a few bits, of ones, or of anything.
fn word(rng: &mut Rng, precision: Precision, exponent: u64) -> u64 {
    let (bits, mantissa_bits) = fields(precision);
    let mask = (1u64 << mantissa_bits) - 1;
    let place = rng.below(mantissa_bits as usize) as u32;
    let mantissa = match rng.below(8) {
        0 => 0,
        1 => 1 << place,
        2 => mask << place,
        3 => mask >> place,
        _ => rng.next_u64(),
    };
    let sign = rng.next_u64() & 1;
    sign << (bits - 1) | exponent << mantissa_bits | mantissa & mask
}
