//! Reductions along rows and columns, with operations before and after.

use tessera_mncore::machine::Model;
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Axis, Binary, Broadcast, Compute, Element, Reduce, Value};

use crate::board::{integers, kernel, run};
use crate::check;
use crate::groups::{over_tiles, singles, TILE};
use crate::reduced::Reduced;

/// Returns the expected result of a reduction of a matrix.
pub fn exact(reduced: Reduced, matrix: &[f32]) -> Vec<f32> {
    joined(reduced, matrix, |x, y| match reduced.reduce {
        Reduce::Sum => x + y,
        Reduce::Max => x.max(y),
        Reduce::Min => x.min(y),
    })
}

/// As above, for any function that combines two elements.
fn joined<T: Copy>(reduced: Reduced, matrix: &[T], join: impl Fn(T, T) -> T) -> Vec<T> {
    let [rows, columns] = reduced.extents.map(|extent| extent as usize);
    let [gone, kept] = [true, false].map(|is| {
        let pick = |axis: usize, extent| if reduced.axes[axis] == is { extent } else { 1 };
        [pick(0, rows), pick(1, columns)]
    });
    let mut result = Vec::new();
    for at in 0..kept[0] * kept[1] {
        let (row, column) = (at / kept[1], at % kept[1]);
        let of = |step: usize| matrix[(row + step / gone[1]) * columns + column + step % gone[1]];
        result.push((0..gone[0] * gone[1]).map(of).reduce(&join).unwrap());
    }
    result
}

const REDUCES: [Reduce; 3] = [Reduce::Sum, Reduce::Max, Reduce::Min];

#[track_caller]
fn check_reduced(reduced: Reduced) {
    check(&reduced.group(), |inputs| {
        let negated: Vec<f32> = inputs[0].iter().map(|x| -x).collect();
        exact(reduced, &negated)
    });
}

#[test]
fn reductions_along_an_axis() {
    for extents in [[1, 1], [3, 16], [31, 100], [40, 33], [32, 1000]] {
        for axis in [Axis::Rows, Axis::Columns] {
            for reduce in REDUCES {
                check_reduced(Reduced::along(reduce, axis, extents));
            }
        }
    }
}

#[test]
fn reductions_along_both_axes() {
    for extents in [[1, 1], [3, 16], [40, 100], [5000, 3]] {
        for reduce in REDUCES {
            check_reduced(Reduced {
                reduce,
                axes: [true; 2],
                extents,
                element: Element::F32,
            });
        }
    }
}

/// Integers, which the networks do not compare natively.
#[test]
fn reductions_of_integers() {
    for (extents, axes) in [
        ([1, 1], [true; 2]),
        ([40, 100], [true; 2]),
        ([5000, 3], [true; 2]),
        ([70, 40], [true, false]),
        ([40, 70], [false, true]),
    ] {
        for reduce in REDUCES {
            let reduced = Reduced {
                reduce,
                axes,
                extents,
                element: Element::I32,
            };
            let count = (extents[0] * extents[1]) as usize;
            let spread =
                |(at, x): (usize, f32)| (x as i32).wrapping_mul([1, 70_000, 3 << 27][at % 3]);
            let words: Vec<i32> = integers(count, 1)
                .into_iter()
                .enumerate()
                .map(spread)
                .collect();
            let bits = words.iter().map(|&word| f32::from_bits(word as u32));
            let inputs = [bits.collect()];
            let results = run(
                &kernel(&reduced.group()),
                &inputs,
                IssueOrder::Scheduled,
                Model::Timed,
            );
            let results: Vec<i32> = results.iter().map(|x| x.to_bits() as i32).collect();
            let negated: Vec<i32> = words.iter().map(|x| x.wrapping_neg()).collect();
            let expected = joined(reduced, &negated, |x, y| match reduce {
                Reduce::Sum => x.wrapping_add(y),
                Reduce::Max => x.max(y),
                Reduce::Min => x.min(y),
            });
            assert_eq!(results, expected, "{reduced:?}");
        }
    }
}

/// (x - max x) + sum of (x - max x), along rows or columns: reductions that need others, and are
/// spread.
#[test]
fn reductions_of_reductions() {
    for extents in [[3, 5], [40, 70], [33, 600]] {
        for axis in [Axis::Rows, Axis::Columns] {
            let [rows, columns] = extents;
            let spread = match axis {
                Axis::Rows => Broadcast::Row,
                Axis::Columns => Broadcast::Column,
            };
            let of = |reduce| Reduced::along(reduce, axis, extents);
            let tensor = singles(rows, columns);
            let spreads = |builder: &mut Builder, binary, tile, other, kind| {
                let compute = Compute::Binary(binary, spread);
                builder.compute(compute, &[tile, other], kind)
            };
            let group = over_tiles(&[tensor, tensor], |builder, row, column| {
                let load = |builder: &mut Builder, [row, column]: [Value; 2], kind| {
                    builder.load(0, row, column, kind)
                };
                let most = of(Reduce::Max).joined(builder, [row, column], &load);
                let less = |builder: &mut Builder, at, kind| {
                    let tile = load(builder, at, kind);
                    spreads(builder, Binary::Subtract, tile, most, kind)
                };
                let sum = of(Reduce::Sum).joined(builder, [row, column], &less);
                let less = less(builder, [row, column], TILE);
                spreads(builder, Binary::Add, less, sum, TILE)
            });
            check(&group, |inputs| {
                let most = exact(of(Reduce::Max), &inputs[0]);
                let own = |at: usize| match axis {
                    Axis::Rows => at % columns as usize,
                    Axis::Columns => at / columns as usize,
                };
                let each = inputs[0].iter().enumerate();
                let less: Vec<f32> = each.map(|(at, x)| x - most[own(at)]).collect();
                let sum = exact(of(Reduce::Sum), &less);
                let all = less.iter().enumerate();
                all.map(|(at, x)| x + sum[own(at)]).collect()
            });
        }
    }
}
