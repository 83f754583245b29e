//! Addresses of local tensors: one after the other, from the first free address of L1 on.

use tessera_isa_tensix::tile::FREE;
use tessera_pto::kernel::{Group, TensorType};

use super::super::plan::{Element, Tensor, TensorMemory};
use super::super::refusal::{Refusal, Subject};
use super::CoreAssignment;
use crate::ttnn::layout::TILE;

/// Maximum bytes of a tile's local tensors. The unpackers count tiles of operand rings, too, from
/// the first local tensor on.
pub const MAX_LOCAL_BYTES: u32 = 3 << 17;

/// The local tensors of the kernels of a Tensix tile.
pub(super) struct LocalTensors {
    /// The address of each local tensor, by kernel.
    addresses: Vec<(usize, Vec<u32>)>,
    /// Bytes of all of them.
    pub bytes: u32,
}

impl LocalTensors {
    /// Assigns addresses to the local tensors of the kernels of a tile.
    ///
    /// # Errors
    /// They are too large, or the kernels do not share a tile.
    pub fn allocate(group: &Group, core: CoreAssignment) -> Result<Self, Refusal> {
        let (first, vector) = core.kernels();
        let mut bytes = 0u64;
        let mut addresses = Vec::new();
        for kernel in [Some(first), vector].into_iter().flatten() {
            let locals = &group.kernels[kernel].local;
            if matches!(core, CoreAssignment::Tile(_)) && !locals.is_empty() {
                return Err(Refusal::new(
                    Subject::Kernel(kernel),
                    "has local tensors, which are not lowered to Tensix in a kernel with a cluster \
                     tile of its own; give the group placement = #pto.placement<same_core>",
                ));
            }
            let mut own = Vec::new();
            for local in locals {
                own.push(FREE + bytes.min(MAX_LOCAL_BYTES.into()) as u32);
                bytes = bytes.saturating_add(tensor_bytes(local));
            }
            if bytes > MAX_LOCAL_BYTES.into() {
                return Err(Refusal::new(
                    Subject::Kernel(kernel),
                    format!(
                        "has local tensors of {bytes} bytes; a Tensix tile has room for \
                         {MAX_LOCAL_BYTES}"
                    ),
                ));
            }
            addresses.push((kernel, own));
        }
        Ok(LocalTensors {
            addresses,
            bytes: bytes as u32,
        })
    }

    /// Returns local tensor `number` of a kernel.
    pub fn find(&self, group: &Group, kernel: usize, number: usize) -> Option<Tensor> {
        let (_, own) = self.addresses.iter().find(|(owner, _)| *owner == kernel)?;
        let r#type = group.kernels.get(kernel)?.local.get(number)?;
        Some(Tensor {
            memory: TensorMemory::Local(*own.get(number)?),
            matrices: r#type.matrices,
            rows: r#type.rows,
            columns: r#type.columns,
            element: r#type.element.into(),
        })
    }
}

/// Returns the bytes that a local tensor takes: whole tiles, in multiples of the largest tile.
fn tensor_bytes(local: &TensorType) -> u64 {
    let [rows, columns] = local.tiles([TILE as u32; 2]);
    let tile = Element::from(local.element).tile_bytes();
    let tiles = rows.saturating_mul(columns);
    let bytes = tiles.saturating_mul(tile.into());
    bytes
        .checked_next_multiple_of(Element::F32.tile_bytes().into())
        .unwrap_or(u64::MAX)
}
