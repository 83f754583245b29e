//! The devices, a file or folder each.

pub mod interpreter;
pub mod mncore;
pub mod reference;
pub mod tensix;

use crate::golden::numerics::Numerics;

/// The device that needs no kernels.
pub const REFERENCE: &str = reference::NAME;

/// How devices compute that model no chip, to the judge: they are nearer to the reference than
/// this.
pub const NUMERICS: Numerics = tensix::NUMERICS;
