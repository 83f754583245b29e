//! `convert-pto-to-tensix`: kernels over tiles become code for the five RISC-V cores of a Tensix tile.
//!
//! [`parse`] reads a [`plan`] off the kernels of a group; each core's file makes that core's code of it. What runs on one
//! core is a single cube, vector or mixed kernel without pipes, or a cube and a vector kernel whose pipe is the handover from
//! math to pack: its slots are the halves of Dst, and nothing is copied (rulings 2.5). Rulings 1.2 to 1.12 say what the
//! instructions must do. Kernels that push and pop otherwise have a tile of a [`cluster`] each.
//!
//! Both chips, bf16 or fp32 in memory, fp32 in Dst. What is different on Blackhole: [`packers`]; numbers of conditions, places of fields and
//! how instructions name address modes. What does not fit is an error at the operation.
//!
//! | core | does |
//! |---|---|
//! | NC ([`read`]) | reads the operand tiles of every step from DRAM |
//! | T0 ([`unpack`]) | unpacks them |
//! | T1 ([`math`]) | products and sums, into one half of Dst after the other, or into all of it |
//! | T2 ([`pack`], [`vector`]) | what the vector unit does with what is there; packs it |
//! | B ([`write`]) | starts the others; writes results to DRAM |

mod address_mode;
mod block;
mod check;
mod cluster;
mod code;
mod expr;
mod math;
mod pack;
mod packers;
mod padding;
mod parse;
mod plan;
mod push;
mod read;
mod rings;
mod thread;
mod tile_math;
mod transpose;
mod unpack;
mod vector;
mod visits;
mod walk;
mod write;

use tessera_dialects::mlir::{At, Op, Pass, Reported, Rewriter};
use tessera_dialects::pto::{self, Kind, Placement};
use tessera_dialects::tensix::program::Builder;

use crate::driver::registry::PassInfo;
use crate::free_symbol::Symbols;
use crate::targets::tensix::system_desc;
use cluster::{Cluster, Member};
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
        let symbols = Symbols::default();
        for kernel in &kernels {
            if !parts.contains(&kernel.symbol().unwrap_or_default()) {
                match shares_core(*kernel, &kernels)? {
                    Runs::OnOneTile(group) => convert(*kernel, &group, &symbols, rewriter)?,
                    Runs::OnCluster(parts) => convert_cluster(*kernel, &parts, &symbols, rewriter)?,
                }
            }
        }
        Ok(())
    }
}

/// What a kernel that no other one launches stands for.
enum Runs<'a> {
    /// Kernels that share a core.
    OnOneTile(Group<'static, 'a>),
    /// A cube kernel and vector kernels with a tile each.
    OnCluster(Vec<Op<'a>>),
}

/// Finds out how a kernel runs: as it says, or else on one core if that can be.
fn shares_core<'a>(kernel: Op<'a>, kernels: &[Op<'a>]) -> Result<Runs<'a>, Reported> {
    let one = |first, vector| {
        Runs::OnOneTile(Group {
            first,
            vector,
            member: None,
        })
    };
    let placement = kernel.attribute("placement").and_then(Placement::of);
    if pto::kind(kernel) != Some(Kind::Orchestration) {
        if placement == Some(Placement::Cluster) {
            return Err(kernel.error(
                "runs on a cluster of cores, but is one kernel; expand it with pto-expand-mixed-kernel",
            ));
        }
        return Ok(one(kernel, None));
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
        .copied()
        .collect();
    match (pto::shares_core(launch), &parts[..]) {
        (true, [cube, vector]) => Ok(one(*cube, Some(*vector))),
        (true, _) => Err(launch.error("splits tiles over two vector kernels, which kernels that share a core cannot; give the group placement = #pto.placement<cluster>")),
        (false, _) => Ok(Runs::OnCluster(parts)),
    }
}

fn convert<'a>(
    kernel: Op<'a>,
    group: &Group<'_, 'a>,
    symbols: &Symbols<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let parsed = parse::parse(group)?;
    check::check(&parsed.plan, &parsed.places)?;
    let name = kernel.symbol().unwrap_or_default();
    for work in Work::of(&[&parsed.plan]) {
        let name = format!("{name}_tensix");
        program(kernel, &name, (&work, &parsed), symbols, rewriter)?;
    }
    Ok(())
}

fn convert_cluster<'a>(
    kernel: Op<'a>,
    parts: &[Op<'a>],
    symbols: &Symbols<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    let cluster = Cluster::of(parts);
    let mut tiles = Vec::new();
    for (number, part) in (0..).zip(parts) {
        let member = Member {
            number,
            cluster: &cluster,
        };
        let parsed = parse::parse(&Group {
            first: *part,
            vector: None,
            member: Some(member),
        })?;
        check::check(&parsed.plan, &parsed.places)?;
        tiles.push(parsed);
    }
    require_no_shared_memory(&tiles)?;
    let plans: Vec<_> = tiles.iter().map(|parsed| &parsed.plan).collect();
    let works = Work::of(&plans);
    let mut names = Vec::new();
    for (number, ((part, parsed), work)) in parts.iter().zip(&tiles).zip(&works).enumerate() {
        let symbol = part.symbol().unwrap_or_default();
        let is_alone = parts.iter().filter(|other| *other == part).count() == 1;
        let name = if is_alone {
            format!("{symbol}_tensix")
        } else {
            format!("{symbol}_{number}_tensix")
        };
        program(*part, &name, (work, parsed), symbols, rewriter)?;
        names.push(name);
    }
    let name = kernel.symbol().unwrap_or_default();
    let pieces = works.first().map_or(1, Work::pieces);
    let numbers = (arguments(kernel), pieces as u32);
    let cluster_name = format!("{name}_tensix");
    symbols.claim_beside(kernel, &cluster_name)?;
    let builder = Builder::new(rewriter, kernel.location());
    let op = builder.cluster(
        &cluster_name,
        name,
        system_desc::assumed_arch(kernel),
        numbers,
        (&names, cluster.rings()),
    );
    rewriter.insert(At::After(kernel), op);
    Ok(())
}

/// Checks that no kernel of a cluster loads what another one stores.
fn require_no_shared_memory(tiles: &[Parsed]) -> Result<(), Reported> {
    let stored: Vec<u16> = tiles
        .iter()
        .flat_map(|parsed| &parsed.stored)
        .map(|(arg, _)| *arg)
        .collect();
    let mut loaded = tiles.iter().flat_map(|parsed| &parsed.loaded);
    match loaded.find(|(arg, _)| stored.contains(arg)) {
        Some((arg, op)) => Err(op.error(format!(
            "loads from argument {arg}, which another kernel of the cluster stores to; what goes through DRAM between tiles is not \
             lowered to Tensix: push it"
        ))),
        None => Ok(()),
    }
}

fn arguments(kernel: Op) -> u32 {
    kernel.body().map_or(0, |body| body.arguments().len()) as u32
}

/// Makes the code of a tile.
fn program<'a>(
    kernel: Op<'a>,
    name: &str,
    (work, parsed): (&Work, &Parsed<'a>),
    symbols: &Symbols<'a>,
    rewriter: &Rewriter<'a>,
) -> Result<(), Reported> {
    symbols.claim_beside(kernel, name)?;
    let builder = Builder::new(rewriter, kernel.location());
    let numbers = (arguments(kernel), work.pieces() as u32);
    let implements = kernel.symbol().unwrap_or_default();
    let arch = parsed.plan.arch;
    let program = builder.program(name, implements, arch, numbers);
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
            &mut Code::new(arch, rewriter, block, kernel.location(), &parsed.places),
            work,
        );
    }
    Ok(())
}
