//! Code for tensors of bf16.
//!
//! A result is within one unit in the last place of bf16 once it is rounded. The operand may be
//! any f32, because a fused chain does not round between its operations. Special operands have the
//! same results as with the code for f32.
//!
//! Most steps of short functions are those that special operands need, so not all of these forms
//! are half as long.

mod error_function;
mod exponential;
mod inverse_trigonometric;
mod logarithm;
mod reciprocal;
mod root;
mod trigonometric;

use super::Row;

/// The tables of this folder.
pub(super) const FAMILIES: [&[Row]; 7] = [
    reciprocal::ROWS,
    root::ROWS,
    exponential::ROWS,
    logarithm::ROWS,
    trigonometric::ROWS,
    inverse_trigonometric::ROWS,
    error_function::ROWS,
];
