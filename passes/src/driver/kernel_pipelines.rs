//! Options that all kernel pipelines share: outlining of mixed kernels, their expansion, and the
//! check of their pipes.

use crate::driver::options::{joined, Kind, OptionInfo, Options};
use crate::pto::pto_expand_mixed_kernel::INFO as EXPAND;
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

/// Options of the target-independent part of kernel pipelines.
pub(crate) const KERNELS: [OptionInfo; MADE_AND_EXPANDED.len() + 1] =
    joined(&MADE_AND_EXPANDED, &[CHECK_PIPES]);

/// Returns the pipeline text of the pass that checks pipes, or an empty text if it is disabled.
pub(crate) fn check_pipes(options: &Options) -> &'static str {
    match options.flag(CHECK_PIPES.name) {
        true => "pto-check-pipes,",
        false => "",
    }
}
