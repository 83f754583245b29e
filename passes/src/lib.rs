//! The passes of Tessera.

pub mod convert_pto_to_tensix;
pub mod options;
pub mod pipeline;
pub mod registry;
