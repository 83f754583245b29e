//! Support for tools that run passes: options, textual pipelines, the pass registry, files.

pub mod compile;
pub mod files;
pub(crate) mod kernel_pipelines;
pub mod opt;
pub mod options;
pub mod pipeline;
pub mod registry;
