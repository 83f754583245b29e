//! Validation of program files beyond their structure.
//!
//! [`Binary::validate`] ensures:
//!
//! * The system has chips, at most one of each family.
//! * Every id is declared, defined once before it is read, and not used after its deallocation.
//! * Every extent is positive, and the size of every tensor is bounded.
//! * The operands of every operation fit its result in shape and data type.
//! * Constants have as many bytes as their tensor.
//! * Cached calls name private programs, pass inputs of the calling program, and define tensors
//!   like the results. Such a program makes no calls and keeps its inputs.
//! * Kernels exist, are distinct, and get the arguments that their group reads and writes. They
//!   only name arguments, semaphores, registers, L1 and instructions that exist.
//! * Tensors of an MN-Core kernel lie in DRAM as their layouts specify, and no two share a long
//!   word.

mod cached_call;
mod problem;
mod tensor_op;

use std::collections::{HashMap, HashSet};

use tessera_isa_tensix::list::DmEntry;
use tessera_isa_tensix::Arch;
use tessera_ops::Class;

use crate::groups;
use crate::{
    Binary, GlobalId, Kernel, KernelBody, KernelOp, KernelRef, Op, Operation, Program, SystemDesc,
    TensixLists, TensorDesc,
};

pub use problem::{Problem, ValidateError};

/// The greatest number of dimensions of a tensor.
pub const MAX_RANK: usize = 8;
/// The greatest size of a tensor in bytes, without padding.
pub const MAX_TENSOR_BYTES: u64 = 1 << 31;

impl Binary {
    /// Checks the whole file.
    ///
    /// # Errors
    /// At the first contradiction.
    pub fn validate(&self) -> Result<(), ValidateError> {
        check_system(&self.system_desc)
            .map_err(|problem| problem.with_place(|| "system description".into()))?;
        let mut contents = HashMap::new();
        for (index, kernel) in self.kernels.iter().enumerate() {
            check_kernel(kernel, &mut contents).map_err(|problem| {
                problem.with_place(|| format!("kernel {index} ('{}')", kernel.name))
            })?;
        }
        let mut names = HashSet::new();
        for program in &self.programs {
            if !names.insert(&program.name) {
                return Err(
                    Problem::DuplicateProgram.with_place(|| format!("program '{}'", program.name))
                );
            }
            check_program(program, &self.kernels, &self.programs)?;
        }
        Ok(())
    }
}

fn check_system(system: &SystemDesc) -> Result<(), Problem> {
    let chips = &system.chips;
    if chips.is_empty() {
        return Err(Problem::NoChip);
    }
    let mut later = chips.iter().enumerate();
    let alike = later.find(|(number, chip)| chips[..*number].iter().any(|c| c.is_alike(**chip)));
    alike.map_or(Ok(()), |(_, chip)| Err(Problem::AlikeChips(*chip)))
}

/// Checks a kernel. `contents` maps the hashes of previous kernels to their indices.
fn check_kernel(
    kernel: &Kernel,
    contents: &mut HashMap<crate::Digest, usize>,
) -> Result<(), Problem> {
    let number = contents.len();
    if let Some(other) = contents.insert(kernel.hash(), number) {
        return Err(Problem::DuplicateKernel(other));
    }
    match &kernel.body {
        KernelBody::Tensix(lists) => check_lists(lists),
        KernelBody::TensixImages(images) => images.check(),
        KernelBody::Pto(groups) => groups.check(),
        KernelBody::Mncore(program) => program.check(),
    }
}

fn check_lists(kernel: &TensixLists) -> Result<(), Problem> {
    let (used, size) = (kernel.l1_end, kernel.arch.l1_bytes());
    if used > size {
        return Err(Problem::L1 { used, size });
    }
    for (list, entries) in kernel.lists.threads() {
        for (entry, e) in entries.iter().enumerate() {
            e.check().map_err(|problem| Problem::Entry {
                entry,
                list,
                problem,
            })?;
        }
    }
    let args = usize::from(kernel.inputs) + usize::from(kernel.outputs);
    for (entry, dm) in kernel.lists.dm.iter().enumerate() {
        if let DmEntry::Read { arg, .. } | DmEntry::Write { arg, .. } = *dm {
            if usize::from(arg) >= args {
                return Err(Problem::KernelArgument { entry, arg, args });
            }
        }
    }
    Ok(())
}

fn check_program(
    program: &Program,
    kernels: &[Kernel],
    programs: &[Program],
) -> Result<(), ValidateError> {
    let name = &program.name;
    for (id, desc) in program.tensors.iter().enumerate() {
        check_tensor(desc)
            .map_err(|problem| problem.with_place(|| format!("program '{name}', tensor {id}")))?;
    }
    let mut scope = Scope {
        program,
        kernels,
        defined: HashSet::new(),
        live: HashSet::new(),
        in_group: false,
        added: 0,
    };
    for id in &program.inputs {
        scope
            .define(*id)
            .map_err(|problem| problem.with_place(|| format!("program '{name}', inputs")))?;
    }
    for call in &program.cached {
        scope.check_call(call, programs).map_err(|problem| {
            problem.with_place(|| format!("program '{name}', call of '{}'", call.program))
        })?;
    }
    for (index, operation) in program.operations.iter().enumerate() {
        scope.check(operation).map_err(|problem| {
            problem.with_place(|| {
                format!(
                    "program '{name}', operation {index} ({})",
                    operation.op.name()
                )
            })
        })?;
    }
    for id in &program.outputs {
        scope
            .read(*id)
            .map_err(|problem| problem.with_place(|| format!("program '{name}', outputs")))?;
    }
    Ok(())
}

fn check_tensor(desc: &TensorDesc) -> Result<(), Problem> {
    let shape = || desc.shape.clone();
    if desc.shape.len() > MAX_RANK {
        return Err(Problem::Rank(desc.shape.len()));
    }
    if desc.shape.contains(&0) {
        return Err(Problem::ZeroExtent(shape()));
    }
    desc.shape
        .iter()
        .try_fold(desc.data_type.size() as u64, |bytes, extent| {
            bytes.checked_mul(*extent)
        })
        .filter(|bytes| *bytes <= MAX_TENSOR_BYTES)
        .map(|_| ())
        .ok_or_else(|| Problem::TooLarge(shape()))
}

/// The tensors that an operation may refer to.
struct Scope<'a> {
    program: &'a Program,
    kernels: &'a [Kernel],
    /// Tensors defined so far, here or in a group.
    defined: HashSet<GlobalId>,
    /// Tensors that can be read.
    live: HashSet<GlobalId>,
    in_group: bool,
    /// The number of operations and tensors of the programs called so far.
    added: usize,
}

impl<'a> Scope<'a> {
    fn desc(&self, id: GlobalId) -> Result<&'a TensorDesc, Problem> {
        self.program.tensor(id).ok_or(Problem::Undeclared(id))
    }

    /// Returns the description of a tensor that is read.
    fn read(&self, id: GlobalId) -> Result<&'a TensorDesc, Problem> {
        let desc = self.desc(id)?;
        if self.live.contains(&id) {
            Ok(desc)
        } else {
            Err(Problem::NotLive(id))
        }
    }

    fn define(&mut self, id: GlobalId) -> Result<&'a TensorDesc, Problem> {
        let desc = self.desc(id)?;
        if !self.defined.insert(id) {
            return Err(Problem::Redefined(id));
        }
        self.live.insert(id);
        Ok(desc)
    }

    fn check(&mut self, operation: &Operation) -> Result<(), Problem> {
        let op = &operation.op;
        for id in op.inputs() {
            self.read(id)?;
        }
        let class = op.as_tensor().map(|op| op.op.class);
        let may_be_grouped = !matches!(class, None | Some(Class::Deallocate | Class::GetDevice));
        if self.in_group && !may_be_grouped {
            return Err(Problem::InGroup(op.name()));
        }
        match op {
            Op::Kernel(group) => return self.group(op, group),
            Op::Tensor(op) => tensor_op::check(self.program, op)?,
        }
        if class.is_some_and(|class| matches!(class, Class::Deallocate)) {
            for id in op.inputs() {
                self.live.remove(&id);
            }
        }
        for &id in op.outputs() {
            self.define(id)?;
        }
        Ok(())
    }

    fn group(&mut self, op: &Op, group: &KernelOp) -> Result<(), Problem> {
        let KernelOp {
            operations,
            outputs,
            kernels,
        } = group;
        self.in_group = true;
        for operation in operations {
            self.check(operation)?;
        }
        self.in_group = false;
        // Nothing is deallocated in a group, so what its operations define is all that it adds.
        let mut local: HashSet<_> = operations
            .iter()
            .flat_map(|operation| operation.op.outputs().to_vec())
            .collect();
        if let Some(id) = outputs.iter().find(|id| !local.remove(id)) {
            return Err(Problem::NotLive(*id));
        }
        for id in local {
            self.live.remove(&id);
        }
        let captured = op.inputs();
        let mut targets = HashSet::new();
        for kernel in kernels {
            let (target, arch) = self.check_kernel_ref(kernel, &captured, outputs)?;
            if !targets.insert((target, arch)) {
                return Err(Problem::DuplicateTarget { target, arch });
            }
        }
        Ok(())
    }

    /// Checks the arguments of a kernel; returns its target and architecture.
    fn check_kernel_ref(
        &self,
        KernelRef {
            kernel: index,
            args,
        }: &KernelRef,
        captured: &[GlobalId],
        group_outputs: &[GlobalId],
    ) -> Result<(&'static str, Option<Arch>), Problem> {
        let kernel = self
            .kernels
            .get(*index as usize)
            .ok_or(Problem::NoKernel(*index))?;
        let (inputs, outputs) = kernel.arity();
        if args.len() != inputs + outputs {
            return Err(Problem::Arity {
                kernel: *index,
                inputs,
                outputs,
                args: args.len(),
            });
        }
        let (read, written) = args.split_at(inputs);
        if let Some(id) = read.iter().find(|id| !captured.contains(id)) {
            return Err(Problem::KernelInput {
                kernel: *index,
                id: *id,
            });
        }
        let mut results = written.to_vec();
        if matches!(kernel.body, KernelBody::Mncore(_)) {
            // A result may be written in several views.
            results.dedup();
        }
        if results != group_outputs {
            return Err(Problem::KernelOutputs {
                kernel: *index,
                found: written.to_vec(),
                expected: group_outputs.to_vec(),
            });
        }
        for (&id, tensor) in args.iter().zip(kernel.tensor_types().unwrap_or_default()) {
            if !groups::matches_tensor(&tensor, self.desc(id)?) {
                return Err(Problem::KernelTensor {
                    kernel: *index,
                    id,
                    tensor: tensor.to_string(),
                });
            }
        }
        Ok((kernel.target(), kernel.arch()))
    }
}
