//! `convert-pto-to-tensix`: kernels over tiles become code for the five RISC-V cores of a Tensix tile.
//!
//! [`parse`] reads a [`plan`] off the kernels of a group; each core's file makes that core's code of it. What runs on one
//! core is a single cube, vector or mixed kernel without pipes, or a cube and a vector kernel whose pipe is the handover from
//! math to pack: its slots are the halves of Dst, and nothing is copied (rulings 2.5). Rulings 1.2 to 1.12 say what the
//! instructions must do.
//!
//! Wormhole B0, bf16 in memory, fp32 in Dst. What does not fit is an error at the operation.
//!
//! | core | does |
//! |---|---|
//! | NC ([`read`]) | reads the operand tiles of every step from DRAM |
//! | T0 ([`unpack`]) | unpacks them |
//! | T1 ([`math`]) | products and sums, into one half of Dst after the other |
//! | T2 ([`pack`], [`vector`]) | what the vector unit does with a half; packs it |
//! | B ([`write`]) | starts the others; writes results to DRAM |

mod address_mode;
mod block;
mod check;
mod code;
mod expr;
mod math;
mod pack;
mod parse;
mod plan;
mod read;
mod thread;
mod tile_math;
mod unpack;
mod vector;
mod visits;
mod walk;
mod write;

use tessera_dialects::mlir::{At, Op, Pass, Reported, Rewriter};
use tessera_dialects::pto::{self, Kind, Placement};
use tessera_dialects::tensix::program::Builder;
use tessera_isa_tensix::Arch;

use crate::registry::PassInfo;
use code::Code;
use parse::{Group, Parsed};
use walk::Work;

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-tensix",
    description: "Lowers kernels over tiles to code for the cores of a Tensix tile",
    anchor: Some("builtin.module"),
    options: &[],
    make: |_| Ok(Box::new(ConvertPtoToTensix)),
};

struct ConvertPtoToTensix;

impl Pass for ConvertPtoToTensix {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let kernels = module.find_all("pto.func");
        let parts: Vec<&str> = kernels
            .iter()
            .flat_map(|kernel| kernel.find_all("pto.launch"))
            .flat_map(pto::launched)
            .collect();
        for kernel in &kernels {
            if !parts.contains(&kernel.symbol().unwrap_or_default()) {
                convert(*kernel, &group(*kernel, &kernels)?, rewriter)?;
            }
        }
        Ok(())
    }
}

/// The kernels that a kernel which no other one launches stands for.
fn group<'a>(kernel: Op<'a>, kernels: &[Op<'a>]) -> Result<Group<'a>, Reported> {
    let cluster = kernel.attribute("placement").and_then(Placement::of) == Some(Placement::Cluster);
    if pto::kind(kernel) != Some(Kind::Orchestration) {
        if cluster {
            return Err(kernel.error("runs on a cluster of cores, but is one kernel; expand it with pto-expand-mixed-kernel"));
        }
        return Ok(Group {
            first: kernel,
            vector: None,
        });
    }
    if cluster {
        return Err(kernel.error("runs on a cluster of cores, which is not lowered to Tensix yet; use placement = #pto.placement<same_core>"));
    }
    let launches = kernel.find_all("pto.launch");
    let [launch] = launches[..] else {
        return Err(kernel.error(format!(
            "launches {} groups; a kernel on Tensix is one",
            launches.len()
        )));
    };
    let parts: Vec<_> = pto::launched(launch)
        .into_iter()
        .filter_map(|name| kernels.iter().find(|kernel| kernel.symbol() == Some(name)))
        .collect();
    match parts[..] {
        [cube, vector] => Ok(Group {
            first: *cube,
            vector: Some(*vector),
        }),
        _ => Err(launch.error("splits tiles over two vector kernels, which kernels that share a core cannot; give the group placement = #pto.placement<cluster>")),
    }
}

fn convert<'a>(kernel: Op<'a>, group: &Group<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let Parsed { plan, places } = parse::parse(group)?;
    check::check(&plan, &places)?;
    let work = Work::of(&plan);
    let name = kernel.symbol().unwrap_or_default();
    let arguments = group.first.body().map_or(0, |body| body.arguments().len());
    let numbers = (arguments as u32, work.pieces() as u32);
    let builder = Builder::new(rewriter, kernel.location());
    let program = builder.program(&format!("{name}_tensix"), name, Arch::WormholeB0, numbers);
    let program = rewriter.insert(At::After(kernel), program);
    let cores: [fn(&mut Code, &Work); 5] = [
        unpack::lower,
        math::lower,
        pack::lower,
        read::lower,
        write::lower,
    ];
    for (region, lower) in program.regions().into_iter().zip(cores) {
        let block = region.blocks()[0];
        lower(
            &mut Code::new(rewriter, block, kernel.location(), &places),
            &work,
        );
    }
    Ok(())
}
