//! A `mncore.kernel` as a kernel of the program file: packed instructions, and how the host lays its arguments.

use std::collections::HashMap;

use tessera_dialects::mlir::{Op, Reported};
use tessera_dialects::mncore::kernel;
use tessera_isa_mncore::layout::ElementBits;
use tessera_isa_mncore::word::Mode;
use tessera_mncore_code::program::Form;
use tessera_program::{Kernel, KernelBody, MncorePacker, MncoreStorage, MncoreTensor};

use crate::targets::mncore::mncore_to_vsm::{cannot_emit, places};

/// The kernel that a region can be run as, and which operand or result of the region each of its arguments is: one that is read in two ways is
/// two. `name` is that of the kernel it names.
pub(crate) fn kernel(op: Op, region: Op, name: &str) -> Result<(Kernel, Vec<usize>), Reported> {
    let read = kernel::read(op).map_err(|(op, error)| op.error(error))?;
    let (inputs, outputs) = (region.operand_count(), region.result_count());
    let arguments: Vec<usize> = read.tensors.iter().map(|tensor| tensor.argument).collect();
    let (given, left) = arguments.split_at(read.inputs);
    let results = inputs..inputs + outputs;
    if given.iter().any(|&argument| argument >= inputs) || !left.iter().copied().eq(results) {
        return Err(op.error(format!(
            "reads arguments {given:?} and writes {left:?}, but a region that runs @{name} has {inputs} inputs and {outputs} results, which are the arguments behind them"
        )));
    }
    let program = read.program().map_err(|(op, error)| op.error(error))?;
    let known = places(&read);
    let mut packer = MncorePacker::new(Mode::AutoStride);
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    let streamed = program.stream(Form::Scheduled, &mut |statement, lines| {
        let number = numbers.get(lines).copied();
        let number = number.unwrap_or_else(|| {
            let number = packer.place(&joined(&known, lines));
            numbers.insert(lines.to_vec(), number);
            number
        });
        packer.statement(statement, number)
    });
    streamed.map_err(|error| cannot_emit(op, &read, &error))?;
    let tensors = read.tensors.iter().map(|tensor| MncoreTensor {
        tensor: tensor.kind,
        layout: tensor.layout.clone(),
        // The dialect's verifier lets bf16 alone lie in 16 bits.
        storage: match tensor.layout.element() {
            ElementBits::Sixteen => MncoreStorage::Bf16,
            _ => MncoreStorage::Single,
        },
    });
    let program = packer.finish(read.inputs as u16, tensors.collect());
    let kernel = Kernel {
        name: name.into(),
        body: KernelBody::Mncore(program),
    };
    Ok((kernel, arguments))
}

/// The places of lines, each once.
fn joined(known: &[String], lines: &[u32]) -> String {
    let places = lines.iter().filter_map(|&line| known.get(line as usize));
    let mut places: Vec<&str> = places.map(String::as_str).collect();
    places.sort_unstable();
    places.dedup();
    places.join(", ")
}
