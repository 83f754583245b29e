//! The pipelines that end in kernels for Tensix.

use crate::options::Options;
use crate::registry::PipelineInfo;
use crate::ttir_to_ttnn_pipeline::RUNTIME;

/// `ttnn-to-tensix-pipeline`
pub const FROM_TTNN: PipelineInfo = PipelineInfo {
    name: "ttnn-to-tensix-pipeline",
    description: "Makes a Tensix kernel for every TTNN operation that computes",
    options: &[],
    text: |_| "builtin.module(convert-ttnn-to-pto,convert-pto-to-tensix)".into(),
};

/// `ttir-to-tensix-pipeline`
pub const FROM_TTIR: PipelineInfo = PipelineInfo {
    name: "ttir-to-tensix-pipeline",
    description: "Compiles TTIR to TTNN with a Tensix kernel for every operation that computes",
    options: RUNTIME.options,
    text: from_ttir,
};

fn from_ttir(options: &Options) -> String {
    let names: Vec<_> = RUNTIME.options.iter().map(|option| option.name).collect();
    let options = options.forward(&names);
    format!(
        "builtin.module({}{{{options}}},{})",
        RUNTIME.name, FROM_TTNN.name
    )
}
