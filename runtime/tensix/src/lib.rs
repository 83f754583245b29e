//! A functional, bit-exact model of the Tensix coprocessor.
//!
//! [`Machine`] runs a kernel's four lists ([`tessera_isa_tensix::list`]), or RISC-V images instead
//! ([`tile`]), under a [`Schedule`]. Undefined, unsupported or unmodelled behaviour is reported as
//! a [`Trap`] that names thread, list entry and instruction.
//!
//! The arithmetic ([`numerics`]) follows the hardware's own rounding and is written in integers,
//! which a lint enforces. There are two exceptions: conversions of integers to float32, and one
//! fast path, sums of products by the host's fused multiply-adds. Each of these operations is exact
//! or rounds as the hardware does, and tests compare the fast path with the integer code bit by
//! bit.
#![doc = include_str!("../../../docs/reference/tensix/errata.md")]
#![deny(clippy::float_arithmetic)]

pub mod access;
pub mod adc;
mod auto_sync;
pub mod banks;
mod changes;
pub mod config;
mod coprocessor;
pub mod core_state;
pub mod cycles;
mod data_movement;
mod decoded_words;
pub mod dram;
mod dst_rows;
mod exec;
mod flight;
pub mod formats;
mod frontend;
mod gate;
mod gate_queue;
pub mod gpr;
pub mod l1;
mod machine;
pub mod matrix;
mod model;
pub mod mover;
pub mod numerics;
pub mod pack;
pub mod regs;
pub mod request;
pub mod rwc;
mod scheduler;
pub mod sfpu;
pub mod stalls;
pub mod stats;
pub mod streams;
pub mod support;
mod sync;
#[cfg(test)]
mod testing;
pub mod tile;
pub mod timeline;
pub mod trace;
pub mod trap;
pub mod unpack;

pub use machine::{Machine, TensorArg};
pub use model::Model;
pub use scheduler::Schedule;
pub use stats::Stats;
pub use tile::{Break, ChipLaunch, ChipTrap, Device, Launch, Ring, TileLaunch};
pub use trap::Trap;
