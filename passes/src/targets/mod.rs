//! What each target makes of kernels over tiles.

pub mod mncore;
pub mod tensix;
