//! A kernel whose loops are not scheduled yet, and its program.

use tessera_isa_mncore::memory::Precision;
use thiserror::Error;

use crate::sched::{self, schedule, ScheduleError};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::kernel::{Stage, Tensor};
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::Report;

/// A kernel for MN-Core 2 whose loops are not scheduled yet.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The tensors with their layouts in DRAM, in the order of the group; the last is the result.
    pub tensors: Vec<Tensor>,
    /// The extent that the kernel moves of each tensor, padding included; `None` for tensors stored
    /// as tiles.
    pub vectors: Vec<Option<MovedExtent>>,
    /// The number of inputs; they come first.
    pub inputs: usize,
    /// The loops.
    pub stages: Vec<Stage>,
    /// The precision of its product, if it has one.
    pub precision: Option<Precision>,
    /// Lower bounds of its product's time by resource; `None` without a product.
    pub bound: Option<ResourceBound>,
    /// The estimated time of its product, in steps.
    pub estimate: Option<u64>,
}

/// The extent of a tensor that a kernel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedExtent {
    /// Vectors of a matrix and a block of columns.
    pub vectors: u32,
    /// Cycles of each vector.
    pub cycles: u32,
}

impl MovedExtent {
    /// Returns whether another kernel moves at least this extent.
    pub fn is_within(self, other: MovedExtent) -> bool {
        self.vectors <= other.vectors && self.cycles <= other.cycles
    }
}

/// Lower bounds of a product's time from DRAM to DRAM, in steps of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceBound {
    /// Matrix operations.
    pub mau: u64,
    /// Transfers between L1BM and PEs.
    pub l1bm: u64,
    /// Transfers between L2BM and L1BM.
    pub l2bm: u64,
    /// MV instructions.
    pub mv: u64,
}

impl ResourceBound {
    /// Returns the sum of two bounds.
    #[must_use]
    pub fn plus(self, other: ResourceBound) -> ResourceBound {
        ResourceBound {
            mau: self.mau + other.mau,
            l1bm: self.l1bm + other.l1bm,
            l2bm: self.l2bm + other.l2bm,
            mv: self.mv + other.mv,
        }
    }

    /// Returns the bound of the most loaded resource, in steps.
    pub fn steps(&self) -> u64 {
        self.mau.max(self.l1bm).max(self.l2bm).max(self.mv)
    }
}

/// A loop without a schedule.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{part}: {error}")]
pub struct Unschedulable {
    /// The name of the loop.
    pub part: &'static str,
    /// The reason.
    pub error: ScheduleError,
}

impl Kernel {
    /// Schedules all loops; returns the program and the report of each loop.
    ///
    /// # Errors
    /// The first loop without a schedule.
    pub fn program(&self) -> Result<(Program, Vec<(&'static str, Report)>), Unschedulable> {
        let mut reports = Vec::new();
        let mut bodies = Vec::new();
        collect_loops(&self.stages, &mut bodies);
        let nodes = schedule_stages(
            &self.stages,
            &sched::Options::for_kernel(bodies),
            &mut reports,
        )?;
        Ok((Program { nodes }, reports))
    }
}

/// Collects all loops in order.
pub(crate) fn collect_loops<'s>(stages: &'s [Stage], bodies: &mut Vec<&'s Body>) {
    for stage in stages {
        match stage {
            Stage::Repeat(_, stages) => collect_loops(stages, bodies),
            Stage::Loop(_, body) => bodies.push(body),
        }
    }
}

fn schedule_stages(
    stages: &[Stage],
    options: &sched::Options,
    reports: &mut Vec<(&'static str, Report)>,
) -> Result<Vec<Node>, Unschedulable> {
    let node = |stage: &Stage| match stage {
        Stage::Repeat(count, stages) => Ok(Node::Repeat(
            *count,
            schedule_stages(stages, options, reports)?,
        )),
        Stage::Loop(name, body) => {
            let scheduled = schedule(body, options);
            let (schedule, report) =
                scheduled.map_err(|error| Unschedulable { part: name, error })?;
            reports.push((name, report));
            Ok(Node::Loop(ScheduledLoop {
                name: (*name).into(),
                body: body.clone(),
                schedule,
            }))
        }
    };
    stages.iter().map(node).collect()
}
