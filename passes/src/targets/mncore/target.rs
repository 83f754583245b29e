//! MN-Core 2 as a compilation target.

use tessera_dialects::mlir::{Context, Op, Reported};
use tessera_dialects::mncore;
use tessera_dialects::ttcore;
use tessera_mncore_code::compile;
use tessera_program::Chip;

use super::convert_pto_to_mncore::VARIANT;
use super::mncore_to_program::{self, PackedKernels};
use super::{fusion_limit, joined_stages, system_desc};
use crate::target::{Packaged, Packager, SystemInfo, Target};
use crate::ttnn::fusion::chains::Chains;
use crate::ttnn::fusion::joined::JoinedStage;
use crate::ttnn::fusion::steps::Step;
use crate::ttnn::fusion::values::{has_room, times_computed};
use crate::ttnn::fusion::{Abilities, Candidate};

/// The name of the target.
pub const NAME: &str = "mncore";

/// The target.
pub struct MnCore;

const SYSTEM: SystemInfo = SystemInfo {
    attribute: system_desc::SYSTEM_DESC,
    prefix: "{",
    chips: system_desc::CHIPS,
    built_in: |_| system_desc::built_in(),
    device: |description| system_desc::check(description).map(|()| None),
    chip: |op| {
        let description = op.attribute(system_desc::SYSTEM_DESC);
        description.map(|_| Chip::MnCore2)
    },
};

/// The maximum number of tiles that a kernel holds at once. It is half an accumulator of the other
/// target, so that both can share a kernel. The generated code does not depend on it, as it is made
/// for whole tensors.
const MAX_TILES: u64 = 4;

/// The blocks of at most this many tiles.
const BLOCKS: [[u64; 2]; 8] = [
    [1, 1],
    [1, 2],
    [2, 1],
    [1, 3],
    [3, 1],
    [2, 2],
    [1, 4],
    [4, 1],
];

impl Target for MnCore {
    fn name(&self) -> &'static str {
        NAME
    }

    fn system(&self) -> &'static SystemInfo {
        &SYSTEM
    }

    fn arch(&self, _: Op) -> Result<Option<ttcore::Arch>, Reported> {
        Ok(None)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            may_collapse_dims: true,
            transposed_factors: true,
            lookups: false,
            exact_factors: true,
            nan: false,
            numbers: true,
        }
    }

    fn runs_on_vector_unit(&self, _: &Chains) -> bool {
        false
    }

    fn block(&self, group: &Candidate, steps: &[Step], asked: Option<[u64; 2]>) -> [u64; 2] {
        let has_room = |block: &[u64; 2]| has_room(steps, *block, MAX_TILES);
        // The first block for which factors are recomputed least often.
        let result = group.chains.result().extent;
        let [down, across] = result.tiles();
        let inside = |block: &[u64; 2]| block[0] <= down && block[1] <= across;
        let computed = |block: &[u64; 2]| match group.chains.product() {
            Some(factors) => times_computed(steps, *block, factors, result).iter().sum(),
            None => 0,
        };
        let blocks = BLOCKS.into_iter();
        let fitting = blocks.filter(|block| inside(block) && has_room(block));
        let chosen = || fitting.min_by_key(computed).unwrap_or([1, 1]);
        asked.filter(has_room).unwrap_or_else(chosen)
    }

    fn fits(&self, group: &Candidate, steps: &[Step], block: [u64; 2]) -> bool {
        can_stream_inputs(group.chains)
            && !group.chains.compute_both_factors()
            && has_room(steps, block, MAX_TILES)
            && fusion_limit::fits(steps, &group.chains.tensors)
    }

    fn joins(&self, stages: &[JoinedStage]) -> bool {
        joined_stages::fit(stages)
    }

    fn kernel_ops(&self) -> &'static [&'static str] {
        &[mncore::KernelOp::NAME]
    }

    fn implements<'m>(&self, kernel: Op<'m>) -> Option<&'m str> {
        kernel.dyn_cast().and_then(mncore::KernelOp::implements)
    }

    fn packager<'p, 'm: 'p>(&self, _: &'p Context, _: Op<'m>) -> Box<dyn Packager<'m> + 'p> {
        Box::new(ProgramPackager::default())
    }
}

/// Returns whether the chip can stream all inputs of a group at once. The factors of a product do
/// not count as streams.
fn can_stream_inputs(chains: &Chains) -> bool {
    let most = match chains.product() {
        Some(_) => 2 + compile::MAX_STREAMS_OF_PRODUCT,
        None => compile::MAX_STREAMS,
    };
    chains.inputs.len() <= most
}

#[derive(Default)]
struct ProgramPackager<'m> {
    packed: PackedKernels<'m>,
}

impl<'m> Packager<'m> for ProgramPackager<'m> {
    fn form(&self, region: Op<'m>) -> Option<&'m str> {
        VARIANT.get(region)
    }

    fn prepare(&mut self, kernels: &[Op<'m>]) -> Result<(), Reported> {
        self.packed = PackedKernels::new(kernels);
        Ok(())
    }

    fn package(
        &mut self,
        kernel: Op<'m>,
        region: Op<'m>,
        name: &str,
    ) -> Result<Option<Packaged>, Reported> {
        let form = self.form(region);
        if form.is_some() && kernel.symbol() != form {
            return Ok(None);
        }
        let (kernel, arguments) =
            mncore_to_program::kernel(kernel, region, name, &mut self.packed)?;
        Ok(Some(Packaged {
            kernel,
            arguments: Some(arguments),
        }))
    }
}
