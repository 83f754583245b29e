//! Kernels in MLIR text through checker and interpreter: mutations of kernels with pipes are noticed.

mod common;
mod mutations;
