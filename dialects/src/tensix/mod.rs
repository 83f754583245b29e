//! The tensix dialect: conversion between its operations and the entries of
//! [`tessera_isa_tensix::list`].
//!
//! An instruction operation is named after its row of the instruction table, in lower case, and has
//! an attribute per operand. The other operations are entries that a RISC-V core executes itself.
//! Both directions of the conversion are here, so that passes and translation agree.
//!
//! [`program`] is the other form of a kernel, with control flow; a [`cluster`] is a set of programs
//! that run together; an [`alias`] declares that code implements another kernel.
//!
//! Checked by the verifiers: operands fit their fields; an operation is in a list of the right
//! kind. Not checked: properties that depend on execution.

pub mod alias;
pub mod cluster;
pub mod program;

use crate::mlir::attribute_key::Int;
use crate::mlir::{
    At, Attribute, AttributeKey, AttributeValue, Location, NamedOp, NewOp, Op, OpView, Region,
    Rewriter,
};
use crate::pto::FuncOp;
use crate::verify::{declared, Verifier};
pub use crate::views::tensix::*;
use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::{Arch, Field, Instruction, Row};

/// The index of the data-movement region, which follows those of the threads.
const DM_REGION: usize = 3;

/// Operations of a thread's RISC-V core other than pushes, in lists and programs.
const THREAD_OPS: [&str; 6] = [
    StoreMopCfgOp::NAME,
    WaitMopOp::NAME,
    WaitIdleOp::NAME,
    StoreSemPostOp::NAME,
    StoreSemGetOp::NAME,
    PollSemOp::NAME,
];
/// Operations that are allowed in lists only.
const LIST_OPS: [&str; 3] = [WaitOp::NAME, ReadOp::NAME, WriteOp::NAME];

/// Returns the verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    let known = row(name).is_some()
        || THREAD_OPS.contains(&name)
        || LIST_OPS.contains(&name)
        || program::OPS.contains(&name);
    match name {
        KernelOp::NAME => Some(|op| verify_kernel(KernelOp::view(op))),
        ProgramOp::NAME => Some(|op| program::verify(ProgramOp::view(op))),
        ClusterOp::NAME => Some(|op| cluster::verify(ClusterOp::view(op))),
        AliasOp::NAME => Some(|op| alias::verify(AliasOp::view(op))),
        _ if known || name == PostOp::NAME => Some(verify_entry),
        _ => None,
    }
}

/// Returns the row of the instruction that an operation is.
fn row(name: &str) -> Option<&'static Row> {
    Row::by_mnemonic(name.strip_prefix("tensix.")?)
}

/// Returns whether an operation is an instruction, all operands of which are constants.
pub fn is_instruction(op: Op) -> bool {
    row(op.name()).is_some()
}

/// Checks that the kernel exists that compiled code implements.
fn require_implemented(compiled: CompiledOp) -> Result<(), String> {
    let implements = compiled.implements().unwrap_or_default();
    match compiled.beside::<FuncOp>(implements) {
        Some(_) => Ok(()),
        None => Err(format!(
            "implements @{implements}, but no 'pto.func' beside it has this name"
        )),
    }
}

fn verify_kernel(kernel: KernelOp) -> Result<(), String> {
    let arch = kernel.arch().unwrap_or_default();
    arch.parse::<Arch>().map_err(|error| error.to_string())?;
    let arguments = number(*kernel, KernelOp::ARGUMENTS)?;
    for entry in kernel.dm_region().map(children).unwrap_or_default() {
        if let Ok(DmEntry::Read { arg, .. } | DmEntry::Write { arg, .. }) = dm_entry(entry) {
            if u32::from(arg) >= arguments {
                return Err(format!("moves argument {arg}, but has only {arguments}"));
            }
        }
    }
    Ok(())
}

fn verify_entry(op: Op) -> Result<(), String> {
    if let Some(place) = program::Position::find(op) {
        return program::verify_op(op, place);
    }
    let parent = op.parent().and_then(Op::dyn_cast::<KernelOp>);
    let Some(kernel) = parent else {
        return Err(
            "expects to be in a list of a 'tensix.kernel', or inside a 'tensix.program'".into(),
        );
    };
    if program::OPS.contains(&op.name()) {
        return Err("is in a list of a 'tensix.kernel', but belongs to a 'tensix.program'".into());
    }
    let dm = kernel
        .dm_region()
        .and_then(|region| region.blocks().into_iter().next());
    if op.block() == dm {
        dm_entry(op).map(drop)
    } else {
        entry(op).map(drop)
    }
}

fn children(region: Region) -> Vec<Op> {
    region
        .blocks()
        .into_iter()
        .flat_map(|block| block.ops())
        .collect()
}

/// Returns the four lists of a `tensix.kernel`.
///
/// # Errors
/// The first operation in a wrong list, and the reason.
pub fn lists<'a>(kernel: KernelOp<'a>) -> Result<Lists, (Op<'a>, String)> {
    let thread = |region: Option<Region<'a>>| -> Result<Vec<Entry>, (Op<'a>, String)> {
        let ops = region.map(children).unwrap_or_default().into_iter();
        ops.map(|op| entry(op).map_err(|error| (op, error)))
            .collect()
    };
    let dm = kernel.dm_region().map(children).unwrap_or_default();
    Ok(Lists {
        unpack: thread(kernel.unpack_region())?,
        math: thread(kernel.math_region())?,
        pack: thread(kernel.pack_region())?,
        dm: dm
            .into_iter()
            .map(|op| dm_entry(op).map_err(|error| (op, error)))
            .collect::<Result<_, _>>()?,
    })
}

/// Converts an operation to an entry of a thread's list.
///
/// # Errors
/// The error message of the verifier.
pub fn entry(op: Op) -> Result<Entry, String> {
    if let Some(row) = row(op.name()) {
        return instruction(op, row).map(Entry::Push);
    }
    Ok(match op.name() {
        StoreMopCfgOp::NAME => Entry::MopCfg {
            index: below(op, StoreMopCfgOp::INDEX, 9)? as u8,
            value: number(op, StoreMopCfgOp::VALUE)?,
        },
        WaitMopOp::NAME => Entry::WaitMop,
        WaitIdleOp::NAME => Entry::WaitIdle,
        StoreSemPostOp::NAME => Entry::SemPost(below(op, StoreSemPostOp::SEMAPHORE, 8)? as u8),
        StoreSemGetOp::NAME => Entry::SemGet(below(op, StoreSemGetOp::SEMAPHORE, 8)? as u8),
        PollSemOp::NAME => Entry::SemPoll {
            sem: below(op, PollSemOp::SEMAPHORE, 8)? as u8,
            at_least: below(op, PollSemOp::AT_LEAST, 16)? as u8,
        },
        PostOp::NAME => Entry::Post {
            counter: counter(op, PostOp::COUNTER)?,
        },
        WaitOp::NAME => Entry::Wait {
            counter: counter(op, WaitOp::COUNTER)?,
            at_least: number(op, WaitOp::AT_LEAST)?,
        },
        _ => return Err("is in a thread's list, but only data movement can execute it".into()),
    })
}

/// Returns the word of an instruction.
fn instruction(op: Op, row: &Row) -> Result<u32, String> {
    word(row, arch(op), &op.attributes())
}

/// Returns the chip of the enclosing kernel or program, whose verifier checks that it names one.
fn arch(op: Op) -> Arch {
    let mut around = op.parent();
    while let Some(parent) = around {
        let arch = parent.dyn_cast().and_then(CodeOp::arch);
        if let Some(arch) = arch.and_then(|name| name.parse().ok()) {
            return arch;
        }
        around = parent.parent();
    }
    Arch::WormholeB0
}

/// Encodes an instruction for a chip. Missing operands are zero.
fn word(row: &Row, arch: Arch, operands: &[(&str, Attribute)]) -> Result<u32, String> {
    for (name, _) in operands {
        field(row, arch, name)?;
    }
    let operand = |name: &str| match operands.iter().find(|(given, _)| *given == name) {
        None => Ok(0),
        Some((_, value)) => unsigned(name, *value),
    };
    let fields = row.fields(arch).iter();
    let values: Result<Vec<u32>, _> = fields.map(|field| operand(field.name)).collect();
    row.encode(arch, &values?)
        .map_err(|error| error.to_string())
}

/// Returns the instruction field of an operand.
fn field(row: &Row, arch: Arch, name: &str) -> Result<&'static Field, String> {
    row.field(arch, name).ok_or_else(|| {
        let operands = row.fields(arch).iter();
        let operands: Vec<_> = operands.map(|field| field.name).collect();
        format!("has no operand '{name}'; it has: {}", operands.join(", "))
    })
}

/// Converts an operation to an entry of the data-movement list.
fn dm_entry(op: Op) -> Result<DmEntry, String> {
    let page = || -> Result<(u16, u32, u32), String> {
        Ok((
            below(op, PageMoveOp::ARGUMENT, 1 << 16)? as u16,
            number(op, PageMoveOp::PAGE)?,
            number(op, PageMoveOp::L1)?,
        ))
    };
    Ok(match op.name() {
        ReadOp::NAME => {
            let (arg, page, l1) = page()?;
            DmEntry::Read { arg, page, l1 }
        }
        WriteOp::NAME => {
            let (arg, page, l1) = page()?;
            DmEntry::Write { arg, page, l1 }
        }
        PostOp::NAME => DmEntry::Post {
            counter: counter(op, PostOp::COUNTER)?,
        },
        WaitOp::NAME => DmEntry::Wait {
            counter: counter(op, WaitOp::COUNTER)?,
            at_least: number(op, WaitOp::AT_LEAST)?,
        },
        _ => {
            return Err(
                "is in the data-movement list, but only an instruction thread can execute \
                    it"
                .into(),
            )
        }
    })
}

fn counter(op: Op, key: AttributeKey<Int<32>>) -> Result<u16, String> {
    below(op, key, 1 << 16).map(|counter| counter as u16)
}

fn below(op: Op, key: AttributeKey<Int<32>>, limit: u32) -> Result<u32, String> {
    let value = number(op, key)?;
    if value >= limit {
        let name = key.name();
        return Err(format!("{name} is {value}, but must be less than {limit}"));
    }
    Ok(value)
}

fn number<const WIDTH: u32>(op: Op, key: AttributeKey<Int<WIDTH>>) -> Result<u32, String> {
    unsigned(key.name(), declared(key.attribute(op))?)
}

fn unsigned(name: &str, value: Attribute) -> Result<u32, String> {
    let value = value.integer();
    let value = value.ok_or_else(|| format!("requires an integer attribute '{name}'"))?;
    u32::try_from(value)
        .map_err(|_| format!("{name} is {value}, but must be an unsigned 32-bit number"))
}

/// Creates the operations of list entries.
pub struct Writer<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
}

impl<'r, 'a> Writer<'r, 'a> {
    /// Returns a writer that inserts with this rewriter.
    pub fn new(rewriter: &'r Rewriter<'a>) -> Self {
        Self { rewriter }
    }

    /// Creates a `tensix.kernel` with these lists.
    ///
    /// # Errors
    /// A pushed word is not an instruction of `arch`.
    pub fn kernel(
        &self,
        at: At<'a>,
        location: Location<'a>,
        name: &str,
        arch: Arch,
        arguments: u32,
        lists: &Lists,
    ) -> Result<Op<'a>, String> {
        let context = self.rewriter.context();
        let mut kernel = KernelOp::build(location)
            .with(context, KernelOp::SYM_NAME, name)
            .with(context, KernelOp::ARCH, arch.name())
            .with(context, KernelOp::ARGUMENTS, arguments.into());
        for _ in 0..=DM_REGION {
            kernel = kernel.region([]);
        }
        let kernel = self.rewriter.insert(at, kernel);
        let blocks: Vec<_> = kernel
            .regions()
            .into_iter()
            .flat_map(|region| region.blocks().into_iter().next())
            .collect();
        for (thread, block) in blocks.iter().take(DM_REGION).enumerate() {
            for entry in lists.thread(thread) {
                self.rewriter
                    .insert(At::End(*block), self.entry(location, *entry, arch)?);
            }
        }
        for entry in &lists.dm {
            self.rewriter
                .insert(At::End(blocks[DM_REGION]), self.dm_entry(location, *entry));
        }
        Ok(kernel)
    }

    /// Describes the operation of an entry of a thread, for lists and programs.
    ///
    /// # Errors
    /// A pushed word is not an instruction of `arch`.
    pub fn entry(
        &self,
        location: Location<'a>,
        entry: Entry,
        arch: Arch,
    ) -> Result<NewOp<'a>, String> {
        let context = self.rewriter.context();
        Ok(match entry {
            Entry::Push(word) => {
                let instruction =
                    Instruction::decode(arch, word).map_err(|error| error.to_string())?;
                instruction_op(self.rewriter, location, instruction)
            }
            Entry::MopCfg { index, value } => StoreMopCfgOp::build(location)
                .with(context, StoreMopCfgOp::INDEX, index.into())
                .with(context, StoreMopCfgOp::VALUE, value.into()),
            Entry::WaitMop => WaitMopOp::build(location),
            Entry::WaitIdle => WaitIdleOp::build(location),
            Entry::SemPost(semaphore) => StoreSemPostOp::build(location).with(
                context,
                StoreSemPostOp::SEMAPHORE,
                semaphore.into(),
            ),
            Entry::SemGet(semaphore) => StoreSemGetOp::build(location).with(
                context,
                StoreSemGetOp::SEMAPHORE,
                semaphore.into(),
            ),
            Entry::SemPoll { sem, at_least } => PollSemOp::build(location)
                .with(context, PollSemOp::SEMAPHORE, sem.into())
                .with(context, PollSemOp::AT_LEAST, at_least.into()),
            Entry::Post { counter } => self.post(location, counter),
            Entry::Wait { counter, at_least } => self.wait(location, counter, at_least),
        })
    }

    fn dm_entry(&self, location: Location<'a>, entry: DmEntry) -> NewOp<'a> {
        let context = self.rewriter.context();
        let moves = |op: NewOp<'a>, arg: u16, page: u32, l1: u32| {
            op.with(context, PageMoveOp::ARGUMENT, arg.into())
                .with(context, PageMoveOp::PAGE, page.into())
                .with(context, PageMoveOp::L1, l1.into())
        };
        match entry {
            DmEntry::Read { arg, page, l1 } => moves(ReadOp::build(location), arg, page, l1),
            DmEntry::Write { arg, page, l1 } => moves(WriteOp::build(location), arg, page, l1),
            DmEntry::Post { counter } => self.post(location, counter),
            DmEntry::Wait { counter, at_least } => self.wait(location, counter, at_least),
        }
    }

    fn post(&self, location: Location<'a>, counter: u16) -> NewOp<'a> {
        let context = self.rewriter.context();
        PostOp::build(location).with(context, PostOp::COUNTER, counter.into())
    }

    fn wait(&self, location: Location<'a>, counter: u16, at_least: u32) -> NewOp<'a> {
        let context = self.rewriter.context();
        WaitOp::build(location)
            .with(context, WaitOp::COUNTER, counter.into())
            .with(context, WaitOp::AT_LEAST, at_least.into())
    }
}

/// Describes the operation of an instruction whose operands are constants.
fn instruction_op<'a>(
    rewriter: &Rewriter<'a>,
    location: Location<'a>,
    instruction: Instruction,
) -> NewOp<'a> {
    let context = rewriter.context();
    let mnemonic = instruction.row().mnemonic.to_ascii_lowercase();
    let op = NewOp::new(&format!("tensix.{mnemonic}"), location);
    let operands = instruction.set_operands().into_iter();
    operands.fold(op, |op, (name, value)| {
        op.attribute(
            name,
            context.integer_attribute(context.integer(64), value.into()),
        )
    })
}
