//! The tensor operations of `ttir` and `ttnn`, one entry each.
//!
//! Entries of element-wise functions are derived from [`crate::scalar`]. The dialects, the program
//! file and the reference are generated from this table or look operations up in it.

mod activation;
mod attention;
mod batch_norm;
mod cache;
mod contraction;
mod convolution;
mod creation;
mod dot_general;
mod elementwise;
mod folds;
mod lookup;
mod movement;
mod placement;
mod reduction;
mod repeat;
mod rotary;
mod slice;
mod spatial;
mod squeeze;
mod window;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use contraction::product_shape;
pub use creation::{created_values, fill_value};

use crate::element::TensorType;
use crate::op::{Arity, Call, OpInfo, OperandInfo};
use crate::shape::join;

/// Returns every operation.
pub fn all() -> &'static [OpInfo] {
    &TABLE
}

/// Returns the operation that `ttnn` and the program file call by this name.
pub fn from_name(name: &str) -> Option<&'static OpInfo> {
    static BY_NAME: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| index(|op| Some(op.name)));
    BY_NAME.get(name).map(|&index| &TABLE[index])
}

/// Returns the operation that `ttir` calls by this name.
pub fn from_ttir_name(name: &str) -> Option<&'static OpInfo> {
    static BY_NAME: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| index(|op| op.ttir));
    BY_NAME.get(name).map(|&index| &TABLE[index])
}

static TABLE: LazyLock<Vec<OpInfo>> = LazyLock::new(|| {
    let mut table = Vec::new();
    table.extend(creation::entries());
    table.extend(elementwise::entries());
    table.extend(activation::entries());
    table.extend(reduction::entries());
    table.extend(movement::entries());
    table.extend(lookup::entries());
    table.extend(slice::entries());
    table.extend(repeat::entries());
    table.extend(squeeze::entries());
    table.extend(contraction::entries());
    table.extend(folds::entries());
    table.extend(dot_general::entries());
    table.extend(window::entries());
    table.extend(convolution::entries());
    table.extend(batch_norm::entries());
    table.extend(cache::entries());
    table.extend(rotary::entries());
    table.extend(attention::entries());
    table.extend(placement::entries());
    table
});

fn index(name: impl Fn(&OpInfo) -> Option<&'static str>) -> HashMap<&'static str, usize> {
    let named = TABLE.iter().enumerate();
    named
        .filter_map(|(index, op)| Some((name(op)?, index)))
        .collect()
}

/// The operand of operations that have only one.
const INPUT: &[OperandInfo] = &[operand("input")];

/// Returns an operand that is one tensor.
const fn operand(name: &'static str) -> OperandInfo {
    OperandInfo {
        name,
        count: Arity::One,
    }
}

/// Infers the shape of the first operand.
#[allow(clippy::unnecessary_wraps)] // the type of the table's column
fn first_shape(call: &Call) -> Result<Vec<u64>, String> {
    Ok(call.operand_shape(0).to_vec())
}

/// Accepts everything: the check of operations that upstream does not check.
#[allow(clippy::unnecessary_wraps)] // the type of the table's column
fn no_check(_: &Call, _: &TensorType) -> Result<(), String> {
    Ok(())
}

/// Returns the diagnostic for a result that must have the shape of the operand.
fn not_the_input_shape(_: &Call, expected: &[u64], found: &[u64]) -> String {
    format!(
        "result shape ({}) must be the input shape ({})",
        join(found, ", "),
        join(expected, ", ")
    )
}

/// Returns the dimension that an attribute names, which may count from the end, or `None` if it is
/// out of range.
pub fn normalize_dimension(named: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let from_start = if named < 0 { named + rank } else { named };
    (0..rank)
        .contains(&from_start)
        .then_some(from_start as usize)
}

#[cfg(test)]
mod tests;
