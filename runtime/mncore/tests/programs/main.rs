//! Whole programs on the whole machine.

mod alu;
mod common;
mod damaged;
mod differential;
mod execution;
mod generate;
#[path = "../loops/mod.rs"]
mod kernels;
mod loops;
mod made;
mod manual;
mod masks;
mod mau;
mod mutated_loops;
mod pairs;
mod reductions;
mod stated;
mod transfers;
