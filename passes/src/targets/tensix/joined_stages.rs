//! Which groups become the stages of one kernel of Tensix.
//!
//! The stages of a kernel share a worker for each row of tiles, or each half of one
//! ([`super::convert_pto_to_tensix`]), and keep what they hand over in L1. An attention is joined
//! if that fits. A normalisation is joined if one kernel is also estimated to be faster: kernels of
//! their own read and write every intermediate tensor in DRAM, but distribute all tiles.

use tessera_dialects::mlir::{Op, Value};
use tessera_isa_tensix::{tile, Arch};

use super::convert_pto_to_tensix::MAX_LOCAL_BYTES;
use super::machine::DRAM_BYTES_PER_CYCLE;
use super::system_desc::assumed_arch;
use crate::ttnn::fusion::compute::Compute;
use crate::ttnn::fusion::joined::{self, JoinedStage};
use crate::ttnn::fusion::tensor::Tensor;
use crate::ttnn::layout::TILE;

/// Estimated cycles of the vector unit and the packers for a tile: in a stage that reduces rows,
/// and in another one.
const CYCLES_PER_REDUCED_TILE: u64 = 220;
const CYCLES_PER_TILE: u64 = 300;

/// Returns whether groups should be the stages of one kernel, and their local tensors fit.
pub fn fit(stages: &[JoinedStage]) -> bool {
    if joined::local_bytes(stages) > MAX_LOCAL_BYTES.into() {
        return false;
    }
    let has_product = stages.iter().any(|stage| stage.chains.product().is_some());
    has_product || is_faster_normalisation(stages)
}

/// Returns whether a kernel of stages without products is estimated to be faster than kernels of
/// their own.
fn is_faster_normalisation(stages: &[JoinedStage]) -> bool {
    let workers = u64::from(tile::workers(arch(stages)));
    let costs: Vec<Cost> = stages.iter().map(Cost::new).collect();
    let rows = stages.iter().map(|stage| {
        let result = stage.chains.result().extent;
        result.matrices * result.tiles()[0]
    });
    // The pieces are halves of rows of tiles.
    let halves = 2 * rows.max().unwrap_or(1);
    let row: u64 = costs.iter().map(|cost| cost.row).sum();
    let computed = halves.div_ceil(workers) * row / 2;
    let moved: u64 = costs.iter().map(|cost| cost.joined_bytes).sum();
    let joined = computed.max(moved / DRAM_BYTES_PER_CYCLE);
    let own = costs.iter().map(|cost| {
        let computed = cost.pieces.div_ceil(workers) * cost.piece;
        computed.max(cost.bytes / DRAM_BYTES_PER_CYCLE)
    });
    joined <= own.sum()
}

/// The estimated cost of a stage.
struct Cost {
    /// Cycles of a row of tiles.
    row: u64,
    /// Pieces of a kernel of its own, and cycles of each.
    pieces: u64,
    piece: u64,
    /// Bytes that DRAM moves for a kernel of its own, and for the stage of a joined one. An input
    /// of several stages counts for each, although it is read once.
    bytes: u64,
    joined_bytes: u64,
}

impl Cost {
    fn new(stage: &JoinedStage) -> Self {
        let chains = stage.chains;
        let bytes = |tensor: &Tensor| {
            let [down, across] = tensor.extent.tiles();
            tensor.extent.matrices * down * across * TILE * TILE * tensor.element.bytes()
        };
        let inputs: Vec<u64> = chains.tensors.iter().map(bytes).collect();
        let result = chains.result();
        let members = chains.factors.iter().flatten().chain(&chains.main);
        let reduces = members
            .into_iter()
            .any(|member| matches!(member.compute, Compute::Reduce(_)));
        let columns = chains.tensors.iter().map(|tensor| tensor.extent.tiles()[1]);
        let across = columns.max().unwrap_or(1);
        let rows = result.extent.matrices * result.extent.tiles()[0];
        let (row, pieces, piece) = match reduces {
            true => {
                let row = CYCLES_PER_REDUCED_TILE * across;
                (row, rows, row)
            }
            false => (CYCLES_PER_TILE * across, rows * across, CYCLES_PER_TILE),
        };
        let loaded = inputs.iter().zip(&stage.is_local);
        let loaded = loaded.filter(|(_, is_local)| !**is_local);
        Cost {
            row,
            pieces,
            piece,
            bytes: inputs.iter().sum::<u64>() + bytes(&result),
            joined_bytes: loaded.map(|(bytes, _)| bytes).sum(),
        }
    }
}

/// Returns the chip of the module that the stages are in.
fn arch(stages: &[JoinedStage]) -> Arch {
    let mut inputs = stages.iter().flat_map(|stage| &stage.chains.inputs);
    inputs
        .find_map(|input| owner(*input))
        .map_or(Arch::WormholeB0, assumed_arch)
}

/// Returns an operation near a value: the one that defines it, or one that reads it.
fn owner(value: Value) -> Option<Op> {
    value
        .defining_op()
        .or_else(|| value.uses().first().map(|one| one.op))
}
