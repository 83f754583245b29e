use super::*;
use proptest::prelude::*;

/// Returns inputs whose exponents are close, or far apart, or belong to a zero.
fn input(bits: i16) -> impl Strategy<Value = MultiplierInput> {
    let end = 1_i16 << bits;
    prop_oneof![
        8 => (100..140_i16, 1 - end..end),
        2 => (1..256_i16, 1 - end..end),
        1 => Just((ABSENT, 0)),
    ]
    .prop_map(|(exponent, significand)| MultiplierInput {
        exponent,
        significand,
    })
}

/// Computes one lane of [`group`] by division instead of shifts, and with unbounded widths.
fn plain(bias: i32, inputs: &[(MultiplierInput, MultiplierInput)]) -> Term {
    let exponent = |(a, b): &(MultiplierInput, MultiplierInput)| {
        let zero = a.exponent == ABSENT || b.exponent == ABSENT;
        let sum = i32::from(a.exponent) + i32::from(b.exponent);
        // A zero product counts with the smallest exponent of the phase.
        if zero {
            (-bias).max(0)
        } else {
            sum
        }
    };
    let common = inputs.iter().map(exponent).max().unwrap();
    if common + bias <= 0 {
        return Term::default();
    }
    let parts = inputs.iter().map(|f| {
        let product = i128::from(f.0.significand) * i128::from(f.1.significand);
        let by = (common - exponent(f)).min(100);
        product.signum() * ((2 * product.abs() + (1 << by)) / (2 << by))
    });
    Term {
        exponent: common + bias,
        value: (parts.sum::<i128>() as i32) << TERM_FRACTION,
    }
}

proptest! {
    #[test]
    fn each_lane_is_a_plain_sum(
        a in prop::collection::vec(prop::array::uniform16(input(5)), 16),
        b in prop::array::uniform16(input(7)),
        bias in -150..100_i32,
    ) {
        let inputs = |row: &[MultiplierInput; LANES]| OperandRow {
            exponents: row.map(|f| f.exponent),
            significands: row.map(|f| f.significand),
        };
        let rows = std::array::from_fn(|k| inputs(&a[k]));
        let found = [
            group::<0>(bias, &rows, &inputs(&b)),
            group::<GROUP>(bias, &rows, &inputs(&b)),
        ];
        for (lane, k) in (0..LANES).flat_map(|lane| [(lane, 0), (lane, GROUP)]) {
            let pairs: Vec<_> = (k..k + GROUP).map(|k| (a[k][lane], b[k])).collect();
            prop_assert_eq!(found[k / GROUP].term(bias, lane), plain(bias, &pairs));
        }
    }
}
