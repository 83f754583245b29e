//! Options that all kernel pipelines share: outlining of mixed kernels, their expansion, and the
//! check of their pipes.

use crate::driver::options::{joined, Kind, OptionInfo, Options};
use crate::pto::pto_expand_mixed_kernel::INFO as EXPAND;
use crate::ttir::ttir_to_ttnn_pipeline::ENABLE_CONST_EVAL;
pub(crate) use crate::ttnn::convert_ttnn_to_pto::OPTIONS as FUSION;

/// The option that checks pipes before kernels are lowered.
pub(crate) const CHECK_PIPES: OptionInfo = OptionInfo {
    name: "check-pipes",
    description:
        "Check at compile time that kernels that communicate through pipes terminate; otherwise \
         deadlocks are reported at run time",
    kind: Kind::Bool,
    default: "true",
};

/// Options of the expansion of mixed kernels.
pub(crate) const EXPANSION: &[OptionInfo] = EXPAND.options;

const MADE_AND_EXPANDED: [OptionInfo; FUSION.len() + EXPANSION.len()] = joined(FUSION, EXPANSION);

/// The option that hoists constant subgraphs, once kernels are outlined.
const CONST_EVAL: OptionInfo = OptionInfo {
    kind: Kind::Bool,
    default: "true",
    ..ENABLE_CONST_EVAL
};

/// Options of the target-independent part of kernel pipelines.
pub(crate) const KERNELS: [OptionInfo; MADE_AND_EXPANDED.len() + 2] =
    joined(&MADE_AND_EXPANDED, &[CHECK_PIPES, CONST_EVAL]);

/// Returns the pipeline text of the pass that hoists constant subgraphs, or an empty text if it is
/// disabled.
pub(crate) fn const_eval(options: &Options) -> &'static str {
    match options.flag(ENABLE_CONST_EVAL.name) {
        true => "const-eval-hoist-transform,",
        false => "",
    }
}

/// Returns the pipeline text of the pass that checks pipes, or an empty text if it is disabled.
pub(crate) fn check_pipes(options: &Options) -> &'static str {
    match options.flag(CHECK_PIPES.name) {
        true => "pto-check-pipes,",
        false => "",
    }
}
