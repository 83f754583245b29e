//! Reductions of tensors as loops over tiles, in the form that the passes create.

use tessera_pto::builder::Builder;
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Element, Group, Reduce, TensorType, TileType, Unary, Value,
};

use crate::groups::{singles, TILE};

/// A reduction of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Reduced {
    pub reduce: Reduce,
    /// Whether rows are reduced, and whether columns are.
    pub axes: [bool; 2],
    /// Rows and columns.
    pub extents: [u32; 2],
    pub element: Element,
}

/// A tile: its row and column, and its numbers of valid rows and columns.
type Make<'m> = &'m dyn Fn(&mut Builder, [Value; 2], TileType) -> Value;

impl Reduced {
    pub fn along(reduce: Reduce, axis: Axis, extents: [u32; 2]) -> Self {
        Reduced {
            reduce,
            axes: [axis == Axis::Rows, axis == Axis::Columns],
            extents,
            element: Element::F32,
        }
    }

    /// Returns the type of the reduced tile.
    pub fn left(&self) -> TileType {
        let [rows, columns] = self.axes.map(|is| if is { 1 } else { 32 });
        TileType::full(rows, columns, self.element)
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

    /// Returns a group that negates and reduces a matrix of this shape.
    pub fn group(self) -> Group {
        let [rows, columns] = self.extents;
        let left = [0, 1].map(|axis| {
            if self.axes[axis] {
                1
            } else {
                self.extents[axis]
            }
        });
        let tensors = [singles(rows, columns), singles(left[0], left[1])];
        let tensors = tensors.map(|tensor| TensorType {
            element: self.element,
            ..tensor
        });
        stored(&tensors, self.left(), |builder, row, column| {
            self.joined(builder, [row, column], &|builder, [row, column], kind| {
                let tile = builder.load(0, row, column, kind);
                builder.unary(Unary::Neg, tile)
            })
        })
    }

    /// Builds the reduction of all tiles from a tile on, as the passes do: row by row; the first
    /// tile, and the last of a row or column that is not full, stand by themselves.
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
            let all = builder.for_loop(bounds, &[before], |builder, index, all| {
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
        let mut kind = TileType {
            valid,
            element: self.element,
            ..TILE
        };
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

/// e^(x - max x) / sum of that, along an axis, of the first tensor.
pub fn softmax(builder: &mut Builder, axis: Axis, extents: [u32; 2], at: [Value; 2]) -> Value {
    let spread = match axis {
        Axis::Rows => Broadcast::Row,
        Axis::Columns => Broadcast::Column,
    };
    let with = |builder: &mut Builder, binary, tile, other, kind| {
        let compute = Compute::Binary(binary, spread);
        builder.compute(compute, &[tile, other], kind)
    };
    let load =
        |builder: &mut Builder, [row, column]: [Value; 2], kind| builder.load(0, row, column, kind);
    let most = Reduced::along(Reduce::Max, axis, extents).joined(builder, at, &load);
    let power = |builder: &mut Builder, at, kind| {
        let tile = load(builder, at, kind);
        let less = with(builder, Binary::Subtract, tile, most, kind);
        builder.unary(Unary::Exp, less)
    };
    let sum = Reduced::along(Reduce::Sum, axis, extents).joined(builder, at, &power);
    let power = power(builder, at, TILE);
    with(builder, Binary::Divide, power, sum, TILE)
}

/// Builds a loop over the tiles of this shape of the last tensor.
pub fn stored(
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
