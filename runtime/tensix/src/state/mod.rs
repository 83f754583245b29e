//! The state of a Tensix core: memories, registers, bank ownership, configuration.

pub mod access;
pub mod adc;
pub mod banks;
pub(crate) mod changes;
pub(crate) mod check_policy;
pub mod config;
pub mod core_state;
pub(crate) mod dst_rows;
pub mod formats;
pub mod gpr;
pub mod l1;
pub(crate) mod model;
pub mod regs;
pub mod request;
pub mod rwc;
pub mod streams;
pub(crate) mod sync;
