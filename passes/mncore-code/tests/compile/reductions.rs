//! Reductions along rows and columns, with work before and after.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, TensorType, TileType, Unary, Value,
};

use crate::check;
use crate::groups::{over_tiles, singles, TILE};

/// What is reduced, and how.
#[derive(Clone, Copy, Debug)]
pub struct Reduced {
    pub reduce: Reduce,
    /// Along rows, along columns.
    pub axes: [bool; 2],
    /// Rows and columns.
    pub extents: [u32; 2],
}

/// A tile of a place, with so many valid rows and columns.
type Make<'m> = &'m dyn Fn(&mut Builder, [Value; 2], TileType) -> Value;

impl Reduced {
    pub fn along(reduce: Reduce, axis: Axis, extents: [u32; 2]) -> Self {
        Reduced {
            reduce,
            axes: [axis == Axis::Rows, axis == Axis::Columns],
            extents,
        }
    }

    /// The tile that is left.
    fn left(&self) -> TileType {
        let [rows, columns] = self.axes.map(|is| if is { 1 } else { 32 });
        TileType::full(rows, columns, Element::F32)
    }

    fn join(&self, builder: &mut Builder, before: Option<Value>, value: Value) -> Value {
        let binary = match self.reduce {
            Reduce::Sum => Binary::Add,
            Reduce::Max => Binary::Max,
            Reduce::Min => Binary::Min,
        };
        match before {
            None => value,
            Some(before) => builder.binary(binary, before, value),
        }
    }

    /// All tiles from a place on, joined as the passes do it: row by row; the first tile, and the last of a row or column that is not full, stand by
    /// themselves.
    pub fn joined(&self, builder: &mut Builder, at: [Value; 2], make: Make) -> Value {
        let kept = self.fold(builder, 0, at, [32, 32], None, make);
        kept.expect("every extent is positive")
    }

    fn fold(
        &self,
        builder: &mut Builder,
        axis: usize,
        at: [Value; 2],
        valid: [u32; 2],
        kept: Option<Value>,
        make: Make,
    ) -> Option<Value> {
        if axis == 2 {
            return Some(self.tile(builder, at, valid, kept, make));
        }
        if !self.axes[axis] {
            return self.fold(builder, axis + 1, at, valid, kept, make);
        }
        let (full, rest) = (self.extents[axis] / 32, self.extents[axis] % 32);
        let inner = |builder: &mut Builder, index, own, kept| {
            let (mut at, mut valid) = (at, valid);
            (at[axis], valid[axis]) = (index, own);
            self.fold(builder, axis + 1, at, valid, kept, make)
        };
        let mut kept = kept;
        let mut next = 0;
        if kept.is_none() && full > 0 {
            let zero = builder.constant(0);
            kept = inner(builder, zero, 32, None);
            next = 1;
        }
        if next < full {
            let bounds = [next, full, 1].map(|number| builder.constant(number.into()));
            let before = kept.expect("there is a first one");
            let all = builder.count(bounds, &[before], |builder, index, all| {
                vec![inner(builder, index, 32, Some(all[0])).expect("it is made")]
            });
            kept = Some(all[0]);
        }
        if rest > 0 {
            let last = builder.constant(full.into());
            kept = inner(builder, last, rest, kept);
        }
        kept
    }

    fn tile(
        &self,
        builder: &mut Builder,
        at: [Value; 2],
        valid: [u32; 2],
        kept: Option<Value>,
        make: Make,
    ) -> Value {
        let mut kind = TileType { valid, ..TILE };
        let mut value = make(builder, at, kind);
        for (axis, number) in [(Axis::Columns, 1), (Axis::Rows, 0)] {
            if self.axes[number] {
                let [rows, columns] = kind.shape();
                let (shape, valid) = match axis {
                    Axis::Rows => ([1, columns], [1, kind.valid[1]]),
                    Axis::Columns => ([rows, 1], [kind.valid[0], 1]),
                };
                kind = TileType {
                    valid,
                    ..TileType::full(shape[0], shape[1], kind.element)
                };
                value = builder.compute(Compute::Reduce(self.reduce, axis), &[value], kind);
            }
        }
        self.join(builder, kept, value)
    }
}

/// The same, of a matrix.
fn exact(reduced: Reduced, matrix: &[f32]) -> Vec<f32> {
    let [rows, columns] = reduced.extents.map(|extent| extent as usize);
    let join = |x: f32, y: f32| match reduced.reduce {
        Reduce::Sum => x + y,
        Reduce::Max => x.max(y),
        Reduce::Min => x.min(y),
    };
    let [gone, kept] = [true, false].map(|is| {
        let pick = |axis: usize, extent| if reduced.axes[axis] == is { extent } else { 1 };
        [pick(0, rows), pick(1, columns)]
    });
    let mut result = Vec::new();
    for at in 0..kept[0] * kept[1] {
        let (row, column) = (at / kept[1], at % kept[1]);
        let of = |step: usize| matrix[(row + step / gone[1]) * columns + column + step % gone[1]];
        result.push((0..gone[0] * gone[1]).map(of).reduce(join).unwrap());
    }
    result
}

const REDUCES: [Reduce; 3] = [Reduce::Sum, Reduce::Max, Reduce::Min];

/// A group that reduces a matrix of this shape, after a function of its elements.
fn group(reduced: Reduced) -> Group {
    let [rows, columns] = reduced.extents;
    let left = [0, 1].map(|axis| {
        if reduced.axes[axis] {
            1
        } else {
            reduced.extents[axis]
        }
    });
    let tensors = [singles(rows, columns), singles(left[0], left[1])];
    stored(&tensors, reduced.left(), |builder, row, column| {
        reduced.joined(builder, [row, column], &|builder, [row, column], kind| {
            let tile = builder.load(0, row, column, kind);
            builder.unary(Unary::Neg, tile)
        })
    })
}

/// A loop over the tiles of this shape of the last tensor.
fn stored(
    tensors: &[TensorType],
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

#[track_caller]
fn check_reduced(reduced: Reduced) {
    check(&group(reduced), |inputs| {
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
            });
        }
    }
}

/// (x - max x) + sum of (x - max x), along rows or columns: reductions that need others, and are spread.
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
