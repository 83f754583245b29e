//! Matrix products in `f64`, and statistics of their terms that error bounds depend on.
//!
//! Every sum runs over K in order, from +0, so that results do not depend on how the work is
//! divided. The loops are blocked as in Goto and van de Geijn, "Anatomy of high-performance matrix
//! multiplication" (2008): a panel of `b` that fits the cache is used for all rows of `a` before
//! the next panel. A statistic of the terms is accumulated in the same pass. Threads of the host
//! share the rows.

use std::num::NonZero;

use multiversion::multiversion;

use crate::broadcast::broadcast_sources;
use crate::shape::MatmulShape;

/// An operand of a matrix product: row-major elements, and whether its inner two dimensions are
/// transposed.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    /// The elements.
    pub values: &'a [f64],
    /// Whether the inner two dimensions are transposed.
    pub transposed: bool,
}

/// A statistic of the terms of each element, accumulated with their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermStatistic {
    /// No statistic.
    Nothing,
    /// The sum of the greatest magnitudes of groups with this many terms along K.
    SumOfGroupMaxima(usize),
    /// The minimum of the greatest magnitudes of groups with this many terms along K.
    MinOfGroupMaxima(usize),
    /// The sum of the magnitudes of all terms.
    SumOfMagnitudes,
    /// The greatest magnitude of the partial sums after each group with this many terms along K.
    MaxPartialSum(usize),
}

/// Number of columns of `b` in a panel.
const PANEL_COLUMNS: usize = 128;

/// Least number of rows of `b` in a panel, which consists of whole groups.
const PANEL_ROWS: usize = 256;

/// Number of columns whose sums are kept in registers.
const LANES: usize = 8;

/// Number of terms in a group where groups do not matter.
const ANY_GROUP: usize = 8;

/// Number of multiplications for which a thread is worth its cost.
const THREAD_WORK: usize = 1 << 20;

/// Returns `op(a) @ op(b)`, row-major.
pub fn matmul(shape: &MatmulShape, a: Operand<'_>, b: Operand<'_>) -> Vec<f64> {
    matmul_with_statistic(shape, a, b, TermStatistic::Nothing).0
}

/// Returns, for each element of the product, the sum over groups of `group` terms along K of the
/// greatest magnitude in a group.
pub fn sum_of_group_maxima(
    shape: &MatmulShape,
    a: Operand<'_>,
    b: Operand<'_>,
    group: usize,
) -> Vec<f64> {
    matmul_with_statistic(shape, a, b, TermStatistic::SumOfGroupMaxima(group)).1
}

/// Returns, for each element of the product, the greatest magnitude of a partial sum after a block
/// of `block` terms along K.
pub fn max_partial_sums(
    shape: &MatmulShape,
    a: Operand<'_>,
    b: Operand<'_>,
    block: usize,
) -> Vec<f64> {
    matmul_with_statistic(shape, a, b, TermStatistic::MaxPartialSum(block)).1
}

/// Returns, for each element of the product, the sum over blocks of `block` terms along K of
/// `max|a| * Σ|b| + max|b| * Σ|a|`, over the factors of a block.
pub fn block_exponent_loss(
    shape: &MatmulShape,
    a: Operand<'_>,
    b: Operand<'_>,
    block: usize,
) -> Vec<f64> {
    let [m, k, n] = extents(shape);
    let blocks = k.div_ceil(block);
    let (a, b) = (to_row_major(a, m, k), to_row_major(b, k, n));
    // A row of `a` becomes the maxima of its blocks, then their sums; a column of `b` the sums,
    // then the maxima. The product of both is the result.
    let mut factors_a = Vec::with_capacity(a.len() / k.max(1) * 2 * blocks);
    for row in a.chunks_exact(k) {
        let magnitudes = |block: &[f64]| block.iter().map(|value| value.abs()).sum::<f64>();
        let maximum = |block: &[f64]| block.iter().fold(0_f64, |max, value| max.max(value.abs()));
        factors_a.extend(row.chunks(block).map(maximum));
        factors_a.extend(row.chunks(block).map(magnitudes));
    }
    let mut factors_b = Vec::with_capacity(b.len() / k.max(1) * 2 * blocks);
    for matrix in b.chunks_exact(k * n) {
        let (mut sums, mut maxima) = (vec![0_f64; blocks * n], vec![0_f64; blocks * n]);
        for (index, row) in matrix.chunks_exact(n).enumerate() {
            let at = index / block * n;
            let of_block = sums[at..].iter_mut().zip(&mut maxima[at..]);
            for ((sum, max), value) in of_block.zip(row) {
                *sum += value.abs();
                *max = max.max(value.abs());
            }
        }
        factors_b.extend(sums);
        factors_b.extend(maxima);
    }
    let shape = MatmulShape {
        k: 2 * blocks as u64,
        ..shape.clone()
    };
    let [a, b] = [&factors_a, &factors_b].map(|values| Operand {
        values,
        transposed: false,
    });
    matmul(&shape, a, b)
}

/// Returns `op(a) @ op(b)` and the statistic of each element; the latter is empty for
/// [`TermStatistic::Nothing`].
pub fn matmul_with_statistic(
    shape: &MatmulShape,
    a: Operand<'_>,
    b: Operand<'_>,
    statistic: TermStatistic,
) -> (Vec<f64>, Vec<f64>) {
    let [m, k, n] = extents(shape);
    let (a, b) = (to_row_major(a, m, k), to_row_major(b, k, n));
    let batches_a = broadcast_sources(&shape.batch_a, &shape.batch);
    let batches_b = broadcast_sources(&shape.batch_b, &shape.batch);
    let rows = batches_a.len() * m;
    let start = match statistic {
        TermStatistic::MinOfGroupMaxima(_) => f64::INFINITY,
        _ => 0.0,
    };
    let (mut sums, mut statistics) = (vec![0.0; rows * n], vec![start; rows * n]);
    // Each thread computes consecutive rows, of one matrix or several.
    let share = rows.div_ceil(threads(rows * k * n)).max(1);
    let make_rows = |first: usize, sums: &mut [f64], statistics: &mut [f64]| {
        let mut done = 0;
        while done < sums.len() / n {
            let (batch, row) = ((first + done) / m, (first + done) % m);
            let count = (m - row).min(sums.len() / n - done);
            let of_block = done * n..(done + count) * n;
            let a = &a[(batches_a[batch] * m + row) * k..][..count * k];
            let b = &b[batches_b[batch] * k * n..][..k * n];
            let (sums, statistics) = (&mut sums[of_block.clone()], &mut statistics[of_block]);
            multiply([k, n], a, b, statistic, sums, statistics);
            done += count;
        }
    };
    std::thread::scope(|scope| {
        let parts = sums
            .chunks_mut(share * n)
            .zip(statistics.chunks_mut(share * n));
        for (number, (sums, statistics)) in parts.enumerate() {
            let first = number * share;
            let make_rows = &make_rows;
            if sums.len() == rows * n {
                make_rows(first, sums, statistics);
            } else {
                scope.spawn(move || make_rows(first, sums, statistics));
            }
        }
    });
    match statistic {
        TermStatistic::Nothing => (sums, Vec::new()),
        _ => (sums, statistics),
    }
}

/// Returns the terms of one element of the product.
pub fn terms(shape: &MatmulShape, a: Operand<'_>, b: Operand<'_>, element: usize) -> Vec<f64> {
    let [m, k, n] = extents(shape);
    let (batch, row, column) = (element / (m * n), element / n % m, element % n);
    let [batch_a, batch_b] = [&shape.batch_a, &shape.batch_b].map(|own| {
        broadcast_sources(own, &shape.batch)
            .get(batch)
            .copied()
            .unwrap_or(0)
    });
    let at = |operand: Operand<'_>, [rows, columns]: [usize; 2], batch, row, column| {
        let of_batch = &operand.values[batch * rows * columns..];
        match operand.transposed {
            false => of_batch[row * columns + column],
            true => of_batch[column * rows + row],
        }
    };
    let term = |index| at(a, [m, k], batch_a, row, index) * at(b, [k, n], batch_b, index, column);
    (0..k).map(term).collect()
}

fn extents(shape: &MatmulShape) -> [usize; 3] {
    [shape.m, shape.k, shape.n].map(|extent| extent as usize)
}

/// Returns the number of threads for a number of multiplications.
fn threads(multiplications: usize) -> usize {
    let available = std::thread::available_parallelism().map_or(1, NonZero::get);
    available.min(multiplications / THREAD_WORK).max(1)
}

/// Computes rows of one product, panel by panel.
fn multiply(
    [k, n]: [usize; 2],
    a: &[f64],
    b: &[f64],
    statistic: TermStatistic,
    sums: &mut [f64],
    statistics: &mut [f64],
) {
    let group = match statistic {
        TermStatistic::Nothing | TermStatistic::SumOfMagnitudes => ANY_GROUP,
        TermStatistic::SumOfGroupMaxima(group)
        | TermStatistic::MinOfGroupMaxima(group)
        | TermStatistic::MaxPartialSum(group) => group,
    };
    let panel_rows = PANEL_ROWS.next_multiple_of(group);
    for first_column in (0..n).step_by(PANEL_COLUMNS) {
        let columns = PANEL_COLUMNS.min(n - first_column);
        for first_row in (0..k).step_by(panel_rows) {
            let depth = panel_rows.min(k - first_row);
            let panel = Panel {
                b: &b[first_row * n + first_column..],
                stride: n,
                columns,
                group,
            };
            let rows = a.chunks_exact(k).zip(sums.chunks_exact_mut(n));
            for ((a, sums), statistics) in rows.zip(statistics.chunks_exact_mut(n)) {
                let a = &a[first_row..first_row + depth];
                let columns = first_column..first_column + columns;
                let (sums, statistics) = (&mut sums[columns.clone()], &mut statistics[columns]);
                match statistic {
                    TermStatistic::Nothing => add_panel::<Nothing>(a, panel, sums, statistics),
                    TermStatistic::SumOfGroupMaxima(_) => {
                        add_panel::<SumOfGroupMaxima>(a, panel, sums, statistics)
                    }
                    TermStatistic::MinOfGroupMaxima(_) => {
                        add_panel::<MinOfGroupMaxima>(a, panel, sums, statistics)
                    }
                    TermStatistic::SumOfMagnitudes => {
                        add_panel::<SumOfMagnitudes>(a, panel, sums, statistics)
                    }
                    TermStatistic::MaxPartialSum(_) => {
                        add_panel::<MaxPartialSum>(a, panel, sums, statistics)
                    }
                }
            }
        }
    }
}

/// A panel of `b`.
#[derive(Clone, Copy)]
struct Panel<'a> {
    /// The elements from the first of the panel on.
    b: &'a [f64],
    /// Distance between rows.
    stride: usize,
    columns: usize,
    group: usize,
}

/// Accumulation of a statistic.
trait Accumulate {
    /// Adds a term to the value of its group.
    fn accumulate(of_group: f64, term: f64) -> f64;
    /// Adds a group to the statistic. `sum` is the sum of terms up to the end of the group.
    fn finish_group(statistic: f64, of_group: f64, sum: f64) -> f64;
}

/// Returns the larger one, the first if one is NaN: one instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a {
        b
    } else {
        a
    }
}

struct Nothing;
impl Accumulate for Nothing {
    #[inline(always)]
    fn accumulate(_: f64, _: f64) -> f64 {
        0.0
    }
    #[inline(always)]
    fn finish_group(statistic: f64, _: f64, _: f64) -> f64 {
        statistic
    }
}

/// The sum, over groups of this many terms along K, of the greatest magnitude in a group.
struct SumOfGroupMaxima;
impl Accumulate for SumOfGroupMaxima {
    #[inline(always)]
    fn accumulate(of_group: f64, term: f64) -> f64 {
        larger(of_group, term.abs())
    }
    #[inline(always)]
    fn finish_group(statistic: f64, of_group: f64, _: f64) -> f64 {
        statistic + of_group
    }
}

/// The minimum, over groups of this many terms along K, of the greatest magnitude in a group.
struct MinOfGroupMaxima;
impl Accumulate for MinOfGroupMaxima {
    #[inline(always)]
    fn accumulate(of_group: f64, term: f64) -> f64 {
        larger(of_group, term.abs())
    }
    #[inline(always)]
    fn finish_group(statistic: f64, of_group: f64, _: f64) -> f64 {
        -larger(-statistic, -of_group)
    }
}

/// The sum of the magnitudes of all terms.
struct SumOfMagnitudes;
impl Accumulate for SumOfMagnitudes {
    #[inline(always)]
    fn accumulate(of_group: f64, term: f64) -> f64 {
        of_group + term.abs()
    }
    #[inline(always)]
    fn finish_group(statistic: f64, of_group: f64, _: f64) -> f64 {
        statistic + of_group
    }
}

/// The greatest magnitude of a partial sum after a group of this many terms along K.
struct MaxPartialSum;
impl Accumulate for MaxPartialSum {
    #[inline(always)]
    fn accumulate(_: f64, _: f64) -> f64 {
        0.0
    }
    #[inline(always)]
    fn finish_group(statistic: f64, _: f64, sum: f64) -> f64 {
        larger(statistic, sum.abs())
    }
}

/// Adds the terms of a panel to a row of sums.
#[multiversion(targets("x86_64+avx+avx2+avx512f", "x86_64+avx+avx2"))]
fn add_panel<A: Accumulate>(a: &[f64], panel: Panel<'_>, sums: &mut [f64], statistics: &mut [f64]) {
    let Panel { b, stride, .. } = panel;
    for (number, factors) in a.chunks(panel.group).enumerate() {
        let b = &b[number * panel.group * stride..];
        let lanes = sums.chunks_exact_mut(LANES);
        let rest = lanes.len() * LANES;
        for (column, (sums, statistics)) in
            lanes.zip(statistics.chunks_exact_mut(LANES)).enumerate()
        {
            let column = column * LANES;
            let mut sum = [0.0; LANES];
            sum.copy_from_slice(sums);
            let mut of_group = [0.0; LANES];
            for (row, factor) in factors.iter().enumerate() {
                let b = &b[row * stride + column..][..LANES];
                for lane in 0..LANES {
                    let term = factor * b[lane];
                    sum[lane] += term;
                    of_group[lane] = A::accumulate(of_group[lane], term);
                }
            }
            for lane in 0..LANES {
                statistics[lane] = A::finish_group(statistics[lane], of_group[lane], sum[lane]);
            }
            sums.copy_from_slice(&sum);
        }
        for column in rest..panel.columns {
            let mut of_group = 0.0;
            for (row, factor) in factors.iter().enumerate() {
                let term = factor * b[row * stride + column];
                sums[column] += term;
                of_group = A::accumulate(of_group, term);
            }
            statistics[column] = A::finish_group(statistics[column], of_group, sums[column]);
        }
    }
}

/// Returns the operand's matrices in row-major order, `rows` by `columns` after transposition.
fn to_row_major(operand: Operand<'_>, rows: usize, columns: usize) -> Vec<f64> {
    if !operand.transposed {
        return operand.values.to_vec();
    }
    let mut result = Vec::with_capacity(operand.values.len());
    for matrix in operand.values.chunks_exact(rows * columns) {
        for row in 0..rows {
            result.extend(matrix[row..].iter().step_by(rows));
        }
    }
    result
}

#[cfg(test)]
mod tests;
