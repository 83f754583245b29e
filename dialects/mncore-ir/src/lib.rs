//! The loop IR of MN-Core 2 programs, without MLIR.
//!
//! The `mncore` dialect reads and writes it; the code generator makes, schedules and packs it.
//!
//! | module | holds |
//! |---|---|
//! | [`address`] | addresses that are affine in the iteration |
//! | [`item`] | an expression or MV instruction before it has registers and a step |
//! | [`body`] | a loop of items, with the values they hand to one another |
//! | [`words`] | the words of PE memories that a body names itself |
//! | [`kernel`] | loops that are not scheduled yet, and where the arguments of a kernel lie |
//! | [`schedule`] | the form of a schedule: when each item issues, and where each value lies |
//! | [`program`] | scheduled loops one after the other |
//!
//! What an instruction takes and does is asked of `tessera-isa-mncore`.
//!
//! Checked: bodies ([`body::Body::check`]). Not checked here: that a schedule keeps to the meaning
//! of its body, and that the assembler accepts what is emitted; the code generator does both.

pub mod address;
pub mod body;
pub mod item;
pub mod kernel;
pub mod program;
pub mod schedule;
pub mod words;
