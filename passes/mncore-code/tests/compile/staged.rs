//! Kernels of several stages, which hand local tensors to one another, in the form that the passes
//! create: loops over matrices and rows of tiles around one loop over columns of tiles per stage.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, ScalarOp, TensorType, TileType, Type,
    Unary, Value,
};

use crate::groups::TILE;
use crate::reduced::Reduced;

/// An expression on tensors.
#[derive(Clone, Debug)]
pub enum Expr {
    /// An argument of the kernel.
    Argument(usize),
    /// What an earlier stage stores.
    Stage(usize),
    Number(f64),
    Unary(Unary, Box<Expr>),
    /// The right operand may have one row, one column or one matrix.
    Binary(Binary, Box<[Expr; 2]>),
    /// The product with an argument.
    Product(Box<Expr>, usize),
    /// The product with the transpose of an argument.
    TransposedProduct(Box<Expr>, usize),
    /// The reduction of each row.
    Reduce(Reduce, Box<Expr>),
}

impl Expr {
    pub fn unary(self, unary: Unary) -> Expr {
        Expr::Unary(unary, self.into())
    }

    pub fn binary(self, binary: Binary, right: Expr) -> Expr {
        Expr::Binary(binary, [self, right].into())
    }

    pub fn times(self, argument: usize) -> Expr {
        Expr::Product(self.into(), argument)
    }

    pub fn times_transposed(self, argument: usize) -> Expr {
        Expr::TransposedProduct(self.into(), argument)
    }

    pub fn reduced(self, reduce: Reduce) -> Expr {
        Expr::Reduce(reduce, self.into())
    }
}

/// A kernel of several stages. The last one stores the result, the others store local tensors.
#[derive(Clone, Debug)]
pub struct Staged {
    pub matrices: u32,
    pub rows: u32,
    pub arguments: Vec<TensorType>,
    pub stages: Vec<Expr>,
    /// The element type of what is stored.
    pub element: Element,
}

impl Staged {
    /// Returns the group.
    pub fn group(&self) -> Group {
        let (result, locals) = self.stages.split_last().expect("there are stages");
        let kernel = Builder::kernel("stages", |builder| {
            for local in locals {
                builder.local(self.stored(1, 32, local));
            }
            builder.repeat(self.matrices.into(), |builder, matrix| {
                builder.repeat(self.rows.div_ceil(32).into(), |builder, row| {
                    for number in 0..self.stages.len() {
                        self.build_stage(builder, [matrix, row], number);
                    }
                });
            });
        });
        let result = self.stored(self.matrices, self.rows, result);
        Group {
            tensors: [&self.arguments[..], &[result]].concat(),
            kernels: vec![kernel],
            locations: vec!["here".into()],
            ..Group::default()
        }
    }

    fn stored(&self, matrices: u32, rows: u32, value: &Expr) -> TensorType {
        TensorType {
            matrices,
            rows,
            columns: self.columns(value),
            element: self.element,
        }
    }

    /// Returns the number of columns of an expression.
    fn columns(&self, expr: &Expr) -> u32 {
        match expr {
            Expr::Argument(number) => self.arguments[*number].columns,
            Expr::Stage(number) => self.columns(&self.stages[*number]),
            Expr::Number(_) | Expr::Reduce(..) => 1,
            Expr::Unary(_, of) => self.columns(of),
            Expr::Binary(_, both) => self.columns(&both[0]).max(self.columns(&both[1])),
            Expr::Product(_, right) => self.arguments[*right].columns,
            Expr::TransposedProduct(_, right) => self.arguments[*right].rows,
        }
    }

    /// Returns whether the tiles of an expression have one column.
    fn is_single(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Argument(number) => self.arguments[*number].columns == 1,
            Expr::Stage(number) => self.is_single(&self.stages[*number]),
            Expr::Number(_) | Expr::Reduce(..) => true,
            Expr::Unary(_, of) => self.is_single(of),
            Expr::Binary(_, both) => both.iter().all(|one| self.is_single(one)),
            Expr::Product(..) | Expr::TransposedProduct(..) => false,
        }
    }

    /// Returns whether an expression has one row for all rows of the result.
    fn has_one_row(&self, expr: &Expr) -> bool {
        let is_same = |one: &Expr| matches!(one, Expr::Number(_)) || self.has_one_row(one);
        match expr {
            Expr::Argument(number) => self.arguments[*number].rows < self.rows,
            Expr::Unary(_, of) => self.has_one_row(of),
            Expr::Binary(_, both) => both.iter().all(is_same),
            _ => false,
        }
    }

    fn build_stage(&self, builder: &mut Builder, at: [Value; 2], number: usize) {
        let value = &self.stages[number];
        let kind = match self.is_single(value) {
            true => TileType::full(32, 1, Element::F32),
            false => TILE,
        };
        let tiles = self.columns(value).div_ceil(kind.columns);
        builder.repeat(tiles.into(), |builder, column| {
            let tile = self.tile(builder, value, (at, column), kind);
            let tile = self.rounded(builder, tile, self.element);
            match number + 1 == self.stages.len() {
                true => {
                    let row = own_row(builder, at, self.rows);
                    builder.store(self.arguments.len(), tile, row, column);
                }
                false => {
                    let zero = builder.constant(0);
                    builder.store(self.local(number), tile, zero, column);
                }
            }
        });
    }

    /// Returns the number of the tensor that a stage stores.
    fn local(&self, stage: usize) -> usize {
        self.arguments.len() + 1 + stage
    }

    fn rounded(&self, builder: &mut Builder, tile: Value, element: Element) -> Value {
        match builder.type_of(tile) {
            Type::Tile(kind) if kind.element != element => {
                builder.compute(Compute::Convert, &[tile], TileType { element, ..kind })
            }
            _ => tile,
        }
    }

    /// Builds a tile of an expression in f32.
    fn tile(
        &self,
        builder: &mut Builder,
        expr: &Expr,
        place: ([Value; 2], Value),
        kind: TileType,
    ) -> Value {
        match expr {
            Expr::Argument(_) | Expr::Stage(_) => {
                let tile = self.load(builder, expr, place, kind);
                self.rounded(builder, tile, Element::F32)
            }
            Expr::Number(number) => builder.compute(Compute::Fill(*number), &[], kind),
            Expr::Unary(unary, of) => {
                let of = self.tile(builder, of, place, kind);
                builder.unary(*unary, of)
            }
            Expr::Binary(binary, both) => self.binary(builder, (*binary, both), place, kind),
            Expr::Product(left, right) => self.product(builder, (left, *right, false), place),
            Expr::TransposedProduct(left, right) => {
                self.product(builder, (left, *right, true), place)
            }
            Expr::Reduce(reduce, of) => {
                let extents = [self.rows, self.columns(of)];
                let zero = builder.constant(0);
                let rows = Reduced::along(*reduce, Axis::Columns, extents);
                rows.joined(
                    builder,
                    [place.0[1], zero],
                    &|builder, [_, column], kind| self.tile(builder, of, (place.0, column), kind),
                )
            }
        }
    }

    fn binary(
        &self,
        builder: &mut Builder,
        (binary, both): (Binary, &[Expr; 2]),
        (at, column): ([Value; 2], Value),
        kind: TileType,
    ) -> Value {
        let [left, right] = both;
        let is_number = matches!(right, Expr::Number(_));
        let is_narrow = self.is_single(right) || self.columns(right) < self.columns(left);
        let is_column = !is_number && kind.columns > 1 && is_narrow;
        let left = self.tile(builder, left, (at, column), kind);
        let is_row = self.has_one_row(right);
        let (own, kind) = match is_column {
            true => (builder.constant(0), TileType::full(32, 1, Element::F32)),
            false => (column, kind),
        };
        let right = self.tile(builder, right, (at, own), kind);
        let broadcast = match [is_row, is_column] {
            [false, false] => Broadcast::None,
            [true, false] => Broadcast::Row,
            [false, true] => Broadcast::Column,
            [true, true] => Broadcast::Scalar,
        };
        let Type::Tile(kind) = builder.type_of(left) else {
            panic!("the operand is no tile");
        };
        builder.compute(Compute::Binary(binary, broadcast), &[left, right], kind)
    }

    fn load(
        &self,
        builder: &mut Builder,
        expr: &Expr,
        (at, column): ([Value; 2], Value),
        kind: TileType,
    ) -> Value {
        match expr {
            Expr::Argument(number) => {
                let tensor = self.arguments[*number];
                let own = match self.has_one_row(expr) {
                    true => [at[0], builder.constant(0)],
                    false => at,
                };
                let row = self.row(builder, own, *number);
                let element = tensor.element;
                builder.load(*number, row, column, TileType { element, ..kind })
            }
            Expr::Stage(number) => {
                let zero = builder.constant(0);
                let element = self.element;
                let kind = TileType { element, ..kind };
                builder.load(self.local(*number), zero, column, kind)
            }
            other => panic!("{other:?} is not loaded"),
        }
    }

    /// Returns the row of tiles of an argument with this row of a matrix.
    fn row(&self, builder: &mut Builder, at: [Value; 2], argument: usize) -> Value {
        let tensor = self.arguments[argument];
        match tensor.matrices {
            1 => at[1],
            _ => own_row(builder, at, tensor.rows),
        }
    }

    fn product(
        &self,
        builder: &mut Builder,
        (left, right, is_transposed): (&Expr, usize, bool),
        (at, column): ([Value; 2], Value),
    ) -> Value {
        let kind = self.arguments[right];
        let factors = |builder: &mut Builder, step| {
            let left = match left {
                Expr::Argument(_) | Expr::Stage(_) => self.load(builder, left, (at, step), TILE),
                computed => {
                    let tile = self.tile(builder, computed, (at, step), TILE);
                    self.rounded(builder, tile, kind.element)
                }
            };
            let [down, across] = if is_transposed {
                [column, step]
            } else {
                [step, column]
            };
            let row = self.row(builder, [at[0], down], right);
            let tile = TileType {
                element: kind.element,
                ..TILE
            };
            let right = builder.load(right, row, across, tile);
            match is_transposed {
                true => [left, builder.compute(Compute::Transpose, &[right], tile)],
                false => [left, right],
            }
        };
        let depth = if is_transposed {
            kind.columns
        } else {
            kind.rows
        };
        let zero = builder.constant(0);
        let first = factors(builder, zero);
        let sum = builder.compute(Compute::Matmul, &first, TILE);
        let bounds = [1, i64::from(depth.div_ceil(32)), 1].map(|number| builder.constant(number));
        if depth <= 32 {
            return sum;
        }
        builder.for_loop(bounds, &[sum], |builder, step, sum| {
            let [left, right] = factors(builder, step);
            vec![builder.compute(Compute::MatmulAcc, &[sum[0], left, right], TILE)]
        })[0]
    }
}

/// Returns the row of tiles in a tensor with this number of rows in each matrix.
fn own_row(builder: &mut Builder, [matrix, row]: [Value; 2], rows: u32) -> Value {
    let down = builder.constant(rows.div_ceil(32).into());
    let first = builder.scalar(ScalarOp::Multiply, matrix, down);
    builder.scalar(ScalarOp::Add, first, row)
}

/// The values of an expression: matrices, rows and columns.
struct Values {
    extents: [usize; 3],
    values: Vec<f64>,
}

impl Values {
    fn new(extents: [usize; 3], value: impl Fn([usize; 3]) -> f64) -> Self {
        let [_, rows, columns] = extents;
        let at = |number: usize| {
            [
                number / columns / rows,
                number / columns % rows,
                number % columns,
            ]
        };
        let all = 0..extents.iter().product();
        Values {
            extents,
            values: all.map(|number| value(at(number))).collect(),
        }
    }

    /// Returns an element; what has an extent of one is broadcast.
    fn at(&self, at: [usize; 3]) -> f64 {
        let index = at
            .iter()
            .zip(self.extents)
            .fold(0, |index, (at, extent)| index * extent + at % extent);
        self.values[index]
    }

    fn row(&self, [matrix, row, _]: [usize; 3]) -> impl Iterator<Item = f64> + '_ {
        (0..self.extents[2]).map(move |column| self.at([matrix, row, column]))
    }
}

impl Staged {
    /// Returns the result of exact stages, each rounded to the element type.
    pub fn result(&self, inputs: &[Vec<f32>]) -> Vec<f32> {
        let mut stages: Vec<Values> = Vec::new();
        for stage in &self.stages {
            let mut values = self.value(stage, inputs, &stages);
            for value in &mut values.values {
                *value = rounded(*value, self.element);
            }
            stages.push(values);
        }
        let result = stages.pop().expect("there are stages");
        result
            .values
            .into_iter()
            .map(|value| value as f32)
            .collect()
    }

    fn value(&self, expr: &Expr, inputs: &[Vec<f32>], stages: &[Values]) -> Values {
        let value = |expr: &Expr| self.value(expr, inputs, stages);
        match expr {
            Expr::Argument(number) => {
                let TensorType {
                    matrices,
                    rows,
                    columns,
                    ..
                } = self.arguments[*number];
                Values {
                    extents: [matrices, rows, columns].map(|extent| extent as usize),
                    values: inputs[*number].iter().copied().map(f64::from).collect(),
                }
            }
            Expr::Stage(number) => {
                Values::new(stages[*number].extents, |at| stages[*number].at(at))
            }
            Expr::Number(number) => Values::new([1; 3], |_| *number),
            Expr::Unary(unary, of) => {
                let of = value(of);
                Values::new(of.extents, |at| match unary {
                    Unary::Relu => of.at(at).max(0.0),
                    Unary::Exp => of.at(at).exp(),
                    Unary::Log => of.at(at).ln(),
                    other => panic!("{other:?} is not expected"),
                })
            }
            Expr::Binary(binary, both) => {
                let [left, right] = both.each_ref().map(value);
                let extents = [0, 1, 2].map(|axis| left.extents[axis].max(right.extents[axis]));
                Values::new(extents, |at| {
                    let [left, right] = [left.at(at), right.at(at)];
                    match binary {
                        Binary::Add => left + right,
                        Binary::Subtract => left - right,
                        Binary::Multiply => left * right,
                        Binary::Divide => left / right,
                        Binary::Min => left.min(right),
                        Binary::Max => left.max(right),
                        other => panic!("{other:?} is not expected"),
                    }
                })
            }
            Expr::Product(left, right) | Expr::TransposedProduct(left, right) => {
                let is_transposed = matches!(expr, Expr::TransposedProduct(..));
                let [left, right] = [value(left), value(&Expr::Argument(*right))];
                let extents = [
                    self.matrices as usize,
                    left.extents[1],
                    self.columns(expr) as usize,
                ];
                Values::new(extents, |[matrix, row, column]| {
                    let other = |step| match is_transposed {
                        true => right.at([matrix, column, step]),
                        false => right.at([matrix, step, column]),
                    };
                    let steps = left.row([matrix, row, 0]).enumerate();
                    steps.map(|(step, one)| one * other(step)).sum()
                })
            }
            Expr::Reduce(reduce, of) => {
                let of = value(of);
                let [matrices, rows, _] = of.extents;
                Values::new([matrices, rows, 1], |at| match reduce {
                    Reduce::Sum => of.row(at).sum(),
                    Reduce::Max => of.row(at).fold(f64::NEG_INFINITY, f64::max),
                    Reduce::Min => of.row(at).fold(f64::INFINITY, f64::min),
                })
            }
        }
    }
}

/// Rounds to an element type.
fn rounded(value: f64, element: Element) -> f64 {
    let single = value as f32;
    let bits = single.to_bits();
    f64::from(match element {
        Element::Bf16 => f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000),
        _ => single,
    })
}
