//! A functional, bit-exact model of the Tensix coprocessor.
//!
//! [`Machine`] runs a kernel's four lists ([`tessera_isa_tensix::list`]), or RISC-V images in their
//! place ([`tile`]), under a [`Schedule`]. Integer arithmetic only: results follow the hardware's
//! own rounding, never the host's, whose fused multiply-adds make one kind of integer sums
//! (`numerics::fast`). Whatever is undefined, unsupported or not modelled is a [`Trap`] that names
//! thread, list entry and instruction.
//!
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
