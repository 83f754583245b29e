//! Compares the fast arithmetic with the oracle on random words with adverse properties: equal and
//! distant exponents; mantissas with few bits, all ones, or low bits only. Also compares vector
//! operations with the host's fused multiply-add where no partial product is omitted.

use proptest::prelude::*;
use tessera_mncore::numerics::batch;
use tessera_mncore::numerics::batch::matrix::{self as kernels, Kernel, PseudoSingle};
use tessera_mncore::numerics::block::{convert, split, Conversion, HalfLength};
use tessera_mncore::numerics::format::{
    classify, exponent, mantissa, Class, Double, Format, Half, Single,
};
use tessera_mncore::numerics::lanes::Width;
use tessera_mncore::numerics::matrix::{
    self, DoubleBlocks, HalfBlocks, Precision, PseudoSingleBlocks, SingleBlocks,
};
use tessera_mncore::numerics::vector::{self, Factor};
use tessera_mncore::numerics::{oracle, rrn};
use tessera_mncore::undetermined::{Undetermined, UndeterminedSet};

/// Failures print their operands; no seed file is written.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Mantissas: anything, one bit, all ones from some bit up or down, low bits only, zero.
fn mantissas<F: Format>() -> impl Strategy<Value = u64> {
    let bits = 0..F::MANTISSA_BITS;
    prop_oneof![
        3 => any::<u64>(),
        1 => bits.clone().prop_map(|bit| 1 << bit),
        1 => bits.clone().prop_map(|bit| u64::MAX << bit),
        1 => bits.clone().prop_map(|bit| u64::MAX >> (64 - F::MANTISSA_BITS) >> bit),
        1 => (any::<u64>(), bits).prop_map(|(word, bit)| word & ((1 << bit) - 1)),
        1 => Just(0),
    ]
    .prop_map(|mantissa| mantissa & F::MANTISSA)
}

/// Words with exponent fields near `center`, at the ends of the range, or anywhere.
fn words_near<F: Format>(center: u64) -> impl Strategy<Value = u64> {
    let spread = u64::from(F::MANTISSA_BITS) + 8;
    let exponents = prop_oneof![
        4 => center.saturating_sub(3)..center + 3,
        3 => center.saturating_sub(spread)..center + spread,
        1 => 0..3u64,
        1 => F::TOP_EXPONENT - 3..=F::TOP_EXPONENT,
        1 => 0..=F::TOP_EXPONENT,
    ];
    (any::<bool>(), exponents, mantissas::<F>()).prop_map(|(negative, exponent, mantissa)| {
        let sign = if negative { F::SIGN } else { 0 };
        sign | exponent.min(F::TOP_EXPONENT) << F::MANTISSA_BITS | mantissa
    })
}

fn words<F: Format>() -> impl Strategy<Value = u64> {
    words_near::<F>(F::BIAS as u64)
}

/// Operands of `a·b + c`; in half of the cases c is close to the negated product, so that they
/// cancel.
fn operands<A: Factor>() -> impl Strategy<Value = (u64, u64, u64)> {
    let independent = words::<A::Accumulator>();
    let opposite = (words_near::<A::Accumulator>(0), -2i64..3);
    (
        words::<A>(),
        words::<A>(),
        independent,
        opposite,
        any::<bool>(),
    )
        .prop_map(|(a, b, c, (rest, steps), cancel)| {
            if !cancel || [a, b].map(classify::<A>) != [Class::Finite; 2] {
                return (a, b, c);
            }
            let product = vector::fma::<A, A::Accumulator>(a, b, 0, &mut none());
            let near =
                (product ^ A::Accumulator::SIGN).wrapping_add_signed(steps * (rest & 1) as i64);
            (a, b, near & A::Accumulator::ALL)
        })
}

fn check_vector<A: Factor, O: Format>((a, b, c): (u64, u64, u64)) -> Result<(), TestCaseError> {
    let mut undetermined = UndeterminedSet::NONE;
    let fast = vector::fma::<A, O>(a, b, c, &mut undetermined);
    if let Some(slow) = oracle::vector_fma::<A, A::Accumulator, O>(a, b, c) {
        prop_assert_eq!(fast, slow, "{:#x} * {:#x} + {:#x}", a, b, c);
        prop_assert!(undetermined.is_empty());
    }
    Ok(())
}

/// Returns an empty set of undetermined points.
fn none() -> UndeterminedSet {
    UndeterminedSet::default()
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn half_vectors(operands in operands::<Half>()) {
        check_vector::<Half, Single>(operands)?;
        check_vector::<Half, Half>(operands)?;
    }

    #[test]
    fn single_vectors(operands in operands::<Single>()) {
        check_vector::<Single, Single>(operands)?;
    }

    /// If one factor has no low bits, nothing is omitted, and the host gives the same result except
    /// for denormal numbers.
    #[test]
    fn single_vectors_against_the_host((a, b, c) in operands::<Single>()) {
        let a = a & !0x1f;
        let number = |word: u64| f32::from_bits(word as u32);
        let expect = number(a).mul_add(number(b), number(c));
        let numbers = [a, b, c].map(classify::<Single>) == [Class::Finite; 3];
        if numbers && (expect == 0.0 || expect.abs() > f32::MIN_POSITIVE) {
            let fast = vector::fma::<Single, Single>(a, b, c, &mut none());
            prop_assert_eq!(fast as u32, expect.to_bits() & if expect == 0.0 { 0 } else { !0 });
        }
    }

    #[test]
    fn double_vectors_against_the_host((a, b, c) in operands::<Double>()) {
        let a = a & !0xffff;
        let expect = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c));
        let numbers = [a, b, c].map(classify::<Double>) == [Class::Finite; 3];
        if numbers && (expect == 0.0 || expect.abs() > f64::MIN_POSITIVE) {
            let fast = vector::fma::<Double, Double>(a, b, c, &mut none());
            prop_assert_eq!(fast, expect.to_bits() & if expect == 0.0 { 0 } else { !0 });
        }
    }
}

/// Packs words of `BITS` bits into the long words of PEs, the first word at the upper end of the
/// first.
fn packed<const BITS: u32, const N: usize>(words: impl Iterator<Item = u64>) -> [u64; N] {
    let mut longs = [0; N];
    for (index, word) in words.enumerate() {
        let long = &mut longs[index * BITS as usize / 64];
        *long = if BITS == 64 {
            word
        } else {
            *long << BITS | word
        };
    }
    longs
}

/// Checks which MABs a vectorised operation leaves to the caller. MAB 0 holds zeros, MAB 1 the
/// operands.
fn is_left(
    left: u32,
    operands: &[(u64, u64, u64)],
    infinite: impl Fn(&(u64, u64, u64)) -> bool,
) -> Result<bool, TestCaseError> {
    prop_assert_eq!(left, u32::from(operands.iter().any(infinite)) << 1);
    Ok(left != 0)
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn many_single_vectors(operands in prop::collection::vec(operands::<Single>(), 8)) {
        let infinite = |&(a, b, c): &(u64, u64, u64)| {
            [a, b, c].map(classify::<Single>).contains(&Class::Infinite)
        };
        let a: [u64; 4] = packed::<32, 4>(operands.iter().map(|(a, _, _)| *a));
        let b: [u64; 4] = packed::<32, 4>(operands.iter().map(|(_, b, _)| *b));
        let c: [u64; 4] = packed::<32, 4>(operands.iter().map(|(_, _, c)| *c));
        let mut results = [[1; 4]; 2];
        let factors: &[[u64; 4]] = &[[0; 4], b];
        let addends = &[[0; 4], c];
        let left = batch::vector::single(&[[0; 4], a], Some(factors), addends, &mut results);
        prop_assert_eq!(results[0], [0; 4]);
        if !is_left(left, &operands, infinite)? {
            let expect = std::array::from_fn(|pe| vector::single(a[pe], b[pe], c[pe], &mut none()));
            prop_assert_eq!(results[1], expect, "{:x?}", operands);
        }
    }

    #[test]
    fn many_single_sums(operands in prop::collection::vec(operands::<Single>(), 8)) {
        let infinite = |&(a, _, c): &(u64, u64, u64)| {
            [a, c].map(classify::<Single>).contains(&Class::Infinite)
        };
        let a: [u64; 4] = packed::<32, 4>(operands.iter().map(|(a, _, _)| *a));
        let c: [u64; 4] = packed::<32, 4>(operands.iter().map(|(_, _, c)| *c));
        let mut results = [[1; 4]; 2];
        let left = batch::vector::single(&[[0; 4], a], None, &[[0; 4], c], &mut results);
        prop_assert_eq!(results[0], [0; 4]);
        if !is_left(left, &operands, infinite)? {
            let one = vector::ones::<Single>();
            let expect = std::array::from_fn(|pe| vector::single(a[pe], one, c[pe], &mut none()));
            prop_assert_eq!(results[1], expect, "{:x?}", operands);
        }
    }

    #[test]
    fn many_half_vectors(operands in prop::collection::vec(operands::<Half>(), 16)) {
        let infinite = |&(a, b, c): &(u64, u64, u64)| {
            [a, b].map(classify::<Half>).contains(&Class::Infinite)
                || classify::<Single>(c) == Class::Infinite
        };
        let a: [u64; 4] = packed::<16, 4>(operands.iter().map(|(a, _, _)| *a));
        let b: [u64; 4] = packed::<16, 4>(operands.iter().map(|(_, b, _)| *b));
        let c: [u64; 8] = packed::<32, 8>(operands.iter().map(|(_, _, c)| *c));
        let [c_high, c_low] = [0, 1].map(|low| std::array::from_fn(|pe| c[2 * pe + low]));
        let (mut high, mut low) = ([[1; 4]; 2], [[1; 4]; 2]);
        let addends: [&[[u64; 4]]; 2] = [&[[0; 4], c_high], &[[0; 4], c_low]];
        let left = batch::vector::half(
            &[[0; 4], a],
            &[[0; 4], b],
            (addends[0], addends[1]),
            (&mut high, &mut low),
        );
        prop_assert_eq!((high[0], low[0]), ([0; 4], [0; 4]));
        if !is_left(left, &operands, infinite)? {
            for pe in 0..4 {
                let expect = vector::half(a[pe], b[pe], [c_high[pe], c_low[pe]], &mut none());
                prop_assert_eq!([high[1][pe], low[1][pe]], expect, "{:x?}", operands);
            }
        }
    }
}

/// Blocks of elements with similar exponents: one long word per PE.
fn longs<F: Format, const LANES: usize>() -> impl Strategy<Value = [u64; 4]> {
    let center = prop_oneof![
        6 => Just(F::BIAS as u64),
        1 => 1..12u64,
        1 => F::TOP_EXPONENT - 8..F::TOP_EXPONENT,
    ];
    let exponents = prop_oneof![8 => 0..12u64, 2 => 0..70u64, 1 => 500..501u64];
    let element = (exponents, any::<bool>(), mantissas::<F>());
    let elements = prop::collection::vec(element, 4 * LANES);
    (center, elements).prop_map(move |(center, elements)| {
        let mut longs = [0u64; 4];
        for (index, (below, negative, mantissa)) in elements.into_iter().enumerate() {
            let sign = if negative { F::SIGN } else { 0 };
            let word = sign | center.saturating_sub(below) << F::MANTISSA_BITS | mantissa;
            let long = &mut longs[index / LANES];
            *long = if LANES == 1 {
                word
            } else {
                *long << F::BITS | word
            };
        }
        longs
    })
}

fn check_block<F: Format, const BITS: u32, const N: usize>(
    conversion: Conversion,
    longs: [u64; 4],
    (length, spare, extended): (u32, u32, bool),
) -> Result<(), TestCaseError> {
    let words: [u64; N] = split::<BITS, N>(longs);
    let fast: [u64; N] = split::<BITS, N>(convert(conversion, longs, &mut none()));
    let slow = oracle::block_float::<F>(&words, length, spare, extended);
    let (mut plain, mut batched) = (UndeterminedSet::NONE, UndeterminedSet::NONE);
    convert(conversion, longs, &mut plain);
    let batch = split::<BITS, N>(batch::block::convert(conversion, longs, &mut batched));
    prop_assert_eq!(batch, fast, "{:?} of {:x?}", conversion, words);
    prop_assert_eq!(batched, plain);
    prop_assert_eq!(fast.to_vec(), slow, "{:?} of {:x?}", conversion, words);
    Ok(())
}

/// Half precision blocks, converted with each conversion.
fn half_conversions() -> impl Iterator<Item = (Conversion, u32, bool)> {
    (6..=9).filter_map(HalfLength::new).flat_map(|length| {
        let spare = 9 - length.bits();
        [
            (Conversion::Half(length), spare, false),
            (Conversion::HalfExtended(length), spare, true),
        ]
    })
}

fn check_matrix<P: Precision, O: Format>(
    a: &[u64],
    b: &[u64],
    c: u64,
    slow: Option<u64>,
) -> Result<(), TestCaseError> {
    let mut undetermined = UndeterminedSet::NONE;
    let (row, column) = (
        P::decode(a, &mut undetermined),
        P::decode(b, &mut undetermined),
    );
    let fast = matrix::fma::<P, O>(&row, &column, c, &mut undetermined);
    match slow {
        Some(slow) => prop_assert_eq!(fast, slow, "{:x?} * {:x?} + {:#x}", a, b, c),
        None => {
            prop_assert!(
                undetermined.trap().is_some() || classify::<P::Accumulator>(c) == Class::Infinite
            )
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn double_vectors(operands in operands::<Double>()) {
        check_vector::<Double, Double>(operands)?;
        check_vector::<Double, Single>(operands)?;
    }

    #[test]
    fn half_blocks_and_matrices(
        a in longs::<Half, 4>(),
        b in longs::<Half, 4>(),
        c in words::<Single>(),
    ) {
        let word = |longs| split::<16, 16>(longs);
        for (conversion, spare, extended) in half_conversions() {
            check_block::<Half, 16, 16>(conversion, a, (9, spare, extended))?;
            let [a, b] = [a, b].map(|longs| word(convert(conversion, longs, &mut none())));
            let single = oracle::half_matrix_fma::<Single>(&a, &b, c);
            check_matrix::<HalfBlocks, Single>(&a, &b, c, single)?;
            let half = oracle::half_matrix_fma::<Half>(&a, &b, c);
            check_matrix::<HalfBlocks, Half>(&a, &b, c, half)?;
            // The sum without its leading bits, which the accumulator cancels.
            let opposite = single.unwrap_or(0) ^ Single::SIGN;
            let slow = oracle::half_matrix_fma::<Single>(&a, &b, opposite);
            check_matrix::<HalfBlocks, Single>(&a, &b, opposite, slow)?;
        }
    }

    #[test]
    fn pseudo_single_blocks_and_matrices(
        a in longs::<Single, 2>(),
        b in longs::<Single, 2>(),
        c in words::<Single>(),
    ) {
        check_block::<Single, 32, 8>(Conversion::PseudoSingle, a, (18, 0, false))?;
        let convert = |longs| convert(Conversion::PseudoSingle, longs, &mut none());
        let converted = |longs| split::<32, 8>(convert(longs));
        let (a, b) = (converted(a), converted(b));
        let slow = oracle::pseudo_single_matrix_fma(&a, &b, c);
        check_matrix::<PseudoSingleBlocks, Single>(&a, &b, c, slow)?;
        let opposite = slow.unwrap_or(0) ^ Single::SIGN;
        let slow = oracle::pseudo_single_matrix_fma(&a, &b, opposite);
        check_matrix::<PseudoSingleBlocks, Single>(&a, &b, opposite, slow)?;
    }

    #[test]
    fn single_blocks_and_matrices(
        a in longs::<Single, 2>(),
        b in longs::<Single, 2>(),
        c in words::<Single>(),
    ) {
        let converted = |longs| split::<32, 8>(convert(Conversion::Single, longs, &mut none()));
        let upper = |words: [u64; 8]| [0, 2, 4, 6].map(|i| words[i]);
        let lower = |words: [u64; 8]| [1, 3, 5, 7].map(|i| words[i]);
        let block = |words: &[u64]| oracle::block_float::<Single>(words, 23, 0, false);
        let plain = split::<32, 8>(a);
        prop_assert_eq!(upper(converted(a)).to_vec(), block(&upper(plain)));
        prop_assert_eq!(lower(converted(a)).to_vec(), block(&lower(plain)));
        let (a, b) = (upper(converted(a)), upper(converted(b)));
        let slow = oracle::single_matrix_fma(&a, &b, c);
        check_matrix::<SingleBlocks, Single>(&a, &b, c, slow)?;
        let opposite = slow.unwrap_or(0) ^ Single::SIGN;
        let slow = oracle::single_matrix_fma(&a, &b, opposite);
        check_matrix::<SingleBlocks, Single>(&a, &b, opposite, slow)?;
    }

    #[test]
    fn sums_in_the_reduction_network(
        half in prop::collection::vec(words::<Half>(), 1..=8),
        single in prop::collection::vec(words::<Single>(), 1..=8),
        double in prop::collection::vec(words::<Double>(), 1..=8),
    ) {
        check_sum::<Half, Half>(&half)?;
        check_sum::<Single, Single>(&single)?;
        check_sum::<Single, Half>(&single)?;
        check_sum::<Double, Double>(&double)?;
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    /// A reduction over 16 equals two stages of sums over 4, for both implementations.
    #[test]
    fn sums_over_sixteen(
        near in prop::collection::vec(words::<Single>(), 32),
        small in prop::collection::vec(words_near::<Single>(2), 32),
        tiny in prop::bool::weighted(0.2),
    ) {
        let words = if tiny { small } else { near };
        let longs: [u64; 16] = std::array::from_fn(|mab| words[2 * mab] << 32 | words[2 * mab + 1]);
        let sum = |grouping, half: usize| {
            let mut undetermined = UndeterminedSet::NONE;
            let first: Vec<u64> = (0..4)
                .map(|group| {
                    let members: Vec<u64> = (0..4)
                        .map(|member| match grouping {
                            rrn::Grouping::LowBits => words[2 * (4 * group + member) + half],
                            rrn::Grouping::HighBits => words[2 * (4 * member + group) + half],
                        })
                        .collect();
                    rrn::add::<Single, Single>(&members, &mut undetermined)
                })
                .collect();
            (rrn::add::<Single, Single>(&first, &mut undetermined), undetermined)
        };
        let add = rrn::Reduction { operation: rrn::Operation::FloatAdd, width: Width::Single };
        let mut results = Vec::new();
        let mut marked = false;
        for grouping in [rrn::Grouping::LowBits, rrn::Grouping::HighBits] {
            let (upper, lower) = (sum(grouping, 0), sum(grouping, 1));
            let mut undetermined = UndeterminedSet::NONE;
            let long = add.reduce_16(&longs, grouping, &mut undetermined);
            prop_assert_eq!(long, upper.0 << 32 | lower.0, "{:x?}", words);
            marked = undetermined.contains(Undetermined::ReductionGrouping);
            let opposite = undetermined.contains(Undetermined::ReductionInfinities);
            let expect = [upper.1, lower.1].iter().any(|undetermined| !undetermined.is_empty());
            prop_assert_eq!(opposite, expect);
            results.push(long);
        }
        prop_assert_eq!(marked, results[0] != results[1]);
    }
}

fn check_sum<F: Format, O: Format>(words: &[u64]) -> Result<(), TestCaseError> {
    let mut undetermined = UndeterminedSet::NONE;
    let fast = rrn::add::<F, O>(words, &mut undetermined);
    if let Some(slow) = oracle::reduction_add::<F, O>(words) {
        prop_assert_eq!(fast, slow, "{:x?}", words);
        prop_assert!(undetermined.is_empty());
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn double_blocks_and_matrices(
        a in longs::<Double, 1>(),
        b in longs::<Double, 1>(),
        c in words::<Double>(),
    ) {
        check_block::<Double, 64, 4>(Conversion::Double, a, (52, 0, false))?;
        let [a, b] = [a, b].map(|longs| convert(Conversion::Double, longs, &mut none()));
        let slow = oracle::double_matrix_fma::<Double>(&a, &b, c);
        check_matrix::<DoubleBlocks, Double>(&a, &b, c, slow)?;
        let single = oracle::double_matrix_fma::<Single>(&a, &b, c);
        check_matrix::<DoubleBlocks, Single>(&a, &b, c, single)?;
        let opposite = slow.unwrap_or(0) ^ Double::SIGN;
        let slow = oracle::double_matrix_fma::<Double>(&a, &b, opposite);
        check_matrix::<DoubleBlocks, Double>(&a, &b, opposite, slow)?;
    }
}

/// All pairs of halves would be too many. This tests every half with every power of two, and every
/// pair of mantissas.
#[test]
fn all_half_mantissa_pairs() {
    for a in 0..512u64 {
        for b in 0..512u64 {
            let (x, y) = (Half::ONE | a, Half::ONE | b | Half::SIGN);
            let exact = (512 + a) * (512 + b);
            let product = vector::fma::<Half, Single>(x, y, 0, &mut none());
            assert_eq!(
                exponent::<Single>(product),
                if exact >> 19 == 1 { 128 } else { 127 }
            );
            let significand = mantissa::<Single>(product) | 1 << 23;
            assert_eq!(significand, exact << (23 - exact.ilog2()));
        }
    }
}

/// The long words of four PEs, rotated so that the rows of a matrix made of them differ.
fn turned(longs: [u64; 4], row: usize) -> [u64; 4] {
    std::array::from_fn(|pe| longs[(pe + row) % 4].rotate_left(if row & 4 == 0 { 0 } else { 32 }))
}

/// A matrix of the turned block times a vector, by the two formulations, in a MAB between others;
/// `words` splits long words into those of a block.
fn check_batch<K: Kernel>(
    (a, b): ([u64; 4], [u64; 4]),
    random: &[u64],
    words: impl Fn([u64; 4]) -> Vec<u64>,
) -> Result<(), TestCaseError> {
    let rows: Vec<Vec<u64>> = (0..K::ROWS).map(|row| words(turned(a, row))).collect();
    let mut matrices = vec![K::Matrix::default(); 3];
    (0..K::ROWS).for_each(|row| K::set_row(&mut matrices[1..2], row, &[turned(a, row)]));
    // Addends: of any size, or such that the sums cancel except for a few last places.
    let slow = |row: usize, addend: u64, undetermined: &mut UndeterminedSet| {
        let (vector, row) = (
            K::Plain::decode(&words(b), undetermined),
            K::Plain::decode(&rows[row], undetermined),
        );
        matrix::fma::<K::Plain, Single>(&row, &vector, addend, undetermined)
    };
    let addends: Vec<u64> = (0..K::ROWS)
        .map(|row| match random[row] & 8 {
            0 => {
                let sum = slow(row, 0, &mut none());
                (sum ^ Single::SIGN).wrapping_add(random[row] % 3) & Single::ALL
            }
            _ => random[row],
        })
        .collect();
    let per_pe = K::ROWS / 4;
    let (mut high, mut low) = ([[0; 4]; 3], [[0; 4]; 3]);
    for (row, addend) in addends.iter().enumerate() {
        let long = if row % per_pe < 2 {
            &mut high
        } else {
            &mut low
        };
        long[1][row / per_pe] |= addend << (32 * (1 - row % 2));
    }
    let (mut to_high, mut to_low) = ([[1; 4]; 3], [[1; 4]; 3]);
    let left = K::fma(
        &matrices,
        &[[0; 4], b, [0; 4]],
        (&high, &low),
        (&mut to_high, &mut to_low),
    );
    prop_assert_eq!(left & !0b010, 0, "zeros are blocks");
    // The same with a matrix that two MABs share, the second of which has the vector.
    let (mut shared_high, mut shared_low) = ([[1; 4]; 2], [[1; 4]; 2]);
    let left_of_shared = K::fma(
        &matrices[1..2],
        &[[0; 4], b],
        (&high[..2], &low[..2]),
        (&mut shared_high, &mut shared_low),
    );
    prop_assert_eq!(left_of_shared >> 1, left >> 1);
    if left == 0 {
        prop_assert_eq!(left_of_shared, 0);
        prop_assert_eq!((shared_high[1], shared_low[1]), (to_high[1], to_low[1]));
    }
    let mut undetermined = UndeterminedSet::NONE;
    let expect: Vec<u64> = (0..K::ROWS)
        .map(|row| slow(row, addends[row], &mut undetermined))
        .collect();
    if left == 0 {
        for (row, expect) in expect.into_iter().enumerate() {
            let long = if row % per_pe < 2 { &to_high } else { &to_low };
            let fast = long[1][row / per_pe] >> (32 * (1 - row % 2)) & Single::ALL;
            prop_assert_eq!(
                fast,
                expect,
                "{:x?} * {:x?} + {:#x}",
                rows[row],
                b,
                addends[row]
            );
        }
        prop_assert!(undetermined.is_empty());
    } else {
        // Nothing is left without a reason.
        let infinite = addends
            .iter()
            .any(|addend| classify::<Single>(*addend) == Class::Infinite);
        let mut blocks = rows.clone();
        blocks.push(words(b));
        let odd = blocks
            .iter()
            .any(|words| is_odd::<<K::Plain as Precision>::Word>(words));
        prop_assert!(infinite || odd);
    }
    Ok(())
}

/// Returns whether words are not a finite block of equal exponents.
fn is_odd<F: Format>(words: &[u64]) -> bool {
    let field = exponent::<F>(words[0]);
    let mantissas = words.iter().any(|word| mantissa::<F>(*word) != 0);
    words.iter().any(|word| exponent::<F>(*word) != field)
        || field == F::TOP_EXPONENT
        || field == 0 && mantissas
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn batches(
        halves in (longs::<Half, 4>(), longs::<Half, 4>()),
        singles in (longs::<Single, 2>(), longs::<Single, 2>()),
        random in prop::collection::vec(words::<Single>(), 16),
        // The matrix, and the vector.
        converted in (prop::bool::weighted(0.9), prop::bool::weighted(0.9)),
        extended in prop::bool::weighted(0.1),
    ) {
        let block = |conversion, longs, is_converted| match is_converted {
            true => convert(conversion, longs, &mut none()),
            false => longs,
        };
        let nine = HalfLength::new(9).expect("9 is a length");
        let half = if extended { Conversion::HalfExtended(nine) } else { Conversion::Half(nine) };
        let both = |conversion, longs: ([u64; 4], [u64; 4])| (
            block(conversion, longs.0, converted.0),
            block(conversion, longs.1, converted.1),
        );
        let halves = both(half, halves);
        check_batch::<kernels::Half>(halves, &random, |longs| split::<16, 16>(longs).to_vec())?;
        let blocks = |conversion| both(conversion, singles);
        let singles = |longs| split::<32, 8>(longs).to_vec();
        check_batch::<PseudoSingle>(blocks(Conversion::PseudoSingle), &random, singles)?;
        let upper = |longs: [u64; 4]| longs.map(|long| long >> 32).to_vec();
        check_batch::<kernels::Single>(blocks(Conversion::Single), &random, upper)?;
    }
}
