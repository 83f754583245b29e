//! Registry of all passes and pipelines by name, for the command line and pipeline texts.
//!
//! To register a pass, add its `INFO` to `SHARED`, or to the registration of its target.

use std::sync::LazyLock;

use crate::driver::options::{OptionInfo, Options};
use crate::targets;
use tessera_dialects::mlir::Pass;

/// A pass of this crate.
#[derive(Debug)]
pub struct PassInfo {
    /// Its name: the file name with dashes instead of underscores.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub description: &'static str,
    /// The operation that it runs on, such as `builtin.module`; `None` for any.
    pub anchor: Option<&'static str>,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Creates the pass. The error is a message about the options.
    pub make: fn(&Options) -> Result<Box<dyn Pass>, String>,
}

/// A named sequence of passes.
#[derive(Debug)]
pub struct PipelineInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub description: &'static str,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Returns the sequence as pipeline text, such as `builtin.module(a,b{c=d})`.
    /// [`Options::forward`] renders the options of its passes.
    pub text: fn(&Options) -> String,
    /// How it combines with the kernel pipelines of other targets; `None` if it makes no kernels.
    pub kernels: Option<KernelPipeline>,
}

/// How a kernel pipeline of one target combines with that of another target in the same invocation.
#[derive(Debug)]
pub struct KernelPipeline {
    /// The pass that lowers tile kernels to the target's code.
    pub lowering: &'static str,
    /// Target-specific passes: from the first of these on, tile kernels belong to this target
    /// alone.
    pub own: &'static [&'static str],
    /// Returns the text of the pipeline that lowers tile kernels made by another target's pipeline
    /// to this target's code; `None` if that is not supported. The error names an option that
    /// conflicts with shared kernels.
    pub lower_shared: Option<fn(&Options) -> Result<String, String>>,
    /// The text of the pipeline that prepares a module, before another target's pipeline makes
    /// kernels that this target can lower.
    pub prepare_shared: Option<&'static str>,
}

/// The passes and pipelines of a target.
pub struct TargetRegistration {
    /// The passes.
    pub passes: &'static [PassInfo],
    /// The pipelines.
    pub pipelines: &'static [PipelineInfo],
}

/// The registrations of all targets.
const TARGETS: &[TargetRegistration] = &[targets::tensix::REGISTERED, targets::mncore::REGISTERED];

/// An upstream MLIR pass that the tools list. Pipeline texts may also name all other passes that
/// MLIR registers.
#[derive(Debug)]
pub struct UpstreamInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub description: &'static str,
}

/// The name of the pass that checks pipes.
pub const CHECK_PIPES: &str = crate::pto::pto_check_pipes::INFO.name;

/// The option that prints the memory map.
pub const PRINT_MEMORY_MAP: &str = crate::pto::pto_allocate_memory_addr::PRINT_MEMORY_MAP.name;

/// The target-independent passes.
const SHARED: &[PassInfo] = &[
    crate::stablehlo::convert_stablehlo_to_ttir::INFO,
    crate::stablehlo::stablehlo_flatten_control_flow::INFO,
    crate::stablehlo::stablehlo_inline_calls::INFO,
    crate::ttir::convert_ttir_to_ttnn::INFO,
    crate::ttnn::convert_ttnn_to_pto::INFO,
    crate::pto::pto_allocate_memory_addr::INFO,
    crate::pto::pto_check_pipes::INFO,
    crate::pto::pto_expand_mixed_kernel::INFO,
    crate::ttcore::const_eval_hoist_transform::INFO,
    crate::ttcore::ttcore_mark_functions_as_forward::INFO,
    crate::ttcore::ttcore_register_device::INFO,
    crate::ttcore::ttcore_wrap_device_module::INFO,
    crate::ttir::ttir_arrange_attention::INFO,
    crate::ttir::ttir_check_calls::INFO,
    crate::ttir::ttir_check_initialized::INFO,
    crate::ttir::ttir_drop_outputs::INFO,
    crate::ttir::ttir_element_type_normalization::INFO,
    crate::ttir::ttir_fusing::FOLD_MOVEMENTS,
    crate::ttir::ttir_fusing::INFO,
    crate::ttir::ttir_implicit_broadcast_fold::INFO,
    crate::ttir::ttir_splat_to_full::INFO,
    crate::ttir::ttir_to_ttir_decomposition::INFO,
    crate::ttnn::ttnn_deallocate::INFO,
    crate::ttnn::ttnn_decompose_layouts::INFO,
    crate::ttnn::ttnn_decompose_linear::INFO,
    crate::ttnn::ttnn_layout::INFO,
    crate::ttnn::ttnn_decompose_reductions::INFO,
    crate::ttnn::ttnn_expand_vectors::INFO,
    crate::ttnn::ttnn_materialize_broadcasts::INFO,
    crate::ttnn::ttnn_share_kernels::INFO,
    crate::ttnn::ttnn_set_compute_kernel_config::INFO,
    crate::ttnn::ttnn_split_concat::INFO,
    crate::ttnn::ttnn_transpose_factors::INFO,
];

/// The pipelines that make no kernels.
const TO_TTNN: &[PipelineInfo] = &[
    crate::stablehlo::stablehlo_to_ttir_pipeline::STABLEHLO_TO_TTIR,
    crate::ttir::ttir_to_ttnn_pipeline::BACKEND,
    crate::ttir::ttir_to_ttnn_pipeline::RUNTIME,
];

/// Returns the passes of this crate, sorted by name.
pub fn passes() -> &'static [&'static PassInfo] {
    static ALL: LazyLock<Vec<&PassInfo>> = LazyLock::new(|| {
        let target_specific = TARGETS.iter().flat_map(|target| target.passes);
        let mut all: Vec<_> = SHARED.iter().chain(target_specific).collect();
        all.sort_by_key(|info| info.name);
        all
    });
    &ALL
}

/// Returns the pipelines of this crate, sorted by name.
pub fn pipelines() -> &'static [&'static PipelineInfo] {
    static ALL: LazyLock<Vec<&PipelineInfo>> = LazyLock::new(|| {
        let target_specific = TARGETS.iter().flat_map(|target| target.pipelines);
        let mut all: Vec<_> = TO_TTNN.iter().chain(target_specific).collect();
        all.sort_by_key(|info| info.name);
        all
    });
    &ALL
}

/// Returns the upstream passes that the tools list.
pub fn upstream() -> &'static [UpstreamInfo] {
    const fn info(name: &'static str, description: &'static str) -> UpstreamInfo {
        UpstreamInfo { name, description }
    }
    const LISTED: &[UpstreamInfo] = &[
        info(
            "canonicalize",
            "Folds and canonicalizes operations until nothing changes",
        ),
        info("cse", "Eliminates common subexpressions"),
        info("inline", "Inlines function calls"),
        info("symbol-dce", "Removes unreferenced symbols"),
    ];
    LISTED
}

/// Finds a pass of this crate by name.
pub fn pass(name: &str) -> Option<&'static PassInfo> {
    passes().iter().copied().find(|info| info.name == name)
}

/// Finds a pipeline of this crate by name.
pub fn pipeline(name: &str) -> Option<&'static PipelineInfo> {
    pipelines().iter().copied().find(|info| info.name == name)
}

/// Returns the options of a pass or pipeline of this crate; empty for upstream passes.
pub fn options(name: &str) -> &'static [OptionInfo] {
    let pass_options = pass(name).map(|info| info.options);
    pass_options
        .or(pipeline(name).map(|info| info.options))
        .unwrap_or_default()
}

/// Iterates over all names that the command line accepts: heading, name, description.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let ours = passes()
        .iter()
        .map(|info| ("Passes", info.name, info.description));
    let pipelines = pipelines()
        .iter()
        .map(|info| ("Pipelines", info.name, info.description));
    let upstream = upstream()
        .iter()
        .map(|info| ("Passes of MLIR", info.name, info.description));
    ours.chain(pipelines).chain(upstream)
}

/// Returns the text of `--list-passes`: every pass and pipeline with its options.
pub fn listing() -> String {
    let mut text = String::new();
    let mut last = "";
    for (heading, name, description) in names() {
        if heading != last {
            text.push_str(&format!("{heading}:\n"));
            last = heading;
        }
        text.push_str(&format!("  {name}\n      {description}\n"));
        for option in options(name) {
            let OptionInfo {
                name,
                description,
                kind,
                default,
            } = option;
            text.push_str(&format!(
                "      {name}={default}\n          {description} ({kind})\n"
            ));
        }
    }
    text
}
