//! `mncore-schedule`: software-pipelines each loop for MN-Core 2: assigns an initiation interval to
//! the loop, steps to its instructions and registers to its values.
//!
//! The scheduler is [`tessera_mncore_code::sched`]. The pass records its result on the loop: the
//! initiation interval (`ii`), its lower bound (`mii`) and what sets it (`bound_by`). Loops that
//! have a schedule keep it. Values avoid the words that any loop of the kernel addresses.

use std::collections::HashMap;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tessera_dialects::mlir::{At, Op, Pass, Reported, Rewriter};
use tessera_dialects::mncore::kernel::{self, Kernel, Loop};
use tessera_dialects::mncore::write::Writer;
use tessera_dialects::{builtin, mncore};
use tessera_mncore_code::sched::{schedule, Options};
use tessera_mncore_ir::body::Body;

use crate::driver::registry::PassInfo;

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "mncore-schedule",
    description: "Schedules loops for MN-Core 2: initiation interval, issue steps and register \
        allocation",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(MncoreSchedule)),
};

struct MncoreSchedule;

/// The distinct loops of a module: kernels over tensors of different shapes share many loops.
#[derive(Default)]
struct DistinctLoops<'k> {
    loops: Vec<(&'k Body, &'k Options)>,
    /// The index of a loop by its text (without source locations), outer trip counts and options.
    numbers: HashMap<(String, &'k [u32], &'k Options), usize>,
}

impl<'k> DistinctLoops<'k> {
    /// Returns the number of a loop.
    fn number(&mut self, found: &'k Loop<'_>, options: &'k Options) -> usize {
        let text = found.op.content();
        let loops = &mut self.loops;
        let key = (text, &found.body.outer[..], options);
        *self.numbers.entry(key).or_insert_with(|| {
            loops.push((&found.body, options));
            loops.len() - 1
        })
    }
}

impl Pass for MncoreSchedule {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        let kernels = module.find_all::<mncore::KernelOp>().into_iter();
        let read =
            kernels.map(|kernel| kernel::read(kernel).map_err(|(op, error)| op.error(error)));
        let read: Vec<Kernel> = read.collect::<Result<_, _>>()?;
        let mut unscheduled = Vec::new();
        for kernel in &read {
            let loops = kernel.loops();
            let options = Options::for_kernel(loops.iter().map(|found| &found.body));
            let without = loops.into_iter().filter(|found| found.schedule.is_none());
            unscheduled.extend(without.map(|found| (kernel, found, options.clone())));
        }
        let mut distinct = DistinctLoops::default();
        let numbers = unscheduled
            .iter()
            .map(|(_, found, options)| distinct.number(found, options));
        let numbers: Vec<usize> = numbers.collect();
        // Loops are scheduled in parallel; only this thread accesses the IR.
        let schedules = distinct.loops.par_iter();
        let schedules = schedules.map(|(body, options)| schedule(body, options));
        let schedules: Vec<_> = schedules.collect();
        for ((kernel, found, _), number) in unscheduled.iter().zip(numbers) {
            let op = found.op;
            let scheduled = schedules[number].as_ref();
            let (schedule, report) =
                scheduled.map_err(|error| op.error(format!("has no schedule: {error}")))?;
            Writer::new(rewriter, op.location(), &kernel.lines).pipeline(
                At::Before(*op),
                found.name,
                &found.body,
                Some((schedule, report)),
            );
            rewriter.erase(*op);
        }
        Ok(())
    }
}
