//! The operation table: one entry per tensor operation of `ttir` and `ttnn`.
//!
//! An entry ([`OpInfo`]) says everything about an operation that does not depend on a target: its
//! names, operands and typed attributes, the element types it accepts, the shape of its result with
//! upstream's error texts, its class and, through the class, its value. Element-wise functions are
//! rows of [`scalar`], from which their entries follow. Derived from the table are the ODS of the
//! tensor dialects ([`ods`]) and their verifiers, the conversion from `ttir` to `ttnn`, the
//! operations of the program file with their validation, the reference device, folding
//! ([`constant`]), and [`page`].
//!
//! The crate knows nothing of MLIR, of devices, or of targets.

mod attribute;
mod broadcast;
pub mod constant;
mod element;
pub mod enclose;
pub mod eval;
pub mod graph;
mod index_map;
mod matmul;
pub mod ods;
mod op;
pub mod page;
pub mod rounding;
pub mod scalar;
pub mod shape;
pub mod table;
mod view;

pub use attribute::{
    AttributeInfo, AttributeKind, AttributeValue, Attributes, ComputeConfig, Dialects,
    MathFidelity, Presence,
};
pub use broadcast::broadcast_sources;
pub use element::{ElementType, TensorType};
pub use index_map::{row_major_strides, IndexMap, MapError, StridedCopy};
pub use op::{
    Arity, Call, CallError, Class, Creation, Decompose, ElementRule, OpInfo, OperandInfo,
    Parametric, Placement, Reduction, Ternary,
};
pub use scalar::{Arithmetic, Binary, Domain, Interval, Reduce, Unary};
pub use view::{ParseViewError, View, ViewError};
