//! Constant factors of matrix products whose elements lose their bits on MN-Core 2.
//!
//! The matrix unit gives the factors of a block of neighbours in the depth one exponent, that of
//! the greatest. What is much smaller than the greatest loses its bits; whether that shows depends
//! on what it is multiplied by. Constants are known before anything runs, so a warning is given
//! where the greatest of a block is more than [`MOST`] times the middle one of its magnitudes (of
//! what is not zero; of two in the middle the greater). That is rare by chance: of many random
//! numbers some block has a small one, but hardly any has a small half.
//!
//! Half precision has no numbers beyond 2^32: elements that become infinite get a warning, too.
//!
//! Seen are constants that come to the product through conversions and moves only.

use std::collections::HashSet;

use tessera_dialects::mlir::{
    AttributeValue, Definition, DenseData, DenseElements, Op, TensorType, Value,
};
use tessera_dialects::ttnn::{self, ProductOp};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mau::block_terms;

/// What the greatest of a block may be beside the others.
const MOST: f64 = 1024.0;

/// From here on numbers are rounded to infinity in half precision, whose largest one is 2^32 -
/// 2^22.
const INFINITE_HALF: f64 = 4_292_870_144.0;

/// Neighbours of which single and double precision take the even and the odd ones.
const NEIGHBOURS: usize = 8;

/// What passes elements on.
const PASSES_ON: [&str; 5] = [
    ttnn::ToLayoutOp::NAME,
    ttnn::ToDeviceOp::NAME,
    ttnn::FromDeviceOp::NAME,
    ttnn::ToMemoryConfigOp::NAME,
    ttnn::TypecastOp::NAME,
];

/// Warns of constant factors of a product of a kernel region, which is computed in this precision.
pub fn warn(product: Op, precision: Precision) {
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
        // A vector is all depth.
        let is_transposed = transposes.get(product) == Some(true);
        let last = factor.shape.len() == 1 || (index == 0) != is_transposed;
        let Some(found) = factor.worst(last, block_terms(precision).into()) else {
            continue;
        };
        if found > MOST {
            let (name, better) = match precision {
                Precision::Half => ("half", "pseudo"),
                Precision::Single => ("single", "double"),
                _ => ("pseudo", "single"),
            };
            product.warning(format!(
                "has a constant {side} factor with a block of {} elements along the depth whose greatest is {found:.0} times its middle one: in {name} precision the small ones lose their bits; compile with precision={better}",
                block_terms(precision),
            ));
        }
    }
}

/// Elements, row-major. Of one that is repeated there is no shape: no block has any that is
/// smaller.
#[derive(Debug)]
struct Elements {
    shape: Vec<usize>,
    values: Vec<f64>,
}

/// The elements of a value that is a constant.
///
/// An argument of the region stands for the operand of that number. Arguments of anything else (a
/// function, a loop) are not constants. A module may hold operations that read each other in a
/// cycle, so a value is followed once.
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
            return Elements::of(&constant.value()?.dense()?);
        }
        if let Some(full) = op.dyn_cast::<ttnn::FullOp>() {
            return Some(Elements::repeated(full.fill_value()?.float()?));
        }
        if !PASSES_ON.contains(&op.name()) {
            return None;
        }
        value = op.operand(0)?;
    }
    None
}

impl Elements {
    /// One that is repeated.
    fn repeated(value: f64) -> Self {
        Elements {
            shape: Vec::new(),
            values: vec![value],
        }
    }

    /// Those of a constant of floating-point numbers.
    fn of(data: &DenseData) -> Option<Self> {
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
            (true, &[value]) => Elements::repeated(value),
            _ => Elements { shape, values },
        })
    }

    /// The greatest magnitude.
    fn greatest(&self) -> f64 {
        self.values.iter().fold(0.0, |most, x| most.max(x.abs()))
    }

    /// The most that the greatest of a block of so many terms is of its middle one, if the depth is
    /// the last dimension, or else the one before.
    fn worst(&self, last: bool, terms: usize) -> Option<f64> {
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

/// The greatest magnitude over the middle one, of what is not zero.
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
