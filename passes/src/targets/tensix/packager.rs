//! Conversion of compiled Tensix kernels to kernels of the program file: images of RISC-V code, or
//! lists.
//!
//! Checked: a kernel is for the chip that its module describes, and has as many arguments as the
//! regions that run it.

use std::collections::HashMap;

use tessera_dialects::mlir::{Context, Op, OpView, Reported};
use tessera_dialects::tensix::{self, AliasOp, ClusterOp, CodeOp, KernelOp, ProgramOp};
use tessera_isa_tensix::list::{DmEntry, Lists};
use tessera_isa_tensix::Arch;
use tessera_program::{CoreImage, Kernel, KernelBody, TensixImages, TensixLists, TileRing};

use super::system_desc;
use super::tensix_to_riscv::{ImageMaker, ImageStats, Prepared};
use crate::target::{Packaged, Packager};
use crate::verified::expect_verified;

/// Packager of the programs of a module.
pub struct ImagePackager<'c, 'm> {
    images: ImageMaker<'c>,
    prepared: HashMap<Op<'m>, Prepared>,
    /// The programs and clusters, by their symbol.
    code: HashMap<&'m str, Op<'m>>,
    /// The kernels made, by operation and numbers of inputs and outputs.
    made: HashMap<(Op<'m>, u16, u16), Kernel>,
    /// The chip that the module describes.
    arch: Arch,
}

impl<'c, 'm> ImagePackager<'c, 'm> {
    /// Creates a packager for the kernels of a module.
    pub fn new(context: &'c Context, module: Op<'m>) -> Self {
        let programs = module.find_all::<ProgramOp>().into_iter();
        let clusters = module.find_all::<ClusterOp>().into_iter();
        let code = programs.map(|one| *one).chain(clusters.map(|one| *one));
        ImagePackager {
            images: ImageMaker::new(context),
            prepared: HashMap::new(),
            code: code.filter_map(|op| Some((op.symbol()?, op))).collect(),
            made: HashMap::new(),
            arch: system_desc::arch_within(module).unwrap_or(Arch::WormholeB0),
        }
    }

    /// Converts a `tensix.kernel`.
    fn lists(&self, kernel: KernelOp, region: Op, name: &str) -> Result<Kernel, Reported> {
        let lists = tensix::lists(kernel).map_err(|(op, problem)| op.error(problem))?;
        let (inputs, outputs) = arity(CodeOp::view(*kernel), region, name)?;
        Ok(Kernel {
            name: name.into(),
            body: KernelBody::Tensix(TensixLists {
                arch: self.arch,
                inputs,
                outputs,
                l1_end: l1_end(&lists),
                lists,
            }),
        })
    }

    /// Converts a `tensix.cluster`.
    fn cluster(
        &mut self,
        cluster: ClusterOp<'m>,
        region: Op,
        name: &str,
    ) -> Result<Kernel, Reported> {
        let programs = self.programs(*cluster);
        let rings = tensix::cluster::rings(cluster).map_err(|problem| cluster.error(problem))?;
        let ring = |ring: tensix::cluster::Ring| TileRing {
            consumer: ring.consumer,
            ready: ring.ready,
            producer: ring.producer,
            freed: ring.freed,
        };
        let rings = rings.into_iter().map(ring).collect();
        let distribution = Distribution {
            work: cluster.work(),
            rings,
            grid: None,
        };
        let code = (CodeOp::view(*cluster), distribution);
        self.images_of(code, &programs, (region, name))
    }

    /// Returns the programs of a kernel, one for each tile of a cluster.
    fn programs(&self, kernel: Op<'m>) -> Vec<ProgramOp<'m>> {
        match kernel.dyn_cast::<ClusterOp>() {
            Some(cluster) => {
                let tiles = cluster.tiles().unwrap_or_default().into_iter();
                tiles
                    .filter_map(|tile| self.code.get(tile)?.dyn_cast())
                    .collect()
            }
            None => kernel.dyn_cast().into_iter().collect(),
        }
    }

    /// Makes a kernel of images from one program per tile.
    fn images_of(
        &mut self,
        (kernel, distribution): (CodeOp<'m>, Distribution),
        programs: &[ProgramOp<'m>],
        (region, name): (Op, &str),
    ) -> Result<Kernel, Reported> {
        let (inputs, outputs) = arity(kernel, region, name)?;
        let key = (*kernel, inputs, outputs);
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let mut places = Places::default();
        let mut tiles = Vec::new();
        for program in programs {
            let prepared = expect_verified(**program, self.prepared.get(program).copied())?;
            let cores = self.images.images(*program, prepared)?;
            tiles.push(cores.map(|core| {
                let numbers = core.places.into_iter().map(|place| places.number(place));
                CoreImage {
                    image: core.image,
                    arguments: core.arguments,
                    places: numbers.collect(),
                }
            }));
        }
        let made = Kernel {
            name: kernel.symbol().unwrap_or_default().into(),
            body: KernelBody::TensixImages(Box::new(TensixImages {
                arch: self.arch,
                inputs,
                outputs,
                work: distribution.work.unwrap_or_default() as u32,
                tiles,
                rings: distribution.rings,
                grid: distribution.grid,
                places: places.all,
            })),
        };
        self.made.insert(key, made.clone());
        Ok(made)
    }

    /// Resolves an alias to its code.
    fn resolve(&self, kernel: Op<'m>) -> Result<Op<'m>, Reported> {
        let Some(alias) = kernel.dyn_cast::<AliasOp>() else {
            return Ok(kernel);
        };
        let code = alias.code().and_then(|code| self.code.get(code));
        expect_verified(kernel, code.copied())
    }

    fn check_arch(&self, kernel: CodeOp) -> Result<(), Reported> {
        if kernel.arch() != Some(self.arch.name()) {
            return Err(kernel.error(format!(
                "is not made for {}, the chip of the module",
                self.arch
            )));
        }
        Ok(())
    }
}

impl<'m> Packager<'m> for ImagePackager<'_, 'm> {
    fn prepare(&mut self, kernels: &[Op<'m>]) -> Result<(), Reported> {
        let mut programs = Vec::new();
        for kernel in kernels {
            let kernel = self.resolve(*kernel)?;
            // A kernel for another chip is refused when it is packaged.
            if CodeOp::view(kernel).arch() == Some(self.arch.name()) {
                programs.extend(self.programs(kernel));
            }
        }
        let prepared = self.images.prepare(&programs)?;
        let programs = programs.into_iter().map(|program| *program);
        self.prepared.extend(programs.zip(prepared));
        Ok(())
    }

    fn package(
        &mut self,
        kernel: Op<'m>,
        region: Op<'m>,
        name: &str,
    ) -> Result<Option<Packaged>, Reported> {
        let kernel = self.resolve(kernel)?;
        let code = CodeOp::view(kernel);
        self.check_arch(code)?;
        let made = match kernel.name() {
            ProgramOp::NAME => {
                let program = ProgramOp::view(kernel);
                let grid = tensix::program::grid(program);
                let distribution = Distribution {
                    work: program.work(),
                    rings: Vec::new(),
                    grid: grid.map_err(|problem| kernel.error(problem))?,
                };
                self.images_of((code, distribution), &[program], (region, name))?
            }
            ClusterOp::NAME => self.cluster(ClusterOp::view(kernel), region, name)?,
            _ => self.lists(KernelOp::view(kernel), region, name)?,
        };
        Ok(Some(Packaged {
            kernel: made,
            arguments: None,
        }))
    }

    fn summary(&self) -> Option<String> {
        let ImageStats {
            asked,
            compiled,
            time,
        } = self.images.stats();
        Some(format!(
            "images of RISC-V code: {asked}, of which {compiled} are different and were compiled in {:.1} ms",
            time.as_secs_f64() * 1e3
        ))
    }
}

/// The distribution of a kernel's work over tiles.
struct Distribution {
    work: Option<i64>,
    rings: Vec<TileRing>,
    grid: Option<[u32; 2]>,
}

/// Returns how many tensors a kernel reads and writes.
fn arity(kernel: CodeOp, region: Op, name: &str) -> Result<(u16, u16), Reported> {
    let arguments = kernel.arguments().unwrap_or_default();
    let (inputs, outputs) = (region.operand_count(), region.result_count());
    if arguments != (inputs + outputs) as i64 {
        return Err(region.error(format!(
            "has {inputs} inputs and {outputs} results, but kernel @{name} takes {arguments} tensors",
        )));
    }
    Ok((inputs as u16, outputs as u16))
}

/// Distinct source locations, numbered in order of first occurrence.
#[derive(Default)]
struct Places {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Places {
    fn number(&mut self, place: String) -> u32 {
        *self.numbers.entry(place).or_insert_with_key(|place| {
            self.all.push(place.clone());
            self.all.len() as u32 - 1
        })
    }
}

/// Bytes of a page of data movement: a bf16 tile.
const PAGE_BYTES: u32 = 2048;

/// Returns the first L1 address above everything that data movement accesses.
fn l1_end(lists: &Lists) -> u32 {
    let end = |entry: &DmEntry| match *entry {
        DmEntry::Read { l1, .. } | DmEntry::Write { l1, .. } => l1.saturating_add(PAGE_BYTES),
        DmEntry::Post { .. } | DmEntry::Wait { .. } => 0,
    };
    lists.dm.iter().map(end).max().unwrap_or(0)
}
