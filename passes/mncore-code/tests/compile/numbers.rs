//! Reductions of full-precision numbers against double precision, within the error bounds of the
//! order of additions.
//!
//! With `TESSERA_LONG_TESTS` set, for more shapes.

use tessera_mncore::machine::Model;
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, ScalarOp, Unary,
};
use tessera_test_support::is_long_run;

use crate::board::{kernel, run};
use crate::groups::{batched, matrices, over_tiles, singles, TILE};
use crate::reduced::{softmax, stored, Reduced};

/// Half a unit in the last place of 1.
const HALF_ULP: f64 = 1.0 / (1u64 << 24) as f64;

/// Returns numbers of both signs up to `most`.
fn numbers(count: usize, most: f32, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1u32 << 23) as f32 * most - most
    };
    (0..count).map(next).collect()
}

/// Returns the shapes: all pairs in a long run.
fn shapes() -> Vec<[u32; 2]> {
    const SIZES: [u32; 8] = [1, 3, 16, 31, 32, 100, 256, 1000];
    if !is_long_run() {
        return vec![[3, 100], [31, 16]];
    }
    let pairs = SIZES
        .iter()
        .map(|&rows| SIZES.map(|columns| [rows, columns]));
    pairs.flatten().collect()
}

/// Runs a kernel on a tensor; the result must be the same in all issue orders and models.
#[track_caller]
fn results(group: &Group, input: &[f32]) -> Vec<f32> {
    let kernel = kernel(group);
    let inputs = [input.to_vec()];
    let of = |form, model| run(&kernel, &inputs, form, model);
    let timed = of(IssueOrder::Scheduled, Model::Timed);
    let bits = |values: &[f32]| -> Vec<u32> { values.iter().map(|v| v.to_bits()).collect() };
    for (form, model) in [
        (IssueOrder::Scheduled, Model::Fast),
        (IssueOrder::Sequential, Model::Fast),
    ] {
        assert_eq!(bits(&of(form, model)), bits(&timed), "{form:?} {model:?}");
    }
    timed
}

/// Returns the elements of a row or column of a matrix.
fn line(matrix: &[f32], [rows, columns]: [u32; 2], axis: Axis, number: usize) -> Vec<f64> {
    let [rows, columns] = [rows, columns].map(|extent| extent as usize);
    match axis {
        Axis::Rows => (0..rows)
            .map(|row| matrix[row * columns + number].into())
            .collect(),
        Axis::Columns => matrix[number * columns..][..columns]
            .iter()
            .map(|&x| x.into())
            .collect(),
    }
}

/// Returns the maximum number of roundings of a sum of this many elements: along time, words and
/// PEs.
fn roundings(extent: u32) -> f64 {
    f64::from(extent.div_ceil(8) + 3)
}

#[test]
fn softmax_along_an_axis() {
    for shape in shapes() {
        let [rows, columns] = shape;
        let tensor = singles(rows, columns);
        let input = numbers((rows * columns) as usize, 12.0, rows * 1009 + columns);
        for axis in [Axis::Rows, Axis::Columns] {
            let group = over_tiles(&[tensor, tensor], |builder, row, column| {
                softmax(builder, axis, shape, [row, column])
            });
            let found = results(&group, &input);
            let extent = match axis {
                Axis::Rows => rows,
                Axis::Columns => columns,
            };
            for (at, &found) in found.iter().enumerate() {
                let (row, column) = (at / columns as usize, at % columns as usize);
                let number = if axis == Axis::Rows { column } else { row };
                let line = line(&input, shape, axis, number);
                let most = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = line.iter().map(|x| (x - most).exp()).sum();
                let exact = (f64::from(input[at]) - most).exp() / sum;
                // Differences of up to 24, rounded; two powers; the sum; the quotient.
                let error = (2.0 * 24.0 + 4.0 + roundings(extent) + 2.0) * HALF_ULP;
                let (found, bound) = (f64::from(found), error * exact);
                assert!(
                    (found - exact).abs() <= bound,
                    "{shape:?} {axis:?} at {at}: {found:e}, not {exact:e}, within {bound:e}"
                );
            }
        }
    }
}

#[test]
fn sums_of_squares() {
    for shape in shapes() {
        let [rows, columns] = shape;
        let input = numbers((rows * columns) as usize, 3.0, rows * 31 + columns);
        for axes in [[true, false], [false, true], [true, true]] {
            let reduced = Reduced {
                reduce: Reduce::Sum,
                axes,
                extents: shape,
                element: Element::F32,
            };
            let left = |axis: usize| if axes[axis] { 1 } else { shape[axis] };
            let tensors = [singles(rows, columns), singles(left(0), left(1))];
            let group = stored(&tensors, reduced.left(), |builder, r, c| {
                reduced.joined(builder, [r, c], &|builder, [r, c], kind| {
                    let tile = builder.load(0, r, c, kind);
                    builder.binary(Binary::Multiply, tile, tile)
                })
            });
            let found = results(&group, &input);
            for (at, &found) in found.iter().enumerate() {
                let line = match axes {
                    [true, true] => input.iter().map(|&x| x.into()).collect(),
                    [true, false] => line(&input, shape, Axis::Rows, at),
                    _ => line(&input, shape, Axis::Columns, at),
                };
                let exact: f64 = line.iter().map(|x| x * x).sum();
                let count = match axes {
                    // The inner axis, then vectors, cycles, and the stages of three networks.
                    [true, true] => roundings(columns) + 8.0 + 3.0 + 12.0,
                    [true, false] => roundings(rows),
                    _ => roundings(columns),
                };
                // A product of the chip leaves out the lowest bits of its factors' products, too.
                let bound = (count + 3.0) * HALF_ULP * exact;
                assert!(
                    (f64::from(found) - exact).abs() <= bound,
                    "{shape:?} {axes:?} at {at}: {found:e}, not {exact:e}, within {bound:e}"
                );
            }
        }
    }
}

/// Batches: loop-carried values are reset for each matrix.
#[test]
fn batches() {
    let [rows, columns] = [5, 37];
    let tensor = matrices(3, rows, columns);
    let input = numbers(3 * 5 * 37, 4.0, 7);
    let group = batched(&[tensor, tensor], 3, |builder, matrix, row, column| {
        let down = builder.constant(1);
        let first = builder.scalar(ScalarOp::Multiply, matrix, down);
        let row = builder.scalar(ScalarOp::Add, first, row);
        let load = |builder: &mut Builder, [row, column]: [usize; 2], kind| {
            let tile = builder.load(0, row, column, kind);
            builder.unary(Unary::Abs, tile)
        };
        let most = Reduced::along(Reduce::Max, Axis::Columns, [rows, columns]);
        let most = most.joined(builder, [row, column], &load);
        let tile = builder.load(0, row, column, TILE);
        let spread = Broadcast::Column;
        let binary = Binary::Subtract;
        let compute = Compute::Binary(binary, spread);
        builder.compute(compute, &[tile, most], TILE)
    });
    let found = results(&group, &input);
    for (line, found) in input.chunks(37).zip(found.chunks(37)) {
        let most = line.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let exact: Vec<f32> = line.iter().map(|x| x - most).collect();
        assert_eq!(found, exact);
    }
}
