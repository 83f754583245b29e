//! A functional, bit-exact model of the Tensix coprocessor.
#![deny(clippy::float_arithmetic)]

pub mod numerics;
