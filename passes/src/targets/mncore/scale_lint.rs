//! The scale lint: warns of constant factors of matrix products that lose precision on MN-Core 2.
//!
//! The matrix unit uses block floats: a block of neighbours along the depth shares the exponent of
//! its greatest element. Much smaller elements lose bits; whether that matters depends on the other
//! factor. Constants are known at compile time. The lint warns if the greatest element of a block
//! exceeds [`MAX_RATIO`] times the median of its nonzero magnitudes (the upper one of two medians).
//! This is rare by chance: among many random numbers some block has one small element, but hardly
//! any has a small half.
//!
//! Half precision has no numbers beyond 2^32. Elements that become infinite get a warning, too.
//!
//! The lint sees constants that reach the product through conversions and moves only.

use std::collections::HashSet;

use tessera_dialects::mlir::{
    AttributeValue, Definition, DenseData, DenseElements, Op, TensorType, Value,
};
use tessera_dialects::ttnn::{self, ProductOp};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mau::block_terms;

/// The maximum ratio of a block's greatest element to its median.
const MAX_RATIO: f64 = 1024.0;

/// Numbers from here on are rounded to infinity in half precision, whose largest number is 2^32 -
/// 2^22.
const INFINITE_HALF: f64 = 4_292_870_144.0;

/// The number of neighbours from which single and double precision take the even and the odd ones.
const NEIGHBOURS: usize = 8;

/// Operations that preserve elements.
const ELEMENT_PRESERVING_OPS: [&str; 5] = [
    ttnn::ToLayoutOp::NAME,
    ttnn::ToDeviceOp::NAME,
    ttnn::FromDeviceOp::NAME,
    ttnn::ToMemoryConfigOp::NAME,
    ttnn::TypecastOp::NAME,
];

/// Warns of constant factors of a product, given the precision in which it is computed.
pub fn warn_of_scales(product: Op, precision: Precision) {
    let Some(region) = product.parent() else {
        return;
    };
    let sides = [
        ("left", ProductOp::TRANSPOSE_A),
        ("right", ProductOp::TRANSPOSE_B),
    ];
    for (index, (side, transposes)) in sides.into_iter().enumerate() {
        let Some(factor) = product.operand(index).and_then(|v| constant(region, v)) else {
            continue;
        };
        let greatest = factor.greatest();
        if precision == Precision::Half && greatest >= INFINITE_HALF {
            product.warning(format!(
                "has a constant {side} factor with an element of {greatest:e}, which is infinite in half precision; compile with precision=pseudo"
            ));
        }
        // A vector consists of depth only.
        let is_transposed = transposes.get(product) == Some(true);
        let last = factor.shape.len() == 1 || (index == 0) != is_transposed;
        let Some(found) = factor.max_ratio(last, block_terms(precision).into()) else {
            continue;
        };
        if found > MAX_RATIO {
            let (name, better) = match precision {
                Precision::Half => ("half", "pseudo"),
                Precision::Single => ("single", "double"),
                _ => ("pseudo", "single"),
            };
            product.warning(format!(
                "has a constant {side} factor with a block of {} elements along the contracted \
                 dimension whose greatest magnitude is {found:.0} times the median: in {name} \
                 precision the small elements lose bits; compile with precision={better}",
                block_terms(precision),
            ));
        }
    }
}

/// Elements in row-major order. A splat has no shape: none of its blocks has a smaller element.
#[derive(Debug)]
struct Elements {
    shape: Vec<usize>,
    values: Vec<f64>,
}

/// Returns the elements of a value that is a constant.
///
/// Arguments of the region are traced to its operands. Other arguments (of a function, of a loop)
/// are not constants. As a module may contain cyclic definitions, each value is visited once.
fn constant(region: Op, value: Value) -> Option<Elements> {
    let mut value = value;
    let mut followed = HashSet::new();
    while followed.insert(value) {
        let op = match value.definition() {
            Definition::Argument(block, index) if block.parent() == Some(region) => {
                value = region.operand(index)?;
                continue;
            }
            Definition::Argument(..) => return None,
            Definition::Result(op, _) => op,
        };
        if let Some(constant) = op.dyn_cast::<ttnn::ConstantOp>() {
            return Elements::from_constant(&constant.value()?.dense()?);
        }
        if let Some(full) = op.dyn_cast::<ttnn::FullOp>() {
            return Some(Elements::splat(full.fill_value()?.float()?));
        }
        if !ELEMENT_PRESERVING_OPS.contains(&op.name()) {
            return None;
        }
        value = op.operand(0)?;
    }
    None
}

impl Elements {
    /// Creates a splat.
    fn splat(value: f64) -> Self {
        Elements {
            shape: Vec::new(),
            values: vec![value],
        }
    }

    /// Reads a constant of floating-point elements.
    fn from_constant(data: &DenseData) -> Option<Self> {
        let shape = data.r#type.static_shape()?;
        let shape: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
        let width = match data.r#type.element_type()?.to_string().as_str() {
            "f32" => 4,
            "bf16" => 2,
            _ => return None,
        };
        let value = |bytes: &[u8]| {
            // A bf16 is the upper half of a single.
            let mut single = [0; 4];
            single[4 - width..].copy_from_slice(bytes);
            f64::from(f32::from_le_bytes(single))
        };
        let values: Vec<f64> = data.bytes.chunks_exact(width).map(value).collect();
        Some(match (data.splat, &values[..]) {
            (true, &[value]) => Elements::splat(value),
            _ => Elements { shape, values },
        })
    }

    /// Returns the greatest magnitude.
    fn greatest(&self) -> f64 {
        self.values.iter().fold(0.0, |most, x| most.max(x.abs()))
    }

    /// Returns the greatest ratio of a block's greatest element to its median. The depth is the
    /// last dimension, or else the one before.
    fn max_ratio(&self, last: bool, terms: usize) -> Option<f64> {
        let dimension = self.shape.len().checked_sub(if last { 1 } else { 2 })?;
        let depth = self.shape[dimension];
        let inner: usize = self.shape[dimension + 1..].iter().product();
        let outer = self.values.len().checked_div(depth * inner)?;
        let neighbours = terms.max(NEIGHBOURS);
        let step = neighbours / terms;
        let mut worst = None;
        for line in 0..outer * inner {
            let at = |k: usize| (line / inner * depth + k) * inner + line % inner;
            for block in (0..depth).step_by(neighbours) {
                for first in block..block + step {
                    let end = (block + neighbours).min(depth);
                    let block = (first..end).step_by(step).map(|k| self.values[at(k)]);
                    worst = f64::max(worst.unwrap_or(1.0), ratio(block)).into();
                }
            }
        }
        worst
    }
}

/// Returns the ratio of the greatest magnitude to the median, over nonzero elements.
fn ratio(block: impl Iterator<Item = f64>) -> f64 {
    let mut block: Vec<f64> = block.map(f64::abs).filter(|value| *value > 0.0).collect();
    block.sort_by(f64::total_cmp);
    match block.last() {
        Some(greatest) => greatest / block[block.len() / 2],
        None => 1.0,
    }
}

#[cfg(test)]
mod tests;
