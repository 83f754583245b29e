//! Tiles with numbers: every operation is evaluated in `f64` and rounded once to the element type
//! of its result.
//!
//! Matrix products add their terms along K in order. Rounding to f32 is to nearest, ties to even.
//! Rounding to bf16 is to nearest, ties away from zero, as `pto.tcvt` specifies. Conversion to
//! integers truncates. Integer arithmetic wraps ([`tessera_ops::scalar`]). Reductions read valid
//! elements only.

use std::ops::Range;
use std::sync::Arc;

use tessera_ops::{IndexError, IndexMap};

use crate::kernel::{Axis, Broadcast, Compute, Element, MatrixWindow, Split, TensorType, TileType};
use crate::semantics::Semantics;

/// Tiles with numbers.
#[derive(Clone, Copy, Debug)]
pub enum Numbers {}

/// A tensor in global memory or in a core's.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// What it is.
    pub r#type: TensorType,
    /// The elements, matrix by matrix in row-major order; each is a number of the element type.
    pub elements: Vec<f64>,
}

impl Tensor {
    /// Returns the ranges of elements of a window, row by row.
    fn locate(&self, window: &MatrixWindow) -> impl Iterator<Item = Range<usize>> {
        let [rows, columns] = [self.r#type.rows, self.r#type.columns].map(|one| one as usize);
        let first = window.matrix as usize * rows * columns;
        let (left, right) = (window.columns.start as usize, window.columns.end as usize);
        let rows = window.rows.start as usize..window.rows.end as usize;
        rows.map(move |row| first + row * columns + left..first + row * columns + right)
    }
}

/// The elements of a tile in row-major order.
pub type Tile = Arc<[f64]>;

/// Rounds a number to an element type.
pub fn round(element: Element, number: f64) -> f64 {
    match element {
        Element::F32 => f64::from(number as f32),
        Element::Bf16 => round_to_bf16(number),
        Element::I32 => f64::from(number as i32),
    }
}

/// Rounds a number to bf16, to nearest with ties away from zero, in one step.
fn round_to_bf16(number: f64) -> f64 {
    /// The largest bf16, and the number from which on the nearest is infinity.
    const MOST: f64 = f32::from_bits(0x7f7f_0000) as f64;
    const BEYOND: f64 = MOST + (1u128 << 119) as f64;
    /// Bits of a significand of bf16, with the hidden one, and the exponent of its smallest number.
    const BITS: i32 = 8;
    const LOWEST: i32 = -133;
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    if number.abs() >= BEYOND {
        return f64::INFINITY.copysign(number);
    }
    let exponent = ((number.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(LOWEST + BITS - 1);
    // Powers of two from 2^-133 on are normal in f64, and dividing by them is exact.
    let unit = f64::from_bits(((exponent - BITS + 1 + 1023) as u64) << 52);
    // `round` is to nearest, ties away from zero.
    (number / unit).round() * unit
}

/// Returns a tile whose valid elements are `element(row, column)`, rounded.
fn tile(r#type: TileType, element: impl Fn(usize, usize) -> f64) -> Tile {
    let [rows, columns] = r#type.valid.map(|extent| extent as usize);
    let width = r#type.columns as usize;
    let mut elements = vec![0.0; r#type.rows as usize * width];
    for row in 0..rows {
        for column in 0..columns {
            elements[row * width + column] = round(r#type.element, element(row, column));
        }
    }
    elements.into()
}

/// Returns a function from row and column to the element of a tile.
fn reader<'a>(tile: &'a Tile, r#type: TileType) -> impl Fn(usize, usize) -> f64 + 'a {
    let width = r#type.columns as usize;
    move |row, column| tile[row * width + column]
}

impl Semantics for Numbers {
    type Tile = Tile;
    type Tensor = Tensor;

    fn load(tensor: &Tensor, place: [u64; 2], r#type: TileType) -> Tile {
        let window = tensor.r#type.window(place, r#type.shape());
        let rows: Vec<&[f64]> = tensor
            .locate(&window)
            .map(|row| &tensor.elements[row])
            .collect();
        tile(r#type, |row, column| {
            let element = rows.get(row).and_then(|row| row.get(column));
            element.copied().unwrap_or(0.0)
        })
    }

    fn store(tensor: &mut Tensor, place: [u64; 2], tile: &Tile, r#type: TileType) {
        let window = tensor.r#type.window(place, r#type.shape());
        let from = tile.chunks_exact(r#type.columns as usize);
        for (to, from) in tensor.locate(&window).zip(from) {
            let to = &mut tensor.elements[to];
            to.copy_from_slice(&from[..to.len()]);
        }
    }

    fn compute(compute: Compute, operands: &[(&Tile, TileType)], result: TileType) -> Tile {
        let read = |index: usize| reader(operands[index].0, operands[index].1);
        let element = operands
            .first()
            .map_or(result.element, |(_, r#type)| r#type.element);
        match compute {
            Compute::Matmul => {
                let (lhs, rhs, depth) = (read(0), read(1), operands[0].1.columns as usize);
                tile(result, |row, column| {
                    (0..depth).map(|k| lhs(row, k) * rhs(k, column)).sum()
                })
            }
            Compute::MatmulAcc => {
                let (sum, lhs, rhs) = (read(0), read(1), read(2));
                let depth = operands[1].1.columns as usize;
                tile(result, |row, column| {
                    let product: f64 = (0..depth).map(|k| lhs(row, k) * rhs(k, column)).sum();
                    sum(row, column) + product
                })
            }
            Compute::Unary(function) => {
                let source = read(0);
                tile(result, |row, column| {
                    function.eval(element, source(row, column))
                })
            }
            Compute::Binary(function, broadcast) => {
                let (lhs, rhs) = (read(0), read(1));
                tile(result, |row, column| {
                    let [from_row, from_column] = match broadcast {
                        Broadcast::None => [row, column],
                        Broadcast::Row => [0, column],
                        Broadcast::Column => [row, 0],
                        Broadcast::Scalar => [0, 0],
                    };
                    function.eval(element, lhs(row, column), rhs(from_row, from_column))
                })
            }
            Compute::Select => {
                let (condition, yes, no) = (read(0), read(1), read(2));
                tile(result, |row, column| {
                    let taken = condition(row, column) != 0.0;
                    if taken {
                        yes(row, column)
                    } else {
                        no(row, column)
                    }
                })
            }
            Compute::Reduce(reduce, axis) => {
                let (source, [rows, columns]) = (read(0), operands[0].1.valid);
                let count = |valid: u32| 0..valid as usize;
                tile(result, |row, column| match axis {
                    Axis::Rows => reduce.eval(element, count(rows).map(|at| source(at, column))),
                    Axis::Columns => reduce.eval(element, count(columns).map(|at| source(row, at))),
                })
            }
            Compute::Transpose => {
                let source = read(0);
                tile(result, |row, column| source(column, row))
            }
            Compute::Fill(number) => tile(result, |_, _| number),
            Compute::Convert | Compute::Move => tile(result, read(0)),
        }
    }

    fn part(whole: &Tile, r#type: TileType, split: Split, lane: usize) -> Tile {
        if split == Split::None {
            return whole.clone();
        }
        let (first, part) = (split.lane_tile(r#type, 0), split.lane_tile(r#type, lane));
        let source = reader(whole, r#type);
        let (down, right) = match (split, lane) {
            (Split::UpDown, 1) => (first.rows as usize, 0),
            (Split::LeftRight, 1) => (0, first.columns as usize),
            _ => (0, 0),
        };
        tile(part, |row, column| source(row + down, column + right))
    }

    fn join(parts: &[Tile], r#type: TileType, split: Split) -> Tile {
        let [first, second] = [0, 1].map(|lane| split.lane_tile(r#type, lane));
        match (split, parts) {
            (Split::UpDown, [upper, lower]) => {
                let height = first.rows as usize;
                let (upper, lower) = (reader(upper, first), reader(lower, second));
                tile(r#type, |row, column| match row.checked_sub(height) {
                    None => upper(row, column),
                    Some(row) => lower(row, column),
                })
            }
            (Split::LeftRight, [left, right]) => {
                let width = first.columns as usize;
                let (left, right) = (reader(left, first), reader(right, second));
                tile(r#type, |row, column| match column.checked_sub(width) {
                    None => left(row, column),
                    Some(column) => right(row, column),
                })
            }
            _ => parts[0].clone(),
        }
    }

    fn rearrange(
        sources: &[&Tensor],
        map: &IndexMap,
        r#type: TensorType,
    ) -> Result<Tensor, IndexError> {
        let sources: Vec<&[f64]> = sources.iter().map(|one| &one.elements[..]).collect();
        let fill = round(r#type.element, map.fill);
        let count = r#type.elements().unwrap_or_default() as usize;
        let map = map.resolve(|source| sources[source].iter().map(|&index| index as i64))?;
        let elements = map.apply(&sources, fill, count);
        Ok(Tensor { r#type, elements })
    }

    fn zeros(r#type: TensorType) -> Tensor {
        Tensor {
            r#type,
            // Validated: they can be counted.
            elements: vec![0.0; r#type.elements().unwrap_or(0) as usize],
        }
    }
}

#[cfg(test)]
mod tests;
