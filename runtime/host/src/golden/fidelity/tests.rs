use super::*;
use tessera_ops::ComputeConfig;

const MULTIPLIER: Multiplier = Multiplier {
    high: [7, 5],
    read: [11, 10],
};

/// 1 + 2^-k.
fn one_and(k: i32) -> f64 {
    1.0 + 2f64.powi(-k)
}

#[test]
fn phases_drop_what_they_leave_out() {
    let array = |value| Array {
        shape: vec![1, 1],
        values: vec![value],
    };
    let dropped_terms = |fidelity, cuts, a: f64, b: f64| {
        let product = Product {
            factors: [5, 7],
            bias: None,
            transposed: [false; 2],
            compute_config: Some(ComputeConfig {
                math_fidelity: fidelity,
                fp32_dest_acc: true,
            }),
        };
        let [a, b] = [array(a), array(b)];
        let sum = dropped_terms(MULTIPLIER, &product, cuts, [&a, &b]).unwrap();
        sum.map(|sum| sum.values[0])
    };
    use MathFidelity::{HiFi2, HiFi3, HiFi4, LoFi};
    for (a, b, lofi, hifi2, hifi3) in [
        // All in the high parts: 6 bits of the left operand's fraction, 4 of the right one's.
        (one_and(6), one_and(4), 0.0, 0.0, 0.0),
        (-one_and(6), one_and(5), -one_and(6) / 32.0, 0.0, 0.0),
        (
            one_and(7),
            one_and(4),
            one_and(4) / 128.0,
            one_and(4) / 128.0,
            0.0,
        ),
        (
            one_and(7),
            one_and(5),
            one_and(7) * one_and(5) - 1.0,
            one_and(5) / 128.0,
            1.0 / 4096.0,
        ),
        (0.0, one_and(5), 0.0, 0.0, 0.0),
    ] {
        for (fidelity, expect) in [(LoFi, lofi), (HiFi2, hifi2), (HiFi3, hifi3)] {
            for cuts in [false, true] {
                let sum = dropped_terms(fidelity, cuts, a, b);
                assert_eq!(sum, Some(expect), "{fidelity} {cuts} {a} {b}");
            }
        }
        assert_eq!(dropped_terms(HiFi4, false, a, b), None);
        assert_eq!(dropped_terms(HiFi4, true, a, b), Some(0.0));
    }
    // Ten fraction bits of the left operand and nine of the right one are read.
    let both = one_and(11) * one_and(10) - 1.0;
    for (fidelity, a, b, expect) in [
        (HiFi4, one_and(10), one_and(9), 0.0),
        (HiFi4, one_and(11), one_and(9), one_and(9) / 2048.0),
        (HiFi4, one_and(10), one_and(10), one_and(10) / 1024.0),
        (HiFi4, one_and(11), one_and(10), both),
        (HiFi3, one_and(11), one_and(10), both),
        (HiFi3, one_and(10), one_and(9), 2f64.powi(-19)),
        (HiFi2, one_and(11), one_and(10), both),
        (LoFi, one_and(11), one_and(10), both),
    ] {
        assert_eq!(
            dropped_terms(fidelity, true, a, b),
            Some(expect),
            "{fidelity} {a} {b}"
        );
    }
}
