use super::super::block::{convert, split, Conversion, HalfLength};
use super::*;

const NINE: HalfLength = HalfLength::new(9).expect("9 is a length");

/// `a · b + c` of unconverted rows; the manual must determine the result.
fn run<P: Precision, O: Format, const BITS: u32, const N: usize>(
    conversion: Conversion,
    a: [u64; 4],
    b: [u64; 4],
    c: u64,
) -> u64 {
    let mut undetermined = UndeterminedSet::NONE;
    let block = |longs, undetermined: &mut UndeterminedSet| {
        let words: [u64; N] = split::<BITS, N>(convert(conversion, longs, undetermined));
        P::decode(&words, undetermined)
    };
    let (a, b) = (block(a, &mut undetermined), block(b, &mut undetermined));
    let result = fma::<P, O>(&a, &b, c, &mut undetermined);
    assert_eq!(undetermined, UndeterminedSet::NONE);
    result
}

#[test]
fn the_double_matrix_of_the_tutorial() {
    const NEG: u64 = 1 << 63;
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    const FOUR: u64 = 0x4010_0000_0000_0000;
    let a = [
        [NEG, 0, 0x4000_0000_0000_0000, NEG | ONE],
        [0, FOUR, NEG | ONE, NEG | FOUR],
        [NEG | ONE, ONE, NEG | ONE, NEG | ONE],
        [NEG | ONE, NEG | ONE, ONE, NEG | ONE],
    ];
    let b = [NEG, ONE, NEG | ONE, NEG | FOUR];
    let expect = [
        0x4000_0000_0000_0000,
        0x4035_0000_0000_0000,
        0x4018_0000_0000_0000,
        0x4000_0000_0000_0000,
    ];
    for (row, expect) in a.into_iter().zip(expect) {
        let result = run::<DoubleBlocks, Double, 64, 4>(Conversion::Double, row, b, 0);
        assert_eq!(result, expect, "{row:x?}");
    }
    let narrowed = run::<DoubleBlocks, Single, 64, 4>(Conversion::Double, a[1], b, ONE);
    assert_eq!(narrowed, 0x41b0_0000);
}

#[test]
fn a_half_row_of_the_tutorial() {
    // The first row of A and ones: the sum of its elements, as a single and as a half, minus
    // one.
    let row = [
        0x8000_be00_be00_be00,
        0x3e00_3e00_3e00_be00,
        0xbe00_be00_be00_3e00,
        0xbe00_be00_be00_be00,
    ];
    let ones = [0x3e00_3e00_3e00_3e00; 4];
    let single = run::<HalfBlocks, Single, 16, 16>(Conversion::Half(NINE), row, ones, 0);
    assert_eq!(single, 0xc0e0_0000);
    let half = run::<HalfBlocks, Half, 16, 16>(Conversion::Half(NINE), row, ones, 0xbf80_0000);
    assert_eq!(half, 0xc400);
}

#[test]
fn single_and_pseudo_single_rows() {
    let row = [0x3f80_0000_4000_0000, 0x4040_0000_4080_0000, 0, 0];
    let vector = [0x3f80_0000_3f80_0000; 4];
    let pseudo = run::<PseudoSingleBlocks, Single, 32, 8>(
        Conversion::PseudoSingle,
        row,
        vector,
        0x3f80_0000,
    );
    assert_eq!(pseudo, 0x4130_0000);
    // Single blocks hold the upper words of the four PEs.
    let words = |longs: [u64; 4]| longs.map(|long| long >> 32);
    let mut undetermined = UndeterminedSet::NONE;
    let a = convert(Conversion::Single, row, &mut undetermined);
    let b = convert(Conversion::Single, vector, &mut undetermined);
    let a = SingleBlocks::decode(&words(a), &mut undetermined);
    let b = SingleBlocks::decode(&words(b), &mut undetermined);
    let result = fma::<SingleBlocks, Single>(&a, &b, 0, &mut undetermined);
    assert_eq!((result, undetermined), (0x4080_0000, UndeterminedSet::NONE));
}

#[test]
fn an_infinite_addend_stays() {
    let mut undetermined = UndeterminedSet::NONE;
    let block = HalfBlocks::decode(&[0x3f00; 16], &mut undetermined);
    for word in [0x7f80_0001, 0xff80_0000] {
        let result = fma::<HalfBlocks, Single>(&block, &block, word, &mut undetermined);
        assert_eq!(result, word & !1);
    }
    assert_eq!(undetermined, UndeterminedSet::NONE);
}

#[test]
fn invalid_blocks_trap() {
    #[track_caller]
    fn check<P: Precision>(words: [u64; 4], marked: bool) {
        let mut undetermined = UndeterminedSet::NONE;
        let mut block = vec![words[3]; P::SIZE];
        block[..4].copy_from_slice(&words);
        P::decode(&block, &mut undetermined);
        assert_eq!(
            undetermined.contains(Undetermined::UnequalExponents),
            marked
        );
    }
    check::<HalfBlocks>([0x3f00, 0x3e00, 0x0001, 0x8000], false);
    check::<HalfBlocks>([0x3f00, 0x3c00, 0x3e00, 0x3e00], true);
    check::<HalfBlocks>([0, 1, 0, 0], true);
    check::<SingleBlocks>([0x3f80_0000, 0x3fff_ffff, 0xbf80_0000, 0x3f80_0000], false);
    check::<SingleBlocks>([0x3f80_0000, 0, 0x3f80_0000, 0x3f80_0000], true);
    check::<PseudoSingleBlocks>([0x1f, 0, 0, 0], false);
    check::<PseudoSingleBlocks>([0x20, 0, 0, 0], true);
    check::<DoubleBlocks>([0x8000_0000_0000_0000, 0, 0, 0], false);
}

#[test]
fn infinite_blocks_trap() {
    let mut undetermined = UndeterminedSet::NONE;
    let infinite = DoubleBlocks::decode(&[0x7ff0_0000_0000_0000; 4], &mut undetermined);
    let zero = DoubleBlocks::decode(&[0; 4], &mut undetermined);
    assert!(undetermined.is_empty());
    let result = fma::<DoubleBlocks, Single>(&zero, &infinite, 0, &mut undetermined);
    assert_eq!(result, Single::INFINITY);
    assert_eq!(undetermined.trap(), Some(Undetermined::InfiniteBlock));
}

#[test]
fn extended_products() {
    #[track_caller]
    fn check(a: u64, b: u64, expect: u64, marked: bool) {
        let block = |word| {
            let mut words = [0x3e00; 16];
            words[5] = word;
            HalfBlocks::decode(&words, &mut UndeterminedSet::default())
        };
        let mut undetermined = UndeterminedSet::NONE;
        let result = fma::<HalfBlocks, Single>(&block(a), &block(b), 0, &mut undetermined);
        assert_eq!(result, expect, "{a:#x} {b:#x}: {result:#x}");
        assert_eq!(undetermined.contains(Undetermined::ExtendedProduct), marked);
    }
    // 2^-14 times 1, as in section 4.4; then negated, times 2^-8 and times itself.
    check(0x0001, 0x3f00, 0x3880_0000, false);
    check(0x8001, 0x3f00, 0xb880_0000, false);
    check(0x0100, 0x0100, (127 - 12) << 23, false);
    check(0x0001, 0x3e01, 0, true);
    check(0x0001, 0x3e21, (127 - 16) << 23, true);
}
