//! `stablehlo-to-ttir-pipeline`: from a StableHLO program to TTIR without calls.

use crate::driver::registry::PipelineInfo;

/// `stablehlo-to-ttir-pipeline`
pub const STABLEHLO_TO_TTIR: PipelineInfo = PipelineInfo {
    name: "stablehlo-to-ttir-pipeline",
    description: "Compiles StableHLO to TTIR",
    options: &[],
    text: |_| {
        "builtin.module(ttir-check-calls,stablehlo-inline-calls,stablehlo-flatten-control-flow,\
         convert-stablehlo-to-ttir,ttir-check-calls,inline,symbol-dce,canonicalize,cse,\
         ttir-implicit-broadcast-fold)"
            .into()
    },
    kernels: None,
};
