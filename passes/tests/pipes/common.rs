//! Helpers of the tests: translation of modules to groups, and execution of groups.

use tessera_dialects::mlir::{render, Context, Module, PrintOptions, Silent, Source};
use tessera_passes::driver::opt::Passes;
use tessera_passes::pto::kernel_index::KernelIndex;
use tessera_passes::pto::pto_group;
use tessera_pto::kernel::{Element, Group};
use tessera_pto::machine::Machine;
use tessera_pto::numerics::{round, Numbers};
use tessera_pto::ring::Protocol;
use tessera_pto::schedule::{Random, Schedule};

/// Maximum number of operations of a launch.
const LIMIT: u64 = 1_000_000;

/// Runs passes with options on a module. Returns the printed module, or the diagnostics.
pub fn lower(text: &str, passes: &[(&str, &str)]) -> Result<String, String> {
    let context = Context::new();
    let failed = |_| render(&context.diagnostics().drain(), text);
    let source = Source::new("test.mlir", text.into()).map_err(|error| error.to_string())?;
    let mut module = Module::parse(&context, &source).map_err(failed)?;
    let flags = passes
        .iter()
        .map(|(pass, options)| ((*pass).to_owned(), (*options).to_owned()));
    let pipeline = Passes::Flags(flags.collect()).build();
    let pipeline = pipeline.map_err(|error| error.to_string())?;
    let ran = pipeline.run(&mut module, true, &mut Silent);
    ran.map_err(|_| render(&context.diagnostics().drain(), text))?;
    Ok(module.op().print(PrintOptions::default()))
}

/// Returns the groups of a kernel after checking them.
pub fn groups(text: &str, kernel: &str) -> Result<Vec<Group>, String> {
    let text = lower(text, &[("pto-check-pipes", "")])?;
    let context = Context::new();
    let source = Source::new("checked.mlir", text.as_str().into()).map_err(|e| e.to_string())?;
    let module = Module::parse(&context, &source).map_err(|error| error.to_string())?;
    let kernels = KernelIndex::new(module.op());
    let mut all = kernels.all().iter().copied();
    let kernel = all.find(|found| found.symbol() == Some(kernel));
    let groups = pto_group::translate(kernel.ok_or("no such kernel")?, &kernels);
    let groups = groups.map_err(|refused| refused.why.to_string())?;
    Ok(groups
        .into_iter()
        .map(|translated| translated.group)
        .collect())
}

/// Runs groups on tensors with random elements. Returns the bits of all tensors, with one pattern
/// for all NaNs.
pub fn run(groups: &[Group], schedule: Schedule) -> Result<Vec<Vec<u64>>, String> {
    let mut random = Random(7);
    let mut tensors = None;
    for group in groups {
        let mut machine = Machine::<Numbers>::new(group, Protocol::default())
            .map_err(|invalid| invalid.to_string())?;
        machine.world.tensors = tensors.take().unwrap_or_else(|| {
            let mut tensors = machine.world.tensors.clone();
            for tensor in &mut tensors {
                for element in &mut tensor.elements {
                    let number = random.below(1 << 12) as f64 / f64::from(1 << 11) - 1.0;
                    *element = round(Element::Bf16, number);
                }
            }
            tensors
        });
        let launched = machine.launch(schedule, LIMIT);
        launched.map_err(|trap| trap.to_string())?;
        tensors = Some(machine.world.tensors);
    }
    let bits = |element: &f64| {
        if element.is_nan() {
            u64::MAX
        } else {
            element.to_bits()
        }
    };
    let tensors = tensors.unwrap_or_default().into_iter();
    Ok(tensors
        .map(|tensor| tensor.elements.iter().map(bits).collect())
        .collect())
}
