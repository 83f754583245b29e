//! `mncore-schedule`: gives each loop for MN-Core 2 an interval, its instructions steps, its values registers.
//!
//! [`tessera_mncore_code::schedule`] decides. What stands behind a loop afterwards says how good that is: the interval (`ii`), the
//! least there can be (`least`) and why (`by`). Loops that have a schedule keep it. Values lie where no loop of the
//! kernel names a place.

use tessera_dialects::mlir::{At, Op, Pass, Reported, Rewriter};
use tessera_dialects::mncore::kernel;
use tessera_dialects::mncore::write::Writer;
use tessera_mncore_code::schedule::{schedule, Options};

use crate::driver::registry::PassInfo;

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "mncore-schedule",
    description: "Schedules loops for MN-Core 2: the interval of iterations, steps of instructions, registers of values",
    anchor: Some("builtin.module"),
    options: &[],
    make: |_| Ok(Box::new(MncoreSchedule)),
};

struct MncoreSchedule;

impl Pass for MncoreSchedule {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for kernel in module.find_all("mncore.kernel") {
            schedule_kernel(kernel, rewriter)?;
        }
        Ok(())
    }
}

fn schedule_kernel<'a>(kernel: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let read = kernel::read(kernel).map_err(|(op, error)| op.error(error))?;
    let loops = read.loops();
    let options = Options::among(loops.iter().map(|found| &found.body));
    for found in loops.into_iter().filter(|found| found.schedule.is_none()) {
        let op = found.op;
        let (schedule, report) = schedule(&found.body, &options)
            .map_err(|error| op.error(format!("has no schedule: {error}")))?;
        Writer::new(rewriter, op.location(), &read.lines).pipeline(
            At::Before(op),
            found.name,
            &found.body,
            Some((&schedule, &report)),
        );
        rewriter.erase(op);
    }
    Ok(())
}
