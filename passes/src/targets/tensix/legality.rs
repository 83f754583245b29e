//! Fusion legality: which operations can share a kernel on Tensix.
//!
//! - The matrix unit truncates its operands to 19 bits, so f32 operands are left to the vector
//!   unit.
//! - A product of f32 has a kernel of its own, as its unpackers are configured for its factors
//!   only.
//! - The values of a block must fit into Dst. The vector unit works on one half while the matrix
//!   unit works on the other.

use tessera_dialects::mlir::Op;
use tessera_dialects::pto::Broadcast;
use tessera_dialects::ttnn::ComputeConfig;
use tessera_isa_tensix::Arch;

use super::block::{self, Costs, HALF_TILES};
use super::vector_unit;
use crate::ttnn::fusion::chains::{Chains, Source};
use crate::ttnn::fusion::steps::{Choice, Step};
use crate::ttnn::fusion::tensor::{Element, Tensor};
use crate::ttnn::fusion::values::has_room;
use crate::ttnn::fusion::{multiplies_f32, Candidate};

/// Returns whether operations can share a kernel with the given block shape.
pub fn fits(group: &Candidate, steps: &[Step], block: [u64; 2]) -> bool {
    let chains = group.chains;
    let is_multiplied =
        chains.product().is_none() || !group.multiplies_f32() && fits_matrix_unit(chains);
    is_multiplied
        && has_room(steps, block, room(group, steps))
        && block::has_room_for_reduction(steps)
        && transposes_early(steps)
        && vector_unit::fits(steps, &chains.tensors)
}

/// Returns the block shape: `asked` if it fits, and a single tile if the vector unit broadcasts a
/// tile.
pub fn block(arch: Arch, group: &Candidate, steps: &[Step], asked: Option<[u64; 2]>) -> [u64; 2] {
    let chains = group.chains;
    if broadcasts_wide(steps, &chains.tensors) {
        return [1, 1];
    }
    let result = chains.result();
    let (fidelity, _) = group.precision();
    let is_wide = group.multiplies_f32() || is_wide(chains);
    let room = room(group, steps);
    let costs = Costs {
        phases: fidelity.phases().into(),
        bytes: [if is_wide { 4 } else { 2 }, result.element.bytes()],
        depth: group.depth(),
        room,
    };
    asked
        .filter(|block| has_room(steps, *block, room))
        .unwrap_or_else(|| block::block(arch, steps, result.extent, costs))
}

/// Returns the tiles of Dst available to the values of a block.
fn room(group: &Candidate, steps: &[Step]) -> u64 {
    match group.config().and_then(ComputeConfig::dst_full_sync_en) {
        Some(false) => HALF_TILES,
        Some(true) | None => block::room(steps),
    }
}

/// Emits a remark if a product was not fused with its reader because its factors are f32.
pub fn remark_unfused(product: Op, reader: Op) {
    if multiplies_f32(product) {
        reader.remark(format!(
            "{} is not fused into the product that it reads, whose result goes through DRAM: a \
             Tensix kernel that multiplies f32 can unpack only factors; with bf16 factors both \
             would share a kernel",
            reader.name()
        ));
    }
}

/// Returns whether the matrix unit, which truncates operands to 19 bits, can read all inputs of the
/// main chain.
fn fits_matrix_unit(group: &Chains) -> bool {
    let is_narrow = |source: &Source| match source {
        Source::Input(input) => group.tensors[*input].element == Element::Bf16,
        Source::Chain => true,
    };
    let mut operands = group.main.iter().flat_map(|member| &member.operands);
    operands.all(is_narrow)
}

/// Returns whether a group without a product has inputs that the matrix unit would truncate, so
/// that only the vector unit may compute it.
pub fn is_wide(group: &Chains) -> bool {
    let mut tensors = group.tensors.iter();
    group.product().is_none() && tensors.any(|tensor| tensor.element != Element::Bf16)
}

/// Returns whether only loaded tiles or reductions are transposed. Results of the vector unit
/// cannot be transposed within a block.
fn transposes_early(steps: &[Step]) -> bool {
    match steps.first() {
        Some(Step::Transpose(before)) => {
            matches!(
                before[..],
                [Step::WidenVector(_, Broadcast::None)] | [Step::Reduce(..)]
            )
        }
        _ => true,
    }
}

/// Returns whether steps broadcast 32-bit inputs, which works on one tile at a time.
fn broadcasts_wide(steps: &[Step], tensors: &[Tensor]) -> bool {
    let is_wide = |input: usize, broadcast: Broadcast| {
        broadcast != Broadcast::None && tensors[input].element != Element::Bf16
    };
    steps.iter().any(|step| match step {
        Step::Binary {
            input, broadcast, ..
        }
        | Step::WidenVector(input, broadcast) => is_wide(*input, *broadcast),
        Step::Select(choices) => choices
            .iter()
            .filter_map(Choice::input)
            .any(|(input, broadcast)| is_wide(input, broadcast)),
        _ => false,
    })
}
