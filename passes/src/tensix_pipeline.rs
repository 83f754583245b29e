//! The pipelines that end in kernels for Tensix.

use crate::options::{Kind, OptionInfo, Options};
use crate::registry::PipelineInfo;
use crate::ttir_to_ttnn_pipeline::RUNTIME;

/// Whether pipes are checked before anything is made of them.
const CHECK_PIPES: OptionInfo = OptionInfo {
    name: "check-pipes",
    description:
        "Check that kernels that talk through pipes come to their end; if not, running them tells",
    kind: Kind::Bool,
    default: "true",
};

/// `ttnn-to-tensix-pipeline`
pub const FROM_TTNN: PipelineInfo = PipelineInfo {
    name: "ttnn-to-tensix-pipeline",
    description: "Makes a Tensix kernel for every TTNN operation that computes",
    options: &[CHECK_PIPES],
    text: from_ttnn,
};

fn from_ttnn(options: &Options) -> String {
    let check = if options.flag(CHECK_PIPES.name) {
        "pto-check-pipes,"
    } else {
        ""
    };
    format!("builtin.module(convert-ttnn-to-pto,{check}convert-pto-to-tensix)")
}

/// The options of both of its halves.
const FROM_TTIR_OPTIONS: [OptionInfo; RUNTIME.options.len() + 1] = {
    let mut all = [CHECK_PIPES; RUNTIME.options.len() + 1];
    let mut number = 0;
    while number < RUNTIME.options.len() {
        all[number] = RUNTIME.options[number];
        number += 1;
    }
    all
};

/// `ttir-to-tensix-pipeline`
pub const FROM_TTIR: PipelineInfo = PipelineInfo {
    name: "ttir-to-tensix-pipeline",
    description: "Compiles TTIR to TTNN with a Tensix kernel for every operation that computes",
    options: &FROM_TTIR_OPTIONS,
    text: from_ttir,
};

fn from_ttir(options: &Options) -> String {
    let names: Vec<_> = RUNTIME.options.iter().map(|option| option.name).collect();
    let (ttnn, tensix) = (
        options.forward(&names),
        options.forward(&[CHECK_PIPES.name]),
    );
    format!(
        "builtin.module({}{{{ttnn}}},{}{{{tensix}}})",
        RUNTIME.name, FROM_TTNN.name
    )
}
