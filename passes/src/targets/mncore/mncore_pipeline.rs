//! The pipelines that end in kernels for MN-Core 2.

use crate::driver::kernel_pipelines::{self, check_pipes, const_eval, EXPANSION, FUSION};
use crate::driver::options::{joined, OptionInfo, Options};
use crate::driver::registry::{KernelPipeline, PipelineInfo};
use crate::targets::mncore::convert_pto_to_mncore;
use crate::targets::mncore::convert_pto_to_mncore::OPTIONS as PRODUCTS;
use crate::targets::mncore::system_desc::CHIPS;
use crate::ttir::ttir_to_ttnn_pipeline::{followed_by, forward, options_for, OPTION_COUNT};

/// The options of kernels.
const KERNELS: &[OptionInfo] = &joined::<_, { kernel_pipelines::KERNELS.len() + PRODUCTS.len() }>(
    &kernel_pipelines::KERNELS,
    PRODUCTS,
);

/// `ttnn-to-mncore-pipeline`
pub const FROM_TTNN: PipelineInfo = PipelineInfo {
    name: "ttnn-to-mncore-pipeline",
    description: "Lowers compute operations of TTNN to kernels for MN-Core 2",
    options: KERNELS,
    text: from_ttnn,
    kernels: Some(WITH_OTHERS),
};

/// `ttir-to-mncore-pipeline`
pub const FROM_TTIR: PipelineInfo = PipelineInfo {
    name: "ttir-to-mncore-pipeline",
    description: "Compiles TTIR to TTNN with MN-Core 2 kernels for compute operations",
    options: &FROM_TTIR_OPTIONS,
    text: from_ttir,
    kernels: Some(WITH_OTHERS),
};

/// The options of both halves of the pipeline.
const FROM_TTIR_OPTIONS: [OptionInfo; OPTION_COUNT + KERNELS.len()] =
    joined(KERNELS, &options_for(CHIPS));

/// Kernels over tiles are not lowered further, so that they remain target-independent.
const WITH_OTHERS: KernelPipeline = KernelPipeline {
    lowering: convert_pto_to_mncore::INFO.name,
    own: &[convert_pto_to_mncore::INFO.name],
    lower_shared: Some(lower_shared_kernels),
    prepare_shared: Some(
        "builtin.module(ttnn-materialize-broadcasts{shared-kernels},ttnn-share-kernels{target=mncore})",
    ),
};

/// Layouts are assigned to all kernels of a function together. So constant subgraphs are hoisted
/// when kernels are complete, which leaves results with the same bits.
fn from_ttnn(options: &Options) -> String {
    format!(
        "builtin.module(ttnn-decompose-reductions{{target=mncore}},ttnn-materialize-broadcasts,convert-ttnn-to-pto{{target=mncore {}}},pto-expand-mixed-kernel{{{}}},{}convert-pto-to-mncore{{{}}},mncore-schedule,{}ttnn-deallocate)",
        forward(options, FUSION),
        forward(options, EXPANSION),
        check_pipes(options),
        forward(options, PRODUCTS),
        const_eval(options),
    )
}

/// Returns the remaining passes if another target has made the kernels over tiles.
fn lower_shared_kernels(options: &Options) -> Result<String, String> {
    let own = |name: &str| PRODUCTS.iter().any(|option| option.name == name);
    match options.changed().find(|name| !own(name)) {
        Some(name) => Err(format!(
            "option '{name}' configures the target-independent part; pass it to the preceding \
             pipeline"
        )),
        None => Ok(format!(
            "builtin.module(convert-pto-to-mncore{{{}}},mncore-schedule)",
            forward(options, PRODUCTS)
        )),
    }
}

fn from_ttir(options: &Options) -> String {
    followed_by(FROM_TTNN.name, KERNELS, options)
}
