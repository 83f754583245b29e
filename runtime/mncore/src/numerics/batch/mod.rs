//! The operations that programs spend their time in, in a form compilers vectorise; results are
//! those of the plain formulations bit for bit, and the tests hold one against the other.
//!
//! | module | the same as |
//! |---|---|
//! | [`matrix`] | [`super::matrix::fma`] for all rows of a matrix |
//! | [`vector`] | [`super::vector::fma`] of many words |
//! | [`block`] | [`super::block::convert`] |
//! | [`lanewise`] | [`super::alu`]'s operations, one pair after the other |
//! | [`reduction`] | [`super::rrn::add`] in two stages; [`super::rrn::Reduction::sixteen`] uses it |
//!
//! This is the one place that computes with the host's floating point. Every step is exact, or its
//! rounding is the one the manual asks for; each module says why. What is not the common case goes
//! through the plain formulation.
#![allow(clippy::float_arithmetic)]

pub mod block;
pub mod lanewise;
pub mod mabs;
pub mod matrix;
pub mod reduction;
pub mod vector;
