//! Benchmark of the arithmetic on one core: `cargo bench -p tessera-mncore --bench numerics`.
//!
//! A matrix-vector operation is the work of one MAB in a cycle: all rows of a decoded matrix times
//! a vector, plus addends.

use std::hint::black_box;

use tessera_mncore::numerics::alu::{float, integer};
use tessera_mncore::numerics::batch;
use tessera_mncore::numerics::batch::lanewise::BatchEvaluation;
use tessera_mncore::numerics::batch::matrix::{self as kernels, Kernel};
use tessera_mncore::numerics::block::{convert, split, Conversion, HalfLength};
use tessera_mncore::numerics::lanes::Width;
use tessera_mncore::numerics::matrix::{
    self, DoubleBlocks, HalfBlocks, Precision, PseudoSingleBlocks, SingleBlocks,
};
use tessera_mncore::numerics::rrn::{Grouping, Operation, Reduction};
use tessera_mncore::numerics::vector;
use tessera_mncore::undetermined::UndeterminedSet;
use tessera_test_support::bench::nanoseconds;

/// Returns pseudo-random words with exponents near that of one.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        self.0 ^ self.0 >> 29
    }

    fn half(&mut self) -> u64 {
        (0..4).fold(0, |long, _| long << 16 | 0x3800 | self.next() & 0x87ff)
    }

    fn single(&mut self) -> u64 {
        (0..2).fold(0, |long, _| {
            long << 32 | 0x3c00_0000 | self.next() & 0x83ff_ffff
        })
    }

    fn double(&mut self) -> u64 {
        0x3fc0_0000_0000_0000 | self.next() & 0x803f_ffff_ffff_ffff
    }
}

/// Runs `work`, which does `count` operations, repeatedly, and prints millions of operations per
/// second.
fn report(name: &str, count: u32, mut work: impl FnMut(&mut UndeterminedSet)) {
    let mut undetermined = UndeterminedSet::NONE;
    let time = nanoseconds(count.into(), || work(&mut undetermined));
    println!("{name:32} {:10.2} M/s", 1e3 / time);
}

/// Converted words in block order; for single precision, those of the upper blocks.
fn block<const BITS: u32, const N: usize>(conversion: Conversion, longs: [u64; 4]) -> [u64; N] {
    let mut words: [u64; N] =
        split::<BITS, N>(convert(conversion, longs, &mut UndeterminedSet::default()));
    if conversion == Conversion::Single {
        words = std::array::from_fn(|index| words[index * 2 % N]);
    }
    words
}

/// Matrix-vector operations of `ROWS` rows.
fn matrices<P: Precision, const BITS: u32, const N: usize, const ROWS: usize>(
    name: &str,
    conversion: Conversion,
    word: impl Fn(&mut Words) -> u64,
) {
    let (mut words, mut undetermined) = (Words(1), UndeterminedSet::NONE);
    let mut block = || {
        let longs = std::array::from_fn(|_| word(&mut words));
        P::decode(
            &self::block::<BITS, N>(conversion, longs),
            &mut undetermined,
        )
    };
    let rows: [P::Block; ROWS] = std::array::from_fn(|_| block());
    let vectors: Vec<P::Block> = (0..64).map(|_| block()).collect();
    let mut addends = [0; ROWS];
    report(name, 64, |undetermined| {
        for vector in &vectors {
            for (row, addend) in black_box(&rows).iter().zip(&mut addends) {
                *addend = matrix::fma::<P, P::Accumulator>(row, vector, *addend, undetermined);
            }
        }
        black_box(&mut addends);
    });
}

/// Matrix-vector operations of the MABs of a block.
fn batches<K: Kernel>(name: &str, conversion: Conversion, word: impl Fn(&mut Words) -> u64) {
    const MABS: usize = 16;
    let mut words = Words(1);
    let mut block = || {
        let longs = std::array::from_fn(|_| word(&mut words));
        convert(conversion, longs, &mut UndeterminedSet::default())
    };
    let mut matrices = vec![K::Matrix::default(); MABS];
    for row in 0..K::ROWS {
        let longs: Vec<_> = (0..MABS).map(|_| block()).collect();
        K::set_row(&mut matrices, row, &longs);
    }
    let vectors: Vec<Vec<[u64; 4]>> = (0..64)
        .map(|_| (0..MABS).map(|_| block()).collect())
        .collect();
    let mut sums = [[[0; 4]; MABS]; 4];
    report(name, (64 * MABS) as u32, |_| {
        for vector in &vectors {
            let [high, low, to_high, to_low] = &mut sums;
            let left = K::fma(black_box(&matrices), vector, (high, low), (to_high, to_low));
            assert_eq!(left, 0);
            sums.rotate_left(2);
        }
        black_box(&mut sums);
    });
}

fn main() {
    let nine = HalfLength::new(9).expect("9 is a length");
    println!("matrix-vector operations");
    matrices::<HalfBlocks, 16, 16, 16>("half 16 x 16", Conversion::Half(nine), Words::half);
    matrices::<PseudoSingleBlocks, 32, 8, 8>(
        "pseudo-single 8 x 8",
        Conversion::PseudoSingle,
        Words::single,
    );
    matrices::<SingleBlocks, 32, 8, 8>("single 8 x 4", Conversion::Single, Words::single);
    matrices::<DoubleBlocks, 64, 4, 2>("double 2 x 4", Conversion::Double, Words::double);

    println!("matrix-vector operations, vectorised");
    batches::<kernels::Half>("half 16 x 16", Conversion::Half(nine), Words::half);
    batches::<kernels::PseudoSingle>(
        "pseudo-single 8 x 8",
        Conversion::PseudoSingle,
        Words::single,
    );
    batches::<kernels::Single>("single 8 x 4", Conversion::Single, Words::single);

    println!("long words, vector and ALU operations");
    let mut words = Words(2);
    let mut longs =
        |word: fn(&mut Words) -> u64| -> Vec<u64> { (0..1024).map(|_| word(&mut words)).collect() };
    let (halves, singles, doubles) = (
        longs(Words::half),
        longs(Words::single),
        longs(Words::double),
    );
    report("hvfma", 1024, |undetermined| {
        for (&a, &c) in halves.iter().zip(&singles) {
            black_box(vector::half(a, a, [c, c], undetermined));
        }
    });
    report("fvfma", 1024, |undetermined| {
        for &a in &singles {
            black_box(vector::single(a, a.rotate_left(32), a, undetermined));
        }
    });
    report("dvfma", 1024, |undetermined| {
        for &a in &doubles {
            black_box(vector::double(a, a, a, undetermined));
        }
    });
    let mut results = vec![0; 1024];
    for (name, operation) in [
        ("iadd", integer::Operation::Add),
        ("ilsr", integer::Operation::ShiftRight),
    ] {
        report(name, 1024, |undetermined| {
            let many = BatchEvaluation {
                x: &halves,
                y: &singles,
                results: &mut results,
                flags: None,
                undetermined,
            };
            integer::select(operation, Width::Single, false, many);
            black_box(&mut results);
        });
    }
    for (name, operation) in [
        ("hmax", float::Operation::Max),
        ("hrelu", float::Operation::Relu),
    ] {
        report(name, 1024, |undetermined| {
            let many = BatchEvaluation {
                x: &halves,
                y: &singles,
                results: &mut results,
                flags: None,
                undetermined,
            };
            float::select(operation, Width::Half, false, many);
            black_box(&mut results);
        });
    }

    println!("long words of a MAB, block float conversion");
    for (name, conversion, words) in [
        ("hbfn/9", Conversion::Half(nine), &halves),
        ("hbfe/9", Conversion::HalfExtended(nine), &halves),
        ("gbfn", Conversion::PseudoSingle, &singles),
        ("dbfn", Conversion::Double, &doubles),
    ] {
        report(name, 256, |undetermined| {
            for longs in words.chunks_exact(4) {
                let longs = [longs[0], longs[1], longs[2], longs[3]];
                black_box(batch::block::convert(conversion, longs, undetermined));
            }
        });
    }

    println!("reductions of a long word over 16 MABs");
    for (name, width, words) in [
        ("ffadd", Width::Single, &singles),
        ("dfadd", Width::Long, &doubles),
    ] {
        let reduction = Reduction {
            operation: Operation::FloatAdd,
            width,
        };
        report(name, 64, |undetermined| {
            for longs in words.chunks_exact(16) {
                let longs = std::array::from_fn(|mab| longs[mab]);
                black_box(reduction.reduce_16(&longs, Grouping::default(), undetermined));
            }
        });
    }
}
