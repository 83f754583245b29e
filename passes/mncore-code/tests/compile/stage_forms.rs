//! Kernels of several stages with local tensors between them.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore::machine::Model;
use tessera_mncore_code::compile::{Options, PrecisionChoice};
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::kernel::{Binary, Element, Reduce, TensorType, Unary};

use crate::board::{first_wrong, kernel_with, run};
use crate::cases::inputs_of;
use crate::check_with;
use crate::groups::matrices;
use crate::precisions;
use crate::staged::Expr::{Argument, Number, Stage};
use crate::staged::{Expr, Staged};

/// The extents of an attention: matrices, queries, depth, keys and columns of values.
#[derive(Clone, Copy, Debug)]
struct Extents {
    matrices: u32,
    queries: u32,
    depth: u32,
    keys: u32,
    width: u32,
}

impl Extents {
    const fn new([matrices, queries, depth, keys, width]: [u32; 5]) -> Self {
        Extents {
            matrices,
            queries,
            depth,
            keys,
            width,
        }
    }

    /// Returns a kernel whose arguments are queries, keys, values and others.
    fn staged(self, others: &[TensorType], stages: Vec<Expr>) -> Staged {
        let Extents {
            matrices: count,
            queries,
            depth,
            keys,
            width,
        } = self;
        let own = [
            matrices(count, queries, depth),
            matrices(count, depth, keys),
            matrices(count, keys, width),
        ];
        Staged {
            matrices: count,
            rows: queries,
            arguments: [&own[..], others].concat(),
            stages,
            element: Element::F32,
        }
    }
}

const QUERIES: Expr = Argument(0);
const KEYS: usize = 1;
const VALUES: usize = 2;
const OTHER: Expr = Argument(3);

/// min(relu(x), 5), which every precision of products represents
fn clamped(of: Expr) -> Expr {
    of.unary(Unary::Relu).binary(Binary::Min, Number(5.0))
}

/// relu(x - y + 3), where y is the maximum of x
fn weights(of: Expr, max: Expr) -> Expr {
    let less = of.binary(Binary::Subtract, max);
    less.binary(Binary::Add, Number(3.0)).unary(Unary::Relu)
}

#[track_caller]
fn check(staged: &Staged) {
    check_in(staged, PrecisionChoice::Auto);
}

#[track_caller]
fn check_in(staged: &Staged, precision: PrecisionChoice) {
    let options = Options {
        precision,
        ..Options::default()
    };
    check_with(&staged.group(), &options, |inputs| staged.result(inputs));
}

/// Clamped scores by values.
fn perceptron(extents: Extents) -> Staged {
    let stages = vec![
        QUERIES.times(KEYS),
        clamped(Stage(0)),
        Stage(1).times(VALUES),
    ];
    extents.staged(&[], stages)
}

/// The weights of masked scores by values, times the sums of the weights.
fn weighted(extents: Extents, mask: TensorType) -> Staged {
    let stages = vec![
        QUERIES.times(KEYS).binary(Binary::Add, OTHER),
        Stage(0).reduced(Reduce::Max),
        weights(Stage(0), Stage(1)),
        Stage(2).reduced(Reduce::Sum),
        Stage(2).times(VALUES).binary(Binary::Multiply, Stage(3)),
    ];
    extents.staged(&[mask], stages)
}

#[test]
fn elements_between_products() {
    for extents in [
        [1, 1, 1, 2, 1],
        [1, 8, 5, 3, 7],
        [2, 33, 20, 9, 12],
        [8, 128, 16, 40, 9],
        [9, 129, 11, 8, 33],
        [12, 40, 40, 96, 8],
        [1, 300, 9, 40, 70],
        [1, 600, 8, 10, 5],
        [1, 17, 8, 300, 300],
    ] {
        check(&perceptron(Extents::new(extents)));
    }
}

#[test]
fn maxima_and_sums() {
    for (extents, [of_masks, rows]) in [
        ([1, 1, 3, 2, 1], [1, 1]),
        ([1, 8, 5, 3, 7], [1, 8]),
        ([2, 33, 20, 9, 12], [2, 33]),
        ([8, 128, 16, 40, 9], [1, 1]),
        ([9, 129, 11, 8, 33], [9, 1]),
        ([12, 40, 40, 96, 8], [1, 40]),
        ([1, 600, 8, 10, 5], [1, 600]),
        ([3, 20, 8, 300, 20], [3, 20]),
    ] {
        let extents = Extents::new(extents);
        check(&weighted(extents, matrices(of_masks, rows, extents.keys)));
    }
}

/// The sums scale the result in a stage of its own.
#[test]
fn sums_after_the_last_product() {
    for extents in [[1, 33, 5, 40, 9], [9, 128, 8, 9, 40], [2, 300, 7, 20, 3]] {
        let stages = vec![
            clamped(QUERIES.times(KEYS)),
            Stage(0).reduced(Reduce::Sum),
            Stage(0).times(VALUES),
            Stage(2).binary(Binary::Multiply, Stage(1)),
        ];
        check(&Extents::new(extents).staged(&[], stages));
    }
}

/// Stages that compute a column from columns, and a stage with several reductions.
#[test]
fn columns_from_columns() {
    for extents in [[1, 8, 5, 9, 12], [2, 129, 6, 40, 8], [9, 100, 8, 70, 3]] {
        let extents = Extents::new(extents);
        let column = matrices(1, extents.queries, 1);
        let max = |of: Expr| of.reduced(Reduce::Max);
        let stages = vec![
            QUERIES.times(KEYS),
            weights(Stage(0), max(Stage(0))).reduced(Reduce::Sum),
            OTHER.binary(Binary::Multiply, OTHER),
            Stage(1).binary(Binary::Add, Stage(2)),
            weights(Stage(0), max(Stage(0))),
            Stage(4).times(VALUES).binary(Binary::Add, Stage(3)),
        ];
        check(&extents.staged(&[column], stages));
    }
}

/// A column that is computed from an argument, between stages of local tensors only.
#[test]
fn columns_of_arguments() {
    for extents in [[1, 20, 5, 9, 12], [2, 128, 6, 40, 8], [9, 140, 8, 3, 3]] {
        let extents = Extents::new(extents);
        let column = matrices(1, extents.queries, 1);
        let biased = Stage(0).reduced(Reduce::Max).binary(Binary::Add, OTHER);
        for stage in [biased, OTHER.binary(Binary::Multiply, OTHER)] {
            let stages = vec![
                QUERIES.times(KEYS),
                stage,
                Stage(1).unary(Unary::Relu),
                clamped(Stage(0).binary(Binary::Subtract, Stage(2))),
                Stage(3).times(VALUES),
            ];
            check(&extents.staged(&[column], stages));
        }
    }
}

/// Zero times an infinity, in what the sums exclude behind the last column, would stop the chip.
#[test]
fn undetermined_padding() {
    let extents = Extents::new([2, 33, 5, 9, 12]);
    let product = OTHER.unary(Unary::Log).binary(Binary::Multiply, OTHER);
    let one = product.unary(Unary::Relu).binary(Binary::Min, Number(1.0));
    let stages = vec![
        QUERIES.times(KEYS),
        Number(0.0).binary(Binary::Add, one),
        Stage(1).reduced(Reduce::Sum),
        Stage(0).times(VALUES).binary(Binary::Multiply, Stage(2)),
    ];
    let staged = extents.staged(&[matrices(1, 1, extents.keys)], stages);
    let group = staged.group();
    let mut inputs = inputs_of(&group);
    inputs[3].fill(2.0);
    let kernel = kernel_with(&group, &Options::default());
    let result = run(&kernel, &inputs, IssueOrder::Scheduled, Model::Fast);
    assert_eq!(first_wrong(&result, &staged.result(&inputs)), None);
}

/// Factors that a product computes itself, from local tensors and arguments.
#[test]
fn computed_factors() {
    for extents in [[1, 20, 9, 40, 12], [2, 140, 6, 9, 8], [8, 64, 33, 24, 40]] {
        let extents = Extents::new(extents);
        let mask = matrices(extents.matrices, 1, extents.keys);
        let residual = matrices(1, extents.queries, extents.width);
        let factor = clamped(Stage(0)).binary(Binary::Add, OTHER);
        let last = factor.times(VALUES).binary(Binary::Add, Argument(4));
        let stages = vec![QUERIES.unary(Unary::Relu).times(KEYS), last];
        check(&extents.staged(&[mask, residual], stages));
    }
}

/// A local tensor of a product is a factor itself, and three products follow one another.
#[test]
fn products_of_products() {
    for extents in [[1, 9, 3, 4, 6], [3, 130, 2, 3, 9]] {
        let extents = Extents::new(extents);
        let other = matrices(1, extents.width, 300);
        let stages = vec![
            QUERIES.times(KEYS),
            Stage(0).times(VALUES),
            Stage(1).times(3),
        ];
        check(&extents.staged(&[other], stages));
    }
}

/// All matrices share keys and values, which may be transposed.
#[test]
fn shared_and_transposed_factors() {
    for (extents, is_shared) in [
        ([1, 33, 20, 9, 12], [true; 2]),
        ([2, 20, 8, 40, 8], [true, false]),
        ([9, 40, 12, 70, 9], [false, true]),
        ([12, 129, 6, 8, 20], [true; 2]),
    ] {
        let extents = Extents::new(extents);
        let Extents {
            depth, keys, width, ..
        } = extents;
        let count = is_shared.map(|one| if one { 1 } else { extents.matrices });
        let mut staged = perceptron(extents);
        staged.arguments[KEYS] = matrices(count[0], depth, keys);
        staged.arguments[VALUES] = matrices(count[1], keys, width);
        check(&staged);
        staged.arguments[KEYS] = matrices(count[0], keys, depth);
        staged.arguments[VALUES] = matrices(count[1], width, keys);
        staged.stages[0] = QUERIES.times_transposed(KEYS);
        staged.stages[2] = Stage(1).times_transposed(VALUES);
        check(&staged);
    }
}

/// All matrices share the queries.
#[test]
fn shared_queries() {
    let mut staged = perceptron(Extents::new([9, 40, 12, 33, 9]));
    staged.arguments[0] = matrices(1, 40, 12);
    check(&staged);
}

#[test]
fn precisions() {
    for precision in precisions::ALL {
        for extents in [[2, 33, 20, 9, 12], [1, 300, 9, 40, 20], [1, 17, 8, 264, 8]] {
            let extents = Extents::new(extents);
            check_in(&perceptron(extents), PrecisionChoice::Fixed(precision));
        }
    }
}

/// What is stored is rounded.
#[test]
fn bf16() {
    for extents in [[1, 8, 5, 3, 7], [2, 33, 20, 40, 12], [9, 129, 30, 96, 9]] {
        let extents = Extents::new(extents);
        let mask = matrices(1, extents.queries, extents.keys);
        for mut staged in [perceptron(extents), weighted(extents, mask)] {
            staged.element = Element::Bf16;
            for argument in &mut staged.arguments {
                argument.element = Element::Bf16;
            }
            check(&staged);
        }
    }
}

/// A normalisation, whose argument two stages read, and of which one stage is computed by the loop
/// of the next. Its scale and shift have one row, which stays in local memory unless some columns
/// are left over.
#[test]
fn normalisations() {
    for [count, rows, columns] in [[1, 40, 32], [9, 20, 64], [1, 33, 40], [1, 4100, 32]] {
        let less = Argument(0).binary(Binary::Subtract, Stage(0));
        let square = Stage(1).binary(Binary::Multiply, Stage(1));
        let scaled = Stage(1).binary(Binary::Multiply, Argument(1));
        let shifted = scaled.binary(Binary::Add, Argument(2));
        let staged = Staged {
            matrices: count,
            rows,
            arguments: vec![
                matrices(count, rows, columns),
                matrices(1, 1, columns),
                matrices(1, 1, columns),
            ],
            stages: vec![
                Argument(0).reduced(Reduce::Max),
                less,
                square.reduced(Reduce::Sum),
                shifted.binary(Binary::Add, Stage(2)),
            ],
            element: Element::F32,
        };
        check(&staged);
    }
}

/// An attention with a softmax is within 1e-5 of the exact one, which is at most 7.
#[test]
fn attention() {
    for extents in [[2, 33, 3, 40, 12], [9, 140, 2, 70, 8]] {
        let stages = vec![
            QUERIES.times(KEYS),
            Stage(0).reduced(Reduce::Max),
            Stage(0)
                .binary(Binary::Subtract, Stage(1))
                .unary(Unary::Exp),
            Stage(2).reduced(Reduce::Sum),
            Stage(2).binary(Binary::Divide, Stage(3)),
            Stage(4).times(VALUES),
        ];
        let staged = Extents::new(extents).staged(&[], stages);
        let group = staged.group();
        let inputs = inputs_of(&group);
        let options = Options {
            precision: PrecisionChoice::Fixed(Precision::Single),
            ..Options::default()
        };
        let kernel = kernel_with(&group, &options);
        let result = run(&kernel, &inputs, IssueOrder::Scheduled, Model::Fast);
        let expected = staged.result(&inputs);
        let errors = result
            .iter()
            .zip(&expected)
            .map(|(one, other)| (one - other).abs());
        let worst = errors.fold(0.0, f32::max);
        assert!(worst < 1e-5, "{extents:?}: {worst}");
        let timed = run(&kernel, &inputs, IssueOrder::Scheduled, Model::Timed);
        let sequential = run(&kernel, &inputs, IssueOrder::Sequential, Model::Fast);
        assert_eq!(first_wrong(&timed, &result), None);
        assert_eq!(first_wrong(&sequential, &result), None);
    }
}
