//! Element types of tensors, as MLIR spells them.

use std::fmt;

use crate::scalar::{Arithmetic, Domain};

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// IEEE binary64.
    F64,
    /// IEEE binary32.
    F32,
    /// IEEE binary16.
    F16,
    /// The upper half of a binary32.
    Bf16,
    /// A boolean, `i1`.
    Bool,
    /// A signed or signless integer with this number of bits.
    Int(u32),
    /// An unsigned integer with this number of bits.
    Uint(u32),
}

impl ElementType {
    /// Returns the arithmetic of element-wise functions. Booleans use floating-point arithmetic:
    /// the element type normalization converts them before anything is computed.
    pub fn arithmetic(self) -> Arithmetic {
        match self {
            ElementType::Int(_) | ElementType::Uint(_) => Arithmetic::Integer,
            _ => Arithmetic::Float,
        }
    }

    /// Returns whether functions of this domain are defined for the elements. No integer arithmetic
    /// is defined for unsigned elements.
    pub fn is_in(self, domain: Domain) -> bool {
        match self {
            ElementType::Uint(_) => domain == Domain::Any,
            _ => domain.contains(self.arithmetic()),
        }
    }

    /// Returns whether the type represents every number of another floating-point type, or is the
    /// same type.
    pub fn can_represent(self, other: ElementType) -> bool {
        use ElementType::{Bf16, F16, F32, F64};
        self == other || matches!((self, other), (F32 | F64, Bf16 | F16) | (F64, F32))
    }

    /// Returns whether it is an integer type other than a boolean.
    pub fn is_integer(self) -> bool {
        self.arithmetic() == Arithmetic::Integer
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElementType::F64 => f.write_str("f64"),
            ElementType::F32 => f.write_str("f32"),
            ElementType::F16 => f.write_str("f16"),
            ElementType::Bf16 => f.write_str("bf16"),
            ElementType::Bool => f.write_str("i1"),
            ElementType::Int(width) => write!(f, "i{width}"),
            ElementType::Uint(width) => write!(f, "ui{width}"),
        }
    }
}

/// The shape and element type of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// Extents, outermost first.
    pub shape: Vec<u64>,
    /// The type of an element.
    pub element: ElementType,
}
