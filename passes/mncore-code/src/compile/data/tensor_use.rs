//! The uses of tensors in a kernel: which index of the distribution their rows and columns are.

use tessera_pto::kernel::TensorType;

use super::distribution::Distribution;
use crate::raise::BroadcastView;

/// The index of the distribution to which a tensor's rows or columns correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The rows of the result; see [`Distribution`].
    I,
    /// The columns of the result.
    J,
    /// The depth of a product.
    K,
}

/// The roles of a tensor's rows and columns, and the axes along which it is broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TensorUse {
    pub tensor: TensorType,
    pub rows: Role,
    pub columns: Role,
    pub broadcast: BroadcastView,
}

impl TensorUse {
    /// Creates the use of a tensor whose rows and columns, after transposition, have these roles.
    pub fn new(tensor: TensorType, roles: [Role; 2], broadcast: BroadcastView) -> Self {
        let [rows, columns] = broadcast.orient(roles);
        let [own_rows, own_columns] = broadcast.orient([broadcast.rows, broadcast.columns]);
        let broadcast = BroadcastView {
            transposed: false,
            rows: own_rows,
            columns: own_columns,
            ..broadcast
        };
        TensorUse {
            tensor,
            rows,
            columns,
            broadcast,
        }
    }

    /// Returns whether the tensor is broadcast along a role.
    pub fn is_broadcast(&self, role: Role) -> bool {
        self.rows == role && self.broadcast.rows || self.columns == role && self.broadcast.columns
    }

    /// Returns the extent of the tensor along a role.
    pub fn extent(&self, role: Role) -> u32 {
        if self.rows == role {
            self.tensor.rows
        } else {
            self.tensor.columns
        }
    }

    /// Returns whether its matrices differ.
    pub fn has_own_matrices(&self) -> bool {
        !self.broadcast.matrices && self.tensor.matrices > 1
    }

    /// Returns the distances in DRAM of blocks along a role, of blocks of columns and of matrices.
    /// `block` is the size of a block in long words.
    pub fn distances(
        &self,
        distribution: &Distribution,
        (role, blocks): (Role, u32),
        block: u64,
    ) -> [u64; 3] {
        let j_block = block * reserved_blocks(self.is_broadcast(role), blocks);
        let matrix = j_block * reserved_blocks(self.is_broadcast(Role::J), distribution.j_blocks);
        [block, j_block, matrix]
    }

    /// Returns the address increments for these distances: zero where the tensor is broadcast.
    pub fn strides(&self, role: Role, [block, j_block, matrix]: [u64; 3]) -> [u32; 3] {
        let step = |own: bool, stride: u64| if own { stride as u32 } else { 0 };
        [
            step(!self.is_broadcast(role), block),
            step(!self.is_broadcast(Role::J), j_block),
            step(self.has_own_matrices(), matrix),
        ]
    }
}

/// Returns for how many blocks space is reserved.
fn reserved_blocks(is_broadcast: bool, blocks: u32) -> u64 {
    if is_broadcast {
        1
    } else {
        u64::from(blocks.next_power_of_two())
    }
}
