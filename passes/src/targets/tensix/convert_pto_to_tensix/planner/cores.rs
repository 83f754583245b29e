//! Which kernels of a group run on which core.

use tessera_isa_tensix::Arch;
use tessera_pto::kernel::Group;
use tessera_pto::target::Placement;

use super::super::check;
use super::super::plan::Plan;
use super::super::refusal::{Refusal, Subject};
use super::{plan_core, CorePlan};

/// The kernels of a group that run on one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreAssignment {
    /// One kernel, or a cube kernel and the vector kernel that pops what it pushes.
    Shared {
        /// The cube kernel, or the only one.
        first: usize,
        /// The vector kernel.
        vector: Option<usize>,
    },
    /// The kernel that has the tile of a cluster with its number.
    Tile(usize),
}

impl CoreAssignment {
    /// The kernels, the first one before the vector kernel.
    pub(super) fn kernels(self) -> (usize, Option<usize>) {
        match self {
            CoreAssignment::Shared { first, vector } => (first, vector),
            CoreAssignment::Tile(kernel) => (kernel, None),
        }
    }
}

/// The cores that a group runs on.
///
/// # Errors
/// The kernels are more or fewer than those that can be placed so.
pub fn assign_cores(group: &Group) -> Result<Vec<CoreAssignment>, Refusal> {
    let kernels = 0..group.kernels.len();
    let refuse = |text| Err(Refusal::new(Subject::Group, text));
    match (group.placement, kernels.len()) {
        (Placement::SameCore, 0..=2) => {
            let vector = (kernels.len() == 2).then_some(1);
            let shared = kernels.take(1).map(|first| CoreAssignment::Shared { first, vector });
            Ok(shared.collect())
        }
        (Placement::SameCore, _) => refuse(
            "splits tiles over two vector kernels, which kernels that share a core cannot; give the group placement = \
             #pto.placement<cluster>",
        ),
        (Placement::Cluster, 1) => refuse(
            "runs on a cluster of cores, but is one kernel; expand it with pto-expand-mixed-kernel",
        ),
        (Placement::Cluster, _) => Ok(kernels.map(CoreAssignment::Tile).collect()),
    }
}

/// Makes the plan of each core.
///
/// # Errors
/// At the first operation that this lowering has no instructions for.
pub fn plan_cores(
    group: &Group,
    cores: &[CoreAssignment],
    arch: Arch,
) -> Result<Vec<Plan>, Refusal> {
    let mut planned = Vec::new();
    for core in cores {
        let one = plan_core(group, *core, arch)?;
        check::check(&one.plan)?;
        planned.push(one);
    }
    require_no_shared_memory(&planned)?;
    Ok(planned.into_iter().map(|one| one.plan).collect())
}

/// Checks that no core loads what another one stores.
fn require_no_shared_memory(cores: &[CorePlan]) -> Result<(), Refusal> {
    let stored = cores.iter().flat_map(|core| &core.stored);
    let is_stored = |arg: u16| stored.clone().any(|(stored, _)| *stored == arg);
    let mut loaded = cores.iter().flat_map(|core| &core.loaded);
    match loaded.find(|(arg, _)| is_stored(*arg)) {
        Some((arg, location)) => Err(Refusal::for_op(
            *location,
            format!(
                "loads from argument {arg}, which another kernel of the cluster stores to; what goes through DRAM between tiles is not \
                 lowered to Tensix: push it"
            ),
        )),
        None => Ok(()),
    }
}
