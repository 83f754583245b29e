//! What tools need to run passes: options, pipeline texts, the registry, files.

pub mod files;
pub(crate) mod kernel_pipelines;
pub mod opt;
pub mod options;
pub mod pipeline;
pub mod registry;
