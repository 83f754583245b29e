//! The state of a Tensix core: memories, registers, bank ownership, configuration.

pub mod access;
pub mod adc;
pub mod banks;
pub(crate) mod cached;
pub(crate) mod changes;
pub(crate) mod check_policy;
pub mod config;
pub mod core_state;
pub(crate) mod dst_rows;
pub mod formats;
pub mod gpr;
pub mod histogram;
pub mod l1;
pub(crate) mod latch;
pub(crate) mod matrix;
pub(crate) mod model;
pub mod packer;
pub mod regs;
pub mod request;
pub mod row32;
pub mod rwc;
pub mod streams;
pub(crate) mod sync;
pub(crate) mod units;
pub mod unpacker;
pub mod vector;
