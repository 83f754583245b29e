//! Kernels in MLIR text through checker and interpreter: expanded kernels do what they did before,
//! and mutations of kernels with pipes are noticed. Tiles lie where they are said to.

mod addresses;
mod common;
mod expanded;
mod mutations;
mod random_kernels;
