//! Assignment of the kernels of a group to Tensix tiles.

use tessera_isa_tensix::Arch;
use tessera_pto::kernel::Group;
use tessera_pto::target::Placement;

use super::super::check;
use super::super::plan::Plan;
use super::super::refusal::{Refusal, Subject};
use super::{plan_core, CorePlan};

/// The kernels of a group that run on one Tensix tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreAssignment {
    /// One kernel, or a cube kernel and the vector kernel that pops what it pushes.
    Shared {
        /// The cube kernel, or the only one.
        first: usize,
        /// The vector kernel.
        vector: Option<usize>,
    },
    /// A kernel with a cluster tile of its own, which has the kernel's number.
    Tile(usize),
}

impl CoreAssignment {
    /// Returns the first kernel, and the vector kernel if there is one.
    pub(super) fn kernels(self) -> (usize, Option<usize>) {
        match self {
            CoreAssignment::Shared { first, vector } => (first, vector),
            CoreAssignment::Tile(kernel) => (kernel, None),
        }
    }
}

/// Assigns the kernels of a group to Tensix tiles, according to the group's placement.
///
/// # Errors
/// The placement does not support this number of kernels.
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
            "splits tiles over two vector kernels, which is not supported for kernels that share a core; give the group placement = \
             #pto.placement<cluster>",
        ),
        (Placement::Cluster, 1) => refuse(
            "has cluster placement, but is a single kernel; expand it with pto-expand-mixed-kernel",
        ),
        (Placement::Cluster, _) => Ok(kernels.map(CoreAssignment::Tile).collect()),
    }
}

/// Makes and checks the plan of each tile.
///
/// # Errors
/// At the first operation without a lowering.
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

/// Checks that no tile loads a tensor that another one stores.
fn require_no_shared_memory(cores: &[CorePlan]) -> Result<(), Refusal> {
    let stored = cores.iter().flat_map(|core| &core.stored);
    let is_stored = |arg: u16| stored.clone().any(|(stored, _)| *stored == arg);
    let mut loaded = cores.iter().flat_map(|core| &core.loaded);
    match loaded.find(|(arg, _)| is_stored(*arg)) {
        Some((arg, location)) => Err(Refusal::for_op(
            *location,
            format!(
                "loads from argument {arg}, to which another kernel of the cluster stores; \
                 communication through DRAM is not lowered to Tensix, use pto.tpush"
            ),
        )),
        None => Ok(()),
    }
}
