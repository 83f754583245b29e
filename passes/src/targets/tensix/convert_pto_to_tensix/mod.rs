//! `convert-pto-to-tensix`: kernels over tiles become code for the five RISC-V cores of a Tensix
//! tile.
//!
//! A kernel stands for a group of [`tessera_pto`] ([`group`]). The [`planner`] makes a [`plan`] of
//! it for each tile, and each core's file makes that core's code of the plan. What runs on one core
//! is a single cube, vector or mixed kernel without pipes, or a cube and a vector kernel whose pipe
//! is the handover from math to pack: its slots are the halves of Dst, and nothing is copied
//! (rulings 2.5). Rulings 1.2 to 1.12 say what the instructions must do. Kernels that push and pop
//! otherwise have a tile of a [`cluster`] each. Kernels that move elements are code of NC alone
//! ([`movement`]).
//!
//! Both chips, bf16 or fp32 in memory, fp32 in Dst. What is different on Blackhole: [`packers`];
//! numbers of conditions, places of fields and how instructions name address modes. What does not
//! fit is an error at the operation.
//!
//! | core | does |
//! |---|---|
//! | NC ([`read`]) | reads the operand tiles of every step from DRAM |
//! | T0 ([`unpack`]) | unpacks them |
//! | T1 ([`math`]) | products and sums, into one half of Dst after the other, or into all of it |
//! | T2 ([`pack`], [`vector`]) | what the vector unit does with what is there; packs it |
//! | B ([`write`]) | starts the others; writes results to DRAM |

mod address_mode;
mod block_builder;
mod check;
mod cluster;
mod code_builder;
mod code_sharing;
mod expr;
mod group;
mod math;
mod movement;
mod operand_rings;
mod pack;
mod packers;
mod padding;
mod plan;
mod planner;
mod push;
mod read;
mod refusal;
mod resources;
mod tensor;
mod tile_math;
mod transpose;
mod unpack;
mod vector;
mod visits;
mod walk;
mod write;

use tessera_dialects::builtin;
use tessera_dialects::mlir::{At, Location, Op, Pass, Reported, Rewriter};
use tessera_dialects::pto::FuncOp;
use tessera_dialects::tensix::program::Builder;
use tessera_isa_tensix::Arch;

use crate::driver::registry::PassInfo;
use crate::free_symbol::Symbols;
use crate::pto::kernel_index::KernelIndex;
use crate::pto::pto_group::Translated;
use crate::targets::tensix::system_desc;
use code_builder::CodeBuilder;
use code_sharing::{round_up_extents, CodeCache, CodeKey, FirstUses};
use movement::Movement;
use plan::Plan;
use planner::CoreAssignment;
use walk::Work;

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-tensix",
    description: "Lowers kernels over tiles to code for the cores of a Tensix tile",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(ConvertPtoToTensix)),
};

struct ConvertPtoToTensix;

impl Pass for ConvertPtoToTensix {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let kernels = KernelIndex::of(module);
        let mut lowering = Lowering {
            kernels: &kernels,
            uses: FirstUses::collect(module),
            symbols: Symbols::default(),
            written: CodeCache::new(),
            rewriter,
        };
        let all = kernels.all().iter().copied();
        let mut wholes: Vec<FuncOp> = all.filter(|one| !kernels.is_launched(*one)).collect();
        wholes.sort_by_key(|kernel| lowering.uses.position(*kernel));
        wholes
            .into_iter()
            .try_for_each(|kernel| convert(kernel, &mut lowering))
    }
}

/// The lowering of a module.
struct Lowering<'w, 'a> {
    kernels: &'w KernelIndex<'a>,
    uses: FirstUses<'a>,
    symbols: Symbols<'a>,
    written: CodeCache<'a>,
    rewriter: &'w Rewriter<'a>,
}

/// Lowers a kernel that no other one launches.
fn convert<'a>(kernel: FuncOp<'a>, lowering: &mut Lowering<'_, 'a>) -> Result<(), Reported> {
    let translated = group::translate(kernel, lowering.kernels)?;
    let arch = system_desc::assumed_arch(*kernel);
    let report = |refusal| group::report(&translated, &refusal);
    let writer = Writer {
        kernel: *kernel,
        arch,
        arguments: translated.group.tensors.len() as u32,
        locations: translated.ops.iter().map(|op| op.location()).collect(),
        symbols: &lowering.symbols,
        rewriter: lowering.rewriter,
    };
    if let Some(moves) = translated.group.rearrangement() {
        let movement = Movement::new(&translated.group, moves, arch).map_err(report)?;
        return writer.movement(&movement);
    }
    let cores = planner::assign_cores(&translated.group).map_err(report)?;
    group::require_lowered_forms(&translated, &cores)?;
    let mut plans = planner::plan_cores(&translated.group, &cores, arch).map_err(report)?;
    round_up_extents(&mut plans);
    let key = CodeKey {
        module: kernel.parent(),
        arch,
        arguments: writer.arguments,
        rings: cluster::ring_connections(&translated.group),
        operations: translated.ops.iter().map(|op| op.name()).collect(),
        region: lowering.uses.operations(kernel),
        plans,
    };
    if let Some(code) = lowering.written.get(&key) {
        return writer.alias(code);
    }
    let plans: Vec<&Plan> = key.plans.iter().collect();
    let works = Work::distribute(&plans);
    let name = match (&cores[..], &works[..]) {
        ([CoreAssignment::Shared { .. }], [work]) => writer.program(*kernel, work, None)?,
        _ => writer.cluster(&translated, &works)?,
    };
    lowering.written.insert(key, name);
    Ok(())
}

/// The symbol of the code of a kernel.
fn code_name(kernel: Op) -> String {
    format!("{}_tensix", kernel.symbol().unwrap_or_default())
}

/// Writes the code of a group beside its kernels.
struct Writer<'w, 'a> {
    /// The kernel that the code implements.
    kernel: Op<'a>,
    arch: Arch,
    /// Tensors that the code is given.
    arguments: u32,
    /// The locations that the places of plans stand for.
    locations: Vec<Location<'a>>,
    symbols: &'w Symbols<'a>,
    rewriter: &'w Rewriter<'a>,
}

impl<'a> Writer<'_, 'a> {
    /// Writes that the kernel is implemented by code that was written before.
    fn alias(&self, code: &str) -> Result<(), Reported> {
        let kernel = self.kernel.symbol().unwrap_or_default();
        let name = code_name(self.kernel);
        self.symbols.claim_beside(self.kernel, &name)?;
        let builder = Builder::new(self.rewriter, self.kernel.location());
        let alias = builder.alias(&name, kernel, code);
        self.rewriter.insert(At::After(self.kernel), alias);
        Ok(())
    }

    /// Writes a program for each tile, and the cluster of them, whose name it returns.
    fn cluster(&self, translated: &Translated<'a>, works: &[Work]) -> Result<String, Reported> {
        let parts = &translated.kernels;
        let mut names = Vec::new();
        for (number, (part, work)) in parts.iter().zip(works).enumerate() {
            let is_alone = parts.iter().filter(|other| *other == part).count() == 1;
            names.push(self.program(*part, work, (!is_alone).then_some(number))?);
        }
        let name = self.kernel.symbol().unwrap_or_default();
        let cluster_name = code_name(self.kernel);
        self.symbols.claim_beside(self.kernel, &cluster_name)?;
        let pieces = works.first().map_or(1, Work::pieces);
        let builder = Builder::new(self.rewriter, self.kernel.location());
        let op = builder.cluster(
            &cluster_name,
            name,
            self.arch,
            (self.arguments, pieces as u32),
            (&names, &cluster::ring_connections(&translated.group)),
        );
        self.rewriter.insert(At::After(self.kernel), op);
        Ok(cluster_name)
    }

    /// Writes the program of a kernel that moves elements.
    fn movement(&self, movement: &Movement) -> Result<(), Reported> {
        let cores: [&dyn Fn(&mut CodeBuilder); 5] = [
            &|_| (),
            &|_| (),
            &|_| (),
            &|code| movement.lower_nc(code),
            &|code| movement.lower_b(code),
        ];
        self.code(
            self.kernel,
            &code_name(self.kernel),
            movement.pieces(),
            cores,
        )
    }

    /// Writes the code of a tile, which runs a kernel; if several tiles do, with its number.
    /// Returns the name of the program.
    fn program(
        &self,
        kernel: Op<'a>,
        work: &Work,
        number: Option<usize>,
    ) -> Result<String, Reported> {
        let name = match number {
            Some(number) => {
                let implements = kernel.symbol().unwrap_or_default();
                format!("{implements}_{number}_tensix")
            }
            None => code_name(kernel),
        };
        let cores: [&dyn Fn(&mut CodeBuilder); 5] = [
            &|code| unpack::lower(code, work),
            &|code| math::lower(code, work),
            &|code| pack::lower(code, work),
            &|code| read::lower(code, work),
            &|code| write::lower(code, work),
        ];
        self.code(kernel, &name, work.pieces() as u32, cores)?;
        Ok(name)
    }

    /// Writes a program of this name for a kernel, of which each core's code is made so.
    fn code(
        &self,
        kernel: Op<'a>,
        name: &str,
        pieces: u32,
        cores: [&dyn Fn(&mut CodeBuilder); 5],
    ) -> Result<(), Reported> {
        self.symbols.claim_beside(kernel, name)?;
        let builder = Builder::new(self.rewriter, kernel.location());
        let implements = kernel.symbol().unwrap_or_default();
        let numbers = (self.arguments, pieces);
        let program = builder.program(name, implements, self.arch, numbers);
        let program = self.rewriter.insert(At::After(kernel), program);
        for (region, lower) in program.regions().into_iter().zip(cores) {
            let block = region.blocks()[0];
            let location = kernel.location();
            let mut code =
                CodeBuilder::new(self.arch, self.rewriter, block, location, &self.locations);
            lower(&mut code);
        }
        Ok(())
    }
}
