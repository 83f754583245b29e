//! Consistency of a program file beyond its structure.
//!
//! After [`Binary::validate`]: every id is declared, defined once before it is read, and not used after its
//! deallocation; every extent is positive and every tensor bounded; every operation's operands fit its result in
//! shape and data type; constants have as many bytes as their tensor; kernels exist, are distinct, name
//! arguments, semaphores, registers, L1 and instructions that there are, and get the arguments their group reads and writes;
//! tensors of an MN-Core kernel lie in DRAM as their layouts say, and no two in the same long words.

mod problem;

use std::collections::HashSet;

use tessera_isa_tensix::list::DmEntry;
use tessera_isa_tensix::Arch;
use tessera_ops::Domain;

use crate::groups;
use crate::shape;
use crate::{
    Binary, DataType, Function, GlobalId, Kernel, KernelBody, KernelRef, Matmul, MemorySpace,
    MoveKind, Op, Operation, Program, TensixLists, TensorDesc, UnaryKind,
};

pub use problem::{Problem, ValidateError};

/// Most dimensions a tensor may have.
pub const MAX_RANK: usize = 8;
/// Most bytes a tensor may have, without padding.
pub const MAX_TENSOR_BYTES: u64 = 1 << 31;

impl Binary {
    /// Checks the whole file.
    ///
    /// # Errors
    /// At the first contradiction.
    pub fn validate(&self) -> Result<(), ValidateError> {
        let mut contents = Vec::new();
        for (index, kernel) in self.kernels.iter().enumerate() {
            check_kernel(kernel, &mut contents)
                .map_err(|problem| problem.at(|| format!("kernel {index} ('{}')", kernel.name)))?;
        }
        let mut names = HashSet::new();
        for program in &self.programs {
            if !names.insert(&program.name) {
                return Err(Problem::DuplicateProgram.at(|| format!("program '{}'", program.name)));
            }
            check_program(program, &self.kernels)?;
        }
        Ok(())
    }
}

/// `contents` are the hashes of the kernels before this one.
fn check_kernel(kernel: &Kernel, contents: &mut Vec<crate::Digest>) -> Result<(), Problem> {
    let hash = kernel.hash();
    if let Some(other) = contents.iter().position(|other| *other == hash) {
        return Err(Problem::DuplicateKernel(other));
    }
    contents.push(hash);
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

fn check_program(program: &Program, kernels: &[Kernel]) -> Result<(), ValidateError> {
    let name = &program.name;
    for (id, desc) in program.tensors.iter().enumerate() {
        check_tensor(desc)
            .map_err(|problem| problem.at(|| format!("program '{name}', tensor {id}")))?;
    }
    let mut scope = Scope {
        program,
        kernels,
        defined: HashSet::new(),
        live: HashSet::new(),
        in_group: false,
    };
    for id in &program.inputs {
        scope
            .define(*id)
            .map_err(|problem| problem.at(|| format!("program '{name}', inputs")))?;
    }
    for (index, operation) in program.operations.iter().enumerate() {
        scope.check(operation).map_err(|problem| {
            problem.at(|| {
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
            .map_err(|problem| problem.at(|| format!("program '{name}', outputs")))?;
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

/// What an operation may name.
struct Scope<'a> {
    program: &'a Program,
    kernels: &'a [Kernel],
    /// Every tensor defined so far, here or in a group.
    defined: HashSet<GlobalId>,
    /// Those that can be read.
    live: HashSet<GlobalId>,
    in_group: bool,
}

impl<'a> Scope<'a> {
    fn desc(&self, id: GlobalId) -> Result<&'a TensorDesc, Problem> {
        self.program.tensor(id).ok_or(Problem::Undeclared(id))
    }

    /// The description of a tensor that is read.
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
        if self.in_group
            && matches!(
                op,
                Op::Kernel { .. } | Op::Deallocate { .. } | Op::GetDevice
            )
        {
            return Err(Problem::InGroup(op.name()));
        }
        match op {
            Op::Kernel {
                operations,
                outputs,
                kernels,
            } => return self.group(op, operations, outputs, kernels),
            Op::Deallocate { input } => {
                self.live.remove(input);
            }
            _ => self.check_result(op)?,
        }
        for id in op.outputs() {
            self.define(id)?;
        }
        Ok(())
    }

    /// Whether the operands of an operation other than a group fit its result.
    fn check_result(&self, op: &Op) -> Result<(), Problem> {
        match op {
            Op::GetDevice
            | Op::Empty { .. }
            | Op::Full { .. }
            | Op::Deallocate { .. }
            | Op::Kernel { .. } => Ok(()),
            Op::Constant { data, out } => {
                let desc = self.desc(*out)?;
                let (found, expected) = (
                    data.len() as u64,
                    desc.elements() * desc.data_type.size() as u64,
                );
                if found == expected {
                    Ok(())
                } else {
                    Err(Problem::ConstantSize { found, expected })
                }
            }
            Op::Matmul(matmul) => {
                let shape = self.matmul_shape(matmul)?;
                self.result(matmul.out, &shape, &[matmul.a, matmul.b])
            }
            Op::Linear { matmul, bias } => {
                let mut shape = self.matmul_shape(matmul)?;
                if let Some(bias) = bias {
                    shape = broadcast(&shape, &self.desc(*bias)?.shape)?;
                }
                self.result(matmul.out, &shape, &op.inputs())
            }
            Op::EltwiseBinary {
                kind,
                lhs,
                rhs,
                out,
            } => {
                self.domain(kind.name(), kind.domain(), *lhs)?;
                let shape = broadcast(&self.desc(*lhs)?.shape, &self.desc(*rhs)?.shape)?;
                if kind.is_predicate() {
                    self.same_type(*rhs, self.desc(*lhs)?.data_type)?;
                    return self.result(*out, &shape, &[]);
                }
                self.result(*out, &shape, &[*lhs, *rhs])
            }
            Op::EltwiseUnary { kind, input, out } => {
                self.domain(kind.name(), kind.domain(), *input)?;
                let same_type = match kind {
                    UnaryKind::LogicalNot => vec![],
                    _ => vec![*input],
                };
                self.result(*out, &self.desc(*input)?.shape, &same_type)
            }
            Op::Function {
                function,
                inputs,
                out,
            } => {
                let shapes = inputs.iter().map(|id| Ok(&self.desc(*id)?.shape[..]));
                let shapes = shapes.collect::<Result<Vec<_>, Problem>>()?;
                if let (Function::Softmax { .. }, [input]) = (function, &inputs[..]) {
                    self.domain(function.name(), Domain::Float, *input)?;
                }
                self.result(*out, &function.shape(&shapes)?, function.values(inputs))
            }
            Op::Move { kind, input, out } => {
                self.check_move(*kind, *input, *out)?;
                self.result(*out, &self.desc(*input)?.shape, &[*input])
            }
            Op::Typecast { input, out } => self.result(*out, &self.desc(*input)?.shape, &[]),
        }
    }

    fn matmul_shape(&self, matmul: &Matmul) -> Result<Vec<u64>, Problem> {
        let (a, b) = (self.desc(matmul.a)?, self.desc(matmul.b)?);
        Ok(shape::matmul(&a.shape, &b.shape, matmul.transpose_a, matmul.transpose_b)?.result)
    }

    /// The result has `shape`, and the data type of each of `same_type`.
    fn result(&self, out: GlobalId, shape: &[u64], same_type: &[GlobalId]) -> Result<(), Problem> {
        let desc = self.desc(out)?;
        if desc.shape != shape {
            return Err(Problem::ResultShape {
                found: desc.shape.clone(),
                expected: shape.to_vec(),
            });
        }
        let mut same = same_type.iter();
        same.try_for_each(|&id| self.same_type(id, desc.data_type))
    }

    fn same_type(&self, id: GlobalId, expected: DataType) -> Result<(), Problem> {
        let found = self.desc(id)?.data_type;
        if found == expected {
            return Ok(());
        }
        Err(Problem::DataType {
            id,
            found,
            expected,
        })
    }

    /// A function can be computed of the elements of a tensor.
    fn domain(&self, name: &'static str, takes: Domain, id: GlobalId) -> Result<(), Problem> {
        let data_type = self.desc(id)?.data_type;
        let has = match data_type {
            DataType::BF16 | DataType::F32 => takes != Domain::Integer,
            DataType::SI32 => takes != Domain::Float,
            DataType::UI32 | DataType::UI16 | DataType::UI8 => takes == Domain::Any,
        };
        if has {
            Ok(())
        } else {
            Err(Problem::Domain { name, data_type })
        }
    }

    fn check_move(&self, kind: MoveKind, input: GlobalId, out: GlobalId) -> Result<(), Problem> {
        let (from, to) = (self.desc(input)?.memory, self.desc(out)?.memory);
        let on_host = |memory| memory == MemorySpace::System;
        let possible = match kind {
            MoveKind::ToLayout => true,
            MoveKind::ToDevice => on_host(from) && !on_host(to),
            MoveKind::FromDevice => !on_host(from) && on_host(to),
            MoveKind::ToMemoryConfig => !on_host(from) && !on_host(to),
        };
        if possible {
            Ok(())
        } else {
            Err(Problem::Memory { kind, from, to })
        }
    }

    fn group(
        &mut self,
        op: &Op,
        operations: &[Operation],
        outputs: &[GlobalId],
        kernels: &[KernelRef],
    ) -> Result<(), Problem> {
        self.in_group = true;
        for operation in operations {
            self.check(operation)?;
        }
        self.in_group = false;
        // Nothing is deallocated in a group, so what its operations define is all that it adds.
        let mut local: HashSet<_> = operations
            .iter()
            .flat_map(|operation| operation.op.outputs())
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

    /// Target and architecture of the kernel, if its arguments fit the group.
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
        if written != group_outputs {
            return Err(Problem::KernelOutputs {
                kernel: *index,
                found: written.to_vec(),
                expected: group_outputs.to_vec(),
            });
        }
        for (&id, tensor) in args.iter().zip(kernel.tensor_types().unwrap_or_default()) {
            if !groups::is(&tensor, self.desc(id)?) {
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

fn broadcast(a: &[u64], b: &[u64]) -> Result<Vec<u64>, Problem> {
    shape::broadcast(a, b).ok_or_else(|| Problem::Broadcast(a.to_vec(), b.to_vec()))
}
