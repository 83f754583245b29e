//! The device that runs kernels on the Tensix model.
//!
//! The host owns DRAM: it allocates every tensor in device memory, copies tensors in and out, and
//! passes their addresses to kernels. It performs data movement (`to_device`, `constant`, `full`,
//! …) itself. All computation runs as kernels; an operation without a kernel is an error.
//!
//! After every kernel, the device checks that the padding of results is +0. It does not check that
//! a kernel computes what its operations mean; comparing with the reference does that.

mod check;
mod error;
mod figures;
mod images;
mod info;
mod memory;
mod numerics;
mod pages;
mod statistics;
mod trace;

use std::num::NonZero;

use tessera_isa_tensix::Arch;
use tessera_ops::{Class, Creation};
use tessera_program::{
    Binary, DataType, GlobalId, Kernel, KernelBody, KernelOp, KernelRef, MemorySpace, Op,
    Operation, Program, TensorDesc, TensorOp,
};
use tessera_reference::{create, Tensor};
use tessera_tensix::dram::Dram;
pub use tessera_tensix::issue::cycles::Busy;
use tessera_tensix::issue::timeline::Timeline;
use tessera_tensix::map::Coordinate;
pub use tessera_tensix::Stats;
use tessera_tensix::{Machine, TensorArg};

use crate::device::SavedTensors;
use crate::device_info::KernelRuns;
use crate::devices::names_running;
use crate::golden::numerics::Numerics;
use crate::locations::relocate;
use crate::lookups::check_lookups;
use crate::{Device, DeviceError};
pub use check::check;
pub use error::TensixError;
pub use figures::Figures;
pub use info::INFO;
use memory::Allocator;
pub use numerics::{numerics, NUMERICS};
use pages::Pages;
pub use trace::write_trace;

/// Its name.
pub const NAME: &str = "tensix";

/// The pipeline that generates kernels for this device.
pub(crate) const PIPELINE: &str = "--ttir-to-tensix-pipeline";

/// See [`TensixOptions::limit`].
const LIMIT: u64 = 1 << 32;

/// Initial byte of results with [`TensixOptions::padding_canaries`]; all bytes together are
/// 3.39e38.
const CANARY: u8 = 0x7f;

/// How to run kernels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TensixOptions {
    /// Seed of a random order in which threads and units advance; `None` lets each run as far as it
    /// can. A correct kernel gives the same bits for every seed.
    pub schedule_seed: Option<u64>,
    /// Whether results are filled with 0x7f7f before a kernel writes them, so that unwritten
    /// elements are detected.
    pub padding_canaries: bool,
    /// Seed of an order of memory requests of RISC-V cores that the chip permits; `None` for
    /// program order. A correct kernel gives the same bits for every seed.
    pub order_seed: Option<u64>,
    /// Number of tiles that may share the work of a kernel of images; `None` for all.
    pub workers: Option<u32>,
    /// How many instructions a core, or a thread of a kernel of lists, may execute before a launch
    /// counts as endless; `None` for 2^32, twenty times what a product of matrices of 4096 x 4096
    /// takes on one tile.
    pub limit: Option<u64>,
}

/// One run of a kernel.
#[derive(Debug, Clone)]
pub struct KernelRun {
    /// The chip that it ran on.
    pub arch: Arch,
    /// Name of the kernel.
    pub kernel: String,
    /// Location of the operation that it ran for.
    pub loc: String,
    /// Fidelity phases of its products; 0 if it computes none.
    pub phases: u32,
    /// Statistics of all tiles.
    pub stats: Stats,
    /// Statistics of each tile that took part.
    pub workers: Vec<Stats>,
    /// After [`TensixDevice::record`]: the tiles that were recorded, and what their coprocessors
    /// did.
    pub timelines: Vec<(Coordinate, Timeline)>,
}

/// A Tensix chip with its DRAM, and the host that drives it.
pub struct TensixDevice<'a> {
    binary: &'a Binary,
    program: &'a Program,
    options: TensixOptions,
    machine: Machine,
    allocator: Allocator,
    /// Where tensors are, by id.
    slots: Vec<Option<Slot>>,
    runs: Vec<KernelRun>,
    /// Threads of the host.
    threads: usize,
}

/// Where a tensor is.
#[derive(Clone)]
enum Slot {
    Host(Tensor),
    Dram { pages: Pages, base: u64 },
}

/// The tensors of a device, as [`Device::save`] returns them.
struct DramImage {
    dram: Dram,
    allocator: Allocator,
    slots: Vec<Option<Slot>>,
}

impl<'a> TensixDevice<'a> {
    /// Creates a device for one run of `program`, of the architecture for which `binary` was
    /// compiled.
    ///
    /// # Errors
    /// If there is no model of the architecture, or a tensor in device memory is not in DRAM, or
    /// neither bf16 nor f32.
    pub fn new(
        binary: &'a Binary,
        program: &'a Program,
        options: TensixOptions,
    ) -> Result<Self, DeviceError> {
        for (id, desc) in program.tensors.iter().enumerate() {
            check_tensor(id as GlobalId, desc)?;
        }
        let arch = arch(binary)?;
        Ok(Self {
            binary,
            program,
            options,
            machine: Machine::new(arch),
            allocator: Allocator::new(arch.dram_bank_bytes()),
            slots: program.tensors.iter().map(|_| None).collect(),
            runs: Vec::new(),
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
        })
    }

    /// Limits the number of host threads that run kernels; the default is one for each processor.
    /// The results are the same.
    pub fn set_threads(&mut self, threads: NonZero<usize>) {
        self.threads = threads.get();
    }

    /// Starts recording the coprocessors of the tiles with the first share of a kernel's work
    /// ([`KernelRun::timelines`]).
    pub fn record(&mut self) {
        self.machine.record();
    }

    /// Returns the kernels that ran so far, in order.
    pub fn kernel_runs(&self) -> &[KernelRun] {
        &self.runs
    }

    fn desc(&self, id: GlobalId) -> Result<&'a TensorDesc, DeviceError> {
        self.program.tensor(id).ok_or(DeviceError::Undeclared(id))
    }

    /// Allocates a tensor in DRAM and frees what had this id.
    fn allocate(&mut self, id: GlobalId) -> Result<(Pages, u64), DeviceError> {
        self.free(id);
        let pages = Pages::new(self.desc(id)?);
        let banks = u64::from(self.machine.arch().dram_banks());
        let needed = (pages.count() as u64).div_ceil(banks) * pages.page_bytes() as u64;
        let bank = self.allocator.bank_bytes();
        let base = self
            .allocator
            .allocate(needed)
            .ok_or(TensixError::OutOfMemory { id, needed, bank })?;
        self.slots[id as usize] = Some(Slot::Dram { pages, base });
        Ok((pages, base))
    }

    fn free(&mut self, id: GlobalId) {
        if let Some(Slot::Dram { base, .. }) = self.slots[id as usize].take() {
            self.allocator.free(base);
        }
    }

    /// Returns bank and offset of each page of a tensor.
    fn places(&self, pages: Pages, base: u64) -> impl Iterator<Item = (u32, u64)> {
        let banks = self.machine.arch().dram_banks();
        let size = pages.page_bytes() as u64;
        (0..pages.count() as u64).map(move |page| {
            (
                (page % u64::from(banks)) as u32,
                base + page / u64::from(banks) * size,
            )
        })
    }

    fn write_pages(
        &mut self,
        id: GlobalId,
        pages: Pages,
        base: u64,
        bytes: &[u8],
    ) -> Result<(), DeviceError> {
        for ((bank, offset), page) in self
            .places(pages, base)
            .zip(bytes.chunks_exact(pages.page_bytes()))
        {
            self.machine
                .dram()
                .write(bank, offset, page)
                .map_err(|error| TensixError::Dram { id, error })?;
        }
        Ok(())
    }

    fn read_pages(
        &mut self,
        id: GlobalId,
        pages: Pages,
        base: u64,
    ) -> Result<Vec<u8>, DeviceError> {
        let mut bytes = vec![0; pages.count() * pages.page_bytes()];
        for ((bank, offset), page) in self
            .places(pages, base)
            .zip(bytes.chunks_exact_mut(pages.page_bytes()))
        {
            self.machine
                .dram()
                .read(bank, offset, page)
                .map_err(|error| TensixError::Dram { id, error })?;
        }
        Ok(bytes)
    }

    /// Runs the group's kernel for this device.
    fn run_kernel(&mut self, loc: &str, group: &KernelOp) -> Result<(), DeviceError> {
        let outputs = &group.outputs;
        let (kernel, args) = kernel_for_device(self.binary, &group.kernels)?;
        check_elements(self.program, kernel, args)?;
        check_lookups(self.program, group, |id| self.read(id))?;
        for &id in outputs {
            if self.desc(id)?.memory == MemorySpace::System {
                return Err(TensixError::NotInDram {
                    kernel: kernel.name.clone(),
                    id,
                }
                .into());
            }
            let (pages, base) = self.allocate(id)?;
            if self.options.padding_canaries {
                let canaries = vec![CANARY; pages.count() * pages.page_bytes()];
                self.write_pages(id, pages, base, &canaries)?;
            }
        }
        let args = args
            .iter()
            .map(|&id| self.argument(kernel, id))
            .collect::<Result<Vec<_>, _>>()?;
        let limit = self.options.limit.unwrap_or(LIMIT);
        self.machine.set_limit(limit);
        let workers = match &kernel.body {
            KernelBody::Tensix(body) => vec![self
                .machine
                .run(&body.lists, &args, self.options.schedule_seed)
                .map_err(|trap| TensixError::Trap {
                    kernel: kernel.name.clone(),
                    trap: Box::new(trap),
                })?],
            KernelBody::TensixImages(body) => images::run(
                &mut self.machine,
                &kernel.name,
                body,
                &args,
                &self.options,
                (self.threads, limit),
            )?,
            _ => return Err(no_kernel(self.machine.arch())),
        };
        let mut stats = Stats::default();
        workers.iter().for_each(|worker| stats.add(worker));
        self.runs.push(KernelRun {
            arch: self.machine.arch(),
            kernel: kernel.name.clone(),
            loc: loc.to_owned(),
            phases: phases(&group.operations),
            stats,
            workers,
            timelines: self.machine.take_timelines(),
        });
        outputs.iter().try_for_each(|&id| self.check_padding(id))
    }

    fn argument(&self, kernel: &Kernel, id: GlobalId) -> Result<TensorArg, DeviceError> {
        match self.slots.get(id as usize).and_then(Option::as_ref) {
            Some(Slot::Dram { pages, base }) => Ok(TensorArg {
                base: *base,
                page_bytes: pages.page_bytes() as u32,
                pages: pages.count() as u32,
            }),
            Some(Slot::Host(_)) => Err(TensixError::NotInDram {
                kernel: kernel.name.clone(),
                id,
            }
            .into()),
            None => Err(DeviceError::Undefined(id)),
        }
    }

    fn check_padding(&mut self, id: GlobalId) -> Result<(), DeviceError> {
        let Some(Slot::Dram { pages, base }) = self.slots[id as usize] else {
            return Ok(());
        };
        if !pages.has_padding() {
            return Ok(());
        }
        let bytes = self.read_pages(id, pages, base)?;
        match pages.dirty_padding(&bytes) {
            None => Ok(()),
            Some((row, column, bits)) => Err(TensixError::Padding {
                id,
                row,
                column,
                bits,
            }
            .into()),
        }
    }
}

impl Device for TensixDevice<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn write(&mut self, id: GlobalId, tensor: Tensor) -> Result<(), DeviceError> {
        if self.desc(id)?.memory == MemorySpace::System {
            self.free(id);
            self.slots[id as usize] = Some(Slot::Host(tensor));
            return Ok(());
        }
        let (pages, base) = self.allocate(id)?;
        self.write_pages(id, pages, base, &pages.scatter(tensor.data()))
    }

    fn read(&mut self, id: GlobalId) -> Result<Tensor, DeviceError> {
        let desc = self.desc(id)?;
        match self.slots[id as usize] {
            None => Err(DeviceError::Undefined(id)),
            Some(Slot::Host(ref tensor)) => Ok(tensor.clone()),
            Some(Slot::Dram { pages, base }) => {
                let bytes = self.read_pages(id, pages, base)?;
                Ok(Tensor::new(
                    desc.shape.clone(),
                    desc.data_type,
                    pages.gather(&bytes),
                )?)
            }
        }
    }

    fn execute(&mut self, operation: &Operation) -> Result<(), DeviceError> {
        match &operation.op {
            Op::Kernel(group) => self
                .run_kernel(&operation.loc, group)
                .map_err(|error| relocate(self.binary, group, error)),
            Op::Tensor(op) => self.execute_tensor_op(op),
        }
    }

    fn save(&mut self) -> SavedTensors {
        SavedTensors::new(DramImage {
            dram: self.machine.dram().clone(),
            allocator: self.allocator.clone(),
            slots: self.slots.clone(),
        })
    }

    fn restore(&mut self, saved: &SavedTensors) -> Result<(), DeviceError> {
        let DramImage {
            dram,
            allocator,
            slots,
        } = saved.of_device()?;
        *self.machine.dram() = dram.clone();
        self.allocator = allocator.clone();
        self.slots = slots.clone();
        Ok(())
    }

    fn numerics(&self, _: &Operation) -> Numerics {
        numerics(self.machine.arch())
    }

    fn take_kernel_runs(&mut self) -> Option<Box<dyn KernelRuns>> {
        Some(Box::new(std::mem::take(&mut self.runs)))
    }
}

impl TensixDevice<'_> {
    /// Executes an operation of the host: creates, copies or frees tensors.
    fn execute_tensor_op(&mut self, op: &TensorOp) -> Result<(), DeviceError> {
        match (op.op.class, &op.inputs[..], &op.outputs[..]) {
            (Class::GetDevice, [], []) => Ok(()),
            (Class::Creation(Creation::Empty), [], &[out])
                if self.desc(out)?.memory != MemorySpace::System =>
            {
                self.allocate(out).map(|_| ())
            }
            (Class::Creation(creation), [], &[out]) => {
                let tensor = create(op, creation, self.desc(out)?)?;
                self.write(out, tensor)
            }
            (Class::Placement(_), &[input], &[out]) => {
                let tensor = self.read(input)?;
                self.write(out, tensor)
            }
            (Class::Deallocate, &[input], []) => {
                self.desc(input)?;
                self.free(input);
                Ok(())
            }
            _ => Err(DeviceError::NoKernel {
                op: op.op.name,
                pipeline: PIPELINE,
            }),
        }
    }
}

/// Returns the generation of the chip for which a file is compiled.
pub(super) fn arch(binary: &Binary) -> Result<Arch, TensixError> {
    let system = &binary.system_desc;
    system.tensix().ok_or_else(|| {
        let chips = system.chips.iter().map(|chip| chip.name());
        TensixError::NoTensix {
            chips: chips.collect::<Vec<_>>().join(" and "),
            devices: names_running(system),
        }
    })
}

fn no_kernel(arch: Arch) -> DeviceError {
    DeviceError::NoKernelInGroup {
        kernel: format!("kernel for {NAME} on {arch}"),
        remedy: "for that system".into(),
    }
}

/// Returns the kernel of a group that runs on the system of `binary`, and its arguments.
fn kernel_for_device<'a>(
    binary: &'a Binary,
    kernels: &'a [KernelRef],
) -> Result<(&'a Kernel, &'a [GlobalId]), DeviceError> {
    let arch = arch(binary)?;
    kernels
        .iter()
        .filter_map(|kernel_ref| {
            let kernel = binary.kernels.get(kernel_ref.kernel as usize)?;
            Some((kernel, &kernel_ref.args[..]))
        })
        .find(|(kernel, _)| kernel.target() == NAME && kernel.arch() == Some(arch))
        .ok_or_else(|| no_kernel(arch))
}

/// Checks that all arguments of a list kernel are bf16.
fn check_elements(
    program: &Program,
    kernel: &Kernel,
    args: &[GlobalId],
) -> Result<(), DeviceError> {
    if !matches!(kernel.body, KernelBody::Tensix(_)) {
        return Ok(());
    }
    let data_type = |id| program.tensor(id).map(|desc| desc.data_type);
    let mut types = args.iter().map(|&id| (id, data_type(id)));
    match types.find_map(|(id, found)| Some((id, found.filter(|t| *t != DataType::BF16)?))) {
        None => Ok(()),
        Some((id, data_type)) => Err(TensixError::ListElement {
            kernel: kernel.name.clone(),
            id,
            data_type,
        }
        .into()),
    }
}

/// Returns the number of fidelity phases of the products in a group; 0 if there are none.
fn phases(group: &[Operation]) -> u32 {
    let mut products = group.iter().filter_map(|operation| operation.op.product());
    let first = products.next();
    first.map_or(0, |product| product.math_fidelity().phases())
}

/// Checks that a tensor on the device is bf16, f32 or si32, and in DRAM.
fn check_tensor(id: GlobalId, desc: &TensorDesc) -> Result<(), DeviceError> {
    match (desc.memory, desc.data_type) {
        (MemorySpace::System, _)
        | (MemorySpace::Dram, DataType::BF16 | DataType::F32 | DataType::SI32) => Ok(()),
        (MemorySpace::Dram, data_type) => Err(TensixError::DataType { id, data_type }.into()),
        (memory @ MemorySpace::L1, _) => Err(DeviceError::Memory { id, memory }),
    }
}
