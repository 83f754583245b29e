//! `ttnn-set-compute-kernel-config`: sets the precision of matrix products that do not specify it.
//!
//! Fills in `compute_config` of `ttnn.matmul` and `ttnn.linear`. Existing settings are kept. An
//! option with the value `undefined` or `unset` leaves its setting to later stages. The defaults,
//! four fidelity phases and a 32-bit destination, are those of upstream at optimization level 0.

use crate::driver::options::{Kind, OptionInfo, Options};
use crate::driver::registry::PassInfo;
use tessera_dialects::builtin;
use tessera_dialects::mlir::{Op, Pass, Reported, Rewriter};
use tessera_dialects::ttnn::ProductOp;

const FIDELITY: Kind = Kind::Choice(&["lofi", "hifi2", "hifi3", "hifi4", "undefined"]);
const TRI_STATE: Kind = Kind::Choice(&["true", "false", "unset"]);

/// The parts of `#ttnn.device_compute_kernel_config`, in its order, and the options that set them.
pub const KNOBS: [(&str, OptionInfo); 5] = [
    knob(
        "math_fidelity",
        "math-fidelity",
        FIDELITY,
        "hifi4",
        "Phases of a multiplication",
    ),
    knob(
        "math_approx_mode",
        "math-approx-mode",
        TRI_STATE,
        "unset",
        "Approximate functions",
    ),
    knob(
        "fp32_dest_acc_en",
        "fp32-dest-acc-en",
        TRI_STATE,
        "true",
        "Accumulate in 32 bits",
    ),
    knob(
        "packer_l1_acc",
        "packer-l1-acc",
        TRI_STATE,
        "unset",
        "Accumulate in L1",
    ),
    knob(
        "dst_full_sync_en",
        "dst-full-sync-en",
        TRI_STATE,
        "unset",
        "Use the whole destination register without double buffering",
    ),
];

const fn knob(
    part: &'static str,
    name: &'static str,
    kind: Kind,
    default: &'static str,
    description: &'static str,
) -> (&'static str, OptionInfo) {
    (
        part,
        OptionInfo {
            name,
            description,
            kind,
            default,
        },
    )
}

/// `ttnn-set-compute-kernel-config`
pub const INFO: PassInfo = PassInfo {
    name: "ttnn-set-compute-kernel-config",
    description: "Sets the compute configuration of matrix products that have none",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[KNOBS[0].1, KNOBS[1].1, KNOBS[2].1, KNOBS[3].1, KNOBS[4].1],
    make: |options| Ok(Box::new(SetComputeKernelConfig::new(options))),
};

struct SetComputeKernelConfig {
    /// The parts that have a default, with it.
    defaults: Vec<(&'static str, String)>,
}

impl SetComputeKernelConfig {
    fn new(options: &Options) -> Self {
        let given = KNOBS
            .iter()
            .map(|(part, info)| (*part, options.text(info.name).to_owned()));
        Self {
            defaults: given
                .filter(|(_, value)| value != "undefined" && value != "unset")
                .collect(),
        }
    }

    /// Returns the attribute with the settings of `own` and defaults for the others, or `None` if
    /// nothing is set.
    fn config(&self, own: &[(String, String)]) -> Option<String> {
        let value = |part: &str| {
            let own = own.iter().find(|(name, _)| name == part);
            let default = || self.defaults.iter().find(|(name, _)| *name == part);
            own.map(|(_, value)| value.as_str())
                .or_else(|| default().map(|(_, value)| value.as_str()))
        };
        let parts: Vec<_> = KNOBS
            .iter()
            .filter_map(|(part, _)| Some(format!("{part} = {}", value(part)?)))
            .collect();
        (!parts.is_empty())
            .then(|| format!("#ttnn.device_compute_kernel_config<{}>", parts.join(", ")))
    }
}

impl Pass for SetComputeKernelConfig {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for op in op.find_all::<ProductOp>() {
            let own = ProductOp::COMPUTE_CONFIG.attribute(*op);
            let own = own.map(|own| own.to_string());
            let Some(text) = self.config(&parts(own.as_deref().unwrap_or_default())) else {
                continue;
            };
            let config = rewriter
                .context()
                .parse_attribute(&text)
                .ok_or_else(|| op.error(format!("internal error: no attribute {text}")))?;
            rewriter.set_attribute(*op, ProductOp::COMPUTE_CONFIG.name(), config);
        }
        Ok(())
    }
}

/// Returns the parts of a printed `#ttnn.device_compute_kernel_config<part = value, ...>`.
fn parts(text: &str) -> Vec<(String, String)> {
    let inside = text.split_once('<').map_or("", |(_, inside)| inside);
    let pairs = inside.trim_end_matches('>').split(',');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .map(|(part, value)| (part.trim().to_owned(), value.trim().to_owned()))
        .collect()
}
