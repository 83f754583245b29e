use super::*;
use crate::shape;

/// Numbers whose sums depend on their order.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..count).map(|_| next()).collect()
}

/// Returns the sum and the statistic of one element by their definitions.
fn element(statistic: TermStatistic, terms: &[f64]) -> (f64, f64) {
    let sum = |terms: &[f64]| terms.iter().fold(0.0, |sum, term| sum + term);
    let largest = |terms: &[f64]| terms.iter().fold(0_f64, |max, term| max.max(term.abs()));
    let value = match statistic {
        TermStatistic::Nothing => 0.0,
        TermStatistic::SumOfGroupMaxima(group) => terms.chunks(group).map(largest).sum(),
        TermStatistic::MinOfGroupMaxima(group) => {
            let groups = terms.chunks(group).map(largest);
            groups.fold(f64::INFINITY, f64::min)
        }
        TermStatistic::SumOfMagnitudes => terms
            .chunks(ANY_GROUP)
            .map(|group| group.iter().map(|term| term.abs()).sum::<f64>())
            .sum(),
        TermStatistic::MaxPartialSum(group) => {
            let ends = (1..=terms.len().div_ceil(group)).map(|end| end * group);
            let partials = ends.map(|end| sum(&terms[..end.min(terms.len())]).abs());
            partials.fold(0.0, f64::max)
        }
    };
    (sum(terms), value)
}

/// Bit by bit the sums in the order of K, in every way of dividing the work.
#[test]
fn products_are_sums_in_the_order_of_k() {
    for (m, k, n, batch, transposed) in [
        (1, 1, 1, 1, false),
        (3, 7, 5, 2, true),
        (2, 600, 9, 1, false),
        (5, 17, 300, 3, false),
        (130, 130, 140, 1, true),
    ] {
        let [shape_a, shape_b] = [[batch, m, k], [1, k, n]].map(|s| s.map(|e: usize| e as u64));
        let (a, b) = (numbers(batch * m * k, 1), numbers(k * n, 2));
        let swapped = [1, n as u64, k as u64];
        let shape = match transposed {
            false => shape::matmul(&shape_a, &shape_b, false, false),
            true => shape::matmul(&shape_a, &swapped, false, true),
        };
        let shape = shape.unwrap();
        let of_b = |row: usize, column: usize| match transposed {
            false => b[row * n + column],
            true => b[column * k + row],
        };
        for statistic in [
            TermStatistic::Nothing,
            TermStatistic::SumOfGroupMaxima(8),
            TermStatistic::SumOfGroupMaxima(3),
            TermStatistic::MinOfGroupMaxima(8),
            TermStatistic::SumOfMagnitudes,
            TermStatistic::MaxPartialSum(4),
        ] {
            let operand = |values, transposed| Operand { values, transposed };
            let (sums, statistics) = matmul_with_statistic(
                &shape,
                operand(&a, false),
                operand(&b, transposed),
                statistic,
            );
            assert_eq!(statistics.is_empty(), statistic == TermStatistic::Nothing);
            for (at, sum) in sums.iter().enumerate() {
                let (row, column) = (at / n, at % n);
                let terms: Vec<_> = (0..k)
                    .map(|k_| a[row * k + k_] * of_b(k_, column))
                    .collect();
                assert_eq!(
                    super::terms(&shape, operand(&a, false), operand(&b, transposed), at),
                    terms
                );
                let found = (*sum, statistics.get(at).copied().unwrap_or_default());
                assert_eq!(
                    found,
                    element(statistic, &terms),
                    "{m} {k} {n} {statistic:?} {at}"
                );
            }
        }
    }
}
