//! The passes of Tessera.

pub mod options;
pub mod pipeline;
pub mod registry;
