//! The loop IR of MN-Core 2 programs, without MLIR.
//!
//! The `mncore` dialect is its MLIR form; the code generator creates, schedules and packs it.
//!
//! | module | holds |
//! |---|---|
//! | [`address`] | addresses that are affine in the loop indices |
//! | [`item`] | instructions before scheduling and register allocation |
//! | [`body`] | the body of a loop: items and values |
//! | [`words`] | the words of PE memories that a body addresses explicitly |
//! | [`kernel`] | kernels before scheduling |
//! | [`schedule`] | schedules: the step of each item, the register of each value |
//! | [`program`] | scheduled kernels |
//!
//! Properties of instructions come from `tessera-isa-mncore`.
//!
//! Checked: bodies ([`body::Body::check`]). The code generator checks that schedules preserve the
//! semantics of bodies and that the assembler accepts emitted code.

pub mod address;
pub mod body;
pub mod item;
pub mod kernel;
pub mod program;
pub mod schedule;
pub mod words;
