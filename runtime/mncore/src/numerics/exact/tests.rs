use super::super::format::{Double, Half, Single};
use super::*;

#[test]
fn ties_go_to_the_even_integer() {
    #[track_caller]
    fn check(value: u64, shift: u32, expect: u64) {
        assert_eq!(
            shift_nearest_even(value, shift),
            expect,
            "{value} >> {shift}"
        );
        assert_eq!(
            shift_nearest_even(u128::from(value), shift),
            u128::from(expect)
        );
    }
    check(5, 0, 5);
    check(5, 1, 2);
    check(7, 1, 4);
    check(6, 2, 2);
    check(10, 2, 2);
    check(11, 2, 3);
    check(1, 200, 0);
    assert_eq!(shift_nearest_even(u64::MAX, 64), 1);
    assert_eq!(shift_nearest_even(1u64 << 63, 64), 0);
    assert_eq!(shift_nearest_even(u64::MAX, 65), 0);
}

#[test]
fn rounding_ends_in_an_infinity_or_in_zero() {
    #[track_caller]
    fn check<F: Format>(negative: bool, magnitude: u64, exponent: i32, expect: u64) {
        let value = Exact {
            negative,
            magnitude,
            exponent,
        };
        assert_eq!(value.round::<F>(), expect, "{value:?}");
    }
    check::<Half>(false, 0, 0, 0);
    check::<Half>(true, 0, 0, 0);
    check::<Half>(true, 1, 0, 0xbe00);
    check::<Half>(false, 0x7ff, 0, 0x3e00 + (11 << 9));
    check::<Half>(false, 1, -30, 0x0200);
    check::<Half>(true, 1, -31, 0);
    // Just below the smallest number, but rounding reaches it.
    check::<Half>(false, 0x7ff, -41, 0x0200);
    check::<Half>(false, 0x3ff, -31 - 9, 0);
    check::<Half>(true, 0x3ff, 31 - 9, 0xfdff);
    check::<Half>(true, 0x7ff, 31 - 10, 0xfe00);
    check::<Half>(false, 1, 1000, 0x7e00);
    check::<Single>(false, (1 << 40) + (1 << 16), -40, 0x3f80_0000);
    check::<Single>(false, (1 << 40) + (1 << 16) + 1, -40, 0x3f80_0001);
    check::<Double>(false, u64::MAX, -64, 0x3ff0_0000_0000_0000);
    check::<Double>(true, u64::MAX, 1024 - 64, 0xfff0_0000_0000_0000);
    check::<Double>(true, u64::MAX, 1025 - 64, 0xfff0_0000_0000_0000);
    check::<Double>(true, 3, -1, 0xbff8_0000_0000_0000);
}

#[test]
fn far_apart_terms_still_decide_a_tie() {
    let one = Exact::<u64> {
        negative: false,
        magnitude: (1 << 24) + 1,
        exponent: 0,
    };
    for negative in [false, true] {
        let tiny = Exact {
            negative,
            magnitude: 1,
            exponent: -300,
        };
        let expect = if negative { 0x4b80_0000 } else { 0x4b80_0001 };
        assert_eq!(one.add_exact(tiny).round::<Single>(), expect);
        assert_eq!(tiny.add_exact(one).round::<Single>(), expect);
    }
    // The smaller term makes the tie itself, and its lowest bit, which leaves the frame,
    // decides it.
    let large = Exact::<u64> {
        magnitude: 1 << 24,
        ..one
    };
    let tie = Exact {
        negative: false,
        magnitude: (1 << 46) + 1,
        exponent: -46,
    };
    assert_eq!(large.add_exact(tie).round::<Single>(), 0x4b80_0001);
    let minus = Exact {
        negative: true,
        ..one
    };
    assert_eq!(one.add_exact(minus).round::<Single>(), 0);
}
