//! Packed bf16 tensors: the same bits as with singles of the same values, rounded by the host.

use std::collections::HashMap;

use tessera_isa_mncore::layout::ElementBits;
use tessera_isa_mncore::memory::Precision;
use tessera_mncore::machine::Model;
use tessera_mncore_code::compile::{candidates, Kernel, Options, PrecisionChoice};
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, TensorType, TileType, Unary, Value,
};
use tessera_test_support::is_long_run;

use crate::board::{kernel_with, random, run};
use crate::groups::{over_tiles, product_of};
use crate::reduced::Reduced;
use crate::split_k::parts;

const BF16: Element = Element::Bf16;
const F32: Element = Element::F32;

/// Returns numbers of both signs with exponents in a range around 0, which are bf16 if `round`.
fn numbers(count: usize, seed: u32, round: bool) -> Vec<f32> {
    let number = |bits: u32| {
        let exponent = 120 + (bits >> 20) % 12;
        let mantissa = bits & 0x7f_ffff & if round { 0xffff_0000 } else { u32::MAX };
        f32::from_bits(bits & 1 << 31 | exponent << 23 | mantissa)
    };
    random(seed).take(count).map(number).collect()
}

/// Rounds to bf16, ties to even.
pub fn rounded(value: f32) -> f32 {
    let bits = value.to_bits();
    f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000)
}

/// A tensor: rows, columns, element type.
type Kind = (u32, u32, Element);

fn tensors(kinds: &[Kind]) -> Vec<TensorType> {
    let tensor = |&(rows, columns, element): &Kind| TensorType {
        matrices: 1,
        rows,
        columns,
        element,
    };
    kinds.iter().map(tensor).collect()
}

/// Checks that the group that `make` builds on tensors has the same results as on tensors of
/// singles. Returns how many of the tensors are stored in 16 bits.
#[track_caller]
fn check(kinds: &[Kind], models: &[Model], make: impl Fn(&[TensorType]) -> Group) -> usize {
    check_with(&Options::default(), kinds, models, make)
}

#[track_caller]
fn check_with(
    options: &Options,
    kinds: &[Kind],
    models: &[Model],
    make: impl Fn(&[TensorType]) -> Group,
) -> usize {
    let own = tensors(kinds);
    let singles: Vec<Kind> = kinds.iter().map(|kind| (kind.0, kind.1, F32)).collect();
    let narrow = kernel_with(&make(&own), options);
    check_kernels(kinds, models, &make(&tensors(&singles)), options, &[narrow])
}

/// Checks that kernels have the same results as those on singles with the same partial sums.
/// Returns how many tensors of the last kernel are stored in 16 bits.
#[track_caller]
fn check_kernels(
    kinds: &[Kind],
    models: &[Model],
    wide: &Group,
    options: &Options,
    narrow: &[Kernel],
) -> usize {
    let own = tensors(kinds);
    let (result, inputs) = own.split_last().expect("there is a result");
    let inputs: Vec<Vec<f32>> = inputs
        .iter()
        .zip(1..)
        .map(|(tensor, seed)| {
            numbers(
                tensor.elements().unwrap() as usize,
                seed,
                tensor.element == BF16,
            )
        })
        .collect();
    let wide = candidates(wide, options).unwrap_or_else(|error| panic!("{error}"));
    let mut expected: HashMap<[bool; 2], Vec<f32>> = HashMap::new();
    let mut halves = 0;
    for (number, narrow) in narrow.iter().enumerate() {
        let expect = expected.entry(parts(narrow)).or_insert_with_key(|own| {
            let alike = wide.iter().find(|wide| parts(wide) == *own);
            let alike = alike.expect("tensors of singles have a candidate with the same parts");
            let mut expect = run(alike, &inputs, IssueOrder::Scheduled, Model::Fast);
            if result.element == BF16 {
                expect.iter_mut().for_each(|value| *value = rounded(*value));
            }
            expect
        });
        for &model in models {
            let found = run(narrow, &inputs, IssueOrder::Scheduled, model);
            let wrong = found
                .iter()
                .zip(&*expect)
                .position(|(one, other)| one != other);
            let wrong = wrong.map(|at| (at, found[at], expect[at]));
            assert_eq!(wrong, None, "{kinds:?}, {model:?}, candidate {number}");
        }
        let stored = narrow.tensors.iter();
        let elements = stored.map(|tensor| tensor.layout.element());
        halves = elements
            .filter(|element| *element == ElementBits::Sixteen)
            .count();
    }
    halves
}

const BOTH: &[Model] = &[Model::Timed, Model::Fast];

fn tile(element: Element) -> TileType {
    TileType::full(32, 32, element)
}

/// relu(a - b) · a, rounded to bf16 where the result is.
fn elements(tensors: &[TensorType]) -> Group {
    let spread = &tensors[1];
    let broadcast = match [spread.rows, spread.columns] {
        same if same == [tensors[0].rows, tensors[0].columns] => Broadcast::None,
        [1, 1] => Broadcast::Scalar,
        [1, _] => Broadcast::Row,
        _ => Broadcast::Column,
    };
    over_tiles(tensors, |builder, r, c| {
        let zero = builder.constant(0);
        let at = |extent: u32, own: Value| if extent == 1 { zero } else { own };
        let (row, column) = (at(spread.rows, r), at(spread.columns, c));
        let a = builder.load(0, r, c, tile(tensors[0].element));
        let b = builder.load(1, row, column, tile(spread.element));
        let minus = Compute::Binary(Binary::Subtract, broadcast);
        let difference = builder.compute(minus, &[a, b], tile(F32));
        let relu = builder.unary(Unary::Relu, difference);
        let value = builder.binary(Binary::Multiply, relu, a);
        converted(builder, value, tensors[2].element)
    })
}

fn converted(builder: &mut Builder, value: Value, element: Element) -> Value {
    if element == BF16 {
        builder.compute(Compute::Convert, &[value], tile(BF16))
    } else {
        value
    }
}

/// a · b + bias.
fn product(tensors: &[TensorType]) -> Group {
    over_tiles(tensors, |builder, r, c| {
        let tiles = [tile(tensors[0].element), tile(tensors[1].element)];
        let sum = product_of(builder, r, c, tensors[0].columns, tiles);
        let zero = builder.constant(0);
        let bias = builder.load(2, zero, c, tile(tensors[2].element));
        let add = Compute::Binary(Binary::Add, Broadcast::Row);
        let value = builder.compute(add, &[sum, bias], tile(F32));
        converted(builder, value, tensors[3].element)
    })
}

/// (x - max) + sum, along an axis.
fn reductions(axis: Axis, tensors: &[TensorType]) -> Group {
    let TensorType {
        rows,
        columns,
        element,
        ..
    } = tensors[0];
    let spread = match axis {
        Axis::Rows => Broadcast::Row,
        Axis::Columns => Broadcast::Column,
    };
    over_tiles(tensors, |builder, row, column| {
        let joined = |builder: &mut Builder, reduce| {
            let reduced = Reduced::along(reduce, axis, [rows, columns]);
            reduced.joined(builder, [row, column], &|builder, [row, column], kind| {
                let x = builder.load(0, row, column, TileType { element, ..kind });
                builder.compute(Compute::Convert, &[x], kind)
            })
        };
        let [most, sum] = [Reduce::Max, Reduce::Sum].map(|reduce| joined(builder, reduce));
        let x = builder.load(0, row, column, tile(element));
        let mut value = builder.compute(Compute::Convert, &[x], tile(F32));
        for (binary, other) in [(Binary::Subtract, most), (Binary::Add, sum)] {
            let compute = Compute::Binary(binary, spread);
            value = builder.compute(compute, &[value, other], tile(F32));
        }
        converted(builder, value, tensors[1].element)
    })
}

/// Returns the extents of a long run.
fn extents() -> Vec<[u32; 3]> {
    const SIZES: [u32; 8] = [1, 3, 16, 31, 32, 100, 256, 1000];
    let all = SIZES.iter().flat_map(|&m| {
        let depths = SIZES.iter().map(move |&k| (m, k));
        depths.flat_map(|(m, k)| SIZES.map(|n| [m, k, n]))
    });
    all.collect()
}

/// Iterates over combinations of element types in which at least one tensor has 16 bits.
fn of_all(count: u32) -> impl Iterator<Item = Vec<Element>> {
    let element = |bits: u32, at: u32| if bits >> at & 1 == 1 { BF16 } else { F32 };
    (1..1 << count).map(move |bits| (0..count).map(|at| element(bits, at)).collect())
}

#[test]
fn elements_in_16_bits() {
    for ([m, n], other, e, expect) in [
        // One vector of each: nothing to pair.
        ([33, 65], [33, 65], [BF16; 3], 0),
        ([100, 600], [100, 600], [BF16; 3], 3),
        ([128, 1024], [128, 1024], [BF16, F32, BF16], 2),
        ([128, 1024], [128, 1024], [F32, F32, BF16], 1),
        ([600, 100], [600, 1], [BF16; 3], 3),
        ([128, 1024], [1, 1024], [F32, BF16, F32], 1),
        // One vector for all rows.
        ([300, 300], [1, 300], [BF16; 3], 2),
    ] {
        let kinds = [(m, n, e[0]), (other[0], other[1], e[1]), (m, n, e[2])];
        let halves = check(&kinds, BOTH, elements);
        assert_eq!(halves, expect, "{kinds:?}");
    }
}

#[test]
fn elements_of_all_shapes() {
    if !is_long_run() {
        return;
    }
    for [m, n, which] in extents() {
        for other in [[m, n], [1, n], [m, 1], [1, 1]] {
            let e = of_all(3).nth(which as usize % 7).expect("there are seven");
            let kinds = [(m, n, e[0]), (other[0], other[1], e[1]), (m, n, e[2])];
            check(&kinds, &[Model::Timed], elements);
        }
    }
}

#[test]
fn reductions_in_16_bits() {
    for ([m, n], axis, e, expect) in [
        ([1000, 600], Axis::Columns, [BF16, BF16], 2),
        // Few columns are spread over groups, in single words.
        ([33, 600], Axis::Columns, [BF16, BF16], 0),
        ([100, 1000], Axis::Rows, [BF16, F32], 1),
        // Several vectors of columns, and of rows an odd number.
        ([20, 9000], Axis::Rows, [BF16, BF16], 2),
    ] {
        let kinds = [(m, n, e[0]), (m, n, e[1])];
        let halves = check(&kinds, BOTH, |tensors| reductions(axis, tensors));
        assert_eq!(halves, expect, "{kinds:?}");
    }
}

#[test]
fn reductions_of_all_shapes() {
    if !is_long_run() {
        return;
    }
    for ([m, n, which], axis) in extents()
        .into_iter()
        .zip([Axis::Rows, Axis::Columns].into_iter().cycle())
    {
        let e = of_all(2).nth(which as usize % 3).expect("there are three");
        let kinds = [(m, n, e[0]), (m, n, e[1])];
        check(&kinds, &[Model::Timed], |tensors| reductions(axis, tensors));
    }
}

/// Returns options with a fixed precision.
fn exactly(precision: Precision) -> Options {
    Options {
        precision: PrecisionChoice::Fixed(precision),
        ..Options::default()
    }
}

#[test]
fn products_in_16_bits() {
    for ([m, k, n], e, precision) in [
        ([16, 16, 16], [BF16; 4], Precision::Pseudo),
        ([600, 48, 600], [BF16; 4], Precision::Pseudo),
        ([100, 256, 31], [F32, BF16, BF16, F32], Precision::Pseudo),
        ([600, 48, 600], [F32, BF16, F32, BF16], Precision::Half),
        ([100, 80, 600], [BF16, BF16, F32, F32], Precision::Single),
        ([100, 80, 31], [BF16; 4], Precision::Double),
    ] {
        let kinds = [(m, k, e[0]), (k, n, e[1]), (1, n, e[2]), (m, n, e[3])];
        check_with(&exactly(precision), &kinds, BOTH, product);
    }
}

/// Tests some candidates of products, or all in a long run.
#[test]
fn candidates_of_products() {
    for ([m, k, n], every) in [
        ([330, 70, 1100], 30),
        ([170, 130, 90], 30),
        ([700, 50, 600], 40),
    ] {
        let every = if is_long_run() { 1 } else { every };
        let kinds = [(m, k, BF16), (k, n, BF16), (1, n, BF16), (m, n, BF16)];
        let singles = [(m, k, F32), (k, n, F32), (1, n, F32), (m, n, F32)];
        let options = Options::default();
        let narrow = candidates(&product(&tensors(&kinds)), &options).expect("products compile");
        let narrow: Vec<Kernel> = narrow.into_iter().step_by(every).collect();
        let wide = product(&tensors(&singles));
        check_kernels(&kinds, &[Model::Timed], &wide, &options, &narrow);
    }
}

#[test]
fn products_of_all_shapes() {
    if !is_long_run() {
        return;
    }
    for ([m, k, n], which) in extents().into_iter().zip(0..) {
        let e = of_all(4).nth(which % 15).expect("there are fifteen");
        let kinds = [(m, k, e[0]), (k, n, e[1]), (1, n, e[2]), (m, n, e[3])];
        let precision = match which % 4 {
            0 => Precision::Half,
            1 => Precision::Single,
            2 => Precision::Double,
            _ => Precision::Pseudo,
        };
        check(&kinds, &[Model::Timed], product);
        check_with(&exactly(precision), &kinds, &[Model::Timed], product);
    }
}
