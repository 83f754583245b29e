//! The implementation of [`Target`] for Tensix.

use tessera_dialects::mlir::{Context, Op, Reported};
use tessera_dialects::tensix;
use tessera_dialects::ttcore;
use tessera_program::Chip;

use super::packager::ImagePackager;
use super::system_desc::{self, assumed_arch};
use super::{joined_stages, legality, machine};
use crate::pto::machine::Machine;
use crate::target::{Packager, SystemInfo, Target};
use crate::ttnn::fusion::chains::Chains;
use crate::ttnn::fusion::joined::JoinedStage;
use crate::ttnn::fusion::steps::Step;
use crate::ttnn::fusion::{Abilities, Candidate};

/// The target's name.
pub const NAME: &str = "tensix";

/// Tensix, of every generation.
pub struct Tensix;

const SYSTEM: SystemInfo = SystemInfo {
    attribute: system_desc::SYSTEM_DESC,
    prefix: "#ttcore.system_desc<",
    chips: system_desc::CHIPS,
    built_in: system_desc::built_in,
    device: |description| system_desc::device(description).map(Some),
    chip: |op| system_desc::own_arch(op).map(Chip::Tensix),
};

impl Target for Tensix {
    fn name(&self) -> &'static str {
        NAME
    }

    fn system(&self) -> &'static SystemInfo {
        &SYSTEM
    }

    fn arch(&self, op: Op) -> Result<Option<ttcore::Arch>, Reported> {
        let arch = system_desc::arch(op).ok_or_else(|| {
            op.error(
                "is not in a module with a ttcore.system_desc; run ttcore-register-device first",
            )
        })?;
        Ok(ttcore::Arch::from_word(arch.name()))
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            may_collapse_dims: false,
            transposed_factors: false,
            lookups: true,
            exact_factors: false,
            nan: true,
            numbers: false,
        }
    }

    fn runs_on_vector_unit(&self, chains: &Chains) -> bool {
        legality::is_wide(chains)
    }

    fn block(&self, group: &Candidate, steps: &[Step], asked: Option<[u64; 2]>) -> [u64; 2] {
        let (first, _) = group.ops[0];
        legality::block(assumed_arch(first), group, steps, asked)
    }

    fn fits(&self, group: &Candidate, steps: &[Step], block: [u64; 2]) -> bool {
        legality::fits(group, steps, block)
    }

    fn joins(&self, stages: &[JoinedStage]) -> bool {
        joined_stages::fit(stages)
    }

    fn remark_unfused(&self, product: Op, reader: Op) {
        legality::remark_unfused(product, reader);
    }

    fn machine(&self, module: Op) -> Option<Machine> {
        Some(machine::machine(assumed_arch(module)))
    }

    fn kernel_ops(&self) -> &'static [&'static str] {
        &[
            tensix::ProgramOp::NAME,
            tensix::ClusterOp::NAME,
            tensix::AliasOp::NAME,
            tensix::KernelOp::NAME,
        ]
    }

    fn implements<'m>(&self, kernel: Op<'m>) -> Option<&'m str> {
        kernel.dyn_cast().and_then(tensix::CompiledOp::implements)
    }

    fn packager<'p, 'm: 'p>(
        &self,
        context: &'p Context,
        module: Op<'m>,
    ) -> Box<dyn Packager<'m> + 'p> {
        Box::new(ImagePackager::new(context, module))
    }
}
