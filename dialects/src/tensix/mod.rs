//! The tensix dialect: operations ↔ entries of the lists of [`tessera_isa_tensix::list`].
//!
//! An instruction operation is named after its row of the instruction table, in lower case, and has an attribute per
//! operand; the rest of the dialect are the entries a RISC-V core does itself. Both directions live here, so that the
//! passes that make kernels and the translation that reads them cannot disagree.
//!
//! [`program`] is the other form of a kernel, with control flow; programs that run together are a [`cluster`]; an [`alias`] is
//! code that implements another kernel, too.
//!
//! Checked by the verifiers: the operands of an instruction fit its word; the numbers of the other entries fit theirs;
//! an operation stands in a list of the right kind. Not checked: what only running the program shows.

pub mod alias;
pub mod cluster;
pub mod program;

use crate::mlir::{At, Attribute, AttributeValue, Location, NewOp, Op, Region, Rewriter};
use crate::verify::{declared, Verifier};
pub use crate::views::tensix::*;
use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::{Arch, Field, Instruction, Row};

/// The lists of a kernel, by the number of its region.
const DM_REGION: usize = 3;

/// What the RISC-V core of a thread does besides pushing, in lists and in programs.
const THREAD_OPS: [&str; 6] = [
    "tensix.store_mop_cfg",
    "tensix.wait_mop",
    "tensix.wait_idle",
    "tensix.store_sempost",
    "tensix.store_semget",
    "tensix.poll_sem",
];
/// What stands in lists only.
const LIST_OPS: [&str; 3] = ["tensix.wait", "tensix.read", "tensix.write"];

/// The verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    let known = row(name).is_some()
        || THREAD_OPS.contains(&name)
        || LIST_OPS.contains(&name)
        || program::OPS.contains(&name);
    match name {
        "tensix.kernel" => Some(verify_kernel),
        "tensix.program" => Some(program::verify),
        "tensix.cluster" => Some(cluster::verify),
        "tensix.alias" => Some(alias::verify),
        _ if known || name == "tensix.post" => Some(verify_entry),
        _ => None,
    }
}

/// The row of the instruction that an operation is.
fn row(name: &str) -> Option<&'static Row> {
    Row::by_mnemonic(name.strip_prefix("tensix.")?)
}

/// Whether an operation is an instruction, all operands of which are constants.
pub fn is_instruction(op: Op) -> bool {
    row(op.name()).is_some()
}

/// Checks that the kernel exists that an operation says to implement.
fn require_implemented(op: Op) -> Result<(), String> {
    let implements = op.attribute("implements");
    let implements = implements.and_then(AttributeValue::symbol_name);
    let implements = implements.unwrap_or_default();
    match op.beside("pto.func", implements) {
        Some(_) => Ok(()),
        None => Err(format!(
            "implements @{implements}, but no 'pto.func' beside it is called so"
        )),
    }
}

fn verify_kernel(op: Op) -> Result<(), String> {
    let arch = op.string("arch").unwrap_or_default();
    arch.parse::<Arch>().map_err(|error| error.to_string())?;
    let arguments = number(op, "arguments")?;
    for entry in op
        .regions()
        .get(DM_REGION)
        .map(|region| children(*region))
        .unwrap_or_default()
    {
        if let Ok(DmEntry::Read { arg, .. } | DmEntry::Write { arg, .. }) = dm_entry(entry) {
            if u32::from(arg) >= arguments {
                return Err(format!("moves argument {arg}, but has only {arguments}"));
            }
        }
    }
    Ok(())
}

fn verify_entry(op: Op) -> Result<(), String> {
    if let Some(place) = program::Position::of(op) {
        return program::verify_op(op, place);
    }
    let parent = op.parent().filter(|parent| parent.is("tensix.kernel"));
    let Some(parent) = parent else {
        return Err(
            "expects to be in a list of a 'tensix.kernel', or inside a 'tensix.program'".into(),
        );
    };
    if program::OPS.contains(&op.name()) {
        return Err(
            "stands in a list of a 'tensix.kernel', but belongs to a 'tensix.program'".into(),
        );
    }
    let dm = parent
        .regions()
        .get(DM_REGION)
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

/// The four lists of a `tensix.kernel`.
///
/// # Errors
/// The operation that stands where it cannot, and why.
pub fn lists(kernel: Op) -> Result<Lists, (Op, String)> {
    let regions = kernel.regions();
    let thread = |index: usize| -> Result<Vec<Entry>, (Op, String)> {
        let ops = regions
            .get(index)
            .map(|region| children(*region))
            .unwrap_or_default();
        ops.into_iter()
            .map(|op| entry(op).map_err(|error| (op, error)))
            .collect()
    };
    let dm = regions
        .get(DM_REGION)
        .map(|region| children(*region))
        .unwrap_or_default();
    Ok(Lists {
        unpack: thread(0)?,
        math: thread(1)?,
        pack: thread(2)?,
        dm: dm
            .into_iter()
            .map(|op| dm_entry(op).map_err(|error| (op, error)))
            .collect::<Result<_, _>>()?,
    })
}

/// The entry of a thread's list that an operation stands for.
///
/// # Errors
/// What the verifier says about it.
pub fn entry(op: Op) -> Result<Entry, String> {
    if let Some(row) = row(op.name()) {
        return instruction(op, row).map(Entry::Push);
    }
    Ok(match op.name() {
        "tensix.store_mop_cfg" => Entry::MopCfg {
            index: below(op, "index", 9)? as u8,
            value: number(op, "value")?,
        },
        "tensix.wait_mop" => Entry::WaitMop,
        "tensix.wait_idle" => Entry::WaitIdle,
        "tensix.store_sempost" => Entry::SemPost(below(op, "semaphore", 8)? as u8),
        "tensix.store_semget" => Entry::SemGet(below(op, "semaphore", 8)? as u8),
        "tensix.poll_sem" => Entry::SemPoll {
            sem: below(op, "semaphore", 8)? as u8,
            at_least: below(op, "at_least", 16)? as u8,
        },
        "tensix.post" => Entry::Post {
            counter: counter(op)?,
        },
        "tensix.wait" => Entry::Wait {
            counter: counter(op)?,
            at_least: number(op, "at_least")?,
        },
        _ => return Err("stands in a thread's list, but only data movement can do it".into()),
    })
}

/// The word of an instruction.
fn instruction(op: Op, row: &Row) -> Result<u32, String> {
    word(row, arch(op), &op.attributes())
}

/// The chip of the kernel or program that an operation is in; that it names one is for the verifier of that.
fn arch(op: Op) -> Arch {
    let mut around = op.parent();
    while let Some(parent) = around {
        if let Some(arch) = parent.string("arch").and_then(|name| name.parse().ok()) {
            return arch;
        }
        around = parent.parent();
    }
    Arch::WormholeB0
}

/// The word of an instruction on a chip with these operands; those left out are zero.
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

/// The field of an instruction that an operand goes to.
fn field(row: &Row, arch: Arch, name: &str) -> Result<&'static Field, String> {
    row.field(arch, name).ok_or_else(|| {
        let operands = row.fields(arch).iter();
        let operands: Vec<_> = operands.map(|field| field.name).collect();
        format!("has no operand '{name}'; it has: {}", operands.join(", "))
    })
}

/// The entry of the data-movement list that an operation stands for.
fn dm_entry(op: Op) -> Result<DmEntry, String> {
    let page = || -> Result<(u16, u32, u32), String> {
        Ok((
            below(op, "argument", 1 << 16)? as u16,
            number(op, "page")?,
            number(op, "l1")?,
        ))
    };
    Ok(match op.name() {
        "tensix.read" => {
            let (arg, page, l1) = page()?;
            DmEntry::Read { arg, page, l1 }
        }
        "tensix.write" => {
            let (arg, page, l1) = page()?;
            DmEntry::Write { arg, page, l1 }
        }
        "tensix.post" => DmEntry::Post {
            counter: counter(op)?,
        },
        "tensix.wait" => DmEntry::Wait {
            counter: counter(op)?,
            at_least: number(op, "at_least")?,
        },
        _ => {
            return Err(
                "stands in the data-movement list, but only an instruction thread can do it".into(),
            )
        }
    })
}

fn counter(op: Op) -> Result<u16, String> {
    below(op, "counter", 1 << 16).map(|counter| counter as u16)
}

fn below(op: Op, name: &str, limit: u32) -> Result<u32, String> {
    let value = number(op, name)?;
    if value >= limit {
        return Err(format!("{name} is {value}, but must be less than {limit}"));
    }
    Ok(value)
}

fn number(op: Op, name: &str) -> Result<u32, String> {
    unsigned(name, declared(op.attribute(name))?)
}

fn unsigned(name: &str, value: Attribute) -> Result<u32, String> {
    let value = value.integer();
    let value = value.ok_or_else(|| format!("requires an integer attribute '{name}'"))?;
    u32::try_from(value)
        .map_err(|_| format!("{name} is {value}, but must be a 32-bit number without a sign"))
}

/// Makes operations of entries, one after another at the end of a list.
pub struct Writer<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
}

impl<'r, 'a> Writer<'r, 'a> {
    /// A writer into kernels that this rewriter may change.
    pub fn new(rewriter: &'r Rewriter<'a>) -> Self {
        Self { rewriter }
    }

    /// Makes a `tensix.kernel` of the lists.
    ///
    /// # Errors
    /// If a pushed word is no instruction of `arch`.
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
        let mut kernel = NewOp::new("tensix.kernel", location)
            .attribute("sym_name", context.string_attribute(name))
            .attribute("arch", context.string_attribute(arch.name()))
            .attribute("arguments", self.i32(arguments));
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

    /// Describes the operation of an entry of a thread, which programs have too.
    ///
    /// # Errors
    /// If a pushed word is no instruction of `arch`.
    pub fn entry(
        &self,
        location: Location<'a>,
        entry: Entry,
        arch: Arch,
    ) -> Result<NewOp<'a>, String> {
        let op = |name: &str| NewOp::new(&format!("tensix.{name}"), location);
        Ok(match entry {
            Entry::Push(word) => {
                let instruction =
                    Instruction::decode(arch, word).map_err(|error| error.to_string())?;
                let named = op(&instruction.row().mnemonic.to_ascii_lowercase());
                let operands = instruction.set_operands().into_iter();
                operands.fold(named, |op, (name, value)| {
                    op.attribute(name, self.i64(value))
                })
            }
            Entry::MopCfg { index, value } => op("store_mop_cfg")
                .attribute("index", self.i32(index.into()))
                .attribute("value", self.i64(value)),
            Entry::WaitMop => op("wait_mop"),
            Entry::WaitIdle => op("wait_idle"),
            Entry::SemPost(sem) => op("store_sempost").attribute("semaphore", self.i32(sem.into())),
            Entry::SemGet(sem) => op("store_semget").attribute("semaphore", self.i32(sem.into())),
            Entry::SemPoll { sem, at_least } => op("poll_sem")
                .attribute("semaphore", self.i32(sem.into()))
                .attribute("at_least", self.i32(at_least.into())),
            Entry::Post { counter } => op("post").attribute("counter", self.i32(counter.into())),
            Entry::Wait { counter, at_least } => op("wait")
                .attribute("counter", self.i32(counter.into()))
                .attribute("at_least", self.i64(at_least)),
        })
    }

    fn dm_entry(&self, location: Location<'a>, entry: DmEntry) -> NewOp<'a> {
        let op = |name: &str| NewOp::new(&format!("tensix.{name}"), location);
        let moves = |name: &str, arg: u16, page, l1| {
            op(name)
                .attribute("argument", self.i32(arg.into()))
                .attribute("page", self.i64(page))
                .attribute("l1", self.i64(l1))
        };
        match entry {
            DmEntry::Read { arg, page, l1 } => moves("read", arg, page, l1),
            DmEntry::Write { arg, page, l1 } => moves("write", arg, page, l1),
            DmEntry::Post { counter } => op("post").attribute("counter", self.i32(counter.into())),
            DmEntry::Wait { counter, at_least } => op("wait")
                .attribute("counter", self.i32(counter.into()))
                .attribute("at_least", self.i64(at_least)),
        }
    }

    fn i32(&self, value: u32) -> Attribute<'a> {
        let context = self.rewriter.context();
        context.integer_attribute(context.integer(32), i64::from(value))
    }

    fn i64(&self, value: u32) -> Attribute<'a> {
        let context = self.rewriter.context();
        context.integer_attribute(context.integer(64), i64::from(value))
    }
}
