//! The hot operations in a form that compilers vectorise. The results equal those of the scalar
//! implementations bit for bit; the tests compare both.
//!
//! | module | equivalent to |
//! |---|---|
//! | [`matrix`] | [`super::matrix::fma`] for all rows of a matrix |
//! | [`vector`] | [`super::vector::fma`] of many words |
//! | [`block`] | [`super::block::convert`] |
//! | [`lanewise`] | [`super::alu`]'s operations, one pair after the other |
//! | [`reduction`] | [`super::rrn::add`] in two stages; [`super::rrn::Reduction::reduce_16`] uses it |
//!
//! Only this module computes with the host's floating point. Every operation is exact, or rounds
//! exactly as the manual requires; each module proves it. Uncommon cases go through the scalar
//! implementations.
#![allow(clippy::float_arithmetic)]

pub mod block;
pub mod lanewise;
pub mod mabs;
pub mod matrix;
pub mod reduction;
pub mod vector;
