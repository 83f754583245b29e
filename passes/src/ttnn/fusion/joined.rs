//! Groups that are stages of one kernel, with local tensors between them.

use super::chains::Chains;
use super::tensor::Tensor;
use crate::ttnn::layout::TILE;

/// A group that is a stage of a kernel.
#[derive(Clone, Debug)]
pub struct JoinedStage<'g, 'a> {
    /// The group.
    pub chains: &'g Chains<'a>,
    /// For each of its inputs, whether an earlier stage computes it. It then is a local tensor.
    pub is_local: Vec<bool>,
}

impl JoinedStage<'_, '_> {
    /// Returns the number of inputs that it loads from global memory.
    pub fn loaded_inputs(&self) -> usize {
        let inputs = self.is_local.iter().zip(&self.chains.numbers);
        let loaded = inputs.filter(|(is_local, number)| !**is_local && number.is_none());
        loaded.count()
    }
}

/// Returns the bytes of the local tensors that stand for the results of all stages but the last.
/// Each holds a row of tiles, and is as large as a tile of 32-bit elements at least.
pub fn local_bytes(stages: &[JoinedStage]) -> u64 {
    let bytes = |result: Tensor| {
        let [_, across] = result.extent.tiles();
        let bytes = across * TILE * TILE * result.element.bytes();
        bytes.next_multiple_of(4 * TILE * TILE)
    };
    let local = stages.split_last().map_or(&[][..], |(_, local)| local);
    local.iter().map(|stage| bytes(stage.chains.result())).sum()
}
