//! Reductions along rows and columns, with work before and after.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, TileType, Unary, Value,
};

use crate::check;
use crate::groups::{over_tiles, singles, TILE};

/// What is reduced, and how.
#[derive(Clone, Copy, Debug)]
pub struct Reduced {
    pub reduce: Reduce,
    pub axis: Axis,
    /// Elements along the axis.
    pub extent: u32,
}

impl Reduced {
    /// The tile that is left.
    fn left(&self) -> TileType {
        match self.axis {
            Axis::Rows => TileType::full(1, 32, Element::F32),
            Axis::Columns => TileType::full(32, 1, Element::F32),
        }
    }

    fn binary(&self) -> Binary {
        match self.reduce {
            Reduce::Sum => Binary::Add,
            Reduce::Max => Binary::Max,
            Reduce::Min => Binary::Min,
        }
    }

    /// A tile of which so many rows or columns are valid, reduced.
    fn one(
        &self,
        builder: &mut Builder,
        step: Value,
        valid: u32,
        tile: &dyn Fn(&mut Builder, Value, TileType) -> Value,
    ) -> Value {
        let valid = match self.axis {
            Axis::Rows => [valid, 32],
            Axis::Columns => [32, valid],
        };
        let tile = tile(builder, step, TileType { valid, ..TILE });
        let compute = Compute::Reduce(self.reduce, self.axis);
        builder.compute(compute, &[tile], self.left())
    }

    /// Tiles along the axis, joined one after the other; of the last only what there is of the tensor.
    pub fn joined(
        &self,
        builder: &mut Builder,
        tile: &dyn Fn(&mut Builder, Value, TileType) -> Value,
    ) -> Value {
        let tiles = self.extent.div_ceil(32);
        let rest = self.extent - (tiles - 1) * 32;
        let zero = builder.constant(0);
        if tiles == 1 {
            return self.one(builder, zero, rest, tile);
        }
        let first = self.one(builder, zero, 32, tile);
        let whole = if rest == 32 { tiles } else { tiles - 1 };
        let bounds = [1, i64::from(whole), 1].map(|number| builder.constant(number));
        let all = builder.count(bounds, &[first], |builder, step, all| {
            let one = self.one(builder, step, 32, tile);
            vec![builder.binary(self.binary(), all[0], one)]
        })[0];
        if whole == tiles {
            return all;
        }
        let last = builder.constant(i64::from(tiles) - 1);
        let last = self.one(builder, last, rest, tile);
        builder.binary(self.binary(), all, last)
    }
}

/// The same, of a matrix with so many columns.
fn exact(reduced: Reduced, matrix: &[f32], columns: u32) -> Vec<f32> {
    let columns = columns as usize;
    let rows = matrix.len() / columns;
    let join = |x: f32, y: f32| match reduced.reduce {
        Reduce::Sum => x + y,
        Reduce::Max => x.max(y),
        Reduce::Min => x.min(y),
    };
    let all = |elements: &mut dyn Iterator<Item = f32>| elements.reduce(join).unwrap();
    match reduced.axis {
        Axis::Rows => (0..columns)
            .map(|column| all(&mut (0..rows).map(|row| matrix[row * columns + column])))
            .collect(),
        Axis::Columns => matrix
            .chunks_exact(columns)
            .map(|row| all(&mut row.iter().copied()))
            .collect(),
    }
}

const REDUCES: [Reduce; 3] = [Reduce::Sum, Reduce::Max, Reduce::Min];

/// A group that reduces a matrix of this shape along an axis, after a function of its elements.
fn group(reduce: Reduce, axis: Axis, [rows, columns]: [u32; 2]) -> (Reduced, Group) {
    let (extent, result) = match axis {
        Axis::Rows => (rows, singles(1, columns)),
        Axis::Columns => (columns, singles(rows, 1)),
    };
    let reduced = Reduced {
        reduce,
        axis,
        extent,
    };
    let tensors = [singles(rows, columns), result];
    let group = stored(&tensors, reduced.left(), |builder, row, column| {
        reduced.joined(builder, &|builder, step, tile| {
            let at = match axis {
                Axis::Rows => [step, column],
                Axis::Columns => [row, step],
            };
            let tile = builder.load(0, at[0], at[1], tile);
            builder.unary(Unary::Neg, tile)
        })
    });
    (reduced, group)
}

/// A loop over the tiles of this shape of the last tensor.
fn stored(
    tensors: &[tessera_pto::kernel::TensorType],
    tile: TileType,
    value: impl FnOnce(&mut Builder, Value, Value) -> Value,
) -> Group {
    let last = tensors.len() - 1;
    let [down, across] = tensors[last].tiles(tile.shape()).map(|count| count as i64);
    let kernel = Builder::kernel("test", |builder| {
        builder.repeat(down, |builder, row| {
            builder.repeat(across, |builder, column| {
                let value = value(builder, row, column);
                builder.store(last, value, row, column);
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

#[test]
fn reductions_along_an_axis() {
    for shape in [[1, 1], [3, 16], [31, 100], [100, 33], [32, 1000]] {
        for axis in [Axis::Rows, Axis::Columns] {
            for reduce in REDUCES {
                let (reduced, group) = group(reduce, axis, shape);
                check(&group, |inputs| {
                    let negated: Vec<f32> = inputs[0].iter().map(|x| -x).collect();
                    exact(reduced, &negated, shape[1])
                });
            }
        }
    }
}

/// (x - max x) + sum of (x - max x), along rows or columns: reductions that need others, and are spread.
#[test]
fn reductions_of_reductions() {
    for shape in [[3, 5], [40, 70], [33, 600]] {
        for axis in [Axis::Rows, Axis::Columns] {
            let [rows, columns] = shape;
            let (extent, spread) = match axis {
                Axis::Rows => (rows, Broadcast::Row),
                Axis::Columns => (columns, Broadcast::Column),
            };
            let of = |reduce| Reduced {
                reduce,
                axis,
                extent,
            };
            let tensor = singles(rows, columns);
            let spreads = |builder: &mut Builder, binary, tile, other, kind| {
                let compute = Compute::Binary(binary, spread);
                builder.compute(compute, &[tile, other], kind)
            };
            let group = over_tiles(&[tensor, tensor], |builder, row, column| {
                let at = |step| match axis {
                    Axis::Rows => [step, column],
                    Axis::Columns => [row, step],
                };
                let load = |builder: &mut Builder, step, kind| {
                    let [row, column] = at(step);
                    builder.load(0, row, column, kind)
                };
                let most = of(Reduce::Max).joined(builder, &load);
                let sum = of(Reduce::Sum).joined(builder, &|builder, step, kind| {
                    let tile = load(builder, step, kind);
                    spreads(builder, Binary::Subtract, tile, most, kind)
                });
                let tile = builder.load(0, row, column, TILE);
                let less = spreads(builder, Binary::Subtract, tile, most, TILE);
                spreads(builder, Binary::Add, less, sum, TILE)
            });
            check(&group, |inputs| {
                let most = exact(of(Reduce::Max), &inputs[0], columns);
                let own = |at: usize| match axis {
                    Axis::Rows => at % columns as usize,
                    Axis::Columns => at / columns as usize,
                };
                let less: Vec<f32> = (inputs[0].iter().enumerate())
                    .map(|(at, x)| x - most[own(at)])
                    .collect();
                let sum = exact(of(Reduce::Sum), &less, columns);
                let all = less.iter().enumerate();
                all.map(|(at, x)| x + sum[own(at)]).collect()
            });
        }
    }
}
