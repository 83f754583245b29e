//! A functional, bit-exact model of the Tensix coprocessor.
//!
//! Integer arithmetic only: results follow the hardware's own rounding, never the host's.
#![deny(clippy::float_arithmetic)]

pub mod access;
pub mod adc;
pub mod banks;
pub mod config;
pub mod core_state;
pub mod l1;
pub mod matrix;
pub mod numerics;
pub mod pack;
pub mod regs;
pub mod sfpu;
pub mod trap;
pub mod unpack;
