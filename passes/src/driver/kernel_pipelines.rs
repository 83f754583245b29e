//! What the pipelines that end in kernels share, whatever the chip: operations become mixed
//! kernels, which are expanded, and their pipes checked.

use crate::driver::options::{joined, Kind, OptionInfo, Options};
use crate::pto::pto_expand_mixed_kernel::INFO as EXPAND;
pub(crate) use crate::ttnn::convert_ttnn_to_pto::OPTIONS as FUSION;

/// Whether pipes are checked before anything is made of them.
pub(crate) const CHECK_PIPES: OptionInfo = OptionInfo {
    name: "check-pipes",
    description:
        "Check that kernels that talk through pipes come to their end; if not, running them tells",
    kind: Kind::Bool,
    default: "true",
};

/// How those that work on both sides are expanded.
pub(crate) const EXPANSION: &[OptionInfo] = EXPAND.options;

const MADE_AND_EXPANDED: [OptionInfo; FUSION.len() + EXPANSION.len()] = joined(FUSION, EXPANSION);

/// How kernels are made of operations, before they are one chip's.
pub(crate) const KERNELS: [OptionInfo; MADE_AND_EXPANDED.len() + 1] =
    joined(&MADE_AND_EXPANDED, &[CHECK_PIPES]);

/// The pass that checks pipes, with a comma, if it is asked for.
pub(crate) fn check_pipes(options: &Options) -> &'static str {
    match options.flag(CHECK_PIPES.name) {
        true => "pto-check-pipes,",
        false => "",
    }
}
