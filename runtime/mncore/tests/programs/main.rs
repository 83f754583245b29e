//! Whole programs on the whole machine.

mod common;
mod execution;
mod manual;
mod transfers;
