//! `convert-pto-to-tensix`: lowers kernels over tiles to code for the five RISC-V cores of a Tensix
//! tile.
//!
//! The lowering has three stages:
//!
//! 1. [`group`] translates a kernel and the kernels that it launches to a group of [`tessera_pto`].
//!    From there on no MLIR is read.
//! 2. [`planner`] executes the group symbolically and makes one [`plan`] for each Tensix tile: a
//!    tree of loops over *blocks*. A block is one use of half of Dst, from the first value brought
//!    or computed there to the last packed result. [`check`] verifies the ranges of all indices.
//! 3. One module per core walks the plan ([`walk`]) and builds that core's code ([`code_builder`]).
//!    All cores walk the same plan, so they agree on the number and order of steps without
//!    communicating them.
//!
//! | core | module | does |
//! |---|---|---|
//! | NC | [`read`], [`read_multicast`] | reads the operand tiles of every step, or receives them |
//! | T0 | [`unpack`] | unpacks them to SrcA, SrcB or Dst |
//! | T1 | [`math`] | computes products and sums into Dst |
//! | T2 | [`pack`], [`vector`] | runs the vector unit over Dst, then packs the results |
//! | B | [`write`] | starts the other cores; writes results to DRAM |
//!
//! A group runs on one Tensix tile if it is a single kernel without pipes, or a cube and a vector
//! kernel that share a core. The pipe between those two becomes the hand-over from math to pack:
//! its slots are the two halves of Dst, and nothing is copied. In a [`cluster`] every kernel has a
//! tile of its own, and pipes become rings in L1. A kernel with local tensors consists of
//! [`stages`] with configurations of their own. If they would leave workers idle, pieces are
//! [`row_halves`]; what several stages read is fetched once ([`fetched_rows`]). Kernels that only
//! move elements become code of NC ([`movement`]); B only starts it.
//!
//! Supported are both chips (Wormhole B0 and Blackhole), bf16 or 32-bit elements in memory, and
//! 32-bit elements in Dst. The chips differ in the packers ([`packers`]), in the stall conditions,
//! in the places of configuration fields and in the encoding of address modes. Unsupported
//! operations are reported at the operation.

mod address_mode;
mod block_builder;
mod check;
mod cluster;
mod code_builder;
mod code_sharing;
mod expr;
mod fetched_rows;
mod group;
mod math;
mod movement;
mod multicast;
mod operand_rings;
mod pack;
mod packers;
mod padding;
mod plan;
mod planner;
mod push;
mod read;
mod read_multicast;
mod refusal;
mod resources;
mod row_halves;
mod stages;
mod tensor;
mod tile_math;
mod tile_moves;
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
use crate::pto::kernel_index::KernelIndex;
use crate::pto::pto_group::Translated;
use crate::symbols::Symbols;
use crate::targets::tensix::system_desc;
use code_builder::CodeBuilder;
use code_sharing::{round_up_extents, CodeCache, CodeKey, FirstUses};
use movement::Movement;
pub use operand_rings::{MAX_TILES, SLOTS};
use plan::Plan;
use planner::CoreAssignment;
pub use planner::MAX_LOCAL_BYTES;
use walk::Work;

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-tensix",
    description: "Lowers kernels over tiles to programs for the cores of a Tensix tile",
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
        let kernels = KernelIndex::new(module);
        let mut lowering = Lowering {
            kernels: &kernels,
            uses: FirstUses::collect(module),
            symbols: Symbols::default(),
            code_cache: CodeCache::new(),
            rewriter,
        };
        let all = kernels.all().iter().copied();
        let mut top_level: Vec<FuncOp> = all.filter(|one| !kernels.is_launched(*one)).collect();
        top_level.sort_by_key(|kernel| lowering.uses.position(*kernel));
        top_level
            .into_iter()
            .try_for_each(|kernel| convert(kernel, &mut lowering))
    }
}

/// State of the lowering of one module.
struct Lowering<'w, 'a> {
    kernels: &'w KernelIndex<'a>,
    uses: FirstUses<'a>,
    symbols: Symbols<'a>,
    code_cache: CodeCache<'a>,
    rewriter: &'w Rewriter<'a>,
}

/// Lowers a top-level kernel, one that no other kernel launches.
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
    if let Some(code) = lowering.code_cache.get(&key) {
        return writer.alias(code);
    }
    let plans: Vec<&Plan> = key.plans.iter().collect();
    let works = Work::distribute(&plans);
    let name = match (&cores[..], &works[..]) {
        ([CoreAssignment::Shared { .. }], [work]) => writer.program(*kernel, work, None)?,
        _ => writer.cluster(&translated, &works)?,
    };
    lowering.code_cache.insert(key, name);
    Ok(())
}

/// Returns the symbol of the code of a kernel.
fn code_name(kernel: Op) -> String {
    format!("{}_tensix", kernel.symbol().unwrap_or_default())
}

/// Writes the code of a group beside its kernels.
struct Writer<'w, 'a> {
    /// The kernel that the code implements.
    kernel: Op<'a>,
    arch: Arch,
    /// Number of tensors that the code takes as arguments.
    arguments: u32,
    /// MLIR locations, indexed by [`plan::LocationId`].
    locations: Vec<Location<'a>>,
    symbols: &'w Symbols<'a>,
    rewriter: &'w Rewriter<'a>,
}

impl<'a> Writer<'_, 'a> {
    /// Writes an alias: the kernel is implemented by the program or cluster `code`, which was
    /// written before.
    fn alias(&self, code: &str) -> Result<(), Reported> {
        let kernel = self.kernel.symbol().unwrap_or_default();
        let name = code_name(self.kernel);
        self.symbols.claim_beside(self.kernel, &name)?;
        let builder = Builder::new(self.rewriter, self.kernel.location());
        let alias = builder.alias(&name, kernel, code);
        self.rewriter.insert(At::After(self.kernel), alias);
        Ok(())
    }

    /// Writes a program for each tile and the `tensix.cluster` of them. Returns the cluster's
    /// symbol.
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
            (movement.pieces(), None),
            cores,
        )
    }

    /// Writes the program of one tile, which runs `kernel`, and returns its symbol. `number`
    /// distinguishes the tiles if several run the same kernel.
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
        let grid = work.multicast.map(|multicast| multicast.pieces);
        self.code(kernel, &name, (work.pieces() as u32, grid), cores)?;
        Ok(name)
    }

    /// Writes a `tensix.program`. Each element of `cores` builds the code of one core, in the order
    /// T0, T1, T2, NC, B. The pieces form grids if their tiles exchange operands.
    fn code(
        &self,
        kernel: Op<'a>,
        name: &str,
        (pieces, grid): (u32, Option<[u32; 2]>),
        cores: [&dyn Fn(&mut CodeBuilder); 5],
    ) -> Result<(), Reported> {
        self.symbols.claim_beside(kernel, name)?;
        let builder = Builder::new(self.rewriter, kernel.location());
        let implements = kernel.symbol().unwrap_or_default();
        let numbers = (self.arguments, pieces);
        let program = builder.program(name, implements, self.arch, numbers, grid);
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
