//! Which groups can be the stages of one kernel of MN-Core 2.

use tessera_mncore_code::compile::{self, LocalShape};
use tessera_mncore_code::raise;

use super::fusion_limit;
use crate::ttnn::fusion::chains::{Chains, Source};
use crate::ttnn::fusion::compute::Compute;
use crate::ttnn::fusion::extent::Extent;
use crate::ttnn::fusion::joined::JoinedStage;

/// The maximum number of columns of local tensors per row of the result. Joined stages distribute
/// rows over MABs. With few rows and many columns, as when a decoder writes a token, kernels of
/// their own distribute the columns instead.
const MAX_COLUMNS_PER_ROW: u64 = 8;

/// Estimated cycles of a stage of a normalisation in a joined kernel for each column: it computes
/// the columns of a block of rows one after the other. Measured: 3.2 for softmax and 3.3 for layer
/// normalisation of 64x512 elements, 6.6 for 1024x128, where operands arrive more slowly.
const CYCLES_PER_COLUMN: u64 = 5;
/// The rows of a block: of one matrix, or of each of [`BLOCK_MATRICES`].
const BLOCK_ROWS: [u64; 2] = [4096, 512];
const BLOCK_MATRICES: u64 = 8;
/// Estimated cycles of such a stage in a kernel of its own: for each matrix, and elements in each
/// cycle.
const CYCLES_PER_MATRIX: u64 = 250;
const ELEMENTS_PER_CYCLE: u64 = 64;

/// Returns whether stages should be joined, and code generation supports them: the row sides of
/// products are tensors, not too many tensors stream at once, functions are not too long, and local
/// tensors fit into the memories of the PEs.
pub fn fit(stages: &[JoinedStage]) -> bool {
    let shape = |stage: &JoinedStage| LocalShape {
        columns: u32::try_from(stage.chains.result().extent.columns).unwrap_or(u32::MAX),
        is_product: stage.chains.product().is_some(),
    };
    let Some((_, local)) = stages.split_last() else {
        return false;
    };
    let shapes: Vec<LocalShape> = local.iter().map(shape).collect();
    let is_faster = match shapes.iter().any(|shape| shape.is_product) {
        true => local.iter().all(has_rows),
        false => is_faster_normalisation(stages),
    };
    is_faster
        && stages.iter().all(can_stream_inputs)
        && stages.iter().all(addresses_matrices)
        && stages.iter().all(has_supported_product)
        && stages
            .iter()
            .all(|stage| fusion_limit::fits_stage(stage.chains))
        && !shapes
            .iter()
            .any(|shape| shape.is_product && shape.columns == 1)
        && compile::holds_local_tensors(&shapes)
}

/// Returns whether a stage of an attention has enough rows.
fn has_rows(stage: &JoinedStage) -> bool {
    let result = stage.chains.result().extent;
    result.columns <= MAX_COLUMNS_PER_ROW * result.rows
}

/// Returns whether a kernel of stages without products is estimated to be faster than kernels of
/// their own. These compute matrix after matrix, but use all MABs for few rows.
fn is_faster_normalisation(stages: &[JoinedStage]) -> bool {
    let cycles = |stage: &JoinedStage| {
        // A reduction reads as many columns as its input has.
        let extents = stage.chains.tensors.iter().map(|tensor| tensor.extent);
        let columns = extents.map(|extent| extent.columns).max().unwrap_or(1);
        let Extent { matrices, rows, .. } = stage.chains.result().extent;
        let (matrices, rows) = match rows <= raise::MAX_COLLAPSED_ROWS.into() {
            true => (1, matrices * rows),
            false => (matrices, rows),
        };
        let [of_one, of_each] = BLOCK_ROWS.map(|block| rows.div_ceil(block));
        let blocks = (matrices * of_one).min(matrices.div_ceil(BLOCK_MATRICES) * of_each);
        let own = CYCLES_PER_MATRIX + rows * columns / ELEMENTS_PER_CYCLE;
        [blocks * columns * CYCLES_PER_COLUMN, matrices * own]
    };
    let cycles = stages.iter().map(cycles);
    let [joined, own] = cycles.fold([0, 0], |sums, one| [sums[0] + one[0], sums[1] + one[1]]);
    joined < own
}

/// Returns whether the chip can stream the inputs of a stage at once, apart from the row side of a
/// product.
fn can_stream_inputs(stage: &JoinedStage) -> bool {
    let rows = usize::from(stage.chains.product().is_some());
    stage.loaded_inputs() <= compile::MAX_STREAMS_OF_PRODUCT + rows
}

/// Returns whether each input has one matrix for all of the result's, or one for each.
fn addresses_matrices(stage: &JoinedStage) -> bool {
    let mut tensors = stage.chains.tensors.iter();
    tensors.all(|tensor| tensor.index.is_simple())
}

/// Returns whether the right factor of a stage's product, if it has one, is a tensor in DRAM, and
/// the depth is not too large.
fn has_supported_product(stage: &JoinedStage) -> bool {
    let Some([left, _]) = stage.chains.product() else {
        return true;
    };
    left.columns <= compile::MAX_LOCAL_DEPTH.into()
        && right_factor(stage.chains).is_some_and(|input| !stage.is_local[input])
}

/// Returns the input that is the right factor of a group's product, unless it is computed.
fn right_factor(chains: &Chains) -> Option<usize> {
    let product = chains.main.first()?;
    match (product.compute, product.operands.get(1)?) {
        (Compute::Matmul { .. }, Source::Input(input)) => Some(*input),
        _ => None,
    }
}
