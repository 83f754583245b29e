//! `convert-pto-to-mncore`: kernels over tiles become loops of instructions for MN-Core 2.
//!
//! What a group of kernels computes on whole tensors is found in its image in `tessera_pto` ([`crate::pto_group`]), and compiled by
//! [`tessera_mncore_code::compile`]; here is only where kernels come from and where loops go to. The loops are not scheduled:
//! `mncore-schedule` does that. The kernels over tiles stay, so that a module can hold code for both chips.
//!
//! Each instruction has the location of the operation that it computes.

use tessera_dialects::mlir::{At, Location, Op, Pass, Reported, Rewriter};
use tessera_dialects::mncore::write::Writer;
use tessera_dialects::pto;
use tessera_mncore_code::compile::{compile, F32Matmul, Options, Wanted};

use crate::badly_scaled;
use crate::options::{self, Kind, OptionInfo};
use crate::pto_group;
use crate::registry::PassInfo;

/// The options that pipelines have, too.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "precision",
        description: "The precision of matrix products: auto is pseudo (18 bits) for bf16, and what f32-matmul says where a factor is f32; \
                      half has 9 bits and no numbers beyond 2^32",
        kind: Kind::Choice(Wanted::WORDS),
        default: Wanted::WORDS[0],
    },
    OptionInfo {
        name: "f32-matmul",
        description: "The precision of matrix products with a factor of f32, if precision is auto: single has 23 bits and takes twice as long",
        kind: Kind::Choice(F32Matmul::WORDS),
        default: F32Matmul::WORDS[0],
    },
];

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-mncore",
    description: "Lowers kernels over tiles to loops of instructions for MN-Core 2",
    anchor: Some("builtin.module"),
    options: OPTIONS,
    make: |options| Ok(Box::new(ConvertPtoToMncore(read(options)))),
};

struct ConvertPtoToMncore(Options);

/// The options of a compilation. Words that are no value have been refused.
fn read(options: &options::Options) -> Options {
    Options {
        precision: Wanted::of_word(options.text("precision")).unwrap_or_default(),
        f32_matmul: F32Matmul::of_word(options.text("f32-matmul")).unwrap_or_default(),
    }
}

impl Pass for ConvertPtoToMncore {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let kernels = module.find_all("pto.func");
        let launches = kernels
            .iter()
            .flat_map(|kernel| kernel.find_all("pto.launch"));
        let parts: Vec<&str> = launches.flat_map(pto::launched).collect();
        let wholes = kernels
            .into_iter()
            .filter(|kernel| !parts.contains(&kernel.symbol().unwrap_or_default()));
        // In the order of the kernels, behind all of them.
        for kernel in wholes {
            convert(module, kernel, &self.0, rewriter)?;
        }
        Ok(())
    }
}

fn convert<'a>(
    module: Op<'a>,
    kernel: Op<'a>,
    options: &Options,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let groups = pto_group::translate(kernel)?;
    let [translated] = &groups[..] else {
        return Err(kernel.error(format!(
            "launches {} groups; a kernel on MN-Core 2 is one",
            groups.len()
        )));
    };
    let compiled = compile(&translated.group, options).map_err(|error| {
        let place = error.location();
        let op = place.and_then(|place| translated.ops.get(place).copied());
        let op = op.unwrap_or(kernel);
        op.error(error.to_string())
    })?;
    let name = kernel.symbol().unwrap_or_default();
    if let Some(precision) = compiled.precision {
        badly_scaled::warn(module, name, precision);
    }
    let lines: Vec<Location> = translated.ops.iter().map(|op| op.location()).collect();
    let body = module.body().ok_or_else(|| module.error("has no body"))?;
    Writer::new(rewriter, kernel.location(), &lines).kernel(
        At::End(body),
        &format!("{name}_mncore"),
        name,
        &compiled,
    );
    Ok(())
}
