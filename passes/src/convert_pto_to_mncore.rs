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
use tessera_mncore_code::compile::{compile, Options};

use crate::pto_group;
use crate::registry::PassInfo;

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-mncore",
    description: "Lowers kernels over tiles to loops of instructions for MN-Core 2",
    anchor: Some("builtin.module"),
    options: &[],
    make: |_| Ok(Box::new(ConvertPtoToMncore)),
};

struct ConvertPtoToMncore;

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
            convert(module, kernel, rewriter)?;
        }
        Ok(())
    }
}

fn convert<'a>(module: Op<'a>, kernel: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let groups = pto_group::translate(kernel)?;
    let [translated] = &groups[..] else {
        return Err(kernel.error(format!(
            "launches {} groups; a kernel on MN-Core 2 is one",
            groups.len()
        )));
    };
    let compiled = compile(&translated.group, &Options::default()).map_err(|error| {
        let place = error.location();
        let op = place.and_then(|place| translated.ops.get(place).copied());
        let op = op.unwrap_or(kernel);
        op.error(error.to_string())
    })?;
    let lines: Vec<Location> = translated.ops.iter().map(|op| op.location()).collect();
    let name = kernel.symbol().unwrap_or_default();
    let body = module.body().ok_or_else(|| module.error("has no body"))?;
    Writer::new(rewriter, kernel.location(), &lines).kernel(
        At::End(body),
        &format!("{name}_mncore"),
        name,
        &compiled,
    );
    Ok(())
}
