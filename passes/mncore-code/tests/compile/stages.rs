//! Kernels of several stages with local tensors between them, in the form of an attention.

use tessera_isa_mncore::memory::Precision;
use tessera_mncore::machine::Model;
use tessera_mncore_code::compile::{candidates, compile, Options};
use tessera_mncore_code::program::IssueOrder;
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, ScalarOp, TensorType, TileType,
    Unary, Value,
};

use crate::board::{first_wrong, run};
use crate::cases::inputs_of;
use crate::given::options;
use crate::groups::{matrices, TILE};
use crate::reduced::Reduced;
use crate::storage::rounded;
use crate::{check_with, matmul};

/// The extents of a kernel.
#[derive(Clone, Copy, Debug)]
struct Stages {
    matrices: u32,
    rows: u32,
    columns: u32,
    depth: u32,
    width: u32,
    /// Whether all matrices share the right factors.
    shares_factors: bool,
    element: Element,
}

const STAGES: Stages = Stages {
    matrices: 1,
    rows: 40,
    columns: 40,
    depth: 8,
    width: 16,
    shares_factors: false,
    element: Element::F32,
};

/// A column of a tile.
const COLUMN: TileType = TileType::full(32, 1, Element::F32);

/// A kernel under construction: its local tensors by number, and the tensors before them.
struct Writer<'b> {
    builder: &'b mut Builder,
    tensors: usize,
    zero: Value,
}

impl Writer<'_> {
    fn local(&mut self, columns: u32) -> usize {
        self.tensors + self.builder.local(matrices(1, 32, columns))
    }

    /// Adds a stage that stores a tile for each column of tiles of a local tensor.
    fn stage(&mut self, columns: u32, tile: impl FnOnce(&mut Builder, Value) -> Value) -> usize {
        let (local, zero) = (self.local(columns), self.zero);
        self.builder.repeat(tiles(columns), |builder, column| {
            let tile = tile(builder, column);
            builder.store(local, tile, zero, column);
        });
        local
    }
}

fn tiles(extent: u32) -> i64 {
    extent.div_ceil(32).into()
}

impl Stages {
    /// Returns the types of the left factor, the right one, a mask, the second right factor, and
    /// the result.
    fn tensors(&self) -> [TensorType; 5] {
        let shared = if self.shares_factors {
            1
        } else {
            self.matrices
        };
        let of = |count, rows, columns| TensorType {
            element: self.element,
            ..matrices(count, rows, columns)
        };
        [
            of(self.matrices, self.rows, self.depth),
            of(shared, self.depth, self.columns),
            of(1, self.rows, self.columns),
            of(shared, self.columns, self.width),
            of(self.matrices, self.rows, self.width),
        ]
    }

    /// scores = relu(a·b + mask), weights = max(scores) - scores, result = weights·c + sum(weights)
    fn group(self) -> Group {
        let tensors = self.tensors();
        let kernel = Builder::kernel("test", |builder| {
            builder.repeat(self.matrices.into(), |builder, matrix| {
                builder.repeat(tiles(self.rows), |builder, row| {
                    self.build_row(builder, matrix, row);
                });
            });
        });
        Group {
            tensors: tensors.to_vec(),
            kernels: vec![kernel],
            locations: vec!["here".into()],
            ..Group::default()
        }
    }

    fn build_row(self, builder: &mut Builder, matrix: Value, row: Value) {
        let zero = builder.constant(0);
        let own_row = flat(builder, matrix, tiles(self.rows), row);
        let factor = if self.shares_factors { zero } else { matrix };
        let mut writer = Writer {
            builder,
            tensors: self.tensors().len(),
            zero,
        };
        let scores = writer.stage(self.columns, |builder, column| {
            let left = |builder: &mut Builder, step| self.load(builder, 0, own_row, step);
            let right = |builder: &mut Builder, step| {
                let at = flat(builder, factor, tiles(self.depth), step);
                self.load(builder, 1, at, column)
            };
            let sum = product(builder, tiles(self.depth), left, right);
            let mask = self.load(builder, 2, row, column);
            let mask = self.widened(builder, mask);
            let sum = builder.binary(Binary::Add, sum, mask);
            builder.unary(Unary::Relu, sum)
        });
        let of = |builder: &mut Builder, tensor, kind| {
            let reduced = Reduced::along(kind, Axis::Columns, [self.rows, self.columns]);
            reduced.joined(builder, [row, zero], &|builder, [_, column], tile| {
                builder.load(tensor, zero, column, tile)
            })
        };
        let max = writer.stage(1, |builder, _| of(builder, scores, Reduce::Max));
        let weights = writer.stage(self.columns, |builder, column| {
            let score = builder.load(scores, zero, column, TILE);
            let max = builder.load(max, zero, zero, COLUMN);
            let below = Compute::Binary(Binary::Subtract, Broadcast::Column);
            let below = builder.compute(below, &[score, max], TILE);
            builder.unary(Unary::Neg, below)
        });
        let sum = writer.stage(1, |builder, _| of(builder, weights, Reduce::Sum));
        builder.repeat(tiles(self.width), |builder, column| {
            let left = |builder: &mut Builder, step| builder.load(weights, zero, step, TILE);
            let right = |builder: &mut Builder, step| {
                let at = flat(builder, factor, tiles(self.columns), step);
                self.load(builder, 3, at, column)
            };
            let product = product(builder, tiles(self.columns), left, right);
            let sum = builder.load(sum, zero, zero, COLUMN);
            let add = Compute::Binary(Binary::Add, Broadcast::Column);
            let result = builder.compute(add, &[product, sum], TILE);
            let result = match self.element {
                Element::F32 => result,
                element => builder.compute(Compute::Convert, &[result], of_element(element)),
            };
            builder.store(4, result, own_row, column);
        });
    }

    fn load(self, builder: &mut Builder, tensor: usize, row: Value, column: Value) -> Value {
        builder.load(tensor, row, column, of_element(self.element))
    }

    fn widened(self, builder: &mut Builder, tile: Value) -> Value {
        match self.element {
            Element::F32 => tile,
            _ => builder.compute(Compute::Convert, &[tile], TILE),
        }
    }

    fn expected(self, inputs: &[Vec<f32>]) -> Vec<f32> {
        let matrix = |tensor: usize, number: u32| {
            let TensorType { rows, columns, .. } = self.tensors()[tensor];
            let number = if self.shares_factors && tensor % 2 == 1 {
                0
            } else {
                number
            };
            let size = (rows * columns) as usize;
            &inputs[tensor][number as usize * size..][..size]
        };
        let row_of = self.columns as usize;
        let of_matrix = |number: u32| {
            let extents = [self.rows, self.depth, self.columns];
            let products = matmul(matrix(0, number), matrix(1, number), extents);
            let scores = products.iter().zip(matrix(2, 0));
            let scores: Vec<f32> = scores.map(|(a, b)| (a + b).max(0.0)).collect();
            let weights = scores.chunks(row_of).flat_map(|row| {
                let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                row.iter().map(move |score| max - score)
            });
            let weights: Vec<f32> = weights.collect();
            let extents = [self.rows, self.columns, self.width];
            let result = matmul(&weights, matrix(3, number), extents);
            let sums: Vec<f32> = weights.chunks(row_of).map(|row| row.iter().sum()).collect();
            let result = result.into_iter().enumerate();
            let result = result.map(|(at, value)| value + sums[at / self.width as usize]);
            result.collect::<Vec<f32>>()
        };
        let all = (0..self.matrices).flat_map(of_matrix);
        match self.element {
            Element::Bf16 => all.map(rounded).collect(),
            _ => all.collect(),
        }
    }

    /// Checks the best candidate on all models, and all candidates on the fast one.
    #[track_caller]
    fn check(self, options: &Options) {
        let group = self.group();
        check_with(&group, options, |inputs| self.expected(inputs));
        let inputs = inputs_of(&group);
        let expected = self.expected(&inputs);
        let kernels = candidates(&group, options).unwrap_or_else(|error| panic!("{error}"));
        for kernel in &kernels[1..] {
            let result = run(kernel, &inputs, IssueOrder::Scheduled, Model::Fast);
            assert_eq!(first_wrong(&result, &expected), None, "{self:?}");
        }
    }
}

fn of_element(element: Element) -> TileType {
    TileType { element, ..TILE }
}

/// Returns the row of tiles of a matrix among those of all.
fn flat(builder: &mut Builder, matrix: Value, down: i64, row: Value) -> Value {
    let down = builder.constant(down);
    let first = builder.scalar(ScalarOp::Multiply, matrix, down);
    builder.scalar(ScalarOp::Add, first, row)
}

/// Builds a tile of a product over `steps` tiles of the depth.
fn product(
    builder: &mut Builder,
    steps: i64,
    left: impl Fn(&mut Builder, Value) -> Value,
    right: impl Fn(&mut Builder, Value) -> Value,
) -> Value {
    let factors = |builder: &mut Builder, step| [left(builder, step), right(builder, step)];
    let zero = builder.constant(0);
    let [a, b] = factors(builder, zero);
    let first = builder.compute(Compute::Matmul, &[a, b], TILE);
    if steps == 1 {
        return first;
    }
    let bounds = [1, steps, 1].map(|number| builder.constant(number));
    builder.for_loop(bounds, &[first], |builder, step, sum| {
        let [a, b] = factors(builder, step);
        vec![builder.compute(Compute::MatmulAcc, &[sum[0], a, b], TILE)]
    })[0]
}

#[test]
fn matrices_are_distributed_over_l2bs() {
    for (matrices, shares_factors) in [(1, false), (2, false), (9, false), (12, true)] {
        let stages = Stages {
            matrices,
            shares_factors,
            ..STAGES
        };
        stages.check(&Options::default());
    }
}

#[test]
fn rows_are_columns_of_vectors() {
    // One cycle of a vector, which tall loops read; several; several blocks.
    for rows in [1, 128, 129, 300, 600] {
        let stages = Stages {
            rows,
            matrices: 2,
            ..STAGES
        };
        stages.check(&Options::default());
    }
}

#[test]
fn columns_are_rows_of_vectors() {
    // Padding in all places, and several blocks of row tiles.
    for (rows, columns, depth, width) in [
        (5, 2, 3, 5),
        (40, 3, 12, 8),
        (40, 70, 40, 33),
        (200, 9, 16, 7),
        (33, 300, 20, 40),
        (200, 300, 5, 300),
    ] {
        let stages = Stages {
            rows,
            columns,
            depth,
            width,
            ..STAGES
        };
        stages.check(&Options::default());
    }
}

#[test]
fn precisions() {
    use Precision::{Double, Half, Pseudo, Single};
    for precision in [Half, Pseudo, Single, Double] {
        for (rows, columns, element) in [(40, 70, Element::F32), (150, 20, Element::Bf16)] {
            let stages = Stages {
                matrices: 3,
                rows,
                columns,
                element,
                ..STAGES
            };
            stages.check(&options(precision));
        }
    }
}

#[test]
fn refusals() {
    let refused = |stages: Stages, expect: &str| {
        let error = compile(&stages.group(), &Options::default()).expect_err(expect);
        assert_eq!(error.to_string(), expect);
    };
    let deep = Stages {
        depth: 2080,
        ..STAGES
    };
    refused(deep, "a product over 2080 elements in a kernel that keeps tensors in local memory has no code for MN-Core 2; compile with fusion=none");
    let wide = Stages {
        columns: 1900,
        ..STAGES
    };
    refused(wide, "the local memories of MN-Core 2 cannot hold tensors with 1900, 1, 1900, 1 columns at once; compile with fusion=none");
    let single = Stages {
        columns: 1,
        ..STAGES
    };
    refused(single, "a product with one column in a kernel that keeps it in local memory has no code for MN-Core 2; compile with fusion=none");
    let mut several = STAGES.group();
    several.kernels.push(several.kernels[0].clone());
    let error = compile(&several, &Options::default()).expect_err("two kernels");
    assert_eq!(error.to_string(), "a group of several kernels keeps a tensor in the memory of a core, which is not lowered to MN-Core 2; make one kernel of the group, or use a tensor argument");
}
