//! The translation `mncore-to-vsm`: prints a kernel for MN-Core 2 as assembler text.
//!
//! There is one statement per line, in order of issue; loops are unrolled. Comments give the places
//! of tensors and the source location of each statement.

use std::fmt::Write;

use tessera_dialects::mlir::{FileLineCol, Location, Op, Reported};
use tessera_dialects::mncore::kernel::{self, Kernel};
use tessera_dialects::mncore::KernelOp;
use tessera_mncore_code::check::log::ItemInstance;
use tessera_mncore_code::program::{self, IssueOrder, ProgramError};

/// Returns the text of the kernel with this name, or of the only kernel.
///
/// # Errors
/// No kernel matches, several do, or it cannot be emitted.
pub fn translate(module: Op, name: Option<&str>) -> Result<String, Reported> {
    let kernel = choose(module, name)?;
    let read = kernel::read(kernel).map_err(|(op, error)| op.error(error))?;
    let program = read.program().map_err(|(op, error)| op.error(error))?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# {}", kernel.symbol().unwrap_or_default());
    for (number, tensor) in read.tensors.iter().enumerate() {
        let role = if number < read.inputs {
            "reads"
        } else {
            "writes"
        };
        let (argument, kind, layout) = (tensor.argument, tensor.kind, &tensor.layout);
        let _ = writeln!(text, "# {role} argument {argument}: {kind} {layout}");
    }
    let places = places(&read);
    let name = |line: u32| places.get(line as usize).cloned().unwrap_or_default();
    let emitted = program::text(&program, IssueOrder::Scheduled, &name, &mut |line| {
        text.push_str(line)
    });
    emitted.map_err(|error| cannot_emit(*kernel, &read, &error))?;
    Ok(text)
}

/// Reports why a kernel cannot be emitted: at the instruction at which the schedule log fails, or
/// at the kernel.
pub(crate) fn cannot_emit<'a>(kernel: Op<'a>, read: &Kernel<'a>, error: &ProgramError) -> Reported {
    let at = match error {
        ProgramError::Log(log) => log.item(),
        _ => None,
    };
    let instruction = |at: &ItemInstance| {
        let one = *read.loops().get(at.number)?.op;
        let instructions = one.children();
        Some(
            at.item
                .and_then(|item| instructions.get(item).copied())
                .unwrap_or(one),
        )
    };
    let op = at.and_then(instruction).unwrap_or(kernel);
    op.error(format!("cannot be emitted: {error}"))
}

/// Returns the source place (file and line) of each line number; number 0 is empty.
pub(crate) fn places(read: &Kernel) -> Vec<String> {
    let place = |location: &Location| {
        let place = FileLineCol::from_location(*location);
        place.map_or_else(String::new, |place| {
            format!("{}:{}", place.file, place.line)
        })
    };
    let none = std::iter::once(String::new());
    none.chain(read.lines.iter().map(place)).collect()
}

fn choose<'a>(module: Op<'a>, name: Option<&str>) -> Result<KernelOp<'a>, Reported> {
    let kernels = module.find_all::<KernelOp>();
    let names: Vec<String> = kernels
        .iter()
        .map(|kernel| format!("@{}", kernel.symbol().unwrap_or_default()))
        .collect();
    let names = names.join(", ");
    match (name, &kernels[..]) {
        (_, []) => Err(module
            .error("has no mncore.kernel; compile it first: ttmlir-opt --ttir-to-mncore-pipeline")),
        (None, [kernel]) => Ok(*kernel),
        (None, _) => Err(module.error(format!(
            "has several kernels, {names}; choose one with --kernel"
        ))),
        (Some(name), _) => {
            let name = name.trim_start_matches('@');
            let found = kernels.iter().find(|kernel| kernel.symbol() == Some(name));
            found
                .copied()
                .ok_or_else(|| module.error(format!("has no kernel @{name}; it has {names}")))
        }
    }
}
