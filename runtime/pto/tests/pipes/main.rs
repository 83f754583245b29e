//! Cube and vector kernels that talk through pipes: what comes to an end, what does not, and what
//! is caught.
//!
//! Names of tests are those of the test matrix of the project's notes on the protocol; figures like
//! "2n" are derived there.

mod common;
mod liveness;
mod matrix;
mod memory;
mod mutations;
mod numbers;
mod random;
