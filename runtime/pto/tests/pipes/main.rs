//! Cube and vector kernels that communicate through pipes: terminating groups, deadlocks and
//! detected errors.
//!
//! Labels such as T-HOLD name the property of the protocol that a test covers.

mod common;
mod liveness;
mod matrix;
mod memory;
mod mutations;
mod numbers;
mod random;
