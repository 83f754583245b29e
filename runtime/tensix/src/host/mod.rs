//! What a host does with a chip.
//!
//! There are two users: launches of images compiled by this project, which must end and leave the
//! tile clean ([`Launch`]); and hosts that write firmware and kernels into tiles and let them run
//! ([`Device`]).

mod device;
mod dump;
mod elf;
mod launch;
mod programs;
mod run;
#[cfg(test)]
mod tests;

pub use device::Device;
pub use dump::{Dump, ParseDumpError};
pub use elf::{ElfError, Executable};
pub use launch::{ChipLaunch, Launch, Ring, TileLaunch};
pub(crate) use run::run as run_chip;
