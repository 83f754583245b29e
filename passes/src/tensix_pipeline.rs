//! The pipelines that end in kernels for Tensix.

pub(crate) use crate::convert_ttnn_to_pto::OPTIONS as FUSION;
use crate::options::{joined, Kind, OptionInfo, Options};
use crate::pto_allocate_memory_addr::PRINT_MEMORY_MAP;
use crate::pto_expand_mixed_kernel::INFO as EXPAND;
use crate::registry::PipelineInfo;
use crate::ttir_to_ttnn_pipeline::{followed_by, forward, RUNTIME};

/// Whether pipes are checked before anything is made of them.
pub(crate) const CHECK_PIPES: OptionInfo = OptionInfo {
    name: "check-pipes",
    description:
        "Check that kernels that talk through pipes come to their end; if not, running them tells",
    kind: Kind::Bool,
    default: "true",
};

/// How kernels are made.
const KERNELS: &[OptionInfo] = &[
    FUSION[0],
    FUSION[1],
    FUSION[2],
    EXPANSION[0],
    EXPANSION[1],
    CHECK_PIPES,
    PRINT_MEMORY_MAP,
];

/// How those that work on both sides are expanded.
pub(crate) const EXPANSION: &[OptionInfo] = EXPAND.options;

/// `ttnn-to-tensix-pipeline`
pub const FROM_TTNN: PipelineInfo = PipelineInfo {
    name: "ttnn-to-tensix-pipeline",
    description: "Makes Tensix kernels for the TTNN operations that compute",
    options: KERNELS,
    text: from_ttnn,
};

/// `ttir-to-tensix-pipeline`
pub const FROM_TTIR: PipelineInfo = PipelineInfo {
    name: "ttir-to-tensix-pipeline",
    description: "Compiles TTIR to TTNN with Tensix kernels for the operations that compute",
    options: &FROM_TTIR_OPTIONS,
    text: from_ttir,
};

/// The options of both of its halves.
const FROM_TTIR_OPTIONS: [OptionInfo; RUNTIME.options.len() + KERNELS.len()] =
    joined(KERNELS, RUNTIME.options);

fn from_ttnn(options: &Options) -> String {
    let check = check_pipes(options);
    format!(
        "builtin.module(ttnn-decompose-softmax,convert-ttnn-to-pto{{{}}},pto-expand-mixed-kernel{{{}}},pto-allocate-memory-addr{{{}}},{check}convert-pto-to-tensix,canonicalize,cse,tensix-form-replay,tensix-form-mop)",
        forward(options, FUSION),
        forward(options, EXPANSION),
        forward(options, &[PRINT_MEMORY_MAP])
    )
}

/// The pass that checks pipes, with a comma, if it is asked for.
pub(crate) fn check_pipes(options: &Options) -> &'static str {
    match options.flag(CHECK_PIPES.name) {
        true => "pto-check-pipes,",
        false => "",
    }
}

fn from_ttir(options: &Options) -> String {
    followed_by(FROM_TTNN.name, KERNELS, options)
}
