//! The pipelines that end in kernels for Tensix.

use crate::driver::kernel_pipelines::{self, check_pipes, const_eval, EXPANSION, FUSION};
use crate::driver::options::{joined, OptionInfo, Options};
use crate::driver::registry::{KernelPipeline, PipelineInfo};
use crate::pto::pto_allocate_memory_addr::{self, PRINT_MEMORY_MAP};
use crate::targets::tensix::convert_pto_to_tensix;
use crate::targets::tensix::system_desc::CHIPS;
use crate::ttir::ttir_to_ttnn_pipeline::{followed_by, forward, options_for, OPTION_COUNT};

/// Options for making kernels.
const KERNELS: &[OptionInfo] = &joined::<_, { kernel_pipelines::KERNELS.len() + 1 }>(
    &kernel_pipelines::KERNELS,
    &[PRINT_MEMORY_MAP],
);

/// Tile kernels are target-independent up to the assignment of ring addresses.
const WITH_OTHERS: KernelPipeline = KernelPipeline {
    lowering: convert_pto_to_tensix::INFO.name,
    own: &[
        pto_allocate_memory_addr::INFO.name,
        convert_pto_to_tensix::INFO.name,
    ],
    lower_shared: None,
    prepare_shared: None,
};

/// `ttnn-to-tensix-pipeline`
pub const FROM_TTNN: PipelineInfo = PipelineInfo {
    name: "ttnn-to-tensix-pipeline",
    description: "Lowers compute operations of TTNN to Tensix kernels",
    options: KERNELS,
    text: from_ttnn,
    kernels: Some(WITH_OTHERS),
};

/// `ttir-to-tensix-pipeline`
pub const FROM_TTIR: PipelineInfo = PipelineInfo {
    name: "ttir-to-tensix-pipeline",
    description: "Compiles TTIR to TTNN with Tensix kernels for compute operations",
    options: &FROM_TTIR_OPTIONS,
    text: from_ttir,
    kernels: Some(WITH_OTHERS),
};

/// Options of both parts of the pipeline.
const FROM_TTIR_OPTIONS: [OptionInfo; OPTION_COUNT + KERNELS.len()] =
    joined(KERNELS, &options_for(CHIPS));

fn from_ttnn(options: &Options) -> String {
    let (check, const_eval) = (check_pipes(options), const_eval(options));
    format!(
        "builtin.module(ttnn-decompose-reductions{{target=tensix}},ttnn-expand-vectors,ttnn-split-concat,ttnn-transpose-factors,ttnn-decompose-linear{{f32-bias}},convert-ttnn-to-pto{{{}}},pto-expand-mixed-kernel{{{}}},pto-allocate-memory-addr{{{}}},{check}convert-pto-to-tensix,canonicalize,cse,{const_eval}ttnn-deallocate,tensix-form-replay,tensix-form-mop)",
        forward(options, FUSION),
        forward(options, EXPANSION),
        forward(options, &[PRINT_MEMORY_MAP])
    )
}

fn from_ttir(options: &Options) -> String {
    followed_by(FROM_TTNN.name, KERNELS, options)
}
