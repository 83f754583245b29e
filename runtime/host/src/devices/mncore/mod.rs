//! The device that runs kernels on the model of MN-Core 2.
//!
//! The host keeps the tensors. For each kernel it puts the arguments that are read into the DRAM of
//! the four groups, as their layouts say, runs the kernel on a whole board in its initial state,
//! and takes the results out of DRAM. Everything else that moves data (`to_device`, `constant`,
//! `full`, …) it does itself; what computes runs as a kernel or is an error.
//!
//! An argument may be a view: a box of a tensor's elements. Kernels that move elements read boxes
//! and write boxes, of which the host puts the result together.
//!
//! A tensor stays in DRAM, with its padding, if the next kernel expects it in the same place and
//! layout. Otherwise the host converts the layout and counts the bytes ([`Moved`]). Padding that
//! the host writes is zero, or repeats the last element, as the layout says.
//!
//! Numbers: an element of bf16 that is stored as a single is the single of the same value, and a
//! result of bf16 that comes as a single is rounded to nearest, ties to even. The chip has no NaN:
//! one in an argument is an error, and a result with all bits of the exponent set is an infinity,
//! whatever its mantissa.
//!
//! Checked: results are written, every element of them but integers, which may be anything. Not
//! checked: whether a kernel computes what its operations say; comparing with the reference does
//! that. Nor whether it reads on the chip what it has not written;
//! [`MncoreOptions::memory_canaries`] shows that.

mod arguments;
mod check;
mod error;
mod figures;
mod info;
mod launch;
mod numerics;
mod packed;
mod statistics;
mod tensors;
mod trace;

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::Arc;

use tessera_isa_mncore::layout::Image;
use tessera_isa_mncore::memory::Precision;
pub use tessera_mncore::machine::Model;
use tessera_mncore::undetermined::Point;
pub use tessera_mncore::undetermined::UndeterminedPolicy;
use tessera_ops::Class;
use tessera_program::{
    Binary, GlobalId, KernelBody, KernelRef, MncoreProgram, MncoreTensor, Op, Operation, Program,
    TensorDesc,
};
use tessera_reference::{execute, Tensor};

use crate::device::SavedTensors;
use crate::device_info::KernelRuns;
use crate::golden::numerics::Numerics;
use crate::locations::relocate;
use crate::{Device, DeviceError};
use arguments::Assembly;
pub use check::check;
use check::{executes_on_host, is_done_by_host};
pub use error::MncoreError;
pub use figures::Figures;
pub use info::INFO;
pub use launch::Launch;
use launch::{Launcher, SharedLaunches};
pub use numerics::numerics;
use packed::PackedTensors;
use tensors::{HostTensors, Unread};
pub use trace::write_trace;

/// Its name.
pub const NAME: &str = "mncore";

/// The pipeline that generates kernels for this device.
pub(crate) const PIPELINE: &str = "--ttir-to-mncore-pipeline";

/// How to run kernels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MncoreOptions {
    /// The model that executes; the results are the same for all.
    pub model: Model,
    /// Number of host threads; `None` for one per processor. The results are the same.
    pub threads: Option<NonZero<usize>>,
    /// The policy for results that the manual does not determine.
    pub undetermined: UndeterminedPolicy,
    /// Limit on the number of steps of a kernel.
    pub limit_steps: Option<u64>,
    /// Whether memories on the chip are filled with 1e9 before a kernel, so that reads of unwritten
    /// data are detected. On a chip they hold data of previous kernels. Otherwise they are empty.
    pub memory_canaries: bool,
}

/// One run of a kernel.
#[derive(Debug, Clone)]
pub struct MncoreKernelRun {
    /// Name of the kernel.
    pub kernel: String,
    /// Its number in the file.
    pub index: u32,
    /// Location of the operation that it ran for.
    pub loc: String,
    /// Statistics of the run.
    pub launch: Launch,
    /// Bytes that the host moved for it.
    pub moved: Moved,
}

/// Bytes of DRAM that the host wrote for a kernel and read after it, including padding and
/// replicas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moved {
    /// Arguments that the host holds.
    pub packed: u64,
    /// Arguments that another kernel left at another address or in another layout.
    pub relayout: u64,
    /// Results.
    pub unpacked: u64,
}

/// A tensor in DRAM.
#[derive(Clone)]
struct Resident {
    id: GlobalId,
    /// Where, and what.
    tensor: MncoreTensor,
    /// Its long words.
    image: Arc<Image>,
}

/// A board, and the host that drives it.
pub struct MncoreDevice<'a> {
    binary: &'a Binary,
    program: &'a Program,
    launcher: Launcher,
    tensors: HostTensors,
    /// Tensors in DRAM, in each layout in which a kernel read or wrote them.
    resident: Vec<Resident>,
    /// Tensors that kernels computed.
    made: HashSet<GlobalId>,
    /// Packed tensors that this run shares with others.
    packed: Arc<PackedTensors>,
    runs: Vec<MncoreKernelRun>,
}

/// The tensors of a device, as [`Device::save`] returns them.
struct HostState {
    tensors: HostTensors,
    resident: Vec<Resident>,
    made: HashSet<GlobalId>,
    packed: Arc<PackedTensors>,
    launches: Arc<SharedLaunches>,
}

impl<'a> MncoreDevice<'a> {
    /// Returns a device for one run of `program`.
    pub fn new(binary: &'a Binary, program: &'a Program, options: MncoreOptions) -> Self {
        Self {
            binary,
            program,
            launcher: Launcher::new(options),
            tensors: HostTensors::default(),
            resident: Vec::new(),
            made: HashSet::new(),
            packed: Arc::new(PackedTensors::new([])),
            runs: Vec::new(),
        }
    }

    /// Returns the kernels that ran so far, in order.
    pub fn kernel_runs(&self) -> &[MncoreKernelRun] {
        &self.runs
    }

    fn desc(&self, id: GlobalId) -> Result<&'a TensorDesc, DeviceError> {
        self.program.tensor(id).ok_or(DeviceError::Undeclared(id))
    }

    /// Runs the group's kernel for this device.
    fn run_kernel(&mut self, loc: &str, kernels: &[KernelRef]) -> Result<(), DeviceError> {
        let (index, body, args) = kernel_for_device(self.binary, kernels)?;
        let kernel = &self.binary.kernels[index as usize];
        let name = &kernel.name;
        let arguments = || args.iter().copied().zip(&body.tensors);
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let mut moved = Moved::default();
        for (id, argument) in arguments().take(body.inputs.into()) {
            inputs.push(match self.there(id, argument) {
                Some(image) => image,
                None => self.bring(name, id, argument, &mut moved)?,
            });
        }
        for (id, argument) in arguments().skip(body.inputs.into()) {
            outputs.push(arguments::unwritten(name, id, argument)?);
        }
        let launcher = &mut self.launcher;
        let launch = launcher.launch((index, name), body, &inputs, &mut outputs)?;
        let outputs: Vec<_> = outputs.into_iter().map(Arc::new).collect();
        moved.unpacked = outputs.iter().map(|image| arguments::bytes(image)).sum();
        let results: Vec<_> = arguments().skip(body.inputs.into()).zip(&outputs).collect();
        for parts in results.chunk_by(|one, other| one.0 .0 == other.0 .0) {
            self.take_result(name, parts)?;
        }
        let images = inputs.into_iter().chain(outputs);
        for ((id, argument), image) in arguments().zip(images) {
            self.settle(id, argument, image);
        }
        self.runs.push(MncoreKernelRun {
            kernel: name.clone(),
            index,
            loc: loc.to_owned(),
            launch,
            moved,
        });
        Ok(())
    }

    /// Takes a result of a kernel, in one or more parts.
    fn take_result(
        &mut self,
        kernel: &str,
        parts: &[((GlobalId, &MncoreTensor), &Arc<Image>)],
    ) -> Result<(), DeviceError> {
        let Some(&((id, _), _)) = parts.first() else {
            return Ok(());
        };
        let desc = self.desc(id)?;
        self.made.insert(id);
        match parts {
            [((_, argument), image)]
                if argument.view.is_none() && arguments::is_written(argument, image) =>
            {
                let unread = Unread {
                    kernel: kernel.to_owned(),
                    argument: (*argument).clone(),
                    desc: desc.clone(),
                    image: Arc::clone(image),
                };
                self.tensors.set_unread(id, unread);
                return Ok(());
            }
            _ => {}
        }
        let mut result = Assembly::new(id);
        for ((_, argument), image) in parts {
            result.add(kernel, argument, image)?;
        }
        self.tensors.set(id, result.finish(kernel, desc)?);
        Ok(())
    }

    /// Returns the content of DRAM where a kernel reads an argument, if it is the argument.
    fn there(&self, id: GlobalId, argument: &MncoreTensor) -> Option<Arc<Image>> {
        let mut resident = self.resident.iter();
        let found = resident.find(|there| there.id == id && there.tensor == *argument);
        found.map(|there| Arc::clone(&there.image))
    }

    /// Lays out an argument for a kernel, and counts its bytes.
    fn bring(
        &mut self,
        kernel: &str,
        id: GlobalId,
        argument: &MncoreTensor,
        moved: &mut Moved,
    ) -> Result<Arc<Image>, DeviceError> {
        let tensors = &mut self.tensors;
        let pack = || arguments::pack(kernel, id, argument, tensors.get(id)?);
        let image = self.packed.image(id, argument, pack)?;
        let counted = if self.made.contains(&id) {
            &mut moved.relayout
        } else {
            &mut moved.packed
        };
        *counted += arguments::bytes(&image);
        Ok(image)
    }

    /// Records that a tensor is resident in DRAM; tensors that it overwrites are no longer
    /// resident.
    fn settle(&mut self, id: GlobalId, argument: &MncoreTensor, image: Arc<Image>) {
        self.resident
            .retain(|there| there.tensor.find_overlap(argument).is_none());
        self.resident.push(Resident {
            id,
            tensor: argument.clone(),
            image,
        });
    }

    /// Records that a tensor is no longer resident.
    fn forget(&mut self, id: GlobalId) {
        self.resident.retain(|there| there.id != id);
        self.made.remove(&id);
    }
}

impl Device for MncoreDevice<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn write(&mut self, id: GlobalId, tensor: Tensor) -> Result<(), DeviceError> {
        self.forget(id);
        self.tensors.set(id, tensor);
        Ok(())
    }

    fn read(&mut self, id: GlobalId) -> Result<Tensor, DeviceError> {
        self.tensors.get(id).cloned()
    }

    fn execute(&mut self, operation: &Operation) -> Result<(), DeviceError> {
        match &operation.op {
            Op::Kernel(group) if executes_on_host(group) => {
                let ids = group.operations.iter().flat_map(|one| one.op.inputs());
                let values = self.tensors.converted(ids)?;
                for operation in &group.operations {
                    execute(self.program, operation, values)?;
                }
                Ok(())
            }
            Op::Kernel(group) => self
                .run_kernel(&operation.loc, &group.kernels)
                .map_err(|error| relocate(self.binary, group, error)),
            op if op.is_arithmetic() && !is_done_by_host(op) => Err(DeviceError::NoKernel {
                op: op.name(),
                pipeline: PIPELINE,
            }),
            Op::Tensor(op) if matches!(op.op.class, Class::Deallocate) => {
                for id in &op.inputs {
                    self.forget(*id);
                    self.tensors.remove(*id)?;
                }
                Ok(())
            }
            op => {
                let values = self.tensors.converted(op.inputs())?;
                Ok(execute(self.program, operation, values)?)
            }
        }
    }

    fn save(&mut self) -> SavedTensors {
        let ids = 0..self.program.tensors.len() as GlobalId;
        let held = ids.filter(|id| self.tensors.contains(*id));
        SavedTensors::new(HostState {
            tensors: self.tensors.clone(),
            resident: self.resident.clone(),
            made: self.made.clone(),
            packed: Arc::new(PackedTensors::new(held)),
            launches: self.launcher.shared(),
        })
    }

    fn restore(&mut self, saved: &SavedTensors) -> Result<(), DeviceError> {
        let HostState {
            tensors,
            resident,
            made,
            packed,
            launches,
        } = saved.of_device()?;
        self.tensors = tensors.clone();
        self.launcher.share(launches);
        self.resident = resident.clone();
        self.made = made.clone();
        self.packed = Arc::clone(packed);
        Ok(())
    }

    /// Products are of the precision of the kernel: of several, the least.
    fn numerics(&self, operation: &Operation) -> Numerics {
        let precision = || {
            let group = operation.op.as_kernel()?;
            let (_, body, _) = kernel_for_device(self.binary, &group.kernels).ok()?;
            body.precision()
        };
        numerics(precision().unwrap_or(Precision::Pseudo))
    }

    fn take_kernel_runs(&mut self) -> Option<Box<dyn KernelRuns>> {
        Some(Box::new(std::mem::take(&mut self.runs)))
    }
}

/// Returns the number of the kernel among a group's that runs on this device, its program, and its
/// arguments.
fn kernel_for_device<'a, 'k>(
    binary: &'a Binary,
    kernels: &'k [KernelRef],
) -> Result<(u32, &'a MncoreProgram, &'k [GlobalId]), DeviceError> {
    let mut found = kernels.iter().filter_map(|reference| {
        let kernel = binary.kernels.get(reference.kernel as usize)?;
        match &kernel.body {
            KernelBody::Mncore(body) => Some((reference.kernel, body, &reference.args[..])),
            _ => None,
        }
    });
    found.next().ok_or_else(|| DeviceError::NoKernelInGroup {
        kernel: format!("kernel for {NAME}"),
        remedy: format!("with ttmlir-opt {PIPELINE}"),
    })
}

impl MncoreKernelRun {
    /// Returns the undetermined points of the manual on which the results depend.
    pub fn marks(&self) -> impl Iterator<Item = &'static Point> {
        self.launch.marks.iter().map(|point| point.point())
    }
}
