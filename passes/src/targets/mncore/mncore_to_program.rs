//! Converts a `mncore.kernel` to a kernel of the program file: packed instructions and the layouts
//! of its arguments.

use std::collections::HashMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tessera_dialects::mlir::{Op, OpView, Reported};
use tessera_dialects::mncore::{kernel, KernelOp};
use tessera_isa_mncore::layout::ElementBits;
use tessera_isa_mncore::word::Mode;
use tessera_mncore_code::program::{self, IssueOrder, ProgramError};
use tessera_mncore_ir::program::Program;
use tessera_program::{Kernel, KernelBody, MncorePacker, MncoreStorage, MncoreTensor};

use crate::targets::mncore::mncore_to_vsm::{cannot_emit, places};

/// Kernels that were read and packed in parallel.
#[derive(Default)]
pub(crate) struct PackedKernels<'m>(HashMap<Op<'m>, PackedKernel<'m>>);

/// A kernel with its packed instructions.
type PackedKernel<'m> = (kernel::Kernel<'m>, Result<MncorePacker, ProgramError>);

impl<'m> PackedKernels<'m> {
    /// Packs the kernels that can be read; [`kernel`] reports errors of the others.
    pub(crate) fn new(kernels: &[Op<'m>]) -> Self {
        let read = kernels.iter().filter_map(|op| {
            let read = kernel::read(op.dyn_cast()?).ok()?;
            let program = read.program().ok()?;
            let known = places(&read);
            Some(((*op, read), (program, known)))
        });
        let (read, programs): (Vec<_>, Vec<_>) = read.unzip();
        let packed = programs.into_par_iter();
        let packed: Vec<_> = packed
            .map(|(program, known)| pack(&program, &known))
            .collect();
        let ready = read.into_iter().zip(packed);
        PackedKernels(
            ready
                .map(|((op, read), packer)| (op, (read, packer)))
                .collect(),
        )
    }
}

/// Returns the packed instructions of a program.
fn pack(program: &Program, known: &[String]) -> Result<MncorePacker, ProgramError> {
    let mut packer = MncorePacker::new(Mode::AutoStride);
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    program::stream(program, IssueOrder::Scheduled, &mut |statement, lines| {
        let number = numbers.get(lines).copied();
        let number = number.unwrap_or_else(|| {
            let number = packer.place(&joined(known, lines));
            numbers.insert(lines.to_vec(), number);
            number
        });
        packer.statement(statement, number)
    })?;
    Ok(packer)
}

/// Returns the kernel that a region runs, and the operand or result of the region for each of its
/// arguments. An operand that is read in two layouts has two arguments. `name` is the kernel's name
/// in the region. Uses the packed instructions if there are some.
pub(crate) fn kernel<'m>(
    op: Op<'m>,
    region: Op,
    name: &str,
    packed: &mut PackedKernels<'m>,
) -> Result<(Kernel, Vec<usize>), Reported> {
    let (read, packer) = match packed.0.remove(&op) {
        Some((read, packer)) => (read, Some(packer)),
        None => (
            kernel::read(KernelOp::view(op)).map_err(|(op, error)| op.error(error))?,
            None,
        ),
    };
    let (inputs, outputs) = (region.operand_count(), region.result_count());
    let arguments: Vec<usize> = read.tensors.iter().map(|tensor| tensor.argument).collect();
    let (given, left) = arguments.split_at(read.inputs);
    let results = inputs..inputs + outputs;
    // A result may be written in several views.
    let mut written = left.to_vec();
    written.dedup();
    if given.iter().any(|&argument| argument >= inputs) || !written.into_iter().eq(results) {
        return Err(op.error(format!(
            "reads arguments {given:?} and writes {left:?}, but a region that runs @{name} has {inputs} inputs and {outputs} results, which are the arguments after them"
        )));
    }
    let packer = match packer {
        Some(packer) => packer,
        None => {
            let program = read.program().map_err(|(op, error)| op.error(error))?;
            pack(&program, &places(&read))
        }
    };
    let packer = packer.map_err(|error| cannot_emit(op, &read, &error))?;
    let tensors = read.tensors.iter().map(|tensor| MncoreTensor {
        tensor: tensor.kind,
        layout: tensor.layout.clone(),
        // The dialect's verifier permits 16 bits for bf16 only.
        storage: match tensor.layout.element() {
            ElementBits::Sixteen => MncoreStorage::Bf16,
            _ => MncoreStorage::Single,
        },
        view: tensor.view.clone(),
    });
    let program = packer.finish(read.inputs as u16, tensors.collect());
    let kernel = Kernel {
        name: name.into(),
        body: KernelBody::Mncore(program),
    };
    Ok((kernel, arguments))
}

/// Returns the source places of lines, without duplicates.
fn joined(known: &[String], lines: &[u32]) -> String {
    let places = lines.iter().filter_map(|&line| known.get(line as usize));
    let mut places: Vec<&str> = places.map(String::as_str).collect();
    places.sort_unstable();
    places.dedup();
    places.join(", ")
}
