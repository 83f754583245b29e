//! The dialects of Tessera and the safe wrapper over MLIR that everything above them uses.
//!
//! A dialect is declared in `ods/<dialect>/`, registered by `cpp/<dialect>.cpp`, which contains no
//! logic, and verified by the module of the same name here.

mod fold;
pub mod mlir;
pub mod mncore;
pub mod pto;
pub mod spelling;
mod string_enum;
pub mod tensix;
pub mod ttcore;
pub mod ttir;
pub mod ttnn;
pub mod verify;
mod views;

pub use views::{arith, builtin, func, llvm, scf, tensor};
