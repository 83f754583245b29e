//! `ttir-to-ttnn-runtime-pipeline`: compiles TTIR to TTNN operations, without kernels.
//!
//! The pass order is that of upstream's pipeline at optimization level 0.
//! `ttir-to-ttnn-backend-pipeline` is upstream's older name for it.

use crate::driver::kernel_pipelines::const_eval;
use crate::driver::options::{joined, Kind, OptionInfo, Options};
use crate::driver::registry::PipelineInfo;
use crate::ttcore::ttcore_register_device as register_device;
use crate::ttir::ttir_element_type_normalization::ALLOW_LOSSY_CONSTANTS;
use crate::ttnn::ttnn_set_compute_kernel_config::KNOBS;

/// The number of options that pipelines which continue with kernels have from this one.
pub(crate) const OPTION_COUNT: usize = 11;

/// All options but [`ENABLE_CONST_EVAL`].
const SHARED: [OptionInfo; OPTION_COUNT] = [
    register_device::OPTIONS[0],
    register_device::OPTIONS[1],
    register_device::OPTIONS[2],
    OptionInfo {
        name: "optimization-level",
        description: "Optimization level",
        kind: Kind::Choice(&["0"]),
        default: "0",
    },
    unsupported_option(
        "enable-cpu-hoisted-const-eval",
        "Compute values that depend only on parameters on the host",
    ),
    ALLOW_LOSSY_CONSTANTS,
    compute_cfg("compute-cfg-math-fidelity", KNOBS[0].1),
    compute_cfg("compute-cfg-math-approx-mode", KNOBS[1].1),
    compute_cfg("compute-cfg-fp32-dest-acc-en", KNOBS[2].1),
    compute_cfg("compute-cfg-packer-l1-acc", KNOBS[3].1),
    compute_cfg("compute-cfg-dst-full-sync-en", KNOBS[4].1),
];

/// The option that hoists constant subgraphs. Pipelines that continue with kernels hoist them after
/// they have outlined kernels.
pub(crate) const ENABLE_CONST_EVAL: OptionInfo = OptionInfo {
    name: "enable-const-eval",
    description: "Evaluate what depends only on constants and weights once for each set of weights",
    kind: Kind::Bool,
    default: "false",
};

const OPTIONS: [OptionInfo; OPTION_COUNT + 1] = joined(&SHARED, &[ENABLE_CONST_EVAL]);

/// Returns the options for a pipeline that continues with kernels for one of `chips`, whose first
/// element is the default.
pub(crate) const fn options_for(chips: &'static [&'static str]) -> [OptionInfo; OPTION_COUNT] {
    let mut options = SHARED;
    options[CHIP] = OptionInfo {
        kind: Kind::Choice(chips),
        default: chips[0],
        ..SHARED[CHIP]
    };
    options
}

/// The index of the option that selects the chip.
const CHIP: usize = 1;

/// Returns an upstream option that is accepted only if it is switched off.
const fn unsupported_option(name: &'static str, description: &'static str) -> OptionInfo {
    OptionInfo {
        name,
        description,
        kind: Kind::Choice(&["false"]),
        default: "false",
    }
}

/// Returns an option of `ttnn-set-compute-kernel-config` under its name in pipelines.
const fn compute_cfg(name: &'static str, info: OptionInfo) -> OptionInfo {
    OptionInfo { name, ..info }
}

/// `ttir-to-ttnn-runtime-pipeline`
pub const RUNTIME: PipelineInfo = PipelineInfo {
    name: "ttir-to-ttnn-runtime-pipeline",
    description: "Compiles TTIR to TTNN",
    options: &OPTIONS,
    text,
    kernels: None,
};

/// `ttir-to-ttnn-backend-pipeline`
pub const BACKEND: PipelineInfo = PipelineInfo {
    name: "ttir-to-ttnn-backend-pipeline",
    description: "The older name of ttir-to-ttnn-runtime-pipeline",
    ..RUNTIME
};

/// Returns the text of this pipeline followed by `backend`, whose options are `infos`.
pub(crate) fn followed_by(backend: &str, infos: &[OptionInfo], options: &Options) -> String {
    format!(
        "builtin.module({}{{{}}},{backend}{{{}}})",
        RUNTIME.name,
        forward(options, &SHARED),
        forward(options, infos)
    )
}

/// Renders the options that a pipeline shares with its passes.
pub(crate) fn forward(options: &Options, infos: &[OptionInfo]) -> String {
    let names: Vec<_> = infos.iter().map(|option| option.name).collect();
    options.forward(&names)
}

fn text(options: &Options) -> String {
    let device = options.forward(&register_device::OPTIONS.map(|info| info.name));
    let config: Vec<_> = KNOBS
        .iter()
        .map(|(_, info)| {
            let value = options.text(&format!("compute-cfg-{}", info.name));
            format!("{}={value}", info.name)
        })
        .collect();
    format!(
        "builtin.module(ttir-drop-outputs,ttcore-mark-functions-as-forward,ttcore-wrap-device-module,\
         ttcore.device_module(builtin.module(ttir-check-calls,\
         ttir-element-type-normalization{{{constants}}},ttcore-register-device{{{device}}},\
         canonicalize,ttir-splat-to-full,inline,cse,ttir-check-initialized,ttir-fusing,\
         ttir-implicit-broadcast-fold,ttir-to-ttir-decomposition,ttir-arrange-attention,\
         ttir-fold-movements,ttnn-layout,convert-ttir-to-ttnn,symbol-dce,ttnn-decompose-linear,canonicalize,cse,\
         ttnn-set-compute-kernel-config{{{config}}},ttnn-decompose-layouts,canonicalize,{const_eval}ttnn-deallocate)))",
        const_eval = const_eval(options),
        constants = options.forward(&[ALLOW_LOSSY_CONSTANTS.name]),
        config = config.join(" ")
    )
}
