//! Matrix products with a matrix operation in every step compute A·B exactly: small whole numbers
//! as integers, random numbers as a sequence of matrix operations.
//!
//! `TESSERA_LONG_TESTS=1` runs them on the whole board too.

use tessera_mncore::geometry::{Geometry, PES};
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::numerics::block::split;
use tessera_mncore::numerics::format::Single;
use tessera_mncore::numerics::matrix::{fma, HalfBlocks, Precision, PseudoSingleBlocks};
use tessera_mncore::undetermined::UndeterminedSet;
use tessera_test_support::is_long_run;

use super::common::run_on;
use super::kernels::source::{Kernel, Loop};
use super::kernels::{block_float, load, result, size};
use tessera_test_support::random::Rng;

/// Two groups, so that rows are distributed, of one L2B with two L1B, so that columns are.
const GEOMETRY: Geometry = Geometry {
    groups: 2,
    l2bs: 1,
    l1bs: 2,
    mabs: 16,
};

/// A whole number from -8 to 7; a block of them is exact in every precision.
fn whole(rng: &mut Rng) -> f32 {
    rng.below(16) as f32 - 8.0
}

/// A number between -16 and 16, with magnitudes down to 2^-12.
fn any(rng: &mut Rng) -> f32 {
    let exponent = 127 - 12 + rng.below(16) as u32;
    f32::from_bits(rng.next_u64() as u32 & 0x807f_ffff | exponent << 23)
}

fn matrices(of: &Loop, geometry: &Geometry, element: impl FnMut() -> f32) -> [Vec<f32>; 2] {
    let [m, k, n] = size(of, geometry);
    let mut numbers = std::iter::repeat_with(element);
    [m * k, k * n].map(|count| numbers.by_ref().take(count).collect())
}

/// Returns the C that a loop computes, in its pipelined or its sequential form.
fn product(of: &Loop, geometry: &Geometry, [a, b]: &[Vec<f32>; 2], source: &str) -> Vec<u32> {
    let mut machine = Machine::new(Options {
        geometry: *geometry,
        ..Options::default()
    });
    load(of, geometry, &mut machine, a, b);
    let told = run_on(&mut machine, source).unwrap_or_else(|trap| panic!("{of:?}: {trap}"));
    assert_eq!(
        (told.len(), machine.undetermined_points()),
        (0, UndeterminedSet::NONE)
    );
    result(of, geometry, &machine)
}

/// Returns C as a sequence of matrix operations computes it, on blocks converted once.
fn expected<P: Precision, const BITS: u32, const N: usize>(
    of: &Loop,
    geometry: &Geometry,
    [a, b]: &[Vec<f32>; 2],
) -> Vec<u32> {
    let [m, k, n] = size(of, geometry);
    let mut undetermined = UndeterminedSet::NONE;
    let mut decode = |longs: [u64; PES]| P::decode(&split::<BITS, N>(longs), &mut undetermined);
    let blocks = |count: usize| (0..count).flat_map(|major| (0..k / N).map(move |k| (major, k)));
    let rows: Vec<_> = blocks(m)
        .map(|(row, at)| decode(block_float(of.kernel, |i| a[row * k + at * N + i])))
        .collect();
    let columns: Vec<_> = blocks(n)
        .map(|(column, at)| decode(block_float(of.kernel, |i| b[(at * N + i) * n + column])))
        .collect();
    let mut c = Vec::with_capacity(m * n);
    for row in rows.chunks(k / N) {
        for column in columns.chunks(k / N) {
            let pairs = row.iter().zip(column);
            let sum = pairs.fold(0, |sum, (row, column)| {
                fma::<P, Single>(row, column, sum, &mut undetermined)
            });
            c.push(sum as u32);
        }
    }
    assert_eq!(undetermined, UndeterminedSet::NONE);
    c
}

fn check_random(of: &Loop, geometry: &Geometry, forms: &[String]) {
    let rng = &mut Rng::new(1);
    let matrices = matrices(of, geometry, || any(rng));
    let expect = match of.kernel {
        Kernel::StreamedPseudo => expected::<PseudoSingleBlocks, 32, 8>(of, geometry, &matrices),
        _ => expected::<HalfBlocks, 16, 16>(of, geometry, &matrices),
    };
    for source in forms {
        assert_same(of, &product(of, geometry, &matrices, source), &expect);
    }
}

fn check_whole(of: &Loop, geometry: &Geometry, forms: &[String]) {
    let rng = &mut Rng::new(2);
    let matrices = matrices(of, geometry, || whole(rng));
    let [m, k, n] = size(of, geometry);
    let [a, b] = matrices.each_ref().map(|numbers| {
        let whole = numbers.iter().map(|number| *number as i32);
        whole.collect::<Vec<_>>()
    });
    let mut expect = vec![0; m * n];
    for (row, sums) in expect.chunks_mut(n).enumerate() {
        for (i, factor) in a[row * k..][..k].iter().enumerate() {
            for (sum, b) in sums.iter_mut().zip(&b[i * n..][..n]) {
                *sum += factor * b;
            }
        }
    }
    let expect: Vec<_> = expect.iter().map(|sum| (*sum as f32).to_bits()).collect();
    for source in forms {
        assert_same(of, &product(of, geometry, &matrices, source), &expect);
    }
}

#[track_caller]
fn assert_same(of: &Loop, got: &[u32], expect: &[u32]) {
    assert_eq!(got.len(), expect.len());
    let differs = got
        .iter()
        .zip(expect)
        .position(|(got, expect)| got != expect);
    if let Some(at) = differs {
        panic!(
            "{of:?}: element {at} is {:#x} instead of {:#x}",
            got[at], expect[at]
        );
    }
}

#[test]
fn products_are_exact_in_both_forms() {
    for (kernel, row_tiles, k_blocks) in [
        (Kernel::Resident, 1, 4),
        (Kernel::Resident, 2, 3),
        (Kernel::StreamedHalf, 8, 3),
        (Kernel::StreamedHalf, 1, 5),
        (Kernel::StreamedPseudo, 4, 5),
        (Kernel::StreamedPseudo, 16, 2),
        (Kernel::StreamedPseudo, 1, 7),
    ] {
        let of = Loop {
            kernel,
            row_tiles,
            k_blocks,
        };
        let forms = [of.pipelined(), of.sequential()];
        check_whole(&of, &GEOMETRY, &forms);
        check_random(&of, &GEOMETRY, &forms);
    }
}

#[test]
fn the_longest_products_fill_their_memories() {
    for (kernel, row_tiles, k_blocks) in [
        (Kernel::Resident, 2, 64),
        (Kernel::StreamedHalf, 8, 16),
        (Kernel::StreamedPseudo, 16, 8),
    ] {
        let of = Loop {
            kernel,
            row_tiles,
            k_blocks,
        };
        assert_eq!(of.most_k_blocks(), k_blocks, "{of:?}");
        let whole_board = is_long_run();
        let geometry = if whole_board {
            Geometry::BOARD
        } else {
            GEOMETRY
        };
        check_whole(&of, &geometry, &[of.pipelined()]);
        if whole_board {
            check_random(&of, &geometry, &[of.pipelined()]);
        }
    }
}

/// The last loop loads LM1 during the multiplication.
#[test]
fn the_next_operand_is_loaded_meanwhile() {
    let of = Loop {
        kernel: Kernel::StreamedPseudo,
        row_tiles: 4,
        k_blocks: 4,
    };
    let mut machine = Machine::new(Options {
        geometry: GEOMETRY,
        ..Options::default()
    });
    for (index, word) in machine.blocks[1].l1bm.iter_mut().enumerate() {
        *word = index as u64;
    }
    run_on(&mut machine, &of.pipelined()).expect("the loop runs");
    for address in 0..64 {
        let plane = machine.blocks[1].memory[3].plane(address);
        for (lane, word) in plane.iter().enumerate() {
            assert_eq!(*word, (4096 + 64 * address + lane) as u64);
        }
    }
    assert_eq!(machine.steps() as usize, of.steps());
}
