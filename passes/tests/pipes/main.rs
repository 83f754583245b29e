//! Tests of kernels with pipes, as MLIR text, on the checker and the interpreter: expansion
//! preserves results, mutations are detected, and tiles are at their assigned addresses.

mod addresses;
mod common;
mod expanded;
mod mutations;
mod random_kernels;
