//! What is known of the padding of a value that the vector unit computes with: the elements beyond
//! the extent of its tensor.

use super::plan::{Broadcast, Element, Operand, VectorNode};

/// The padding below and to the right of a value's elements, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// Whether it may hold something else than zero.
    dirty: [bool; 2],
    /// Whether its zeros may have a sign, which packers take away when they round.
    signed: bool,
    /// Whether there is known to be none: the value has whole tiles.
    none: [bool; 2],
}

impl Padding {
    /// Of a value of which nothing else is known.
    pub fn unknown(dirty: bool) -> Self {
        Padding {
            dirty: [dirty; 2],
            signed: false,
            none: [false; 2],
        }
    }

    /// Of tiles that were brought from memory or popped, spread; `dirty` is what is known if they
    /// were popped.
    pub fn brought(operand: &Operand, broadcast: Broadcast, dirty: bool) -> Self {
        let Operand::Memory(tiles) = operand else {
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

    /// Of the value transposed.
    pub fn transposed(self) -> Self {
        let turned = |[down, across]: [bool; 2]| [across, down];
        Padding {
            dirty: turned(self.dirty),
            signed: self.signed,
            none: turned(self.none),
        }
    }

    /// Of what is computed from values, all of the same extent, or of a number.
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

    /// Whether it may hold something else than +0 when it is packed as an element type.
    pub fn is_dirty_as(self, element: Element) -> bool {
        let signed = self.signed && element == Element::F32 && self.none != [true; 2];
        signed || self.is_dirty()
    }

    /// Whether it may hold something else than zero.
    pub fn is_dirty(self) -> bool {
        self.dirty != [false; 2]
    }
}

#[cfg(test)]
mod tests;
