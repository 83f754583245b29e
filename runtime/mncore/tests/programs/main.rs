//! Whole programs on the whole machine.

mod common;
mod execution;
#[path = "../loops/mod.rs"]
mod kernels;
mod loops;
mod manual;
mod transfers;
