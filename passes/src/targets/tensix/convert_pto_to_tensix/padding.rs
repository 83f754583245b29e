//! Analysis of padding: which values of a vector program may have non-zero elements beyond the
//! extents of their tensors.

use super::plan::{Broadcast, Element, Operand, VectorNode};

/// State of a value's padding, below its last row and right of its last column, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// Whether it may be non-zero.
    dirty: [bool; 2],
    /// Whether its zeros may be negative. Packers turn -0 into +0 when they round to bf16.
    signed: bool,
    /// Whether there is none: the value's extent is a multiple of the tile's.
    none: [bool; 2],
}

impl Padding {
    /// Returns the padding of a value of unknown extent. `dirty` tells whether it may be non-zero.
    pub fn unknown(dirty: bool) -> Self {
        Padding {
            dirty: [dirty; 2],
            signed: false,
            none: [false; 2],
        }
    }

    /// Returns the padding of loaded or popped tiles after a broadcast. `dirty` matters only where
    /// the tensor says nothing about its padding.
    pub fn loaded(operand: &Operand, broadcast: Broadcast, dirty: bool) -> Self {
        let known = operand.memory().filter(|_| operand.has_zero_padding());
        let Some(tiles) = known else {
            return Padding::unknown(dirty);
        };
        let broadcast = match broadcast {
            Broadcast::None => [false, false],
            Broadcast::Row => [true, false],
            Broadcast::Column => [false, true],
            Broadcast::Scalar => [true, true],
        };
        let extents = [tiles.tensor.rows, tiles.tensor.columns];
        Padding {
            dirty: broadcast,
            signed: false,
            none: [0, 1].map(|axis| !broadcast[axis] && extents[axis] % 32 == 0),
        }
    }

    /// Returns the padding of the transposed value.
    pub fn transposed(self) -> Self {
        let turned = |[down, across]: [bool; 2]| [across, down];
        Padding {
            dirty: turned(self.dirty),
            signed: self.signed,
            none: turned(self.none),
        }
    }

    /// Returns the padding of a node, given the padding `of` all earlier nodes. Operands have equal
    /// extents. The result is zero where all operands are, if the function of zeros is zero.
    pub fn computed(node: &VectorNode, of: &[Padding]) -> Self {
        let operands = node.operands();
        let any = |which: fn(&Padding) -> [bool; 2], axis: usize| {
            operands.iter().any(|operand| which(&of[*operand])[axis])
        };
        let of_zeros = match node {
            VectorNode::Dst(_) => 0.0,
            VectorNode::Constant(number) => f64::from(*number),
            VectorNode::Computed { function, .. } => function.value_at_zero(),
        };
        let makes_more = of_zeros != 0.0;
        let none = [0, 1].map(|axis| any(|padding| padding.none, axis));
        Padding {
            dirty: [0, 1]
                .map(|axis| (makes_more || any(|padding| padding.dirty, axis)) && !none[axis]),
            signed: of_zeros.is_sign_negative()
                || operands.iter().any(|operand| of[*operand].signed),
            none,
        }
    }

    /// Returns whether it may differ from +0 when packed as `element`.
    pub fn is_dirty_as(self, element: Element) -> bool {
        let signed = self.signed && element == Element::F32 && self.none != [true; 2];
        signed || self.is_dirty()
    }

    /// Returns whether it may be non-zero.
    pub fn is_dirty(self) -> bool {
        self.dirty != [false; 2]
    }
}

#[cfg(test)]
mod tests;
