//! The devices, a file or folder each.

pub mod interpreter;
pub mod mncore;
pub mod reference;
pub mod tensix;
