//! A functional, bit-exact model of the Tensix coprocessor.
//!
//! [`Machine`] runs a kernel's four lists ([`tessera_isa_tensix::list`]), or RISC-V images instead
//! ([`host`]), under a [`Schedule`]. Undefined, unsupported or unmodelled behaviour is reported as
//! a [`Trap`] that names thread, list entry and instruction.
//!
//! A module imports only modules above it in this table.
//!
//! | module | holds |
//! |---|---|
//! | [`arith`] | arithmetic as pure functions: the specification, and the same for whole rows |
//! | [`state`] | memories and registers of a core, and what its units keep between instructions |
//! | [`insn`] | the semantics of instructions, unit by unit |
//! | [`issue`] | front ends, wait gates, instructions in flight, scheduling, statistics |
//! | [`dram`], [`map`] | DRAM; the address map of the cores of a tile |
//! | `noc` | the grid of the NoC; interface units with their registers and requests |
//! | [`tile`] | RISC-V cores, devices of a tile, scheduling within it |
//! | [`chip`] | several tiles, deliveries between them, host threads |
//! | [`host`] | what a host does: memory access, launches, programs, dumps |
//! | [`Machine`] | runs kernels and keeps DRAM |
//!
//! The arithmetic ([`arith`]) follows the hardware's own rounding and is written in integers,
//! which a lint enforces. The exceptions are conversions of integers to float32, and two fast
//! paths: sums of products by the host's fused multiply-adds, and the packers' accumulation. Each
//! of these operations is exact or rounds as the hardware does, and tests compare the fast paths
//! with the integer code bit by bit.
#![doc = include_str!("../../../docs/reference/tensix/errata.md")]
#![deny(clippy::float_arithmetic)]

pub mod arith;
pub mod chip;
mod data_movement;
pub mod dram;
pub mod host;
pub mod insn;
pub mod issue;
mod machine;
pub mod map;
mod noc;
pub mod state;
#[cfg(test)]
mod testing;
pub mod tile;
pub mod trace;
pub mod trap;

pub use chip::ChipTrap;
pub use data_movement::TensorArg;
pub use host::{ChipLaunch, Device, Launch, Ring, TileLaunch};
pub use issue::scheduler::Schedule;
pub use issue::stats::Stats;
pub use machine::Machine;
pub use state::model::Model;
pub use tile::Break;
pub use trap::Trap;
