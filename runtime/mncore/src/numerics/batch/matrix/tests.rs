use super::super::super::exact::Exact;
use super::*;

#[test]
fn rows_lie_where_their_results_do() {
    for (rows, row, slot) in [
        (16, 0, 1),
        (16, 1, 0),
        // PE 1 has rows 4 to 7: two in its first long word, the upper half first, two in its
        // second one.
        (16, 4, 3),
        (16, 5, 2),
        (16, 7, 10),
        (16, 14, 15),
        (8, 2, 3),
        (8, 7, 6),
    ] {
        assert_eq!(slot_of_row(row, rows), slot, "row {row} of {rows}");
    }
}

#[test]
fn results_that_round_to_the_smallest_number_are_not_flushed() {
    #[track_caller]
    fn check(magnitude: u64, exponent: i32, expect: u32) {
        for negative in [false, true] {
            let exact = Exact {
                negative,
                magnitude,
                exponent,
            };
            let sign = if negative { -1.0 } else { 1.0 };
            let weight = power_of_two(i64::from(exponent));
            let sums = [sign * magnitude as f64];
            let (result, finite) = accumulate(sums, &[weight], 1.0, [0x8000_0001]);
            assert!(finite);
            assert_eq!(
                u64::from(result[0]),
                exact.round::<format::Single>(),
                "{exact:?}"
            );
            assert_eq!(result[0] & 0x7fff_ffff, expect, "{exact:?}");
        }
    }
    let smallest = 1 << 23;
    check(1, -126, smallest);
    check((1 << 26) - 1, -152, smallest);
    // The tie goes to the even neighbour, which is the smallest number.
    check((1 << 25) - 1, -151, smallest);
    check((1 << 45) - (1 << 20) - 1, -171, 0);
    check(1, -127, 0);
    check((1 << 25) + 1, -151, smallest);
    check((1 << 25) + 3, -151, smallest + 1);
}
