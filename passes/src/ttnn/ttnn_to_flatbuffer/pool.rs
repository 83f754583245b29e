//! The kernels of a module, as kernels of the file: each once, whatever regions run it, in all forms that were made of it.
//!
//! Checked: a kernel is for the chip that the module is compiled for, and has the arguments that the regions give it.

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Op as MlirOp, Reported, WalkOrder};
use tessera_dialects::tensix;
use tessera_isa_tensix::list::{DmEntry, Lists};
use tessera_isa_tensix::Arch;
use tessera_program::{
    Binary, CoreImage, GlobalId, Kernel, KernelBody, KernelRef, PtoGroups, TensixImages,
    TensixLists, TileRing,
};

use crate::pto::pto_group;
use crate::targets::mncore::convert_pto_to_mncore::VARIANT;
use crate::targets::mncore::mncore_to_program;
use crate::targets::tensix::tensix_to_riscv::ImageMaker;

/// The kernels of the module, and where those already written are in the file.
pub(super) struct Pool<'m, 'i, 'c> {
    /// The kernels over tiles, and all that were compiled from each, by its symbol.
    forms: HashMap<&'m str, Vec<MlirOp<'m>>>,
    /// The `tensix.program`s, by their own symbol.
    programs: HashMap<&'m str, MlirOp<'m>>,
    images: &'i mut ImageMaker<'c>,
    /// Is told the name of each kernel before it is compiled.
    progress: &'i dyn Fn(&str),
    arch: Arch,
    /// By the symbol of what they are made from, and that of the form for MN-Core 2 if there are
    /// several.
    made: HashMap<(&'m str, Option<&'m str>), Vec<Made>>,
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

/// The operations that are kernels, in the order in which their forms of one kernel come in a file.
const FORMS: [&str; 5] = [
    "tensix.program",
    "tensix.cluster",
    "tensix.kernel",
    "mncore.kernel",
    "pto.func",
];

impl<'m, 'i, 'c> Pool<'m, 'i, 'c> {
    /// The kernels of a module, none of which is in the file yet.
    pub fn new(
        module: MlirOp<'m>,
        images: &'i mut ImageMaker<'c>,
        progress: &'i dyn Fn(&str),
        arch: Arch,
    ) -> Self {
        let order = |op: &MlirOp| FORMS.iter().position(|form| op.is(form));
        let found = module.walk(WalkOrder::Pre).into_iter();
        let mut found: Vec<MlirOp> = found.filter(|op| order(op).is_some()).collect();
        found.sort_by_key(order);
        let mut forms: HashMap<&str, Vec<MlirOp>> = HashMap::new();
        for op in &found {
            if let Some(name) = implements(*op).or(op.symbol()) {
                forms.entry(name).or_default().push(*op);
            }
        }
        let programs = found.into_iter().filter(|op| op.is("tensix.program"));
        Pool {
            forms,
            programs: programs.filter_map(|op| Some((op.symbol()?, op))).collect(),
            images,
            progress,
            arch,
            made: HashMap::new(),
        }
    }

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
        let variant = region.attribute(VARIANT);
        let variant = variant.and_then(AttributeValue::symbol_name);
        if let Some(made) = self.made.get(&(name, variant)) {
            return Ok(made.clone());
        }
        (self.progress)(name);
        let mut kernels = Vec::new();
        for form in self.forms.get(name).cloned().unwrap_or_default() {
            let made = match form.name() {
                "tensix.program" => self.program(form, region, name)?,
                "tensix.cluster" => self.cluster(form, region, name)?,
                "tensix.kernel" => self.lists(form, region, name)?,
                "mncore.kernel" if variant.is_some() && form.symbol() != variant => continue,
                "mncore.kernel" => {
                    let (kernel, arguments) = mncore_to_program::kernel(form, region, name)?;
                    kernels.push((kernel, Some(arguments)));
                    continue;
                }
                _ => groups(form, region, name)?,
            };
            kernels.push((made, None));
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
        self.made.insert((name, variant), made.clone());
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
            .filter_map(|tile| self.programs.get(tile).copied())
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
