//! The kernels of a module, as kernels of the file: each once, whatever regions run it, in all forms that were made of it.
//!
//! Checked: a kernel is for the chip that the module is compiled for, and has the arguments that the regions give it.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Op as MlirOp, Reported};
use tessera_dialects::tensix;
use tessera_isa_tensix::list::{DmEntry, Lists};
use tessera_isa_tensix::Arch;
use tessera_program::{
    Binary, CoreImage, GlobalId, Kernel, KernelBody, KernelRef, PtoGroups, TensixImages,
    TensixLists, TileRing,
};

use crate::tensix_to_riscv::ImageMaker;
use crate::{mncore_to_program, pto_group};

/// The kernels of the module, and where those already written are in the file.
pub(super) struct Pool<'m, 'i, 'c> {
    pub groups: &'m [MlirOp<'m>],
    pub kernels: &'m [MlirOp<'m>],
    pub programs: &'m [MlirOp<'m>],
    pub clusters: &'m [MlirOp<'m>],
    pub mncore: &'m [MlirOp<'m>],
    pub images: &'i mut ImageMaker<'c>,
    pub arch: Arch,
    /// By the symbol of what they are made from.
    pub made: HashMap<&'m str, Vec<Made>>,
}

/// A kernel in the file.
#[derive(Debug, Clone)]
pub(super) struct Made {
    number: u32,
    /// Which operand or result of a region each of its arguments is, if it is not the one of its number.
    arguments: Option<Vec<usize>>,
}

impl Made {
    /// How it is run, by a region of these operands and results.
    pub fn reference(self, region: &[GlobalId]) -> KernelRef {
        let args = match self.arguments {
            Some(arguments) => arguments.iter().map(|&number| region[number]).collect(),
            None => region.to_vec(),
        };
        KernelRef {
            kernel: self.number,
            args,
        }
    }
}

impl<'m> Pool<'m, '_, '_> {
    /// The kernels in the file that a region can be run as: those compiled from the kernel it names, and that
    /// kernel itself.
    pub fn kernels(
        &mut self,
        region: MlirOp<'m>,
        binary: &mut Binary,
    ) -> Result<Vec<Made>, Reported> {
        let name = region
            .attribute("kernel")
            .and_then(AttributeValue::symbol_name)
            .unwrap_or_default();
        if let Some(made) = self.made.get(name) {
            return Ok(made.clone());
        }
        let mut kernels = Vec::new();
        let plain = |kernel| (kernel, None);
        for program in self.programs {
            if implements(*program) == Some(name) {
                kernels.push(plain(self.program(*program, region, name)?));
            }
        }
        for cluster in self.clusters {
            if implements(*cluster) == Some(name) {
                kernels.push(plain(self.cluster(*cluster, region, name)?));
            }
        }
        for kernel in self.kernels {
            if implements(*kernel).or(kernel.symbol()) == Some(name) {
                kernels.push(plain(self.lists(*kernel, region, name)?));
            }
        }
        for kernel in self.mncore {
            if implements(*kernel) == Some(name) {
                let (kernel, arguments) = mncore_to_program::kernel(*kernel, region, name)?;
                kernels.push((kernel, Some(arguments)));
            }
        }
        for group in self.groups {
            if group.symbol() == Some(name) {
                kernels.push(plain(groups(*group, region, name)?));
            }
        }
        if kernels.is_empty() {
            return Err(region.error(format!(
                "names kernel @{name}, which the module has neither as a pto.func nor as a tensix.kernel"
            )));
        }
        let made: Vec<Made> = kernels
            .into_iter()
            .map(|(kernel, arguments)| Made {
                number: binary.intern_kernel(kernel),
                arguments,
            })
            .collect();
        self.made.insert(name, made.clone());
        Ok(made)
    }

    /// The kernel of a `tensix.kernel`.
    fn lists(&self, kernel: MlirOp, region: MlirOp, name: &str) -> Result<Kernel, Reported> {
        self.check_arch(kernel)?;
        let lists = tensix::lists(kernel).map_err(|(op, problem)| op.error(problem))?;
        let (inputs, outputs) = arity(kernel, region, name)?;
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

    /// The kernel of a `tensix.program`.
    fn program(&mut self, program: MlirOp, region: MlirOp, name: &str) -> Result<Kernel, Reported> {
        self.images_of(program, &[program], Vec::new(), region, name)
    }

    /// The kernel of a `tensix.cluster`.
    fn cluster(&mut self, cluster: MlirOp, region: MlirOp, name: &str) -> Result<Kernel, Reported> {
        let tiles: Vec<MlirOp> = tensix::cluster::tiles(cluster)
            .into_iter()
            .filter_map(|tile| {
                let mut programs = self.programs.iter();
                programs
                    .find(|program| program.symbol() == Some(tile))
                    .copied()
            })
            .collect();
        let rings = tensix::cluster::rings(cluster).map_err(|problem| cluster.error(problem))?;
        let ring = |ring: tensix::cluster::Ring| TileRing {
            consumer: ring.consumer,
            ready: ring.ready,
            producer: ring.producer,
            freed: ring.freed,
        };
        let rings = rings.into_iter().map(ring).collect();
        self.images_of(cluster, &tiles, rings, region, name)
    }

    /// A kernel of images, of these programs on a tile each.
    fn images_of(
        &mut self,
        kernel: MlirOp,
        programs: &[MlirOp],
        rings: Vec<TileRing>,
        region: MlirOp,
        name: &str,
    ) -> Result<Kernel, Reported> {
        self.check_arch(kernel)?;
        let (inputs, outputs) = arity(kernel, region, name)?;
        let work = kernel.attribute("work").and_then(AttributeValue::integer);
        let mut places = Places::default();
        let mut tiles = Vec::new();
        for program in programs {
            let cores = self.images.images(*program)?;
            tiles.push(cores.map(|core| {
                CoreImage {
                    image: core.image,
                    arguments: core.arguments,
                    places: core
                        .places
                        .into_iter()
                        .map(|place| places.number(place))
                        .collect(),
                }
            }));
        }
        Ok(Kernel {
            name: kernel.symbol().unwrap_or_default().into(),
            body: KernelBody::TensixImages(Box::new(TensixImages {
                arch: self.arch,
                inputs,
                outputs,
                work: work.unwrap_or_default() as u32,
                tiles,
                rings,
                places: places.all,
            })),
        })
    }

    fn check_arch(&self, kernel: MlirOp) -> Result<(), Reported> {
        if kernel.string("arch") != Some(self.arch.name()) {
            return Err(kernel.error(format!(
                "is not made for {}, the chip of the module",
                self.arch
            )));
        }
        Ok(())
    }
}

/// The kernel that another is the compiled form of.
fn implements<'m>(compiled: MlirOp<'m>) -> Option<&'m str> {
    compiled
        .attribute("implements")
        .and_then(AttributeValue::symbol_name)
}

/// The kernel of a `pto.func`.
fn groups(kernel: MlirOp, region: MlirOp, name: &str) -> Result<Kernel, Reported> {
    let groups = pto_group::translate(kernel)?.into_iter();
    let groups: Vec<_> = groups.map(|translated| translated.group).collect();
    let arguments = groups.first().map_or(0, |group| group.tensors.len());
    let (inputs, outputs) = (region.operand_count(), region.result_count());
    if arguments != inputs + outputs {
        return Err(region.error(format!(
            "has {inputs} inputs and {outputs} results, but kernel @{name} takes {arguments} tensors",
        )));
    }
    Ok(Kernel {
        name: name.into(),
        body: KernelBody::Pto(PtoGroups {
            inputs: inputs as u16,
            groups,
        }),
    })
}

/// How many tensors a kernel reads and writes.
fn arity(kernel: MlirOp, region: MlirOp, name: &str) -> Result<(u16, u16), Reported> {
    let arguments = kernel
        .attribute("arguments")
        .and_then(AttributeValue::integer)
        .unwrap_or_default();
    let (inputs, outputs) = (region.operand_count(), region.result_count());
    if arguments != (inputs + outputs) as i64 {
        return Err(region.error(format!(
            "has {inputs} inputs and {outputs} results, but kernel @{name} takes {arguments} tensors",
        )));
    }
    Ok((inputs as u16, outputs as u16))
}

/// Different places, numbered in the order in which they come first.
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

/// Bytes that data movement carries at once: a bf16 tile.
const PAGE_BYTES: u32 = 2048;

/// First L1 byte address above everything that data movement reads or writes.
fn l1_end(lists: &Lists) -> u32 {
    let end = |entry: &DmEntry| match *entry {
        DmEntry::Read { l1, .. } | DmEntry::Write { l1, .. } => l1.saturating_add(PAGE_BYTES),
        DmEntry::Post { .. } | DmEntry::Wait { .. } => 0,
    };
    lists.dm.iter().map(end).max().unwrap_or(0)
}
